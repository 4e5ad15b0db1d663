"""What follows from a domain at once stands among its relations: sums of squares, rows and columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Eq, Integer, Rational, Sum, log
from tests.statements import stated

from boundaudit import Domain, ForAll, Integers, Matrix, Reals, Vector
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

n, m, i, j, k = sp.symbols("n m i j k", integer=True, positive=True)
a, b, W, K = (sp.IndexedBase(name, real=True) for name in "abWK")
IN_BALL = Domain({n: Integers(1), k: Integers(1, n), a: Vector(n, Reals(-1, 1), square_sum=1)})
JOINT = Domain({n: Integers(1), m: Integers(1), W: Matrix(n, m, Reals(0, 1, open_low=True))},
               where=[Eq(Sum(W[i, j], (j, 1, m), (i, 1, n)), 1)])  # fmt: skip
ROW, COLUMN = Sum(W[i, k], (k, 1, m)), Sum(W[k, j], (k, 1, n))
INFORMATION = Sum(W[i, j] * log(W[i, j] / (ROW * COLUMN)), (j, 1, m), (i, 1, n))
WEIGHED = a[i] * K[i, k]
FEW = Budget(steps=1_000_000)


@pytest.mark.parametrize(("bound", "outcome"), [(Integer(1), "proved"), (Rational(9, 10), "unknown")])
def test_the_sum_of_squares_that_is_declared(bound: Any, outcome: str) -> None:
    assert prove(stated(a[k] ** 2, "<=", bound, IN_BALL), engines=["multipliers"]).outcome == outcome


@pytest.mark.slow
@pytest.mark.parametrize(("least", "outcome"), [(0, "proved"), (Rational(1, 100), "unknown")])
def test_what_rows_add_up_to_columns_do_too(least: Any, outcome: str) -> None:
    assert prove(stated(INFORMATION, ">=", sp.sympify(least), JOINT), engines=["weighted"]).outcome == outcome


@pytest.mark.slow
def test_a_channel_brings_vectors_no_further_apart() -> None:
    """Sizes of sums inside of a sum, of which the indices change places."""
    small = Sum(Abs(Sum(WEIGHED, (i, 1, n))), (k, 1, m))
    large = Sum(Abs(a[i]), (i, 1, n))
    domain = Domain(
        {n: Integers(1), m: Integers(1), a: Vector(n, Reals()), K: Matrix(n, m, Reals(0, 1))},
        where=[ForAll(Sum(K[i, k], (k, 1, m)) <= 1, (i, 1, n))],
    )
    assert prove(stated(small, "<=", large, domain), engines=["eased"]).outcome == "proved"
    assert prove(stated(2 * small, "<=", large, domain), engines=["eased"], budget=FEW).outcome == "unknown"


@pytest.mark.slow
@pytest.mark.parametrize(("share", "outcome"), [(1, "proved"), (2, "unknown")])
def test_terms_are_compared_at_once_where_indices_have_changed_places(share: int, outcome: str) -> None:
    """So that there is room for what the terms need: a row's sum, which is not a number."""
    small = Sum(Sum(Abs(a[i]) * K[i, k], (i, 1, n)), (k, 1, n))
    domain = Domain(
        {n: Integers(1), a: Vector(n, Reals()), K: Matrix(n, n, Reals(0, 1))},
        where=[ForAll(Eq(Sum(K[i, k], (k, 1, n)), 1), (i, 1, n))],
    )
    said = stated(share * small, "<=", Sum(Abs(a[i]), (i, 1, n)), domain)
    assert prove(said, engines=["exchange"], budget=replace(FEW, depth=2)).outcome == outcome


@pytest.mark.slow
def test_a_channel_brings_squares_in_proportion_no_further_apart() -> None:
    """A square of a sum over a sum, inside of a sum, gives way to the sum of squares over their weights."""
    small = Sum(Sum(WEIGHED, (i, 1, n)) ** 2 / Sum(b[i] * K[i, k], (i, 1, n)), (k, 1, m))
    large = Sum(a[i] ** 2 / b[i], (i, 1, n))
    inside = Reals(0, 1, open_low=True)
    domain = Domain(
        {n: Integers(1), m: Integers(1), a: Vector(n, Reals(0)), b: Vector(n, inside), K: Matrix(n, m, inside)},
        where=[ForAll(Sum(K[i, k], (k, 1, m)) <= 1, (i, 1, n))],
    )
    assert prove(stated(small, "<=", large, domain), engines=["eased"]).outcome == "proved"
    assert prove(stated(2 * small, "<=", large, domain), engines=["eased"], budget=FEW).outcome == "unknown"
