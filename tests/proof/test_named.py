"""Means with names, sums that change places, sizes beside sums: what holds is proved, and what does not is not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Eq, Sum, exp, log
from tests.statements import stated

from boundaudit import Domain, E, ForAll, Integers, Maximum, Random, Reals, Space, Var, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

n, i = sp.symbols("n i", integer=True, positive=True)
a, lam = sp.symbols("a lamda", positive=True)
x, y = sp.symbols("x y", real=True)
X, Y = sp.symbols("X Y", real=True)
z, s, q = (sp.IndexedBase(name, real=True) for name in "zsq")
EACH, ANY, FEW = (i, 1, n), Reals(), 10**6
ENOUGH = {True: 6 * FEW, False: FEW}
"""Steps of work for what holds; for what does not, any number is too few."""
COPIES = {X: Random(ANY), Y: Random(ANY, apart="copy")}
VECTORS = {n: Integers(1), z: Vector(n, ANY), s: Vector(n, ANY)}
LAW = Domain({n: Integers(1), x: ANY, y: ANY, s: Vector(n, ANY), q: Vector(n, Reals(0, 1))},
             [Eq(Sum(q[i], EACH), 1), Eq(Sum(q[i] * s[i], EACH), x)])  # fmt: skip


def engines_prove(engines: list[str], left: Any, right: Any, domain: Domain | Space, steps: int = 6 * 10**6) -> bool:
    return prove(stated(left, "<=", right, domain), engines=engines, budget=Budget(steps=steps)).outcome == "proved"


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "holds"), [(1, True), (2, False)])
def test_a_double_sum_begins_with_the_index_of_the_other_side(factor: int, holds: bool) -> None:
    left, right, copies = factor * E(Abs(X - E(Y))), E(Abs(X - Y)), Space(COPIES)
    assert not engines_prove(["termwise"], left, right, copies, FEW)
    assert engines_prove(["exchange"], left, right, copies, ENOUGH[holds]) is holds


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "holds"), [(1, True), (sp.Rational(1, 2), False)])
def test_a_mean_inside_of_a_mean_is_a_number(factor: Any, holds: bool) -> None:
    below = Space({lam: Reals(0, open_low=True), X: Random(ANY)}, [X - E(X) <= 1])
    moment, bound = E(exp(lam * (X - E(X)))), exp(factor * (exp(lam) - lam - 1) * Var(X))
    assert not engines_prove(["linearised"], moment, bound, below, FEW)
    assert engines_prove(["named"], moment, bound, below, ENOUGH[holds]) is holds


@pytest.mark.slow
@pytest.mark.parametrize(("less", "holds"), [(1, True), (2, False)])
def test_a_logarithm_over_several_terms_gives_way_to_its_tangent(less: int, holds: bool) -> None:
    positive = Domain({n: Integers(1), a: Reals(0, open_low=True), z: Vector(n, Reals(0, open_low=True))})
    bound = (Sum(z[i] ** 2, EACH) + n - less) / (1 + a)
    assert engines_prove(["linearised"], log(Sum(z[i], EACH)) / (1 + a), bound, positive, FEW) is holds


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "holds"), [(1, True), (sp.Rational(1, 2), False)])
def test_a_sum_over_no_outcomes_is_a_number(factor: Any, holds: bool) -> None:
    squares = Sum(z[i] ** 2, EACH)
    ball = Space({n: Integers(1), z: Vector(n, ANY), X: Random(ANY)}, [Eq(E(X**2), squares)])
    assert engines_prove(["named"], E(Abs(X)), factor * sp.sqrt(squares), ball, ENOUGH[holds]) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (2, False)])
def test_a_size_beside_a_sum_is_split_and_weighed_by_totals(factor: int, holds: bool) -> None:
    right = Sum(q[i] * Abs(y - s[i]), EACH)
    assert engines_prove(["weighted"], factor * (y - x), right, LAW) is holds
    assert engines_prove(["sizes"], factor * Abs(y - x), right, LAW) is holds
    assert not engines_prove(["sizes"], Abs(y) - Abs(x), right, LAW)  # which of two, it does not ask


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "holds"), [(0, True), (1, False)])
def test_what_is_said_of_all_indices_is_said_of_terms(shift: int, holds: bool) -> None:
    said = [ForAll(z[i] <= s[i] + a + shift, EACH)]
    domain, longer = (Domain({a: Reals(0, open_low=True), **VECTORS, n: Integers(least)}, said) for least in (1, 2))
    assert engines_prove(["termwise"], Sum(exp(z[i]), EACH), exp(a) * Sum(exp(s[i]), EACH), domain) is holds
    assert engines_prove(["at entries"], exp(z[2]) * s[1] ** 2, exp(a + s[2]) * s[1] ** 2, longer) is holds


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "holds"), [(1, True), (sp.Rational(1, 2), False)])
def test_a_logarithm_loses_its_denominator_before_exponentials_undo_it(factor: Any, holds: bool) -> None:
    soft = log(Sum(exp(a * z[i]), EACH)) / a
    space = Space({a: Reals(0, open_low=True), n: Integers(1), z: Vector(n, ANY)})
    assert engines_prove(["cleared"], soft, Maximum(z[i], EACH) + factor * log(n) / a, space, ENOUGH[holds]) is holds


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (2, False)])
def test_two_terms_are_compared_by_their_logarithms(factor: int, holds: bool) -> None:
    domain = Domain({x: ANY, y: ANY}, [Abs(x) <= Abs(y)])  # no range shows the sign of |y| - x
    assert engines_prove(["tangents"], exp(factor * x), exp(Abs(y)), domain) is holds
