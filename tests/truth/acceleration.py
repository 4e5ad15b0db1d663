"""Steps of proofs about accelerated, mirror and stochastic descent, and what clipping does to heavy tails."""

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import isqrt
from typing import Any

import sympy as sp
from sympy import Abs, Eq, Max, Min, Piecewise, Rational, Sum, exp, log, sqrt

from boundaudit import (
    Domain,
    E,
    Euclidean,
    ForAll,
    Functions,
    Integers,
    Random,
    Reals,
    Var,
    Vector,
    gradient,
    inner,
    norm,
)

from .spaces import false as false_in_space
from .spaces import true as true_in_space
from .statement import Truth, false, true

T, t = sp.symbols("T t", integer=True, positive=True)
a, b, c, eta, beta, gamma, mu, kappa, L, G = sp.symbols("a b c eta beta gamma mu kappa L G", positive=True)
m = sp.Symbol("m", positive=True)
nu, rounds = sp.symbols("nu rounds", real=True)
x, y, z, u, g = sp.symbols("x y z u g")
X, Y, S = sp.symbols("X Y S", real=True)
h, r, d, w = (sp.IndexedBase(name, real=True) for name in "hrdw")
f, psi = sp.Function("f"), sp.Function("psi")
ANY, ONTO, UNIT = Reals(), Reals(0, open_low=True), Reals(0, 1)
VECTOR = Euclidean()
ALL, STEPS = (t, 1, T), (t, 1, T - 1)
COUNT = {T: Integers(1, tested_to=12)}
AFTER = Vector(T + 1, Reals(0))
VALUES = {**COUNT, h: Vector(T, Reals(0))}
NESTEROV = {**COUNT, w: Vector(T, Reals(1))}
GROWS = ForAll(Eq(w[t + 1] ** 2 - w[t + 1], w[t] ** 2), STEPS)
DF = {x: gradient(f(x)), y: gradient(f(y)), z: gradient(f(z))}
CONVEX, SMOOTH = Functions(convex=True), Functions(convex=True, smooth=L)
CLIPPED = Max(-a, Min(a, X))
BEYOND = E(Piecewise((Abs(X), Abs(X) > a), (0, True)))
TAILS = {a: ONTO, X: Random(ANY)}
MIRROR = {eta: ONTO, x: VECTOR, y: VECTOR, u: VECTOR, g: VECTOR, psi: Functions(convex=True, strong=1)}
REFLECTED = Eq(gradient(psi(y)), gradient(psi(x)) - eta * g)
FRANK_WOLFE = ForAll(h[t + 1] <= (1 - 2 / (t + 2)) * h[t] + 2 * L / (t + 2) ** 2, STEPS)
REDUCED = {X: Random(ANY), Y: Random(ANY), S: Random(ANY)}
EXTRA = {L: ONTO, x: VECTOR, u: VECTOR, f: SMOOTH}
HALFWAY = x - eta * DF[x]
AHEAD = gradient(f(HALFWAY))


PARABOLA = [1, Rational(11, 10), Rational(1, 2), Rational(1, 200), 1, 1, 0, Rational(-1, 10), 0, 0]
SHORT_STEPS = {eta: Reals(1 / (20 * L), 1 / (10 * L)), rounds: Reals(100 * L / mu)}


def numbers(ranges: dict[Any, Any], *where: Any) -> Domain:
    return Domain(ranges, where=where)


def bregman(of: Any, point: Any, base: Any) -> Any:
    return of(point) - of(base) - inner(gradient(of(base)), point - base)


def mirrored(share: Any) -> tuple[Any, str, Any, dict[Any, Any], Any]:
    """One step of mirror descent with a share of the squared gradient."""
    return (eta * inner(g, x - u), "<=", bregman(psi, u, x) - bregman(psi, u, y) + eta**2 * share * norm(g) ** 2,
            MIRROR, REFLECTED)  # fmt: skip


def ahead(longest: Any) -> tuple[Any, str, Any, dict[Any, Any]]:
    """An extragradient step of length at most that."""
    return (2 * eta * inner(AHEAD, HALFWAY - u), "<=", norm(x - u) ** 2 - norm(x - eta * AHEAD - u) ** 2,
            {**EXTRA, eta: Reals(0, longest, open_low=True)})  # fmt: skip


def slowest(steps: int, first: Fraction, step: Callable[[int, Fraction], Fraction]) -> tuple[Fraction, ...]:
    """What a recursion comes to at its worst, step by step."""
    return tuple(accumulate(range(1, steps), lambda last, t: step(t, last), initial=first))


def next_gap(step: int, last: Fraction) -> Fraction:
    """What Frank-Wolfe leaves at most, for L = 1."""
    return last * Fraction(step, step + 2) + Fraction(2, (step + 2) ** 2)


def next_root(_: int, last: Fraction) -> Fraction:
    """Nesterov's next term, rounded down to six digits."""
    return Fraction(isqrt(int(10**12 * (last**2 + Fraction(1, 4)))), 10**6) + Fraction(1, 2)


STATEMENTS: list[Truth] = [
    true_in_space("three points by Bregman", bregman(f, z, x) + bregman(f, x, y) - bregman(f, z, y), "=", inner(DF[y] -
                  DF[x], z - x), {x: VECTOR, y: VECTOR, z: VECTOR, f: CONVEX}, "expand"),
    true_in_space("one step of mirror descent", *mirrored(Rational(1, 2))[:4], "three points, two means",
                  mirrored(Rational(1, 2))[4]),
    true("mirror descent's regret", Sum(r[t], ALL), "<=", c / eta + eta * T * G**2 / 2, numbers({**COUNT, eta: ONTO, c:
         ONTO, G: ONTO, r: Vector(T, ANY), d: AFTER}, d[1] <= c, ForAll(eta * r[t] <= d[t] - d[t + 1] + eta**2 * G**2 /
         2, ALL)), "telescope"),
    true("mirror descent at its best step", c / eta + eta * T * G**2 / 2, ">=", G * sqrt(2 * c * T), numbers({**COUNT,
         eta: ONTO, c: ONTO, G: ONTO}), "two means"),
    true("averages weighted by t", Sum(t * r[t], ALL), "<=", T * c, numbers({**COUNT, mu: ONTO, c: ONTO, r: Vector(T,
         ANY), d: AFTER}, ForAll(t * r[t] <= mu / 4 * (t * (t - 1) * d[t] - t * (t + 1) * d[t + 1]) + c, ALL)),
         "telescope"),
    true("Nesterov's sequence grows", w[T], ">=", (T + 1) / sp.Integer(2), numbers(NESTEROV, GROWS), "induction"),
    true("Nesterov's sequence grows, as it is computed", w[T], ">=", (T + 1) / sp.Integer(2), numbers({**COUNT, w:
         Vector(T, ANY)}, Eq(w[1], 1), ForAll(Eq(w[t + 1], (1 + sqrt(1 + 4 * w[t] ** 2)) / 2), STEPS)), "induction"),
    true("Nesterov's squares grow", w[T] ** 2, ">=", T**2 / sp.Integer(4), numbers(NESTEROV, GROWS), "induction"),
    true("Nesterov's sequence from above", w[T], "<=", T, numbers(NESTEROV, w[1] <= 1, GROWS), "induction"),
    true("Nesterov's sequence adds up", Sum(w[t], ALL), "=", w[T] ** 2, numbers(NESTEROV, Eq(w[1], 1), GROWS),
         "telescope"),
    true("an accelerated rate", h[T], "<=", 4 * (h[1] + d[1]) / (T + 1) ** 2, numbers({**NESTEROV, h: Vector(T,
         Reals(0)), d: Vector(T, Reals(0))}, Eq(w[1], 1), GROWS, ForAll(w[t + 1] ** 2 * h[t + 1] + d[t + 1] <= w[t] ** 2
         * h[t] + d[t], STEPS)), "a potential"),
    true_in_space("one accelerated step", b**2 * (f(x - DF[x] / L) - f(u)) - b * (b - 1) * (f(y) - f(u)), "<=", L / 2 *
                  (norm(b * x - (b - 1) * y - u) ** 2 - norm(b * (x - DF[x] / L) - (b - 1) * y - u) ** 2), {L: ONTO, b:
                  Reals(1), x: VECTOR, y: VECTOR, u: VECTOR, f: SMOOTH}, "two tangents, one step"),
    true_in_space("a gradient step, compared", f(x - DF[x] / L) - f(u), "<=", inner(DF[x], x - u) - norm(DF[x]) ** 2 /
                  (2 * L), EXTRA, "descent"),
    true_in_space("an implicit step", f(y) - f(u), "<=", (norm(x - u) ** 2 - norm(y - u) ** 2) / (2 * eta), {eta: ONTO,
                  x: VECTOR, y: VECTOR, u: VECTOR, f: CONVEX}, "three points", Eq(x, y + eta * DF[y])),
    true_in_space("an extragradient step", *ahead(1 / L), "three points"),
    true("gradients that dominate", h[T], "<=", exp(-mu * (T - 1) / L) * h[1], numbers({**VALUES, L: ONTO, mu: Reals(0,
         L, open_low=True)}, ForAll(h[t + 1] <= (1 - mu / L) * h[t], STEPS)), "induction"),
    true("Frank-Wolfe", h[T], "<=", 2 * L / (T + 2), numbers({L: ONTO, **VALUES}, h[1] <= L / 2, FRANK_WOLFE),
         "induction"),
    true("strongly convex steps", d[T], "<=", nu / (gamma + T), numbers({**COUNT, gamma: ONTO, beta: Reals(1, gamma +
         1, open_low=True), m: ONTO, nu: Reals(m / (beta - 1)), d: Vector(T, Reals(0))}, d[1] <= nu / (gamma + 1),
         ForAll(d[t + 1] <= (1 - beta / (gamma + t)) * d[t] + m / (gamma + t) ** 2, STEPS)), "induction"),
    true("steps of 1/√t on average", Sum(1 / t, ALL) / Sum(1 / sqrt(t), ALL), "<=", (1 + log(T)) / sqrt(T),
         numbers(COUNT), "both sums"),
    true("a mean of gradients", h[T], "<=", G * (1 - nu ** (T - 1)), numbers({**COUNT, G: ONTO, nu: UNIT, h:
         Vector(T, ANY)}, Eq(h[1], 0), ForAll(h[t + 1] <= nu * h[t] + (1 - nu) * G, STEPS)), "induction"),
    true("the factor of acceleration", ((sqrt(kappa) - 1) / (sqrt(kappa) + 1)) ** T, "<=", exp(-2 * T / sqrt(kappa)),
         numbers({kappa: Reals(1), **COUNT}), "artanh x >= x"),
    true("acceleration shrinks more", 1 - 1 / sqrt(kappa), "<=", 1 - 1 / kappa, numbers({kappa: Reals(1)}), "√κ <= κ"),
    true("an epoch of variance reduction", 1 / (mu * eta * (1 - 2 * L * eta) * rounds) + 2 * L * eta / (1 - 2 * L *
         eta), "<=", Rational(1, 2), numbers({L: ONTO, mu: ONTO, **SHORT_STEPS}), "insert"),
    true_in_space("a reduced variance", E((X - Y + E(Y)) ** 2), "<=", 2 * E((X - S) ** 2) + 2 * E((Y - S) ** 2),
                  REDUCED, "a square, and a variance", Eq(E(S), 0)),
    true_in_space("a clipped mean", Abs(E(CLIPPED) - E(X)), "<=", E(X**2) / (4 * a), TAILS, "pointwise"),
    true_in_space("clipping shrinks the variance", Var(CLIPPED), "<=", Var(X), TAILS, "clipping is Lipschitz"),
    true_in_space("a truncated tail", BEYOND, "<=", E(X**2) / a, TAILS, "pointwise"),
    true_in_space("a truncated tail of any moment", BEYOND, "<=", E(Abs(X) ** b) / a ** (b - 1), {b: Reals(1), **TAILS},
                  "pointwise"),
    false_in_space("mirror descent with a quarter", *mirrored(Rational(1, 4))[:4], "no curvature more",
                   [1, Rational(1, 2), 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0], mirrored(Rational(1, 4))[4]),
    false("Nesterov's sequence, half and half", w[T], "<=", (T + 2) / sp.Integer(2), numbers(NESTEROV, w[1] <= 1,
          ForAll(w[t + 1] ** 2 - w[t + 1] <= w[t] ** 2, STEPS)), "many steps", T=13,
          w=slowest(13, Fraction(1), next_root)),
    false("Nesterov's sequence adds up from anywhere", Sum(w[t], ALL), "=", w[T] ** 2, numbers(NESTEROV, GROWS),
          "another start", T=1, w=(2,)),
    false("gradients that dominate more", h[T], "<=", exp(-11 * mu * (T - 1) / (10 * L)) * h[1], numbers({**VALUES, L:
          ONTO, mu: Reals(0, L, open_low=True)}, ForAll(h[t + 1] <= (1 - mu / L) * h[t], STEPS)), "badly conditioned",
          T=2, L=10, mu=1, h=(1, Rational(9, 10))),
    false("Frank-Wolfe with 7/4", h[T], "<=", 7 * L / (4 * (T + 2)), numbers({L: ONTO, **VALUES}, h[1] <= L / 2,
          FRANK_WOLFE), "many steps", T=11, L=1, h=slowest(11, Fraction(1, 2), next_gap)),
    false_in_space("an extragradient step too long", *ahead(Rational(11, 10) / L), "a parabola",
                   PARABOLA),
    false("the factor of acceleration with more", (sqrt(kappa) - 1) / (sqrt(kappa) + 1), "<=", exp(-2 / sqrt(kappa) -
          Rational(7, 10) / kappa ** Rational(3, 2)), numbers({kappa: Reals(1)}), "badly conditioned", kappa=100),
    false_in_space("a variance that is not reduced", E((X - Y + E(Y)) ** 2), "<=", 2 * E((X - S) ** 2) + 2 * E((Y - S)
                   ** 2), REDUCED, "no mean of zero", [1, (1,), (1,), (1,), (1,)]),
    false_in_space("a clipped mean by a fifth", Abs(E(CLIPPED) - E(X)), "<=", E(X**2) / (5 * a), TAILS,
                   "twice the threshold", [1, 1, (1,), (2,)]),
    false_in_space("a truncated tail by its variance", BEYOND, "<=", Var(X) / a, TAILS, "a certain outcome", [1, 1,
                   (1,), (2,)]),
]  # fmt: skip
