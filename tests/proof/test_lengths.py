"""Inequalities between lengths, and forms of two numbers: what they prove, and not of its neighbours."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, Euclidean, Functions, Linear, Reals, Space, Symmetric, inner, norm, nuclear, singular
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.cases import _splits
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

from .stated import claim, reals, tree

x, y, z = sp.symbols("x y z")
a, b = sp.symbols("a b", real=True)
lam, sigma = sp.symbols("lamda sigma", positive=True)
A, B = map(sp.Function, "AB")
P, Q = (sp.MatrixSymbol(name, 2, 2) for name in "PQ")
ONTO = Reals(0, open_low=True)
MAPS = {lam: ONTO, sigma: ONTO, x: Euclidean(), A: Linear(norm=lam), B: Linear(norm=sigma)}
THREE = dict.fromkeys((x, y, z), Euclidean())
f = sp.Function("f")
LIPSCHITZ = {**THREE, lam: ONTO, f: Functions(lipschitz=lam)}
MATRICES = {P: Reals(), Q: Reals()}
FORM = {x: Euclidean(), y: Euclidean(), A: Symmetric(low=0)}

ENOUGH = Budget(steps=1_000_000)
"""With it what is true is proved."""


def _said(left: Any, right: Any, ranges: Any) -> Statement:
    domain, sides = Space(ranges).written_out([sp.sympify(left), sp.sympify(right)])
    return stated(sides[0], "<=", sides[1], domain)


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "ranges", "proved"), [
    (norm(B(x)) - lam * norm(x), norm(A(x) - B(x)), MAPS, True),
    (norm(B(x)) - lam * norm(x) / 2, norm(A(x) - B(x)), MAPS, False),
    (norm(x - y - z), norm(x) + norm(y) + norm(z), THREE, True),
    (norm(x - y - z), norm(x) + norm(y) + norm(z) / 2, THREE, False),
    (sp.Abs(f(x) - f(y)), lam * (norm(x - z) + norm(y - z)), LIPSCHITZ, True),
    (sp.Abs(f(x) - f(y)), lam * (norm(x - z) + norm(y - z) / 2), LIPSCHITZ, False),
    (singular(P + Q, 1), singular(P, 1) + singular(Q, 1), MATRICES, True),
    (singular(P + Q, 1), singular(P, 1) + singular(Q, 2), MATRICES, False),
    (inner(P, Q), singular(P, 1) * nuclear(Q), MATRICES, True),
    (inner(P, Q), singular(P, 2) * nuclear(Q), MATRICES, False),
])  # fmt: skip
def test_triangles_and_products_of_lengths_add_up(left: Any, right: Any, ranges: Any, proved: bool) -> None:
    said = _said(left, right, ranges)
    assert (prove(said, engines=["lengths"], budget=ENOUGH).outcome == "proved") == proved


@pytest.mark.slow
@pytest.mark.parametrize(("part", "proved"), [(1, True), (sp.Rational(99, 100), False)])
def test_a_positive_form_obeys_cauchy_and_schwarz(part: Any, proved: bool) -> None:
    said = _said(inner(A(x), y) ** 2, part * inner(A(x), x) * inner(A(y), y), FORM)
    assert (prove(said, engines=["forms"]).outcome == "proved") == proved


@pytest.mark.parametrize(("where", "proved"), [((a >= 0, b >= 0), False), ((), False)])
def test_a_form_has_to_be_positive(where: Any, proved: bool) -> None:
    said = stated((a + b) ** 2, "<=", 4 * a * b, Domain({a: Reals(), b: Reals()}, where=where))
    assert (prove(said, engines=["forms"]).outcome == "proved") == proved


def test_sizes_that_the_goal_falls_with_are_split_first() -> None:
    goal = claim(sp.Abs(b), "<=", sp.Abs(a) + sp.Abs(a - b), reals("a", None, None), reals("b", None, None))
    assert next(_splits(goal)) == ["sign", tree(b)]


@pytest.mark.slow
def test_the_nuclear_norm_of_a_sum_takes_one_split() -> None:
    two, budget = ["lengths", "cases"], Budget(steps=3_000_000)
    for right, proved in ((nuclear(P) + nuclear(Q), True), (nuclear(P) + singular(Q, 1), False)):
        found = prove(_said(nuclear(P + Q), right, MATRICES), engines=two, budget=budget)
        assert (found.outcome == "proved") is proved
