"""Statements of which a side has no value somewhere; wherever both have one, most of them hold."""

from fractions import Fraction

import sympy as sp
from sympy import Abs, Max, Piecewise, Sum, cos, exp, log, sin, sqrt

from boundaudit import Domain, Integers, Reals, Vector

from .entropy import ENTROPY, KL
from .statement import COUNTS, NONNEGATIVE, PLANE, REAL, SQUARE, UNIT, Truth, each, valueless

p, q, x, y = sp.symbols("p q x y", real=True)
i, k, n = sp.symbols("i k n", integer=True)
alpha = sp.IndexedBase("alpha", real=True)

HALF = Fraction(1, 2)
AROUND = each(Reals(-1, 1), x)
FROM_ZERO = each(Integers(0), n)
IN_UNIT = Domain({n: Integers(1), alpha: Vector(n, Reals(0, 1))})

POLES = [
    valueless("an inverse", 1 / x, ">=", 0, UNIT, "a pole at an end", x=0),
    valueless("an inverse, both sides", 1 / x, "<=", 1 + 1 / x**2, AROUND, "a pole inside", x=0),
    valueless("a removable pole", (1 - x**2) / (1 - x), "=", 1 + x, each(Reals(0, 2), x), "0/0", x=1),
    valueless("a removable pole of two", (x**2 - y**2) / (x - y), "=", x + y, SQUARE, "0/0", x=0, y=0),
    valueless("poles that cancel", 1 / (x - y) + 1 / (y - x), "=", 0, SQUARE, "∞ - ∞", x=0, y=0),
    valueless("the geometric limit", 1 / (1 - x), ">=", 1 + x, UNIT, "a pole at the right end", x=1),
    valueless("a pole at a third", 1 / (x - sp.Rational(1, 3)) ** 2, ">=", 0, UNIT, "a pole inside", x=Fraction(1, 3)),
    valueless("a pole at 22/7", 1 / (7 * x - 22) ** 2, ">=", 0, NONNEGATIVE, "a pole inside", x=Fraction(22, 7)),
    valueless("an irrational pole", 1 / (x**2 - 2) ** 2, ">=", 0, each(Reals(0, 2), x), "a pole at √2", x=sp.sqrt(2)),
    valueless("a secant", 1 / cos(x) ** 2, ">=", 1, each(Reals(0, 2), x), "a pole at π/2", x=sp.pi / 2),
    valueless("a cardinal sine", sin(x) / x, "<=", 1, AROUND, "0/0", x=0),
    valueless("a difference quotient", (exp(x) - 1) / x, ">=", sp.Rational(1, 2), AROUND, "0/0", x=0),
    valueless("a sign", x / Abs(x), "<=", 1, AROUND, "0/0", x=0),
    valueless("a flat function", exp(-1 / x**2), "<=", 1, AROUND, "1/0 in the exponent", x=0),
    valueless("Planck", 1 / (exp(x) - 1), "<=", 1 / x, NONNEGATIVE, "1/0", x=0),
    valueless("a floor in a denominator", 1 / sp.floor(x), "<=", 1, each(Reals(HALF, 5), x), "floor 0", x=HALF),
    valueless("an inverse count", 1 / n, "<=", 1, FROM_ZERO, "1/0", n=0),
    valueless("e from below, from zero", (1 + 1 / n) ** n, "<=", sp.E, FROM_ZERO, "1/0", n=0),
    valueless("an average of nothing", Sum(k, (k, 1, n)) / n, "<=", n, FROM_ZERO, "0/0", n=0),
    valueless("a pole among the terms", Sum(1 / (k - 5), (k, 1, n)), "<=", n, COUNTS, "1/0 at k = 5", n=5),
    valueless("a sum from zero", Sum(1 / k, (k, 0, n)), "<=", 2 + n, COUNTS, "1/0 at k = 0", n=1),
    valueless("inverse entries", Sum(1 / alpha[i], (i, 1, n)), ">=", 0, IN_UNIT, "1/0", n=1, alpha=(0,)),
    valueless("the larger of a pole", Max(1 / x, 0), ">=", 0, AROUND, "1/0", x=0),
    valueless("a negative power", x ** (-p), ">=", 1, Domain({x: Reals(0, 1), p: Reals(0, 1)}), "0^{-1}", x=0, p=1),
    valueless("an unguarded piece", Piecewise((1 / x, x >= 0), (0, True)), ">=", 0, REAL, "1/0 at the edge", x=0),
    valueless("two lines that cross", 1 / (x - y) ** 2, ">=", 0, PLANE, "a line of poles", x=3, y=3),
]  # fmt: skip

LOGARITHMS = [
    valueless("log below its tangent, at zero", log(x), "<=", x - 1, each(Reals(0, 10), x), "log 0", x=0),
    valueless("x log x at zero", x * log(x), ">=", -exp(-1), UNIT, "0 log 0 needs a convention", x=0),
    valueless("entropy at the ends", ENTROPY, "<=", log(2), each(Reals(0, 1), p), "0 log 0", p=0),
    valueless("Pinsker at the ends", KL, ">=", 2 * (p - q) ** 2, each(Reals(0, 1), p, q), "log(p/0)", p=HALF, q=0),
    valueless("log(1 + x) from -1", log(1 + x), "<=", x, each(Reals(-1, 5), x), "log 0", x=-1),
    valueless("log(1 - x) up to 1", log(1 - x), "<=", -x, UNIT, "log 0", x=1),
    valueless("log of a square", log((x - sp.Rational(1, 2)) ** 2), "<=", 0, UNIT, "log 0 inside", x=HALF),
    valueless("log of a modulus", log(Abs(x**2 - 2)), "<=", 2, each(Reals(0, 2), x), "log 0 at √2", x=sp.sqrt(2)),
    valueless("log of a difference", log(x - y), "<=", x - y - 1, SQUARE, "below the diagonal", x=0, y=1),
    valueless("log of log", log(log(x)), "<=", x, each(Reals(1), x), "log 0", x=1),
    valueless("an inverse logarithm", 1 / log(x), ">=", 1 / x, each(Reals(1, 3), x), "1/0", x=1),
    valueless("log of counts", log(n), "<=", n, FROM_ZERO, "log 0", n=0),
    valueless("log of a sine", log(sin(x)), "<=", 0, each(Reals(0, 3), x), "log 0", x=0),
    valueless("a modulus of a logarithm", Abs(log(x)), ">=", 0, each(Reals(-1, 1), x), "log(-1)", x=-1),
    valueless("logs of entries", Sum(log(alpha[i]), (i, 1, n)), "<=", 0, IN_UNIT, "log 0", n=1, alpha=(0,)),
]  # fmt: skip

ROOTS_AND_OTHERS = [
    valueless("a root", sqrt(x), ">=", 0, each(Reals(-1, 3), x), "√-1", x=-1),
    valueless("a root of a cosine", sqrt(cos(x)), "<=", 1, each(Reals(0, 3), x), "cos 2 < 0", x=2),
    valueless("a root of a logarithm", sqrt(log(x)), ">=", 0, each(Reals(HALF, 2), x), "log 1/2 < 0", x=HALF),
    valueless("a half sphere", sqrt(1 - x**2 - y**2), "<=", 1, each(Reals(-1, 1), x, y), "√-1", x=1, y=1),
    valueless("a geometric mean with signs", sqrt(x * y), "<=", Abs(x) + Abs(y), PLANE, "√-1", x=1, y=-1),
    valueless(
        "real powers of negatives", x**p, "<=", 1, Domain({x: Reals(-1, 1), p: Reals(0, 1, open_low=True)}), "√-1/2",
        x=-HALF, p=HALF,
    ),
    valueless("factorials of negatives", sp.factorial(n - 3), ">=", 0, FROM_ZERO, "(-3)!", n=0),
    valueless("gamma at zero", sp.gamma(x), ">=", 0, each(Reals(0, 5), x), "a pole", x=0),
    valueless("loggamma at zero", sp.loggamma(x), ">=", -1, UNIT, "a pole", x=0),
    valueless("the harmonic series", x * Sum(1 / k, (k, 1, sp.oo)), ">=", x, UNIT, "diverges", x=1),
    valueless("the geometric series at one", Sum(x**k, (k, 0, sp.oo)), ">=", 1, UNIT, "diverges", x=1),
]  # fmt: skip

STATEMENTS: list[Truth] = [*POLES, *LOGARITHMS, *ROOTS_AND_OTHERS]
