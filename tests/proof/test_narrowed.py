"""Relations as ends of ranges, and sums as numbers."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

x, z = sp.symbols("x z", real=True)
y = sp.Symbol("y", positive=True)
n, i = sp.symbols("n i", integer=True, positive=True)
g = sp.IndexedBase("g", real=True)
START, TOTAL = 2 * sp.log(y), sp.Sum(g[i], (i, 1, n))


@pytest.mark.slow
@pytest.mark.parametrize(("relation", "outcome"), [(x >= START, "proved"), (x <= START, "unknown")])
def test_a_relation_is_the_end_from_which_a_goal_rises(relation: Any, outcome: str) -> None:
    domain = Domain({x: Reals(), y: Reals(2)}, where=[relation])
    statement = stated(sp.exp(x) + x, ">=", y**2 + START, domain)
    assert prove(statement, engines=["calculus"]).outcome == "unknown"
    assert prove(statement, engines=["narrowed"]).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "outcome"), [(1, "proved"), (2, "unknown")])
def test_a_sum_and_an_entry_are_numbers_of_their_ranges(factor: int, outcome: str) -> None:
    domain = Domain({n: Integers(1), g: Vector(n, Reals(0))})
    statement = stated(factor * sp.log(1 + g[1] / (1 + TOTAL)), "<=", g[1] / (1 + TOTAL), domain)
    assert prove(statement, engines=["entries"]).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "outcome"), [(2, "proved"), (1, "unknown")])
def test_a_hypothesis_fails_where_the_goal_does(factor: int, outcome: str) -> None:
    domain = Domain({x: Reals(1), y: Reals(sp.E)}, where=[x <= y * sp.log(x)])
    statement = stated(x, "<=", factor * y * sp.log(y), domain)
    assert prove(statement, engines=["contraposed"]).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "outcome"), [(2, "proved"), (1, "unknown")])
def test_two_chances_with_a_small_divergence_are_close(factor: int, outcome: str) -> None:
    inner, less = Reals(0, 1, open_low=True, open_high=True), sp.log((1 - z) / (1 - x))
    domain = Domain({x: inner, z: inner, y: Reals(0, open_low=True)}, where=[z * sp.log(z / x) + (1 - z) * less <= y])
    statement = stated(x, "<=", z + sp.sqrt(factor * z * y) + factor * y, domain)
    steps = 6 * 10**6 if outcome == "proved" else 10**6
    assert prove(statement, engines=["curved"], budget=Budget(steps=steps)).outcome == outcome
