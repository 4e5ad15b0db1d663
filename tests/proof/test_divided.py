"""Sums divided where their terms change, and geometric sums towards what may be 0."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Max, Sum
from tests.statements import stated

from boundaudit import Domain, ForAll, Integers, Reals, Vector
from boundaudit.checks.proof.portfolio import prove

n, m, k, i = sp.symbols("n m k i", integer=True, positive=True)
x = sp.Symbol("x", real=True)
s = sp.IndexedBase("s", real=True)
LESS = Reals(0, 1, open_high=True)
AT, AROUND = Domain({n: Integers(1), x: LESS}), Domain({n: Integers(1), m: Integers(1, n), x: LESS})
FAR = Domain({n: Integers(1), m: Integers(1, n), s: Vector(n, Reals(0, 1))})
KERNEL = Sum(k * x ** Abs(m - k), (k, 1, n))


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "domain"), [
    (KERNEL * (1 - x) ** 2, m * (1 - x**2) + x, AROUND),
    (n * (n + 1) / 2 + m * (m - 1) / 2, Sum(Max(k, m), (k, 1, n)), AROUND),
    (Sum(s[k] * Abs(k - m), (k, 1, n)), m * (m - 1) / 2 + (n - m) * (n - m + 1) / 2, FAR),
])  # fmt: skip
def test_a_sum_is_divided_where_its_terms_change(left: Any, right: Any, domain: Domain) -> None:
    outcomes = [prove(stated(left, "<=", r, domain), engines=["divided"]).outcome for r in (right, right - 1)]
    assert outcomes == ["proved", "unknown"]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "outcome"), [(n - m + 1, "proved"), (n - m + 2, "unknown")])
def test_a_sum_is_divided_at_an_entry_of_which_the_goal_speaks(count: Any, outcome: str) -> None:
    ranges = {n: Integers(1), m: Integers(1, n), s: Vector(n, Reals(0))}
    rising = Domain(ranges, where=[ForAll(s[i] <= s[i + 1], (i, 1, n - 1))])
    goal = stated(count * s[m], "<=", Sum(s[i], (i, 1, n)), rising)
    assert prove(goal, engines=["divided"]).outcome == outcome


@pytest.mark.parametrize(("right", "outcome"), [
    (n / (1 - x) - x * (1 - x**n) / (1 - x) ** 2, "proved"), (n / (1 - x) - x * (1 - x**n) / (1 - x), "unknown"),
])  # fmt: skip
def test_a_geometric_sum_counts_down_to_what_may_be_zero(right: Any, outcome: str) -> None:
    assert prove(stated(Sum(k * x ** (n - k), (k, 1, n)), "=", right, AT), engines=["telescope"]).outcome == outcome


@pytest.mark.parametrize(("right", "outcome"), [(n, "proved"), (n - 1, "unknown")])
def test_the_number_of_a_geometric_sum_may_be_one(right: Any, outcome: str) -> None:
    unit = Domain({n: Integers(1), x: Reals(0, 1)})
    left = (1 - x) * Sum(k * x ** (n - k), (k, 1, n))
    assert prove(stated(left, "<=", right, unit), engines=["telescope"]).outcome == outcome
