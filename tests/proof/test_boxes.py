"""Covers by boxes: what the engine finds, and what the rule rejects."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.statements import some_slow

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import spent
from boundaudit.checks.language.balls import precision
from boundaudit.checks.language.expression import ZERO, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.boxes import boxes
from boundaudit.checks.proof.engine import Attempt, Budget, Context, Refuted
from boundaudit.checks.proof.kernel.boxes import (
    PRECISION,
    Landscape,
    certainly_semidefinite,
    fails,
    halves,
    relations,
    root_box,
)
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.witness import refutes

from .stated import nonnegative, require_rejected

A, B, N, P, Q, S, T, X, Y = sp.symbols("a b n p q s t x y")
KL = Q * sp.log(Q / P) + (1 - Q) * sp.log((1 - Q) / (1 - P))
PROBABILITY = ("1/20", "19/20")


def number(value: Any) -> Any:
    return to_tree(sp.sympify(value, rational=True)) if not isinstance(value, str) else rational(Fraction(value))


def real(name: str, low: Any, high: Any, *, is_open: bool = False) -> dict[str, Any]:
    return {"name": name, "range": "reals", "low": number(low), "high": number(high), "open": [is_open, is_open]}


def integer(name: str, low: Any, high: Any) -> dict[str, Any]:
    return {"name": name, "range": "integers", "low": number(low), "high": number(high)}


def attempt(claim: Statement, *points: dict[str, Any], budget: int = 4000) -> Attempt:
    try:
        proof = boxes(claim, Context(lambda _: None, Budget(boxes=budget), points))
    except Refuted as found:
        return Attempt("refuted", "boxes", counterexample=found.point)
    except Rejected as problem:
        return Attempt("unknown", "boxes", notes=(str(problem),))
    check(claim, json.loads(json.dumps(proof)))
    return Attempt("proved", "boxes", proof)


R = sp.Rational
# expression, parameters, least value, place where it is attained
CASES: dict[str, tuple[Any, list[dict[str, Any]], Any, dict[str, Any]]] = {
    "p(1-p)": (R(1, 4) - P * (1 - P), [real("p", 0, 1)], 0, {"p": R(1, 2)}),
    "cubic": (4 / (3 * sp.sqrt(3)) - 2 * T * (1 - T**2), [real("t", -1, 1)], 0, {"t": 1 / sp.sqrt(3)}),
    "log(1+x)": (X - sp.log(1 + X), [real("x", 0, 10)], 0, {"x": 0}),
    "Pinsker": (
        KL - 2 * (P - Q) ** 2 + R(1, 1000), [real("p", *PROBABILITY), real("q", *PROBABILITY)], R(1, 1000),
        {"p": R(1, 2), "q": R(1, 2)},
    ),
    "log s": (S - 1 - sp.log(S), [real("s", "1/100", 100)], 0, {"s": 1}),
    "parabola": (1 + X + X**2 - sp.exp(X), [real("x", -5, 1)], 0, {"x": 0}),
    "slope and valley": (X + Y**2, [real("x", 0, 1), real("y", -1, 1)], 0, {"x": 0, "y": 0}),
    "both ends": (X * (1 - X), [real("x", 0, 1)], 0, {"x": 1}),
    "integers": (N**2 - N, [integer("n", -3, 40)], 0, {"n": 1}),
    "alternating": (1 + (-1) ** N * R(9, 10), [integer("n", 0, 9)], R(1, 10), {"n": 3}),
    "irrational end": (4 - X, [real("x", 0, sp.pi)], 4 - sp.pi, {"x": sp.pi}),
    "kink": (sp.Abs(X) - X / 2 + R(1, 100), [real("x", -1, 1)], R(1, 100), {"x": 0}),
    "sum": (sp.Sum((X - N) ** 2, (N, 0, 3)), [real("x", -2, 6)], 5, {"x": R(3, 2)}),
}  # fmt: skip
# Left out: a valley flat along a line, a kink at the least value, a least value at an end rounded outwards.
SHARP = sorted(set(CASES) - {"Pinsker", "kink", "irrational end"})


def lowered(name: str, by: Any) -> Statement:
    expression, parameters, _, _ = CASES[name]
    return nonnegative(expression - by, *parameters)


@pytest.mark.parametrize("told", [True, False], ids=["given", "guessed"])
@pytest.mark.parametrize("name", SHARP)
def test_proves_a_sharp_bound(name: str, told: bool) -> None:
    _, _, least, place = CASES[name]
    point = {parameter: to_tree(sp.sympify(value)) for parameter, value in place.items()}
    claim = lowered(name, least)
    found = attempt(claim, *([point] if told else []))
    assert found.outcome == "proved"
    assert 2 * json.dumps(found.certificate).count("split") + 1 <= 200


@pytest.mark.parametrize("name", some_slow(CASES, "Pinsker"))
def test_decides_near_the_least_value(name: str) -> None:
    least = CASES[name][2]
    assert attempt(lowered(name, least - R(1, 1000))).outcome == "proved"
    claim = lowered(name, least + R(1, 1000))
    found = attempt(claim)
    assert found.outcome == "refuted"
    assert found.counterexample is not None
    assert refutes(claim, found.counterexample)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(*[st.fractions(-3, 3, max_denominator=12)] * 3)
def test_agrees_with_the_least_value_of_a_parabola(a: Fraction, b: Fraction, c: Fraction) -> None:
    places = [Fraction(-1), Fraction(1)] + ([-b / (2 * a)] if a > 0 and abs(b) <= 2 * a else [])
    least = min(a * x * x + b * x + c for x in places)
    found = attempt(
        nonnegative(rational_number(a) * X**2 + rational_number(b) * X + rational_number(c), real("x", -1, 1))
    )
    assert found.outcome == ("proved" if least >= 0 else "refuted")


def rational_number(value: Fraction) -> sp.Rational:
    return R(value.numerator, value.denominator)


# --- domains ---------------------------------------------------------------------------------------


def test_a_later_range_may_depend_on_an_earlier_parameter() -> None:
    bounded = [integer("n", 1, 9), {**integer("p", 1, 1), "high": to_tree(N)}]
    assert attempt(nonnegative(N - P, *bounded)).outcome == "proved"
    found = attempt(nonnegative(N - 2 * P, *bounded))
    assert found.outcome == "refuted"
    assert found.counterexample is not None
    assert found.counterexample["p"] <= found.counterexample["n"] < 2 * found.counterexample["p"]


def test_a_relation_of_the_domain_excludes_boxes() -> None:
    square = [real("x", 0, 1), real("y", 0, 1)]
    claim = X - Y + R(1, 10)
    assert attempt(nonnegative(claim, *square, where=(("<=", Y, X),))).outcome == "proved"
    assert attempt(nonnegative(claim, *square)).outcome == "refuted"


def test_a_counterexample_respects_relations_and_choices() -> None:
    choices = {"name": "x", "range": "choices", "values": [number("1/3"), number(2), number(7)]}
    claim = nonnegative(X - Y, choices, real("y", 0, 9), where=((">", Y, 5), ("<", Y, X - R(1, 2))))
    assert attempt(claim).outcome == "proved"
    found = attempt(nonnegative(X - Y, choices, real("y", 0, 9), where=((">", Y, 5), ("<", X, 6))))
    assert found.counterexample is not None
    assert found.counterexample["x"] in {Fraction(1, 3), 2}
    assert found.counterexample["y"] > 5


@pytest.mark.parametrize("claim", [
    nonnegative(X**2, {**real("x", 0, 1), "high": None}), nonnegative(1 + sp.log(X) ** 2, real("x", -1, 1)),
    nonnegative(1 / X**2, real("x", -1, 1)), nonnegative(X**2, real("x", 1, 0)),
    Statement(ZERO, "=", ZERO, {"parameters": [], "where": []}), nonnegative(sp.Abs(X), real("x", -1, 2)),
], ids=["unbounded", "logarithm of a negative number", "pole", "empty", "equation", "kink at zero"])  # fmt: skip
def test_stays_undecided(claim: Statement) -> None:
    assert attempt(claim, budget=300).outcome == "unknown"


def test_the_halves_hold_every_value() -> None:
    choices = {"name": "w", "range": "choices", "values": [number(value) for value in (5, "1/2", 3)]}
    assert halves(choices, (fmpq(1, 2), fmpq(5))) == ((fmpq(1, 2), fmpq(1, 2)), (fmpq(3), fmpq(5)))
    assert halves(integer("n", 0, 5), (fmpq(0), fmpq(5))) == ((fmpq(0), fmpq(2)), (fmpq(3), fmpq(5)))
    assert halves(real("x", 0, 5), (fmpq(0), fmpq(5))) == ((fmpq(0), fmpq(5, 2)), (fmpq(5, 2), fmpq(5)))
    with pytest.raises(Rejected, match="one value"):
        halves(integer("n", 0, 5), (fmpq(3), fmpq(3)))


def test_the_root_box_rounds_outwards() -> None:
    with precision(PRECISION):
        low, high = root_box({"parameters": [real("x", -sp.pi, sp.sqrt(2))], "where": []})["x"]
    with precision(4 * PRECISION):
        assert arb(low) < -arb.pi() < arb(low) + arb(2) ** -100
        assert arb(high) - arb(2) ** -100 < arb(2).sqrt() < arb(high)


# --- the arithmetic of leaves ----------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_certain_semidefiniteness_agrees_with_eigenvalues(size: int, seed: int) -> None:
    half = np.random.default_rng(seed).integers(-4, 5, (size, size))
    matrix = half + half.T + 4 * np.eye(size, dtype=int)
    least = np.linalg.eigvalsh(matrix)[0]
    found = certainly_semidefinite([[fmpq(int(entry)) for entry in row] for row in matrix])
    assert found == (least > 0) or abs(least) < 1e-9


def test_a_wide_matrix_is_not_certain() -> None:
    wide = arb(0).union(arb(2))
    assert not certainly_semidefinite([[wide, fmpq(0)], [fmpq(0), fmpq(1)]])
    assert not certainly_semidefinite([[fmpq(1), wide], [wide, fmpq(1)]])


def test_a_touch_needs_slope_and_curvature() -> None:
    box = {"x": (fmpq(0), fmpq(1, 4))}
    for expression, expected in [(X**2, True), (X, True), (-X, False), (-(X**2), False), (X**2 + 1, False)]:
        assert Landscape(to_tree(expression)).by_touch(box, {"x": ZERO}) is expected


# --- the rule --------------------------------------------------------------------------------------


def test_a_check_costs_the_same_whatever_was_checked_before() -> None:
    statement, start, costs = nonnegative(sp.exp(3 * X) - 1 - 3 * X, real("x", -1, 1)), spent(), []
    for _ in range(2):
        check(statement, {"kind": "boxes", "points": [{"x": ZERO}], "tree": ["touch", 0]})
        costs.append(spent() - start - sum(costs))
    assert costs[0] == costs[1] > 0


CLAIM = lowered("cubic", 0)
PROOF: dict[str, Any] = json.loads(json.dumps(attempt(CLAIM).certificate))


def first(node: list[Any], kind: str) -> list[Any]:
    """The first node of a kind, depth first; an empty list where there is none."""
    if node[0] == kind:
        return node
    return next((leaf for part in node[2:] if isinstance(part, list) and (leaf := first(part, kind))), [])


CORRUPTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a leaf with another reason": lambda c: first(c["tree"], "touch").__setitem__(slice(None), ["ball"]),
    "a mean value where the goal touches": lambda c: first(c["tree"], "touch").__setitem__(slice(None), ["mean-value"]),
    "a leaf for the whole box": lambda c: c.update(tree=["ball"]), "a missing half": lambda c: c["tree"].pop(),
    "an empty half": lambda c: c["tree"].__setitem__(3, []), "a third part": lambda c: c["tree"].append(["ball"]),
    "a split along no parameter": lambda c: c["tree"].__setitem__(1, "y"),
    "an unknown leaf": lambda c: first(c["tree"], "touch").__setitem__(0, "clear"),
    "a touch point that does not exist": lambda c: first(c["tree"], "touch").__setitem__(1, 5),
    "a touch point counted from the end": lambda c: first(c["tree"], "touch").__setitem__(1, -1),
    "a relation that does not exist": lambda c: first(c["tree"], "ball").__setitem__(slice(None), ["outside", 7]),
    "a relation that holds": lambda c: first(c["tree"], "touch").__setitem__(slice(None), ["outside", 0]),
    "a point where the goal is not zero": lambda c: c["points"][0].update(t=["q", 577, 1000]),
    "a point of another parameter": lambda c: c.update(points=[{"x": c["points"][0]["t"]}]),
    "a point that is no constant": lambda c: c["points"][0].update(t=["v", "t"]),
    "a point that is no tree": lambda c: c["points"][0].update(t="1/sqrt(3)"), "no points": lambda c: c.pop("points"),
    "no tree": lambda c: c.pop("tree"), "a tree of the wrong type": lambda c: c.update(tree=7),
}  # fmt: skip


@pytest.mark.parametrize("corrupt", CORRUPTIONS.values(), ids=CORRUPTIONS.keys())
def test_rejects(corrupt: Callable[[dict[str, Any]], Any]) -> None:
    require_rejected(CLAIM, PROOF, corrupt)


@pytest.mark.parametrize("other", [
    lowered("cubic", R(1, 10**6)), nonnegative(CASES["cubic"][0], real("t", -2, 2)),
    nonnegative(CASES["cubic"][0], {**real("t", -1, 1), "high": None}),
    nonnegative(CASES["cubic"][0], real("x", -1, 1)), Statement(CLAIM.left, "=", CLAIM.right, CLAIM.domain),
    Statement(CLAIM.left, "<=", CLAIM.right, CLAIM.domain),
], ids=["sharper", "on a larger domain", "unbounded", "of another parameter", "equation", "reversed"])  # fmt: skip
def test_a_certificate_proves_no_other_statement(other: Statement) -> None:
    with pytest.raises(Rejected):
        check(other, PROOF)


def test_the_same_statement_gives_the_same_certificate() -> None:
    assert json.loads(json.dumps(attempt(CLAIM).certificate)) == PROOF


def test_a_spent_budget_says_where_it_stopped() -> None:
    found = attempt(lowered("Pinsker", 0), budget=20)
    assert found.outcome == "unknown"
    assert "undecided" in found.notes[0]


# --- what one box shows -------------------------------------------------------------------------------

HALF = fmpq(1, 2)


def square_box(low: Any, high: Any) -> dict[str, tuple[fmpq, fmpq]]:
    return {name: (fmpq(low), fmpq(high)) for name in ("x", "y")}


@pytest.mark.parametrize(
    ("goal", "box", "strict", "shown"),
    [
        (X + 1, (0, 1), False, True), (X + 1, (0, 1), True, True), (X, (0, 0), False, True), (X, (0, 0), True, False),
        (X - 1, (0, 1), False, False),
        (sp.log(X), (0, 1), False, False),
    ],
)  # fmt: skip
def test_a_ball_shows_a_sign(goal: Any, box: tuple[int, int], strict: bool, shown: bool) -> None:
    here = {"x": (fmpq(box[0]), fmpq(box[1]))}
    assert Landscape(to_tree(goal), strict=strict).by_ball(here) is shown


@pytest.mark.parametrize(
    ("goal", "shown"),
    [
        # Over [-1, 1]², d'Hd/2 is at least -(h + k)/2 for the second derivatives -h and -k.
        (sp.Rational(101, 100) - (X**2 + Y**2) / 2, True),
        (sp.Rational(3, 4) - (X**2 + Y**2) / 2, False),
        (1 - X**2 - Y**2 / 100, False),
        # Slopes at the centre count with their radii, mixed derivatives with both.
        (sp.Rational(201, 100) + X + Y, True),
        (1 + X + Y, False),
        (1 + X * Y, True),
        (sp.Rational(1, 2) + X * Y, False),
        (X**2 + Y**2 + X * Y, True),
        (X**2 + Y**2 + 3 * X * Y, False),
    ],
)
def test_a_taylor_form_shows_what_is_above_zero(goal: Any, shown: bool) -> None:
    with precision(PRECISION):
        assert Landscape(to_tree(goal)).by_mean_value(square_box(-1, 1)) is shown
        assert Landscape(to_tree(goal)).by_mean_value({"x": (HALF, HALF), "y": (HALF, HALF)}) is False


TOUCHED = [
    ("rises on both axes", X + Y, (0, 1), (0, 0), True),
    ("falls from where the box lies above", -X - Y, (0, 1), (0, 0), False),
    ("falls towards it", -X - Y, (-1, 0), (0, 0), True), ("rises towards it", X + Y, (-1, 0), (0, 0), False),
    ("is flat there and curved upwards", X**2 + Y**2, (-1, 1), (0, 0), True),
    ("curved upwards by a mixed derivative too", X**2 + X * Y + Y**2, (-1, 1), (0, 0), True),
    ("curved downwards", -(X**2) - Y**2, (-1, 1), (0, 0), False), ("a saddle", X * Y, (-1, 1), (0, 0), False),
    ("a saddle by a mixed derivative", X**2 + 3 * X * Y + Y**2, (-1, 1), (0, 0), False),
    ("rises on one axis and is flat on the other", X + Y**2 * (1 + X), (0, 1), (0, 0), True),
    ("is not zero there", X + Y + 1, (0, 1), (0, 0), False), ("is below zero there", X + Y - 1, (0, 1), (0, 0), False),
    ("has a slope where it lies inside", X + Y, (-1, 1), (0, 0), False),
    ("from a point at the side", (X - 2) + Y * (X - 1), (2, 3), (2, 0), True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "sides", "point", "shown"), [each[1:] for each in TOUCHED], ids=[e[0] for e in TOUCHED]
)
def test_a_goal_rises_from_where_it_is_zero(
    goal: Any, sides: tuple[int, int], point: tuple[int, int], shown: bool
) -> None:
    box = {"x": (fmpq(sides[0]), fmpq(sides[1])), "y": (fmpq(min(sides[0], 1)), fmpq(sides[1]))}
    box["y"] = box["x"] if point[0] == point[1] else (fmpq(0), fmpq(1))
    with precision(PRECISION):
        there = {"x": number(point[0]), "y": number(point[1])}
        assert Landscape(to_tree(goal)).by_touch(box, there) is shown


def test_a_point_of_its_own_touches_where_it_is_zero() -> None:
    here = {"x": (fmpq(0), fmpq(0)), "y": (fmpq(0), fmpq(1))}
    with precision(PRECISION):
        assert Landscape(to_tree(Y - X**2)).by_touch(here, {"x": ZERO, "y": ZERO})
        assert not Landscape(to_tree(-Y - X**2)).by_touch(here, {"x": ZERO, "y": ZERO})


@pytest.mark.parametrize(
    ("matrix", "shown"),
    [
        ([], True), ([[0]], True), ([[-1]], False), ([[1, 1], [1, 1]], True), ([[1, 2], [2, 1]], False),
        ([[0, 0], [0, 1]], False), ([[2, 1, 0], [1, 2, 1], [0, 1, 2]], True),
        ([[1, 0, 0], [0, 1, 0], [0, 0, -1]], False),
        ([[1, 0, 2], [0, 1, 0], [2, 0, 1]], False), ([[4, 2, 2], [2, 5, 3], [2, 3, 6]], True),
        ([[1, 2, 0], [2, 5, 3], [0, 3, 8]], False),
    ],
)  # fmt: skip
def test_pivots_show_a_semidefinite_matrix(matrix: list[list[int]], shown: bool) -> None:
    assert certainly_semidefinite([[fmpq(entry) for entry in row] for row in matrix]) is shown


# --- where a box lies -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["<=", "<", ">=", ">"])
def test_a_comparison_fails_on_a_whole_box_or_counts_for_nothing(sign: str) -> None:
    """Of x against 0: on one side of it, at it, across it, on the other side."""
    sides = ((-2, -1), (0, 0), (-1, 1), (1, 2))
    failing = [fails((("v", "x"), sign, ZERO), {"x": (fmpq(low), fmpq(high))}) for low, high in sides]
    assert failing == {
        "<=": [False, False, False, True], "<": [False, True, False, True],
        ">=": [True, False, False, False], ">": [True, True, False, False],
    }[sign]  # fmt: skip


def test_a_domain_compares_by_its_relations_and_its_ends() -> None:
    domain = nonnegative(
        X, real("x", 0, 1, is_open=True), integer("n", 1, 5), choice("p", 1, 2), where=((">=", X, Y),)
    ).domain
    assert relations(domain) == [
        (("v", "x"), ">=", ("v", "y")), (ZERO, "<", ("v", "x")), (("v", "x"), "<", rational(1)),
        (rational(1), "<=", ("v", "n")), (("v", "n"), "<=", rational(5)),
    ]  # fmt: skip


def choice(name: str, *values: Any) -> dict[str, Any]:
    return {"name": name, "range": "choices", "values": [number(value) for value in values]}


def test_a_root_box_holds_what_is_bounded() -> None:
    domain = {
        "parameters": [
            {"name": "n", "range": "integers", "low": number("1/2"), "high": number("9/2")}, choice("p", 5, 2, 3),
            real("x", 0, N), real("y", 0, X + T), {**real("z", 0, 1), "high": None}, real("s", 1, 0), real("t", 2, 2),
        ],
        "where": [],
    }  # fmt: skip
    with precision(PRECISION):
        box = root_box(domain)
    assert {name: tuple(map(int, sides)) for name, sides in box.items() if name != "x"} == {
        "n": (1, 4), "p": (2, 5), "t": (2, 2),
    }  # fmt: skip
    assert (box["x"][0] <= 0, box["x"][1] >= 4) == (True, True)


def test_halves_of_choices_share_none() -> None:
    values = choice("p", 1, 2, 3, 5)
    assert halves(values, (fmpq(1), fmpq(3))) == ((fmpq(1), fmpq(2)), (fmpq(3), fmpq(3)))
    assert halves(values, (fmpq(1), fmpq(5))) == ((fmpq(1), fmpq(3)), (fmpq(5), fmpq(5)))


FORGED: dict[str, tuple[Statement, Any, list[Any], str]] = {
    "a parameter without ends": (nonnegative(X, {**real("x", 0, 1), "high": None}), ["ball"], [], "not bounded by"),
    "a parameter declared twice": (nonnegative(X, real("x", 0, 1), real("x", 0, 1)), ["ball"], [], "name of its own"),
    "a leaf outside of nothing": (nonnegative(-X, real("x", 1, 2)), ["outside", 2], [], "unknown leaf"),
    "a leaf outside, from behind": (nonnegative(-X, real("x", 1, 2)), ["outside", -1], [], "unknown leaf"),
    "a leaf outside of an end that holds": (nonnegative(-X, real("x", 1, 2)), ["outside", 1], [], "does not hold"),
    "a point that there is not": (nonnegative(X, real("x", 0, 1)), ["touch", 1], [{"x": number(0)}], "unknown leaf"),
    "a point from behind": (nonnegative(X, real("x", 0, 1)), ["touch", -1], [{"x": number(0)}], "unknown leaf"),
    "a point that moves": (nonnegative(X, real("x", 0, 1)), ["touch", 0], [{"x": ("v", "x")}], "of what is declared"),
    "a touch of what has to be positive": (
        Statement(ZERO, "<", ("v", "x"), {"parameters": [real("x", 0, 1)], "where": []}), ["touch", 0],
        [{"x": number(0)}], "does not tell more from equal",
    ),
    "a leaf of no kind": (nonnegative(X, real("x", 0, 1)), ["hope"], [], "unknown leaf"),
    "a split of one value": (nonnegative(X, real("x", 1, 1)), ["split", "x", ["ball"], ["ball"]], [], "one value"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_cover_is_rejected(name: str) -> None:
    statement, node, points, why = FORGED[name]
    with pytest.raises(Rejected, match=why):
        check(statement, {"kind": "boxes", "points": points, "tree": node})
