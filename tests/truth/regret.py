"""Steps of proofs about regret: online learning and bandits."""

from typing import Any

import sympy as sp
from sympy import Eq, Min, Rational, Sum, exp, log, pi, sqrt

from boundaudit import Domain, Euclidean, Functions, Integers, Reals, Vector, gradient, norm

from .spaces import true as of_space
from .statement import Truth, false, true

n, T, i, t, s = sp.symbols("n T i t s", integer=True, positive=True)
eta, y, a, b, c, d, mu = sp.symbols("eta y a b c d mu", positive=True)
x, delta, w, u = sp.symbols("x delta w u", real=True)
p, z, g = (sp.IndexedBase(name, real=True) for name in "pzg")
f = sp.Function("f")
ONTO, INNER = Reals(0, open_low=True), Reals(0, 1, open_low=True, open_high=True)
ARMS, STEPS = (i, 1, n), (t, 1, T)
UP_TO, BEFORE, ALL = (Sum(g[s], (s, 1, end)) for end in (t, t - 1, T))
LAW = {n: Integers(1), eta: ONTO, p: Vector(n, Reals(0, 1, open_low=True))}
KL = a * log(a / b) + (1 - a) * log((1 - a) / (1 - b))
CHANCES = {a: INNER, b: INNER}


def gradients(entry: Reals) -> Domain:
    return Domain({T: Integers(1), g: Vector(T, entry)})


def of_arms(entry: Reals, **more: Any) -> Domain:
    return Domain({**LAW, z: Vector(n, entry), **more}, where=[Eq(Sum(p[i], ARMS), 1)])


STATEMENTS: list[Truth] = [
    true("steps by all gradients so far", Sum(g[t] / sqrt(UP_TO), STEPS), "<=", 2 * sqrt(ALL), gradients(ONTO),
         "a/√(S + a) <= 2√(S + a) - 2√S"),
    true("self-confident steps", Sum(g[t] / sqrt(1 + UP_TO), STEPS), "<=", 2 * sqrt(1 + ALL), gradients(Reals(0, 1)),
         "a/√(S + a) <= 2√(S + a) - 2√S"),
    true("a logarithm of what adds up", Sum(g[t] / (1 + UP_TO), STEPS), "<=", log(1 + ALL), gradients(Reals(0)),
         "tangent"),
    true("elliptic potential", Sum(Min(1, g[t] / (1 + BEFORE)), STEPS), "<=", 2 * log(1 + ALL), gradients(Reals(0)),
         "min(1, z) <= 2 log(1 + z)"),
    true("squares of what adds up", Sum(g[t] * UP_TO, STEPS), ">=", ALL**2 / 2, gradients(Reals(0)),
         "half of the square and of the squares"),
    true("the weights' potential", log(Sum(p[i] * exp(-eta * z[i]), ARMS)), "<=",
         -eta * Sum(p[i] * z[i], ARMS) + eta**2 / 2 * Sum(p[i] * z[i] ** 2, ARMS), of_arms(Reals(0)),
         "log z <= z - 1, e^-z <= 1 - z + z²/2"),
    true("the weights' temperature", log(n) / eta + eta * T / 8, ">=", sqrt(T * log(n) / 2),
         Domain({n: Integers(2), T: Integers(1), eta: ONTO}), "AM-GM"),
    true("losses by their chances", Sum(p[i] * (z[i] / p[i]) ** 2 * p[i], ARMS), "<=", n, of_arms(Reals(0, 1)),
         "term by term"),
    true("Pinsker for small means", KL, ">=", (a - b) ** 2 / (2 * b), Domain(CHANCES, where=[a <= b]),
         "twice along the first mean"),
    true("a horizon from its logarithm", log(x), "<=", x * delta / 2,
         Domain({x: ONTO, delta: Reals(0, 1, open_low=True)}, where=[x >= 4 / delta * log(2 / delta)]),
         "rising from there"),
    true("pulls of an arm", sqrt(2 * log(1 / delta) / y), "<=", d / 2,
         Domain({delta: Reals(0, 1, open_low=True), d: ONTO, y: ONTO}, where=[y >= 8 * log(1 / delta) / d**2]), "root"),
    true("a gap no larger than it costs", Min(T * d, c / d), "<=", sqrt(c * T), Domain({T: Integers(1), c: ONTO,
         d: ONTO}), "geometric mean"),
    true("a bound in itself", x, "<=", b + sqrt(a * b) + a, Domain({x: Reals(0), a: ONTO, b: ONTO},
         where=[x <= b + sqrt(a * x)]), "solve for √x"),
    of_space("one step along a gradient", f(w) - f(u), "<=",
         (norm(w - u) ** 2 - norm(w - eta * gradient(f(w)) - u) ** 2) / (2 * eta) + eta / 2 * norm(gradient(f(w))) ** 2,
         {eta: ONTO, w: Euclidean(), u: Euclidean(), f: Functions(convex=True)}, "expand the square"),
    of_space("one step with a strong convexity", f(w) - f(u), "<=",
         (norm(w - u) ** 2 - norm(w - eta * gradient(f(w)) - u) ** 2) / (2 * eta) + eta / 2 * norm(gradient(f(w))) ** 2
         - mu / 2 * norm(w - u) ** 2, {eta: ONTO, mu: ONTO, w: Euclidean(), u: Euclidean(),
         f: Functions(convex=True, strong=mu)}, "expand the square"),
    true("a union over all times", Sum(delta / (t * (t + 1)), STEPS), "<=", delta,
         Domain({T: Integers(1), delta: Reals(0, 1)}), "telescope"),
    false("steps by gradients before", Sum(g[t] / (1 + BEFORE), STEPS), "<=", log(1 + ALL), gradients(Reals(0, 1)),
          "one gradient", T=1, g=(1,)),
    false("steps with 3/2", Sum(g[t] / sqrt(UP_TO), STEPS), "<=", Rational(3, 2) * sqrt(ALL), gradients(ONTO),
          "many equal gradients", T=9, g=(1,) * 9),
    false("elliptic potential with 7/5", Sum(Min(1, g[t] / (1 + BEFORE)), STEPS), "<=", Rational(7, 5) * log(1 + ALL),
          gradients(Reals(0)), "one gradient", T=1, g=(1,)),
    false("a potential with a third", log(Sum(p[i] * exp(-eta * z[i]), ARMS)), "<=",
          -eta * Sum(p[i] * z[i], ARMS) + eta**2 / 3 * Sum(p[i] * z[i] ** 2, ARMS), of_arms(Reals(0)), "small losses",
          n=2, eta=Rational(1, 10), p=(Rational(9, 10), Rational(1, 10)), z=(0, 1)),
    false("a temperature with 10/19", log(n) / eta + eta * T / 8, ">=", sqrt(T * log(n) * Rational(10, 19)),
          Domain({n: Integers(2), T: Integers(1), eta: ONTO}), "the best temperature", n=2, T=1, eta=Rational(47, 20)),
    false("Pinsker for all means", KL, ">=", (a - b) ** 2 / (2 * b), Domain(CHANCES), "large means", a=Rational(1, 2),
          b=Rational(1, 5)),
    false("a horizon from half its logarithm", log(x), "<=", x * delta / 2,
          Domain({x: ONTO, delta: Reals(0, 1, open_low=True)}, where=[x >= 2 / delta * log(2 / delta)]),
          "long horizons", x=Rational(1100, 1), delta=Rational(1, 100)),
    false("a bound in itself with half", x, "<=", b + sqrt(a * b) + a / 2, Domain({x: Reals(0), a: ONTO, b: ONTO},
          where=[x <= b + sqrt(a * x)]), "where it binds", x=2, a=1, b=Rational(2, 3)),
    false("a union with squares", Sum(6 * delta / (pi**2 * t**2), STEPS), "<=", Rational(99, 100) * delta,
          Domain({T: Integers(1), delta: Reals(0, 1)}), "a hundred times", T=100, delta=1),
]  # fmt: skip
