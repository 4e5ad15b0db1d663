"""Where an expression certainly has no value."""

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from tests.statements import c, n, t, x

from boundaudit.checks.evidence.values import absent
from boundaudit.checks.language.translate import to_tree

WITHOUT: dict[str, tuple[Any, dict[str, Any], str]] = {
    "a quotient": (1 / x, {"x": 0}, "division by zero"),
    "a removable point": ((1 - x**2) / (1 - x), {"x": 1}, "division by zero"),
    "a logarithm of zero": (sp.log(x), {"x": Fraction(0)}, "logarithm"),
    "a logarithm of what only balls know": (sp.log(sp.exp(x) - 3), {"x": 1}, "logarithm"),
    "a root": (sp.sqrt(x), {"x": -0.5}, "root"),
    "a term of a sum": (sp.Sum(1 / (t - 2), (t, 1, n)), {"n": 3}, "division by zero"),
    "an entry": (c[n], {"n": 3, "c": (1, 2)}, "no entry 3 in a vector of length 2"),
    "a pole": (sp.gamma(x), {"x": -2}, "gamma function"),
}
WITH: dict[str, tuple[Any, dict[str, Any]]] = {
    "a sum that stops before": (sp.Sum(1 / (t - 2), (t, 1, n)), {"n": 1}),
    "an overflow of floats": (sp.exp(x) / sp.exp(2 * x), {"x": 10**4}),
    "a zero to the zero": (x**0 * x, {"x": 0}),
    "the other branch": (sp.Piecewise((1, x <= 0), (1 / x, True)), {"x": 0}),
    "an argument that nobody knows to be zero": (sp.log(sp.sqrt(2) * sp.sqrt(x) - 2), {"x": 2}),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_what_has_no_value_says_why(name: str) -> None:
    expression, point, why = WITHOUT[name]
    assert why in str(absent(to_tree(expression), point))


@pytest.mark.parametrize("name", WITH)
def test_what_has_one_or_may_have_one_is_not_held_against_it(name: str) -> None:
    expression, point = WITH[name]
    assert absent(to_tree(expression), point) is None
