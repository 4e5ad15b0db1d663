"""Factorials, binomial coefficients, gamma functions, covering counts and Gaussian tails."""

import sympy as sp
from sympy import Sum, binomial, erf, erfc, exp, factorial, gamma, log, loggamma, pi, sqrt

from boundaudit import Domain, Integers, Reals

from .statement import BOTH_POSITIVE, COUNTS, NONNEGATIVE, POSITIVE, QUADRANT, REAL, Truth, true

x, y = sp.symbols("x y", real=True)
i, k, n = sp.symbols("i k n", integer=True)

HALF = sp.Rational(1, 2)
CHOICE = Domain({n: Integers(1), k: Integers(1, n)})
RADIUS = Domain({n: Integers(1), x: Reals(0, 1, open_low=True)})
STIRLING = sqrt(2 * pi * n) * (n / sp.E) ** n
CENTRAL = binomial(2 * n, n)
BALL = Sum(binomial(n, i), (i, 0, k))

TEXTBOOK = [
    true("factorials from below", factorial(n), ">=", (n / sp.E) ** n, COUNTS, "e^n >= n^n/n!", textbook=True),
    true("Stirling from below", factorial(n), ">=", STIRLING, COUNTS, "the quotient falls to 1", textbook=True),
    true(
        "Stirling from above", factorial(n), "<=", sp.E * sqrt(n) * (n / sp.E) ** n, COUNTS,
        "the quotient falls from 1", textbook=True,
    ),
    true("binomials from below", (n / k) ** k, "<=", binomial(n, k), CHOICE, "(n-i)/(k-i) >= n/k", textbook=True),
    true("binomials from above", binomial(n, k), "<=", (sp.E * n / k) ** k, CHOICE, "k! >= (k/e)^k", textbook=True),
    true("covering count of a ball", (1 + 2 / x) ** n, "<=", (3 / x) ** n, RADIUS, "1 <= 1/x", textbook=True),
    true(
        "Gaussian tail", erfc(x), "<=", exp(-(x**2)), NONNEGATIVE, "the difference rises, then falls to 0",
        textbook=True,
    ),
    true(
        "Mills' ratio", erfc(x), "<=", exp(-(x**2)) / (sqrt(pi) * x), POSITIVE, "t/x >= 1 in the integral",
        textbook=True,
    ),
]  # fmt: skip

COUNTING = [
    true("factorials step", factorial(n + 1), "=", (n + 1) * factorial(n), COUNTS, "definition"),
    true("factorials below powers", factorial(n), "<=", n**n, COUNTS, "factor by factor"),
    true("factorials above powers of two", factorial(n), ">=", 2 ** (n - 1), COUNTS, "factor by factor"),
    true("factorials by AM-GM", factorial(n), "<=", ((n + 1) / 2) ** n, COUNTS, "AM-GM of 1 … n"),
    true("factorials, rough", factorial(n), "<=", sp.E * n * (n / sp.E) ** n, COUNTS, "√n <= n"),
    true("symmetry", binomial(n, k), "=", binomial(n, n - k), CHOICE, "complements"),
    true("Pascal", binomial(n + 1, k), "=", binomial(n, k) + binomial(n, k - 1), CHOICE, "with or without the last"),
    true("all subsets", Sum(binomial(n, k), (k, 0, n)), "=", 2**n, COUNTS, "binomial theorem"),
    true("binomials below all subsets", binomial(n, k), "<=", 2**n, CHOICE, "one term"),
    true("binomials below words", binomial(n, k), "<=", n**k, CHOICE, "factor by factor"),
    true("binomials below words without order", binomial(n, k), "<=", n**k / factorial(k), CHOICE, "falling factors"),
    true("central binomial from above", CENTRAL, "<=", 4**n, COUNTS, "one term of all subsets"),
    true("central binomial from below", CENTRAL, ">=", 4**n / (2 * n + 1), COUNTS, "the largest of 2n + 1"),
    true("central binomial, sharper", CENTRAL, ">=", 4**n / (2 * sqrt(n)), COUNTS, "the quotient rises from 1"),
    true("central binomial by Wallis", CENTRAL, "<=", 4**n / sqrt(pi * n), COUNTS, "the quotient rises to 1"),
    true("log of a binomial", log(binomial(n, k)), "<=", k * log(sp.E * n / k), CHOICE, "binomials from above"),
    true(
        "binomials by entropy", binomial(n, k), "<=", exp(-k * log(k / n) - (n - k) * log(1 - k / n)),
        Domain({n: Integers(2), k: Integers(1, n - 1)}), "one term of (p + 1 - p)^n, p = k/n",
    ),
    true("Sauer", BALL, "<=", (sp.E * n / k) ** k, CHOICE, "multiply by (k/n)^i >= (k/n)^k"),
    true("Sauer, rough", BALL, "<=", (n + 1) ** k, CHOICE, "words with blanks"),
    true("Sauer, trivial", BALL, "<=", 2**n, CHOICE, "all subsets"),
    true("covering count from below", (1 + 2 / x) ** n, ">=", x ** (-n), RADIUS, "1 + 2/x >= 1/x"),
    true("metric entropy", n * log(1 + 2 / x), "<=", n * log(3 / x), RADIUS, "1 <= 1/x"),
    true("volumes", ((1 + x / 2) / (x / 2)) ** n, "=", (1 + 2 / x) ** n, RADIUS, "divide"),
]  # fmt: skip

GAMMA = [
    true("gamma of integers", gamma(n + 1), "=", factorial(n), COUNTS, "definition"),
    true("gamma steps", gamma(x + 1), "=", x * gamma(x), POSITIVE, "by parts"),
    true("loggamma steps", loggamma(x + 1), "=", loggamma(x) + log(x), POSITIVE, "by parts"),
    true("gamma is log-convex", loggamma((x + y) / 2), "<=", (loggamma(x) + loggamma(y)) / 2, BOTH_POSITIVE, "Hölder"),
    true("Gautschi from above", gamma(x + 1), "<=", sqrt(x + HALF) * gamma(x + HALF), POSITIVE, "log-convex"),
    true("Gautschi from below", gamma(x + 1), ">=", sqrt(x) * gamma(x + HALF), POSITIVE, "log-convex"),
    true("smallest gamma", gamma(x), ">=", sp.Rational(22, 25), POSITIVE, "0.8856… at 1.4616…"),
    true("mean norm of a Gaussian", sqrt(2) * gamma((n + 1) / 2), "<=", sqrt(n) * gamma(n / 2), COUNTS, "Jensen"),
]  # fmt: skip

TAILS = [
    true("erf and erfc", erf(x) + erfc(x), "=", 1, REAL, "definition"),
    true("erf below one", erf(x), "<=", 1, REAL, "a probability"),
    true("erf below its tangent", erf(x), "<=", 2 * x / sqrt(pi), NONNEGATIVE, "concave there"),
    true("Pólya", erf(x), "<=", sqrt(1 - exp(-4 * x**2 / pi)), NONNEGATIVE, "a square inside a disc of the same area"),
    true(
        "Mills from below", erfc(x), ">=", 2 * x * exp(-(x**2)) / (sqrt(pi) * (1 + 2 * x**2)), NONNEGATIVE, "by parts",
    ),
    true("erfc is convex", erfc((x + y) / 2), "<=", (erfc(x) + erfc(y)) / 2, QUADRANT, "its slope rises there"),
    true("normal tail", erfc(x / sqrt(2)) / 2, "<=", exp(-(x**2) / 2) / 2, NONNEGATIVE, "Gaussian tail, scaled"),
    true("erf is Lipschitz", sp.Abs(erf(x) - erf(y)), "<=", 2 * sp.Abs(x - y) / sqrt(pi), QUADRANT, "slope at 0"),
]  # fmt: skip

STATEMENTS: list[Truth] = [*TEXTBOOK, *COUNTING, *GAMMA, *TAILS]
