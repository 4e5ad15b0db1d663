"""Steps of proofs about Markov chains, martingales, tails and moments, and chaining."""

from typing import Any

import sympy as sp
from sympy import Abs, Eq, Max, Min, Piecewise, Product, Rational, Sum, binomial, ceiling, cosh, exp, log, sqrt

from boundaudit import (
    Domain,
    E,
    ForAll,
    Gaussian,
    Independent,
    Integers,
    Matrix,
    P,
    Rademacher,
    Random,
    Reals,
    Var,
    Vector,
)

from .spaces import false as false_in_space
from .spaces import true as true_in_space
from .statement import Truth, false, true

n, i, j, k, t, T = sp.symbols("n i j k t T", integer=True, positive=True)
level = sp.Symbol("level", integer=True, nonnegative=True)
x, y, z, q, mean, theta, place = sp.symbols("x y z q mean theta place", real=True)
a, b, c, d, v, delta, gamma, epsilon, lam, sigma, bound, scale = sp.symbols(
    "a b c d v delta gamma epsilon lamda sigma bound scale", positive=True
)
rho = sp.Symbol("rho", nonnegative=True)
X, Y, Z, G = sp.symbols("X Y Z G", real=True)
p, s, u, w, h, r, e = (sp.IndexedBase(name, real=True) for name in "psuwhre")
K = sp.IndexedBase("K", real=True)
S = sp.IndexedBase("S", real=True)
ANY, ONTO, UNIT, CLOSED = Reals(), Reals(0, open_low=True), Reals(0, 1), Reals(0, 1, open_low=True)
INNER, QUARTER = Reals(0, 1, open_low=True, open_high=True), Rational(1, 4)
HALVES = (Rational(1, 2), Rational(1, 2))
EACH, OTHER, ALL, STEPS = (i, 1, n), (j, 1, n), (t, 1, T), (t, 1, T - 1)
SMALL = Integers(1, tested_to=4)
CHANCES = {n: SMALL, p: Vector(n, CLOSED), s: Vector(n, CLOSED)}
LAWS = (Eq(Sum(p[i], EACH), 1), Eq(Sum(s[i], EACH), 1))
KERNEL = {K: Matrix(n, n, UNIT)}
ROWS = ForAll(Eq(Sum(K[i, k], (k, 1, n)), 1), EACH)
MOVED, STILL = Sum(Abs(Sum((p[i] - s[i]) * K[i, j], EACH)), OTHER), Sum(Abs(p[i] - s[i]), EACH)
REFRESHED = Sum(Abs(Sum((p[i] - s[i]) * (delta * w[j] + (1 - delta) * K[i, j]), EACH)), OTHER)
LAZY = {**CHANCES, delta: CLOSED, w: Vector(n, CLOSED), **KERNEL}
DOEBLIN = Domain(LAZY, where=[*LAWS, Eq(Sum(w[i], EACH), 1), ROWS])
AWAY, BACK = sp.symbols("away back", positive=True)
TWO_STATES = {T: Integers(1, tested_to=12), AWAY: INNER, BACK: INNER, h: Vector(T, UNIT)}
MOVES = ForAll(Eq(h[t + 1], (1 - AWAY) * h[t] + BACK * (1 - h[t])), STEPS)
SETTLED = BACK / (AWAY + BACK)
PAIR = {Y: Random(ANY), X: Random(given=Y)}
FROM_ZERO = Reals(0)
NEXT = Y + X - E(X, given=Y)
BETWEEN = {lam: ONTO, Y: Random(ANY), X: Random(UNIT, given=Y)}
SUPER = {a: ONTO, Y: Random(FROM_ZERO), X: Random(FROM_ZERO, given=Y)}
SIGNS = {n: Integers(1), theta: ANY, r: Vector(n, ANY), S: Independent(n, Rademacher())}
SUB_GAMMA = {lam: Reals(0, 1 / c, open_low=True, open_high=True), v: ONTO, c: ONTO, x: ONTO}
BEST = sqrt(2 * x / v) / (1 + c * sqrt(2 * x / v))
ENTROPY = (1 + x) * log(1 + x) - x
SCALES = {d: ONTO, n: Integers(1)}
DUDLEY = Sum(sqrt(d * log(1 + 2 ** (k + 1))) / 2**k, (k, 1, n))
ERRORS = {T: Integers(1, tested_to=8), h: Vector(T, Reals(0))}
MEDIAN = Max(Min(X, Y), Min(Max(X, Y), Z))
APART = {X: Random(ANY), Y: Random(ANY, apart="Y"), Z: Random(ANY, apart="Z")}
RARE = tuple(P(of >= place) <= delta for of in (X, Y, Z))
TWO_APART, LARGER = {X: Random(ANY), Y: Random(ANY, apart="Y")}, Max(X, Y)
ONE_OF_TWO = E(Var(LARGER, given=X)) + E(Var(LARGER, given=Y))
CORRELATED = Sum(rho ** Abs(i - j), EACH, OTHER)
GROWING = {T: Integers(1, tested_to=8), e: Vector(T + 1, ONTO)}
SPREAD = {sigma: ONTO, lam: ONTO, X: Random(ANY), Y: Random(ANY), Z: Random(ANY)}


def numbers(ranges: dict[Any, Any], *where: Any) -> Domain:
    return Domain(ranges, where=where)


def tilted(of: Any) -> Any:
    return E(exp(lam * of))


GRID = Domain({n: Integers(1), delta: ONTO})
STATEMENTS: list[Truth] = [
    true("a union over a grid", Sum(6 * delta / (sp.pi**2 * k**2), (k, 1, n)), "<=", delta, GRID, "Euler"),
    false("a union over a grid, with more", Sum(2 * delta / (sp.pi * k**2), (k, 1, n)), "<=", delta, GRID,
          "a long grid", n=14, delta=1),
    true("Doeblin's contraction", REFRESHED, "<=", (1 - delta) * STILL, DOEBLIN, "what is refreshed agrees"),
    true("a kernel does not spread laws", MOVED, "<=", STILL, Domain({**CHANCES, **KERNEL}, where=[*LAWS, ROWS]),
         "triangle"),
    true("chi-squared through a kernel", Sum(Sum(p[i] * K[i, j], EACH) ** 2 / Sum(s[i] * K[i, j], EACH), OTHER), "<=",
         Sum(p[i] ** 2 / s[i], EACH), Domain({**CHANCES, K: Matrix(n, n, CLOSED)}, where=[ROWS]), "Cauchy-Schwarz"),
    true("detailed balance keeps a law", Sum(s[i] * K[i, k], EACH), "=", s[k], Domain({n: SMALL, k: Integers(1, n), s:
         Vector(n, CLOSED), **KERNEL}, where=[ForAll(Eq(Sum(K[i, j], OTHER), 1), EACH), ForAll(Eq(s[i] * K[i, k], s[k] *
         K[k, i]), EACH)]), "the row sums to one"),
    true("two states settle", Abs(h[T] - SETTLED), "=", Abs(1 - AWAY - BACK) ** (T - 1) * Abs(h[1] - SETTLED),
         numbers(TWO_STATES, MOVES), "subtract the fixed point"),
    true("two states' gap", (AWAY + BACK) * SETTLED * (1 - SETTLED) * (x - y) ** 2, "=", SETTLED * AWAY * (x - y) ** 2,
         numbers({AWAY: INNER, BACK: INNER, x: ANY, y: ANY}), "expand"),
    true("mixed by then", (1 - gamma) ** x, "<=", epsilon, numbers({gamma: INNER, epsilon: INNER, x: Reals(log(1 /
         epsilon) / gamma)}), "1 - γ <= e^-γ"),
    true("a drift", h[T], "<=", (1 - gamma) ** (T - 1) * h[1] + b / gamma, numbers({gamma: INNER, b: ONTO, **ERRORS},
         ForAll(h[t + 1] <= (1 - gamma) * h[t] + b, STEPS)), "induction"),
    true("correlations add up", CORRELATED, "<=", n * (1 + rho) / (1 - rho), numbers({n: Integers(1), rho: Reals(0, 1,
         open_high=True)}), "row by row"),
    true("a walk with drift", q * ((1 - q) / q) ** (x + 1) + (1 - q) * ((1 - q) / q) ** (x - 1), "=", ((1 - q) / q) **
         x, numbers({q: INNER, x: ANY}), "factor"),
    true_in_space("two laws by a coupling", Abs(P(X >= place) - P(Y >= place)), "<=", P(sp.Ne(X, Y)), {place: ANY,
                  X: Random(ANY), Y: Random(ANY)}, "they agree elsewhere"),
    true_in_space("Ville in two steps", P(Max(X, Y) >= a), "<=", E(Y) / a, SUPER, "stop at the first", E(X, given=Y) <=
                  Y),
    true_in_space("Doob in two steps", E(Max(Abs(Y), Abs(NEXT)) ** 2), "<=", 4 * E(NEXT**2), PAIR, "both squares"),
    true_in_space("stopping at once or not", E(Piecewise((Y, Y >= place), (NEXT, True))), "=", E(Y), {place: ANY,
                  **PAIR}, "given Y"),
    true_in_space("Azuma's step", tilted(NEXT), "<=", exp(lam**2 / 8) * tilted(Y), BETWEEN, "Hoeffding given Y"),
    true_in_space("Azuma for signs", E(exp(theta * Sum(r[i] * S[i], EACH))), "<=", exp(theta**2 / 2 * Sum(r[i] ** 2,
                  EACH)), SIGNS, "cosh"),
    true_in_space("a self-normalised sign", E(exp(theta * x * G - theta**2 * x**2 / 2)), "<=", 1, {theta: ANY, x: ANY,
                  G: Rademacher()}, "cosh"),
    true_in_space("a mixture of exponents", E(exp(G * x - G**2 * v / 2)), "=", exp(x**2 / (2 * (1 + v))) / sqrt(1 + v),
                  {x: ANY, v: ONTO, G: Gaussian(0, 1)}, "complete the square"),
    true_in_space("a product of martingale factors", E(Product(1 + r[i] * S[i], EACH)), "=", 1, {n: Integers(1), r:
                  Vector(n, ANY), S: Independent(n, Rademacher())}, "factor by factor"),
    true_in_space("Bernstein's exponent", tilted(X), "<=", exp(lam**2 * E(X**2) / (2 * (1 - lam * b / 3))), {b: ONTO,
                  lam: Reals(0, 3 / b, open_low=True, open_high=True), X: Random(ANY)}, "pointwise", X <= b, Eq(E(X),
                  0)),
    true_in_space("exponents above a second moment", lam**2 * E(X**2), "<=", 2 * E(cosh(lam * X) - 1), {lam: ONTO, X:
                  Random(ANY)}, "pointwise"),
    true_in_space("a tail from a moment", P(Abs(X) >= a), "<=", E(Abs(X) ** b) / a**b, {a: ONTO, b: Reals(1), X:
                  Random(ANY)}, "Markov"),
    true_in_space("a mean by its tails", E(X), "<=", P(X > 0) + P(X > 1) + P(X > 2), {X: Random(Reals(0, 3))},
                  "pointwise"),
    true("sub-gamma tails", lam * v / (2 * (1 - c * lam)) + x / lam, ">=", sqrt(2 * v * x) + c * x, numbers({c: ONTO,
         **SUB_GAMMA}), "two means"),
    true("sub-gamma tails at their best", BEST * (sqrt(2 * v * x) + c * x) - BEST**2 * v / (2 * (1 - c * BEST)), "=", x,
         numbers({v: ONTO, c: ONTO, x: ONTO}), "insert"),
    true("Bennett above a logarithm", ENTROPY, ">=", x / 2 * log(1 + x), numbers({x: Reals(0)}),
         "log(1 + x) >= 2x/(2 + x)"),
    true("from Bennett to Bernstein", ENTROPY, ">=", x**2 / (2 * (1 + x / 3)), numbers({x: Reals(0)}),
         "two derivatives"),
    true("shells", Sum(exp(-x * 2**level), (level, 0, n)), "<=", 2 * exp(-x), numbers({x: Reals(1), n: Integers(1)}),
         "2^k >= 1 + k"),
    true("scales of a class of finite dimension", DUDLEY, "<=", 2 * sqrt(d), numbers(SCALES), "term by term"),
    true("a chain of links", Abs(h[T] - h[1]), "<=", 1, numbers({T: Integers(1, tested_to=8), h: Vector(T, ANY)},
         ForAll(Abs(h[t + 1] - h[t]) <= 2 ** (-t), STEPS)), "geometric"),
    true("covering a ball", d * log(1 + 2 / epsilon), "<=", d * log(3 / epsilon), numbers({d: ONTO, epsilon: CLOSED}),
         "1 <= 1/ε"),
    true_in_space("the largest of three by exponents", E(Max(X, Y, Z)), "<=", log(tilted(X) + tilted(Y) + tilted(Z)) /
                  lam, SPREAD, "Jensen, a sum"),
    true_in_space("the largest of two sub-Gaussian ones", E(Max(X, Y)), "<=", log(2) / lam + lam * sigma**2 / 2,
                  {sigma: ONTO, lam: ONTO, X: Random(ANY), Y: Random(ANY)}, "Jensen, a sum", tilted(X) <= exp(lam**2 *
                  sigma**2 / 2), tilted(Y) <= exp(lam**2 * sigma**2 / 2)),
    true("Robbins and Monro", h[T], "<=", (h[1] + c * log(T)) / T, numbers({c: ONTO, **ERRORS}, ForAll(h[t + 1] <= (1 -
         1 / (t + 1)) * h[t] + c / (t + 1) ** 2, STEPS)), "induction"),
    true("Robbins and Siegmund", Sum(r[t], ALL), "<=", e[1] + Sum(u[t], ALL), numbers({T: Integers(1, tested_to=8), r:
         Vector(T, Reals(0)), u: Vector(T, Reals(0)), e: Vector(T + 1, Reals(0))}, ForAll(e[t + 1] <= e[t] - r[t] +
         u[t], ALL)), "telescope"),
    true("Grönwall with rates", h[T], "<=", exp(Sum(r[t], STEPS)) * (h[1] + (T - 1) * b), numbers({b: ONTO, **ERRORS, r:
         Vector(T, Reals(0))}, ForAll(h[t + 1] <= (1 + r[t]) * h[t] + b, STEPS)), "induction"),
    true("Grönwall with all before", h[T], "<=", c * (1 + a) ** (T - 1), numbers({a: ONTO, c: ONTO, **ERRORS},
         ForAll(h[t] <= c + a * Sum(h[i], (i, 1, t - 1)), ALL)), "strong induction"),
    true("a potential of ellipses", Sum(Min(1, (e[t + 1] - e[t]) / e[t]), ALL), "<=", 2 * log(e[T + 1] / e[1]),
         numbers(GROWING, ForAll(e[t] <= e[t + 1], ALL)), "min(1, x) <= 2 log(1 + x)"),
    true("a median of three", Abs(Max(Min(x, y), Min(Max(x, y), z)) - mean), "<=", b, numbers({b: ONTO, mean: ANY, x:
         ANY, y: ANY, z: ANY}, Abs(x - mean) <= b, Abs(y - mean) <= b), "between two"),
    true_in_space("a median of three tails", P(MEDIAN >= place), "<=", 3 * delta**2, {place: ANY, delta: CLOSED,
                  **APART}, "two of them", *RARE),
    true("a median of means", Sum(binomial(k, j) * 3 ** (k - j), (j, ceiling(k / 2), k)) / 4**k, "<=", exp(-k / 8),
         numbers({k: Integers(1)}), "Hoeffding"),
    true_in_space("Efron and Stein for a product", Var(X * Y), "<=", Var(X) * E(Y**2) + Var(Y) * E(X**2),
                  TWO_APART, "expand"),
    true_in_space("Efron and Stein for the larger", Var(LARGER), "<=", ONE_OF_TWO, TWO_APART, "two martingale steps"),
    true_in_space("bounded differences of two", Var(X + Y), "<=", Rational(1, 2), {X: Random(UNIT), Y: Random(UNIT,
                  apart="Y")}, "two variances"),
    false("Doeblin's contraction twice", REFRESHED, "<=", (1 - 2 * delta) * STILL, DOEBLIN, "a lazy kernel", n=2,
          delta=Rational(1, 2), p=(Rational(3, 4), Rational(1, 4)), s=(Rational(1, 4), Rational(3, 4)),
          w=(Rational(1, 2), Rational(1, 2)), K=((1, 0), (0, 1))),
    false("two states settle a step before", Abs(h[T] - SETTLED), "<=", Abs(1 - AWAY - BACK) ** T * Abs(h[1] - SETTLED),
          numbers(TWO_STATES, MOVES), "no step", T=1, away=Rational(1, 2), back=Rational(1, 4), h=(1,)),
    false("mixed in half the time", (1 - gamma) ** x, "<=", epsilon, numbers({gamma: INNER, epsilon: INNER, x:
          Reals(log(1 / epsilon) / (2 * gamma))}), "a small gap", gamma=Rational(1, 10), epsilon=Rational(1, 10), x=12),
    false("correlations add up to less", CORRELATED, "<=", n / (1 - rho), numbers({n: Integers(1), rho: Reals(0, 1,
          open_high=True)}), "three", n=3, rho=Rational(1, 5)),
    false("sub-gamma tails with more", lam * v / (2 * (1 - c * lam)) + x / lam, ">=", sqrt(2 * v * x) + Rational(11, 10)
          * c * x, numbers({c: ONTO, **SUB_GAMMA}), "the best exponent", c=1, lamda=Rational(1, 2), v=2, x=1),
    false("from Bennett to Bernstein with a quarter", ENTROPY, ">=", x**2 / (2 * (1 + x / 4)), numbers({x: Reals(0)}),
          "one", x=1),
    false("scales of a class for 7/5", DUDLEY, "<=", Rational(7, 5) * sqrt(d), numbers(SCALES), "six scales", d=1, n=6),
    false("Robbins and Monro without a logarithm", h[T], "<=", (h[1] + c) / T, numbers({c: ONTO, **ERRORS}, ForAll(h[t +
          1] <= (1 - 1 / (t + 1)) * h[t] + c / (t + 1) ** 2, STEPS)), "four steps", c=1, T=4, h=(0, Rational(1, 4),
          Rational(5, 18), Rational(13, 48))),
    false("Grönwall with all before, a step less", h[T], "<=", c * (1 + a) ** (T - 2), numbers({a: ONTO, c: ONTO,
          **ERRORS}, ForAll(h[t] <= c + a * Sum(h[i], (i, 1, t - 1)), ALL)), "the start", a=1, c=1, T=1, h=(1,)),
    false("a median of three by one", Abs(Max(Min(x, y), Min(Max(x, y), z)) - mean), "<=", b, numbers({b: ONTO, mean:
          ANY, x: ANY, y: ANY, z: ANY}, Abs(x - mean) <= b), "two far off", b=1, mean=0, x=0, y=2, z=3),
    false_in_space("Ville by nine tenths", P(Max(X, Y) >= a), "<=", 9 * E(Y) / (10 * a), SUPER, "certain", [1, 1, (1,),
                   (1,), 1, (1,), ((1,),)], E(X, given=Y) <= Y),
    false_in_space("Doob in two steps by 6/5", E(Max(Abs(Y), Abs(NEXT)) ** 2), "<=", Rational(6, 5) * E(NEXT**2), PAIR,
                   "nothing or twice", [1, (1,), (1,), 2, HALVES, ((-1, 1),)]),
    false_in_space("Azuma's step with a ninth", tilted(NEXT), "<=", exp(lam**2 / 9) * tilted(Y), BETWEEN, "a fair coin",
                   [1, 1, (1,), (0,), 2, HALVES, ((0, 1),)]),
    false_in_space("a median of three tails, twice", P(MEDIAN >= place), "<=", 2 * delta**2, {place: ANY, delta:
                   CLOSED, **APART}, "a quarter", [1, QUARTER, *[2, (1 - QUARTER, QUARTER), (0, 1)] * 3],
                   *RARE),
    false_in_space("Efron and Stein by two thirds", Var(LARGER), "<=", 2 * ONE_OF_TWO / 3, TWO_APART, "two coins", [2,
                   HALVES, (0, 1)] * 2),
]  # fmt: skip
