"""Steps of proofs about information and privacy: divergences that channels and mechanisms bound, and composition."""

from typing import Any

import sympy as sp
from sympy import Abs, Eq, Max, Rational, Sum, exp, log, sqrt

from boundaudit import Density, Domain, E, ForAll, Gaussian, Integers, Matrix, Random, Reals, Vector

from .spaces import false as false_in_space
from .spaces import true as true_in_space
from .statement import Truth, false, true

n, m, i, j, k, e, d = sp.symbols("n m i j k e d", integer=True, positive=True)
alpha, delta, epsilon, lam, mu, rho, sigma = sp.symbols("alpha delta epsilon lamda mu rho sigma", positive=True)
x, y, z, q = sp.symbols("x y z q", real=True)
t = sp.Symbol("t", integer=True, nonnegative=True)
D, X = sp.symbols("D X", real=True)
p, s, h, u, v = (sp.IndexedBase(name, real=True) for name in "pshuv")
W, V, K = (sp.IndexedBase(name, real=True) for name in "WVK")
ANY, ONTO, UNIT, SHARE = Reals(), Reals(0, open_low=True), Reals(0, 1), Reals(0, 1, open_low=True)
EACH, OTHER = (i, 1, n), (j, 1, m)
ODDS = exp(epsilon)
LAWS = {n: Integers(1), epsilon: ONTO, p: Vector(n, SHARE), s: Vector(n, SHARE)}
KL, VARIATION = Sum(p[i] * log(p[i] / s[i]), EACH), Sum(Abs(p[i] - s[i]), EACH) / 2
ONE_WAY, BACK = ForAll(p[i] <= ODDS * s[i], EACH), ForAll(s[i] <= ODDS * p[i], EACH)
SMALL = Integers(1, tested_to=4)
JOINT = {n: SMALL, m: SMALL, W: Matrix(n, m, SHARE)}
ROW, COLUMN = Sum(W[i, d], (d, 1, m)), Sum(W[e, j], (e, 1, n))
OTHER_ROW = Sum(V[i, d], (d, 1, m))
SUBSAMPLED = log(1 + q * (ODDS - 1))
ADVANCED = sqrt(2 * k * log(100)) / 10 + k * (exp(Rational(1, 10)) - 1) / 10
RENYI = rho * alpha + log(1 / delta) / (alpha - 1)
ORDER = {alpha: Reals(1, open_low=True), rho: ONTO, delta: Reals(0, 1, open_low=True, open_high=True)}
DEVIATION, TILT = E(D * X) - E(X), E(D * log(D))
TILTED = {lam: ONTO, sigma: ONTO, X: Random(ANY), D: Density()}
SUBGAUSSIAN = E(exp(lam * (X - E(X)))) <= exp(lam**2 * sigma**2 / 2)
GAPS = {n: Integers(1), u: Vector(n, Reals(0))}
SCORES = {n: Integers(1), k: Integers(1, n), epsilon: ONTO, u: Vector(n, ANY)}


def numbers(ranges: dict[Any, Any], *where: Any) -> Domain:
    return Domain(ranges, where=where)


def laws(*where: Any, **more: Any) -> Domain:
    """Two laws on n outcomes, of which more is known."""
    ranges = {**LAWS, **{sp.IndexedBase(name, real=True): of for name, of in more.items()}}
    return Domain(ranges, where=[Eq(Sum(p[i], EACH), 1), Eq(Sum(s[i], EACH), 1), *where])


def over_both(body: sp.Expr) -> Sum:
    return Sum(body, OTHER, EACH)


def whole(of: sp.IndexedBase) -> Eq:
    return Eq(over_both(of[i, j]), 1)


def chosen(scores: sp.IndexedBase) -> sp.Expr:
    """The exponential mechanism's chance of the k-th of all."""
    return exp(epsilon * scores[k] / 2) / Sum(exp(epsilon * scores[i] / 2), EACH)


INFORMATION = over_both(W[i, j] * log(W[i, j] / (ROW * COLUMN)))
ANY_SCORES = numbers({n: Integers(1), u: Vector(n, ANY)})
SOFT = exp(u[i]) / Sum(exp(u[j]), (j, 1, n))
SOFTMAX = -Sum(SOFT * log(SOFT), EACH)
STATEMENTS: list[Truth] = [
    true("softmax has no more entropy than all alike", SOFTMAX, "<=", log(n), ANY_SCORES, "Gibbs"),
    false("softmax has less entropy than all alike", SOFTMAX, "<=", Rational(9, 10) * log(n), ANY_SCORES, "all alike",
          n=2, u=(0, 0)),
    true("a term of advanced composition", ODDS - 1, "<=", epsilon + epsilon**2, numbers({epsilon: SHARE}), "series"),
    true("randomized response in divergence", epsilon * (ODDS - 1) / (ODDS + 1), "<=", epsilon**2 / 2,
         numbers({epsilon: ONTO}), "tanh x <= x"),
    true("randomized response is private", x - y, "<=", (ODDS - 1) / (ODDS + 1), numbers({epsilon: ONTO, x: UNIT, y:
         UNIT}, x <= ODDS * y, 1 - y <= ODDS * (1 - x)), "add both"),
    true("amplification by subsampling", SUBSAMPLED, "<=", 2 * q * epsilon, numbers({epsilon: SHARE, q: UNIT}),
         "log(1 + z) <= z"),
    true("what subsampling leaves", SUBSAMPLED, ">=", q * epsilon, numbers({epsilon: ONTO, q: UNIT}), "Jensen"),
    true("Laplace noise is private", exp(-Abs(z - x) / sigma), "<=", exp(epsilon) * exp(-Abs(z - y) / sigma),
         numbers({epsilon: ONTO, sigma: ONTO, x: ANY, y: ANY, z: ANY}, Abs(x - y) <= epsilon * sigma), "triangle"),
    true("the largest of many Laplace tails", 1 - (1 - exp(-x)) ** n, "<=", n * exp(-x), numbers({n: Integers(1), x:
         Reals(0)}), "Bernoulli"),
    true("what a union counts twice", (1 - x) ** n, "<=", 1 - n * x + n * (n - 1) / 2 * x**2, numbers({n: Integers(1),
         x: UNIT}), "induction"),
    true("a group's privacy", Sum(exp(t * epsilon) * delta, (t, 0, k - 1)), "<=", k * exp((k - 1) * epsilon) * delta,
         numbers({k: Integers(1), epsilon: ONTO, delta: ONTO}), "term by term"),
    true("advanced composition beats the basic one", ADVANCED, "<=", k * Rational(1, 10), numbers({k: Integers(12)}),
         "solve for √k"),
    true("from Rényi to approximate privacy", RENYI, ">=", rho + 2 * sqrt(rho * log(1 / delta)), numbers(ORDER),
         "two means"),
    true_in_space("Rényi divergence of a shift", E(exp((alpha - 1) * (2 * mu * X - mu**2) / (2 * sigma**2))), "=",
                  exp(alpha * (alpha - 1) * mu**2 / (2 * sigma**2)), {alpha: Reals(1), mu: ONTO, sigma: ONTO, X:
                  Gaussian(mu, sigma)}, "a normal moment"),
    true("Rényi divergence above the divergence", log(Sum(p[i] * (p[i] / s[i]) ** epsilon, EACH)), ">=", epsilon * KL,
         laws(), "Jensen"),
    true("Rényi divergence of order a half", -2 * log(Sum(sqrt(p[i] * s[i]), EACH)), "<=", KL, laws(), "Jensen"),
    true("divergences add up", Sum(p[i] * u[j] * log(p[i] * u[j] / (s[i] * v[j])), OTHER, EACH), "=", KL + Sum(u[j] *
         log(u[j] / v[j]), OTHER), Domain({**LAWS, m: Integers(1), u: Vector(m, SHARE), v: Vector(m, SHARE)},
         where=[Eq(Sum(p[i], EACH), 1), Eq(Sum(u[j], OTHER), 1)]), "split the logarithm"),
    true("Donsker-Varadhan", Sum(p[i] * h[i], EACH), "<=", KL + log(Sum(s[i] * exp(h[i]), EACH)), laws(h=Vector(n,
         ANY)), "Gibbs"),
    true("a bounded loss under another law", Sum((p[i] - s[i]) * h[i], EACH), "<=", sqrt(KL / 2), laws(h=Vector(n,
         UNIT)), "Pinsker"),
    true_in_space("a sub-Gaussian change of measure", DEVIATION, "<=", TILT / lam + lam * sigma**2 / 2, TILTED,
                  "Donsker-Varadhan", SUBGAUSSIAN),
    true("information is not negative", INFORMATION, ">=", 0, Domain(JOINT, where=[whole(W)]), "Gibbs"),
    true("any other prior", INFORMATION, "<=", over_both(W[i, j] * log(W[i, j] / (ROW * u[j]))), Domain({**JOINT, u:
         Vector(m, SHARE)}, where=[whole(W), Eq(Sum(u[j], OTHER), 1)]), "Gibbs for the columns"),
    true("a marginal diverges less", Sum(ROW * log(ROW / OTHER_ROW), EACH), "<=", over_both(W[i, j] * log(W[i, j] / V[i,
         j])), Domain({**JOINT, V: Matrix(n, m, SHARE)}, where=[whole(W), whole(V)]), "log-sum, row by row"),
    true("a chain rule", over_both(W[i, j] * log(W[i, j] / V[i, j])), "=", Sum(ROW * log(ROW / OTHER_ROW), EACH) +
         over_both(W[i, j] * log(W[i, j] / ROW / (V[i, j] / OTHER_ROW))), Domain({**JOINT, V: Matrix(n, m, SHARE)},
         where=[whole(W), whole(V)]), "split the logarithm"),
    true("a channel brings laws together", Sum(Abs(Sum((p[i] - s[i]) * K[i, j], EACH)), OTHER), "<=", 2 * VARIATION,
         Domain({**LAWS, n: SMALL, m: SMALL, K: Matrix(n, m, UNIT)}, where=[ForAll(Eq(Sum(K[i, d], (d, 1, m)), 1),
         EACH)]), "triangle"),
    true("privacy bounds the divergence", KL, "<=", epsilon, laws(ONE_WAY), "term by term"),
    true("privacy both ways bounds the divergence", KL, "<=", epsilon * (ODDS - 1), laws(ONE_WAY, BACK),
         "add the other divergence"),
    true("privacy bounds the variation", VARIATION, "<=", 1 - exp(-epsilon), laws(ONE_WAY), "term by term"),
    true("privacy both ways bounds the variation", VARIATION, "<=", epsilon / 2, laws(ONE_WAY, BACK),
         "randomized response"),
    true("a private rule hardly overfits", Sum((p[i] - s[i]) * h[i], EACH), "<=", ODDS - 1, laws(ONE_WAY, h=Vector(n,
         UNIT)), "term by term"),
    true("approximate privacy of a mean", Sum(p[i] * h[i], EACH), "<=", ODDS * Sum(s[i] * h[i], EACH) + Sum(Max(p[i] -
         ODDS * s[i], 0), EACH), laws(h=Vector(n, UNIT)), "term by term"),
    true("two neighbours away", x, "<=", exp(2 * epsilon) * z + (1 + ODDS) * delta, numbers({epsilon: ONTO, delta: ONTO,
         x: UNIT, y: UNIT, z: UNIT}, x <= ODDS * y + delta, y <= ODDS * z + delta), "one after the other"),
    true("samples one by one", Sum(sqrt(2 * u[i]), EACH) / n, "<=", sqrt(2 * Sum(u[i], EACH) / n), Domain(GAPS),
         "Jensen"),
    true("a soft step's parabola", log(1 + exp(x)), "<=", log(2) + x / 2 + x**2 / 8, numbers({x: ANY}),
         "its curvature"),
    true("the exponential mechanism is private", chosen(u), "<=", ODDS * chosen(v), Domain({**SCORES, v: Vector(n,
         ANY)}, where=[ForAll(Abs(u[i] - v[i]) <= 1, EACH)]), "numerator and denominator"),
    true("the exponential mechanism's utility", Sum(u[i] * exp(epsilon * u[i]), EACH) / Sum(exp(epsilon * u[i]), EACH),
         ">=", u[k] - log(n) / epsilon, Domain(SCORES), "Gibbs"),
    false("a term of composition with 7/10", ODDS - 1, "<=", epsilon + Rational(7, 10) * epsilon**2, numbers({epsilon:
          SHARE}), "near one", epsilon=1),
    false("amplification beyond one", SUBSAMPLED, "<=", 2 * q * epsilon, numbers({epsilon: Reals(0,
          Rational(13, 10), open_low=True), q: UNIT}), "few samples", epsilon=Rational(13, 10), q=Rational(1, 100)),
    false("advanced composition from eleven on", ADVANCED, "<=", k * Rational(1, 10), numbers({k: Integers(11)}),
          "eleven", k=11),
    false("to approximate privacy with a tenth more", RENYI, ">=", rho * Rational(11, 10) + 2 * sqrt(rho * log(1 /
          delta)), numbers(ORDER), "the best order", alpha=3, rho=1, delta=Rational(1, 55)),
    false("privacy one way for both", VARIATION, "<=", epsilon / 2, laws(ONE_WAY), "one outcome alone", n=2,
          epsilon=Rational(7, 10), p=(Rational(99, 100), Rational(1, 100)), s=(Rational(1, 2), Rational(1, 2))),
    false("privacy one way, squared", KL, "<=", epsilon**2, laws(ONE_WAY), "far apart", n=2, epsilon=Rational(1, 10),
          p=(Rational(99, 100), Rational(1, 100)), s=(Rational(9, 10), Rational(1, 10))),
    false("a group's privacy at its mean", Sum(exp(t * epsilon) * delta, (t, 0, k - 1)), "<=", k * exp((k - 1) * epsilon
          / 2) * delta, numbers({k: Integers(1), epsilon: ONTO, delta: ONTO}), "convex", k=2, epsilon=1, delta=1),
    false("a soft step's parabola, a ninth", log(1 + exp(x)), "<=", log(2) + x / 2 + x**2 / 9, numbers({x: ANY}),
          "near zero", x=Rational(1, 2)),
    false("samples all at once", Sum(sqrt(2 * u[i]), EACH) / n, "<=", sqrt(2 * Sum(u[i], EACH)) / n, Domain(GAPS),
          "two samples", n=2, u=(1, 1)),
    false_in_space("a change of measure by half", DEVIATION, "<=", TILT / lam + lam * sigma**2 / 4, TILTED,
                   "two signs", [1, Rational(1, 1), 2, (Rational(1, 2), Rational(1, 2)), (-1, 1), (Rational(1, 4),
                   Rational(3, 4))], SUBGAUSSIAN),
]  # fmt: skip
