"""Powers with the same exponent compared by their bases, and bases that may be negative or exponents that differ."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.proof.portfolio import prove

T = sp.Symbol("T", integer=True, positive=True)
w, x, y, z = sp.symbols("w x y z", real=True)
SHARES = {T: Integers(1), x: Reals(0, 1), y: Reals(0)}


@pytest.mark.parametrize(("left", "right", "ranges", "outcome"), [
    ((1 - x) ** T, sp.exp(-T * x), SHARES, "proved"), ((1 - x / 2) ** T, (1 + y) ** T, SHARES, "proved"),
    (x**T, sp.exp((T + 1) * (x - 1)), SHARES, "unknown"), ((x - 2) ** T, (1 + y) ** T, SHARES, "unknown"),
    ((1 - x) ** T, sp.exp(-T * x) * sp.Rational(9, 10), SHARES, "unknown"),
])  # fmt: skip
def test_powers_are_compared_by_their_bases(left: Any, right: Any, ranges: Any, outcome: str) -> None:
    assert prove(stated(left, "<=", right, Domain(ranges)), engines=["powers"]).outcome == outcome


@pytest.mark.parametrize(("least", "outcome"), [(y, "proved"), (y / 2, "unknown")])
def test_powers_are_compared_beside_what_both_are_multiplied_with(least: Any, outcome: str) -> None:
    domain = Domain({x: Reals(0, 1), y: Reals(1), w: Reals(least), z: Reals(0)})
    assert prove(stated(x * y**z, "<=", x * w**z, domain), engines=["powers"]).outcome == outcome
