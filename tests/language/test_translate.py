"""From SymPy to trees: the same value as SymPy says, and one line for what is not on the whitelist."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import arb
from tests.statements import c, n, t, x, y

from boundaudit import ForAll, InputError
from boundaudit.checks.language.balls import evaluate, precision
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.translate import to_tree

POINT = {"x": Fraction(3, 7), "y": Fraction(-5, 2), "n": 4}
s = sp.Symbol("s", integer=True)

SAME: dict[str, Any] = {
    "polynomial": (x - 2 * y) ** 3 + x * y / 7 - sp.Rational(1, 3), "quotient": (x + 1) / (y - 1),
    "roots": sp.sqrt(x + 2) + x ** sp.Rational(2, 3) + 1 / sp.sqrt(x), "logarithms": sp.log(x) + sp.log(x + 2, 2),
    "exponentials": sp.exp(x * y) + sp.E**2 + sp.E, "waves": sp.sin(x) * sp.cos(y) + sp.pi,
    "hyperbolic": sp.sinh(x) + sp.cosh(y) * sp.tanh(x - y), "tangent": sp.tan(x),
    "inverse hyperbolic": sp.asinh(y) + sp.acosh(x + 2) - sp.atanh(x / 2),
    "signs": sp.sign(x) + 2 * sp.sign(y) + sp.sign(x - x * n / 4),
    "gamma": sp.gamma(x + 1) + sp.factorial(n) + sp.binomial(2 * n, n) + sp.binomial(n, n + 1) + sp.binomial(n, -1),
    "logarithm of gamma": sp.loggamma(x + n), "error functions": sp.erf(y) + sp.erfc(x),
    "pieces": sp.Piecewise(
        (x, x < 0), (2, sp.And(x > 0, y > 0)), (3, sp.Or(sp.Eq(n, 5), x <= sp.Rational(3, 7))), (4, True),
    ),
    "pieces that do not meet": sp.Piecewise((1, sp.Ne(n, 4)), (2, sp.Not(sp.And(x >= 1, y < 0)))),
    "a series": sp.Sum(s ** (-2), (s, 1, sp.oo)), "a geometric series": sp.Sum(x**s, (s, 0, sp.oo)),
    "a series with a factor": sp.Sum(x * y**2 * (1 - x) ** s, (s, 0, sp.oo)),
    "a limit": x * sp.Limit(sp.sin(3 * s) / s, s, 0), "absolute": sp.Abs(y) + sp.Abs(x * y),
    "steps": sp.floor(y) + sp.ceiling(y) + sp.ceiling(x), "lattice": sp.Max(x, y, 0) - sp.Min(x, y, -1),
    "real power": (x + 1) ** y, "a power of minus one": (-1) ** n * x, "sum": sp.Sum(t**2 * x, (t, 1, n)),
    "double sum": sp.Sum(s * t, (s, 1, t), (t, 1, n)), "empty sum": sp.Sum(t, (t, 3, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_the_tree_means_what_sympy_means(name: str) -> None:
    expression = SAME[name]
    exact = {symbol: sp.Rational(POINT[symbol.name]) for symbol in (x, y, n)}
    with precision(256):
        found = arb(evaluate(to_tree(expression), POINT))
        said = arb(str(sp.N(expression.subs(exact).doit(), 60)))
        assert abs(found - said) < 1e-50 * (1 + abs(said))


NUMBERS = {
    "int": (3, ("q", 3, 1)), "fraction": (Fraction(1, 3), ("q", 1, 3)), "rational": (sp.Rational(-2, 6), ("q", -1, 3)),
    "float": (0.5, ("q", 1, 2)), "a float that is no short decimal": (0.1, ("q", 1, 10)),
    "NumPy float": (np.float64(0.25), ("q", 1, 4)), "entry": (c[3], ("item", "c", ("q", 3, 1))),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_leaves(name: str) -> None:
    expression, tree = NUMBERS[name]
    assert to_tree(expression) == tree


def test_entries_of_a_vector_count_from_one() -> None:
    tree = to_tree(sp.Sum(c[t] * c[t + 1], (t, 1, n)))
    assert names(tree) == {"c", "n"}
    assert evaluate(tree, {"c": (1, 2, 3, 5), "n": 3}) == 1 * 2 + 2 * 3 + 3 * 5


REFUSED: dict[str, Any] = {
    "arctangent": sp.atan(x), "Bessel function": sp.besselj(0, x), "deep inside": 1 + sp.sqrt(2 + sp.zeta(x)),
    "a series of unknown value": sp.Sum(sp.sin(s) / s**3, (s, 1, sp.oo)),
    "a series of which a term may have no value": sp.Sum(1 / ((s + x) * (s + x + 1)), (s, 1, sp.oo)),
    "a series with a logarithm that may have no value": sp.Sum(sp.log(x) ** s, (s, 1, sp.oo)),
    "a limit that depends on a parameter": sp.Limit(x * s / (x * s + 1), s, sp.oo),
    "a limit from above alone": sp.Limit(sp.Abs(s) / s, s, 0),
    "a limit of cases": sp.Limit(sp.Piecewise((1, sp.Eq(s, 0)), (2, True)), s, 0),
    "a series that ends before it begins": sp.Sum(2**-n, (n, sp.oo, 1)),
    "a series on which SymPy stumbles": sp.Sum(sp.Min(x, 1) ** s, (s, 0, sp.oo)),
    "an index that another sum ends with": sp.Sum(1, (t, 1, sp.Symbol("s")), (s, 1, n)), "infinity": sp.oo,
    "minus infinity in floats": -math.inf, "not a number": math.nan, "imaginary": sp.I * x,
    "three indices": sp.IndexedBase("A")[1, 2, 3], "equation": sp.Eq(x, y), "inequality": x <= y,
    "derivative": sp.Derivative(sp.Function("f")(x), x), "integral": sp.Integral(t, (t, 1, n)),
    "what is said of all indices": ForAll(t <= n, (t, 1, n)), "text": "x + 1", "nothing": None,
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_engine_does_not_know_is_one_line(name: str) -> None:
    with pytest.raises(InputError) as caught:
        to_tree(REFUSED[name])
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("expression: expected ")


@pytest.mark.parametrize("name", ["#2:c0ffee", "#", ""])
def test_a_name_that_normal_forms_make_up_is_refused(name: str) -> None:
    index = sp.Symbol(name, integer=True)
    for side in (index + 1, sp.Indexed(name or "#", 1)):
        with pytest.raises(InputError, match="rename"):
            to_tree(side)


def test_an_index_is_not_confused_with_another_symbol_of_its_name() -> None:
    index, other = sp.Symbol("i", integer=True), sp.Symbol("i")
    assert to_tree(sp.Sum(index, (index, 1, 3))) == to_tree(sp.Sum(t, (t, 1, 3)))
    with pytest.raises(InputError, match="name of its own"):
        to_tree(sp.Sum(index * other, (index, 1, 3)))


@pytest.mark.parametrize("side", [sp.Float(0.1), 0.1 * x + 0.2 * x, sp.exp(0.5) * (1 + x)], ids=str)
def test_a_float_that_sympy_computed_with_is_refused(side: Any) -> None:
    with pytest.raises(InputError, match=r"got the float .+; write Rational\(\d+, \d+\)"):
        to_tree(side)
