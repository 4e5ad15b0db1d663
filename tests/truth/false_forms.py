"""True statements bent until they break: a constant too small, a hypothesis gone, a wrong exponent or direction."""

from fractions import Fraction

import sympy as sp
from sympy import Abs, Max, Rational, Sum, erf, erfc, exp, factorial, gamma, log, pi, sin, sqrt, tanh

from boundaudit import Domain, Integers, Reals

from .combinatorial import BALL, CENTRAL, CHOICE, RADIUS, STIRLING
from .elementary import HUBER, ZERO_ONE, relu, sigmoid
from .entropy import BIT, ENTROPY, KL, MIXED, PAIR, divergence
from .statement import BOTH_POSITIVE, COUNTS, NONNEGATIVE, PLANE, POSITIVE, QUADRANT, REAL, Truth, each, false
from .sums import BELOW_ONE, HARMONIC, ROOTS, SQUARES
from .vectors import ANY, IN_UNIT, LOG_SUM_EXP, MEAN, NORM_1, NORM_2, SIGNS_3, SPACE, TWO, WEIGHTS, alpha, beta, total

a, b, c, d, p, q, s, v, x, y, z = sp.symbols("a b c d p q s v x y z", real=True)
i, k, n = sp.symbols("i k n", integer=True)

HALF = Fraction(1, 2)
ONTO = Reals(0, open_low=True)
GELU = x * (1 + erf(x / sqrt(2))) / 2

ELEMENTARY = [
    false(
        "log below a flatter line", log(x), "<=", Rational(99, 100) * (x - 1), POSITIVE, "slope 1 at 1",
        x=Fraction(1001, 1000),
    ),
    false("log below a late parabola", log(x), "<=", x - 1 - (x - 1) ** 2 / 100, POSITIVE, "-∞ on the right", x=1000),
    false(
        "log(1 + x) above its cubic", log(1 + x), ">=", x - x**2 / 2 + x**3 / 3, NONNEGATIVE, "the cubic is above", x=1,
    ),
    false("Bennett's logarithm, flipped", log(1 + x), "<=", 2 * x / (2 + x), NONNEGATIVE, "log 2 > 2/3", x=1),
    false("Bernstein with 1/2", (1 + x) * log(1 + x) - x, ">=", x**2 / (2 + x / 2), NONNEGATIVE, "0.386 < 0.4", x=1),
    false(
        "Bernstein with 0.66", (1 + x) * log(1 + x) - x, ">=", x**2 / (2 + Rational(33, 50) * x), NONNEGATIVE,
        "2/3 is needed at 0", x=Fraction(1, 100),
    ),
    false("exp below a quadratic, too far", exp(x), "<=", 1 + x + x**2, each(Reals(0, 2), x), "e² > 7", x=2),
    false("exp below its parabola", exp(x), "<=", 1 + x + x**2 / 2, NONNEGATIVE, "e > 5/2", x=1),
    false("exp above its parabola", exp(x), ">=", 1 + x + x**2 / 2, REAL, "1/e < 1/2", x=-1),
    false("e^{-x} below half, too far", exp(-x), "<=", 1 - x / 2, each(Reals(0, 2), x), "e^{-2} > 0", x=2),
    false("cosh with a third", (exp(x) + exp(-x)) / 2, "<=", exp(x**2 / 3), REAL, "1.54 > 1.40", x=1),
    false(
        "Jordan with 0.64", Rational(16, 25) * x, "<=", sin(x), each(Reals(0, pi / 2), x), "2/π = 0.6366…",
        x=Fraction(157, 100),
    ),
    false("sine with 0.999", sin(x), "<=", Rational(999, 1000) * x, NONNEGATIVE, "slope 1 at 0", x=Fraction(1, 100)),
    false(
        "cosine with 0.49", sp.cos(x), ">=", 1 - Rational(49, 100) * x**2, REAL, "curvature 1 at 0", x=Fraction(1, 10),
    ),
    false(
        "powers below exponentials, flipped", (1 - x) ** n, ">=", exp(-n * x), Domain({n: Integers(1), x: Reals(0, 1)}),
        "1/2 < 0.6", n=1, x=HALF,
    ),
    false(
        "Bernoulli from -3", (1 + x) ** n, ">=", 1 + n * x, Domain({n: Integers(1), x: Reals(-3)}), "-32 < -14", n=5,
        x=-3,
    ),
    false(
        "Bernoulli, flipped", (1 + x) ** n, "<=", 1 + n * x, Domain({n: Integers(1), x: Reals(0)}), "4 > 3", n=2, x=1,
    ),
    false(
        "large powers are subadditive", (x + y) ** p, "<=", x**p + y**p,
        Domain({x: Reals(0), y: Reals(0), p: Reals(0, 2, open_low=True)}), "4 > 2", x=1, y=1, p=2,
    ),
    false(
        "three quarters of two roots", sqrt(x + y), ">=", Rational(3, 4) * (sqrt(x) + sqrt(y)), QUADRANT, "√2 < 3/2",
        x=1, y=1,
    ),
    false(
        "Young with one exponent", x * y, "<=", (x**p + y**p) / p, Domain({p: Reals(1, 2), x: Reals(0), y: Reals(0)}),
        "16 > 8", p=1, x=4, y=4,
    ),
    false(
        "weighted AM-GM, weights swapped", x**p * y ** (1 - p), "<=", (1 - p) * x + p * y,
        Domain({p: Reals(0, 1), x: ONTO, y: ONTO}), "4 > 1", p=1, x=4, y=1,
    ),
    false(
        "AM-GM of three with 28", 28 * x * y * z, "<=", (x + y + z) ** 3, each(Reals(0), x, y, z), "28 > 27", x=1, y=1,
        z=1,
    ),
    false("AM-GM of two, flipped", sqrt(x * y), ">=", (x + y) / 2, QUADRANT, "0 < 1/2", x=0, y=1),
    false(
        "mixed products with 1.01", Rational(101, 100) * (x * y + y * z + z * x), "<=", x**2 + y**2 + z**2,
        each(Reals(), x, y, z), "equal without", x=1, y=1, z=1,
    ),
    false(
        "Cauchy-Schwarz with 0.99", (a * x + b * y + c * z) ** 2, "<=",
        Rational(99, 100) * (a**2 + b**2 + c**2) * (x**2 + y**2 + z**2), each(Reals(), a, b, c, x, y, z), "9 > 8.91",
        a=1, b=1, c=1, x=1, y=1, z=1,
    ),
    false(
        "Motzkin with 3.01", x**4 * y**2 + x**2 * y**4 + 1, ">=", Rational(301, 100) * x**2 * y**2, PLANE, "3 < 3.01",
        x=1, y=1,
    ),
    false(
        "Nesbitt with 1.51", x / (y + z) + y / (x + z) + z / (x + y), ">=", Rational(151, 100), each(ONTO, x, y, z),
        "3/2", x=1, y=1, z=1,
    ),
    false(
        "expansion without a term", (x + y) ** 4, "=", x**4 + 4 * x**3 * y + 6 * x**2 * y**2 + y**4, PLANE, "16 ≠ 12",
        x=1, y=1,
    ),
    false("e from below with 2.7", (1 + 1 / n) ** n, "<=", Rational(27, 10), COUNTS, "2.7048… at 100", n=100),
    false("e with exponent n + 2/5", (1 + 1 / n) ** (n + Rational(2, 5)), ">=", sp.E, COUNTS, "1/2 is needed", n=100),
    false("two to the n from 1", 2**n, ">=", n**2, COUNTS, "8 < 9", n=3),
    false("two to the n against tenth powers", 2**n, ">=", n**10, each(Integers(50), n), "crosses at 58.8", n=50),
    false("tanh above 0.9 x", tanh(x), ">=", Rational(9, 10) * x, NONNEGATIVE, "at most 1", x=2),
    false(
        "tanh with 0.99", Abs(tanh(x) - tanh(y)), "<=", Rational(99, 100) * Abs(x - y), PLANE, "slope 1 at 0",
        x=Fraction(1, 100), y=0,
    ),
    false(
        "sigmoid with 0.24", Abs(sigmoid(x) - sigmoid(y)), "<=", Rational(6, 25) * Abs(x - y), PLANE, "slope 1/4 at 0",
        x=Fraction(1, 100), y=-Fraction(1, 100),
    ),
    false("softplus with 0.69", log(1 + exp(x)), "<=", relu(x) + Rational(69, 100), REAL, "log 2 = 0.6931…", x=0),
    false("ramps are additive", relu(x + y), "=", relu(x) + relu(y), PLANE, "0 ≠ 1", x=1, y=-1),
    false("reverse triangle, flipped", Abs(Abs(x) - Abs(y)), ">=", Abs(x - y), PLANE, "0 < 2", x=1, y=-1),
    false("exp is subadditive", exp(x + y), "<=", exp(x) + exp(y), PLANE, "e² > 2e", x=1, y=1),
    false("floors are additive", sp.floor(x + y), "=", sp.floor(x) + sp.floor(y), PLANE, "1 ≠ 0", x=HALF, y=HALF),
    false("x^x with 0.7", x**x, ">=", Rational(7, 10), POSITIVE, "0.6922… at 1/e", x=Fraction(37, 100)),
    false("0-1 below a late hinge", ZERO_ONE, "<=", Max(0, Rational(99, 100) - x), REAL, "at the jump", x=0),
    false("0-1 below natural logistic", ZERO_ONE, "<=", log(1 + exp(-x)), REAL, "log 2 < 1", x=0),
    false("Huber with 2/5", HUBER, ">=", Abs(x) - Rational(2, 5), REAL, "1/2 < 3/5", x=1),
    false("GELU is positive", GELU, ">=", 0, REAL, "-0.158…", x=-1),
]  # fmt: skip

ENTROPIES = [
    false(
        "Hoeffding's lemma with 9", log(1 - p + p * exp(s)) - p * s, "<=", s**2 / 9, MIXED, "0.1201 > 0.1111", p=HALF,
        s=1,
    ),
    false(
        "Hoeffding's lemma, lowered", log(1 - p + p * exp(s)) - p * s, "<=", s**2 / 8 - Rational(1, 10**6), MIXED,
        "0 at 0", p=HALF, s=0,
    ),
    false(
        "the variance as the proxy", log(1 - p + p * exp(s)) - p * s, "<=", p * (1 - p) * s**2 / 2, MIXED, "skewed",
        p=Fraction(1, 10), s=1,
    ),
    false("entropy with 0.69", ENTROPY, "<=", Rational(69, 100), BIT, "log 2", p=HALF),
    false("entropy below 4/3 √(pq)", ENTROPY, "<=", Rational(4, 3) * sqrt(p * (1 - p)), BIT, "2/3 < log 2", p=HALF),
    false("entropy above 3pq", ENTROPY, ">=", 3 * p * (1 - p), BIT, "3/4 > log 2", p=HALF),
    false(
        "Pinsker with 2.1", KL, ">=", Rational(21, 10) * (p - q) ** 2, PAIR, "2 at the diagonal", p=Fraction(51, 100),
        q=HALF,
    ),
    false(
        "Pinsker without the square", KL, ">=", 2 * Abs(p - q), PAIR, "flat at the diagonal", p=Fraction(51, 100),
        q=HALF,
    ),
    false("Pinsker, flipped", KL, "<=", 4 * (p - q) ** 2, PAIR, "1.61 > 0.96", p=HALF, q=Fraction(1, 100)),
    false("divergence is symmetric", KL, "<=", divergence(q, p), PAIR, "0.144 > 0.131", p=HALF, q=Fraction(1, 4)),
    false(
        "exponential variable, far", -log(1 - s) - s, "<=", s**2, each(Reals(0, 1, open_high=True), s), "1.4 > 0.81",
        s=Fraction(9, 10),
    ),
    false("Poisson exponent, far", exp(s) - s - 1, "<=", s**2, each(Reals(0, 2), s), "4.39 > 4", s=2),
    false(
        "uniform variable with 7", (exp(s) - exp(-s)) / (2 * s), "<=", exp(s**2 / 7), each(ONTO, s), "1.1752 > 1.1536",
        s=1,
    ),
    false("Chernoff with a half", x - (1 + x) * log(1 + x), "<=", -(x**2) / 2, NONNEGATIVE, "-0.386 > -0.5", x=1),
]  # fmt: skip

SUMS = [
    false("harmonic with 0.59", HARMONIC, "<=", log(n) + Rational(59, 100), COUNTS, "1 at 1", n=1),
    false(
        "harmonic with 0.58 from 100", HARMONIC, "<=", log(n) + Rational(58, 100), each(Integers(100), n), "0.5822…",
        n=100,
    ),
    false("harmonic above 0.578", HARMONIC, ">=", log(n) + Rational(578, 1000), COUNTS, "γ = 0.5772…", n=1000),
    false("harmonic above log(n + 2)", HARMONIC, ">=", log(n + 2), COUNTS, "log 3 > 1", n=1),
    false("inverse squares with 8/5", SQUARES, "<=", Rational(8, 5), COUNTS, "π²/6 = 1.6449…", n=100),
    false("inverse squares with 2/n", SQUARES, "<=", 2 - 2 / n, COUNTS, "1 > 0", n=1),
    false("inverse roots with 3/2 less", ROOTS, "<=", 2 * sqrt(n) - Rational(3, 2), COUNTS, "1 > 1/2", n=1),
    false(
        "inverse roots above 1.45 less", ROOTS, ">=", 2 * sqrt(n) - Rational(29, 20), COUNTS, "-ζ(1/2) = 1.4603…",
        n=10000,
    ),
    false("geometric sum less one", Sum(x**k, (k, 0, n)), "<=", 1 / (1 - x) - 1, BELOW_ONE, "1 > 0", n=0, x=0),
    false(
        "closed form with n", (1 - x) * Sum(x**k, (k, 0, n)), "=", 1 - x**n, Domain({n: Integers(0), x: Reals()}),
        "3/4 ≠ 1/2", n=1, x=HALF,
    ),
    false("sum of integers by half", Sum(k, (k, 1, n)), "=", n**2 / 2, COUNTS, "1 ≠ 1/2", n=1),
    false(
        "sum of squares up to five", Sum(k**2, (k, 1, n)), "=",
        n * (n + 1) * (2 * n + 1) / 6 + (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5), COUNTS, "120 more", n=6,
    ),
    false(
        "halves below 0.999", Sum(Rational(1, 2) ** k, (k, 1, n)), "<=", Rational(999, 1000), COUNTS, "1 - 2^{-10}",
        n=10,
    ),
    false(
        "second half with 0.69", Sum(1 / (n + k), (k, 1, n)), "<=", Rational(69, 100), COUNTS, "log 2 - 1/(4n)", n=200,
    ),
]  # fmt: skip

VECTORS = [
    false(
        "logsumexp of two with 0.69", log(exp(x) + exp(y)), "<=", Max(x, y) + Rational(69, 100), PLANE, "log 2", x=0,
        y=0,
    ),
    false(
        "logsumexp below the sum", LOG_SUM_EXP, "<=", total(alpha[i]) + log(n), ANY, "0.313 > -0.307", n=2,
        alpha=(-1, 0),
    ),
    false("1-norm below 2-norm, no factor", NORM_1, "<=", NORM_2, ANY, "2 > √2", n=2, alpha=(1, 1)),
    false("1-norm with n^{2/5}", NORM_1, "<=", n ** Rational(2, 5) * NORM_2, ANY, "4 > 3.48", n=4, alpha=(1, 1, 1, 1)),
    false(
        "2-norm above the mean, too much", NORM_2**2 * (n - Rational(1, 10)), ">=", NORM_1**2, ANY, "0.9 < 1", n=1,
        alpha=(1,),
    ),
    false("power means, flipped", MEAN**3, ">=", total(alpha[i] ** 3) / n, WEIGHTS, "1/8 < 1/2", n=2, alpha=(0, 1)),
    false("power means with signs", MEAN**3, "<=", total(alpha[i] ** 3) / n, ANY, "-1 > -13", n=2, alpha=(-3, 1)),
    false(
        "Cauchy-Schwarz with a half", total(alpha[i] * beta[i]), "<=", NORM_2 * sqrt(total(beta[i] ** 2)) / 2, TWO,
        "1 > 1/2", n=1, alpha=(1,), beta=(1,),
    ),
    false(
        "Popoviciu with 0.24", total(alpha[i] ** 2) / n - MEAN**2, "<=", Rational(6, 25), IN_UNIT, "1/4", n=2,
        alpha=(0, 1),
    ),
    false(
        "Szarek with 3/4", SIGNS_3, ">=", Rational(3, 4) * sqrt(a**2 + b**2 + c**2), SPACE, "1 < 1.06", a=1, b=1, c=0,
    ),
    false(
        "variance without the mean", total((alpha[i] - MEAN) ** 2), "=", total(alpha[i] ** 2), ANY, "0 ≠ 1", n=1,
        alpha=(1,),
    ),
    false(
        "Minkowski for squares", total((alpha[i] + beta[i]) ** 2), "<=", total(alpha[i] ** 2) + total(beta[i] ** 2),
        TWO, "4 > 2", n=1, alpha=(1,), beta=(1,),
    ),
]  # fmt: skip

COMBINATORIAL = [
    false(
        "Stirling's first correction from above", factorial(n), "<=", STIRLING * (1 + 1 / (12 * n)), COUNTS,
        "0.99898 at 1", n=1,
    ),
    false(
        "Stirling from above with 5/2", factorial(n), "<=", Rational(5, 2) * sqrt(n) * (n / sp.E) ** n, COUNTS,
        "2.5 < e", n=1,
    ),
    false("binomials with 2 for e", sp.binomial(n, k), "<=", (2 * n / k) ** k, CHOICE, "2.6e23 > 1.0e23", n=1000, k=10),
    false(
        "binomials from below with 1.1", sp.binomial(n, k), ">=", Rational(11, 10) * (n / k) ** k, CHOICE, "1 < 1.1",
        n=1, k=1,
    ),
    false("Wallis with 0.99", CENTRAL, "<=", Rational(99, 100) * 4**n / sqrt(pi * n), COUNTS, "1 - 1/(8n)", n=20),
    false("central binomial with 2/3", CENTRAL, ">=", Rational(2, 3) * 4**n / sqrt(n), COUNTS, "2 < 8/3", n=1),
    false("Sauer with n^d", BALL, "<=", n**k, CHOICE, "3 > 2", n=2, k=1),
    false("covering count with 2", (1 + 2 / x) ** n, "<=", (2 / x) ** n, RADIUS, "3 > 2", n=1, x=1),
    false(
        "covering count of large balls", (1 + 2 / x) ** n, "<=", (3 / x) ** n,
        Domain({n: Integers(1), x: Reals(0, 2, open_low=True)}), "2 > 3/2", n=1, x=2,
    ),
    false("Gaussian tail on the left", erfc(x), "<=", exp(-(x**2)), REAL, "1.84 > 0.37", x=-1),
    false("Gaussian tail with 0.9", erfc(x), "<=", Rational(9, 10) * exp(-(x**2)), NONNEGATIVE, "1 at 0", x=0),
    false("Mills' ratio, flipped", erfc(x), ">=", exp(-(x**2)) / (sqrt(pi) * x), POSITIVE, "0.157 < 0.208", x=1),
    false("erf with 1.12", erf(x), "<=", Rational(28, 25) * x, NONNEGATIVE, "2/√π = 1.128…", x=Fraction(1, 100)),
    false(
        "Gautschi without the half", gamma(x + 1), "<=", sqrt(x) * gamma(x + Rational(1, 2)), POSITIVE, "1 > 0.886",
        x=1,
    ),
    false("smallest gamma with 0.886", gamma(x), ">=", Rational(886, 1000), POSITIVE, "0.8856…", x=Fraction(73, 50)),
    false(
        "gamma is convex downwards", sp.loggamma((x + y) / 2), ">=", (sp.loggamma(x) + sp.loggamma(y)) / 2,
        BOTH_POSITIVE, "0 < 0.35", x=1, y=3,
    ),
]  # fmt: skip

LEARNING = [
    false("Maurer with 2.1", log(Rational(21, 10) * sqrt(n)), "<=", log(n + 1), COUNTS, "2.1 > 2", n=1),
    false(
        "Bernstein inverted with a half", c / 3 + sqrt(c**2 / 9 + 2 * v * c), "<=", c / 2 + sqrt(2 * v * c),
        each(Reals(0), c, v), "2/3 > 1/2", c=1, v=0,
    ),
    false(
        "self-bounding without the square", x, "<=", a + b * sqrt(a),
        Domain({a: Reals(0), b: Reals(0), x: Reals(0)}, where=[x <= a + b * sqrt(x)]), "1 > 0", a=0, b=1, x=1,
    ),
    false(
        "sample size without 2", a * log(x), "<=", x, Domain({a: Reals(1), x: Reals(1)}, where=[x >= a * log(a)]),
        "31.8 > 24", a=10, x=24,
    ),
    false(
        "Dudley without the half", x - log(x) / sqrt(n), ">=", (1 + log(n)) / sqrt(n),
        Domain({n: Integers(1), x: Reals(0, 1, open_low=True)}), "0.85 < 1.19", n=4, x=HALF,
    ),
    false("best temperature with √K", a / x + x / 8, ">=", sqrt(a), each(ONTO, a, x), "0.708 < 1", a=1, x=3),
    false(
        "mean norm with 0.99", sqrt(2) * gamma((n + 1) / 2), "<=", Rational(99, 100) * sqrt(n) * gamma(n / 2), COUNTS,
        "1 - 1/(4n)", n=100,
    ),
    false("a fast rate for free", 1 / sqrt(n), "<=", 1 / n, COUNTS, "1/√2 > 1/2", n=2),
    false(
        "contraction, squared", (1 - x) ** n, "<=", 1 / (1 + n * x) ** 2, Domain({n: Integers(1), x: Reals(0, 1)}),
        "1/2 > 4/9", n=1, x=HALF,
    ),
    false(
        "hedge without the square", -log(1 - (1 - exp(-a)) * x), ">=", x * a, Domain({a: Reals(0), x: Reals(0, 1)}),
        "0.38 < 0.5", a=1, x=HALF,
    ),
    false(
        "union of events, flipped", 1 - (1 - x) * (1 - y), ">=", x + y, each(Reals(0, 1), x, y), "3/4 < 1", x=HALF,
        y=HALF,
    ),
]  # fmt: skip

STATEMENTS: list[Truth] = [*ELEMENTARY, *ENTROPIES, *SUMS, *VECTORS, *COMBINATORIAL, *LEARNING]
