"""Derivatives of trees, against SymPy's."""

from typing import Any

import pytest
import sympy as sp
from flint import arb

from boundaudit.checks.language.algebra.derivatives import NotDifferentiable, derivative
from boundaudit.checks.language.balls import evaluate, precision
from boundaudit.checks.language.expression import ONE, ZERO, rational
from boundaudit.checks.language.translate import to_tree

X, Y, N, J = sp.symbols("x y n j")
POINT = {"x": 3, "y": 2, "n": 4, "c": (3, 1, 4, 1)}

FORMULAS: dict[str, Any] = {
    "polynomial": X**5 - 3 * X * Y + Y**2, "product of three": X * sp.exp(X) * sp.log(X),
    "quotient": (1 + X) / (X**2 + Y), "root": sp.sqrt(X * Y + 1),
    "nested": sp.log(1 + sp.exp(sp.sin(X) * sp.cos(X * Y))), "power with a parameter below": (X + Y) ** N,
    "power with a parameter above": Y**X, "power with both": (1 + X**2) ** (X * Y),
    "relative entropy": X / 7 * sp.log(X / 7 / Y) + (1 - X / 7) * sp.log((1 - X / 7) * Y),
    "sum": sp.Sum((J + X) ** 2 * sp.exp(-J * X), (J, 0, N)),
    "sum of sums": sp.Sum(sp.Sum(sp.log(X + J) * Y, (Y, 1, J)), (J, 1, N)), "constant": sp.sqrt(2) * sp.pi,
}  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS.keys())
@pytest.mark.parametrize("symbol", [X, Y], ids=str)
def test_agrees_with_sympy(formula: Any, symbol: sp.Symbol) -> None:
    expected = to_tree(sp.diff(formula, symbol))
    with precision(256):
        difference = arb(evaluate(derivative(to_tree(formula), symbol.name), POINT)) - evaluate(expected, POINT)
    assert difference.contains(0)
    assert difference.rad() < 1e-60


def test_zeros_and_ones_are_folded_away() -> None:
    x = ("v", "x")
    assert derivative(x, "x") == ONE
    assert derivative(("*", rational(2), x), "x") == rational(2)
    assert derivative(("+", x, ("v", "y"), rational(7)), "x") == ONE
    assert derivative(("^", x, rational(2)), "x") == ("*", rational(2), x)


def test_the_index_of_a_sum_is_no_parameter() -> None:
    total = ("sum", ONE, ("v", "n"), ("^", ("b", 0), rational(2)))
    assert derivative(total, "x") == ZERO


def test_the_entries_of_a_vector_are_constants() -> None:
    weighted = ("sum", ONE, ("v", "n"), ("*", ("item", "c", ("b", 0)), ("v", "x")))
    assert evaluate(derivative(weighted, "x"), POINT) == 9


@pytest.mark.parametrize("tree", [
    ("abs", ("v", "x")), ("floor", ("v", "x")), ("max", ("v", "x"), ZERO), ("min", ("v", "x"), ZERO),
    ("sum", ONE, ("v", "x"), ("b", 0)), ("item", "c", ("v", "x")), ("item", "x", ONE),
], ids=["abs", "floor", "max", "min", "limit of a sum", "index", "vector"])  # fmt: skip
def test_kinks_and_jumps_are_refused(tree: Any) -> None:
    with pytest.raises(NotDifferentiable):
        derivative(("+", ("v", "x"), tree), "x")
    assert derivative(tree, "y") == ZERO
