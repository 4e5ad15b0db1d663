"""Gamma, binomials, the error function and branches: values, normal forms, and what has no value."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import arb
from tests.statements import n, x

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.translate import to_tree

k = sp.Symbol("k", integer=True)
COUNTS = Domain({n: Integers(0), k: Integers(0, n), x: Reals(0, 9, open_low=True)}).to_json()
HOLE = sp.Piecewise(((1 - x**2) / (1 - x), sp.Ne(x, 1)), (2, True))


@pytest.mark.parametrize("zero", [
    sp.factorial(n + 1) - (n + 1) * sp.factorial(n), sp.gamma(x + 2) - x * (x + 1) * sp.gamma(x),
    sp.binomial(n, k) - sp.binomial(n, n - k), sp.binomial(n + 1, k + 1) - sp.binomial(n, k) * (n + 1) / (k + 1),
    sp.binomial(n + 2, 2) - (n + 2) * (n + 1) / 2, sp.erf(x) + sp.erf(-x),
    sp.Piecewise((1, n >= 0), (1 / x - 1 / x, True)) - 1,
], ids=str)  # fmt: skip
def test_laws_are_normal_forms(zero: Any) -> None:
    assert NormalForm(COUNTS).vanishes(to_tree(zero))


@pytest.mark.parametrize(
    "value", [sp.gamma(n), sp.gamma(x - 1), sp.binomial(k, n + 1), sp.binomial(x, 2), HOLE], ids=str
)
def test_what_may_have_no_value_or_two_has_no_normal_form(value: Any) -> None:
    with pytest.raises(Rejected):
        NormalForm(COUNTS).ratio(to_tree(value))


@pytest.mark.parametrize(("value", "point"), [
    (sp.gamma(x), {"x": 0}), (sp.gamma(x), {"x": -3}), (sp.loggamma(x), {"x": Fraction(-3, 2)}),
    (sp.binomial(n, k), {"n": -1, "k": 0}), (sp.Piecewise((1, x > 0)), {"x": 0}),
    (sp.Sum(x**k, (k, 0, sp.oo)), {"x": 1}),
], ids=str)  # fmt: skip
def test_gaps_and_poles_have_no_value(value: Any, point: dict[str, Any]) -> None:
    with pytest.raises(Undefined):
        evaluate(to_tree(value), point)


def test_a_branch_that_is_not_taken_needs_no_value() -> None:
    assert evaluate(to_tree(HOLE), {"x": 1}) == 2
    np.testing.assert_allclose(evaluate_float(to_tree(HOLE), {"x": np.array([1.0, 3.0])}), [2.0, 4.0])


def test_a_ball_that_leaves_a_branch_open_holds_both() -> None:
    found = arb(evaluate(to_tree(sp.Piecewise((x, x < 1), (5, True))), {"x": arb(0).union(arb(2))}))
    assert found.contains(0)
    assert found.contains(5)


def test_the_logarithm_of_gamma_does_not_overflow_in_floats() -> None:
    values = evaluate_float(to_tree(sp.loggamma(x)), {"x": np.array([3.0, 1e6, -1.5])})
    np.testing.assert_allclose(values, [np.log(2.0), 12815504.569147612, np.nan])


def test_binomials_of_large_numbers_are_balls() -> None:
    found = evaluate(to_tree(sp.binomial(n, k)), {"n": 10**6, "k": 3})
    exact = 10**6 * (10**6 - 1) * (10**6 - 2) // 6
    assert arb(found).contains(exact)
