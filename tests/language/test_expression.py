"""Expression trees: evaluation exact, in balls and in floats against mpmath; JSON; text."""

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf
from tests.statements import c, m, n, t, x

from boundaudit import InputError
from boundaudit.checks.language import expression as ex
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.text import to_text
from boundaudit.checks.language.unbound import unbound

TWO: Tree = ("q", 2, 1)
HALF: Tree = ("q", 1, 2)
X: Tree = ("v", "x")
T: Tree = ("v", "t")
ROOT_2: Tree = ("^", TWO, HALF)


def entry(index: int | Tree) -> Tree:
    return ("item", "c", index if isinstance(index, tuple) else ("q", index, 1))


def total(low: Tree, high: Tree, body: Tree) -> Tree:
    return ex.summation("t", low, high, body)


# --- random trees -----------------------------------------------------------------------------------

integers = st.integers(-3, 3).map(ex.rational)
leaves = st.one_of(integers, st.sampled_from([X, ("v", "y")]))


def grown(nodes: st.SearchStrategy[Any], *more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.tuples(st.sampled_from(["+", "*", "max", "min"]), nodes, nodes)
    return st.one_of(several, st.tuples(st.just("abs"), nodes), st.tuples(st.just("^"), nodes, st.just(TWO)), *more)


integral_trees = st.recursive(leaves, grown, max_leaves=6)
"""Trees that have integer values at integer points."""


def smooth(nodes: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    positive = nodes.map(lambda tree: ("+", ex.ONE, ("abs", tree)))
    roots = st.tuples(st.just("^"), positive, st.sampled_from([HALF, ("q", -3, 2), ("q", 2, 3), ("q", -2, 1)]))
    waves = st.tuples(st.sampled_from(["sin", "cos"]), nodes)
    return grown(nodes, st.tuples(st.just("log"), positive), roots, waves)


trees = st.recursive(st.one_of(leaves, st.just(("pi",)), st.fractions(-2, 2).map(ex.rational)), smooth, max_leaves=6)
points = st.fixed_dictionaries({"x": st.fractions(-2, 2), "y": st.fractions(-2, 2)})


def oracle(tree: Tree, point: dict[str, Any]) -> mpf:
    """The value in mpmath, written down node by node."""
    head = tree[0]
    if head == "q":
        return mpf(tree[1]) / tree[2]
    if head == "v":
        return mpf(point[tree[1]].numerator) / point[tree[1]].denominator
    if head == "pi":
        return +mp.pi
    parts = [oracle(part, point) for part in tree[1:]]
    folded = {"+": mp.fsum, "*": mp.fprod, "max": max, "min": min}
    single = {"abs": abs, "log": mp.log, "sin": mp.sin, "cos": mp.cos}
    if head == "^":
        return parts[0] ** parts[1]
    return folded[head](parts) if head in folded else single[head](*parts)


@given(tree=trees, point=points)
def test_a_ball_encloses_what_mpmath_says(tree: Tree, point: dict[str, Any]) -> None:
    with mp.workdps(60), precision(128):
        found = arb(evaluate(tree, point))
        said = arb(mp.nstr(oracle(tree, point), 55))
    with precision(256):
        assert (found - said).overlaps(arb(0, 1e-30))
        assert found.rad() <= 1e-25 * (1 + abs(found.mid()))


@given(tree=integral_trees, x=st.integers(-3, 3), y=st.integers(-3, 3))
def test_arithmetic_on_rationals_is_exact_and_agrees_with_floats(tree: Tree, x: int, y: int) -> None:
    found = evaluate(tree, {"x": x, "y": y})
    assert isinstance(found, fmpq)
    columns = {"x": np.array([float(x)]), "y": np.array([float(y)])}
    exact = Fraction(int(found.p), int(found.q))
    if abs(exact) < 2**50:
        assert np.broadcast_to(evaluate_float(tree, columns), (1,))[0] == exact


@given(tree=trees)
def test_json_reads_back_to_the_same_tree(tree: Tree) -> None:
    assert ex.from_json(json.loads(ex.canonical_json(tree))) == tree
    assert ex.rebuild(tree, ex.children(tree)) == tree


@given(tree=integral_trees, point=points)
def test_substitution_is_evaluation(tree: Tree, point: dict[str, Fraction]) -> None:
    inserted = ex.substitute(tree, {name: ex.rational(value) for name, value in point.items()})
    assert ex.names(inserted) == set()
    assert evaluate(inserted, {}) == evaluate(tree, point)


@given(tree=trees)
def test_names_are_those_without_which_there_is_no_value(tree: Tree) -> None:
    assert ex.names(tree) == {node[1] for node in ex.walk(tree) if node[0] == "v"}


# --- exact values -----------------------------------------------------------------------------------

EXACT: dict[str, tuple[Tree, Fraction | int]] = {
    "a rational root stays rational": (("^", ("q", 4, 9), HALF), Fraction(2, 3)),
    "a negative half power": (("^", ("q", 4, 9), ("q", -3, 2)), Fraction(27, 8)),
    "zero to the zero": (("^", ex.ZERO, ex.ZERO), 1), "the cube root of zero": (("^", ex.ZERO, ("q", 1, 3)), 0),
    "log one": (("log", ex.ONE), 0), "exp zero": (("exp", ex.ZERO), 1),
    "floor rounds down": (("floor", ("q", -1, 2)), -1),
    "floor of an irrational": (("floor", ("*", ("pi",), ("pi",))), 9),
    "the largest": (("max", ("q", 1, 3), ("q", 1, 2), ("q", -1, 1)), Fraction(1, 2)),
    "a float is the dyadic rational it is": (ex.rational(0.1), Fraction(3602879701896397, 2**55)),
    "an empty sum": (total(("q", 3, 1), TWO, T), 0),
    "a sum of squares": (total(ex.ONE, ("q", 4, 1), ("^", T, TWO)), 30),
    "a sum of entries": (total(ex.ONE, ("q", 3, 1), entry(T)), 6), "the last entry": (entry(3), 3),
    "an inner index hides an outer one": (total(ex.ONE, TWO, ("+", T, total(T, TWO, T))), 3 + 3 + 2),
}  # fmt: skip


@pytest.mark.parametrize("name", EXACT)
def test_exact_values(name: str) -> None:
    tree, expected = EXACT[name]
    assert evaluate(tree, {"c": (1, 2, 3)}) == fmpq(Fraction(expected).numerator, Fraction(expected).denominator)


UNDEFINED: dict[str, Tree] = {
    "division by zero": ("^", ex.ZERO, ("q", -1, 1)),
    "a negative power of a root of zero": ("^", ex.ZERO, ("q", -1, 2)), "the logarithm of zero": ("log", ex.ZERO),
    "the logarithm of a negative number": ("log", ("q", -1, 1)),
    "the root of a negative number": ("^", ("q", -1, 1), HALF),
    "the cube root of a negative number": ("^", ("q", -8, 1), ("q", 1, 3)),
    "an irrational power of zero's inverse": ("^", ex.ZERO, ("*", ("q", -1, 1), ("pi",))), "entry zero": entry(0),
    "an entry beyond the last": entry(4), "an entry between two": ("item", "c", ("q", 3, 2)),
    "a sum to no integer": total(ex.ONE, ("q", 5, 2), T),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_has_no_value_is_undefined(name: str) -> None:
    with pytest.raises(Undefined):
        evaluate(UNDEFINED[name], {"c": (1, 2, 3)})


def test_an_even_power_of_a_ball_around_zero_is_not_negative() -> None:
    assert not evaluate(("^", X, TWO), {"x": arb(0, 1)}) < 0
    assert evaluate(("^", X, TWO), {"x": arb(0, 1)}).lower() >= 0  # type: ignore[union-attr]


def test_the_floor_of_a_ball_holds_every_floor() -> None:
    found = evaluate(("floor", X), {"x": arb(2, 0.5)})
    assert found.contains(1)  # type: ignore[union-attr]
    assert found.contains(2)  # type: ignore[union-attr]


def test_more_bits_give_more_digits_and_the_old_precision_returns() -> None:
    before = ctx.prec
    with precision(64):
        coarse = arb(evaluate(ROOT_2, {})).rad()
    with precision(1024):
        assert arb(evaluate(ROOT_2, {})).rad() < coarse * 2.0**-900
    with pytest.raises(Undefined), precision(1024):
        evaluate(("log", ex.ZERO), {})
    assert ctx.prec == before


# --- floats -----------------------------------------------------------------------------------------

COLUMNS = {"x": np.array([0.25, 1.0, 2.0]), "n": np.array([1.0, 3.0, 2.0])}
COLUMNS["c"] = np.array([[0.5, 0.0, 0.0], [1.0, 2.0, 4.0], [3.0, 5.0, 0.0]])
FLOATS: dict[str, tuple[Tree, list[float]]] = {
    "log": (("log", X), [math.log(0.25), 0.0, math.log(2)]),
    "exp": (("exp", X), [math.exp(0.25), math.e, math.exp(2)]),
    "waves": (("+", ("sin", X), ("cos", X)), [math.sin(a) + math.cos(a) for a in (0.25, 1.0, 2.0)]),
    "root": (("^", X, HALF), [0.5, 1.0, math.sqrt(2)]),
    "a sum as long as each row": (total(ex.ONE, ("v", "n"), entry(T)), [0.5, 7.0, 8.0]),
    "a sum that is empty in one row": (total(TWO, ("v", "n"), entry(T)), [0.0, 6.0, 5.0]),
    "an entry by a parameter": (entry(("v", "n")), [0.5, 4.0, 5.0]),
    "a triangle": (total(ex.ONE, ("v", "n"), ex.summation("s", ex.ONE, T, ("v", "s"))), [1.0, 10.0, 4.0]),
    "alternating signs": (("^", ("q", -1, 1), ("v", "n")), [-1.0, -1.0, 1.0]),
}


@pytest.mark.parametrize("name", FLOATS)
def test_a_batch_in_floats(name: str) -> None:
    tree, expected = FLOATS[name]
    np.testing.assert_allclose(evaluate_float(tree, COLUMNS), expected, rtol=1e-15)


@pytest.mark.parametrize("name", FLOATS)
def test_a_batch_in_floats_is_what_balls_say_point_by_point(name: str) -> None:
    tree, _ = FLOATS[name]
    for i, value in enumerate(evaluate_float(tree, COLUMNS)):
        point = {"x": COLUMNS["x"][i], "n": int(COLUMNS["n"][i]), "c": tuple(COLUMNS["c"][i])}
        assert float(arb(evaluate(tree, point))) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("tree", [("log", X), ("^", X, HALF), entry(0), entry(4)], ids=to_text)
def test_floats_without_a_value_are_nan(tree: Tree) -> None:
    columns = {"x": np.array([-1.0]), "c": np.array([[1.0, 2.0, 3.0]])}
    assert np.isnan(evaluate_float(tree, columns)).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_a_rational_beyond_every_float_is_infinite(sign: int) -> None:
    assert evaluate_float(("q", sign * 10**400, 1), {}) == sign * math.inf


# --- JSON and text ----------------------------------------------------------------------------------

REJECTED: dict[str, Any] = {
    "text": "x + 1", "a number": 1, "an empty list": [], "an unknown head": ["eval", ["v", "x"]],
    "a float leaf": ["q", 0.5, 1], "a boolean leaf": ["q", True, 1], "a zero denominator": ["q", 1, 0],
    "a negative denominator": ["q", 1, -2], "a name that is none": ["v", 3], "pi of something": ["pi", ["v", "x"]],
    "log of two": ["log", ["v", "x"], ["v", "y"]], "a sum of nothing": ["+"],
    "a power of three": ["^", ["v", "x"], ["v", "x"], ["v", "x"]],
    "a sum without a body": ["sum", ["q", 1, 1], ["q", 2, 1]],
    "an index with a name": ["sum", "i", ["q", 1, 1], ["q", 2, 1], ["v", "i"]],
    "an index outside of its sum": ["sum", ["q", 1, 1], ["b", 0], ["b", 0]],
    "an index of a sum too far out": ["sum", ["q", 1, 1], ["q", 2, 1], ["b", 1]],
    "an index before the first": ["sum", ["q", 1, 1], ["q", 2, 1], ["b", -1]],
    "a name that normal forms make up": ["v", "#1:0"],
    "bad deep inside": ["+", ["v", "x"], ["*", ["v", "x"], ["open", "file"]]],
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED)
def test_nothing_outside_the_whitelist_is_read(name: str) -> None:
    with pytest.raises(InputError, match=r"^expression: expected .+, got .+; .+$"):
        ex.from_json(REJECTED[name])


def test_canonical_json_does_not_depend_on_the_order_of_keys() -> None:
    assert ex.canonical_json({"b": 1, "a": [2, "Σ"]}) == '{"a":[2,"Σ"],"b":1}'
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1})
    assert digest({"a": 1, "b": 2}) != digest({"a": 2, "b": 1})
    with pytest.raises(ValueError, match="JSON"):
        ex.canonical_json({"a": math.nan})


def minus(tree: Tree) -> Tree:
    return ("*", ("q", -1, 1), tree)


TEXTS: dict[str, Tree] = {
    "x - 1": ("+", X, ("q", -1, 1)), "x - y": ("+", X, minus(("v", "y"))),
    "x - (y + 1)": ("+", X, minus(("+", ("v", "y"), ex.ONE))), "2*(x + 1)": ("*", TWO, ("+", X, ex.ONE)),
    "(x + 1)^2": ("^", ("+", X, ex.ONE), TWO), "(x*y)^2": ("^", ("*", X, ("v", "y")), TWO),
    "(-x)^2": ("^", minus(X), TWO), "(-1)^n": ("^", ("q", -1, 1), ("v", "n")), "x^(-2)": ("^", X, ("q", -2, 1)),
    "(x^2)^2": ("^", ("^", X, TWO), TWO), "(1/2)^n": ("^", HALF, ("v", "n")),
    "sqrt(x + 1)": ("^", ("+", X, ex.ONE), HALF), "max(x, log(2))": ("max", X, ("log", TWO)),
    "sum(c[i]^2, i=1..n)": total(ex.ONE, ("v", "n"), ("^", entry(T), TWO)),
}  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_text_as_a_person_would_type_it(text: str) -> None:
    assert to_text(TEXTS[text]) == text


k = sp.Symbol("k", integer=True)

EXPRESSIONS: dict[str, Any] = {
    "a sum": sp.Sum(x**t, (t, 1, n)), "a sum up to its own index": sp.Sum(t, (t, 1, t)),
    "an index beside its sum": sp.Max(sp.Sum(t * x, (t, 1, n)), t),
    "an index that ends another sum": sp.Sum(t * k, (t, 1, k), (k, m, n)),
    "a sum in a sum": sp.Sum(sp.Sum(t + k, (t, 1, k)) * x, (k, 1, n)),
    "a sum in an end": sp.Sum(t, (t, 1, sp.Sum(k, (k, 1, m)))), "entries of a vector": sp.Sum(c[t] * c[m], (t, 1, n)),
    "an indefinite integral": sp.Integral(x * m, x), "a limit": sp.Limit(sp.sin(m * x) / x, x, 0),
    "a relation": sp.Le(sp.Sum(t, (t, 1, n)), x, evaluate=False),
    "cases": sp.Piecewise((sp.Sum(t, (t, 1, n)), x > m), (t, True)), "a number": sp.Integer(2),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_the_same_as_sympys_own(name: str) -> None:
    assert unbound(EXPRESSIONS[name]) == EXPRESSIONS[name].free_symbols


def test_no_sum_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    total = EXPRESSIONS["a sum in a sum"]
    monkeypatch.setattr(sp.Basic, "xreplace", None)
    with pytest.raises(TypeError):
        assert total.free_symbols
    assert unbound(total) == {n, x}
