"""Entries that range freely are at their worst at an end: what is proved so, and where they are not free."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

n, i = sp.symbols("n i", integer=True, positive=True)
p, q, h = (sp.IndexedBase(name, real=True) for name in "pqh")
LAW = Vector(n, Reals(0, 1, open_low=True))


def total(of: Any) -> Any:
    return sp.Sum(of, (i, 1, n))


ENOUGH = Budget(steps=1_000_000)
"""With it what is true is proved."""
LAWS = [sp.Eq(total(p[i]), 1), sp.Eq(total(q[i]), 1)]
GAP, VARIATION = total((p[i] - q[i]) * h[i]), total(sp.Abs(p[i] - q[i]))


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "range_of_h", "where", "outcome"), [
    (GAP, VARIATION / 2, Reals(0, 1), LAWS, "proved"), (GAP, VARIATION / 2, Reals(2, 3), LAWS, "proved"),
    (GAP, VARIATION, Reals(-1, 1), [], "proved"), (GAP, VARIATION / 2, Reals(0, 1), LAWS[:1], "unknown"),
    (GAP, VARIATION / 3, Reals(0, 1), LAWS, "unknown"), (GAP, VARIATION / 2, Reals(0), LAWS, "unknown"),
    (GAP, VARIATION / 2, Reals(0, 1), [*LAWS, total(h[i]) <= 1], "unknown"),
    (GAP**2, VARIATION / 2, Reals(0, 1), LAWS, "unknown"),
])  # fmt: skip
def test_a_mean_of_what_is_bounded_is_at_most_half_its_range_times_the_variation(
    left: Any, right: Any, range_of_h: Reals, where: list[Any], outcome: str
) -> None:
    domain = Domain({n: Integers(1), p: LAW, q: LAW, h: Vector(n, range_of_h)}, where)
    assert prove(stated(left, "<=", right, domain), engines=["freed"], budget=ENOUGH).outcome == outcome
