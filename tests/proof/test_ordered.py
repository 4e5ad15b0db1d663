"""What is shown of any one index, used of all: orders of entries; and goals of which one factor is left to be shown."""

import copy
from typing import Any

import pytest
import sympy as sp
from tests.statements import stated

from boundaudit import Domain, ForAll, Integers, Reals, Vector
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ONE, add
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.kernel.domains import assume, with_index
from boundaudit.checks.proof.portfolio import prove

n, m, i = sp.symbols("n m i", integer=True, positive=True)
v = sp.IndexedBase("v", positive=True)
x, y = sp.symbols("x y", real=True)
PARAMETERS = {n: Integers(1), v: Vector(n, Reals(0, open_low=True))}
FALLING = Domain(PARAMETERS, [ForAll(v[i + 1] <= v[i], (i, 1, n - 1))])
RISING = Domain(PARAMETERS, [ForAll(v[i] <= v[i + 1], (i, 1, n - 1))])
TOTAL, SQUARES = sp.Sum(v[i], (i, 1, n)), sp.Sum(v[i] ** 2, (i, 1, n))


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "domain"), [
    (SQUARES, v[1] * TOTAL, FALLING), (SQUARES, v[n] * TOTAL, RISING), (v[n] * TOTAL, SQUARES, FALLING),
    (TOTAL / v[1], TOTAL**2 / SQUARES, FALLING),
])  # fmt: skip
def test_all_entries_are_compared_with_the_first_or_the_last(left: Any, right: Any, domain: Domain) -> None:
    assert prove(stated(left, "<=", right, domain), engines=["ordered"]).outcome == "proved"


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "domain"), [
    (SQUARES, v[1] * TOTAL, RISING), (SQUARES, v[n] * TOTAL, FALLING), (SQUARES, v[1] * TOTAL, Domain(PARAMETERS)),
    (SQUARES, v[1] * TOTAL, Domain(PARAMETERS, [ForAll(v[i + 1] <= v[i], (i, 1, n - 2))])),
])  # fmt: skip
def test_the_other_order_or_a_part_of_it_shows_nothing(left: Any, right: Any, domain: Domain) -> None:
    assert prove(stated(left, "<=", right, domain), engines=["ordered"]).outcome == "unknown"


GOAL = stated(SQUARES, "<=", v[1] * TOTAL, FALLING)
PROOF: dict[str, Any] = prove(GOAL, engines=["ordered"]).certificate or {}


def test_the_certificate_is_accepted() -> None:
    assert PROOF["kind"] == "for all"
    check(GOAL, PROOF)


def test_of_more_indices_than_were_shown_nothing_is_said() -> None:
    wider = {**PROOF, "ends": [PROOF["ends"][0], add(PROOF["ends"][1], ONE)]}
    with pytest.raises(Rejected, match="rests on more than the domain"):
        check(GOAL, wider)


def test_a_lemma_on_a_narrower_domain_is_no_lemma() -> None:
    said = Statement.from_json(PROOF["lemma"]["statement"])
    narrow = Statement(
        said.left, said.relation, said.right, assume(said.domain, (said.relation, said.left, said.right))
    )
    with pytest.raises(Rejected, match="rests on more than the domain"):
        check(GOAL, {**PROOF, "lemma": {"statement": narrow.to_json(), "certificate": {"kind": "given"}}})


def test_the_index_is_no_parameter_of_the_domain() -> None:
    index, item = ("v", "n"), ("item", "v", ("v", "n"))
    said = Statement(item, "<=", item, {**GOAL.domain})
    forged = {**PROOF, "index": "n", "lemma": {"statement": said.to_json(), "certificate": {"kind": "identity"}}}
    with pytest.raises(Rejected, match="not a fresh name"):
        check(GOAL, {**forged, "ends": [index, index]})


def test_a_false_lemma_is_refused() -> None:
    forged: Any = copy.deepcopy(PROOF)
    said = Statement.from_json(forged["lemma"]["statement"])
    forged["lemma"]["statement"] = Statement(said.left, "<", said.right, said.domain).to_json()
    with pytest.raises(Rejected):
        check(GOAL, forged)


def test_what_is_shown_of_one_index_is_not_said_of_ends_that_speak_of_it() -> None:
    domain = with_index(GOAL.domain, "k", ("q", 1, 1), ("v", "n"))
    said = Statement(("v", "k"), "<=", ("v", "k"), domain)
    forged = {**PROOF, "index": "k", "ends": [("q", 1, 1), ("v", "k")]}
    with pytest.raises(Rejected):
        check(GOAL, {**forged, "lemma": {"statement": said.to_json(), "certificate": {"kind": "identity"}}})


@pytest.mark.parametrize(("factor", "outcome"), [(x, "proved"), (-x, "unknown"), (y, "unknown")])
def test_the_one_factor_of_unknown_sign_is_shown_to_have_it(factor: Any, outcome: str) -> None:
    domain = Domain({x: Reals(0, open_low=True), y: Reals()})
    goal = stated(factor * (x + 1), "<=", factor * sp.exp(x), domain)
    assert prove(goal, engines=["cofactor"]).outcome == outcome
