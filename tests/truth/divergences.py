"""Divergences between laws, and means against quotients of means: one square, or one tangent, away."""

from fractions import Fraction

import sympy as sp
from sympy import Abs, Eq, Rational, Sum, log, sqrt

from boundaudit import Density, Domain, E, Integers, P, Random, Reals, Var, Vector

from . import statement
from .spaces import ANY, HALVES, NONNEGATIVE, ONTO, UNIT, false, true

X, D = sp.symbols("X D", real=True)
a, b = sp.symbols("a b", positive=True)
t = sp.Symbol("t", real=True)
i, n = sp.symbols("i n", integer=True, positive=True)
p, q, x = (sp.IndexedBase(name, real=True) for name in "pqx")


def total(body: sp.Expr) -> Sum:
    return Sum(body, (i, 1, n))


def laws(entries: Reals) -> Domain:
    """Two laws on n outcomes."""
    return Domain(
        {n: Integers(1), p: Vector(n, entries), q: Vector(n, entries)}, where=[Eq(total(p[i]), 1), Eq(total(q[i]), 1)]
    )


INSIDE, CLOSED = laws(Reals(0, 1, open_low=True)), laws(UNIT)
POSITIVE = Domain({n: Integers(1), p: Vector(n, ONTO), q: Vector(n, ONTO)})
FAR, NEAR = {"n": 2, "p": (Fraction(9, 10), Fraction(1, 10))}, {"n": 2, "p": (Fraction(11, 20), Fraction(9, 20))}
FROM_FAIR, FROM_NEAR = {**FAR, "q": HALVES}, {**NEAR, "q": HALVES}
DISJOINT = {"n": 2, "p": (1, 0), "q": (0, 1)}

VARIATION = total(Abs(p[i] - q[i])) / 2
TOTAL_P, TOTAL_Q = total(p[i]), total(q[i])
LOGS = total(p[i] * log(p[i] / q[i]))
KL = total(p[i] * log(p[i] / q[i]))
HELLINGER = total((sqrt(p[i]) - sqrt(q[i])) ** 2)
CHI = total((p[i] - q[i]) ** 2 / q[i])
JEFFREYS = total((p[i] - q[i]) * log(p[i] / q[i]))
JENSEN_SHANNON = total(p[i] * log(2 * p[i] / (p[i] + q[i])) + q[i] * log(2 * q[i] / (p[i] + q[i]))) / 2
TILT = E(D * log(D))
DENSITY = {D: Density()}

LAWS = [
    statement.true("Pinsker for laws", VARIATION**2, "<=", KL / 2, INSIDE, "weights p/3 + 2q/3"),
    statement.true("Pinsker for laws, under a root", VARIATION, "<=", sqrt(KL / 2), INSIDE, "square"),
    statement.false("Pinsker for laws with less", VARIATION**2, "<=", KL * Rational(49, 100), INSIDE, "near",
                    **FROM_NEAR),
    statement.true("total variation by Hellinger, for laws", VARIATION, "<=", sqrt(HELLINGER), CLOSED,
                   "Cauchy-Schwarz"),
    statement.true("total variation by Hellinger, squared", VARIATION**2, "<=", HELLINGER, CLOSED, "Cauchy-Schwarz"),
    statement.false("total variation by Hellinger with less", VARIATION**2, "<=", HELLINGER / 3, CLOSED, "disjoint",
                    **DISJOINT),
    statement.true("total variation by Jeffreys", VARIATION**2, "<=", JEFFREYS / 4, INSIDE, "weights (p + q)/2"),
    statement.false("total variation by Jeffreys with less", VARIATION**2, "<=", JEFFREYS / 5, INSIDE, "near",
                    **FROM_NEAR),
    statement.true("total variation by Jensen-Shannon", VARIATION**2, "<=", 2 * JENSEN_SHANNON, INSIDE,
                   "weights (p + q)/2"),
    statement.false("total variation by Jensen-Shannon with less", VARIATION**2, "<=", 3 * JENSEN_SHANNON / 2, INSIDE,
                    "near", **FROM_NEAR),
    statement.true("divergence below log of chi-squared", KL, "<=", log(1 + CHI), INSIDE, "Jensen"),
    statement.false("divergence below half the log of chi-squared", KL, "<=", log(1 + CHI) / 2, INSIDE, "far",
                    **FROM_FAIR),
    statement.true("the log-sum inequality", LOGS, ">=", TOTAL_P * log(TOTAL_P / TOTAL_Q), POSITIVE, "one tangent"),
    statement.true("the log-sum inequality turned", LOGS, ">=", TOTAL_P - TOTAL_Q, POSITIVE, "log x ≤ x - 1"),
    statement.true("entropy by the number of outcomes", TOTAL_P * log(TOTAL_P / n), "<=", total(p[i] * log(p[i])),
                   POSITIVE, "the log-sum inequality"),
    statement.false("the log-sum inequality without a total", LOGS, ">=", TOTAL_P * log(TOTAL_P), POSITIVE, "q large",
                    n=1, p=(1,), q=(2,)),
    statement.false("the log-sum inequality and more", LOGS, ">=", TOTAL_P * log(2 * TOTAL_P / TOTAL_Q), POSITIVE,
                    "one entry", n=1, p=(1,), q=(1,)),
    statement.false("entropy by half the number of outcomes", TOTAL_P * log(2 * TOTAL_P / n), "<=",
                    total(p[i] * log(p[i])), POSITIVE, "one entry", n=1, p=(1,), q=(1,)),
    statement.true("Titu", total(p[i]) ** 2 / total(q[i]), "<=", total(p[i] ** 2 / q[i]), POSITIVE, "Cauchy-Schwarz"),
    statement.false("Titu by half", total(p[i]) ** 2 / total(q[i]), "<=", total(p[i] ** 2 / q[i]) / 2, POSITIVE,
                    "one entry", n=1, p=(1,), q=(1,)),
]  # fmt: skip

DENSITIES = [
    true("Pinsker", (E(Abs(D - 1)) / 2) ** 2, "<=", TILT / 2, DENSITY, "weights (2 + D)/3"),
    true("Pinsker under a root", E(Abs(D - 1)) / 2, "<=", sqrt(TILT / 2), DENSITY, "square"),
    true("total variation by Hellinger under a root", E(Abs(D - 1)) / 2, "<=", sqrt(E((sqrt(D) - 1) ** 2)), DENSITY,
         "Cauchy-Schwarz"),
    true("divergence by chi squared", TILT, "<=", log(1 + E((D - 1) ** 2)), DENSITY, "Jensen, and E D = 1"),
    true("divergence by a variance", TILT, "<=", log(1 + Var(D)), DENSITY, "Jensen, and E D = 1"),
    false("divergence by half of chi squared", TILT, "<=", log(1 + E((D - 1) ** 2) / 2), DENSITY, "nine tenths", (2,
          HALVES, (Fraction(9, 10), Fraction(1, 10)))),
]  # fmt: skip

ABOVE = {a: ONTO, X: ANY}
SPREAD = {a: ONTO, b: ONTO, X: ANY}
BOUNDED = {a: ONTO, b: Reals(a), X: Random(Reals(a, b))}
NOT_ZERO = E(X**2) > 0
SECOND = E(X) ** 2 / E(X**2)
MEANS = [
    true("Cantelli as it is written", P(X - E(X) >= a), "<=", Var(X) / (Var(X) + a**2), ABOVE, "shift, then square"),
    true("Cantelli below", P(X - E(X) <= -a), "<=", Var(X) / (Var(X) + a**2), ABOVE, "shift, then square"),
    true("Cantelli about zero", P(X >= a), "<=", E(X**2) / (E(X**2) + a**2), ABOVE, "shift, then square", Eq(E(X), 0)),
    false("Cantelli with twice the threshold", P(X - E(X) >= a), "<=", Var(X) / (Var(X) + 2 * a**2), ABOVE,
          "a fair sign", (1, 2, HALVES, (1, -1))),
    true("Cantelli with a bound", P(X - E(X) >= a), "<=", b**2 / (b**2 + a**2), SPREAD, "its variance", Var(X) <= b**2),
    true("Cantelli about zero with a bound", P(X >= a), "<=", b**2 / (b**2 + a**2), SPREAD, "its second moment",
         Eq(E(X), 0), E(X**2) <= b**2),
    true("Cantelli below with a bound", P(X - E(X) <= -a), "<=", b / (b + a**2), SPREAD, "its variance", Var(X) <= b),
    false("Cantelli with half a bound", P(X - E(X) >= a), "<=", b**2 / (b**2 + 2 * a**2), SPREAD, "a fair sign",
          (1, 1, 2, HALVES, (1, -1)), Var(X) <= b**2),
    false("Cantelli with a bound of the mean", P(X >= a), "<=", b**2 / (b**2 + a**2), SPREAD, "X = 1",
          (1, Fraction(1, 2), 1, (1,), (1,)), Var(X) <= b**2),
    false("Cantelli below with less", P(X - E(X) <= -a), "<=", b / (2 * b + a**2), SPREAD, "a fair sign",
          (1, 1, 2, HALVES, (1, -1)), Var(X) <= b),
    true("Kantorovich in one step", E(X) * E(1 / X), "<=", (a + b) ** 2 / (4 * a * b), BOUNDED, "chords, two means"),
    false("Kantorovich with less", E(X) * E(1 / X), "<=", (a + b) ** 2 / (5 * a * b) + Rational(1, 5), BOUNDED,
          "both ends", (1, 9, 2, HALVES, (1, 9))),
    true("Paley-Zygmund as a quotient", P(X >= t * E(X)), ">=", (1 - t) ** 2 * SECOND, {t: UNIT, X:
         Random(NONNEGATIVE)}, "Cauchy-Schwarz", NOT_ZERO),
    true("second moment as a quotient", P(X > 0), ">=", SECOND, {X: Random(NONNEGATIVE)}, "Cauchy-Schwarz", NOT_ZERO),
    false("second moment with twice the mean, as a quotient", P(X > 0), ">=", 2 * SECOND, {X: Random(NONNEGATIVE)},
          "X = 1", (1, (1,), (1,)), NOT_ZERO),
    true("absolute deviation below the deviation", E(Abs(X - E(X))), "<=", sqrt(Var(X)), {X: ANY}, "Jensen"),
    false("absolute deviation below less", E(Abs(X - E(X))), "<=", sqrt(Var(X)) * Rational(99, 100), {X: ANY},
          "a fair sign", (2, HALVES, (1, -1))),
]  # fmt: skip

STATEMENTS = [*LAWS, *DENSITIES, *MEANS]
