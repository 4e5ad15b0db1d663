"""Steps of proofs about margins, boosting, local complexities and symmetrisation."""

from typing import Any

import sympy as sp
from sympy import Abs, Eq, Max, Min, Piecewise, Product, Rational, Sum, exp, log, sqrt

from boundaudit import (
    Domain,
    E,
    Euclidean,
    ForAll,
    Functions,
    Integers,
    Maximum,
    Random,
    Reals,
    Symmetric,
    Var,
    Vector,
    gradient,
    inner,
    norm,
)

from .spaces import false as false_in_space
from .spaces import true as true_in_space
from .statement import Truth, false, true

n, m, T, K, i, k, t = sp.symbols("n m T K i k t", integer=True, positive=True)
a, b, c, r, gamma, lam, mu, beta, eta = sp.symbols("a b c r gamma lamda mu beta eta", positive=True)
x, y, p, q, epsilon = sp.symbols("x y p q epsilon", real=True)
u, v = sp.symbols("u v")
X, Y = sp.symbols("X Y", real=True)
z, s, g, h = (sp.IndexedBase(name, real=True) for name in "zsgh")
f, A = sp.Function("f"), sp.Function("A")
ANY, ONTO, UNIT = Reals(), Reals(0, open_low=True), Reals(0, 1)
INNER, EDGE = Reals(0, 1, open_low=True, open_high=True), Reals(-Rational(1, 2), Rational(1, 2))
EACH, VECTOR = (i, 1, n), Euclidean()
SUMS, COPIES = {n: Integers(1), z: Vector(n, ANY), s: Vector(n, ANY)}, {X: Random(ANY), Y: Random(ANY, apart="copy")}
SOFT, OTHER = log(Sum(exp(z[i]), EACH)), log(Sum(exp(s[i]), EACH))
LARGEST, APART = Maximum(z[i], EACH), Maximum(Abs(z[i] - s[i]), EACH)
BENNETT, MOMENT = exp(lam) - lam - 1, E(exp(lam * (X - E(X))))
ROUND = 2 * sqrt((Rational(1, 2) - g[t]) * (Rational(1, 2) + g[t]))
ROUNDS, EDGES = Product(ROUND, (t, 1, T)), Domain({T: Integers(1), g: Vector(T, EDGE)})
SHARES = Domain({n: Integers(1), z: Vector(n, UNIT)})
KL = q * log(q / p) + (1 - q) * log((1 - q) / (1 - p))
SMOOTH, PSD = {beta: ONTO, u: VECTOR, f: Functions(smooth=beta)}, {a: ONTO, A: Symmetric(low=0), u: VECTOR, v: VECTOR}
DUAL, FOUND = Eq(A(u) + a * u, v), Domain({n: Integers(1), a: ONTO, r: ONTO})


def ramp(x: Any) -> Any:
    return Min(1, Max(0, 1 - x / gamma))


def bits(relation: Any) -> Domain:
    return Domain({p: INNER, q: INNER, a: ONTO}, where=[relation])


def numbers(ranges: dict[Any, Any], *where: Any) -> Domain:
    return Domain(ranges, where=where)


PERCEPTRON = numbers(
    {gamma: ONTO, r: ONTO, T: Integers(1), g: Vector(T, Reals(0)), h: Vector(T, Reals(0))}, Eq(g[1], 0), Eq(h[1], 0),
    ForAll(g[t + 1] >= g[t] + gamma, (t, 1, T - 1)), ForAll(h[t + 1] <= h[t] + r**2, (t, 1, T - 1)), g[T] ** 2 <= h[T],
)  # fmt: skip
MARGIN = numbers(
    {T: Integers(1), h: Vector(T, Reals(0))}, Eq(h[1], 0), ForAll(h[t + 1] >= h[t] + exp(-h[t]), (t, 1, T - 1))
)
STATEMENTS: list[Truth] = [
    true("mistakes of the perceptron", (T - 1) * gamma**2, "<=", r**2, PERCEPTRON, "the last product and length"),
    true("a margin grows like a logarithm", h[T], ">=", log(T), MARGIN, "exponentials add up"),
    true_in_space("a regularised minimum is stable", norm(u - v), "<=", r / lam, {r: ONTO, lam: ONTO, u: VECTOR, v:
                  VECTOR, f: Functions(convex=True, strong=lam)}, "strong monotonicity", Eq(gradient(f(u)), 0),
                  norm(gradient(f(v))) <= r),
    true_in_space("a gradient beside a minimum sought", norm(gradient(f(u + r * v)) - gradient(f(u))), "<=", beta * r,
                  {r: ONTO, beta: ONTO, u: VECTOR, v: VECTOR, f: Functions(smooth=beta)}, "smoothness", norm(v) <= 1),
    false("half of the perceptron's mistakes", 2 * (T - 1) * gamma**2, "<=", r**2, PERCEPTRON, "one mistake", T=2,
          gamma=1, r=1, g=(0, 1), h=(0, 1)),
    false("a margin grows faster", h[T], ">=", log(2 * T - 1), MARGIN, "one step", T=2, h=(0, 1)),
    false("blocks within a budget", Product(1 + z[i], EACH), "<=", 1 + 2 * Sum(z[i], EACH), numbers({n: Integers(1), z:
          Vector(n, Reals(0))}, Sum(z[i], EACH) <= Rational(3, 2)), "twelve alike", n=12, z=(Rational(1, 8),) * 12),
    true("a fixed point of a root", x, "<=", a**2 + 2 * b, numbers({x: Reals(0), a: ONTO, b: ONTO}, x <= a * sqrt(x) +
         b), "solve for √x"),
    true("a fixed point of a logarithm", x, "<=", 2 * a * log(a), numbers({x: Reals(1), a: Reals(sp.E)}, x <= a *
         log(x)), "a log x < x from there on"),
    true("a fixed point of a logarithm and more", x, "<=", 2 * b + 4 * a * log(4 * a), numbers({x: Reals(1), a:
         Reals(1), b: ONTO}, x <= a * log(x) + b), "a tangent of the logarithm"),
    true("a chance from its divergence", p, "<=", q + sqrt(a / 2), bits(KL <= a), "Pinsker"),
    true("a chance from its divergence, sharper", p, "<=", q + sqrt(2 * q * a) + 2 * a, bits(KL <= a),
         "Pinsker for small means"),
    true("no error seen", p, "<=", 1 - exp(-a), numbers({p: INNER, a: ONTO}, log(1 / (1 - p)) <= a), "solve for p"),
    true("a tail from its exponent", (sqrt(2 * a * c) + 2 * b * c / 3) ** 2 / (2 * (a + b * (sqrt(2 * a * c) + 2 * b * c
         / 3) / 3)), ">=", c, numbers({a: ONTO, b: ONTO, c: ONTO}), "expand"),
    true("a finite class", log(n) / a + a * r**2 / 2, ">=", r * sqrt(2 * log(n)), FOUND, "two means"),
    true("the ramp is Lipschitz", Abs(ramp(x) - ramp(y)), "<=", Abs(x - y) / gamma, numbers({x: ANY, y: ANY, gamma:
         ONTO}), "pieces"),
    true("the ramp below an indicator", ramp(x), "<=", Piecewise((1, x < gamma), (0, True)), numbers({x: ANY, gamma:
         ONTO}), "pieces"),
    true("the ramp above an error", ramp(x), ">=", Piecewise((1, x <= 0), (0, True)), numbers({x: ANY, gamma: ONTO}),
         "pieces"),
    true("a round of boosting", p * exp(a) + (1 - p) * exp(-a), ">=", 2 * sqrt(p * (1 - p)), numbers({p: UNIT, a:
         ONTO}), "two means"),
    true("rounds of boosting", ROUNDS, "<=", exp(-2 * Sum(g[t] ** 2, (t, 1, T))), EDGES, "round by round"),
    true("a consistent rule", (1 - epsilon) ** (m - k), "<=", exp(-epsilon * (m - k)), numbers({m: Integers(1), k:
         Integers(1, m), epsilon: UNIT}), "1 - x <= e^-x"),
    true("a union of independent events", 1 - Product(1 - z[i], EACH), "<=", Sum(z[i], EACH), SHARES, "induction"),
    true("layers of a perturbed product", Product(1 + z[i] / n, EACH), "<=", sp.E, SHARES, "1 + x <= e^x"),
    true("scales", Sum(sp.sqrt(k) / 2**k, (k, 1, K)), "<=", 2, numbers({K: Integers(1)}), "√k <= k"),
    true("a conditional gradient", h[T], "<=", 2 * c / (T + 1), numbers({T: Integers(1), c: ONTO, h: Vector(T,
         Reals(0))}, h[1] <= c, ForAll(h[t + 1] <= (1 - 2 / (t + 1)) * h[t] + 2 * c / (t + 1) ** 2, (t, 1, T - 1))),
         "induction"),
    true("sums of exponentials", Sum(exp(z[i]), EACH), "<=", exp(r) * Sum(exp(s[i]), EACH), numbers({r: ONTO, **SUMS},
         ForAll(z[i] <= s[i] + r, EACH)), "term by term"),
    true_in_space("softmax is Lipschitz", SOFT - OTHER, "<=", APART, SUMS, "term by term"),
    true_in_space("softmax above the largest", log(Sum(exp(a * z[i]), EACH)) / a, ">=", LARGEST, {a: ONTO, **SUMS},
                  "one term"),
    true_in_space("softmax near the largest", log(Sum(exp(a * z[i]), EACH)) / a, "<=", LARGEST + log(n) / a, {a: ONTO,
                  **SUMS}, "term by term"),
    true_in_space("a ghost sample", E(Abs(X - E(X))), "<=", E(Abs(X - Y)), COPIES, "Jensen given X", Eq(E(Y), E(X))),
    true_in_space("a ghost sample, of any mean", E(Abs(X - E(Y))), "<=", E(Abs(X - Y)), COPIES, "Jensen given X"),
    true_in_space("a ghost sample, squared", E((X - E(Y)) ** 2), "<=", E((X - Y) ** 2), COPIES, "expand"),
    true_in_space("a variance by two copies", Var(X), "=", E((X - Y) ** 2) / 2, COPIES, "expand", Eq(E(Y), E(X)),
                  Eq(E(Y**2), E(X**2))),
    true_in_space("a self-bounding variance", Var(X), "<=", E(X), {X: Random(UNIT)}, "x² <= x"),
    true_in_space("Bennett's moment", MOMENT, "<=", exp(BENNETT * Var(X)), {lam: ONTO, X: Random(ANY)}, "pointwise", X -
                  E(X) <= 1),
    true_in_space("a complexity of a ball", E(Abs(X)), "<=", sqrt(Sum(z[i] ** 2, EACH)), {n: Integers(1), z: Vector(n,
                  ANY), X: Random(ANY)}, "Jensen", Eq(E(X**2), Sum(z[i] ** 2, EACH))),
    true_in_space("a gradient dominated", f(u - gradient(f(u)) / beta) - x, "<=", (1 - mu / beta) * (f(u) - x),
                  {**SMOOTH, mu: Reals(0, beta, open_low=True), x: ANY}, "descent", norm(gradient(f(u))) ** 2 >= 2 * mu
                  * (f(u) - x)),
    true_in_space("a ridge", norm(u), "<=", norm(v) / a, PSD, "inner product with u", DUAL),
    true_in_space("what a ridge fits", inner(u, A(u)), "<=", norm(v) ** 2 / (4 * a), PSD, "two means", DUAL),
    true_in_space("a step of the perceptron", norm(u + x * v) ** 2, "<=", norm(u) ** 2 + r**2, {u: VECTOR, v: VECTOR, x:
                  Reals(-1, 1), r: ONTO}, "expand", norm(v) <= r, x * inner(u, v) <= 0),
    false("a fixed point of a root, half", x, "<=", a**2 / 2 + 2 * b, numbers({x: Reals(0), a: ONTO, b: ONTO}, x <= a *
          sqrt(x) + b), "b small", x=1, a=1, b=Rational(1, 100)),
    false("a fixed point of a logarithm, once", x, "<=", Rational(3, 2) * a * log(a), numbers({x: Reals(1), a:
          Reals(sp.E)}, x <= a * log(x)), "a = 5", x=Rational(127, 10), a=5),
    false("a chance from its divergence, too sharp", p, "<=", q + sqrt(q * a) + a, bits(KL <= a), "near each other",
          p=Rational(101, 1000), q=Rational(1, 10), a=Rational(56, 10**7)),
    false("no error seen, linear", p, "<=", a / 2, numbers({p: INNER, a: ONTO}, log(1 / (1 - p)) <= a), "small",
          p=Rational(1, 10), a=Rational(11, 100)),
    false("a finite class, less", log(n) / a + a * r**2 / 2, ">=", r * sqrt(3 * log(n)), FOUND, "a = √(2 log n)/r", n=3,
          a=Rational(3, 2), r=1),
    false("the ramp is less Lipschitz", Abs(ramp(x) - ramp(y)), "<=", Abs(x - y) / (2 * gamma), numbers({x: ANY, y: ANY,
          gamma: ONTO}), "inside", x=0, y=1, gamma=1),
    false("rounds of boosting, faster", ROUNDS, "<=", exp(-3 * Sum(g[t] ** 2, (t, 1, T))), EDGES, "a small edge", T=1,
          g=(Rational(1, 10),)),
    false("a union of independent events, squared", 1 - Product(1 - z[i], EACH), "<=", Sum(z[i] ** 2, EACH), SHARES,
          "one event", n=1, z=(Rational(1, 2),)),
    false("layers with less", Product(1 + z[i] / n, EACH), "<=", Rational(27, 10), SHARES, "many layers", n=99, z=(1,) *
          99),
    false("a conditional gradient, twice as fast", h[T], "<=", c / T, numbers({T: Integers(1), c: ONTO, h: Vector(T,
          Reals(0))}, h[1] <= c, ForAll(h[t + 1] <= (1 - 2 / (t + 1)) * h[t] + 2 * c / (t + 1) ** 2, (t, 1, T - 1))),
          "many steps", T=6, c=1, h=(1, *map(Rational, ("1/2", "7/18", "23/72", "163/600", "71/300")))),
    false("sums of exponentials, the other way", Sum(exp(z[i]), EACH), ">=", exp(r) * Sum(exp(s[i]), EACH), numbers({r:
          ONTO, **SUMS}, ForAll(z[i] <= s[i] + r, EACH)), "below", n=1, r=1, z=(0,), s=(0,)),
    false_in_space("a ghost sample, doubled", 2 * E(Abs(X - E(Y))), "<=", E(Abs(X - Y)), COPIES, "a certain copy", [1,
                   (1,), (1,), 1, (1,), (0,)]),
]  # fmt: skip
