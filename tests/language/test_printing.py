"""Expressions are printed as SymPy prints them."""

import pytest
import sympy as sp

from boundaudit.checks.language.printing import latex_of, text_of

x, y, n = sp.Symbol("x", positive=True), sp.Symbol("y", real=True), sp.Symbol("n", integer=True)
SHAPES = [
    sp.Integer(0), x, -x / 3, (1 + x + y**2) ** sp.Rational(-3, 2), sp.log(1 + sp.exp(-(x + y) / (2 - y))),
    sp.Max(0, 1 - abs(x - n)) ** 2, sp.Sum((x + n) / (1 + n**2), (n, 1, 5)),
    sp.Piecewise((x + 1, y > 0), (y - x, True)), sp.Eq(x + y, n, evaluate=False), sp.sqrt(2) * (x - y) / (x + y) ** n,
    x + sp.Float("1.5"), sp.Float("1.5"),
]  # fmt: skip


@pytest.mark.parametrize("expression", SHAPES, ids=str)
def test_it_is_what_sympy_prints(expression: sp.Basic) -> None:
    assert latex_of(expression) == sp.latex(expression)
    assert text_of(expression) == sp.sstr(expression).replace("**", "^")
