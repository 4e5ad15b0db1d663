"""Claims: what is validated, what the fingerprint hashes, and how both sides are measured."""

import dataclasses
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.functions.elementary.miscellaneous import MinMaxBase
from tests.statements import UNIT, c, claim, measured, n, t, x, y

from boundaudit import Claim, Domain, Family, InputError, Integers, Point, Quantity, Reals, Subsets, Vector
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.claim import definition
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.measuring import ENOUGH, side_values
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.records.receipt import evidence_key
from boundaudit.checks.run.own_files import load_files

LEFT, RIGHT = x**2, x
SQUARE = measured(lambda point: point["x"] ** 2, definition=x**2)
VECTOR = Domain({n: Integers(1, 5), sp.Symbol("c"): Vector(n, Reals(0, 1))})

INVALID: dict[str, tuple[dict[str, Any], str]] = {
    "a label without a dot": ({"label": "claim"}, "label"),
    "a label with a blank": ({"label": "test.two words"}, "label"),
    "a label in capitals": ({"label": "Test.claim"}, "label"), "an empty label": ({"label": ""}, "label"),
    "a label that is no text": ({"label": 3}, "label"), "a strict relation": ({"relation": "<"}, "relation"),
    "a relation in words": ({"relation": "at most"}, "relation"), "an unknown kind": ({"kind": "Sharp"}, "kind"),
    "a kind of the other direction": ({"kind": "Lower"}, "kind"),
    "an identity that is an inequality": ({"kind": "Identity"}, "kind"),
    "an unknown verdict": ({"expected": "true"}, "expected"), "an unknown reading": ({"reading": "sure"}, "reading"),
    "a domain that is a dictionary": ({"domain": {x: Reals(0, 1)}}, "domain"),
    "a symbol without a range": ({"right": x + y}, "domain"),
    "a symbol without a range in a definition": ({"left": measured(lambda _: 0.0, definition=y)}, "domain"),
    "a vector without an index": ({"domain": VECTOR, "left": n, "right": sp.Symbol("c")}, "right"),
    "a number with an index": ({"left": sp.IndexedBase("x")[1]}, "domain"),
    "a place that is text": ({"place": "Step 1"}, "place"),
    "a forgotten comma": ({"rests_on": ("test.other")}, "rests_on"),
    "repairs that are claims": ({"repairs": (claim(x, "<=", 1),)}, "repairs"),
    "a limitation that is text": ({"limitations": "none"}, "limitations"),
}  # fmt: skip


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_field_is_named_with_the_place(name: str) -> None:
    fields, field = INVALID[name]
    whole = {"left": LEFT, "relation": "<=", "right": RIGHT, "domain": UNIT} | fields
    with pytest.raises(InputError) as caught:
        Claim(**{"label": "test.claim", "statement": "S."} | whole).validate()
    message = str(caught.value)
    assert f".{field} (" in message
    assert f"{Path(__file__).name}:" in message
    assert "\n" not in message


@pytest.mark.parametrize("side", [sp.atan(x), float("nan"), sp.oo, True, "x + 1"], ids=str)
def test_a_side_the_engine_cannot_read_is_one_line(side: Any) -> None:
    with pytest.raises(InputError, match=r"^test\.claim\.right \(.*\): expected "):
        claim(LEFT, "<=", side).validate()


@pytest.mark.parametrize(("relation", "kind"), [("<=", "Upper"), (">=", "Lower"), ("=", "Identity")])
def test_the_kind_follows_from_the_relation(relation: str, kind: str) -> None:
    assert claim(LEFT, relation, RIGHT).kind == kind


@pytest.mark.parametrize("relation", ["<=", ">="])
@pytest.mark.parametrize("kind", ["Tight", "Rate"])
def test_tight_and_rate_go_with_both_inequalities(relation: str, kind: str) -> None:
    equality = ({"x": 0},) if kind == "Tight" else ()
    assert claim(LEFT, relation, RIGHT, kind=kind, equality=equality).kind == kind


@pytest.mark.parametrize(
    ("equality", "message"), [((), "a case for a tight claim"), (({"z": 0},), "a value for every parameter, got z")]
)
def test_a_tight_claim_says_where_it_is_attained(equality: tuple[dict[str, int], ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        claim(LEFT, "<=", RIGHT, kind="Tight", equality=equality).validate()


def test_sides_are_built_when_they_are_first_asked_for_and_once() -> None:
    built: list[str] = []

    def side() -> sp.Expr:
        built.append("left")
        return LEFT

    lazy = claim(side, "<=", lambda: RIGHT)
    assert built == []
    assert lazy.fingerprint == PLAIN.fingerprint
    assert lazy.left == LEFT
    assert built == ["left"]


def test_the_role_follows_from_what_it_stands_in_for() -> None:
    roles = [claim(LEFT, "<=", RIGHT, **fields).role for fields in ({}, {"repairs": ("a.b",)}, {"improves": "a.b"})]
    assert roles == ["lemma", "successor", "improvement"]
    assert claim(LEFT, "<=", RIGHT, repairs=("a.b",), role="improvement").role == "improvement"


def test_the_source_is_where_the_claim_was_written() -> None:
    line = sys._getframe().f_lineno + 1
    written = Claim(label="test.here", statement="S.", left=LEFT, relation="<=", right=RIGHT, domain=UNIT)
    assert written.source == f"{__file__}:{line}"


# --- fingerprints -----------------------------------------------------------------------------------

PLAIN = claim(LEFT, "<=", RIGHT)
MEASURED = claim(SQUARE, "<=", RIGHT)
SAME: dict[str, tuple[Claim, Claim]] = {
    "a label": (PLAIN, claim(LEFT, "<=", RIGHT, label="other.name")),
    "a sentence": (PLAIN, claim(LEFT, "<=", RIGHT, statement="In other words.")),
    "a place": (PLAIN, claim(LEFT, "<=", RIGHT, paper="A 2020", place=("Lemma 1",), limitations=("None.",))),
    "a pin": (PLAIN, claim(LEFT, "<=", RIGHT, expected="refuted", rests_on=("a.b",), repairs=("a.c",))),
    "the same expression, typed otherwise": (PLAIN, claim(x * x, "<=", 2 * x - x)),
    "how far it is tested": (
        claim(n, ">=", 1, Domain({n: Integers(1)})), claim(n, ">=", 1, Domain({n: Integers(1, tested_to=9)})),
    ),
    "the code of a measurement": (
        MEASURED, claim(measured(lambda point: point["x"] * point["x"], definition=x**2), "<=", RIGHT),
    ),
    "a budget": (MEASURED, claim(dataclasses.replace(SQUARE, rounding=1e-9, latex="Q"), "<=", RIGHT)),
}  # fmt: skip
OTHER: dict[str, tuple[Claim, Claim]] = {
    "the left side": (PLAIN, claim(x**3, "<=", RIGHT)),
    "the right side": (PLAIN, claim(LEFT, "<=", 2 * x)),
    "the relation": (PLAIN, claim(LEFT, ">=", RIGHT)),
    "a constant": (claim(LEFT, "<=", x / 11), claim(LEFT, "<=", x / 10)),
    "the mode": (PLAIN, claim(LEFT, "<=", RIGHT, mode="as x→0")),
    "the domain": (PLAIN, claim(LEFT, "<=", RIGHT, Domain({x: Reals(0, 1, open_low=True)}))),
    "a relation of the domain": (PLAIN, claim(LEFT, "<=", RIGHT, Domain({x: Reals(0, 1)}, where=[x < 1]))),
    "what is measured": (MEASURED, claim(dataclasses.replace(SQUARE, name="something else"), "<=", RIGHT)),
    "its definition": (MEASURED, claim(dataclasses.replace(SQUARE, definition=x**3), "<=", RIGHT)),
    "that it is measured": (PLAIN, MEASURED),
}


@pytest.mark.parametrize("name", SAME)
def test_the_fingerprint_outlives(name: str) -> None:
    one, two = SAME[name]
    assert one.fingerprint == two.fingerprint


@pytest.mark.parametrize("name", OTHER)
def test_the_fingerprint_shows_a_change_of(name: str) -> None:
    one, two = OTHER[name]
    assert one.fingerprint != two.fingerprint


CLAIM_FILE = """
import numpy as np, sympy as sp
from boundaudit import Claim, Domain, Quantity, Reals
x = sp.Symbol("x", nonnegative=True)

def square(points, device):
    return np.array([point["x"] ** {power} for point in points])

claim = Claim(label="test.moved", statement="S.", left=Quantity("square", square, "q", definition=x**2), relation="<=",
              right=sp.sqrt(x) + x * sp.log(1 + x) + 1, domain=Domain({{x: Reals(0, 1)}}))
print(claim.fingerprint, end="")
"""


@pytest.mark.slow
def test_the_fingerprint_outlives_a_renamed_file_and_another_process(tmp_path: Path) -> None:
    here, there = tmp_path / "one.py", tmp_path / "two.py"
    for file in (here, there):
        file.write_text(CLAIM_FILE.format(power=2))
    command, environment = [sys.executable, there], {"PYTHONHASHSEED": "1", "PATH": ""}
    found = subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout
    assert len(found) == 16
    assert found == load_files([here]).claims["test.moved"].fingerprint


def test_the_evidence_key_changes_with_the_measuring_code(tmp_path: Path) -> None:
    found = []
    for folder, power in (("a", 2), ("b", 2), ("c", 3)):
        path = tmp_path / folder / "claims.py"
        path.parent.mkdir()
        path.write_text(CLAIM_FILE.format(power=power))
        moved = load_files([path]).claims["test.moved"]
        found.append((moved.fingerprint, evidence_key(moved)))
    assert found[0] == found[1]
    assert found[0][0] == found[2][0]
    assert found[0][1] != found[2][1]


@pytest.mark.parametrize("budget", [{"rounding": 1e-6}, {"scale": 1.0}])
def test_the_evidence_key_changes_with_the_error_budget(budget: dict[str, float]) -> None:
    said = Quantity("said", lambda points, device: np.ones(len(points)), "s")
    one, two = (claim(x, "<=", side, UNIT) for side in (said, dataclasses.replace(said, **budget)))
    assert evidence_key(one) != evidence_key(two)


# --- the statement ----------------------------------------------------------------------------------


def test_the_canonical_statement_reads_back_to_itself() -> None:
    whole = claim(sp.Sum(c[t] ** 2, (t, 1, n)), "<=", n, VECTOR).statement_form
    assert whole is not None
    back = Statement.from_json(whole.to_json())
    assert back == whole


@pytest.mark.parametrize("relation", ["<=", ">="])
def test_the_goal_is_what_is_claimed_non_negative(relation: str) -> None:
    form = claim(x, relation, sp.Rational(1, 3)).statement_form
    assert form is not None
    distance = Fraction(1, 3) - Fraction(1, 5)
    found = evaluate(form.goal, {"x": Fraction(1, 5)})
    assert Fraction(int(found.p), int(found.q)) == (distance if relation == "<=" else -distance)  # type: ignore[union-attr]


def test_a_side_without_a_definition_leaves_no_statement() -> None:
    assert claim(measured(lambda _: 0.0), "<=", RIGHT).statement_form is None
    assert definition(SQUARE) == definition(x**2)


def test_a_malformed_statement_is_refused() -> None:
    form = PLAIN.statement_form
    assert form is not None
    with pytest.raises(InputError, match="one of"):
        Statement.from_json(form.to_json() | {"relation": ">"})
    with pytest.raises(InputError, match="whitelisted"):
        Statement.from_json(form.to_json() | {"left": ["system", "x"]})


# --- measurements -----------------------------------------------------------------------------------

POINTS: list[dict[str, Any]] = [{"x": Fraction(1, 4)}, {"x": 1}, {"x": 0.5}]


def test_expressions_and_quantities_give_one_float_per_point() -> None:
    np.testing.assert_array_equal(side_values(x**2, POINTS, "cpu"), [1 / 16, 1.0, 0.25])
    np.testing.assert_array_equal(side_values(sp.Integer(3), POINTS, "cpu"), [3.0, 3.0, 3.0])
    np.testing.assert_array_equal(side_values(SQUARE, POINTS, "cpu"), [1 / 16, 1.0, 0.25])
    assert side_values(SQUARE, [], "cpu").shape == (0,)


def test_a_measurement_gets_plain_numbers_and_the_device_where_points_are_enough() -> None:
    seen: list[Any] = []

    def watch(points: Any, device: str) -> Any:
        seen.append((points, device))
        return np.zeros(len(points))

    domain = Domain({n: Integers(1, 3), sp.Symbol("c"): Vector(n, Reals(0, 1)), sp.Symbol("S"): Subsets(1, 1, n)})
    point = {"n": Fraction(2), "c": (Fraction(1, 2), 1), "S": ((2,),)}
    left = claim(Quantity("watch", watch, "q"), "<=", n, domain).left
    for count in (1, ENOUGH - 1, ENOUGH):
        side_values(left, count * [point], "cuda")
    assert [(len(points), device) for points, device in seen] == [(1, "cpu"), (4095, "cpu"), (4096, "cuda")]
    assert seen[0][0] == [{"n": 2, "c": (0.5, 1), "S": ((2,),)}]
    assert [type(value) for value in (seen[0][0][0]["n"], seen[0][0][0]["c"][0])] == [int, float]


BROKEN: dict[str, tuple[Any, str]] = {
    "raises": (lambda points, device: 1 / 0, "a measurement that runs, got ZeroDivisionError"),
    "misses a key": (lambda points, device: np.array([p["z"] for p in points]), "got KeyError"),
    "one number for all": (lambda points, device: 1.0, r"shape \(3,\), got \(\)"),
    "a table": (lambda points, device: np.ones((3, 2)), r"shape \(3,\), got \(3, 2\)"),
    "text": (lambda points, device: ["a"] * 3, "real numbers, got"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_measurement_is_one_line_that_names_it(name: str) -> None:
    measure, line = BROKEN[name]
    with pytest.raises(InputError, match=line) as caught:
        side_values(Quantity("my norm", measure, "q"), POINTS, "cpu")
    assert str(caught.value).startswith(f"my norm ({__file__}:")
    assert "\n" not in str(caught.value)


BROKEN_VECTORS: dict[str, tuple[Any, str]] = {
    "raises": (lambda points, device: 1 / 0, "a measurement that runs, got ZeroDivisionError"),
    "one number a point": (lambda points, device: np.ones(len(points)), r"shape \(3, 2\) or longer, got \(3,\)"),
    "too few entries": (lambda points, device: np.ones((len(points), 1)), r"shape \(3, 2\) or longer, got \(3, 1\)"),
    "too few points": (lambda points, device: np.ones((2, 2)), r"shape \(3, 2\) or longer, got \(2, 2\)"),
    "text": (lambda points, device: [["a", "b"]] * 3, "real numbers, got <U1 such as np.str_"),
    "complex": (lambda points, device: np.ones((3, 2)) * 1j, "real numbers, got complex128"),
}


@pytest.mark.parametrize("name", BROKEN_VECTORS)
def test_a_broken_vector_is_one_line_that_names_it(name: str) -> None:
    measure, line = BROKEN_VECTORS[name]
    with pytest.raises(InputError, match=line) as caught:
        side_values(Family("my vector", measure, "v", 2)[1], POINTS, "cpu")
    assert str(caught.value).startswith(f"my vector ({__file__}:")
    assert "\n" not in str(caught.value)


VECTORS: dict[str, tuple[dict[str, Any], str]] = {
    "half an entry": ({"length": 2.5}, "a whole number of entries of my vector, got 2.5"),
    "no length": ({"length": None}, "a whole number of entries of my vector, got None"),
    "a length by another parameter": ({"length": n}, "my vector in the domain's parameters, got n"),
    "of another parameter": ({"length": 2, "of": ("k",)}, "my vector in the domain's parameters, got k"),
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_vector_that_cannot_be_is_refused_before_it_is_measured(name: str) -> None:
    declared, line = VECTORS[name]
    family = Family("my vector", lambda points, device: np.ones((len(points), 2)), "v", **declared)
    with pytest.raises(InputError, match=line):
        claim(family[1], "<=", RIGHT).validate()


def test_equality_cases_are_a_list_of_points() -> None:
    with pytest.raises(InputError, match=r"equality.*a list of points such as"):
        dataclasses.replace(PLAIN, equality={"x": 1}).validate()


def test_an_input_error_inside_a_measurement_passes_as_it_is() -> None:
    def refuse(points: Any, device: str) -> Any:
        raise InputError("target", "a target", "none", "give one")

    with pytest.raises(InputError, match=r"^target: expected a target"):
        side_values(Quantity("refusing", refuse, "q"), POINTS, "cpu")


def test_the_budget_of_a_comparison_is_the_larger_one() -> None:
    coarse, fine = measured(lambda _: 0.0, rounding=1e-6, scale=3.0), measured(lambda _: 0.0, rounding=1e-9)
    assert (claim(coarse, "<=", fine).rounding, claim(fine, "<=", coarse).scale) == (1e-6, 3.0)
    assert PLAIN.rounding == 1e-12


def test_what_is_built_compares_the_arguments_of_a_maximum_once() -> None:
    plain, compared = MinMaxBase.__new__, Counter[str]()

    class Counted(sp.Symbol):
        def __ge__(self, other: Any) -> Any:
            compared[self.name] += 1
            return super().__ge__(other)

    symbol = Counted("counted", real=True)
    built = Quantity("a maximum", SQUARE.measure, "q", lambda: sum(sp.Max(symbol, 0) * k for k in range(9)))
    assert built.definition == 36 * sp.Max(symbol, 0)
    assert compared["counted"] > 0
    first = compared["counted"]
    again = Quantity("a maximum", SQUARE.measure, "q", lambda: sp.Max(symbol, 0))
    assert again.definition == sp.Max(symbol, 0, evaluate=False)
    assert compared["counted"] == first
    assert MinMaxBase.__new__ is plain


def test_a_quantity_is_measured_once_at_the_same_points_and_anew_at_others() -> None:
    asked: list[int] = []

    def twice(points: Sequence[Point], device: str) -> Array:
        asked.append(len(points))
        return np.array([2.0 * point["x"] for point in points])

    side = Quantity("twice x", twice, "2x")
    for points in ([{"x": 1}], [{"x": 1}], [{"x": 1.0}], [{"x": 0.0}], [{"x": -0.0}], [{"x": 1}, {"x": 2}]):
        assert side_values(side, points, "cpu").tolist() == [2 * point["x"] for point in points]
    assert asked == [1, 1, 1, 1, 2]
    assert math.copysign(1, side_values(side, [{"x": -0.0}], "cpu")[0]) == -1
    side_values(Quantity("twice x", twice, "2x"), [{"x": 1}], "cpu")
    assert asked == [1, 1, 1, 1, 2, 1]
