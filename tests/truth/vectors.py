"""Norms, means and soft maxima of vectors of any length."""

import math
from fractions import Fraction

import sympy as sp
from sympy import Abs, Sum, exp, log, sqrt

from boundaudit import Domain, ForAll, Integers, Reals, Vector

from .statement import PLANE, Truth, each, false, true

a, b, c, x, y = sp.symbols("a b c x y", real=True)
i, j, n = sp.symbols("i j n", integer=True)
alpha, beta = sp.IndexedBase("alpha", real=True), sp.IndexedBase("beta", real=True)

ANY = Domain({n: Integers(1), alpha: Vector(n, Reals())})
TWO = Domain({n: Integers(1), alpha: Vector(n, Reals()), beta: Vector(n, Reals())})
WEIGHTS = Domain({n: Integers(1), alpha: Vector(n, Reals(0))})
ENTRY = Domain({n: Integers(1), j: Integers(1, n), alpha: Vector(n, Reals())})
SHIFTED = Domain({n: Integers(1), x: Reals(), alpha: Vector(n, Reals())})
IN_UNIT = Domain({n: Integers(1), alpha: Vector(n, Reals(0, 1))})
IN_BALL = Domain({n: Integers(1), alpha: Vector(n, Reals(-1, 1), square_sum=1)})
SPACE = each(Reals(), a, b, c)


def total(body: sp.Expr) -> sp.Sum:
    return Sum(body, (i, 1, n))


MEAN = total(alpha[i]) / n
NORM_1, NORM_2 = total(Abs(alpha[i])), sqrt(total(alpha[i] ** 2))
LOG_SUM_EXP = log(total(exp(alpha[i])))
SIGNS_2 = (Abs(a + b) + Abs(a - b)) / 2
SIGNS_3 = (Abs(a + b + c) + Abs(a + b - c) + Abs(a - b + c) + Abs(a - b - c)) / 4

TEXTBOOK = [
    true(
        "logsumexp from above", LOG_SUM_EXP, "<=", x + log(n),
        Domain({n: Integers(1), x: Reals(), alpha: Vector(n, Reals(None, x))}), "n terms of at most e^x", textbook=True,
    ),
    true("logsumexp from below", LOG_SUM_EXP, ">=", alpha[j], ENTRY, "one term of the sum", textbook=True),
    true(
        "logsumexp of two", log(exp(x) + exp(y)), "<=", sp.Max(x, y) + log(2), PLANE, "two terms of at most e^max",
        textbook=True,
    ),
    true("1-norm below 2-norm", NORM_1, "<=", sqrt(n) * NORM_2, ANY, "Cauchy-Schwarz with ones", textbook=True),
    true("2-norm below 1-norm", NORM_2, "<=", NORM_1, ANY, "square: mixed products are not negative", textbook=True),
    true(
        "Cauchy-Schwarz", total(alpha[i] * beta[i]), "<=", NORM_2 * sqrt(total(beta[i] ** 2)), TWO,
        "Lagrange's identity", textbook=True,
    ),
    true(
        "Hölder", Abs(total(alpha[i] * beta[i])), "<=", x * NORM_1,
        Domain({n: Integers(1), x: Reals(0), alpha: Vector(n, Reals()), beta: Vector(n, Reals(-x, x))}),
        "termwise, triangle inequality", textbook=True,
    ),
    true("power means", MEAN**3, "<=", total(alpha[i] ** 3) / n, WEIGHTS, "t³ is convex for t >= 0", textbook=True),
    true(
        "Szarek, three terms", SIGNS_3, ">=", sqrt(a**2 + b**2 + c**2) / sqrt(2), SPACE,
        "Khintchine's inequality with its best constant", textbook=True,
    ),
]  # fmt: skip

NORMS = [
    true("sums of squares", total(alpha[i] ** 2), ">=", 0, ANY, "termwise"),
    true(
        "square of a sum of entries", total(alpha[i]) ** 2, "<=", n * total(alpha[i] ** 2), ANY,
        "Cauchy-Schwarz with ones",
    ),
    true(
        "Minkowski", sqrt(total((alpha[i] + beta[i]) ** 2)), "<=", NORM_2 + sqrt(total(beta[i] ** 2)), TWO,
        "square, Cauchy-Schwarz",
    ),
    true(
        "square of a sum of vectors", total((alpha[i] + beta[i]) ** 2), "<=",
        2 * total(alpha[i] ** 2) + 2 * total(beta[i] ** 2), TWO, "termwise",
    ),
    true(
        "parallelogram", total((alpha[i] + beta[i]) ** 2) + total((alpha[i] - beta[i]) ** 2), "=",
        2 * total(alpha[i] ** 2) + 2 * total(beta[i] ** 2), TWO, "termwise",
    ),
    true(
        "polarisation", 4 * total(alpha[i] * beta[i]), "=",
        total((alpha[i] + beta[i]) ** 2) - total((alpha[i] - beta[i]) ** 2), TWO, "termwise",
    ),
    true("4-norm below 2-norm", total(alpha[i] ** 4), "<=", total(alpha[i] ** 2) ** 2, ANY, "mixed products"),
    true("2-norm below 4-norm", total(alpha[i] ** 2) ** 2, "<=", n * total(alpha[i] ** 4), ANY, "Cauchy-Schwarz"),
    true(
        "Lyapunov", total(Abs(alpha[i]) ** 3) ** 2, "<=", total(alpha[i] ** 2) * total(alpha[i] ** 4), ANY,
        "Cauchy-Schwarz of |t| and t²",
    ),
    true("triangle for sums", Abs(total(alpha[i])), "<=", NORM_1, ANY, "induction"),
    true("bounded entries", NORM_1, "<=", n, Domain({n: Integers(1), alpha: Vector(n, Reals(-1, 1))}), "termwise"),
    true(
        "square below a bound times 1-norm", total(alpha[i] ** 2), "<=", x * NORM_1,
        Domain({n: Integers(1), x: Reals(0), alpha: Vector(n, Reals(-x, x))}), "termwise",
    ),
    true("1-norm in the ball", NORM_1, "<=", sqrt(n), IN_BALL, "Cauchy-Schwarz with ones"),
    true("fourth powers in the ball", total(alpha[i] ** 4), "<=", 1, IN_BALL, "t⁴ <= t²"),
    true("an entry below the norm", Abs(alpha[j]), "<=", NORM_2, ENTRY, "one term of the sum"),
    true(
        "a double sum", Sum(alpha[i] * alpha[j], (i, 1, n), (j, 1, n)), "=", total(alpha[i]) ** 2, ANY, "expand"
    ),
    true(
        "squared differences", Sum((alpha[i] - alpha[j]) ** 2, (i, 1, n), (j, 1, n)), "=",
        2 * n * total(alpha[i] ** 2) - 2 * total(alpha[i]) ** 2, ANY, "expand",
    ),
]  # fmt: skip

MEANS = [
    true(
        "variance", total((alpha[i] - MEAN) ** 2), "=", total(alpha[i] ** 2) - total(alpha[i]) ** 2 / n, ANY, "expand",
    ),
    true("Popoviciu", total(alpha[i] ** 2) / n - MEAN**2, "<=", sp.Rational(1, 4), IN_UNIT, "t² <= t, m(1 - m) <= 1/4"),
    true("Jensen for exp", exp(MEAN), "<=", total(exp(alpha[i])) / n, ANY, "exp is convex"),
    true("log mean exp", LOG_SUM_EXP, ">=", log(n) + MEAN, ANY, "Jensen"),
    true("logsumexp and shifts", log(total(exp(alpha[i] + x))), "=", x + LOG_SUM_EXP, SHIFTED, "factor e^x"),
    true(
        "logsumexp is Lipschitz", log(total(exp(alpha[i] + beta[i]))), "<=", LOG_SUM_EXP + x,
        Domain({n: Integers(1), x: Reals(0), alpha: Vector(n, Reals()), beta: Vector(n, Reals(-x, x))}), "monotone",
    ),
    true("a softmax entry", exp(alpha[j]) / total(exp(alpha[i])), "<=", 1, ENTRY, "one term of the sum"),
    true(
        "softmax sums to one", Sum(exp(alpha[j]) / total(exp(alpha[i])), (j, 1, n)), "=", 1, ANY, "common denominator"
    ),
    true("product of growth", total(log(1 + alpha[i])), "<=", total(alpha[i]), WEIGHTS, "log(1 + t) <= t"),
    true("growth at the mean", total(log(1 + alpha[i])), "<=", n * log(1 + MEAN), WEIGHTS, "log is concave"),
    true("mean of bounded entries", MEAN, "<=", 1, IN_UNIT, "termwise"),
    true("Rademacher average of two", SIGNS_2, "=", sp.Max(Abs(a), Abs(b)), each(Reals(), a, b), "both orders"),
    true("Khintchine for two", SIGNS_2, "<=", sqrt(a**2 + b**2), each(Reals(), a, b), "the larger one"),
    true("Khintchine for three", SIGNS_3, "<=", sqrt(a**2 + b**2 + c**2), SPACE, "Jensen"),
]  # fmt: skip


def _below(bound: sp.Expr) -> Domain:
    """Vectors of which an index bounds the entries."""
    return Domain({n: Integers(1), alpha: Vector(n, Reals(0))}, where=[ForAll(alpha[i] <= bound, (i, 1, n))])


STEPWISE = Domain(
    {n: Integers(1), alpha: Vector(n, Reals(0))},
    where=[alpha[1] <= 1, ForAll(alpha[i + 1] <= alpha[i] + 1 / (i + 1), (i, 1, n - 1))],
)
HARMONIC = [sum(Fraction(1, k) for k in range(1, m + 1)) for m in range(1, 32)]

LONG = [
    false("entries that add up to 777", Abs(total(alpha[i]) - 777), ">=", sp.Rational(1, 1000), WEIGHTS, "one of them",
          n=1, alpha=(777,)),
    false("entries below 1/i, up to 5", total(alpha[i]), "<=", 5, _below(1 / i), "H_83 = 5.002…", n=83,
          alpha=tuple(Fraction(1, k) for k in range(1, 84))),
    false("entries below 1/√i, up to 17", total(alpha[i]), "<=", 17, _below(1 / sqrt(i)), "2√n - 1.46", n=86,
          alpha=tuple(Fraction(math.floor(10**6 / math.sqrt(k)), 10**6) for k in range(1, 87))),
    false("steps of 1/i, up to 4", alpha[n], "<=", 4, STEPWISE, "H_31 = 4.02…", n=31, alpha=tuple(HARMONIC)),
    false("squares on a simplex of any length", total(alpha[i] ** 2), ">=", sp.Rational(1, 300),
          Domain({n: Integers(1), alpha: Vector(n, Reals(0, 1))}, where=[sp.Eq(total(alpha[i]), 1)]), "n = 301", n=301,
          alpha=(Fraction(1, 301),) * 301),
    true("steps of 1/i, one at most", alpha[n], "<=", n, STEPWISE, "each is at most 1"),
]  # fmt: skip

STATEMENTS: list[Truth] = [*TEXTBOOK, *NORMS, *MEANS, *LONG]
