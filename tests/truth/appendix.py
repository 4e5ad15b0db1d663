"""Steps of appendices: alternatives among the hypotheses, products, recursions, what is said of all indices."""

from fractions import Fraction

import sympy as sp
from sympy import Abs, And, Eq, Integer, Ne, Or, Product, Rational, Sum, exp, sqrt

from boundaudit import Domain, ForAll, Integers, Reals, Vector

from .statement import Truth, each, false, true

a, b, c, q, x, y = sp.symbols("a b c q x y", real=True)
k, n, s, t, T = sp.symbols("k n s t T", integer=True)
u, v, w = (sp.IndexedBase(name, real=True) for name in "uvw")

REAL, UNIT, ONTO, NONNEGATIVE = Reals(), Reals(0, 1), Reals(0, open_low=True), Reals(0)
SHORT = Integers(1, tested_to=8)
APART = Domain({x: REAL, y: REAL}, where=[Ne(x, y)])
OUTSIDE = Domain({x: REAL}, where=[Or(x <= -1, x >= 1)])
OPPOSITE = Domain({x: REAL, y: REAL}, where=[Or(And(x <= 0, y >= 0), And(x >= 0, y <= 0))])

ALTERNATIVES = [
    true("squares beyond one", x**2, ">=", 1, OUTSIDE, "either way"),
    false("squares beyond two", x**2, ">=", 2, OUTSIDE, "1 at x = 1", x=1),
    true("opposite signs", x * y, "<=", 0, OPPOSITE, "either way"),
    false(
        "nearly opposite signs", x * y, "<=", 0,
        Domain({x: REAL, y: REAL}, where=[Or(And(x <= 0, y >= 0), And(x >= 0, y <= Rational(1, 50)))]),
        "the second way admits two positive ones", x=1, y=Fraction(1, 100),
    ),
    true("a slope off the diagonal", (x**3 - y**3) / (x - y), "=", x**2 + x * y + y**2, APART, "divide"),
    false("a sign off the diagonal", Abs(x - y) / (x - y), ">=", 1, APART, "-1 where x < y", x=0, y=1),
    true("a sign squared", ((x - y) / Abs(x - y)) ** 2, "=", 1, APART, "of either sign"),
    true("secants of exp", (exp(x) - exp(y)) / (x - y), ">=", 0, APART, "exp grows"),
    false(
        "slopes at most one", Abs(x**2 - y**2) / Abs(x - y), "<=", 1,
        Domain({x: UNIT, y: UNIT}, where=[Ne(x, y)]), "x + y > 1", x=1, y=Fraction(1, 2),
    ),
    true("integers that are neither 0 nor 1", n * (n - 1), ">=", 2, Domain({n: Integers(-9)},
         where=[Ne(n, 0), Ne(n, 1)]), "at 2 and -1"),
    false("integers that are not 0", n * (n - 1), ">=", 1, Domain({n: Integers(-9)}, where=[Ne(n, 0)]), "0 at 1", n=1),
    false(
        "a point and a half line", exp(x), ">=", 3, Domain({x: REAL}, where=[Or(Eq(x, 1), x >= 2)]), "e < 3", x=1,
    ),
    true("the same half line", exp(x), ">=", 2 * x, Domain({x: REAL}, where=[Or(Eq(x, 1), x >= 2)]), "e^x >= e x"),
]  # fmt: skip

STEPS = Domain({s: Integers(1), T: Integers(s), q: Reals(0)})
COUNT = Domain({n: Integers(0)})
CHANCES = Domain({n: SHORT, v: Vector(n, UNIT)})
GROWTHS = Domain({n: SHORT, v: Vector(n, Reals(0))})
ENTRIES = Domain({n: SHORT, v: Vector(n, REAL), w: Vector(n, REAL)})


def product(body: sp.Expr) -> sp.Product:
    return Product(body, (t, 1, n))


def total(body: sp.Expr) -> sp.Sum:
    return Sum(body, (t, 1, n))


PRODUCTS = [
    true("growth of step sizes", Product(1 + q / t, (t, s + 1, T)), "<=", (T / s) ** q, STEPS, "factor by factor"),
    false(
        "growth of step sizes from the first on", Product(1 + q / t, (t, s, T)), "<=", (T / s) ** q, STEPS,
        "one factor more", s=1, T=1, q=1,
    ),
    true("a product that telescopes", product(1 + 1 / t), "=", n + 1, COUNT, "(t + 1)/t"),
    true(
        "another that telescopes", Product(1 - 1 / t**2, (t, 2, n)), "=", (n + 1) / (2 * n), each(Integers(1), n),
        "pairs",
    ),
    true("factorial as a product", product(t), "=", sp.factorial(n), COUNT, "by definition; empty, 1"),
    false("an empty product is not 0", product(t), "<=", n * sp.factorial(n), COUNT, "1 at n = 0", n=0),
    true("Wallis from above", product((2 * t - 1) / (2 * t)), "<=", 1 / sqrt(3 * n + 1), COUNT, "induction"),
    false("Wallis, too sharp", product((2 * t - 1) / (2 * t)), "<=", 1 / sqrt(4 * n + 1), COUNT, "1/2 > 1/√5", n=1),
    true("growth below its exponential", product(1 + v[t]), "<=", exp(total(v[t])), GROWTHS, "1 + t <= e^t"),
    false("growth below its first order", product(1 + v[t]), "<=", 1 + total(v[t]), GROWTHS, "4 > 3", n=2, v=(1, 1)),
    true("growth above its first order", product(1 + v[t]), ">=", 1 + total(v[t]), GROWTHS, "mixed terms"),
    true("Weierstrass", product(1 - v[t]), ">=", 1 - total(v[t]), CHANCES, "union bound"),
    true("no event of many", product(1 - v[t]), "<=", exp(-total(v[t])), CHANCES, "1 - t <= e^{-t}"),
    false(
        "no event of many, too good", product(1 - v[t]), "<=", exp(-total(v[t] + v[t] ** 2)), CHANCES,
        "(1 - t) > exp(-t - t²) for small t", n=1, v=(Fraction(1, 4),),
    ),
    true("products of products", product(v[t] * w[t]), "=", product(v[t]) * product(w[t]), ENTRIES, "any order"),
    true("a squared product", product(v[t]) ** 2, "=", product(v[t] ** 2), ENTRIES, "any order"),
    false("a product of any numbers", product(v[t]), ">=", -1, ENTRIES, "-2", n=1, v=(-2,), w=(0,)),
    true(
        "products in the unit ball", Abs(product(v[t])), "<=", 1, Domain({n: SHORT, v: Vector(n, Reals(-1, 1))}),
        "factor by factor",
    ),
]  # fmt: skip


def vectors(*where: sp.Basic, entries: Reals = NONNEGATIVE, **more: Reals) -> Domain:
    """Vectors v of T entries under what is said of all of them."""
    return Domain({**{sp.Symbol(name): found for name, found in more.items()}, T: SHORT, v: Vector(T, entries)}, where)


def steps(relation: sp.Basic) -> ForAll:
    return ForAll(relation, (t, 1, T - 1))


LINEAR = vectors(steps(v[t + 1] <= (1 + a) * v[t] + b), a=Reals(0), b=Reals(0))
RATES = Domain(
    {T: SHORT, u: Vector(T, Reals(0)), w: Vector(T, Reals(0)), v: Vector(T, Reals(0))},
    where=[steps(v[t + 1] <= (1 + u[t]) * v[t] + w[t])],
)
CONTRACTING = vectors(steps(v[t + 1] <= (1 - a) * v[t] + b), a=Reals(0, 1, open_low=True), b=Reals(0))
DRIFT = vectors(steps(v[t + 1] <= v[t] + b), b=REAL, entries=REAL)
DRIFT_UP = vectors(steps(v[t + 1] <= v[t] + b), b=Reals(0))
SHRINKING = vectors(steps(v[t + 1] <= v[t] - v[t] ** 2), entries=Reals(0, 1, open_low=True))
LIPSCHITZ = vectors(steps(Abs(v[t + 1] - v[t]) <= c), c=Reals(0), entries=REAL)
BOUNDED = vectors(ForAll(v[t] <= c, (t, 1, T)), c=REAL, entries=REAL)
SORTED = vectors(steps(v[t] <= v[t + 1]), entries=REAL)
WEIGHTS, NOISE = Sum(u[t], (t, 1, T - 1)), Sum(w[t], (t, 1, T - 1))

RECURSIONS = [
    true("Grönwall", v[T], "<=", (v[1] + NOISE) * exp(WEIGHTS), RATES, "induction"),
    true("Grönwall with products", v[T], "<=", (v[1] + NOISE) * Product(1 + u[t], (t, 1, T - 1)), RATES, "induction"),
    false(
        "Grönwall to first order", v[T], "<=", (v[1] + NOISE) * (1 + WEIGHTS), RATES, "(1 + u)(1 + u') is more",
        T=3, u=(1, 1, 0), w=(0, 0, 0), v=(1, 2, 4),
    ),
    false(
        "Grönwall without the last noise", v[T], "<=", (v[1] + NOISE - w[T - 1]) * exp(WEIGHTS), Domain(
            {T: Integers(2, tested_to=6), u: Vector(T, Reals(0)), w: Vector(T, Reals(0)), v: Vector(T, Reals(0))},
            where=RATES.where,
        ), "w at the last step", T=2, u=(0, 0), w=(1, 0), v=(0, 1),
    ),
    true("a linear recursion", v[T], "<=", (v[1] + (T - 1) * b) * exp(a * (T - 1)), LINEAR, "(1 + a)^t <= e^{at}"),
    false(
        "a linear recursion, one step short", v[T], "<=", (v[1] + (T - 1) * b) * exp(a * (T - 2)), LINEAR, "1 + a > 1",
        a=1, b=0, T=2, v=(1, 2),
    ),
    true(
        "its closed form", v[T], "<=", (1 + a) ** (T - 1) * v[1] + b * ((1 + a) ** (T - 1) - 1) / a,
        vectors(*LINEAR.where, a=ONTO, b=Reals(0)), "geometric sum",
    ),
    true("a contraction", v[T], "<=", v[1] + b / a, CONTRACTING, "b (1 + (1 - a) + …)"),
    false("a contraction without noise", v[T], "<=", v[1], CONTRACTING, "b", a=1, b=1, T=2, v=(0, 1)),
    true("drift", v[T], "<=", v[1] + (T - 1) * b, DRIFT, "add up"),
    false("drift, a step short", v[T], "<=", v[1] + (T - 2) * b, DRIFT, "b > 0", b=1, T=2, v=(0, 1)),
    true(
        "an exact recursion", v[T], "=", v[1] + (T - 1) * b,
        vectors(steps(Eq(v[t + 1], v[t] + b)), b=REAL, entries=REAL), "add up",
    ),
    false(
        "an exact recursion, doubled", v[T], "<=", 2 * v[1] + T * b,
        vectors(steps(Eq(v[t + 1], v[t] + b)), b=REAL, entries=REAL), "where both are negative", b=-1, T=1, v=(-1,),
    ),
    true("gradient descent at rate 1/t", v[T], "<=", 1 / (T - 1 + 1 / v[1]), SHRINKING, "1/v grows by 1 at least"),
    false(
        "gradient descent, twice as fast", v[T], "<=", 1 / (2 * T - 2 + 1 / v[1]), SHRINKING, "1/v grows by 1/(1 - v)",
        T=2, v=(Fraction(1, 4), Fraction(3, 16)),
    ),
    true("small steps", Abs(v[T] - v[1]), "<=", c * (T - 1), LIPSCHITZ, "triangle inequality"),
    false("smaller steps", Abs(v[T] - v[1]), "<=", c, LIPSCHITZ, "two steps", c=1, T=3, v=(0, 1, 2)),
    true("entries below a bound", Sum(v[t], (t, 1, T)), "<=", T * c, BOUNDED, "termwise"),
    false("entries below half a bound", Sum(v[t], (t, 1, T)), "<=", (T - 1) * c, BOUNDED, "at T = 1", c=1, T=1, v=(1,)),
    true("the first of sorted ones", v[1], "<=", v[T], SORTED, "induction"),
    true("the mean of sorted ones", T * v[1], "<=", Sum(v[t], (t, 1, T)), SORTED, "termwise"),
    false("the median of sorted ones", 2 * Sum(v[t], (t, 1, T)), "<=", T * v[T], SORTED, "equal ones", T=1, v=(1,)),
]  # fmt: skip

FIBONACCI = Domain(
    {T: Integers(2, tested_to=8), v: Vector(T, Reals(0))}, where=[ForAll(v[t + 2] <= v[t + 1] + v[t], (t, 1, T - 2))]
)
DOUBLING = vectors(steps(v[t + 1] >= 2 * v[t]))
FACTORS = Domain({T: SHORT, u: Vector(T, Reals(0)), v: Vector(T, Reals(0))}, where=[steps(v[t + 1] <= u[t] * v[t])])
DOMINATED = Domain(
    {c: Reals(0), T: SHORT, w: Vector(T, Reals(0)), v: Vector(T, REAL)},
    where=[ForAll(Abs(v[t]) <= c * w[t], (t, 1, T))],
)
AVERAGED = vectors(steps(v[t + 1] <= (1 - a) * v[t] + a * c), a=UNIT, c=Reals(0))
HALVED = vectors(Or(a <= 0, a >= 1), steps(v[t + 1] <= v[t] / (1 + a) ** 2), a=Reals(0))
SQUARED = vectors(steps(v[t + 1] <= v[t] ** 2), entries=UNIT)

POTENTIAL = Domain(
    {T: SHORT, v: Vector(T + 1, Reals(0)), w: Vector(T, Reals(0))}, where=[ForAll(v[t + 1] <= v[t] - w[t], (t, 1, T))]
)
DESCENT = Domain(
    {c: Reals(0), a: ONTO, T: SHORT, v: Vector(T + 1, Reals(0)), w: Vector(T, Reals(0))},
    where=[ForAll(v[t + 1] <= v[t] - 2 * a * w[t] + a**2 * c, (t, 1, T))],
)
MEAN = Sum(w[t], (t, 1, T)) / T
RISING, FALLING = (
    Domain({T: SHORT, k: Integers(1, T), v: Vector(T, Reals(0))}, where=[steps(relation)])
    for relation in (v[t] <= v[t + 1], v[t + 1] <= v[t])
)
LARGEST = Domain({T: SHORT, k: Integers(1, T), v: Vector(T, REAL)}, where=[ForAll(v[t] <= v[k], (t, 1, T))])

MORE = [
    true("the k-th of rising ones", (T - k + 1) * v[k], "<=", Sum(v[t], (t, 1, T)), RISING, "those from it on"),
    true("the k-th of falling ones, squared", k * v[k] ** 2, "<=", Sum(v[t] ** 2, (t, 1, T)), FALLING, "up to it"),
    true("where the largest stands", Sum(v[t], (t, 1, T)), "<=", T * v[k], LARGEST, "termwise"),
    false(
        "the k-th of rising ones, once more", (T - k + 2) * v[k], "<=", Sum(v[t], (t, 1, T)), RISING, "the first", T=1,
        k=1, v=(1,),
    ),
    true("a potential", Sum(w[t], (t, 1, T)), "<=", v[1], POTENTIAL, "what is left is not negative"),
    false("half a potential", Sum(w[t], (t, 1, T)), "<=", v[1] / 2, POTENTIAL, "all of it", T=1, w=(1,), v=(1, 0)),
    true(
        "gradient descent, added up", 2 * a * Sum(w[t], (t, 1, T)), "<=", v[1] + T * a**2 * c, DESCENT, "a potential",
    ),
    true("gradient descent on average", MEAN, "<=", v[1] / (2 * a * T) + a * c / 2, DESCENT, "a potential"),
    false(
        "gradient descent on average, less noise", MEAN, "<=", v[1] / (2 * a * T) + a * c / 3, DESCENT, "1/2 > 1/3",
        a=1, c=1, T=1, w=(Fraction(1, 2),), v=(0, 0),
    ),
    true("a sum of two before", v[T], "<=", 2 ** (T - 2) * (v[1] + v[2]), FIBONACCI, "strong induction"),
    false(
        "a sum of two before, without growth", v[T], "<=", 2 * (v[1] + v[2]), FIBONACCI, "3, 5", T=5, v=(1, 1, 2, 3, 5)
    ),
    true("doubling", v[T], ">=", 2 ** (T - 1) * v[1], DOUBLING, "induction"),
    false("doubling once too often", v[T], ">=", 2**T * v[1], DOUBLING, "v_1 at T = 1", T=1, v=(1,)),
    true("factors of a decrease", v[T], "<=", v[1] * Product(u[t], (t, 1, T - 1)), FACTORS, "induction"),
    false(
        "factors, one too many", v[T], "<=", v[1] * Product(u[t], (t, 1, T)), FACTORS, "at T = 1", T=1, u=(0,), v=(1,)
    ),
    true("domination", Abs(Sum(v[t] * w[t], (t, 1, T))), "<=", c * Sum(w[t] ** 2, (t, 1, T)), DOMINATED, "termwise"),
    false(
        "domination to a smaller square", Sum(v[t] ** 2, (t, 1, T)), "<=", c * Sum(w[t] ** 2, (t, 1, T)), DOMINATED,
        "c² > c", c=2, T=1, w=(1,), v=(2,),
    ),
    true("averages with a constant", v[T], "<=", v[1] + c, AVERAGED, "a mean of both"),
    false("averages below the constant", v[T], "<=", c, AVERAGED, "v_1", a=0, c=0, T=1, v=(1,)),
    true("a rate of one or none", v[T], "<=", v[1], HALVED, "either way"),
    false("a rate of one", 2 * v[T], "<=", v[1], HALVED, "v_1 at T = 1", a=0, T=1, v=(1,)),
    true("quadratic convergence", v[T], "<=", v[1], SQUARED, "v² <= v"),
    false(
        "steps that a parabola does not bound", v[T], "<=", v[1] + b * (T**2 / Integer(9) + 1), DRIFT_UP,
        "T - 1 is more for T = 4, 5", b=1, T=4, v=(0, 1, 2, 3),
    ),
    false(
        "four steps", v[T], "<=", v[1] + 4 * b, DRIFT_UP, "T = 6", b=1, T=6, v=(0, 1, 2, 3, 4, 5),
    ),
    false(
        "a small window", x, "<=", 0, Domain({x: REAL}, where=[Or(x <= 0, And(x >= 5, x <= 5 + Rational(1, 1000)))]),
        "5 is in it", x=5,
    ),
    false(
        "none but two integers", (n - 3) ** 2, ">=", 4, Domain({n: Integers(0)}, where=[Ne(n, 2), Ne(n, 3)]), "4", n=4
    ),
]  # fmt: skip

STATEMENTS: list[Truth] = [*ALTERNATIVES, *PRODUCTS, *RECURSIONS, *MORE]
