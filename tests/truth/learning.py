"""Steps of proofs in learning theory: best constants, inversions, margins and rates."""

import sympy as sp
from sympy import Abs, Max, Min, Piecewise, Sum, erf, exp, gamma, log, sqrt

from boundaudit import Domain, Integers, Reals

from .statement import COUNTS, REAL, Truth, each, true

a, b, c, d, v, x, y = sp.symbols("a b c d v x y", real=True)
k, n = sp.symbols("k n", integer=True)

ONTO = Reals(0, open_low=True)
CONFIDENCE = Domain({n: Integers(1), d: Reals(0, 1, open_low=True)})


def ramp(margin: sp.Expr) -> sp.Expr:
    return Min(1, Max(0, 1 - margin / c))


STATEMENTS: list[Truth] = [
    true("best step size", a / x + b * x, ">=", 2 * sqrt(a * b), each(ONTO, a, b, x), "AM-GM"),
    true("best temperature", a / x + x / 8, ">=", sqrt(a / 2), each(ONTO, a, x), "AM-GM"),
    true(
        "Massart's lemma", log(n) / x + x * c**2 / 2, ">=", c * sqrt(2 * log(n)),
        Domain({n: Integers(1), c: Reals(0), x: ONTO}), "AM-GM",
    ),
    true(
        "Dudley's best radius", x - log(x) / sqrt(n), ">=", (1 + log(n) / 2) / sqrt(n),
        Domain({n: Integers(1), x: Reals(0, 1, open_low=True)}), "smallest at 1/√n",
    ),
    true("Maurer below Seeger", log(2 * sqrt(n)), "<=", log(n + 1), COUNTS, "AM-GM"),
    true("more samples", sqrt(log(1 / d) / (2 * n + 2)), "<=", sqrt(log(1 / d) / (2 * n)), CONFIDENCE, "monotone"),
    true("price of a union bound", log(n * (n + 1) / d), ">=", log(1 / d), CONFIDENCE, "n(n + 1) >= 1"),
    true(
        "Bernstein inverted", c / 3 + sqrt(c**2 / 9 + 2 * v * c), "<=", 2 * c / 3 + sqrt(2 * v * c),
        each(Reals(0), c, v), "roots are subadditive",
    ),
    true(
        "self-bounding", x, "<=", a + b**2 + b * sqrt(a),
        Domain({a: Reals(0), b: Reals(0), x: Reals(0)}, where=[x <= a + b * sqrt(x)]), "solve for √x",
    ),
    true(
        "sample size from a logarithm", a * log(x), "<=", x,
        Domain({a: Reals(1), x: Reals(1)}, where=[x >= 2 * a * log(a)]), "x - a log x is smallest at 2a log a or above",
    ),
    true("contraction", (1 - x) ** n, "<=", 1 / (1 + n * x), Domain({n: Integers(1), x: Reals(0, 1)}), "Bernoulli"),
    true("average of decreasing steps", Sum(1 / k, (k, 1, n)) / n, "<=", (1 + log(n)) / n, COUNTS, "harmonic numbers"),
    true(
        "ramp above 0-1", ramp(x), ">=", Piecewise((1, x <= 0), (0, True)), Domain({c: ONTO, x: Reals()}), "both pieces"
    ),
    true(
        "ramp is 1/c-Lipschitz", Abs(ramp(x) - ramp(y)), "<=", Abs(x - y) / c,
        Domain({c: ONTO, x: Reals(), y: Reals()}), "clipping is 1-Lipschitz",
    ),
    true("ramp below hinge", ramp(x), "<=", Max(0, 1 - x / c), Domain({c: ONTO, x: Reals()}), "min"),
    true("GELU below the ramp", x * (1 + erf(x / sqrt(2))) / 2, "<=", Max(x, 0), REAL, "a probability times x"),
    true("GELU from below", x * (1 + erf(x / sqrt(2))) / 2, ">=", -sp.Rational(17, 100), REAL, "-0.16997… at -0.7518…"),
    true("SiLU from below", x / (1 + exp(-x)), ">=", -sp.Rational(7, 25), REAL, "-0.2784… at -1.278…"),
    true(
        "mean norm of a Gaussian from below", sqrt(2) * gamma((n + 1) / 2) / gamma(n / 2), ">=", n / sqrt(n + 1),
        COUNTS, "gamma is log-convex",
    ),
    true("empirical variance", x * (1 - x), "<=", Min(x, sp.Rational(1, 4)), each(Reals(0, 1), x), "two bounds"),
    true("fast rate below slow rate", 1 / n, "<=", 1 / sqrt(n), COUNTS, "√n <= n"),
    true(
        "weight decay shrinks", Abs((1 - a * b) * x), "<=", Abs(x),
        Domain({a: Reals(0, 1), b: Reals(0, 1), x: Reals()}), "0 <= 1 - ab <= 1",
    ),
    true(
        "descent lemma", x * y + a * y**2 / 2, ">=", -(x**2) / (2 * a), Domain({a: ONTO, x: Reals(), y: Reals()}),
        "smallest at y = -x/a",
    ),
    true(
        "exponential weights", exp(-a * x), "<=", 1 - (1 - exp(-a)) * x, Domain({a: Reals(0), x: Reals(0, 1)}),
        "convex",
    ),
    true(
        "hedge", -log(1 - (1 - exp(-a)) * x), ">=", x * (a - a**2 / 2), Domain({a: Reals(0), x: Reals(0, 1)}),
        "1 - e^{-a} >= a - a²/2, -log(1 - t) >= t",
    ),
    true("union of two events", 1 - (1 - x) * (1 - y), "<=", x + y, each(Reals(0, 1), x, y), "xy >= 0"),
    true("union of n events", 1 - (1 - x) ** n, "<=", n * x, Domain({n: Integers(1), x: Reals(0, 1)}), "Bernoulli"),
    true("tail to expectation", x**2 * exp(-x), "<=", 1, each(Reals(0), x), "4/e² < 1"),
]  # fmt: skip
