"""Sums against integrals, geometric sums, sums over two indices and infinite ones."""

import sympy as sp
from sympy import Abs, Sum, exp, log, pi, sqrt

from boundaudit import Domain, Integers, Reals

from .statement import COUNTS, UNIT, Truth, each, true

x = sp.Symbol("x", real=True)
j, k, n = sp.symbols("j k n", integer=True)

HARMONIC = Sum(1 / k, (k, 1, n))
SQUARES = Sum(1 / k**2, (k, 1, n))
ROOTS = Sum(1 / sqrt(k), (k, 1, n))
LOGARITHMS = Sum(log(k), (k, 1, n))
BELOW_ONE = Domain({n: Integers(0), x: Reals(0, 1, open_high=True)})

TEXTBOOK = [
    true("harmonic numbers from above", HARMONIC, "<=", 1 + log(n), COUNTS, "integral of 1/x", textbook=True),
    true("harmonic numbers from below", HARMONIC, ">=", log(n + 1), COUNTS, "integral of 1/x", textbook=True),
    true("inverse squares", SQUARES, "<=", 2, COUNTS, "π²/6 < 2", textbook=True),
    true("inverse squares, sharper", SQUARES, "<=", 2 - 1 / n, COUNTS, "1/k² <= 1/(k-1) - 1/k", textbook=True),
    true("inverse roots from above", ROOTS, "<=", 2 * sqrt(n), COUNTS, "integral of x^{-1/2}", textbook=True),
    true("inverse roots from below", ROOTS, ">=", 2 * sqrt(n + 1) - 2, COUNTS, "integral of x^{-1/2}", textbook=True),
    true("geometric sum", Sum(x**k, (k, 0, n)), "<=", 1 / (1 - x), BELOW_ONE, "(1 - x^{n+1})/(1 - x)", textbook=True),
    true(
        "geometric sum, closed form", (1 - x) * Sum(x**k, (k, 0, n)), "=", 1 - x ** (n + 1),
        Domain({n: Integers(0), x: Reals()}), "telescopes", textbook=True,
    ),
    true(
        "weighted geometric sum", Sum(k * x**k, (k, 0, n)), "<=", x / (1 - x) ** 2, BELOW_ONE,
        "derivative of the geometric series", textbook=True,
    ),
]  # fmt: skip

CLOSED = [
    true("sum of integers", Sum(k, (k, 1, n)), "=", n * (n + 1) / 2, COUNTS, "induction"),
    true("sum of squares", Sum(k**2, (k, 1, n)), "=", n * (n + 1) * (2 * n + 1) / 6, COUNTS, "induction"),
    true("Nicomachus", Sum(k**3, (k, 1, n)), "=", Sum(k, (k, 1, n)) ** 2, COUNTS, "both n²(n+1)²/4"),
    true("sum of odd numbers", Sum(2 * k - 1, (k, 1, n)), "=", n**2, COUNTS, "induction"),
    true("telescoping", Sum(1 / (k * (k + 1)), (k, 1, n)), "=", 1 - 1 / (n + 1), COUNTS, "1/k - 1/(k+1)"),
    true("halves", Sum(sp.Rational(1, 2) ** k, (k, 1, n)), "=", 1 - sp.Rational(1, 2) ** n, COUNTS, "geometric"),
    true("a double sum of ones", Sum(1, (j, 1, k), (k, 1, n)), "=", n * (n + 1) / 2, COUNTS, "sum of integers"),
    true(
        "a double sum of minima", Sum(sp.Min(j, k), (j, 1, n), (k, 1, n)), "=", n * (n + 1) * (2 * n + 1) / 6, COUNTS,
        "the minimum is above i at (n-i)² places",
    ),
    true("alternating ones", Sum((-1) ** k, (k, 1, n)), "=", ((-1) ** n - 1) / 2, COUNTS, "both parities"),
]  # fmt: skip

BOUNDED = [
    true("halves below one", Sum(sp.Rational(1, 2) ** k, (k, 1, n)), "<=", 1, COUNTS, "1 - 2^{-n}"),
    true("weighted halves", Sum(k * sp.Rational(1, 2) ** k, (k, 1, n)), "<=", 2, COUNTS, "2 - (n+2) 2^{-n}"),
    true("inverse cubes", Sum(1 / k**3, (k, 1, n)), "<=", sp.Rational(5, 4), COUNTS, "ζ(3) = 1.2020…"),
    true("inverse 3/2 powers", Sum(k ** sp.Rational(-3, 2), (k, 1, n)), "<=", 3, COUNTS, "1 + ∫ x^{-3/2} from 1"),
    true("roots from below", Sum(sqrt(k), (k, 1, n)), ">=", 2 * n * sqrt(n) / 3, COUNTS, "integral of √x"),
    true("roots from above", Sum(sqrt(k), (k, 1, n)), "<=", 2 * (n + 1) ** sp.Rational(3, 2) / 3, COUNTS, "the same"),
    true("log factorial below n log n", LOGARITHMS, "<=", n * log(n), COUNTS, "termwise"),
    true("log factorial above n log n - n", LOGARITHMS, ">=", n * log(n) - n, COUNTS, "integral of log"),
    true("log factorial by the integral", LOGARITHMS, "<=", (n + 1) * log(n + 1) - n, COUNTS, "integral of log"),
    true("harmonic above log + 1/2", HARMONIC, ">=", log(n) + sp.Rational(1, 2), COUNTS, "γ = 0.577…"),
    true("trapezoids over 1/x", HARMONIC, ">=", log(n) + 1 / (2 * n) + sp.Rational(1, 2), COUNTS, "1/x is convex"),
    true(
        "a slowly converging series", Sum(1 / (k * log(k) ** 2), (k, 2, n)), "<=", sp.Rational(5, 2),
        each(Integers(2), n), "1/(2 log² 2) + 1/log 2 = 2.483…",
    ),
    true("alternating harmonic from above", Sum((-1) ** (k + 1) / k, (k, 1, n)), "<=", 1, COUNTS, "pairs"),
    true(
        "alternating harmonic from below", Sum((-1) ** (k + 1) / k, (k, 1, n)), ">=", sp.Rational(1, 2), COUNTS,
        "pairs",
    ),
    true("exponential terms", Sum(exp(-k), (k, 1, n)), "<=", 1 / (sp.E - 1), COUNTS, "geometric"),
    true(
        "exponential terms of any rate", Sum(exp(-x * k), (k, 1, n)), "<=", 1 / x,
        Domain({n: Integers(1), x: Reals(0, open_low=True)}), "1/(e^x - 1) <= 1/x",
    ),
    true("second half of the harmonic sum", Sum(1 / (n + k), (k, 1, n)), "<=", log(2), COUNTS, "integral of 1/x"),
    true("half of the harmonic sum", Sum(1 / (n + k), (k, 1, n)), ">=", sp.Rational(1, 2), COUNTS, "n terms >= 1/(2n)"),
    true("union weights", Sum(1 / (k * (k + 1)), (k, 1, n)), "<=", 1, COUNTS, "telescopes"),
    true("union weights by π", Sum(6 / (pi**2 * k**2), (k, 1, n)), "<=", 1, COUNTS, "Basel"),
    true(
        "derivative of a geometric sum", (1 - x) ** 2 * Sum(k * x ** (k - 1), (k, 1, n)), "<=", 1,
        Domain({n: Integers(1), x: Reals(0, 1)}), "1 - (n+1)x^n + n x^{n+1}",
    ),
    true("wobbling terms", Sum(Abs(sp.sin(k)) / k**2, (k, 1, n)), "<=", 2, COUNTS, "inverse squares"),
    true("divisors", Sum(sp.floor(n / k), (k, 1, n)), "<=", n * (1 + log(n)), COUNTS, "n times a harmonic number"),
    true("alternating ones below zero", Sum((-1) ** k, (k, 1, n)), "<=", 0, COUNTS, "-1 or 0"),
    true("average step size", ROOTS / n, "<=", 2 / sqrt(n), COUNTS, "inverse roots, divided by n"),
    true(
        "partial exponential series", Sum(x**k / sp.factorial(k), (k, 0, n)), "<=", exp(x),
        Domain({n: Integers(0), x: Reals(0)}), "the rest is not negative",
    ),
    true("a sum over pairs", Sum(1 / (j + k) ** 3, (j, 1, n), (k, 1, n)), "<=", 1, COUNTS, "Σ (m-1)/m³ = ζ(2) - ζ(3)"),
]  # fmt: skip

INFINITE = [
    true("Basel", Sum(1 / k**2, (k, 1, sp.oo)), "=", pi**2 / 6, UNIT, "Euler"),
    true("Basel, bounded", x * Sum(1 / k**2, (k, 1, sp.oo)), "<=", 2 * x, UNIT, "π²/6 < 2"),
    true("all halves", Sum(sp.Rational(1, 2) ** k, (k, 1, sp.oo)), "=", 1, UNIT, "geometric"),
    true("geometric series", Sum(x**k, (k, 0, sp.oo)), "=", 1 / (1 - x), each(Reals(0, 1, open_high=True), x), "limit"),
    true("exponential series", Sum(x**k / sp.factorial(k), (k, 0, sp.oo)), "=", exp(x), each(Reals(), x), "Taylor"),
    true("all union weights", Sum(1 / (k * (k + 1)), (k, 1, sp.oo)), "<=", 1, UNIT, "telescopes"),
]  # fmt: skip

STATEMENTS: list[Truth] = [*TEXTBOOK, *CLOSED, *BOUNDED, *INFINITE]
