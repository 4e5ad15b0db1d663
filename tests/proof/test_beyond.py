"""Beyond the end of a range a number is positive, and relations lose their positive factors."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Functions, Reals, Space
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

r, s = sp.symbols("r s", nonnegative=True)
x, y = sp.symbols("x y", real=True)
psi = sp.Function("psi")
ONTO, FEW = Reals(0), Budget(steps=2_000_000)


@pytest.mark.slow
@pytest.mark.parametrize(("start", "outcome"), [(psi(0) <= 0, "proved"), (psi(0) <= 1, "unknown")])
def test_what_is_convex_and_starts_low_is_superadditive(start: Any, outcome: str) -> None:
    space = Space({r: ONTO, s: ONTO, psi: Functions(convex=True)}, where=[start])
    domain, sides = space.written_out([psi(r) + psi(s), psi(r + s)])
    found = prove(stated(sides[0], "<=", sides[1], domain), engines=["beyond"], budget=FEW)
    assert found.outcome == outcome


@pytest.mark.parametrize(("least", "outcome"), [(1, "proved"), (0, "unknown")])
def test_a_positive_factor_is_taken_out_of_relations(least: int, outcome: str) -> None:
    """r³ s x ≤ r³ s y says x ≤ y where r is positive, and s too; at r = 0 the goal is 0 ≤ 0."""
    domain = Domain({r: ONTO, s: Reals(least), x: Reals(), y: Reals()}, where=[r**3 * s * x <= r**3 * s * y])
    assert prove(stated(r * x, "<=", r * y, domain), engines=["beyond"], budget=FEW).outcome == outcome
