"""Shared parts: the same values as part by part, in balls and in floats, also where sums hide names."""

import numpy as np
import pytest
import sympy as sp

from boundaudit.checks.language import balls, floats
from boundaudit.checks.language.dag import Dag, shared
from boundaudit.checks.language.translate import to_tree

n, x, t, s = sp.Symbol("n"), sp.Symbol("x"), sp.Symbol("t"), sp.Symbol("s")
_INNER = sp.Sum(x * t + s, (t, 1, n))
_NESTED = sp.Sum((_INNER + s) ** 2 / (1 + t**2), (s, 0, 3))
_REPEATED = sum((_NESTED + _INNER.subs(s, 2) + k) ** 2 for k in range(40)) + t * _NESTED


def test_each_part_stands_once() -> None:
    tree = to_tree((x + n) ** 2 + 3 * (x + n) + (x + n) ** 2 * (x + n))
    dag = Dag(tree)
    parts = [node.tree for node in dag.nodes]
    assert len(parts) == len(set(parts))
    assert parts[-1] == tree
    assert parts.count(to_tree(x + n)) == 1
    assert dag.size > len(parts)


def test_a_sum_does_not_depend_on_its_own_index() -> None:
    assert Dag(to_tree(_INNER)).nodes[-1].indices == set()
    assert {1} in [node.indices for node in Dag(to_tree(sp.Sum(_INNER, (s, 1, n)))).nodes]


def test_small_trees_are_left_alone() -> None:
    assert shared(to_tree(x + n)) is None


@pytest.mark.slow
@pytest.mark.parametrize("outer", [0, 5])
def test_values_are_those_of_the_plain_way(outer: int) -> None:
    """The name t is a parameter outside the sums and their index inside."""
    tree = to_tree(_REPEATED)
    assert shared(tree) is not None
    point = {"n": 3, "x": 2, "t": outer, "s": 7}
    exact = balls.evaluate(tree, point)
    wanted = _REPEATED.subs({x: 2, n: 3}).subs({t: outer, s: 7}).doit()
    assert sp.Rational(int(exact.p), int(exact.q)) == wanted
    columns = {name: np.array([float(value), float(value) + 1]) for name, value in point.items()}
    assert floats.evaluate_float(tree, columns)[0] == pytest.approx(float(wanted), rel=1e-12)
    moved = balls.evaluate(tree, {name: value + 1 for name, value in point.items()})
    assert floats.evaluate_float(tree, columns)[1] == pytest.approx(float(moved.p) / float(moved.q), rel=1e-12)


def test_an_undefined_part_is_undefined() -> None:
    tree = to_tree(sum((1 / x + n * k + _NESTED) ** 2 for k in range(60)))
    with pytest.raises(balls.Undefined):
        balls.evaluate(tree, {"x": 0, "n": 2, "t": 1})


def test_an_index_of_a_large_tree_is_an_exact_integer() -> None:
    """It may stand as the index of an entry, and what is exact stays exact."""
    c = sp.IndexedBase("c")
    tree = to_tree(sum((sp.Sum(c[t] * k + t, (t, 1, n)) + k) ** 2 for k in range(60)))
    assert shared(tree) is not None
    assert balls.evaluate(tree, {"n": 2, "c": (1, 2)}) == sum((3 * k + 3 + k) ** 2 for k in range(60))
