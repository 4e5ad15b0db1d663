"""An engine alone on laws, means and variances: it proves what holds, and not what is a hair too much."""

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Eq, Max, Rational, Sum, exp, log
from tests.statements import some_slow, stated

from boundaudit import Domain, E, ForAll, Integers, Maximum, Random, Reals, Space, Var, Vector
from boundaudit.checks.proof.portfolio import prove

from .stated import Side, assert_alone

n, i, j = sp.symbols("n i j", integer=True, positive=True)
a, epsilon, lam = sp.symbols("a epsilon lamda", positive=True)
b, mu, u, x, y = sp.symbols("b mu u x y", real=True)
X, Y, Z = sp.symbols("X Y Z", real=True)
c, d, f, g, h, p, q, s, z = (sp.IndexedBase(name, real=True) for name in "cdfghpqsz")
ANY, FROM_ZERO, POSITIVE = Reals(), Reals(0), Reals(0, open_low=True)
CHANCES, EACH = Reals(0, 1, open_low=True), (i, 1, n)
COUNT, HALF, MOST = {n: Integers(1)}, Rational(1, 2), Rational(9, 10)


def total(of: Any) -> sp.Expr:
    return Sum(of, EACH)


def vector(of: Reals) -> Vector:
    return Vector(n, of)


LAWS = [Eq(total(p[i]), 1), Eq(total(q[i]), 1)]
PAIR = {**COUNT, p: vector(CHANCES), q: vector(CHANCES)}
VARIATION = total(Abs(p[i] - q[i]))
# the middle of a range, and tangents at means
SIGNED = Domain({**COUNT, h: vector(Reals(-1, 3))})
MEAN, SECOND = (total(h[i] ** power) / n for power in (1, 2))
APART, ONE = Space({X: Random(Reals(0, 1)), Y: Random(Reals(-1, 1), apart="Y")}), Space({X: Random(ANY)})
CENTRED = Space({X: Random(ANY), Y: Random(ANY)}, [Eq(E(Y), 0)])
SPREAD, SQUARES = E((X - E(X) + Y) ** 2), E(X**2) + E(Y**2)
# laws that are near each other, and means of exponentials
NEAR = ForAll(p[i] <= exp(epsilon) * q[i], EACH)
PRIVATE, LARGER = {**PAIR, epsilon: POSITIVE}, exp(total(p[i] * Max(f[i], g[i])))
EITHER, BOTH = total(p[i] * exp(f[i])) + total(p[i] * exp(g[i])), {f: vector(ANY), g: vector(ANY)}
FUNCTIONS = Domain({**COUNT, p: vector(CHANCES), **BOTH}, LAWS[:1])
# entries that range freely
GAP = total((p[i] - q[i]) * h[i])
# softmax
SCORES, INSIDE = Domain({**COUNT, z: vector(ANY)}), Domain({**COUNT, z: vector(Reals(0, 1))})
PARTITION = Sum(exp(z[j]), (j, 1, n))
WEIGHT = exp(z[i]) / PARTITION
ENTROPY = -total(WEIGHT * log(WEIGHT))
# means with names
COPIES, ALONE = Space({X: Random(ANY), Y: Random(ANY, apart="copy")}), E(Abs(X - E(Y)))
BELOW = Space({lam: POSITIVE, X: Random(ANY)}, [X - E(X) <= 1])
MOMENT = E(exp(lam * (X - E(X))))
ENTRIES, LENGTH = Domain({**COUNT, a: POSITIVE, z: vector(POSITIVE)}), total(z[i] ** 2)
BALL = Space({**COUNT, z: vector(ANY), X: Random(ANY)}, [Eq(E(X**2), LENGTH)])
WEIGHED = Domain({**COUNT, x: ANY, y: ANY, s: vector(ANY), q: vector(Reals(0, 1))},
                 [LAWS[1], Eq(total(q[i] * s[i]), x)])  # fmt: skip
FAR, TEMPERED = total(q[i] * Abs(y - s[i])), Space({a: POSITIVE, **COUNT, z: vector(ANY)})
SOFT, SMALLER = log(total(exp(a * z[i]))) / a, Domain({x: ANY, y: ANY}, [Abs(x) <= Abs(y)])
# the logarithm of a bound by an exponential
TILTED = Domain({**COUNT, mu: FROM_ZERO, b: POSITIVE, c: vector(CHANCES), d: vector(FROM_ZERO)},
                [Eq(total(c[i]), 1), total(c[i] * exp(b * d[i])) <= exp(b**2 * mu)])  # fmt: skip


def near(*where: Any) -> Domain:
    return Domain(PRIVATE, where=where)


def free(of: Reals, *where: Any) -> Domain:
    return Domain({**PAIR, h: vector(of)}, where)


def bernstein(factor: Any) -> sp.Expr:
    return exp(factor * (exp(lam) - lam - 1) * Var(X))


def beside(shift: int, least: int = 1) -> Domain:
    ranges = {a: POSITIVE, n: Integers(least), z: vector(ANY), s: vector(ANY)}
    return Domain(ranges, [ForAll(z[i] <= s[i] + a + shift, EACH)])


FEW = 10**6
"""Steps of work for what does not hold, of which any number is too few; for what does, six times as many."""
SIXFOLD, TENTH = (6 * FEW, FEW), (FEW, FEW)
LAW_BY_LAW: dict[str, tuple[str, tuple[int, int], list[Side]]] = {
    "a mean square between two ends about their middle": ("centres", SIXFOLD, [
        (SECOND - MEAN**2, "<=", 4, SIGNED, True), (SECOND - MEAN**2, "<=", Rational(39, 10), SIGNED, False),
    ]),
    "variances apart, one law after the other": ("centres", SIXFOLD, [
        (Var(X - Y), "<=", Rational(5, 4), APART, True), (Var(X - Y), "<=", Rational(6, 5), APART, False),
    ]),
    "a function of slope one shrinks a variance": ("centres", SIXFOLD, [
        (Var(Max(X, 0)), "<=", Var(X), ONE, True), (Var(Max(X, 0)), "<=", MOST * Var(X), ONE, False),
    ]),
    "a tangent at means of which one is told": ("weighted", SIXFOLD, [
        (SPREAD, "<=", 2 * SQUARES, CENTRED, True), (SPREAD, "<=", SQUARES, CENTRED, False),
    ]),
    "sizes are twice positive parts": ("weighted", (6 * FEW, 6 * FEW), [
        (VARIATION / 2, "<=", 1 - exp(-epsilon), near(*LAWS, NEAR), True),
        (VARIATION / 2, "<=", 1 - exp(-epsilon), near(LAWS[0], NEAR), False),
        (VARIATION / 2, "<=", 1 - exp(-epsilon), near(*LAWS), False),
        (VARIATION / 2, "<=", 1 - exp(-epsilon / 2), near(*LAWS, NEAR), False),
    ]),
    "the first line of a proof that the larger of two is small on average": ("averaged", SIXFOLD, [
        (LARGER, "<=", EITHER, FUNCTIONS, True), (LARGER, "<=", MOST * EITHER, FUNCTIONS, False),
    ]),
    "a mean of what is bounded is at most half its range times the variation": ("freed", TENTH, [
        (GAP, "<=", VARIATION / 2, free(Reals(0, 1), *LAWS), True),
        (GAP, "<=", VARIATION / 2, free(Reals(2, 3), *LAWS), True), (GAP, "<=", VARIATION, free(Reals(-1, 1)), True),
        (GAP, "<=", VARIATION / 2, free(Reals(0, 1), LAWS[0]), False),
        (GAP, "<=", VARIATION / 3, free(Reals(0, 1), *LAWS), False),
        (GAP, "<=", VARIATION / 2, free(FROM_ZERO, *LAWS), False),
        (GAP, "<=", VARIATION / 2, free(Reals(0, 1), *LAWS, total(h[i]) <= 1), False),
        (GAP**2, "<=", VARIATION / 2, free(Reals(0, 1), *LAWS), False),
    ]),
    "softmax weights are a law": ("softmax", (6 * FEW, 6 * FEW), [
        (ENTROPY, "<=", log(n), SCORES, True),
        (PARTITION * log(PARTITION / n), "<=", total(z[i] * exp(z[i])), SCORES, True),
    ]),
    "their entropy is no less, and bounded scores are not seen": ("softmax", (6 * FEW, 6 * FEW), [
        (ENTROPY, "<=", log(n) * MOST, SCORES, False), (ENTROPY, "<=", log(n) - 1 / n**3, SCORES, False),
        (ENTROPY, "<=", log(n), INSIDE, False),
    ]),
    "a double sum begins with the index of the other side": ("exchange", SIXFOLD, [
        (ALONE, "<=", E(Abs(X - Y)), COPIES, True), (2 * ALONE, "<=", E(Abs(X - Y)), COPIES, False),
    ]),
    "which terms one by one do not show": ("termwise", TENTH, [
        (ALONE, "<=", E(Abs(X - Y)), COPIES, False), (2 * ALONE, "<=", E(Abs(X - Y)), COPIES, False),
    ]),
    "a mean inside of a mean is a number": ("named", SIXFOLD, [
        (MOMENT, "<=", bernstein(1), BELOW, True), (MOMENT, "<=", bernstein(HALF), BELOW, False),
    ]),
    "of which no tangent tells": ("linearised", TENTH, [
        (MOMENT, "<=", bernstein(1), BELOW, False), (MOMENT, "<=", bernstein(HALF), BELOW, False),
    ]),
    "a logarithm over several terms gives way to its tangent": ("linearised", TENTH, [
        (log(total(z[i])) / (1 + a), "<=", (LENGTH + n - 1) / (1 + a), ENTRIES, True),
        (log(total(z[i])) / (1 + a), "<=", (LENGTH + n - 2) / (1 + a), ENTRIES, False),
    ]),
    "a sum over no outcomes is a number": ("named", SIXFOLD, [
        (E(Abs(X)), "<=", sp.sqrt(LENGTH), BALL, True), (E(Abs(X)), "<=", HALF * sp.sqrt(LENGTH), BALL, False),
    ]),
    "a size beside a sum is weighed by totals": ("weighted", (6 * FEW, 6 * FEW), [
        (y - x, "<=", FAR, WEIGHED, True), (2 * (y - x), "<=", FAR, WEIGHED, False),
    ]),
    "a size beside a sum is split": ("sizes", (6 * FEW, 6 * FEW), [
        (Abs(y - x), "<=", FAR, WEIGHED, True), (2 * Abs(y - x), "<=", FAR, WEIGHED, False),
        (Abs(y) - Abs(x), "<=", FAR, WEIGHED, False),  # which of two, it does not ask
    ]),
    "what is said of all indices is said of terms": ("termwise", (6 * FEW, 6 * FEW), [
        (total(exp(z[i])), "<=", exp(a) * total(exp(s[i])), beside(0), True),
        (total(exp(z[i])), "<=", exp(a) * total(exp(s[i])), beside(1), False),
    ]),
    "what is said of all indices is said of one": ("said", (FEW, FEW), [
        (z[2], "<=", a + s[2], beside(0, 2), True), (z[2], "<=", a + s[2], beside(1, 2), False),
    ]),
    "what is said of all indices is said of entries": ("at entries", (6 * FEW, 6 * FEW), [
        (exp(z[2]) * s[1] ** 2, "<=", exp(a + s[2]) * s[1] ** 2, beside(0, 2), True),
        (exp(z[2]) * s[1] ** 2, "<=", exp(a + s[2]) * s[1] ** 2, beside(1, 2), False),
    ]),
    "a logarithm loses its denominator before exponentials undo it": ("cleared", SIXFOLD, [
        (SOFT, "<=", Maximum(z[i], EACH) + log(n) / a, TEMPERED, True),
        (SOFT, "<=", Maximum(z[i], EACH) + HALF * log(n) / a, TEMPERED, False),
    ]),
    "two terms are compared by their logarithms": ("tangents", (6 * FEW, 6 * FEW), [
        (exp(x), "<=", exp(Abs(y)), SMALLER, True),  # no range shows the sign of |y| - x
        (exp(2 * x), "<=", exp(Abs(y)), SMALLER, False),
    ]),
    "the logarithm of a bound by an exponential bounds a mean": ("supposed", TENTH, [
        (total(c[i] * d[i]), "<=", b * mu, TILTED, True),
        (total(c[i] * d[i]), "<=", Rational(99, 100) * b * mu, TILTED, False),
    ]),
}  # fmt: skip
QUICK = (
    "a mean square between two ends about their middle", "their entropy is no less, and bounded scores are not seen",
    "a size beside a sum is weighed by totals", "a size beside a sum is split",
    "two terms are compared by their logarithms", "what is said of all indices is said of one",
)  # fmt: skip


@pytest.mark.parametrize("name", some_slow(LAW_BY_LAW, *(set(LAW_BY_LAW) - set(QUICK))))
def test_of_laws_it_proves_what_holds(name: str) -> None:
    engine, steps, sides = LAW_BY_LAW[name]
    assert_alone(engine, *sides, steps=steps)


# --- hypotheses about sums -----------------------------------------------------------------------------

alpha, beta, delta = sp.symbols("alpha beta delta", real=True)
FIRST, SECOND_SUM, LARGEST = total(c[i]), total(d[i]), total(Max(c[i], d[i]))
RANGES = {**COUNT, alpha: FROM_ZERO, beta: FROM_ZERO, delta: POSITIVE, c: vector(FROM_ZERO), d: vector(FROM_ZERO)}
BOUNDED = [delta >= FIRST, delta >= SECOND_SUM]


@pytest.mark.slow
@pytest.mark.parametrize(("right", "where"), [
    (alpha + beta, [alpha >= FIRST, beta >= SECOND_SUM]), (alpha + beta + delta, [alpha >= FIRST, beta >= SECOND_SUM]),
    (2 * delta, BOUNDED), (3 * alpha + beta / 2, [3 * alpha >= FIRST, beta >= 2 * SECOND_SUM]),
    (exp(-alpha) * delta, [exp(alpha) * FIRST <= delta, exp(alpha) * LARGEST <= delta]),
])  # fmt: skip
def test_multiples_of_hypotheses_prove(right: sp.Expr, where: list[sp.Rel]) -> None:
    found = prove(stated(LARGEST, "<=", right, Domain(RANGES, where=where)), engines=["supposed"])
    assert (found.outcome, found.engine) == ("proved", "supposed")


@pytest.mark.parametrize("right", [delta, Rational(199, 100) * delta, alpha + delta])
def test_too_few_of_them_do_not(right: sp.Expr) -> None:
    assert_alone("supposed", (LARGEST, "<=", right, Domain(RANGES, where=BOUNDED), False))
