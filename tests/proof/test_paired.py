"""Sums of as many terms, each of one at most another of the other."""

from __future__ import annotations

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Euclidean, Linear, Reals, Space, norm
from boundaudit.checks.proof.portfolio import prove

x, y = sp.symbols("x y")
A, B = map(sp.Function, "AB")
lam, sigma = sp.symbols("lamda sigma", positive=True)
ONTO = Reals(0, open_low=True)
MAPS = {lam: ONTO, sigma: ONTO, x: Euclidean(), y: Euclidean(), A: Linear(norm=lam), B: Linear(norm=sigma)}


@pytest.mark.parametrize(
    ("left", "right", "proved"),
    [
        (norm(A(x)) + norm(B(y)), lam * norm(x) + sigma * norm(y), True),
        (norm(A(x)) + norm(B(y)), sigma * norm(y) + lam * norm(x), True),
        (norm(A(x)) - lam * norm(x), sigma * norm(y) - norm(B(y)), True),
        pytest.param(norm(A(x)) + norm(B(y)), sigma * norm(x) + lam * norm(y), False, marks=pytest.mark.slow),
        (norm(A(x)) + norm(B(y)), lam * norm(x) + sigma * norm(y) / 2, False),
    ],
)
def test_terms_are_paired(left: sp.Expr, right: sp.Expr, proved: bool) -> None:
    domain, sides = Space(MAPS).written_out([left, right])
    assert (prove(stated(sides[0], "<=", sides[1], domain)).outcome == "proved") is proved
