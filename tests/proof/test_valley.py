"""Proofs by the sign of a derivative: what is found, and what the rule rejects."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.engine import Attempt
from boundaudit.checks.proof.kernel.calculus import along
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.portfolio import prove

from .stated import IDENTITY, nonnegative, reals, require_rejected

P, Q, S, X, Y = sp.symbols("p q s x y")
R = sp.Rational
PINSKER = Q * sp.log(Q / P) + (1 - Q) * sp.log((1 - Q) / (1 - P)) - 2 * (P - Q) ** 2


def attempt(claim: Statement) -> Attempt:
    found = prove(claim, engines=["calculus"])
    if found.certificate is not None:
        check(claim, json.loads(json.dumps(found.certificate)))
    return found


TRUE = {
    "Pinsker": (PINSKER, [reals("p", R(1, 20), R(19, 20)), reals("q", R(1, 20), R(19, 20))]),
    "Pinsker, open": (PINSKER, [reals("p", 0, 1, opens=(True, True)), reals("q", 0, 1, opens=(True, True))]),
    "p(1-p)": (R(1, 4) - P * (1 - P), [reals("p", 0, 1)]),
    "log s": (S - 1 - sp.log(S), [reals("s", 0, opens=(True, True))]),
    "log(1+x)": (X - sp.log(1 + X), [reals("x", 0)]),
    "series of the exponential": (sp.exp(X) - 1 - X - X**2 / 2, [reals("x", 0)]),
    "falling to the upper end": (sp.exp(-X) - sp.exp(-1), [reals("x", 0, 1)]),
    "anchor with a coefficient": ((X * Y - 1) ** 2, [reals("x", R(1, 4), 2), reals("y", 1, 2)]),
    "root that is steep at its end": (sp.sqrt(X) - X / 2, [reals("x", 0, 1)]),
}


@pytest.mark.parametrize(("expression", "parameters"), TRUE.values(), ids=TRUE.keys())
def test_proves(expression: Any, parameters: Any) -> None:
    assert attempt(nonnegative(expression, *parameters)).outcome == "proved"


@pytest.mark.parametrize(("expression", "parameters"), TRUE.values(), ids=TRUE.keys())
def test_proves_nothing_false(expression: Any, parameters: Any) -> None:
    assert attempt(nonnegative(expression - R(1, 10**6), *parameters)).outcome != "proved"


def test_proves_no_equation() -> None:
    found = prove(Statement(ZERO, "=", ZERO, {"parameters": [], "where": []}), engines=["calculus"])
    assert found.outcome == "unknown"
    assert any("not equations" in note for note in found.notes)


# --- the rule --------------------------------------------------------------------------------------


def signed(expression: Any) -> dict[str, Any]:
    terms = [{"weight": [1, 1], "factors": [[factor, 1]]} for factor in ("n", ["sign", to_tree(expression)])]
    return {"kind": "psatz", "terms": terms}


CLAIM = nonnegative(sp.exp(X) - 1 - X, reals("x", 0, 5))
PROOF = {
    "kind": "valley", "variable": "x", "anchor": ["q", 0, 1], "shape": "rising", "base": IDENTITY,
    "slope": signed(sp.exp(X) - 1),
}  # fmt: skip
CLAIM_FALLING = nonnegative(sp.exp(-X) - sp.exp(-1), reals("x", 0, 1))
PROOF_FALLING = {
    "kind": "valley", "variable": "x", "anchor": ["q", 1, 1], "shape": "falling", "base": IDENTITY,
    "slope": signed(sp.exp(-X)),
}  # fmt: skip

CORRUPTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another anchor": lambda c: c.update(anchor=["q", 2, 1]),
    "an anchor outside the range": lambda c: c.update(anchor=["q", -1, 1]),
    "an anchor that moves": lambda c: c.update(anchor=["v", "x"]),
    "an anchor in an unknown parameter": lambda c: c.update(anchor=["v", "r"]),
    "an anchor that is no tree": lambda c: c.update(anchor=1),
    "the opposite shape": lambda c: c.update(shape="falling"), "an unknown shape": lambda c: c.update(shape="flat"),
    "another parameter": lambda c: c.update(variable="t"), "no base": lambda c: c.pop("base"),
    "no slope": lambda c: c.pop("slope"), "a slope without proof": lambda c: c.update(slope=IDENTITY),
    "a base that proves another goal": lambda c: c.update(base=c["slope"]),
}  # fmt: skip


@pytest.mark.parametrize("corrupt", CORRUPTIONS.values(), ids=CORRUPTIONS.keys())
def test_rejects(corrupt: Callable[[dict[str, Any]], Any]) -> None:
    require_rejected(CLAIM, PROOF, corrupt)


@pytest.mark.parametrize("change", [
    {"anchor": ["q", 0, 1]}, {"anchor": ["q", 1, 2]}, {"shape": "rising"}, {"slope": IDENTITY},
], ids=["from the other end", "from inside", "the other way", "without proof"])  # fmt: skip
def test_rejects_a_slope_from_the_wrong_end(change: dict[str, Any]) -> None:
    check(CLAIM_FALLING, PROOF_FALLING)
    with pytest.raises(Rejected):
        check(CLAIM_FALLING, {**PROOF_FALLING, **change})


@pytest.mark.parametrize("other", [
    nonnegative(sp.exp(X) - 1 - R(101, 100) * X, reals("x", 0, 5)),
    nonnegative(sp.exp(X) - 1 - X - R(1, 10**9), reals("x", 0, 5)), nonnegative(sp.exp(X) - 1 - X, reals("x", 2, 5)),
    nonnegative(sp.exp(X) - 1 - X, reals("x", 0, 5), reals("t", 0, X)),
    Statement(CLAIM.left, "=", CLAIM.right, CLAIM.domain), Statement(CLAIM.left, "<=", CLAIM.right, CLAIM.domain),
], ids=["another slope", "sharper", "anchor outside", "a range that moves along", "equation", "reversed"])  # fmt: skip
def test_a_certificate_proves_no_other_statement(other: Statement) -> None:
    with pytest.raises(Rejected):
        check(other, PROOF)


def test_the_way_from_the_anchor_may_not_cross_a_gap_of_the_domain() -> None:
    # 2x³ - 3x² rises on the domain {0} and [1, 2], but falls from 0 to -1 in the gap between.
    domain = {"parameters": [reals("x", 0, 2)], "where": [[">=", to_tree(X * (X - 1)), ZERO]]}
    slope = {
        "kind": "psatz",
        "terms": [{"weight": [k, 1], "factors": [[f, 1]]} for k, f in ((1, "n"), (6, ["where", 0]))],
    }
    check(Statement(to_tree(6 * X**2 - 6 * X), ">=", ZERO, domain), slope)
    valley = {"kind": "valley", "variable": "x", "anchor": ZERO, "shape": "rising", "base": IDENTITY, "slope": slope}
    with pytest.raises(Rejected, match="no relation 0"):
        check(Statement(to_tree(2 * X**3 - 3 * X**2), ">=", ZERO, domain), valley)


def test_a_sum_does_not_capture_the_anchor() -> None:
    # The goal is 2x - 3; captured, the anchor y would make it 0 everywhere.
    total = sp.Sum(X - Y, (Y, 1, 2))
    forged = {"kind": "valley", "variable": "x", "anchor": ("v", "y"), "shape": "rising"}
    claim = nonnegative(total, reals("x", 0, 9), reals("y", 0, 9))
    with pytest.raises(Rejected, match="normal form of the goal is not 0"):
        check(claim, {**forged, "base": IDENTITY, "slope": IDENTITY})


def test_one_moves_inside_the_range_and_without_relations_that_move() -> None:
    moves, stays = ["<=", to_tree(X * Y), rational(3)], ["<=", to_tree(Y), rational(2)]
    found = along({"parameters": [reals("x", 0, 1), reals("y", 0, 9)], "where": [moves, stays]}, "x")
    assert found == {"parameters": [reals("x", 0, 1, opens=(True, True)), reals("y", 0, 9)], "where": [stays]}
    with pytest.raises(Rejected, match="no parameter with range reals"):
        along({"parameters": [{**reals("x", 0, 1), "range": "integers"}], "where": []}, "x")
