"""Variances by a centre that is chosen, and by a tangent at means that are told; what is less is not shown."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, E, Integers, Random, Reals, Space, Var, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

n, i = sp.symbols("n i", integer=True, positive=True)
h = sp.IndexedBase("h", real=True)
X, Y, Z = sp.symbols("X Y Z", real=True)
SIGNED = Domain({n: Integers(1), h: Vector(n, Reals(-1, 3))})
MEAN, SECOND = (sp.Sum(h[i] ** power, (i, 1, n)) / n for power in (1, 2))
ANY, APART = Reals(), {X: Random(Reals(0, 1)), Y: Random(Reals(-1, 1), apart="Y")}
SHORT = Budget(steps=10**6)


def outcome(engine: str, holds: bool, left: Any, right: Any, domain: Domain | Space) -> str:
    budget = Budget() if holds else SHORT
    return prove(stated(left, "<=", right, domain), engines=[engine], budget=budget).outcome


@pytest.mark.parametrize(("right", "holds"), [(4, True), (sp.Rational(39, 10), False)])
def test_a_mean_square_between_two_ends_about_their_middle(right: Any, holds: bool) -> None:
    assert outcome("centres", holds, SECOND - MEAN**2, right, SIGNED) == ("proved" if holds else "unknown")


@pytest.mark.slow
@pytest.mark.parametrize(("right", "holds"), [(sp.Rational(5, 4), True), (sp.Rational(6, 5), False)])
def test_variances_apart_one_law_after_the_other(right: Any, holds: bool) -> None:
    assert outcome("centres", holds, Var(X - Y), right, Space(APART)) == ("proved" if holds else "unknown")


@pytest.mark.slow
@pytest.mark.parametrize(("share", "holds"), [(1, True), (sp.Rational(9, 10), False)])
def test_a_function_of_slope_one_shrinks_a_variance(share: Any, holds: bool) -> None:
    domain = Space({X: Random(ANY)})
    assert outcome("centres", holds, Var(sp.Max(X, 0)), share * Var(X), domain) == ("proved" if holds else "unknown")


@pytest.mark.slow
@pytest.mark.parametrize(("share", "holds"), [(2, True), (1, False)])
def test_a_tangent_at_means_of_which_one_is_told(share: Any, holds: bool) -> None:
    domain = Space({X: Random(ANY), Y: Random(ANY)}, [sp.Eq(E(Y), 0)])
    left, right = E((X - E(X) + Y) ** 2), share * (E(X**2) + E(Y**2))
    assert outcome("weighted", holds, left, right, domain) == ("proved" if holds else "unknown")
