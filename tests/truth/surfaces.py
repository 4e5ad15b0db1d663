"""Statements under equations: probabilities that add up to 1, finite random variables, spheres, curves."""

from fractions import Fraction

import sympy as sp
from sympy import Abs, Rational, Sum, exp, log, sqrt

from boundaudit import Domain, Integers, Reals, Vector

from .statement import Truth, each, false, true

i, n = sp.symbols("i n", integer=True)
p, q, f = sp.IndexedBase("p", real=True), sp.IndexedBase("q", real=True), sp.IndexedBase("f", real=True)
x, y, z = sp.symbols("x y z", real=True)


def total(body: sp.Expr) -> sp.Sum:
    return Sum(body, (i, 1, n))


LAW = Vector(n, Reals(0, 1, open_low=True))
ONE, BOTH = [sp.Eq(total(p[i]), 1)], [sp.Eq(total(p[i]), 1), sp.Eq(total(q[i]), 1)]
SIMPLEX = Domain({n: Integers(1), p: LAW}, where=ONE)
TWO_LAWS = Domain({n: Integers(1), p: LAW, q: LAW}, where=BOTH)
MEAN, SECOND = total(p[i] * f[i]), total(p[i] * f[i] ** 2)
KL, TV = total(p[i] * log(p[i] / q[i])), total(Abs(p[i] - q[i])) / 2
CHI, HELLINGER = total(p[i] ** 2 / q[i]) - 1, 1 - total(sqrt(p[i] * q[i]))
SPHERE = Domain({n: Integers(1), f: Vector(n, Reals(-1, 1))}, where=[sp.Eq(total(f[i] ** 2), 1)])
POSITIVE = each(Reals(0, open_low=True), x, y, z)


def variable(low: float | None, high: float | None) -> Domain:
    """A random variable with finitely many values in a range."""
    return Domain({n: Integers(1), p: LAW, f: Vector(n, Reals(low, high))}, where=ONE)


ANY, IN_UNIT, WEIGHTS = variable(None, None), variable(0, 1), variable(0, None)
CENTRED = Domain({n: Integers(1), p: LAW, f: Vector(n, Reals(-1, 1))}, where=[*ONE, sp.Eq(MEAN, 0)])
LEVEL = {n: Integers(1), x: Reals(0, open_low=True), p: LAW}
POSITIVE_VALUES = Domain({**LEVEL, f: Vector(n, Reals(0))}, where=ONE)
ANY_LEVEL = Domain({**LEVEL, f: Vector(n, Reals())}, where=ONE)
EXCEEDING, BELOW = (total(p[i] * sp.Piecewise((1, event), (0, True))) for event in (f[i] >= x, f[i] <= -x))
EITHER = total(p[i] * sp.Piecewise((1, sp.Or(f[i] >= x, f[i] <= -x)), (0, True)))
CIRCLE = Domain({x: Reals(), y: Reals()}, where=[sp.Eq(x**2 + y**2, 1)])
INNER = Domain(dict.fromkeys((x, y), Reals(0, open_low=True)), where=[sp.Eq(x + y, 1)])
PRODUCT = Domain(POSITIVE.ranges, where=[sp.Eq(x * y * z, 1)])
DUAL = Domain(dict.fromkeys((x, y), Reals(1, open_low=True)), where=[sp.Eq(1 / x + 1 / y, 1)])
FOURTH, ABSOLUTE = total(p[i] * f[i] ** 4), total(Abs(f[i]))
CHI_BACK = total(q[i] ** 2 / p[i]) - 1
a, b, u, v = sp.symbols("a b u v", real=True)
STATIONARY = Domain(
    dict.fromkeys((a, b, u, v), Reals(0, 1, open_low=True)), where=[sp.Eq(u + v, 1), sp.Eq(u * a, v * b)]
)
"""The stationary law (u, v) of a chain of two states that leaves them with chances a and b."""

TRUE = [
    true("Gibbs on the simplex", KL, ">=", 0, TWO_LAWS, "log t >= 1 - 1/t, and both sums are 1"),
    true("entropy on the simplex", -total(p[i] * log(p[i])), "<=", log(n), SIMPLEX, "Gibbs with the uniform law"),
    true("collision on the simplex", total(p[i] ** 2), ">=", 1 / n, SIMPLEX, "Cauchy-Schwarz with ones"),
    true("roots on the simplex", total(sqrt(p[i])), "<=", sqrt(n), SIMPLEX, "Cauchy-Schwarz with ones"),
    true("chi-squared is not negative", CHI, ">=", 0, TWO_LAWS, "(p - q)²/q summed"),
    true("Hellinger is not negative", HELLINGER, ">=", 0, TWO_LAWS, "2√(pq) <= p + q"),
    true("Hellinger below divergence", 2 * HELLINGER, "<=", KL, TWO_LAWS, "log t <= t - 1 at √(q/p)"),
    true("divergence below chi-squared, laws", KL, "<=", CHI, TWO_LAWS, "log t <= t - 1, and both sums are 1"),
    true("total variation is at most 1", TV, "<=", 1, TWO_LAWS, "|p - q| <= p + q"),
    true("second moment above the square", MEAN**2, "<=", SECOND, ANY, "Σ p (f - m)²"),
    true("Jensen's exponential", exp(MEAN), "<=", total(p[i] * exp(f[i])), ANY, "tangent of exp at the mean"),
    true("a mean of what is at most 1", MEAN, "<=", 1, IN_UNIT, "termwise"),
    true("Bhatia-Davis", SECOND - MEAN**2, "<=", MEAN * (1 - MEAN), IN_UNIT, "f² <= f"),
    true("fourth moment", SECOND**2, "<=", total(p[i] * f[i] ** 4), ANY, "Jensen for t²"),
    true("Markov", EXCEEDING, "<=", MEAN / x, POSITIVE_VALUES, "x [f >= x] <= f"),
    true("a union", EITHER, "<=", EXCEEDING + BELOW, ANY_LEVEL, "[a or b] <= [a] + [b]"),
    true("sum on the sphere", total(f[i]), "<=", sqrt(n), SPHERE, "Cauchy-Schwarz with ones"),
    true("fourth powers on the sphere", total(f[i] ** 4), "<=", 1, SPHERE, "f² <= 1"),
    true("sum on the circle", x + y, "<=", sqrt(2), CIRCLE, "(x + y)² + (x - y)² = 2"),
    true("product on the circle", 2 * x * y, "<=", 1, CIRCLE, "(x - y)²"),
    true("product under a sum", x * y, "<=", Rational(1, 4), INNER, "(x - y)²"),
    true("sum under a product", x + y + z, ">=", 3, PRODUCT, "means of three numbers"),
    true("Hellinger below total variation", HELLINGER, "<=", TV, TWO_LAWS, "(√p - √q)² <= |p - q|"),
    true("collision entropy below entropy", -log(total(p[i] ** 2)), "<=", -total(p[i] * log(p[i])), SIMPLEX, "Jensen"),
    true("mean below the root of the second moment", MEAN, "<=", sqrt(SECOND), ANY, "Jensen for t²"),
    true("absolute values on the sphere", ABSOLUTE, "<=", sqrt(n), SPHERE, "Cauchy-Schwarz with ones"),
    true("absolute values on the sphere are 1 at least", ABSOLUTE, ">=", 1, SPHERE, "f² <= |f|"),
    true("third powers on the sphere", total(f[i] ** 3), "<=", 1, SPHERE, "f³ <= f²"),
    true("a stationary law", u * (a + b), "=", b, STATIONARY, "u a = (1 - u) b"),
    true("stationary flow", u * a, "<=", Rational(1, 2), STATIONARY, "u a + v b <= u + v"),
    true("conjugate exponents", x * y, "=", x + y, DUAL, "the equation times x y"),
    true("conjugate exponents are 4 at least", x * y, ">=", 4, DUAL, "means of 1/x and 1/y"),
]
FALSE = [
    false("Gibbs with a margin", KL, ">=", Rational(1, 50), TWO_LAWS, "equal laws", n=1, p=(1,), q=(1,)),
    false("entropy below 1", -total(p[i] * log(p[i])), "<=", 1, SIMPLEX, "log 4", n=4, p=(Fraction(1, 4),) * 4),
    false("collision above 1/2", total(p[i] ** 2), ">=", Rational(1, 2), SIMPLEX, "1/3", n=3, p=(Fraction(1, 3),) * 3),
    false(
        "total variation below 2/3", TV, "<=", Rational(2, 3), TWO_LAWS, "4/5", n=2,
        p=(Fraction(9, 10), Fraction(1, 10)), q=(Fraction(1, 10), Fraction(9, 10)),
    ),
    false(
        "divergence symmetric in a bound", KL, "<=", 4 * TV**2, TWO_LAWS, "one small chance", n=2,
        p=(Fraction(1, 2), Fraction(1, 2)), q=(Fraction(1, 1000), Fraction(999, 1000)),
    ),
    false(
        "variance below 1/5", SECOND - MEAN**2, "<=", Rational(1, 5), IN_UNIT, "a fair coin has 1/4", n=2,
        p=(Fraction(1, 2), Fraction(1, 2)), f=(0, 1),
    ),
    false(
        "Jensen the wrong way", exp(MEAN), ">=", total(p[i] * exp(f[i])), ANY, "cosh 1 > 1", n=2,
        p=(Fraction(1, 2), Fraction(1, 2)), f=(-1, 1),
    ),
    false("sum on the sphere below 3/2", total(f[i]), "<=", Rational(3, 2), SPHERE, "2", n=4, f=(Fraction(1, 2),) * 4),
    false("sum on the circle below 7/5", x + y, "<=", Rational(139, 100), CIRCLE, "7/5",
          x=Fraction(3, 5), y=Fraction(4, 5)),
    false("product under a sum, below 6/25", x * y, "<=", Rational(6, 25), INNER, "1/4",
          x=Fraction(1, 2), y=Fraction(1, 2)),
    false("sum under a product, above 31/10", x + y + z, ">=", Rational(31, 10), PRODUCT, "3", x=1, y=1, z=1),
    false("total variation below divergence", TV, "<=", KL, TWO_LAWS, "1/4 and 0.14", n=2,
          p=(Fraction(1, 2), Fraction(1, 2)), q=(Fraction(1, 4), Fraction(3, 4))),
    false("total variation below squared Hellinger, laws", TV, "<=", HELLINGER, TWO_LAWS, "1/4 and 0.03", n=2,
          p=(Fraction(1, 2), Fraction(1, 2)), q=(Fraction(1, 4), Fraction(3, 4))),
    false("chi-squared below its reverse", CHI, "<=", CHI_BACK, TWO_LAWS, "1.8 and 0.6", n=2,
          p=(Fraction(1, 2), Fraction(1, 2)), q=(Fraction(1, 10), Fraction(9, 10))),
    false("fourth moment below twice the square", FOURTH, "<=", 2 * SECOND**2, ANY, "a rare 1", n=2,
          p=(Fraction(1, 4), Fraction(3, 4)), f=(1, 0)),
    false("fourth powers on the sphere above 1/3", total(f[i] ** 4), ">=", Rational(1, 3), SPHERE, "1/4", n=4,
          f=(Fraction(1, 2),) * 4),
    false("a stationary law below 3/4", u, "<=", Rational(3, 4), STATIONARY, "9/10", a=Fraction(1, 10),
          b=Fraction(9, 10), u=Fraction(9, 10), v=Fraction(1, 10)),
    false("third moment without a mean, short", total(p[i] * f[i] ** 3), "<=", Rational(249, 1000), CENTRED, "1/4", n=2,
          p=(Fraction(1, 3), Fraction(2, 3)), f=(1, -Fraction(1, 2))),
    false("conjugate exponents below 5", x * y, "<=", 5, DUAL, "10 times 10/9", x=10, y=Fraction(10, 9)),
]  # fmt: skip
STATEMENTS: list[Truth] = TRUE + FALSE
