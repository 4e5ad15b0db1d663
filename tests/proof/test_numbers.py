"""An engine alone on numbers, functions of them and lengths: it proves what holds, and not what is a hair too much."""

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Eq, Rational, exp, log, sqrt
from tests.statements import some_slow, stated

from boundaudit import (  # fmt: skip
    Domain,
    Euclidean,
    ForAll,
    Functions,
    Integers,
    Linear,
    Reals,
    Space,
    Symmetric,
    Vector,
    gradient,
    inner,
    norm,
    nuclear,
    singular,
)
from boundaudit.checks.proof.cases import _splits
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

from .stated import Side, assert_alone, claim, reals, tree

n, d, T, t, i = sp.symbols("n d T t i", integer=True, positive=True)
r, s = sp.symbols("r s", nonnegative=True)
a, b, w, x, y, z = sp.symbols("a b w x y z", real=True)
h, g = (sp.IndexedBase(name, real=True) for name in "hg")
psi = sp.Function("psi")
ANY, FROM_ZERO, POSITIVE = Reals(), Reals(0), Reals(0, open_low=True)

# --- powers, signs and ranges ------------------------------------------------------------------------

GROWN, SHARES = 1 + 1 / d, Domain({T: Integers(1), x: Reals(0, 1), y: Reals(0)})
BASES = Domain({x: Reals(0, 1), y: Reals(1), w: Reals(y), z: FROM_ZERO})
HALVES = Domain({x: Reals(0, 1), y: Reals(1), w: Reals(y / 2), z: FROM_ZERO})
DECAY = Domain(dict.fromkeys((x, y, z), FROM_ZERO), where=[x * y <= 1])
STEPS = Domain(
    {T: Integers(1), x: Reals(-1, 1), y: ANY, h: Vector(T, ANY)},
    where=[ForAll(Eq(h[t + 1], y + x * (h[t] - y)), (t, 1, T - 1))],
)
"""A recursion with a fixed point."""
APART, POWERS = Abs(h[T] - y), Domain({T: Integers(1), x: ANY, y: ANY})
OPPOSITE = Domain(dict.fromkeys((x, y, z), ANY), where=[Eq(x + y * z, 0)])
START, TOTAL = 2 * log(y), sp.Sum(g[i], (i, 1, n))
ENTRIES, LOGARITHM = Domain({n: Integers(1), g: Vector(n, FROM_ZERO)}), log(1 + g[1] / (1 + TOTAL))
BELOW = Domain({x: Reals(1), y: Reals(sp.E)}, where=[x <= y * log(x)])
INNER = Reals(0, 1, open_low=True, open_high=True)
CLOSE = Domain(
    {x: INNER, z: INNER, y: POSITIVE}, where=[z * log(z / x) + (1 - z) * log((1 - z) / (1 - x)) <= y]
)  # fmt: skip


def counted(last: sp.Expr) -> Domain:
    return Domain({d: Integers(1), n: Integers(1, last)})


def convex(start: sp.Rel) -> Space:
    return Space({r: FROM_ZERO, s: FROM_ZERO, psi: Functions(convex=True)}, where=[start])


def cubed(least: int) -> Domain:
    return Domain({r: FROM_ZERO, s: Reals(least), x: ANY, y: ANY}, where=[r**3 * s * x <= r**3 * s * y])


def ending(relation: sp.Rel) -> Domain:
    return Domain({x: ANY, y: Reals(2)}, where=[relation])


NUMBERS: dict[str, tuple[str | None, list[Side]]] = {
    "an exponent is counted from zero": (None, [
        (GROWN ** (n - 1), "<=", sp.E, counted(d + 1), True), (GROWN ** (n - 1), "<=", sp.E, counted(d + 2), False),
        (GROWN ** (n - 1), "<=", 2, counted(d + 1), False),
    ]),
    "powers are compared by their bases": ("powers", [
        ((1 - x) ** T, "<=", exp(-T * x), SHARES, True), ((1 - x / 2) ** T, "<=", (1 + y) ** T, SHARES, True),
        (x**T, "<=", exp((T + 1) * (x - 1)), SHARES, False), ((x - 2) ** T, "<=", (1 + y) ** T, SHARES, False),
        ((1 - x) ** T, "<=", exp(-T * x) * Rational(9, 10), SHARES, False),
    ]),
    "an exponent of zero is a case of its own where the base may be zero": ("powers", [
        ((1 - x * y) ** z, "<=", exp(-x * y * z), DECAY, True), ((1 - x * y) ** z, "<=", exp(-z), DECAY, False),
        ((1 - x * y) ** z, "<=", exp(-x * y * z) - y * 0**z / 2, DECAY, False),  # at z = 0 alone
    ]),
    "beside what both are multiplied with": ("powers", [
        (x * y**z, "<=", x * w**z, BASES, True), (x * y**z, "<=", x * w**z, HALVES, False),
    ]),
    "what is convex and starts low is superadditive": ("beyond", [
        (psi(r) + psi(s), "<=", psi(r + s), convex(psi(0) <= 0), True),
        (psi(r) + psi(s), "<=", psi(r + s), convex(psi(0) <= 1), False),
    ]),
    "a positive factor is taken out of relations": ("beyond", [
        (r * x, "<=", r * y, cubed(1), True), (r * x, "<=", r * y, cubed(0), False),  # at r = 0 the goal is 0 ≤ 0
    ]),
    "an equation of sizes follows from one without them": ("signless", [
        (APART, "=", Abs(x) ** (T - 1) * Abs(h[1] - y), STEPS, True),
        (APART, "=", Abs(x) ** T * Abs(h[1] - y), STEPS, False),
        (Abs(x) * Abs(z), "=", Abs(y) * Abs(z) ** 2, OPPOSITE, True), (Abs(x), "=", Abs(y) * Abs(z), OPPOSITE, True),
        (Abs(x), "=", Abs(y) * Abs(z + 1), OPPOSITE, False),
    ]),
    "the size of a power is that power of the size": ("identity", [
        (Abs(x**T * y), "=", Abs(x) ** T * Abs(y), POWERS, True), (Abs((-1) ** T * y), "=", Abs(y), POWERS, True),
        (Abs(x**T * y), "=", x**T * Abs(y), POWERS, False),
    ]),
    "a relation is the end from which a goal rises": ("narrowed", [
        (exp(x) + x, ">=", y**2 + START, ending(x >= START), True),
        (exp(x) + x, ">=", y**2 + START, ending(x <= START), False),
    ]),
    "of which calculus alone knows nothing": ("calculus", [
        (exp(x) + x, ">=", y**2 + START, ending(x >= START), False),
        (exp(x) + x, ">=", y**2 + START, ending(x <= START), False),
    ]),
    "a sum and an entry are numbers of their ranges": ("entries", [
        (LOGARITHM, "<=", g[1] / (1 + TOTAL), ENTRIES, True), (2 * LOGARITHM, "<=", g[1] / (1 + TOTAL), ENTRIES, False),
    ]),
    "a hypothesis fails where the goal does": ("contraposed", [
        (x, "<=", 2 * y * log(y), BELOW, True), (x, "<=", y * log(y), BELOW, False),
    ]),
    "two chances with a small divergence are close": ("curved", [
        (x, "<=", z + sqrt(2 * z * y) + 2 * y, CLOSE, True), (x, "<=", z + sqrt(z * y) + y, CLOSE, False),
    ]),
}  # fmt: skip
FEWER = {"beyond": (2_000_000, 2_000_000), "signless": (3_000_000, 3_000_000), "curved": (6_000_000, 1_000_000)}
"""Steps of work, where not the usual: for what holds, and for what does not."""
QUICK = (
    "an exponent is counted from zero", "powers are compared by their bases", "beside what both are multiplied with",
    "a positive factor is taken out of relations", "the size of a power is that power of the size",
)  # fmt: skip


@pytest.mark.parametrize("name", some_slow(NUMBERS, *(set(NUMBERS) - set(QUICK))))
def test_of_numbers_it_proves_what_holds(name: str) -> None:
    engine, sides = NUMBERS[name]
    assert_alone(engine, *sides, steps=FEWER.get(engine or "", (Budget.steps, Budget.steps)))


# --- lengths, and forms of two numbers ---------------------------------------------------------------

lam, sigma = sp.symbols("lamda sigma", positive=True)
u, v, q = sp.symbols("u v q")
A, B, f = map(sp.Function, "ABf")
P, Q = (sp.MatrixSymbol(name, 2, 2) for name in "PQ")
THREE = dict.fromkeys((u, v, q), Euclidean())
MAPS = Space(
    {lam: POSITIVE, sigma: POSITIVE, u: Euclidean(), v: Euclidean(), A: Linear(norm=lam), B: Linear(norm=sigma)}
)
POINTS, LIPSCHITZ = Space(THREE), Space({**THREE, lam: POSITIVE, f: Functions(lipschitz=lam)})
MATRICES, FORM = Space({P: ANY, Q: ANY}), Space({u: Euclidean(), v: Euclidean(), A: Symmetric(low=0)})
SHARP = Space(
    {lam: POSITIVE, sigma: POSITIVE, u: Euclidean(), v: Euclidean(), f: Functions(smooth=lam)}, [norm(v) <= sigma]
)
FLAT = Space(
    {lam: POSITIVE, u: Euclidean(), v: Euclidean(), f: Functions(convex=True, strong=lam)},
    [Eq(norm(gradient(f(v))), 0)],
)
BOTH = norm(A(u)) + norm(B(v))
PAIRED: list[Side] = [
    (BOTH, "<=", lam * norm(u) + sigma * norm(v), MAPS, True),
    (BOTH, "<=", sigma * norm(v) + lam * norm(u), MAPS, True),
    (norm(A(u)) - lam * norm(u), "<=", sigma * norm(v) - norm(B(v)), MAPS, True),
    (BOTH, "<=", lam * norm(u) + sigma * norm(v) / 2, MAPS, False),
]


@pytest.mark.parametrize("side", PAIRED)
def test_terms_of_sums_are_paired(side: Side) -> None:
    assert_alone(None, side)


@pytest.mark.slow
def test_terms_are_not_paired_with_the_terms_of_others() -> None:
    assert_alone(None, (BOTH, "<=", sigma * norm(u) + lam * norm(v), MAPS, False))


@pytest.mark.slow
@pytest.mark.parametrize(("share", "holds"), [(Rational(1, 2), True), (Rational(2, 5), False)])
def test_a_length_gives_way_to_an_entry_and_a_bound_to_what_it_bounds(share: Any, holds: bool) -> None:
    above = f(u) + sigma * norm(gradient(f(u)))
    assert_alone("lengths", (f(u + v), "<=", above + share * lam * sigma**2, SHARP, holds))


@pytest.mark.parametrize(("share", "holds"), [(Rational(1, 2), True), (Rational(3, 5), False)])
def test_a_vector_without_length_has_no_entries(share: Any, holds: bool) -> None:
    assert_alone("substitution", (f(u) - f(v), ">=", share * lam * norm(u - v) ** 2, FLAT, holds))


LENGTHS: list[Side] = [
    (norm(B(u)) - lam * norm(u), "<=", norm(A(u) - B(u)), MAPS, True),
    (norm(B(u)) - lam * norm(u) / 2, "<=", norm(A(u) - B(u)), MAPS, False),
    (norm(u - v - q), "<=", norm(u) + norm(v) + norm(q), POINTS, True),
    (norm(u - v - q), "<=", norm(u) + norm(v) + norm(q) / 2, POINTS, False),
    (Abs(f(u) - f(v)), "<=", lam * (norm(u - q) + norm(v - q)), LIPSCHITZ, True),
    (Abs(f(u) - f(v)), "<=", lam * (norm(u - q) + norm(v - q) / 2), LIPSCHITZ, False),
    (singular(P + Q, 1), "<=", singular(P, 1) + singular(Q, 1), MATRICES, True),
    (singular(P + Q, 1), "<=", singular(P, 1) + singular(Q, 2), MATRICES, False),
    (inner(P, Q), "<=", singular(P, 1) * nuclear(Q), MATRICES, True),
    (inner(P, Q), "<=", singular(P, 2) * nuclear(Q), MATRICES, False),
]


@pytest.mark.slow
@pytest.mark.parametrize("side", LENGTHS)
def test_triangles_and_products_of_lengths_add_up(side: Side) -> None:
    assert_alone("lengths", side, steps=(1_000_000, 1_000_000))


@pytest.mark.slow
@pytest.mark.parametrize(("part", "holds"), [(1, True), (Rational(99, 100), False)])
def test_a_positive_form_obeys_cauchy_and_schwarz(part: sp.Expr, holds: bool) -> None:
    assert_alone("forms", (inner(A(u), v) ** 2, "<=", part * inner(A(u), u) * inner(A(v), v), FORM, holds))


@pytest.mark.parametrize("where", [(a >= 0, b >= 0), ()])
def test_a_form_has_to_be_positive(where: tuple[sp.Rel, ...]) -> None:
    assert_alone("forms", ((a + b) ** 2, "<=", 4 * a * b, Domain({a: ANY, b: ANY}, where=where), False))


def test_sizes_that_the_goal_falls_with_are_split_first() -> None:
    goal = claim(Abs(b), "<=", Abs(a) + Abs(a - b), reals("a", None, None), reals("b", None, None))
    assert next(_splits(goal)) == ["sign", tree(b)]


@pytest.mark.slow
def test_the_nuclear_norm_of_a_sum_takes_one_split() -> None:
    for right, proved in ((nuclear(P) + nuclear(Q), True), (nuclear(P) + singular(Q, 1), False)):
        said = stated(nuclear(P + Q), "<=", right, MATRICES)
        found = prove(said, engines=["lengths", "cases"], budget=Budget(steps=3_000_000))
        assert (found.outcome == "proved") is proved
