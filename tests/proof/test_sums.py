"""An engine alone on sums, rows and columns: it proves what holds, and not what is a hair too much."""

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Eq, Max, Min, Rational, Sum, floor, log, sin, sqrt
from tests.statements import form_of, some_slow, stated
from tests.truth.catalogue import named

from boundaudit import Domain, ForAll, Integers, Matrix, Reals, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

from .stated import Side, assert_alone

n, m, i, j, k = sp.symbols("n m i j k", integer=True, positive=True)
x, real = sp.Symbol("x", positive=True), sp.Symbol("x", real=True)
a, b, s, W, K = (sp.IndexedBase(name, real=True) for name in "absWK")
EACH = (k, 1, n)
COUNTS, POSITIVE = Domain({n: Integers(1)}), Reals(0, open_low=True)


def total(of: Any) -> sp.Expr:
    return Sum(of, EACH)


# quotients by sums
HARMONIC, ROOTS, SHARES = total(1 / k), total(1 / sqrt(k)), Domain({n: Integers(1), real: Reals()})
# integrals, and what is simpler
AT_ALL = Domain({n: Integers(1), x: POSITIVE})
SLOW = Domain({x: Reals(0, 1, open_low=True, open_high=True), m: Integers(2), n: Integers(m)})
LESS = Domain({n: Integers(1), x: Reals(0, 1, open_low=True)})
IN_BALL = Domain({n: Integers(1), a: Vector(n, Reals(-1, 1), square_sum=1)})
AT_ONE = Domain({n: Integers(1), k: Integers(1, n), a: Vector(n, Reals(-1, 1), square_sum=1)})
HALF, SHIFTED = total(1 / (n + k)), Sum(k**-x, (k, m, n))
CUBED = Sum(1 / (k * log(k) ** 3), (k, 3, n))
# sums divided where their terms change
SHORT = Reals(0, 1, open_high=True)
AROUND = Domain({n: Integers(1), m: Integers(1, n), real: SHORT})
BESIDE, UNIT = Domain({n: Integers(1), real: SHORT}), Domain({n: Integers(1), real: Reals(0, 1)})
APART = Domain({n: Integers(1), m: Integers(1, n), s: Vector(n, Reals(0, 1))})
RISING = Domain({n: Integers(1), m: Integers(1, n), s: Vector(n, Reals(0))}, [ForAll(s[i] <= s[i + 1], (i, 1, n - 1))])
KERNEL, FARTHEST = total(k * real ** Abs(m - k)) * (1 - real) ** 2, m * (m - 1) / 2 + (n - m) * (n - m + 1) / 2
GEOMETRIC = total(k * real ** (n - k))
# rows and columns
JOINT = Domain({n: Integers(1), m: Integers(1), W: Matrix(n, m, Reals(0, 1, open_low=True))},
               where=[Eq(Sum(W[i, j], (j, 1, m), (i, 1, n)), 1)])  # fmt: skip
ROW, COLUMN = Sum(W[i, k], (k, 1, m)), Sum(W[k, j], (k, 1, n))
INFORMATION = Sum(W[i, j] * log(W[i, j] / (ROW * COLUMN)), (j, 1, m), (i, 1, n))
CHANNEL = ForAll(Sum(K[i, k], (k, 1, m)) <= 1, (i, 1, n))
SENT = Domain({n: Integers(1), m: Integers(1), a: Vector(n, Reals()), K: Matrix(n, m, Reals(0, 1))}, where=[CHANNEL])
WEIGHED, INNER = Sum(a[i] * K[i, k], (i, 1, n)), Reals(0, 1, open_low=True)
ARRIVED = Sum(Abs(WEIGHED), (k, 1, m))
IN_SHARES = Domain({n: Integers(1), m: Integers(1), a: Vector(n, Reals(0)), b: Vector(n, INNER),
                    K: Matrix(n, m, INNER)}, where=[CHANNEL])  # fmt: skip
OVER = Sum(WEIGHED**2 / Sum(b[i] * K[i, k], (i, 1, n)), (k, 1, m))
LENGTH, PROPORTION = Sum(Abs(a[i]), (i, 1, n)), Sum(a[i] ** 2 / b[i], (i, 1, n))


SUMS: dict[str, tuple[str, list[Side]]] = {
    "quotients are compared above and below": ("quotients", [
        (HARMONIC / ROOTS, "<=", (1 + log(n)) / sqrt(n), SHARES, True),
        (HARMONIC / ROOTS, "<=", 2 / sqrt(n), SHARES, False),
        (HARMONIC / ROOTS, "<=", (1 + log(n)) / (2 * sqrt(n)), SHARES, False),
        (real / ROOTS, "<=", (real + 1) / sqrt(n), SHARES, False),
    ]),
    "an integral": ("integrals", [(HALF, "<=", log(2), COUNTS, True), (log(2), "<=", HALF, COUNTS, False)]),
    "an integral of a scaled term": ("integrals", [
        (log(1 + 1 / x), "<=", Sum(1 / (n * x + k), (k, 0, n)), AT_ALL, True),
        (HALF, "<=", log(2) - Rational(1, 1000), AT_ALL, False),
    ]),
    "an integral of a root": ("integrals", [
        (total(1 / sqrt(n + k)), "<=", 2 * sqrt(2 * n) - 2 * sqrt(n), COUNTS, True),
        (HALF, "<=", log(2) - 1 / n**2, COUNTS, False),
    ]),
    "an integral of a power": ("integrals", [
        (n ** (x + 1) / (x + 1), "<=", total(k**x), AT_ALL, True), (n ** (x + 1) / x, "<=", total(k**x), AT_ALL, False),
    ]),
    "an integral from later on": ("integrals", [
        (SHIFTED, "<=", n ** (1 - x) / (1 - x) - (m - 1) ** (1 - x) / (1 - x), SLOW, True),
        (SHIFTED, "<=", n ** (1 - x) / (1 - x) - m ** (1 - x) / (1 - x), SLOW, False),
    ]),
    "an integral of a quotient": ("integrals", [
        (log(1 + (n**2 + 2 * n) / (1 + x)) / 2, "<=", total(k / (k**2 + x)), LESS, True),
        (log(2 + (n**2 + 2 * n) / (1 + x)) / 2, "<=", total(k / (k**2 + x)), LESS, False),
    ]),
    "an integral with a logarithm": ("integrals", [
        (CUBED, "<=", 1 / (2 * log(2) ** 2), Domain({n: Integers(3)}), True),
        (CUBED, "<=", 1 / (2 * log(3) ** 2), Domain({n: Integers(3)}), False),
    ]),
    "a floor gives way": ("eased", [
        (total(floor(n / k)), "<=", n * (1 + log(n)), COUNTS, True),
        (total(floor(n / k)), "<=", n * log(n), COUNTS, False),
    ]),
    "a wave gives way": ("eased", [
        (total(Abs(sin(k)) / k**2), "<=", 2, COUNTS, True), (total(sin(k) ** 2), "<=", n / 2, COUNTS, False),
    ]),
    "the smaller of two gives way": ("eased", [
        (total(Min(1, n / k**2)), "<=", 2 * n, COUNTS, True), (total(Min(1, n / k**2)), "<=", n / 4, COUNTS, False),
    ]),
    "a budget is shared out among the terms": ("budgets", [
        (total(a[k] ** 4), "<=", 1, IN_BALL, True), (total(Abs(a[k])), "<=", 1, IN_BALL, False),
    ]),
    "a kernel is divided where its terms change": ("divided", [
        (KERNEL, "<=", m * (1 - real**2) + real, AROUND, True),
        (KERNEL, "<=", m * (1 - real**2) + real - 1, AROUND, False),
    ]),
    "a maximum is divided where its terms change": ("divided", [
        (n * (n + 1) / 2 + m * (m - 1) / 2, "<=", total(Max(k, m)), AROUND, True),
        (n * (n + 1) / 2 + m * (m - 1) / 2, "<=", total(Max(k, m)) - 1, AROUND, False),
    ]),
    "a distance is divided where its terms change": ("divided", [
        (total(s[k] * Abs(k - m)), "<=", FARTHEST, APART, True),
        (total(s[k] * Abs(k - m)), "<=", FARTHEST - 1, APART, False),
    ]),
    "a sum is divided at an entry of which the goal speaks": ("divided", [
        ((n - m + 1) * s[m], "<=", Sum(s[i], (i, 1, n)), RISING, True),
        ((n - m + 2) * s[m], "<=", Sum(s[i], (i, 1, n)), RISING, False),
    ]),
    "a geometric sum counts down to what may be zero": ("telescope", [
        (GEOMETRIC, "=", n / (1 - real) - real * (1 - real**n) / (1 - real) ** 2, BESIDE, True),
        (GEOMETRIC, "=", n / (1 - real) - real * (1 - real**n) / (1 - real), BESIDE, False),
    ]),
    "the number of a geometric sum may be one": ("telescope", [
        ((1 - real) * GEOMETRIC, "<=", n, UNIT, True), ((1 - real) * GEOMETRIC, "<=", n - 1, UNIT, False),
    ]),
    "the sum of squares that is declared": ("multipliers", [
        (a[k] ** 2, "<=", 1, AT_ONE, True), (a[k] ** 2, "<=", Rational(9, 10), AT_ONE, False),
    ]),
    "what rows add up to columns do too": ("weighted", [
        (INFORMATION, ">=", 0, JOINT, True), (INFORMATION, ">=", Rational(1, 100), JOINT, False),
    ]),
    "a channel brings vectors no further apart": ("eased", [
        (ARRIVED, "<=", LENGTH, SENT, True), (2 * ARRIVED, "<=", LENGTH, SENT, False),
    ]),
    "nor squares in proportion": ("eased", [
        (OVER, "<=", PROPORTION, IN_SHARES, True), (2 * OVER, "<=", PROPORTION, IN_SHARES, False),
    ]),
}  # fmt: skip
FEWER = dict.fromkeys(("a channel brings vectors no further apart", "nor squares in proportion"), 1_000_000)
"""Steps of work for what does not hold, where not the usual."""
QUICK = (
    "a geometric sum counts down to what may be zero", "the number of a geometric sum may be one",
    "the sum of squares that is declared",
)  # fmt: skip


@pytest.mark.parametrize("name", some_slow(SUMS, *(set(SUMS) - set(QUICK))))
def test_of_sums_it_proves_what_holds(name: str) -> None:
    engine, sides = SUMS[name]
    assert_alone(engine, *sides, steps=(Budget.steps, FEWER.get(name, Budget.steps)))


@pytest.mark.slow
@pytest.mark.parametrize(("share", "outcome"), [(1, "proved"), (2, "unknown")])
def test_terms_are_compared_at_once_where_indices_have_changed_places(share: int, outcome: str) -> None:
    """So that there is room for what the terms need: a row's sum, which is not a number."""
    small = Sum(Sum(Abs(a[i]) * K[i, k], (i, 1, n)), (k, 1, n))
    domain = Domain(
        {n: Integers(1), a: Vector(n, Reals()), K: Matrix(n, n, Reals(0, 1))},
        where=[ForAll(Eq(Sum(K[i, k], (k, 1, n)), 1), (i, 1, n))],
    )
    budget = replace(Budget(steps=1_000_000), depth=2)
    assert prove(stated(share * small, "<=", LENGTH, domain), engines=["exchange"], budget=budget).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "name", "false"), [
    ("chords", "Hoeffding's lemma", "Hoeffding's lemma with 9 for any law"),
    ("linearised", "Bernstein's moment", "Bernstein's moment of any mean"),
    ("monotone", "Cantelli about zero with a bound", "Cantelli with half a bound"),
    ("families", "none of several", "none of several, twice"),
])  # fmt: skip
def test_a_mean_gives_way_to_a_chord_or_a_tangent(engine: str, name: str, false: str) -> None:
    forms = (form_of(named(f"space: {which}").claim()) for which in (name, false))
    outcomes = [prove(form, engines=[engine], budget=Budget(steps=3_000_000)).outcome for form in forms]
    assert outcomes == ["proved", "unknown"]
