"""What is said of vectors of any dimension, of functions known by properties, and of random variables."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy import Abs, Eq, Max, Or, Rational, exp, log, sqrt

from boundaudit import (
    Bernoulli,
    Density,
    E,
    Euclidean,
    Functions,
    Gaussian,
    P,
    Rademacher,
    Random,
    Reals,
    Var,
    gradient,
    inner,
    norm,
)

from .statement import Truth, in_space

ONTO, NONNEGATIVE, UNIT = Reals(0, open_low=True), Reals(0), Reals(0, 1)
u, v, w, x, y, z, star = sp.symbols("u v w x y z star")
a, b, p, r, s, t = sp.symbols("a b p r s t", real=True)
alpha, beta, eta, mu, lam, sigma = sp.symbols("alpha beta eta mu lamda sigma", positive=True)
D, X, Y, S, Z = sp.symbols("D X Y S Z", real=True)
f, psi = sp.Function("f"), sp.Function("psi")
g = {point: gradient(f(point)) for point in (x, y, star)}
VECTOR = Euclidean()
PAIR = {x: VECTOR, y: VECTOR}
SMOOTH, CONVEX = Functions(smooth=beta), Functions(convex=True, smooth=beta)


def true(name: str, left: Any, relation: str, right: Any, ranges: Mapping[Any, Any], why: str, *where: Any) -> Truth:
    """A statement that holds for all of what it speaks of."""
    return in_space(f"space: {name}", left, relation, right, (ranges, where), why)


def false(
    name: str, left: Any, relation: str, right: Any, ranges: Mapping[Any, Any], why: str, at: Sequence[Any], *where: Any
) -> Truth:
    """A statement that fails; the values are those of the parameters that it is written out in, in order."""
    return in_space(f"space: {name}", left, relation, right, (ranges, where), why, at)


TWO = {v: VECTOR, w: VECTOR}
VECTORS = [
    true("Cauchy-Schwarz", inner(v, w), "<=", norm(v) * norm(w), TWO, "square"),
    true("triangle", norm(v + w), "<=", norm(v) + norm(w), TWO, "square"),
    true("reverse triangle", Abs(norm(v) - norm(w)), "<=", norm(v - w), TWO, "triangle twice"),
    true("parallelogram", norm(v + w) ** 2 + norm(v - w) ** 2, "=", 2 * norm(v) ** 2 + 2 * norm(w) ** 2, TWO, "expand"),
    true("polarisation", 4 * inner(v, w), "=", norm(v + w) ** 2 - norm(v - w) ** 2, TWO, "expand"),
    true("Young", 2 * inner(v, w), "<=", alpha * norm(v) ** 2 + norm(w) ** 2 / alpha, {alpha: ONTO, **TWO}, "a square"),
    true("a difference squared", norm(v - w) ** 2, "<=", 2 * norm(v) ** 2 + 2 * norm(w) ** 2, TWO, "parallelogram"),
    true("three points", norm(v - w) ** 2, "<=", 2 * norm(v - u) ** 2 + 2 * norm(u - w) ** 2, {u: VECTOR, **TWO},
         "shift"),
    true("cosines", 2 * inner(x - z, y - z), "=", norm(x - z) ** 2 + norm(y - z) ** 2 - norm(x - y) ** 2, {**PAIR, z:
         VECTOR}, "expand"),
    true("a step back", norm(v - alpha * w), "<=", (1 + alpha * beta) * norm(v), {alpha: ONTO, beta: ONTO, **TWO},
         "triangle", norm(w) <= beta * norm(v)),
    true("a step that points inward", norm(v - alpha * w) ** 2, "<=", norm(v) ** 2, {beta: ONTO, alpha: Reals(0, 2 /
         beta, open_low=True), **TWO}, "expand", norm(w) ** 2 <= beta * inner(v, w)),
    true("a mean of two", norm(t * v + (1 - t) * w), "<=", Max(norm(v), norm(w)), {t: UNIT, **TWO}, "convex"),
    true("a mean squared", norm(t * v + (1 - t) * w) ** 2, "=", t * norm(v) ** 2 + (1 - t) * norm(w) ** 2 - t * (1 - t)
         * norm(v - w) ** 2, {t: UNIT, **TWO}, "expand"),
    true("three lengths", norm(u + v + w), "<=", norm(u) + norm(v) + norm(w), {u: VECTOR, **TWO}, "triangle twice"),
    false("Cauchy-Schwarz short", inner(v, w), "<=", Rational(99, 100) * norm(v) * norm(w), TWO, "v = w", (1, 1, 0)),
    false("lengths add up", norm(v + w), ">=", norm(v), TWO, "w = -v", (1, -1, 0)),
    false("right angles", norm(v + w) ** 2, "<=", norm(v) ** 2 + norm(w) ** 2, TWO, "v = w", (1, 1, 0)),
    false("a step too far", norm(v - alpha * w) ** 2, "<=", norm(v) ** 2, {beta: ONTO, alpha: Reals(0, 3 / beta,
         open_low=True), **TWO}, "w = v at β = 1, α = 5/2", (1, Fraction(5, 2), 1, 1, 0), norm(w) ** 2 <= beta *
         inner(v, w)),
    false("a step back with less", norm(v - alpha * w), "<=", (1 + alpha * beta / 2) * norm(v), {alpha: ONTO, beta:
         ONTO, **TWO}, "w = -v", (1, 1, 1, -1, 0), norm(w) <= beta * norm(v)),
    false("angles pass on", inner(u, w), ">=", 0, {u: VECTOR, **TWO}, "v halfway", (1, 1, 1, -1, 2, 0), inner(u, v) >=
         0, inner(v, w) >= 0),
]  # fmt: skip

ONE_STEP = x - g[x] / beta
STRONG = {mu: ONTO, beta: Reals(mu, open_low=True)}
FUNCTIONS = [
    true("below the parabola", f(y), "<=", f(x) + inner(g[x], y - x) + beta / 2 * norm(y - x) ** 2, {beta: ONTO,
         **PAIR, f: SMOOTH}, "descent lemma"),
    true("above the parabola", f(y), ">=", f(x) + inner(g[x], y - x) - beta / 2 * norm(y - x) ** 2, {beta: ONTO,
         **PAIR, f: SMOOTH}, "descent lemma"),
    true("gradients are Lipschitz", norm(g[x] - g[y]), "<=", beta * norm(x - y), {beta: ONTO, **PAIR, f: SMOOTH},
         "twice"),
    true("one step", f(ONE_STEP), "<=", f(x) - norm(g[x]) ** 2 / (2 * beta), {beta: ONTO, x: VECTOR, f: SMOOTH},
         "at 1/β"),
    true("a short step", f(x - alpha * g[x]), "<=", f(x) - alpha * (1 - alpha * beta / 2) * norm(g[x]) ** 2, {beta:
         ONTO, alpha: ONTO, x: VECTOR, f: SMOOTH}, "descent lemma"),
    true("expansive", norm(x - alpha * g[x] - y + alpha * g[y]), "<=", (1 + alpha * beta) * norm(x - y), {beta: ONTO,
         alpha: ONTO, **PAIR, f: SMOOTH}, "triangle"),
    true("convex and nonexpansive", norm(x - alpha * g[x] - y + alpha * g[y]), "<=", norm(x - y), {beta: ONTO, alpha:
         Reals(0, 2 / beta, open_low=True), **PAIR, f: CONVEX}, "co-coercive"),
    true("co-coercive", norm(g[x] - g[y]) ** 2, "<=", beta * inner(g[x] - g[y], x - y), {beta: ONTO, **PAIR, f:
         CONVEX}, "both ways"),
    true("gradients are monotone", inner(g[x] - g[y], x - y), ">=", 0, {**PAIR, f: Functions(convex=True)}, "add up"),
    true("tangents lie below", f(y), ">=", f(x) + inner(g[x], y - x), {**PAIR, f: Functions(convex=True)}, "convex"),
    true("a midpoint", f((x + y) / 2), "<=", (f(x) + f(y)) / 2, {**PAIR, f: Functions(convex=True)}, "convex"),
    true("concave midpoint", f((x + y) / 2), ">=", (f(x) + f(y)) / 2, {**PAIR, f: Functions(concave=True)}, "concave"),
    true("minimum", f(star), "<=", f(x), {x: VECTOR, star: VECTOR, f: Functions(convex=True)}, "no slope",
         Eq(gradient(f(star)), 0)),
    true("strong growth", mu / 2 * norm(x - star) ** 2, "<=", f(x) - f(star), {mu: ONTO, x: VECTOR, star: VECTOR, f:
         Functions(convex=True, strong=mu)}, "no slope", Eq(gradient(f(star)), 0)),
    true("gradients tell the gap", 2 * mu * (f(x) - f(star)), "<=", norm(g[x]) ** 2, {mu: ONTO, x: VECTOR, star:
         VECTOR, f: Functions(convex=True, strong=mu)}, "Polyak", Eq(gradient(f(star)), 0)),
    true("strongly monotone", mu * norm(x - y) ** 2, "<=", inner(g[x] - g[y], x - y), {mu: ONTO, **PAIR, f:
         Functions(convex=True, strong=mu)}, "add up"),
    true("contraction", norm(x - alpha * g[x] - y + alpha * g[y]) ** 2, "<=", (1 - alpha * mu) ** 2 * norm(x - y) ** 2,
         {**STRONG, alpha: Reals(0, 2 / (beta + mu), open_low=True), **PAIR, f: Functions(convex=True, smooth=beta,
         strong=mu)}, "both moduli"),
    true("self-bounding", norm(g[x]) ** 2, "<=", 2 * beta * f(x), {beta: ONTO, x: VECTOR, f: Functions(convex=True,
         smooth=beta, nonnegative=True)}, "one step"),
    true("self-bounding without convexity", norm(g[x]) ** 2, "<=", 2 * beta * f(x), {beta: ONTO, x: VECTOR, f:
         Functions(smooth=beta, nonnegative=True)}, "one step"),
    false("self-bounding by half", norm(g[x]) ** 2, "<=", beta * f(x), {beta: ONTO, x: VECTOR, f:
         Functions(smooth=beta, nonnegative=True)}, "f = |x|²/2", (1, Fraction(1, 2), 1)),
    true("towards a minimum", norm(ONE_STEP - star), "<=", norm(x - star), {beta: ONTO, x: VECTOR, star: VECTOR, f:
         CONVEX}, "nonexpansive", Eq(gradient(f(star)), 0)),
    true("a convex Lipschitz slope", norm(g[x]), "<=", alpha, {alpha: ONTO, x: VECTOR, f: Functions(convex=True,
         lipschitz=alpha)}, "slopes"),
    true("Lipschitz", f(x) - f(y), "<=", alpha * norm(x - y), {alpha: ONTO, **PAIR, f: Functions(lipschitz=alpha)},
         "so"),
    true("slopes of secants", (f(s) - f(r)) / (s - r), "<=", (f(t) - f(s)) / (t - s), {r: Reals(), s: Reals(r,
         open_low=True), t: Reals(s, open_low=True), f: Functions(convex=True)}, "convex"),
    true("a root above", psi(r), "<=", sqrt(r / s) * psi(s), {s: ONTO, r: Reals(s), psi: Functions(sub_root=True)},
         "so"),
    true("a fixed point is the last", r, "<=", s, {s: ONTO, r: ONTO, psi: Functions(sub_root=True)}, "ψ(r)/√r falls",
         Eq(psi(s), s), r <= psi(r)),
    true("never falls", psi(r), "<=", psi(s), {r: Reals(), s: Reals(r), psi: Functions(nondecreasing=True)}, "so"),
    false("below a third of the parabola", f(y), "<=", f(x) + inner(g[x], y - x) + beta / 3 * norm(y - x) ** 2, {beta:
         ONTO, **PAIR, f: SMOOTH}, "f = |x|²/2, x = 1, y = 0", (1, Fraction(1, 2), 0, 1, 1, 0, 0, 0, 0)),
    false("smooth is not monotone", inner(g[x] - g[y], x - y), ">=", 0, {beta: ONTO, **PAIR, f: SMOOTH}, "f = -|x|²/2",
         (1, Fraction(-1, 2), 0, 1, -1, 0, 0, 0, 0)),
    false("convex is not smooth", norm(g[x] - g[y]), "<=", norm(x - y), {**PAIR, f: Functions(convex=True)},
         "f = |x|²", (1, 0, 1, 2, 0, 0, 0, 0)),
    false("half a step's gain more", f(ONE_STEP), "<=", f(x) - Rational(3, 5) * norm(g[x]) ** 2 / beta, {beta: ONTO, x:
         VECTOR, f: SMOOTH}, "f = |x|²/2 from 1", (1, Fraction(1, 2), 0, 1, 0, 0)),
    false("midpoints above", f((x + y) / 2), ">=", (f(x) + f(y)) / 2, {**PAIR, f: Functions(convex=True)}, "f = |x|²",
         (1, Fraction(1, 4), 0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0)),
    false("a root below", psi(r), "<=", sqrt(r / s) * psi(s), {s: ONTO, r: Reals(0, s), psi: Functions(sub_root=True)},
         "ψ = 1", (4, 1, 1, 1)),
    false("any fixed point is the first", s, "<=", r, {s: ONTO, r: ONTO, psi: Functions(sub_root=True)}, "ψ = √", (1,
         Fraction(1, 4), Fraction(1, 2), 1), Eq(psi(s), s), r <= psi(r)),
    false("strictly rising", psi(r) + s - r, "<=", psi(s), {r: Reals(), s: Reals(r), psi:
         Functions(nondecreasing=True)}, "ψ = 0", (0, 1, 0, 0)),
    false("contraction without curvature", norm(x - alpha * g[x] - y + alpha * g[y]) ** 2, "<=", Rational(9, 10) *
         norm(x - y) ** 2, {beta: ONTO, alpha: Reals(0, 2 / beta, open_low=True), **PAIR, f: CONVEX}, "f = 0", (1, 1,
         0, 0, 1, 0, 0, 0, 0, 0)),
]  # fmt: skip

ANY, BETWEEN = Random(), Random(Reals(0, 1))
RARE = (Fraction(1, 100), Fraction(99, 100))
CHANCE = [
    true("Markov", P(X >= a), "<=", E(X) / a, {a: ONTO, X: Random(NONNEGATIVE)}, "term by term"),
    true("Chebyshev", P(X**2 >= a), "<=", E(X**2) / a, {a: ONTO, X: ANY}, "term by term"),
    true("Chernoff", P(X >= a), "<=", E(exp(lam * X)) / exp(lam * a), {a: Reals(), lam: ONTO, X: ANY}, "term by term"),
    true("Jensen for squares", E(X) ** 2, "<=", E(X**2), {X: ANY}, "variance"),
    true("Jensen for exp", exp(E(X)), "<=", E(exp(X)), {X: ANY}, "tangent"),
    true("Jensen for log", E(log(X)), "<=", log(E(X)), {X: Random(ONTO)}, "tangent"),
    true("Jensen for sizes", Abs(E(X)), "<=", E(Abs(X)), {X: ANY}, "term by term"),
    true("Cauchy-Schwarz for means", E(X * Y) ** 2, "<=", E(X**2) * E(Y**2), {X: ANY, Y: ANY}, "weights"),
    true("Popoviciu", Var(X), "<=", Rational(1, 4), {X: BETWEEN}, "X² ≤ X"),
    true("a variance by the mean", Var(X), "<=", E(X) * (1 - E(X)), {X: BETWEEN}, "X² ≤ X"),
    true("variance is least about the mean", Var(X), "<=", E((X - a) ** 2), {a: Reals(), X: ANY}, "expand"),
    true("linearity", E(a * X + Y), "=", a * E(X) + E(Y), {a: Reals(), X: ANY, Y: ANY}, "a sum"),
    true("independent products", E(X * Y), "=", E(X) * E(Y), {X: ANY, Y: Random(apart="Y")}, "a double sum"),
    true("independent variances", Var(X + Y), "=", Var(X) + Var(Y), {X: ANY, Y: Random(apart="Y")}, "a double sum"),
    true("monotone", E(X), "<=", E(Y), {X: ANY, Y: ANY}, "term by term", X <= Y),
    true("two events", P(Or(X >= a, Y >= b)), "<=", P(X >= a) + P(Y >= b), {a: Reals(), b: Reals(), X: ANY, Y: ANY},
         "union"),
    true("a complement", P(X >= a) + P(X < a), "=", 1, {a: Reals(), X: ANY}, "one or the other"),
    true("a bounded mean", E(X), "<=", a + P(X > a), {a: UNIT, X: BETWEEN}, "term by term"),
    true("a fair sign", E(exp(lam * S)), "<=", exp(lam**2 / 2), {lam: ONTO, S: Rademacher()}, "cosh"),
    true("a coin", E(exp(lam * X)), "<=", exp(p * (exp(lam) - 1)), {lam: ONTO, p: UNIT, X: Bernoulli(p)},
         "1 + x ≤ e^x"),
    true("a coin's variance", Var(X), "=", p * (1 - p), {p: UNIT, X: Bernoulli(p)}, "X² = X"),
    true("a normal tilt", E(exp(lam * Z)), "=", exp(lam**2 * sigma**2 / 2), {lam: ONTO, sigma: ONTO, Z: Gaussian(0,
         sigma)}, "complete the square"),
    true("a normal's fourth moment", E(Z**4), "=", 3 * sigma**4, {sigma: ONTO, Z: Gaussian(0, sigma)}, "by parts"),
    true("a shifted normal", E(Z**2), "=", a**2 + sigma**2, {a: Reals(), sigma: ONTO, Z: Gaussian(a, sigma)},
         "moments"),
    true("Khinchin, two signs", E(Abs(a * S + b * Z)) ** 2, "<=", a**2 + b**2, {a: Reals(), b: Reals(), S:
         Rademacher(), Z: Rademacher()}, "Jensen"),
    true("a tilted mean", E(X * exp(X)), ">=", E(X) * E(exp(X)), {X: Random(UNIT, apart="one")}, "Chebyshev's sum"),
    true("Hölder at 1 and infinity", E(X * Y), "<=", a * E(X), {a: ONTO, X: Random(NONNEGATIVE), Y: ANY}, "so", Y <= a),
    true("Paley-Zygmund", (1 - t) ** 2 * E(X) ** 2, "<=", E(X**2) * P(X > t * E(X)), {t: UNIT, X: Random(NONNEGATIVE)},
         "Cauchy-Schwarz"),
    false("Paley-Zygmund and a half", 3 * (1 - t) ** 2 * E(X) ** 2, "<=", 2 * E(X**2) * P(X > t * E(X)), {t: UNIT, X:
         Random(NONNEGATIVE)}, "X = 1", (0, 1, (1,), (1,))),
    false("Paley-Zygmund without a square", (1 - t) * E(X) ** 2, "<=", E(X**2) * P(X > t * E(X)), {t: UNIT, X:
         Random(NONNEGATIVE)}, "a quarter", (Fraction(1, 2), 2, (Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 2), 3))),
    false("Paley-Zygmund with 26/100", Rational(26, 100) * E(X) ** 2, "<=", E(X**2) * P(X > E(X) / 2), {X:
         Random(NONNEGATIVE)}, "one in a hundred", (2, RARE, (101, 1))),
    false("Paley-Zygmund with a smaller power", (1 - t) ** Rational(19, 10) * E(X) ** 2, "<=", E(X**2) * P(X > t *
         E(X)), {t: UNIT, X: Random(NONNEGATIVE)}, "one in a hundred", (Fraction(1, 2), 2, RARE, (101, 1))),
    false("a fourth moment by the second", E(X**4), "<=", 10**4 * E(X**2) ** 2, {X: ANY}, "a rare outcome", (2,
         (Fraction(1, 20000), Fraction(19999, 20000)), (1, 0))),
    false("half by more than the mean", P(X >= Rational(1, 2)), ">=", E(X) - Rational(49, 100), {X: BETWEEN},
         "just below a half", (1, (1,), (Fraction(99, 200),))),
    true("Paley-Zygmund at a half", E(X) ** 2 / 4, "<=", E(X**2) * P(X > E(X) / 2), {X: Random(NONNEGATIVE)},
         "Cauchy-Schwarz"),
    true("half by the mean", P(X >= Rational(1, 2)), ">=", E(X) - Rational(1, 2), {X: BETWEEN}, "term by term"),
    false("a tilted mean by more", E(X * exp(X)), ">=", Rational(11, 10) * E(X) * E(exp(X)), {X: Random(UNIT)}, "X = 1",
         (1, (1,), (1,))),
    false("dependent products", E(X * Y), "=", E(X) * E(Y), {X: ANY, Y: ANY}, "X = Y a fair coin", (2, (Fraction(1,
         2),) * 2, (0, 1), (0, 1))),
    false("Popoviciu short", Var(X), "<=", Rational(6, 25), {X: BETWEEN}, "a fair coin", (2, (Fraction(1, 2),) * 2, (0,
         1))),
    false("Markov for half", P(X >= a), "<=", E(X) / (2 * a), {a: ONTO, X: Random(NONNEGATIVE)}, "X = a", (1, 1, (1,),
         (1,))),
    false("Markov of any sign", P(X >= a), "<=", E(X) / a, {a: ONTO, X: ANY}, "mean zero", (1, 2, (Fraction(1, 2),) *
         2, (1, -1))),
    false("events exclude each other", P(Or(X >= a, Y >= b)), "=", P(X >= a) + P(Y >= b), {a: Reals(), b: Reals(), X:
         ANY, Y: ANY}, "both", (0, 0, 1, (1,), (0,), (0,))),
    false("Jensen turned", exp(E(X)), ">=", E(exp(X)), {X: ANY}, "two values", (2, (Fraction(1, 2),) * 2, (0, 1))),
    false("a fair sign with less", E(exp(lam * S)), "<=", exp(lam**2 / 3), {lam: ONTO, S: Rademacher()}, "near 0",
         (1,)),
    false("a normal's third moment", E(Z**3), "=", 0, {a: Reals(), Z: Gaussian(a, 1)}, "it is a³ + 3a", (1,)),
    false("a union of half", P(Or(X >= a, Y >= b)), "<=", Max(P(X >= a), P(Y >= b)), {a: Reals(), b: Reals(), X: ANY,
         Y: ANY}, "half each", (0, 0, 2, (Fraction(1, 2),) * 2, (0, -1), (-1, 0))),
]  # fmt: skip

STEPS = [
    true("one gradient step towards a minimum", norm(x - g[x] / beta - star) ** 2, "<=", norm(x - star) ** 2, {beta:
         ONTO, x: VECTOR, star: VECTOR, f: CONVEX}, "co-coercive", Eq(gradient(f(star)), 0)),
    true("gap after one step", f(y) - f(star), "<=", beta * norm(x - star) ** 2 / 2, {beta: ONTO, **PAIR, star: VECTOR,
         f: CONVEX}, "regret", Eq(gradient(f(star)), 0), Eq(y, x - g[x] / beta)),
    true("sharp gap after one step", f(y) - f(star), "<=", beta * norm(x - star) ** 2 / 6, {beta: ONTO, **PAIR, star:
         VECTOR, f: CONVEX}, "the worst case of one step", Eq(gradient(f(star)), 0), Eq(y, x - g[x] / beta)),
    true("regret of one step", 2 * eta * inner(g[x], x - star), "=", norm(x - star) ** 2 - norm(x - eta * g[x] - star)
         ** 2 + eta**2 * norm(g[x]) ** 2, {eta: ONTO, x: VECTOR, star: VECTOR, f: Functions(convex=True)}, "expand"),
    true("subgradient step", 2 * eta * (f(x) - f(star)), "<=", norm(x - star) ** 2 - norm(x - eta * g[x] - star) ** 2 +
         eta**2 * alpha**2, {eta: ONTO, alpha: ONTO, x: VECTOR, star: VECTOR, f: Functions(convex=True,
         lipschitz=alpha)}, "expand"),
    true("linear rate of values", f(y) - f(star), "<=", (1 - mu / beta) * (f(x) - f(star)), {**STRONG, **PAIR, star:
         VECTOR, f: Functions(convex=True, smooth=beta, strong=mu)}, "gradients tell the gap", Eq(gradient(f(star)),
         0), Eq(y, x - g[x] / beta)),
    true("linear rate of distances", norm(x - g[x] / beta - star) ** 2, "<=", (1 - mu / beta) * norm(x - star) ** 2,
         {**STRONG, x: VECTOR, star: VECTOR, f: Functions(convex=True, smooth=beta, strong=mu)}, "strongly monotone",
         Eq(gradient(f(star)), 0)),
    true("gradient shrinks", norm(g[y]), "<=", norm(g[x]), {beta: ONTO, **PAIR, f: CONVEX}, "co-coercive", Eq(y, x -
         g[x] / beta)),
    true("three slopes", (f(t) - f(r)) / (t - r), ">=", (f(s) - f(r)) / (s - r), {r: Reals(), s: Reals(r,
         open_low=True), t: Reals(s, open_low=True), f: Functions(convex=True)}, "secants"),
    true("convex combination", f(t * x + (1 - t) * y), "<=", t * f(x) + (1 - t) * f(y), {t: UNIT, **PAIR, f:
         Functions(convex=True)}, "convex"),
    true("strongly convex combination", f((x + y) / 2), "<=", (f(x) + f(y)) / 2 - mu / 8 * norm(x - y) ** 2, {mu: ONTO,
         **PAIR, f: Functions(convex=True, strong=mu)}, "less a square"),
    true("smooth combination", f((x + y) / 2), ">=", (f(x) + f(y)) / 2 - beta / 8 * norm(x - y) ** 2, {beta: ONTO,
         **PAIR, f: CONVEX}, "plus a square"),
    true("smooth combination, not convex", Abs(f((x + y) / 2) - (f(x) + f(y)) / 2), "<=", beta / 8 * norm(x - y) ** 2,
         {beta: ONTO, **PAIR, f: SMOOTH}, "twice"),
    true("Lipschitz means", Abs(f(x) - f(y)), "<=", alpha * norm(x - z) + alpha * norm(z - y), {alpha: ONTO, **PAIR, z:
         VECTOR, f: Functions(lipschitz=alpha)}, "triangle"),
    true("concave subadditive", psi(r + s), "<=", psi(r) + psi(s), {r: NONNEGATIVE, s: NONNEGATIVE, psi:
         Functions(concave=True)}, "chords from 0", psi(0) >= 0),
    true("sub-root doubling", psi(2 * r), "<=", sqrt(2) * psi(r), {r: ONTO, psi: Functions(sub_root=True)},
         "a root above"),
    true("sub-root below", psi(r), "<=", Max(s, sqrt(r * s)), {r: ONTO, s: ONTO, psi: Functions(sub_root=True)},
         "either side", Eq(psi(s), s)),
    true("smooth gap", norm(g[x]) ** 2 / (2 * beta), "<=", f(x) - f(star), {beta: ONTO, x: VECTOR, star: VECTOR, f:
         CONVEX}, "one step", Eq(gradient(f(star)), 0)),
    true("smooth gap above", f(x) - f(star), "<=", beta / 2 * norm(x - star) ** 2, {beta: ONTO, x: VECTOR, star:
         VECTOR, f: SMOOTH}, "descent lemma", Eq(gradient(f(star)), 0)),
    true("Bregman is nonnegative and smooth", f(y) - f(x) - inner(g[x], y - x), "<=", beta / 2 * norm(x - y) ** 2,
         {beta: ONTO, **PAIR, f: CONVEX}, "descent lemma"),
    false("gradients tell half more", 3 * mu * (f(x) - f(star)), "<=", norm(g[x]) ** 2, {mu: ONTO, x: VECTOR, star:
         VECTOR, f: Functions(convex=True, strong=mu)}, "f = |x|²/2", (1, 0, Fraction(1, 2), 1, 1, 0),
         Eq(gradient(f(star)), 0)),
    false("any flat point is a minimum", f(star), "<=", f(x), {beta: ONTO, x: VECTOR, star: VECTOR, f: SMOOTH},
         "f = -|x|²/2", (1, 0, Fraction(-1, 2), 1, -1, 0), Eq(gradient(f(star)), 0)),
    false("smooth and nonexpansive", norm(x - alpha * g[x] - y + alpha * g[y]), "<=", norm(x - y), {beta: ONTO, alpha:
         ONTO, **PAIR, f: SMOOTH}, "f = -|x|²/2", (1, 1, Fraction(-1, 2), 0, 1, -1, 0, 0, 0, 0)),
    false("concave superadditive", psi(r + s), ">=", psi(r) + psi(s), {r: NONNEGATIVE, s: NONNEGATIVE, psi:
         Functions(concave=True)}, "ψ = 1", (1, 1, 1, 0, 1, 0, 1, 0, 1, 0), psi(0) >= 0),
]  # fmt: skip

HALVES = (Fraction(1, 2), Fraction(1, 2))
LAWS = [
    true("sub-Gaussian tail", P(X >= a), "<=", exp(-(a**2) / (2 * sigma**2)), {a: ONTO, sigma: ONTO, X: ANY},
         "Chernoff", E(exp(a * X / sigma**2)) <= exp(a**2 / (2 * sigma**2))),
    true("Cantelli", P(X >= a) * (a**2 + b), "<=", b, {a: ONTO, b: ONTO, X: ANY}, "shift, then square", Eq(E(X), 0),
         E(X**2) <= b),
    true("Donsker-Varadhan", E(D * X), "<=", log(E(exp(X))) + E(D * log(D)), {D: Density(), X: ANY}, "Gibbs"),
    true("relative entropy", E(D * log(D)), ">=", 0, {D: Density()}, "Gibbs"),
    true("chi squared above", E(D * log(D)), "<=", E((D - 1) ** 2), {D: Density()}, "log x ≤ x - 1"),
    true("Hellinger", E((sqrt(D) - 1) ** 2), "<=", E(D * log(D)), {D: Density()}, "log x ≤ x - 1"),
    true("total variation by Hellinger", E(Abs(D - 1)) ** 2, "<=", 4 * E((sqrt(D) - 1) ** 2), {D: Density()},
         "Cauchy-Schwarz"),
    true("Minkowski", sqrt(E((X + Y) ** 2)), "<=", sqrt(E(X**2)) + sqrt(E(Y**2)), {X: ANY, Y: ANY}, "Cauchy-Schwarz"),
    true("variance of a sum", Var(X + Y), "<=", 2 * Var(X) + 2 * Var(Y), {X: ANY, Y: ANY}, "Var(X - Y) ≥ 0"),
    true("covariance", E(X * Y) - E(X) * E(Y), "<=", sqrt(Var(X) * Var(Y)), {X: ANY, Y: ANY}, "Cauchy-Schwarz"),
    true("a mean by a tail", E(X), "<=", a + b * P(X >= a), {a: NONNEGATIVE, b: Reals(a), X: Random(Reals(0, b))},
         "term by term"),
    true("harmonic mean", 1 / E(1 / X), "<=", E(X), {X: Random(ONTO)}, "Cauchy-Schwarz"),
    true("geometric mean", exp(E(log(X))), "<=", E(X), {X: Random(ONTO)}, "Jensen"),
    true("max of two", E(Max(X, Y)), "<=", E(X) + E(Y), {X: Random(NONNEGATIVE), Y: Random(NONNEGATIVE)},
         "term by term"),
    true("max of two below", E(Max(X, Y)), ">=", Max(E(X), E(Y)), {X: ANY, Y: ANY}, "term by term"),
    true("log mean exp", log(E(exp(X))), ">=", E(X), {X: ANY}, "Jensen"),
    true("Hoeffding first", E(exp(lam * X)), "<=", 1 - E(X) + E(X) * exp(lam), {lam: ONTO, X: BETWEEN},
         "the chord of exp"),
    true("Bennett's step", E(exp(X)), "<=", 1 + E(X) + E(X**2), {X: Random(Reals(-1, 1))}, "e^x ≤ 1 + x + x²"),
    true("second moment", E(X) ** 2, "<=", E(X**2) * P(X > 0), {X: Random(NONNEGATIVE)}, "Cauchy-Schwarz"),
    true("symmetric", E(X * S), "=", 0, {X: ANY, S: Rademacher()}, "halves cancel"),
    true("symmetrised square", E((X - Y) ** 2), "=", Var(X) + Var(Y) + (E(X) - E(Y)) ** 2, {X: ANY, Y:
         Random(apart="Y")}, "a double sum"),
    true("a normal's absolute", E(Z**2) * sigma**2, "=", sigma**4, {sigma: ONTO, Z: Gaussian(0, sigma)},
         "its variance"),
    true("randomized sign", E(exp(S * lam) * S), "=", (exp(lam) - exp(-lam)) / 2, {lam: ONTO, S: Rademacher()},
         "two halves"),
    true("Bernoulli pair", P(X + Y >= 1), "=", p + t - p * t, {p: UNIT, t: UNIT, X: Bernoulli(p), Y: Bernoulli(t)},
         "one or the other"),
    true("SGD step in mean", E(norm(x - eta * S * v) ** 2), "=", norm(x) ** 2 + eta**2 * norm(v) ** 2, {eta: ONTO, x:
         VECTOR, v: VECTOR, S: Rademacher()}, "the mixed term vanishes"),
    true("noisy step", E(norm(v - eta * (w + Z * u)) ** 2), "=", norm(v - eta * w) ** 2 + eta**2 * sigma**2 * norm(u)
         ** 2, {eta: ONTO, sigma: ONTO, u: VECTOR, **TWO, Z: Gaussian(0, sigma)}, "the mixed term vanishes"),
    false("Cantelli for half", P(X >= a) * (a**2 + b), "<=", b / 2, {a: ONTO, b: ONTO, X: ANY}, "a fair sign", (1, 1,
         2, HALVES, (1, -1)), Eq(E(X), 0), E(X**2) <= b),
    false("Cantelli for 99 in 100", P(X - E(X) >= a), "<=", Rational(99, 100) * Var(X) / (Var(X) + a**2), {a: ONTO, X:
         ANY}, "a fair sign", (1, 2, HALVES, (1, -1))),
    false("Chebyshev for 99 in 100", P((X - E(X)) ** 2 >= a**2), "<=", Rational(99, 100) * Var(X) / a**2, {a: ONTO, X:
         ANY}, "a fair sign", (1, 2, HALVES, (1, -1))),
    false("Donsker-Varadhan with half an entropy", E(D * X), "<=", log(E(exp(X))) + E(D * log(D)) / 2, {D: Density(),
         X: ANY}, "nine tenths", (2, HALVES, (Fraction(9, 10), Fraction(1, 10)), (1, 0))),
    false("Pinsker with half", E(Abs(D - 1)) ** 2, "<=", E(D * log(D)), {D: Density()}, "nine tenths", (2, HALVES,
         (Fraction(9, 10), Fraction(1, 10)))),
    false("a second moment with twice the mean", 2 * E(X) ** 2, "<=", E(X**2) * P(X > 0), {X: Random(NONNEGATIVE)},
         "X = 1", (1, (1,), (1,))),
    false("covariance by half", E(X * Y) - E(X) * E(Y), "<=", sqrt(Var(X) * Var(Y)) / 2, {X: ANY, Y: ANY}, "X = Y",
         (2, HALVES, (0, 1), (0, 1))),
    false("geometric mean short", exp(E(log(X))), "<=", Rational(9, 10) * E(X), {X: Random(ONTO)}, "X = 1", (1, (1,),
         (1,))),
    true("Hoeffding's lemma", E(exp(lam * (X - E(X)))), "<=", exp(lam**2 / 8), {lam: ONTO, X: BETWEEN}, "chords"),
    true("Bernstein's moment", E(exp(lam * X)), "<=", exp(E(X**2) * (exp(lam) - lam - 1)), {lam: ONTO, X:
         Random(Reals(high=1))}, "a parabola", Eq(E(X), 0)),
    false("Hoeffding's lemma with 9 for any law", E(exp(lam * (X - E(X)))), "<=", exp(lam**2 / 9), {lam: ONTO, X:
         BETWEEN}, "a fair coin", (1, 2, HALVES, (0, 1))),
    false("Bernstein's moment of any mean", E(exp(lam * X)), "<=", exp(E(X**2) * (exp(lam) - lam - 1)), {lam:
         ONTO, X: Random(Reals(high=1))}, "X = 1", (1, 1, (1,), (1,))),
    false("Bennett's step with half", E(exp(X)), "<=", 1 + E(X) + E(X**2) / 2, {X: Random(Reals(-1, 1))}, "e > 5/2",
         (1, (1,), (1,))),
]  # fmt: skip

STATEMENTS = [*VECTORS, *FUNCTIONS, *STEPS, *CHANCE, *LAWS]
