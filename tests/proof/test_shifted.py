"""Exponents that count from zero where their parameter does not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Integers
from boundaudit.checks.proof.portfolio import prove

d, n = sp.symbols("d n", integer=True, positive=True)
GROWN = 1 + 1 / d


@pytest.mark.parametrize(
    ("left", "right", "last", "proved"),
    [
        (GROWN ** (n - 1), sp.E, d + 1, True),
        (GROWN ** (n - 1), sp.E, d + 2, False),
        (GROWN ** (n - 1), sp.Integer(2), d + 1, False),
    ],
)
def test_a_number_is_counted_from_zero(left: Any, right: Any, last: Any, proved: bool) -> None:
    domain = Domain({d: Integers(1), n: Integers(1, last)})
    assert (prove(stated(left, "<=", right, domain)).outcome == "proved") is proved
