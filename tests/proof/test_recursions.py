"""Alternatives, what is said of all indices, products, places in a vector: what is accepted, and planted faults."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from tests.statements import c, m, n, stated, t, x, y

from boundaudit import Domain, ForAll, InputError, Integers, Reals, Vector
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ONE
from boundaudit.checks.language.statement import Statement, shapes_of
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.coq.documents import document
from boundaudit.checks.proof.coq.terms import NotExported
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.citing import instance
from boundaudit.checks.proof.kernel.domains import fixed, free_of
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.sums import without_last
from boundaudit.checks.proof.portfolio import ENGINES, prove

BLIND = [name for name in ENGINES if name != "probe"]
"""All engines that prove something: none of them may be saved by a counterexample."""
ENOUGH = Budget(steps=1_500_000)
"""With it what is true is proved."""
APART = Domain({x: Reals(), y: Reals()}, where=[sp.Ne(x, y)])
OUTSIDE = Domain({x: Reals()}, where=[sp.Or(x <= -1, x >= 1)])
GROWING = Domain(
    {x: Reals(0), n: Integers(1), c: Vector(n, Reals(0))}, where=[x <= 5, ForAll(c[t + 1] <= c[t] + x, (t, 1, n - 1))]
)


def proof_of(statement: Statement) -> Certificate:
    found = prove(statement, engines=BLIND, budget=ENOUGH)
    assert found.outcome == "proved", found.notes
    assert found.certificate is not None
    kept: Certificate = json.loads(json.dumps(found.certificate))
    check(Statement.from_json(json.loads(json.dumps(statement.to_json()))), kept)
    return kept


# --- alternatives ----------------------------------------------------------------------------------

SQUARE = stated(x**2, ">=", 1, OUTSIDE)


def test_each_alternative_is_proved() -> None:
    proof = proof_of(SQUARE)
    assert (proof["kind"], proof["split"], len(proof["proofs"])) == ("cases", ["alternatives", 0], 2)


@pytest.mark.parametrize("spoil", [
    lambda proof: proof["proofs"].pop(), lambda proof: proof["proofs"].reverse(),
    lambda proof: proof.update(split=["alternatives", 1]), lambda proof: proof.update(split=["alternatives", -1]),
    lambda proof: proof.update(split=["alternatives", False]),
    lambda proof: proof.update(proofs=[proof["proofs"][0]] * 2),
])  # fmt: skip
def test_a_proof_of_some_alternatives_is_none(spoil: Callable[[Any], Any]) -> None:
    proof = copy.deepcopy(proof_of(SQUARE))
    spoil(proof)
    with pytest.raises(Rejected):
        check(SQUARE, proof)


def test_an_alternative_that_fails_is_not_proved() -> None:
    loose = Domain({x: Reals()}, where=[sp.Or(x <= -1, x >= sp.Rational(99, 100))])
    assert prove(stated(x**2, ">=", 1, loose), engines=BLIND, budget=ENOUGH).outcome == "unknown"
    with pytest.raises(Rejected):
        check(stated(x**2, ">=", 1, loose), proof_of(SQUARE))


@pytest.mark.parametrize("label", [["where", 0], ["each", 0, to_tree(x)], ["where", True]])
def test_alternatives_are_no_hypothesis(label: Any) -> None:
    with pytest.raises(Rejected, match="no relation"):
        Hypotheses(OUTSIDE.to_json()).derive(label)


def test_a_quotient_has_a_value_off_the_diagonal_only() -> None:
    slope = (x**2 - y**2) / (x - y)
    proof_of(stated(slope, "=", x + y, APART))
    everywhere = Domain({x: Reals(), y: Reals()})
    assert prove(stated(slope, "=", x + y, everywhere), engines=BLIND, budget=ENOUGH).outcome == "unknown"


# --- all indices -----------------------------------------------------------------------------------


def test_what_is_said_of_all_indices_holds_at_each_of_them() -> None:
    within = Domain({**GROWING.ranges, m: Integers(1, n - 1)}, where=GROWING.where).to_json()
    found = Hypotheses(within).derive(["each", 1, to_tree(m)])
    assert found[:2] == (to_tree(c[m + 1]), to_tree(c[m] + x))
    assert not found.strict


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        (["each", 1, to_tree(n)], "beyond"),
        (["each", 1, to_tree(sp.S(0))], "beyond"),
        (["each", 1, to_tree(sp.Rational(3, 2))], "beyond"),
        (["each", 1, to_tree(sp.S(1))], "beyond"),  # n may be 1
        (["each", 0, to_tree(sp.S(1))], "for all indices"),
        (["each", 2, to_tree(sp.S(1))], "for all indices"),
        (["each", -1, to_tree(sp.S(1))], "for all indices"),
        (["where", 1], "no relation"),
    ],
)
def test_nothing_is_said_beyond_the_indices(label: Any, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        Hypotheses(GROWING.to_json()).derive(label)


def test_a_relation_of_another_sign_says_nothing() -> None:
    domain = GROWING.to_json()
    for sign in ("=", "!=", ""):
        spoilt = {**domain, "where": [["all", ONE, ONE, [sign, to_tree(x), to_tree(x)]]]}
        with pytest.raises(InputError, match="an inequality"):
            shapes_of(spoilt)


def test_a_parameter_that_is_put_in_reaches_what_is_said_of_all_indices() -> None:
    put = fixed(stated(c[n], "<=", c[1] + n * x, GROWING), "n", to_tree(sp.S(3))).domain
    assert put["where"][1][2] == to_tree(sp.S(3) - 1) or put["where"][1][2] == ("+", ("q", -1, 1), ("q", 3, 1))
    assert [entry[0] for entry in free_of(GROWING.to_json(), "n")] == ["<="]
    assert free_of(GROWING.to_json(), "c") == [["<=", to_tree(x), to_tree(sp.S(5))]]


LAST = stated(c[n], "<=", c[1] + (n - 1) * x, GROWING)


def test_a_recursion_is_proved_up_to_each_place() -> None:
    proof = proof_of(LAST)
    assert (proof["kind"], proof["lemma"]["certificate"]["kind"]) == ("instance", "induction")


@pytest.mark.slow
@pytest.mark.parametrize(("left", "right", "domain"), [
    (c[n], c[1] + (n - 2) * x, GROWING), (c[n], c[1] + (n - 1) * x / 2, GROWING), (c[n], c[1], GROWING),
    (c[n], c[1] + (n - 1) * x, Domain(GROWING.ranges, where=[ForAll(c[t + 1] <= c[t] + x, (t, 1, n - 2))])),
    (c[n], c[1] + (n - 1) * x, Domain(GROWING.ranges, where=[ForAll(c[t + 1] <= c[t] + x, (t, 2, n - 1))])),
    (c[n], c[1] + (n - 1) * x, Domain(GROWING.ranges, where=[ForAll(c[t + 1] >= c[t] + x, (t, 1, n - 1))])),
    (sp.Sum(c[t], (t, 1, n)), n * c[1] + n * x, GROWING),
])  # fmt: skip
def test_what_a_recursion_does_not_give_is_not_proved(left: Any, right: Any, domain: Domain) -> None:
    assert prove(stated(left, "<=", right, domain), engines=BLIND, budget=ENOUGH).outcome == "unknown"


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [
    lambda proof: proof["map"].update({"n'": to_tree(n + 1)}),
    lambda proof: proof["lemma"]["statement"]["domain"]["where"].pop(),
    lambda proof: proof["lemma"]["certificate"].update(start=to_tree(sp.S(2))),
    lambda proof: proof["lemma"]["certificate"]["bases"].clear(), lambda proof: proof["conditions"].clear(),
    lambda proof: proof["lemma"]["statement"]["domain"]["parameters"][-1].update(high=None),
])  # fmt: skip
def test_a_spoilt_climb_is_rejected(spoil: Callable[[Any], Any]) -> None:
    proof = copy.deepcopy(proof_of(LAST))
    spoil(proof)
    with pytest.raises(Rejected):
        check(LAST, proof)


@pytest.mark.slow
def test_who_cites_what_is_said_of_all_indices_shows_it() -> None:
    """Halved vectors grow by half as much: asked is the relation at an index, which two others do not show."""
    put = {"c": to_tree(c[t] / 2), "x": to_tree(x / 2)}
    body = {**put, "c": ("*", ("q", 1, 2), ("item", "c", ("b", 0)))}
    conditions, _ = instance(GROWING.to_json(), {"cites": "", "map": body}, {"": LAST})
    asked = [condition for condition in conditions if condition.domain["parameters"][-1]["name"] == "index of 1"]
    assert len(asked) == 1
    assert prove(asked[0], engines=BLIND, budget=ENOUGH).outcome == "proved"
    wrong, _ = instance(GROWING.to_json(), {"cites": "", "map": {**body, "x": to_tree(x / 3)}}, {"": LAST})
    (asked_wrongly,) = [found for found in wrong if found.domain["parameters"][-1]["name"] == "index of 1"]
    assert prove(asked_wrongly, engines=BLIND, budget=ENOUGH).outcome == "unknown"


def test_who_cites_alternatives_has_the_same() -> None:
    known = {"": SQUARE}
    assert instance(OUTSIDE.to_json(), {"cites": "", "map": {}}, known)[0] == []
    with pytest.raises(Rejected, match="alternatives"):
        instance(Domain({x: Reals(2)}).to_json(), {"cites": "", "map": {"x": to_tree(x)}}, known)


# --- products --------------------------------------------------------------------------------------

ENTRIES = Domain({n: Integers(1), c: Vector(n, Reals(0, 1))})
PRODUCT = sp.Product(1 - c[t], (t, 1, n))


@pytest.mark.slow
@pytest.mark.parametrize(("left", "relation", "right"), [
    (PRODUCT, ">=", 1 - sp.Sum(c[t], (t, 1, n))), (PRODUCT, "<=", sp.exp(-sp.Sum(c[t], (t, 1, n)))), (PRODUCT, "<=", 1),
    (PRODUCT, ">=", 0), (sp.Product(1 + c[t], (t, 1, n)), "<=", 2**n),
])  # fmt: skip
def test_products_are_proved(left: Any, relation: Any, right: Any) -> None:
    proof_of(stated(left, relation, right, ENTRIES))


@pytest.mark.slow
@pytest.mark.parametrize(("left", "relation", "right"), [
    (PRODUCT, ">=", 1 - sp.Sum(c[t], (t, 2, n))), (PRODUCT, "<=", 1 - c[1] / 2 - c[n] ** 3),
    (PRODUCT, ">=", sp.Rational(1, 10**6)), (sp.Product(c[t] - sp.Rational(1, 2), (t, 1, n)), ">=", 0),
    (sp.Product(1 + c[t], (t, 1, n)), "<=", 2 ** (n - 1) + 1), (PRODUCT, "=", sp.Product(1 - c[t], (t, 1, n - 1))),
])  # fmt: skip
def test_false_products_are_not_proved(left: Any, relation: Any, right: Any) -> None:
    assert prove(stated(left, relation, right, ENTRIES), engines=BLIND, budget=ENOUGH).outcome == "unknown"


def test_the_last_factor_of_a_product_that_has_one_stands_apart() -> None:
    product = to_tree(PRODUCT)
    apart = without_last(stated(PRODUCT, "<=", 1, ENTRIES), product).left
    assert apart[0] == "*"
    assert apart[2] == to_tree(1 - c[n])
    for other in (to_tree(sp.Product(1 - c[t], (t, 2, n))), to_tree(c[n])):
        with pytest.raises(Rejected):
            without_last(stated(PRODUCT, "<=", 1, ENTRIES), other)


# --- Coq -------------------------------------------------------------------------------------------


def test_what_coq_is_not_told_is_said() -> None:
    statement = stated(PRODUCT, "<=", 1, ENTRIES)
    with pytest.raises(NotExported, match="product"):
        document("some.claim", statement, proof_of(statement))


@pytest.mark.slow
@pytest.mark.parametrize(("far", "holds"), [(1, True), (sp.Rational(9, 10), False)])
def test_what_steps_add_up_to_is_bounded_in_turn(far: Any, holds: bool) -> None:
    steps = ForAll(abs(c[t + 1] - c[t]) <= 2**-t, (t, 1, n - 1))
    domain = Domain({n: Integers(1), c: Vector(n, Reals())}, where=[steps])
    budget = ENOUGH if holds else Budget(steps=10**5)
    found = prove(stated(abs(c[n] - c[1]), "<=", far, domain), engines=["prefixes"], budget=budget)
    assert (found.outcome == "proved") is holds


@pytest.mark.parametrize(("relation", "right", "outcome"), [
    (sp.Eq, sp.log(n), "proved"), (sp.Ge, sp.log(n), "proved"), (sp.Le, sp.log(n), "unknown"),
    (sp.Ge, sp.log(2 * n - 1), "unknown"),
])  # fmt: skip
def test_entries_that_grow_by_exponentials_are_compared_with_a_logarithm(
    relation: Any, right: Any, outcome: str
) -> None:
    """As the margin of gradient descent on an exponential loss: x_{t+1} = x_t + exp(-x_t)."""
    step = ForAll(relation(c[t + 1], c[t] + sp.exp(-c[t])), (t, 1, n - 1))
    domain = Domain({n: Integers(1), c: Vector(n, Reals(0))}, [sp.Eq(c[1], 0), step])
    assert prove(stated(c[n], ">=", right, domain), engines=["under a function"]).outcome == outcome
