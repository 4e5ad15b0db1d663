"""Steps of proofs about ridge regression and kernels: effective dimensions, local complexities, early stopping."""

from typing import Any

import sympy as sp
from sympy import Eq, Min, Rational, Sum, cos, exp, log, pi, sqrt

from boundaudit import (
    Domain,
    E,
    Euclidean,
    ForAll,
    Independent,
    Integers,
    Linear,
    Random,
    Reals,
    Symmetric,
    Var,
    Vector,
    adjoint,
    inner,
    norm,
)

from .spaces import false as false_in_space
from .spaces import true as true_in_space
from .statement import Truth, false, true

n, m, i, k, t = sp.symbols("n m i k t", integer=True, positive=True)
head = sp.Symbol("head", integer=True, nonnegative=True)
lam, mu, sigma, kappa, r, a, rho = sp.symbols("lamda mu sigma kappa r a rho", positive=True)
x, theta, q, fitted, left_out, seen = sp.symbols("x theta q fitted left_out seen", real=True)
u, v, w, y = sp.symbols("u v w y")
X = sp.Symbol("X", real=True)
s, c = (sp.IndexedBase(name, real=True) for name in "sc")
Z = sp.IndexedBase("Z", real=True)
A, B, S = map(sp.Function, "ABS")
P = sp.MatrixSymbol("P", 2, 2)
ANY, ONTO, UNIT, VECTOR = Reals(), Reals(0, open_low=True), Reals(0, 1), Euclidean()
EACH, PSD = (i, 1, n), Symmetric(low=0)
SPECTRUM = {n: Integers(1), s: Vector(n, Reals(0))}
RIDGE = {lam: ONTO, **SPECTRUM}
TARGET = {**RIDGE, c: Vector(n, ANY)}
POSITIVE = {n: Integers(1), s: Vector(n, ONTO)}
FALLING = ForAll(s[i + 1] <= s[i], (i, 1, n - 1))
ORDERED = ForAll(s[i] <= s[1], EACH)
TOTAL, SQUARES = Sum(s[i], EACH), Sum(s[i] ** 2, EACH)
TAIL = Sum(s[i], (i, head + 1, n))
CAPPED = Sum(Min(1, s[i] / lam), EACH)
GAIN = Sum(log(1 + s[i] / lam), EACH)
POLYNOMIAL = Sum(1 / (1 + lam * k**2), (k, 1, n))
EXPONENTIAL = Sum(exp(-k) / (exp(-k) + lam), (k, 1, n))
SMOOTHED = 1 - (1 - x) ** t
STOPPED = {t: Integers(1), x: UNIT}
FITTED = {lam: ONTO, S: Linear(), y: VECTOR, u: VECTOR}
NORMAL = Eq(adjoint(S)(S(u) - y) + lam * u, 0)
TWO_MAPS = {lam: ONTO, A: PSD, B: PSD, u: VECTOR, w: VECTOR, v: VECTOR}
SOLVED = (Eq(A(u) + lam * u, v), Eq(B(w) + lam * w, v))
LEVERAGE = {lam: ONTO, A: PSD, u: VECTOR, v: VECTOR}
LEVER = Eq(A(u) + inner(v, u) * v + lam * u, v)
FEATURES = {m: Integers(1), kappa: ONTO, Z: Independent(m, Random(Reals(-kappa, kappa)))}
MEAN_FEATURE = Sum(Z[i], (i, 1, m)) / m
TRACE, DET = sp.Trace(P), sp.Determinant(P)
TWO_ROWS = {lam: ONTO, P: PSD}
OF_TWO = (2 * DET + lam * TRACE) / (DET + lam * TRACE + lam**2)


def numbers(ranges: dict[Any, Any], *where: Any) -> Domain:
    return Domain(ranges, where=where)


def dimension(penalty: Any) -> Sum:
    """The effective dimension at a penalty."""
    return Sum(s[i] / (s[i] + penalty), EACH)


def bias(power: int) -> Sum:
    """What ridge's bias costs, with a target in the range of half so high a power of the covariance."""
    return Sum(lam**2 * s[i] ** power * c[i] ** 2 / (s[i] + lam) ** 2, EACH)


STATEMENTS: list[Truth] = [
    true("two effective ranks", TOTAL**2 / SQUARES, ">=", TOTAL / s[1], numbers(POSITIVE, FALLING),
         "the first is the largest"),
    true("squares by the first of a falling spectrum", SQUARES, "<=", s[1] * TOTAL, numbers(POSITIVE, FALLING),
         "term by term"),
    false("squares by the last of a falling spectrum", SQUARES, "<=", s[n] * TOTAL, numbers(POSITIVE, FALLING),
          "it falls", n=2, s=(2, 1)),
    true("effective dimension below the dimension", dimension(lam), "<=", n, numbers(RIDGE), "term by term"),
    true("effective dimension below the trace", dimension(lam), "<=", TOTAL / lam, numbers(RIDGE), "term by term"),
    true("effective dimension at two penalties", dimension(lam), "<=", mu / lam * dimension(mu), numbers({lam: ONTO, mu:
         Reals(lam), **SPECTRUM}), "term by term"),
    true("effective dimension below a count", dimension(lam), "<=", CAPPED, numbers(RIDGE), "term by term"),
    true("effective dimension above half a count", dimension(lam), ">=", CAPPED / 2, numbers(RIDGE), "term by term"),
    true("two degrees of freedom", Sum((s[i] / (s[i] + lam)) ** 2, EACH), "<=", dimension(lam), numbers(RIDGE),
         "shares below one"),
    true("two degrees of freedom, the other way", dimension(lam) ** 2, "<=", n * Sum((s[i] / (s[i] + lam)) ** 2, EACH),
         numbers(RIDGE), "Cauchy-Schwarz"),
    true("ridge's variance", sigma**2 * Sum(s[i] / (s[i] + lam) ** 2, EACH), "<=", n * sigma**2 / (4 * lam),
         numbers({sigma: ONTO, **RIDGE}), "two means"),
    true("ridge's variance by the dimension", Sum(s[i] / (s[i] + lam) ** 2, EACH), "<=", dimension(lam) / lam,
         numbers(RIDGE), "term by term"),
    true("ridge's bias", bias(0), "<=", Sum(c[i] ** 2, EACH), numbers(TARGET), "shares below one"),
    true("ridge's bias in prediction", bias(1), "<=", lam / 4 * Sum(c[i] ** 2, EACH), numbers(TARGET), "two means"),
    true("a source condition", lam * x**r / (x + lam), "<=", lam**r, numbers({lam: ONTO, x: ONTO, r: Reals(0, 1,
         open_low=True)}), "weighted means"),
    true("a source condition that saturates", lam * x**r / (x + lam), "<=", lam * kappa ** (r - 1), numbers({lam: ONTO,
         kappa: ONTO, x: Reals(0, kappa, open_low=True), r: Reals(1)}), "x^(r-1) grows"),
    true("the best penalty", (lam**2 * a + sigma**2 * x) / (x + lam) ** 2, ">=", sigma**2 * a / (sigma**2 + a * x),
         numbers({lam: ONTO, a: ONTO, sigma: ONTO, x: Reals(0)}), "Cauchy-Schwarz"),
    true("polynomial eigenvalues", POLYNOMIAL, "<=", pi / (2 * sqrt(lam)), numbers({lam: ONTO, n: Integers(1)}),
         "the integral"),
    true("polynomial eigenvalues of any decay", Sum(1 / (1 + lam * k**a), (k, 1, n)), "<=", a / (a - 1) * lam ** (-1 /
         a), numbers({lam: ONTO, a: Reals(1, open_low=True), n: Integers(1)}), "the integral in two parts"),
    true("exponential eigenvalues", EXPONENTIAL, "<=", log(1 + 1 / lam), numbers({lam: ONTO, n: Integers(1)}),
         "the integral"),
    true("a tail of polynomial eigenvalues", Sum(k ** (-a), (k, m + 1, n)), "<=", m ** (1 - a) / (a - 1), numbers({a:
         Reals(1, open_low=True), m: Integers(1), n: Integers(m)}), "the integral"),
    true("eigenvalues of benign decay", Sum(1 / (k * log(k + 1) ** 2), (k, 1, n)), "<=", 4, numbers({n: Integers(1)}),
         "the integral"),
    true("a local complexity", Sum(Min(r, s[i]), EACH), "<=", head * r + TAIL, numbers({r: ONTO, **SPECTRUM, head:
         Integers(0, n)}), "split"),
    true("a local complexity of polynomial eigenvalues", Sum(Min(r, 1 / k**2), (k, 1, n)), "<=", 2 * sqrt(r),
         numbers({r: ONTO, n: Integers(1)}), "the integral in two parts"),
    true("a local complexity is sub-root", sqrt(Sum(Min(a * r, s[i]), EACH)), "<=", sqrt(a) * sqrt(Sum(Min(r, s[i]),
         EACH)), numbers({a: Reals(1), r: ONTO, **SPECTRUM}), "term by term"),
    true("one effective rank below the other", TOTAL / s[1], "<=", TOTAL**2 / SQUARES, numbers(POSITIVE, ORDERED),
         "s_i² <= s_1 s_i"),
    true("one effective rank below the other's square", TOTAL**2 / SQUARES, "<=", (TOTAL / s[1]) ** 2,
         numbers(POSITIVE), "one of the squares"),
    true("effective ranks below the dimension", TOTAL**2 / SQUARES, "<=", n, numbers(POSITIVE), "Cauchy-Schwarz"),
    true("early stopping below its first step", SMOOTHED, "<=", Min(1, t * x), numbers(STOPPED), "Bernoulli"),
    true("early stopping above ridge", SMOOTHED, ">=", t * x / (1 + t * x), numbers(STOPPED), "Bernoulli twice"),
    true("early stopping below ridge twice", SMOOTHED, "<=", 2 * t * x / (1 + t * x), numbers(STOPPED), "Bernoulli"),
    true("what early stopping leaves", x * (1 - x) ** t, "<=", 1 / (t + 1), numbers(STOPPED), "largest at 1/(t+1)"),
    true("what early stopping leaves of a root", sqrt(x) * (1 - x) ** t, "<=", 1 / sqrt(2 * t + 1), numbers(STOPPED),
         "largest at 1/(2t+1)"),
    true("early stopping in prediction", Sum(s[i] * (1 - s[i]) ** (2 * t) * c[i] ** 2, EACH), "<=", Sum(c[i] ** 2, EACH)
         / (2 * t + 1), numbers({t: Integers(1), n: Integers(1), s: Vector(n, UNIT), c: Vector(n, ANY)}),
         "term by term"),
    true("information above the dimension", GAIN, ">=", dimension(lam), numbers(RIDGE), "log(1 + z) >= z/(1 + z)"),
    true("information below the dimension, times a logarithm", GAIN, "<=", (1 + log(1 + kappa / lam)) * dimension(lam),
         numbers({lam: ONTO, kappa: ONTO, n: Integers(1), s: Vector(n, Reals(0, kappa))}), "z log z >= z - 1"),
    true("information by the trace", GAIN, "<=", n * log(1 + TOTAL / (n * lam)), numbers(RIDGE), "Jensen"),
    true("a prediction left out", seen - left_out, "=", (seen - fitted) / (1 - q), numbers({q: Reals(0, 1,
         open_high=True), seen: ANY, left_out: ANY, fitted: ANY}, Eq(fitted, (1 - q) * left_out + q * seen)), "insert"),
    true_in_space("ridge's norm", norm(u), "<=", norm(y) / (2 * sqrt(lam)), FITTED, "inner product with u", NORMAL),
    true_in_space("ridge minimises", norm(S(u) - y) ** 2 + lam * norm(u) ** 2, "<=", norm(S(w) - y) ** 2 + lam * norm(w)
                  ** 2, {**FITTED, w: VECTOR}, "expand", NORMAL),
    true_in_space("ridge shrinks predictions", norm(S(u)), "<=", norm(y), FITTED, "inner product with u", NORMAL),
    true_in_space("resolvents of two maps", norm(u - w), "<=", norm(A(w) - B(w)) / lam, TWO_MAPS, "subtract", *SOLVED),
    true_in_space("resolvents of ordered maps", inner(u, v), ">=", inner(w, v), TWO_MAPS, "the difference is positive",
                  Eq(A(u) + lam * u, v), Eq(A(w) + B(w) + lam * w, v)),
    true_in_space("leverage below one", inner(v, u), "<=", 1, LEVERAGE, "inner product with u", LEVER),
    true_in_space("leverage by the length", inner(v, u), "<=", norm(v) ** 2 / (norm(v) ** 2 + lam), LEVERAGE,
                  "inner product with u, Cauchy-Schwarz", LEVER),
    true_in_space("a projection splits", norm(u - A(u)) ** 2, "=", norm(u) ** 2 - norm(A(u)) ** 2, {A: Symmetric(), u:
                  VECTOR}, "right angles", Eq(A(A(u)), A(u))),
    true_in_space("a representer's part", norm(u), "<=", norm(u + w), {u: VECTOR, w: VECTOR}, "right angles",
                  Eq(inner(u, w), 0)),
    true_in_space("two rows' effective dimension", OF_TWO, "<=", TRACE / (TRACE / 2 + lam), TWO_ROWS, "concave"),
    true_in_space("two rows' regularised determinant", sp.Determinant(P + lam * sp.eye(2)), ">=", DET + lam**2,
                  TWO_ROWS, "expand"),
    true_in_space("a mean of random features", Var(MEAN_FEATURE), "<=", kappa**2 / m, FEATURES, "second moments"),
    true_in_space("a random frequency", E(1 - cos(x * X)), "<=", x**2 * E(X**2) / 2, {x: ANY, X: Random(ANY)},
                  "pointwise"),
    false("effective dimension above more than half a count", dimension(lam), ">=", Rational(51, 100) * CAPPED,
          numbers(RIDGE), "at the penalty", lamda=1, n=1, s=(1,)),
    false("ridge's variance by a fifth", Sum(s[i] / (s[i] + lam) ** 2, EACH), "<=", n / (5 * lam), numbers(RIDGE),
          "at the penalty", lamda=1, n=1, s=(1,)),
    false("ridge's bias in prediction by a fifth", bias(1), "<=", lam / 5 * Sum(c[i] ** 2, EACH), numbers(TARGET),
          "at the penalty", lamda=1, n=1, s=(1,), c=(1,)),
    false("a source condition beyond saturation", lam * x**r / (x + lam), "<=", lam**r, numbers({lam: ONTO, x: ONTO, r:
          Reals(0, 2, open_low=True)}), "r = 2", lamda=1, x=2, r=2),
    false("polynomial eigenvalues by 3/2", POLYNOMIAL, "<=", 3 / (2 * sqrt(lam)), numbers({lam: ONTO, n: Integers(1)}),
          "many eigenvalues", lamda=Rational(1, 100), n=600),
    false("exponential eigenvalues by log 1/λ", EXPONENTIAL, "<=", log(1 / lam), numbers({lam: Reals(0, 1,
          open_low=True), n: Integers(1)}), "near one", lamda=Rational(9, 10), n=1),
    false("a local complexity, one off", Sum(Min(r, s[i]), EACH), "<=", head * r + Sum(s[i], (i, head + 2, n)),
          numbers({r: ONTO, **SPECTRUM, head: Integers(0, n)}), "one eigenvalue", r=1, n=1, s=(1,), head=0),
    false("one effective rank below the other, in no order", TOTAL / s[1], "<=", TOTAL**2 / SQUARES, numbers(POSITIVE),
          "a larger one", n=2, s=(1, 10)),
    false("early stopping below ridge", SMOOTHED, "<=", t * x / (1 + t * x), numbers(STOPPED), "at one", t=2, x=1),
    false("information below twice the dimension", GAIN, "<=", 2 * dimension(lam), numbers(RIDGE), "a large eigenvalue",
          lamda=1, n=1, s=(10,)),
    false_in_space("ridge's norm by a third", norm(u), "<=", norm(y) / (3 * sqrt(lam)), FITTED, "at the penalty", [1, 1,
                   2, 1, 0, 1, 0, 0], NORMAL),
    false_in_space("resolvents of two maps by half", norm(u - w), "<=", norm(A(w) - B(w)) / (2 * lam), TWO_MAPS,
                   "one of them is zero", [1, 1, 1, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0], *SOLVED),
    false_in_space("two rows' effective dimension, less", OF_TWO, "<=", TRACE / (TRACE + lam), TWO_ROWS, "identity",
                   [1, 1, 1, 0]),
    false_in_space("a mean of random features by half", Var(MEAN_FEATURE), "<=", kappa**2 / (2 * m), FEATURES, "a sign",
                   [1, 1, 2, (Rational(1, 2), Rational(1, 2)), ((-1, 1),)]),
]  # fmt: skip
