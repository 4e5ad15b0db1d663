"""A statement is proved only where both sides have a value at every point of its domain."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from tests.statements import claim, n, some_slow, x

from boundaudit import Domain, Integers, Reals
from boundaudit.checks.language.expression import ONE, ZERO, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import Certificate, Rejected, check
from boundaudit.checks.proof.portfolio import prove

k = sp.Symbol("k", integer=True)


def stated(left: Any, relation: str, right: Any, span: Any = None) -> Statement:
    found = claim(left, relation, right, Domain({x: span or Reals(0, 1), n: Integers(0, 9)})).statement_form
    assert found is not None
    return found


WITHOUT_VALUE: dict[str, Statement] = {
    "a pole at an end": stated(1 / x, ">=", 0),
    "a logarithm at zero": stated(sp.log(x), "<=", x - 1, Reals(0, 10)),
    "roots of negative numbers": stated(sp.sqrt(x), ">=", 0, Reals(-1, 3)),
    "a root of a wave": stated(sp.sqrt(sp.cos(x)), "<=", 1, Reals(0, 3)),
    "a hole at an end": stated((1 - x**2) / (1 - x), "=", 1 + x),
    "a hole that is the domain": stated((1 - x**2) / (1 - x), "=", 1 + x, Reals(1, 1)),
    "a hole inside": stated((1 - x**2) / (1 - x), "<=", 1 + x, Reals(0, 2)),
    "a power of zero": stated(x ** (-n), ">=", 0),
    "a term of a sum": stated(sp.Sum(1 / (k - 3) ** 2, (k, 1, n)), ">=", 0),
    "inside what is multiplied by zero": stated(sp.Mul(0, 1 / x, evaluate=False), "<=", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", some_slow(WITHOUT_VALUE, "a hole inside", "a root of a wave"))
def test_what_has_no_value_somewhere_is_not_proved(name: str) -> None:
    assert prove(WITHOUT_VALUE[name]).outcome != "proved"


@pytest.mark.parametrize(
    ("left", "relation", "right", "span"),
    [
        (sp.sqrt(sp.cos(x)), "<=", 1, Reals(0, sp.Rational(3, 2))),
        (sp.log(1 - x / 2 + x / 3 * sp.exp(x)), "<=", 2, Reals(0, 1)),
        (sp.log(sp.cos(x) + sp.exp(x)), "<=", 2, Reals(0, 1)),
        (sp.sqrt(x), "<=", 1, Reals(0, 1)),
    ],
)
def test_what_has_a_value_everywhere_is_still_proved(left: Any, relation: str, right: Any, span: Any) -> None:
    goal = stated(left, relation, right, span)
    found = prove(goal)
    assert found.certificate is not None
    check(goal, found.certificate)


@pytest.mark.slow
def test_a_lemma_says_that_an_argument_is_positive() -> None:
    """Without the lemma that the cosine is positive the checker rejects what it accepts with it."""
    goal = stated(sp.log(sp.cos(x) + sp.exp(x)), "<=", 2)
    certificate = prove(goal).certificate or {}
    assert [lemma["statement"]["relation"] for lemma in certificate["lemmas"]] == ["<"]
    with pytest.raises(Rejected):
        check(goal, {**certificate, "lemmas": []})


EXTENDED = sp.Piecewise(((1 - x**2) / (1 - x), sp.Ne(x, 1)), (2, True))


@pytest.mark.parametrize(
    ("left", "relation", "right"),
    [(EXTENDED, "=", 1 + x), (sp.Piecewise((1, x <= 0), (0, True)), "<=", sp.Max(0, 1 - x))],
    ids=["an extension", "branches against a maximum"],
)
def test_branches_are_proved_around_the_point_where_they_part(left: Any, relation: str, right: Any) -> None:
    goal = stated(left, relation, right, Reals(-3, 3))
    certificate = prove(goal).certificate or {}
    check(goal, certificate)
    assert certificate["split"][0] == "around"
    with pytest.raises(Rejected):
        check(goal, {**certificate, "split": ["around", "x", rational(2)]})
    assert prove(stated(left + sp.Rational(1, 100), relation, right, Reals(-3, 3))).outcome == "refuted"


# --- strict statements ------------------------------------------------------------------------------

POSITIVE = Statement(ZERO, "<", ("v", "x"), stated(x, "<=", 1).domain)
"""0 < x on [0, 1], which fails at 0 alone."""
FORGED: dict[str, Certificate] = {
    "an equality": {"kind": "identity"},
    "two sides": {"kind": "both", "<=": {"kind": "identity"}, ">=": {"kind": "identity"}},
    "a sign": {"kind": "psatz", "terms": [{"weight": [1, 1], "factors": [["n", 1]]},
                                          {"weight": [1, 1], "factors": [[["low", ("v", "x")], 1]]}]},
    "a ball": {"kind": "boxes", "points": [], "tree": ["ball"]},
    "a Taylor form": {"kind": "boxes", "points": [], "tree": ["mean-value"]},
    "a touch point": {"kind": "boxes", "points": [{"x": ZERO}], "tree": ["touch", 0]},
    "a valley": {"kind": "valley", "variable": "x", "anchor": ZERO, "shape": "rising", "base": {"kind": "identity"},
                 "slope": {"kind": "psatz", "terms": [{"weight": [1, 1], "factors": [["n", 1]]},
                                                      {"weight": [1, 1], "factors": []}]}},
    "its terms": {"kind": "termwise", "sum": ("sum", ONE, ONE, ("v", "x")), "index": "i",
                  "proof": {"kind": "identity"}},
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_equality_somewhere_refutes_a_strict_statement(name: str) -> None:
    with pytest.raises(Rejected):
        check(POSITIVE, FORGED[name])


@pytest.mark.parametrize(
    "name", [name for name in FORGED if name in ("a sign", "a Taylor form", "a touch point", "a valley")]
)
def test_the_same_certificates_prove_what_is_not_strict(name: str) -> None:
    check(Statement(ZERO, "<=", ("v", "x"), POSITIVE.domain), FORGED[name])


@pytest.mark.parametrize("shift", [rational(1), ("exp", ("v", "x"))])
def test_what_is_positive_is_proved_to_be(shift: Any) -> None:
    goal = Statement(ZERO, "<", ("+", ("v", "x"), shift), POSITIVE.domain)
    found = prove(goal)
    assert found.certificate is not None
    check(goal, found.certificate)
    assert prove(POSITIVE).outcome == "refuted"
