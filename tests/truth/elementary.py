"""Exponentials, logarithms, powers, means, squashing functions and losses."""

import sympy as sp
from sympy import Abs, Max, Min, Piecewise, cos, exp, log, pi, sin, sqrt, tanh

from boundaudit import Domain, Integers, Reals

from .statement import BOTH_POSITIVE, COUNTS, NONNEGATIVE, PLANE, POSITIVE, QUADRANT, REAL, Truth, each, true

a, b, c, p, s, u, v, w, x, y, z = sp.symbols("a b c p s u v w x y z", real=True)
n = sp.Symbol("n", integer=True)

ONTO = Reals(0, open_low=True)
ABOVE_MINUS_ONE = each(Reals(-1, open_low=True), x)
POWERS = Domain({n: Integers(1), x: Reals(0, 1)})
HUBER = Piecewise((x**2 / 2, Abs(x) <= 1), (Abs(x) - sp.Rational(1, 2), True))
ZERO_ONE = Piecewise((1, x <= 0), (0, True))


def sigmoid(value: sp.Expr) -> sp.Expr:
    return 1 / (1 + exp(-value))


def relu(value: sp.Expr) -> sp.Expr:
    return Max(value, 0)


def clipped(value: sp.Expr) -> sp.Expr:
    return Min(1, relu(value))


TEXTBOOK = [
    true("log below its tangent", log(x), "<=", x - 1, POSITIVE, "concave, touched at 1", textbook=True),
    true("log from below", 1 - 1 / x, "<=", log(x), POSITIVE, "log(1/x) <= 1/x - 1", textbook=True),
    true("x log x above its tangent", x * log(x), ">=", x - 1, POSITIVE, "convex, touched at 1", textbook=True),
    true("exp above its tangent", 1 + x, "<=", exp(x), REAL, "convex, touched at 0", textbook=True),
    true(
        "exp below a quadratic", exp(x), "<=", 1 + x + x**2, each(Reals(None, 1), x),
        "(1 + x + x²)e^{-x} falls to 1 at 0 and then rises", textbook=True,
    ),
    true("exp of minus x", exp(-x), "<=", 1 - x + x**2 / 2, NONNEGATIVE, "alternating remainder", textbook=True),
    true("log(1 + e^{-x})", log(1 + exp(-x)), "<=", exp(-x), REAL, "log(1 + t) <= t", textbook=True),
    true(
        "logarithm used for Bennett", log(1 + x), ">=", 2 * x / (2 + x), NONNEGATIVE,
        "derivative x²/((1+x)(2+x)²) >= 0", textbook=True,
    ),
    true(
        "Bernstein from Bennett", (1 + x) * log(1 + x) - x, ">=", x**2 / (2 + 2 * x / 3), NONNEGATIVE,
        "second derivatives: 1/(1+x) >= 27/(x+3)³", textbook=True,
    ),
    true("cosh below a Gaussian", (exp(x) + exp(-x)) / 2, "<=", exp(x**2 / 2), REAL, "(2k)! >= 2^k k!", textbook=True),
    true(
        "Jordan", 2 * x / pi, "<=", sin(x), each(Reals(0, pi / 2), x), "sine is concave there, equal at both ends",
        textbook=True,
    ),
    true("sine below its argument", sin(x), "<=", x, NONNEGATIVE, "cos <= 1", textbook=True),
    true("powers below exponentials", (1 - x) ** n, "<=", exp(-n * x), POWERS, "0 <= 1 - x <= e^{-x}", textbook=True),
    true(
        "Bernoulli", (1 + x) ** n, ">=", 1 + n * x, Domain({n: Integers(1), x: Reals(-1)}), "induction over n",
        textbook=True,
    ),
    true(
        "powers are subadditive", (x + y) ** p, "<=", x**p + y**p,
        Domain({x: Reals(0), y: Reals(0), p: Reals(0, 1, open_low=True)}), "concave and 0 at 0", textbook=True,
    ),
    true(
        "Young", x * y, "<=", x**p / p + (1 - 1 / p) * y ** (p / (p - 1)),
        Domain({p: Reals(1, open_low=True), x: Reals(0), y: Reals(0)}), "log is concave", textbook=True,
    ),
    true("AM-GM of two", sqrt(x * y), "<=", (x + y) / 2, QUADRANT, "(√x - √y)² >= 0", textbook=True),
    true(
        "AM-GM of three", x * y * z, "<=", ((x + y + z) / 3) ** 3, each(Reals(0), x, y, z), "log is concave",
        textbook=True,
    ),
    true(
        "AM-GM of four", u * v * x * y, "<=", ((u + v + x + y) / 4) ** 4, each(Reals(0), u, v, x, y),
        "AM-GM of two, twice", textbook=True,
    ),
    true(
        "weighted AM-GM", x**w * y ** (1 - w), "<=", w * x + (1 - w) * y,
        Domain({w: Reals(0, 1), x: ONTO, y: ONTO}), "log is concave", textbook=True,
    ),
    true("e from below", (1 + 1 / n) ** n, "<=", sp.E, COUNTS, "n log(1 + 1/n) <= 1", textbook=True),
    true("e from above", sp.E, "<=", (1 + 1 / n) ** (n + 1), COUNTS, "log(1 + 1/n) >= 1/(n + 1)", textbook=True),
    true("tanh is 1-Lipschitz", Abs(tanh(x) - tanh(y)), "<=", Abs(x - y), PLANE, "0 < tanh' <= 1", textbook=True),
    true(
        "the sigmoid is 1/4-Lipschitz", Abs(sigmoid(x) - sigmoid(y)), "<=", Abs(x - y) / 4, PLANE,
        "0 < s' = s(1 - s) <= 1/4", textbook=True,
    ),
    true(
        "Cauchy-Schwarz for three entries", (a * x + b * y + c * z) ** 2, "<=",
        (a**2 + b**2 + c**2) * (x**2 + y**2 + z**2), each(Reals(), a, b, c, x, y, z), "Lagrange's identity",
        textbook=True,
    ),
]  # fmt: skip

EXPONENTIALS = [
    true(
        "exp below a hyperbola", exp(x), "<=", 1 / (1 - x), each(Reals(None, 1, open_high=True), x), "1 - x <= e^{-x}",
    ),
    true("exp below its chord", exp(x), "<=", 1 + (sp.E - 1) * x, each(Reals(0, 1), x), "convex, equal at both ends"),
    true("exp below a line", exp(x), "<=", 1 + 2 * x, each(Reals(0, 1), x), "convex, e <= 3"),
    true("exp below a parabola", exp(x), "<=", 1 + x + x**2 / 2, each(Reals(None, 0), x), "the remainder is negative"),
    true("exp above a cubic", exp(x), ">=", 1 + x + x**2 / 2 + x**3 / 6, REAL, "the remainder is an even power's"),
    true("e^{-x} below half", exp(-x), "<=", 1 - x / 2, each(Reals(0, 1), x), "convex, holds at both ends"),
    true("1 - x from below", 1 - x, ">=", exp(-2 * x), each(Reals(0, sp.Rational(1, 2)), x), "convex, 1/2 >= 1/e"),
    true(
        "compound interest", (1 + x / n) ** n, "<=", exp(x), Domain({n: Integers(1), x: Reals(-n)}),
        "0 <= 1 + t <= e^t",
    ),
    true("1/e from below", (1 - 1 / n) ** n, "<=", exp(-1), COUNTS, "1 - 1/n <= e^{-1/n}"),
    true(
        "1/e from above", (1 - 1 / n) ** (n - 1), ">=", exp(-1), each(Integers(2), n),
        "1/(1 + 1/(n-1)) >= e^{-1/(n-1)}",
    ),
    true("x e^{-x}", x * exp(-x), "<=", exp(-1), REAL, "largest at 1"),
    true("x² e^{-x}", x**2 * exp(-x), "<=", 4 * exp(-2), NONNEGATIVE, "largest at 2"),
    true("x e^{-x²}", x * exp(-(x**2)), "<=", exp(-sp.Rational(1, 2)) / sqrt(2), REAL, "largest at 1/√2"),
    true(
        "exp is convex at the middle", exp((x + y) / 2), "<=", (exp(x) + exp(y)) / 2, PLANE,
        "AM-GM of e^{x/2}, e^{y/2}",
    ),
    true("exp is convex", exp(p * x), "<=", 1 - p + p * exp(x), Domain({p: Reals(0, 1), x: Reals()}), "Jensen with 0"),
    true(
        "exp below its chord over [-1, 1]", exp(s * x), "<=", (1 + x) * exp(s) / 2 + (1 - x) * exp(-s) / 2,
        Domain({x: Reals(-1, 1), s: Reals()}), "convex in x, equal at both ends",
    ),
    true("sinh above its argument", sp.sinh(x), ">=", x, NONNEGATIVE, "cosh >= 1"),
    true("cosh above a parabola", sp.cosh(x), ">=", 1 + x**2 / 2, REAL, "all its coefficients are positive"),
    true("cosh² - sinh²", sp.cosh(x) ** 2 - sp.sinh(x) ** 2, "=", 1, REAL, "(cosh + sinh)(cosh - sinh) = e^x e^{-x}"),
    true("x^x", x**x, ">=", exp(-exp(-1)), POSITIVE, "x log x is smallest at 1/e"),
    true("two to the n", 2**n, ">=", n + 1, each(Integers(0), n), "induction"),
    true("two to the n against squares", 2**n, ">=", n**2, each(Integers(4), n), "induction from 16 = 16"),
    true("n-th root of n", n ** (1 / n), "<=", exp(exp(-1)), COUNTS, "log n/n <= 1/e"),
]  # fmt: skip

LOGARITHMS = [
    true("log(1 + x) below x", log(1 + x), "<=", x, ABOVE_MINUS_ONE, "tangent at 0"),
    true("log(1 + x) above x/(1 + x)", log(1 + x), ">=", x / (1 + x), ABOVE_MINUS_ONE, "log t >= 1 - 1/t"),
    true("log(1 + x) above a parabola", log(1 + x), ">=", x - x**2 / 2, NONNEGATIVE, "derivative x²/(1+x)"),
    true("log(1 + x) below a cubic", log(1 + x), "<=", x - x**2 / 2 + x**3 / 3, NONNEGATIVE, "derivative -x³/(1+x)"),
    true("log(1 + x) below x/√(1 + x)", log(1 + x), "<=", x / sqrt(1 + x), NONNEGATIVE, "(√(1+x) - 1)² >= 0"),
    true("log below a difference of roots", log(x), "<=", sqrt(x) - 1 / sqrt(x), each(Reals(1), x), "the line above"),
    true("log below powers", log(x), "<=", n * (x ** (1 / n) - 1), Domain({n: Integers(1), x: ONTO}), "log t <= t - 1"),
    true("log below the root", log(x), "<=", sqrt(x), POSITIVE, "log t/t <= 1/e, t = √x, and 2/e < 1"),
    true("log below x/e", log(x), "<=", x * exp(-1), POSITIVE, "tangent at e"),
    true("-x log x", -x * log(x), "<=", exp(-1), POSITIVE, "largest at 1/e"),
    true("log(1 + x²)", log(1 + x**2), "<=", Abs(x), REAL, "2x <= 1 + x²"),
    true("logarithmic mean from below", (x - 1) / log(x), ">=", sqrt(x), each(Reals(1, open_low=True), x), "above"),
    true(
        "logarithmic mean from above", (x - 1) / log(x), "<=", (x + 1) / 2, each(Reals(1, open_low=True), x), "Bennett",
    ),
    true("steps of the logarithm from above", log(n + 1) - log(n), "<=", 1 / n, COUNTS, "log(1 + t) <= t"),
    true("steps of the logarithm from below", log(n + 1) - log(n), ">=", 1 / (n + 1), COUNTS, "log t >= 1 - 1/t"),
    true("softplus above the ramp", log(1 + exp(x)), ">=", relu(x), REAL, "log is monotone"),
    true("softplus below the ramp", log(1 + exp(x)), "<=", relu(x) + log(2), REAL, "1 + e^x <= 2 e^max"),
    true(
        "softplus below a parabola", log(1 + exp(x)), "<=", log(2) + x / 2 + x**2 / 8, REAL, "second derivative <= 1/4",
    ),
    true("log is additive", log(x * y), "=", log(x) + log(y), BOTH_POSITIVE, "exp of both"),
]  # fmt: skip

POWERS_AND_MEANS = [
    true("roots are subadditive", sqrt(x + y), "<=", sqrt(x) + sqrt(y), QUADRANT, "square"),
    true("root below its tangent", sqrt(1 + x), "<=", 1 + x / 2, each(Reals(-1), x), "square"),
    true("root above a parabola", sqrt(1 + x), ">=", 1 + x / 2 - x**2 / 8, NONNEGATIVE, "the remainder is positive"),
    true("inverse root above its tangent", 1 / sqrt(1 + x), ">=", 1 - x / 2, ABOVE_MINUS_ONE, "convex"),
    true("Bernoulli for real exponents", (1 + x) ** p, ">=", 1 + p * x, Domain({p: Reals(1), x: Reals(-1)}), "convex"),
    true("small powers below the tangent", x**p, "<=", 1 + p * (x - 1), Domain({p: Reals(0, 1), x: ONTO}), "concave"),
    true(
        "powers of sums", (x + y) ** n, "<=", 2 ** (n - 1) * (x**n + y**n),
        Domain({n: Integers(1), x: Reals(0), y: Reals(0)}), "t^n is convex",
    ),
    true("mixed product", 2 * x * y, "<=", x**2 + y**2, PLANE, "(x - y)² >= 0"),
    true("Peter and Paul", 2 * x * y, "<=", c * x**2 + y**2 / c, Domain({c: ONTO, x: Reals(), y: Reals()}), "a square"),
    true("square of a sum", (x + y) ** 2, "<=", 2 * x**2 + 2 * y**2, PLANE, "parallelogram"),
    true("square of three", (x + y + z) ** 2, "<=", 3 * (x**2 + y**2 + z**2), each(Reals(), x, y, z), "Cauchy-Schwarz"),
    true(
        "three mixed products", x * y + y * z + z * x, "<=", x**2 + y**2 + z**2, each(Reals(), x, y, z),
        "three squares",
    ),
    true("fourth powers", x**4 + y**4, ">=", x**3 * y + x * y**3, PLANE, "(x - y)²(x² + xy + y²)"),
    true("Motzkin", x**4 * y**2 + x**2 * y**4 + 1, ">=", 3 * x**2 * y**2, PLANE, "AM-GM of three; no sum of squares"),
    true(
        "Schur", x * (x - y) * (x - z) + y * (y - x) * (y - z) + z * (z - x) * (z - y), ">=", 0,
        each(Reals(0), x, y, z), "order the three",
    ),
    true("Nesbitt", x / (y + z) + y / (x + z) + z / (x + y), ">=", sp.Rational(3, 2), each(ONTO, x, y, z), "AM-HM"),
    true("a ratio and its inverse", x / y + y / x, ">=", 2, BOTH_POSITIVE, "(x - y)² >= 0"),
    true("harmonic mean", 2 / (1 / x + 1 / y), "<=", sqrt(x * y), BOTH_POSITIVE, "AM-GM of inverses"),
    true("quadratic mean", (x + y) / 2, "<=", sqrt((x**2 + y**2) / 2), QUADRANT, "square"),
    true("difference of squares", (x - y) * (x + y), "=", x**2 - y**2, PLANE, "expand"),
    true(
        "fourth power", (x + y) ** 4, "=", x**4 + 4 * x**3 * y + 6 * x**2 * y**2 + 4 * x * y**3 + y**4, PLANE, "expand",
    ),
    true("Sophie Germain", x**4 + 4 * y**4, "=", (x**2 + 2 * x * y + 2 * y**2) * (x**2 - 2 * x * y + 2 * y**2), PLANE,
         "expand"),
]  # fmt: skip

SHAPES = [
    true("sines are 1-Lipschitz", Abs(sin(x) - sin(y)), "<=", Abs(x - y), PLANE, "|cos| <= 1"),
    true("cosine above a parabola", cos(x), ">=", 1 - x**2 / 2, REAL, "integrate sin x <= x"),
    true("cosine below a quartic", cos(x), "<=", 1 - x**2 / 2 + x**4 / 24, REAL, "integrate twice"),
    true("sine above a cubic", sin(x), ">=", x - x**3 / 6, NONNEGATIVE, "integrate cos x >= 1 - x²/2"),
    true("Pythagoras", sin(x) ** 2 + cos(x) ** 2, "=", 1, REAL, "e^{ix} e^{-ix} = 1"),
    true("cosine below a Gaussian", cos(x), "<=", exp(-(x**2) / 2), each(Reals(0, pi / 2), x), "tan x >= x"),
    true("tanh below its argument", tanh(x), "<=", x, NONNEGATIVE, "tanh' <= 1"),
    true("tanh above a cubic", tanh(x), ">=", x - x**3 / 3, NONNEGATIVE, "tanh' = 1 - tanh² >= 1 - x²"),
    true("tanh below one", Abs(tanh(x)), "<=", 1, REAL, "|sinh| <= cosh"),
    true("tanh as a sigmoid", tanh(x), "=", 2 * sigmoid(2 * x) - 1, REAL, "multiply by e^x"),
    true("sigmoid and its mirror", sigmoid(x) + sigmoid(-x), "=", 1, REAL, "common denominator"),
    true("slope of the sigmoid", sigmoid(x) * (1 - sigmoid(x)), "<=", sp.Rational(1, 4), REAL, "t(1 - t) <= 1/4"),
    true("triangle", Abs(x + y), "<=", Abs(x) + Abs(y), PLANE, "both signs"),
    true("reverse triangle", Abs(Abs(x) - Abs(y)), "<=", Abs(x - y), PLANE, "triangle, twice"),
    true("maximum by a modulus", Max(x, y), "=", (x + y + Abs(x - y)) / 2, PLANE, "both orders"),
    true("maximum and minimum", Max(x, y) + Min(x, y), "=", x + y, PLANE, "both orders"),
    true("ramps are 1-Lipschitz", Abs(relu(x) - relu(y)), "<=", Abs(x - y), PLANE, "four signs"),
    true("clipping is 1-Lipschitz", Abs(clipped(x) - clipped(y)), "<=", Abs(x - y), PLANE, "nine cases"),
    true("a ramp and its mirror", relu(x) - relu(-x), "=", x, REAL, "both signs"),
    true("floor", x - sp.floor(x), "<=", 1, REAL, "definition"),
    true("ceiling", sp.ceiling(x), ">=", x, REAL, "definition"),
    true("halves of an integer", sp.floor(n / 2) + sp.ceiling(n / 2), "=", n, COUNTS, "both parities"),
    true("Hermite", sp.floor(x) + sp.floor(x + sp.Rational(1, 2)), "=", sp.floor(2 * x), REAL, "two halves"),
    true("Huber below the square", HUBER, "<=", x**2 / 2, REAL, "(|x| - 1)² >= 0"),
    true("Huber above the modulus", HUBER, ">=", Abs(x) - sp.Rational(1, 2), REAL, "(|x| - 1)² >= 0"),
    true("0-1 below hinge", ZERO_ONE, "<=", relu(1 - x), REAL, "both pieces"),
    true("0-1 below exponential", ZERO_ONE, "<=", exp(-x), REAL, "both pieces"),
    true("0-1 below logistic", ZERO_ONE, "<=", log(1 + exp(-x)) / log(2), REAL, "both pieces"),
    true("a guarded pole", Piecewise((1 / x, x > 0), (0, True)), ">=", 0, REAL, "the pole lies in the other piece"),
]  # fmt: skip

STATEMENTS: list[Truth] = [*TEXTBOOK, *EXPONENTIALS, *LOGARITHMS, *POWERS_AND_MEANS, *SHAPES]
