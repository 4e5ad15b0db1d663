"""Entropies, divergences and moment generating functions."""

import sympy as sp
from sympy import Abs, exp, log, sqrt

from boundaudit import Domain, Integers, Reals

from .statement import NONNEGATIVE, REAL, Truth, each, true

a, b, c, d, p, q, s, x = sp.symbols("a b c d p q s x", real=True)
n = sp.Symbol("n", integer=True)

INNER, ONTO = Reals(0, 1, open_low=True, open_high=True), Reals(0, open_low=True)
BIT, PAIR = each(INNER, p), each(INNER, p, q)
MIXED = Domain({p: Reals(0, 1), s: Reals()})
ENTROPY = -p * log(p) - (1 - p) * log(1 - p)
HELLINGER = (sqrt(p) - sqrt(q)) ** 2 + (sqrt(1 - p) - sqrt(1 - q)) ** 2


def divergence(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    return first * log(first / second) + (1 - first) * log((1 - first) / (1 - second))


KL = divergence(p, q)

TEXTBOOK = [
    true(
        "Hoeffding's lemma", log(1 - p + p * exp(s)) - p * s, "<=", s**2 / 8, MIXED,
        "the second derivative in s is a variance on {0, 1}", textbook=True,
    ),
    true("entropy of a bit", ENTROPY, "<=", log(2), BIT, "concave, largest at 1/2", textbook=True),
    true(
        "entropy below the deviation", ENTROPY, "<=", 2 * log(2) * sqrt(p * (1 - p)), BIT,
        "h₂(p) <= (4pq)^{1/log 4} and 1/log 4 >= 1/2", textbook=True,
    ),
    true(
        "entropy above the variance", ENTROPY, ">=", 4 * log(2) * p * (1 - p), BIT,
        "zero at 0, 1/2 and 1, and the difference has two inflections", textbook=True,
    ),
    true("Gibbs", KL, ">=", 0, PAIR, "log t >= 1 - 1/t", textbook=True),
    true("Pinsker", KL, ">=", 2 * (p - q) ** 2, PAIR, "derivative in q: (q - p)(1/(q(1-q)) - 4)", textbook=True),
    true("divergence below chi-squared", KL, "<=", (p - q) ** 2 / (q * (1 - q)), PAIR, "log t <= t - 1", textbook=True),
    true(
        "log-sum of two", a * log(a / b) + c * log(c / d), ">=", (a + c) * log((a + c) / (b + d)),
        each(ONTO, a, b, c, d), "t log t is convex", textbook=True,
    ),
]  # fmt: skip

DIVERGENCES = [
    true("entropy below 2√(pq)", ENTROPY, "<=", 2 * sqrt(p * (1 - p)), BIT, "log 2 < 1"),
    true("entropy is not negative", ENTROPY, ">=", 0, BIT, "logarithms of numbers below one"),
    true("entropy below p log(e/p)", ENTROPY, "<=", p * log(1 / p) + p, BIT, "-(1-p) log(1-p) <= p"),
    true("entropy above min p", ENTROPY, ">=", 2 * log(2) * sp.Min(p, 1 - p), BIT, "concave, zero at 0, log 2 at 1/2"),
    true(
        "entropy of three", -p * log(p) - q * log(q) - (1 - p - q) * log(1 - p - q), "<=", log(3),
        Domain({p: INNER, q: INNER}, where=[p + q < 1]), "concave, largest at 1/3",
    ),
    true("Fano", ENTROPY + p * log(n - 1), "<=", log(n), Domain({n: Integers(2), p: INNER}), "Gibbs with q = 1 - 1/n"),
    true("cross entropy", -p * log(q) - (1 - p) * log(1 - q), ">=", ENTROPY, PAIR, "Gibbs"),
    true(
        "deviation from a fair coin", log(2) - ENTROPY, ">=", 2 * (p - sp.Rational(1, 2)) ** 2, BIT, "Pinsker, q = 1/2",
    ),
    true("Hellinger below the divergence", HELLINGER, "<=", KL, PAIR, "-log t >= 1 - t, t = √(q/p)"),
    true("total variation below Hellinger", (p - q) ** 2, "<=", HELLINGER, PAIR, "Cauchy-Schwarz"),
    true("Bretagnolle-Huber", Abs(p - q), "<=", sqrt(1 - exp(-KL)), PAIR, "Jensen and Cauchy-Schwarz"),
    true("Rényi below the divergence", -2 * log(sqrt(p * q) + sqrt((1 - p) * (1 - q))), "<=", KL, PAIR, "Jensen"),
    true(
        "refined Pinsker", divergence(p, q), ">=", (p - q) ** 2 / (2 * q),
        Domain({q: INNER, p: Reals(0, q, open_low=True)}), "second derivative in p: 1/(p(1-p)) >= 1/q",
    ),
    true(
        "divergence is jointly convex", divergence((p + a) / 2, (q + b) / 2), "<=",
        (divergence(p, q) + divergence(a, b)) / 2, each(INNER, a, b, p, q), "log-sum",
    ),
]  # fmt: skip

MOMENTS = [
    true("log cosh", log((exp(s) + exp(-s)) / 2), "<=", s**2 / 2, each(Reals(), s), "cosh s <= e^{s²/2}"),
    true("log cosh below the modulus", log((exp(s) + exp(-s)) / 2), "<=", Abs(s), each(Reals(), s), "cosh s <= e^|s|"),
    true("Bernoulli below Poisson", 1 - p + p * exp(s), "<=", exp(p * (exp(s) - 1)), MIXED, "1 + t <= e^t"),
    true("Jensen for the exponent", log(1 - p + p * exp(s)), ">=", p * s, MIXED, "log is concave"),
    true(
        "Bernstein's moment bound", exp(s) - 1 - s, "<=", s**2 / (2 * (1 - s / 3)),
        each(Reals(0, 3, open_high=True), s), "(k+2)! >= 2 · 3^k",
    ),
    true("second-order remainder", exp(s) - s - 1, "<=", s**2 * exp(Abs(s)) / 2, each(Reals(), s), "Lagrange"),
    true("Poisson exponent", exp(s) - s - 1, "<=", s**2, each(Reals(None, 1), s), "exp below a quadratic"),
    true(
        "exponential variable", -log(1 - s) - s, "<=", s**2 / (2 * (1 - s)), each(Reals(0, 1, open_high=True), s),
        "s^k/k <= s^k/2 for k >= 2",
    ),
    true(
        "exponential variable, both signs", -log(1 - s) - s, "<=", s**2,
        each(Reals(-sp.Rational(1, 2), sp.Rational(1, 2)), s), "holds at both ends; one inflection",
    ),
    true(
        "chi-squared variable", exp(-s) / sqrt(1 - 2 * s), "<=", exp(2 * s**2),
        each(Reals(-sp.Rational(1, 4), sp.Rational(1, 4)), s), "the line above at 2s",
    ),
    true("uniform variable", (exp(s) - exp(-s)) / (2 * s), "<=", exp(s**2 / 6), each(ONTO, s), "(2k+1)! >= 6^k k!"),
    true(
        "Hoeffding's lemma for an interval", (b * exp(s * a) - a * exp(s * b)) / (b - a), "<=",
        exp(s**2 * (b - a) ** 2 / 8), Domain({a: Reals(None, 0), b: ONTO, s: Reals()}), "Hoeffding's lemma, scaled",
    ),
    true("Chernoff", x - (1 + x) * log(1 + x), "<=", -(x**2) / (2 + x), NONNEGATIVE, "log(1 + x) >= 2x/(2 + x)"),
    true(
        "Chernoff for small deviations", x - (1 + x) * log(1 + x), "<=", -(x**2) / 3, each(Reals(0, 1), x),
        "the line above, 2 + x <= 3",
    ),
    true(
        "Chernoff below the mean", (1 - x) * log(1 - x) + x, ">=", x**2 / 2, each(Reals(0, 1, open_high=True), x),
        "-log(1-x) >= x, integrated",
    ),
    true("a Gaussian's tilt", x * s - s**2 / 2, "<=", x**2 / 2, Domain({x: Reals(), s: Reals()}), "(x - s)² >= 0"),
    true("entropy's dual", x * s - exp(s), "<=", x * log(x) - x, Domain({x: ONTO, s: Reals()}), "Fenchel-Young"),
    true("logit's dual", p * x - log(1 + exp(x)), "<=", -ENTROPY, Domain({p: INNER, x: Reals()}), "Fenchel-Young"),
    true("evenness", log(1 + exp(x)) - x / 2, "=", log(1 + exp(-x)) + x / 2, REAL, "factor e^x"),
]  # fmt: skip

STATEMENTS: list[Truth] = [*TEXTBOOK, *DIVERGENCES, *MOMENTS]
