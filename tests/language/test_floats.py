"""Sums in float64: the outermost goes in blocks of terms, and gives what its terms give one by one."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

from boundaudit.checks.language import floats
from boundaudit.checks.language.arithmetic import LONGEST_SUM
from boundaudit.checks.language.dag import shared
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.translate import to_tree

n, x, i, j = sp.symbols("n x i j")
v = sp.IndexedBase("v")
COLUMNS = {"n": np.array([1.0, 2.0, 5.0, 0.0]), "x": np.array([0.5, 1.0, 2.0, 3.0]), "v": np.arange(24.0).reshape(4, 6)}
Value = Callable[[int, float, Any], float]
SUMS: dict[str, tuple[sp.Expr, Value]] = {
    "of the index": (sp.Sum(1 / i**2, (i, 1, n)), lambda n, x, v: sum(1 / i**2 for i in range(1, n + 1))),
    "of a parameter": (sp.Sum(x**i, (i, 0, n)), lambda n, x, v: sum(x**i for i in range(n + 1))),
    "from a parameter on": (sp.Sum(i * x, (i, n, 5)), lambda n, x, v: sum(i * x for i in range(n, 6))),
    "to a number": (sp.Sum(i, (i, 1, 7)), lambda n, x, v: 28),
    "of entries": (sp.Sum(v[i], (i, 1, n)), lambda n, x, v: sum(v[:n])),
    "one inside another": (
        sp.Sum(sp.Sum(i * j * x, (j, 1, i)), (i, 1, n)),
        lambda n, x, v: sum(i * j * x for i in range(1, n + 1) for j in range(1, i + 1)),
    ),
    "over pairs of entries": (
        sp.Sum(v[i] * v[j], (i, 1, n), (j, 1, n)), lambda n, x, v: sum(v[:n]) ** 2,
    ),
    "a product": (sp.Product(x + i, (i, 2, n)), lambda n, x, v: math.prod(x + i for i in range(2, n + 1))),
    "a product of entries": (sp.Product(v[i] - 2, (i, 1, n)), lambda n, x, v: math.prod(v[:n] - 2)),
    "a product of sums": (
        sp.Product(sp.Sum(j * x, (j, 1, i)), (i, 1, n)),
        lambda n, x, v: math.prod(sum(j * x for j in range(1, i + 1)) for i in range(1, n + 1)),
    ),
    "times a sum of its own": (
        sp.Sum(i * sp.Sum(v[j], (j, 1, 3)), (i, 1, n)), lambda n, x, v: n * (n + 1) / 2 * sum(v[:3]),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("expression", "value"), SUMS.values(), ids=SUMS.keys())
def test_a_sum_is_that_of_its_terms(expression: sp.Expr, value: Value) -> None:
    found = np.broadcast_to(evaluate_float(to_tree(expression), COLUMNS), (4,))
    expected = [value(int(a), b, c) for a, b, c in zip(COLUMNS["n"], COLUMNS["x"], COLUMNS["v"], strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("body", [1 / i**2, 1 / (i + x) ** 2], ids=["the same terms", "terms of each point"])
def test_a_long_sum_spans_many_blocks(body: sp.Expr) -> None:
    columns = {"n": np.array([1e5, 3e5]), "x": np.zeros(2)}
    found = evaluate_float(to_tree(sp.Sum(body, (i, 1, n))), columns)
    np.testing.assert_allclose(found, np.pi**2 / 6 - 1 / columns["n"] + 1 / (2 * columns["n"] ** 2), rtol=1e-12)


def test_short_sums_far_apart_are_counted_each_from_its_own_begin() -> None:
    columns = {"n": np.array([1.0, 1e15, 5e8]), "x": np.array([1.0, 2.0, 3.0])}
    for fold, expected in ((sp.Sum, 3 * columns["n"] + 3 + 3 * columns["x"]), (sp.Product, None)):
        found = evaluate_float(to_tree(fold(i + x, (i, n, n + 2))), columns)
        first = columns["n"] + columns["x"]
        np.testing.assert_allclose(
            found, first * (first + 1) * (first + 2) if expected is None else expected, rtol=1e-14
        )


def test_an_inner_sum_is_as_long_as_at_the_points_where_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = np.array([[1000.0, 1, 1], [1, 1000, 1], [1, 1, 1000]])
    columns = {name: lengths[k] for k, name in enumerate("klm")}
    terms = sp.Sum(sp.sin(sp.Sum(sp.sin(sp.Sum(1, (i, 1, "m"))), (j, 1, "l"))), (n, 1, "k"))
    done = []
    combined = floats._combined
    monkeypatch.setattr(floats, "_combined", lambda *parts: done.append(parts) or combined(*parts))
    found = evaluate_float(to_tree(terms), columns)
    one = math.sin(1)
    np.testing.assert_allclose(found, [1000 * math.sin(one), math.sin(1000 * one), math.sin(math.sin(1000))])
    assert len(done) < 20_000  # not a thousand times a thousand


def test_a_sum_remembered_for_other_terms_counts_all_of_its_own() -> None:
    inside = sp.Sum(sp.sin(i + sp.Sum(v[j], (j, 1, n))), (i, n, 5))
    tree = to_tree(sp.Sum(inside, (sp.Symbol("k"), 1, 2)))
    apart = evaluate_float(tree, COLUMNS)
    for _ in range(6):
        tree = ("+", tree, tree)
    assert shared(tree) is not None
    np.testing.assert_allclose(evaluate_float(tree, COLUMNS), 64 * apart, rtol=1e-13)


def test_a_sum_that_is_too_long_has_no_float() -> None:
    found = evaluate_float(
        to_tree(sp.Sum(1, (i, 1, n)) * x), {"n": np.array([3.0, LONGEST_SUM + 1.0]), "x": np.ones(2)}
    )
    assert found[0] == 3
    assert np.isnan(found[1])


@pytest.mark.parametrize("relation", [sp.Le, sp.Ge, sp.Lt])
def test_a_condition_that_overflows_has_no_float(relation: Any) -> None:
    x = sp.Symbol("x", positive=True)
    cases = to_tree(sp.Piecewise((1, relation(sp.exp(x) - sp.exp(2 * x), -x)), (0, True)))
    held = [float(relation is not sp.Ge), math.nan]
    np.testing.assert_array_equal(evaluate_float(cases, {"x": np.array([2.0, 500.0])}), held)
