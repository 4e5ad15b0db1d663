"""Quotients by sums compared above and below, and those of which one part is not as it should be."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.proof.portfolio import prove

T, t = sp.symbols("T t", integer=True, positive=True)
x = sp.Symbol("x", real=True)
COUNT = {T: Integers(1), x: Reals()}
HARMONIC, ROOTS = (sp.Sum(1 / power, (t, 1, T)) for power in (t, sp.sqrt(t)))


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "outcome"), [
    (HARMONIC / ROOTS, (1 + sp.log(T)) / sp.sqrt(T), "proved"), (HARMONIC / ROOTS, 2 / sp.sqrt(T), "unknown"),
    (HARMONIC / ROOTS, (1 + sp.log(T)) / (2 * sp.sqrt(T)), "unknown"), (x / ROOTS, (x + 1) / sp.sqrt(T), "unknown"),
])  # fmt: skip
def test_quotients_are_compared_above_and_below(left: Any, right: Any, outcome: str) -> None:
    assert prove(stated(left, "<=", right, Domain(COUNT)), engines=["quotients"]).outcome == outcome
