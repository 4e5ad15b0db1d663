"""What is said of samples: sums, means and products of n independent random variables."""

from fractions import Fraction

import sympy as sp
from sympy import Eq, Product, Rational, Sum, exp

from boundaudit import Bernoulli, E, ForAll, Gaussian, Independent, Integers, P, Rademacher, Random, Reals, Var, Vector

from .spaces import HALVES, ONTO, UNIT, false, true

n, i, j = sp.symbols("n i j", integer=True, positive=True)
X, s, a = (sp.IndexedBase(name, real=True) for name in "Xsa")
mu, lam, p, t = sp.symbols("mu lamda p t", real=True)
sigma = sp.Symbol("sigma", positive=True)
EACH = (i, 1, n)
TOTAL, MEAN = Sum(X[i], EACH), Sum(X[i], EACH) / n
ANY, BOUNDED, ALIKE = (
    {n: Integers(1), X: found}
    for found in (Independent(n, Random()), Independent(n, Random(UNIT)), Independent(n, Random(), alike=True))
)
SIGNS = {n: Integers(1), a: Vector(n, Reals()), s: Independent(n, Rademacher())}
SHIFTED = Sum(X[i] - E(X[i]), EACH)
CENTRED_BELOW_ONE = {n: Integers(1), lam: Reals(0), X: Independent(n, Random(Reals(high=1)))}
BENNETT = exp(lam) - lam - 1
CHAOS, SQUARES = Sum(a[i] * s[i], EACH), Sum(a[i] ** 2, EACH)
ONE_MEAN, ONE_BOUND = {mu: Reals(), sigma: ONTO}, {lam: Reals(), sigma: ONTO}
MEANS, CENTRED = ForAll(Eq(E(X[i]), mu), EACH), ForAll(Eq(E(X[i]), 0), EACH)
SUBGAUSSIAN = ForAll(E(exp(lam * X[i])) <= exp(lam**2 * sigma**2 / 2), EACH)

STATEMENTS = [
    true("a mean of sums", E(Sum(a[i] * X[i], EACH)), "=", Sum(a[i] * E(X[i]), EACH), {**ANY, a: Vector(n, Reals())},
         "linear"),
    true("Bienaymé", Var(TOTAL), "=", Sum(Var(X[i]), EACH), ANY, "mixed terms"),
    true("the variance of a mean", Var(MEAN), "<=", 1 / (4 * n), BOUNDED, "Bienaymé, Popoviciu"),
    true("Bessel's correction", E(Sum((X[i] - MEAN) ** 2, EACH)), "=", (n - 1) * Var(X[1]), ALIKE, "expand"),
    true("the risk of a mean", E((MEAN - mu) ** 2), "<=", sigma**2 / n, {**ALIKE, **ONE_MEAN}, "Bienaymé",
         Eq(E(X[1]), mu), Var(X[1]) <= sigma**2),
    true("the risk of a mean of several laws", E((MEAN - mu) ** 2), "<=", sigma**2 / n, {**ANY, **ONE_MEAN},
         "Bienaymé", MEANS, ForAll(Var(X[i]) <= sigma**2, EACH)),
    true("a second moment of centred sums", E(TOTAL**2), "=", Sum(E(X[i] ** 2), EACH), ANY, "mixed terms", CENTRED),
    true("a second moment of signs", E(CHAOS**2), "=", SQUARES, SIGNS, "mixed terms"),
    true("a third moment of signs", E(CHAOS**3), "=", 0, SIGNS, "symmetric"),
    true("Khintchine's fourth", E(CHAOS**4), "<=", 3 * SQUARES**2, SIGNS, "cumulants"),
    true("signs are sub-Gaussian", E(exp(lam * CHAOS)), "<=", exp(lam**2 * SQUARES / 2), {lam: Reals(), **SIGNS},
         "cosh"),
    true("sub-Gaussian sums", E(exp(lam * TOTAL)), "<=", exp(lam**2 * n * sigma**2 / 2), {**ONE_BOUND, **ANY},
         "one by one", SUBGAUSSIAN),
    true("binomial by Poisson", E(exp(lam * TOTAL)), "<=", exp(n * p * (exp(lam) - 1)),
         {n: Integers(1), lam: Reals(), p: UNIT, X: Independent(n, Bernoulli(p))}, "1 + x <= e^x"),
    true("a normal sum", E(exp(lam * TOTAL)), "=", exp(n * sigma**2 * lam**2 / 2),
         {n: Integers(1), **ONE_BOUND, X: Independent(n, Gaussian(0, sigma))}, "completing the square"),
    true("none of n", E(Product(1 - X[i], EACH)), "=", (1 - p) ** n, {n: Integers(1), p: UNIT, X: Independent(n,
         Bernoulli(p))}, "one by one"),
    true("two of them", E(X[1] * X[2]), "=", E(X[1]) * E(X[2]), {**ANY, n: Integers(2)}, "apart"),
    true("Markov for one of them", P(X[1] >= t), "<=", E(X[1]) / t, {**BOUNDED, t: ONTO}, "term by term"),
    true("none of several", Product(1 - E(X[i]), EACH), "<=", exp(-Sum(E(X[i]), EACH)), BOUNDED, "1 - x ≤ e^-x"),
    true("all of several", Product(E(X[i]), EACH), "<=", exp(Sum(E(X[i]) - 1, EACH)), BOUNDED, "x ≤ e^(x - 1)"),
    true("one more of several", Product(1 + E(X[i]), EACH), "<=", exp(Sum(E(X[i]), EACH)), BOUNDED, "1 + x ≤ e^x"),
    true("a second moment of sums", E(TOTAL**2), "<=", n * Sum(E(X[i] ** 2), EACH), ANY, "Cauchy-Schwarz, Jensen"),
    true("Hoeffding's lemma for a sample", E(exp(lam * SHIFTED)), "<=", exp(lam**2 * n / 8),
         {lam: Reals(), **BOUNDED}, "chords"),
    true("Bernstein's moment for a sample", E(exp(lam * TOTAL)), "<=", exp(Sum(E(X[i] ** 2), EACH) * BENNETT),
         CENTRED_BELOW_ONE, "e^x by a parabola", CENTRED),
    false("none of several, twice", Product(1 - E(X[i]), EACH), "<=", exp(-2 * Sum(E(X[i]), EACH)), BOUNDED, "a half",
          (1, 1, (1,), ((Fraction(1, 2),),))),
    false("all of several, twice", Product(E(X[i]), EACH), "<=", exp(2 * Sum(E(X[i]) - 1, EACH)), BOUNDED, "a half",
          (1, 1, (1,), ((Fraction(1, 2),),))),
    false("one more of several, half", Product(1 + E(X[i]), EACH), "<=", exp(Sum(E(X[i]), EACH) / 2), BOUNDED, "one",
          (1, 1, (1,), ((1,),))),
    false("a second moment of sums by half", E(TOTAL**2), "<=", n * Sum(E(X[i] ** 2), EACH) / 2, ANY, "two ones",
          (2, 1, (1,), ((1,), (1,)))),
    false("Hoeffding's lemma with 9 for a sample", E(exp(lam * SHIFTED)), "<=", exp(lam**2 * n / 9),
          {lam: Reals(), **BOUNDED}, "a fair coin", (1, 1, 2, HALVES, ((0, 1),))),
    false("Bernstein's moment by half", E(exp(lam * TOTAL)), "<=", exp(Sum(E(X[i] ** 2), EACH) * BENNETT / 2),
          CENTRED_BELOW_ONE, "a fair sign", (1, 1, 2, HALVES, ((-1, 1),)), CENTRED),
    false("a fifth for a quarter", Var(MEAN), "<=", 1 / (5 * n), BOUNDED, "fair coins", (1, 2, HALVES, ((0, 1),))),
    false("not centred", E(TOTAL**2), "<=", Sum(E(X[i] ** 2), EACH), ANY, "two ones", (2, 1, (1,), ((1,), (1,)))),
    false("a fourth moment with two", E(CHAOS**4), "<=", 2 * SQUARES**2, SIGNS, "three signs", (3, (1, 1, 1))),
    false("signs with a third", E(exp(lam * CHAOS)), "<=", exp(lam**2 * SQUARES / 3), {lam: Reals(), **SIGNS},
          "small exponents", (Rational(1, 2), 1, (1,))),
    false("Bessel uncorrected", E(Sum((X[i] - MEAN) ** 2, EACH)), "=", n * Var(X[1]), ALIKE, "a fair coin",
          (1, 2, HALVES, (0, 1))),
    false("Bessel of several laws", E(Sum((X[i] - MEAN) ** 2, EACH)), "=", (n - 1) * Var(X[1]), ANY, "0 and 1",
          (2, 1, (1,), ((0,), (1,)))),
    false("as if they were one", Var(TOTAL), "=", n**2 * Var(X[1]), ALIKE, "two fair coins", (2, 2, HALVES, (0, 1))),
    false("products of them alike", E(X[1] * X[2]), "=", E(X[1] ** 2), {**ALIKE, n: Integers(2)}, "a fair coin",
          (2, 2, HALVES, (0, 1))),
    false("a risk without its spread", E((MEAN - mu) ** 2), "<=", sigma**2 / (2 * n), {**ALIKE, **ONE_MEAN},
          "a fair coin", (1, 2, HALVES, (0, 1), Fraction(1, 2), Fraction(1, 2)), Eq(E(X[1]), mu),
          Var(X[1]) <= sigma**2),
]  # fmt: skip
