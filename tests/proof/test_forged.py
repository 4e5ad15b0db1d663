"""Forged certificates: what is false would be proved if one thing that the checker asks were not asked."""

import contextlib
import copy
import functools
import json
import operator
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import sympy as sp

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import substitute
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel import checker
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.citing import Known, instance
from boundaudit.checks.records.reference import stored
from boundaudit.checks.records.standing import statements_of
from boundaudit.checks.run.addresses import find_shipped

from .stated import IDENTITY, claim, integers, reals, tree

x, y, n = sp.symbols("x y n")
UNIT = reals("x", 0, 1)

# --- every part of a certificate is checked ---------------------------------------------------------

SHIPPED = {
    "both": "sharpness.exactness.loss.between", "cases": "schatten.interpolation.remainder-by-count",
    "chain by what is given": "sharpness.activations.W1.operator", "chain along a parameter": "covering.path.whole",
    "chain over an index": "covering.chaining.signs", "chain with conditions": "sharpness.hessian.vectors.mixed",
    "concave": "sharpness.averages.spread", "increasing": "schatten.generalization.fine-grid",
    "induction, last term": "sharpness.exactness.outputs.telescope", "instance": "recursions.gronwall.geometric",
    "lemmas": "sharpness.pruned_gradient.halves", "product": "sharpness.averages.bends",
    "substitution": "sharpness.noisy_loss.components", "telescope": "covering.lengths.steps",
    "termwise": "sharpness.averages.squares", "valley": "sharpness.projection.half-angle",
}  # fmt: skip
"""By the rules that they use, small certificates of the run that ships."""


def shipped(label: str) -> tuple[Statement, Certificate, Known]:
    """A claim's statement, its certificate, and what that cites."""
    (member,), findings = find_shipped(label), stored(label)
    assert findings is not None
    assert findings.proof is not None
    assert member.proof_form is not None
    certificate = json.loads(json.dumps(findings.proof.certificate))
    return member.proof_form, certificate, statements_of(findings.proof.cites, find_shipped)


def parts(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where certificates stand in a certificate."""
    if isinstance(data, dict) and "kind" in data and path:
        yield path
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, inner in entries:
        yield from parts(inner, (*path, key))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    return functools.reduce(operator.getitem, path, data)


@pytest.mark.slow
@pytest.mark.parametrize("rule", SHIPPED)
def test_no_part_may_be_anything_else(rule: str) -> None:
    statement, certificate, known = shipped(SHIPPED[rule])
    check(statement, certificate, known)
    found = list(parts(certificate))
    assert found
    for path in found:
        forged = copy.deepcopy(certificate)
        at(forged, path[:-1])[path[-1]] = {"kind": "nothing"}
        with pytest.raises(Rejected):
            check(statement, forged, known)


@pytest.mark.slow
@pytest.mark.parametrize("rule", SHIPPED)
def test_no_part_is_missing_and_none_too_many(rule: str) -> None:
    statement, certificate, known = shipped(SHIPPED[rule])
    # First values of an induction may be more than are needed.
    listed_in = [path for path in parts(certificate) if isinstance(path[-1], int) and path[-2] != "bases"]
    for path in listed_in:
        for change in ("drop", "add"):
            forged = copy.deepcopy(certificate)
            listed = at(forged, path[:-1])
            listed.pop(path[-1]) if change == "drop" else listed.append(IDENTITY)
            with pytest.raises(Rejected):
                check(statement, forged, known)


# --- forged terms -----------------------------------------------------------------------------------

FALSE = claim(1, "<=", 0)
"""Its negation is 1 > 0."""
NEGATION = {"weight": [1, 1], "factors": [["n", 1]]}


def test_a_sum_that_may_be_empty_does_not_make_its_ends_positive() -> None:
    """⌊x⌋ - 1 ≥ 0 and ⌊-x⌋ - 1 ≥ 0, from sums up to there, would prove it."""

    def leaking(value: Any) -> Any:
        last = sp.floor(value)
        index = sp.Symbol("i", integer=True)
        total = tree(sp.Sum(sp.Max(last - 1, index - 1), (index, 1, last)))
        return ["+", tree(last - 1), ["*", tree(0), total]]

    signs = [["sign", leaking(value)] for value in (x, -x)] + [["floor", tree(value)] for value in (x, -x)]
    terms = [NEGATION, *({"weight": [1, 2], "factors": [[sign, 1]]} for sign in signs)]
    with pytest.raises(Rejected, match="do not show the sign"):
        check(claim(1, "<=", 0, reals("x")), {"kind": "psatz", "terms": terms})


@pytest.mark.parametrize("weight", [[0, 1], [-1, 1], [1, -1], [-1, -1], [1, 0], [1.0, 1], [True, 1], [1, True], [1]])
def test_a_weight_is_a_positive_rational(weight: list[Any]) -> None:
    alone = {"weight": weight, "factors": []}
    for terms in ([alone], [NEGATION, alone], [NEGATION, {**alone, "factors": [["n", 1]]}]):
        with pytest.raises(Rejected):
            check(FALSE, {"kind": "psatz", "terms": terms})


@pytest.mark.parametrize(("exponent", "small"), [(1, True), (64, True), (65, False), (True, False), (1.0, False)])
def test_an_exponent_is_a_small_positive_integer(exponent: Any, small: bool) -> None:
    """xᵏ ≥ 0 by k times x ≥ 0."""
    power = {"weight": [1, 1], "factors": [[["low", ["v", "x"]], exponent]]}
    statement = claim(0, "<=", x ** int(exponent), UNIT)
    with contextlib.nullcontext() if small else pytest.raises(Rejected, match="exponent"):
        check(statement, {"kind": "psatz", "terms": [NEGATION, power]})


@pytest.mark.parametrize("exponent", [0, -1])
def test_a_factor_stands_there_at_least_once(exponent: int) -> None:
    factors = [[["high", ["v", "x"]], 1], [["above", tree(1)], exponent]]
    with pytest.raises(Rejected, match="exponent"):
        check(claim(x, "<=", 1, UNIT), {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": factors}]})


@pytest.mark.parametrize("order", [1, -1])
def test_a_product_with_what_may_be_zero_may_be_zero(order: int) -> None:
    """0 < x·y would follow from 0 ≤ x and 0 < y."""
    statement = claim(0, "<", x * y, UNIT, reals("y", 0, 1, (True, False)))
    lows = [[["low", ["v", name]], 1] for name in "xy"][::order]
    with pytest.raises(Rejected, match="strictly positive"):
        check(statement, {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": lows}]})


def test_what_is_too_deep_to_be_read_proves_nothing() -> None:
    deep: Any = ["v", "x"]
    for _ in range(sys.getrecursionlimit()):
        deep = ["exp", deep]
    with pytest.raises(Rejected, match="too deeply"):
        check(FALSE, {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [], "square": deep}]})


def doubled(times: int) -> Certificate:
    """That x is not negative, after it was written as u/2 + u/2, and u likewise, so many times."""
    last = ("v", "x") if times == 0 else ("v", f"u{times}")
    found: Certificate = {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [[["low", last], 1]]}]}
    for time in range(times, 0, -1):
        old, new = "x" if time == 1 else f"u{time - 1}", reals(f"u{time}", 0)
        half = ("*", tree(sp.Rational(1, 2)), ("v", new["name"]))
        found = {"kind": "substitution", "variable": old, "new": new, "value": ("+", half, half), "inverse": ("v", old),
                 "proof": found}  # fmt: skip
    return found


def test_what_is_too_long_to_be_read_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short certificate writes a statement as long as it likes, where each of its parts doubles what it is given."""
    statement = claim(0, "<=", x, reals("x", 0))
    check(statement, doubled(8))
    monkeypatch.setattr(checker, "_LONGEST", 10_000)
    check(statement, doubled(4))
    with pytest.raises(Rejected, match="too long"):
        check(statement, doubled(8))


def test_a_square_alone_is_not_positive() -> None:
    """x² < x² would follow from its negation, 0 ≥ 0, and a square."""
    statement = Statement(tree(x**2), "<", tree(x**2), {"parameters": [UNIT], "where": []})
    square = {"weight": [1, 1], "factors": [], "square": tree(0)}
    for terms in ([NEGATION], [square], [NEGATION, square]):
        with pytest.raises(Rejected):
            check(statement, {"kind": "psatz", "terms": terms})


# --- forged words -----------------------------------------------------------------------------------

SAID = (("<=", x, y),)
TWO = (reals("x"), reals("y"))


@pytest.mark.parametrize("statement", [
    claim(x, "<=", 0, UNIT), claim(y, "<=", x, *TWO, where=SAID), claim(x, "=", y, *TWO, where=SAID),
    claim(x, "<", y, *TWO, where=SAID), claim(x, ">=", y, *TWO, where=SAID),
])  # fmt: skip
def test_only_what_the_domain_says_is_given(statement: Statement) -> None:
    check(claim(x, "<=", y, *TWO, where=SAID), {"kind": "given"})
    with pytest.raises(Rejected):
        check(statement, {"kind": "given"})


def test_an_equation_needs_both_of_its_inequalities() -> None:
    above = {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [[["where", 0], 1]]}]}
    statement = claim(x, "=", y, *TWO, where=SAID)
    for other in (above, {"kind": "given"}, IDENTITY):
        with pytest.raises(Rejected):
            check(statement, {"kind": "both", "<=": above, ">=": other})


ABOVE_LOW: Certificate = {
    "kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [[["low", tree(x)], 1]]}],
}  # fmt: skip
TOTAL = sp.Sum(x, (sp.Symbol("i"), 1, n))
OTHERS: dict[str, tuple[Statement, tuple[Any, ...], Certificate]] = {
    "boxes": (claim(0, "<=", 1 + x, UNIT), ("=",), {"kind": "boxes", "points": [], "tree": ["ball"]}),
    "valley": (
        claim(0, "<=", x, UNIT), ("=",),
        {"kind": "valley", "variable": "x", "anchor": tree(0), "shape": "rising", "base": IDENTITY,
         "slope": {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": []}]}},
    ),
    "both": (claim(x, "<=", x, UNIT), ("<",), {"kind": "both", "<=": IDENTITY, ">=": IDENTITY}),
    "termwise": (
        claim(0, "<=", TOTAL, UNIT, integers("n", 1)), ("=", "<"),
        {"kind": "termwise", "sum": tree(TOTAL), "index": "i", "proof": ABOVE_LOW},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", OTHERS)
def test_a_kind_proves_no_more_than_its_relations(kind: str) -> None:
    statement, others, certificate = OTHERS[kind]
    check(statement, certificate)
    for relation in others:
        with pytest.raises(Rejected, match="this kind"):
            check(Statement(statement.left, relation, statement.right, statement.domain), certificate)


# --- forged chains ----------------------------------------------------------------------------------


def steps(*proofs: Certificate, uses: tuple[Any, ...] = ()) -> list[Any]:
    return [{"uses": list(uses), "proof": proof} for proof in proofs]


def chain(nodes: tuple[Any, ...], found: list[Any]) -> Certificate:
    return {"kind": "chain", "nodes": [tree(node) for node in nodes], "steps": found}


GIVEN: Certificate = {"kind": "given"}
CHAINS: dict[str, tuple[Statement, Certificate]] = {
    "another first node": (claim(2, "<=", 1), chain((1, 1), steps(IDENTITY))),
    "another last node": (claim(2, "<=", 1), chain((2, 2), steps(IDENTITY))),
    "no step": (claim(2, "<=", 1), chain((2,), [])),
    "a step left out": (claim(2, "<=", 1), chain((2, 1), [])),
    "a step too many": (claim(1, "<=", 1), chain((1, 1), steps(IDENTITY, IDENTITY))),
    "strictly, from equality": (
        Statement(tree(x), "<", tree(x), {"parameters": [UNIT], "where": []}), chain((x, x), steps(IDENTITY))
    ),
    "an equation from an inequality": (claim(x, "=", y, *TWO, where=SAID), chain((x, y), steps(GIVEN))),
    "downwards instead of upwards": (claim(x, ">=", y, *TWO, where=SAID), chain((x, y), steps(GIVEN))),
    "the ends exchanged": (claim(x, ">=", y, *TWO, where=SAID), chain((y, x), steps(GIVEN))),
    "what nobody knows": (
        claim(x, "<=", 0, UNIT), chain((x, 0), steps(GIVEN, uses=({"cites": "own.nothing", "conditions": []},)))
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHAINS)
def test_a_forged_chain_is_rejected(name: str) -> None:
    statement, certificate = CHAINS[name]
    with pytest.raises(Rejected):
        check(statement, certificate)


KNOWN: Known = {
    "own.small": claim(y, "<=", 1, reals("y", 0, 1)),
    "own.positive": claim(0, "<", y, reals("y", 0, 1, (True, False))),
    "own.number": claim(y, "<=", 1, integers("y", 0, 1)),
    "own.ordered": claim(y, "<=", n, reals("y"), reals("n"), where=(("<=", y, n),)),
}


def cited(label: str, conditions: list[Any], **values: Any) -> dict[str, Any]:
    return {"cites": f"own.{label}", "map": {name: tree(value) for name, value in values.items()},
            "conditions": conditions}  # fmt: skip


LOWER = {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": []}]}
"""Of 0 ≤ 1."""
LOW, HIGH = ({"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [[[end, ["v", "x"]], 1]]}]}
             for end in ("low", "high"))  # fmt: skip


def test_an_instance_whose_conditions_are_shown_is_a_step() -> None:
    use = cited("small", [LOW, HIGH], y=x)
    check(claim(x, "<=", 1, UNIT), chain((x, 1), steps(GIVEN, uses=(use,))), KNOWN)


INSTANCES: dict[str, tuple[Statement, Any]] = {
    "conditions that nobody shows": (claim(x, "<=", 1, reals("x", 0, 2)), cited("small", [LOW, HIGH], y=x)),
    "one condition": (claim(x, "<=", 1, UNIT), cited("small", [LOW], y=x)),
    "no condition": (claim(x, "<=", 1, reals("x", 0, 2)), cited("small", [], y=x)),
    "a condition too many": (claim(x, "<=", 1, UNIT), cited("small", [LOW, HIGH, LOW], y=x)),
    "a parameter that it does not have": (claim(x, "<=", 1, UNIT), cited("small", [LOW, HIGH], y=x, z=x)),
    "no integer": (claim(x, "<=", 1, UNIT), cited("number", [LOW, HIGH], y=x)),
    "an open end": (claim(0, "<=", x, UNIT), cited("positive", [LOW, HIGH], y=x)),
    "a relation that does not hold": (claim(x, "<=", 0, UNIT), cited("ordered", [IDENTITY], y=x, n=0)),
    "a relation left out": (claim(x, "<=", 0, UNIT), cited("ordered", [], y=x, n=0)),
    "no value": (claim(1 / x, "<=", 1, UNIT), cited("small", [LOW, HIGH], y=1 / x)),
}  # fmt: skip


@pytest.mark.parametrize("name", INSTANCES)
def test_a_forged_instance_is_rejected(name: str) -> None:
    statement, use = INSTANCES[name]
    nodes = (statement.left, statement.right)
    with pytest.raises(Rejected):
        check(statement, {"kind": "chain", "nodes": list(nodes), "steps": steps(GIVEN, uses=(use,))}, KNOWN)


def test_a_strict_statement_over_no_index_is_not_strict() -> None:
    """0 < 1 for each i from 1 to n sums to 0 ≤ n; not to 0 < n, as n may be 0."""
    known = {"own.one": claim(0, "<", 1)}
    use = {"cites": "own.one", "conditions": [LOWER], "over": {
        "index": "i", "low": tree(1), "high": tree(n), "weight": tree(1)}}  # fmt: skip
    ones = sp.Sum(1, (sp.Symbol("i"), 1, n))
    statement = claim(sp.Sum(0, (sp.Symbol("i"), 1, n)), "<=", ones, integers("n", 0))
    nodes = [statement.left, statement.right]
    check(statement, {"kind": "chain", "nodes": nodes, "steps": steps(GIVEN, uses=(use,))}, known)
    conditions, given = instance(statement.domain, use, known)
    assert len(conditions) == 1
    check(Statement(statement.left, "<=", statement.right, given), GIVEN)
    with pytest.raises(Rejected):
        check(Statement(statement.left, "<", statement.right, given), GIVEN)


def test_the_index_of_a_slope_is_fresh() -> None:
    slope = {"cites": "own.small", "map": {}, "along": {
        "index": "x", "low": tree(0), "high": tree(1), "function": tree(x)}}  # fmt: skip
    with pytest.raises(Rejected, match="fresh"):
        instance({"parameters": [UNIT], "where": []}, slope, KNOWN)


BROUGHT = {"kind": "instance", "lemma": {"statement": KNOWN["own.small"].to_json(), "certificate": {
    "kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [[["high", ["v", "y"]], 1]]}]}},
    "map": {"y": tree(x)}, "conditions": [LOW, HIGH]}  # fmt: skip


def test_a_lemma_that_is_brought_along_says_what_it_says() -> None:
    check(claim(x, "<=", 1, UNIT), BROUGHT)
    for statement in (claim(x, "<=", 0, UNIT), claim(x, "<", 1, UNIT), claim(x, "=", 1, UNIT)):
        with pytest.raises(Rejected, match="no relation"):
            check(statement, BROUGHT)


def test_a_certificate_brings_no_measured_lemma_along() -> None:
    measured = {**UNIT, "name": "m", "measured": True}
    lemma = Statement(tree(sp.Symbol("m")), "<=", tree(sp.Symbol("m")), {"parameters": [measured], "where": []})
    use = {"kind": "instance", "lemma": {"statement": lemma.to_json(), "certificate": IDENTITY}, "map": {},
           "conditions": []}  # fmt: skip
    with pytest.raises(Rejected, match="nothing measured"):
        check(lemma, use)


def test_what_is_measured_is_declared_in_one_way() -> None:
    known = {
        f"own.{high}": claim(0, "<=", sp.Symbol("m"), {**reals("m", 0, high), "measured": True}) for high in (1, 2)
    }
    uses = tuple({"cites": label, "conditions": []} for label in known)
    with pytest.raises(Rejected, match="in two ways"):
        check(claim(0, "<=", 1), chain((0, 1), steps(GIVEN, uses=uses)), known)


# --- forged declarations ----------------------------------------------------------------------------


def brought(lemma: Statement, proof: Certificate, conditions: list[Any], **values: Any) -> Certificate:
    """An instance of a lemma that is brought along."""
    return {"kind": "instance", "lemma": {"statement": lemma.to_json(), "certificate": proof},
            "map": {name: tree(value) for name, value in values.items()}, "conditions": conditions}  # fmt: skip


def adding(*labels: list[Any]) -> Certificate:
    return {"kind": "psatz", "terms": [{"weight": [1, 1], "factors": [[label, 1]]} for label in labels]}


OPEN = {**integers("n", 0, 1), "open": [True, False]}
"""An integer above 0, from which rules that step to the next one would pass by 1."""
STEPPED: dict[str, Certificate] = {
    "induction": {"kind": "induction", "variable": "n", "start": tree(0), "bases": [IDENTITY],
                  "step": adding(["low", ["v", "n"]], ["where", 0])},
    "end": {"kind": "cases", "split": ["end", "n", "low"],
            "proofs": [IDENTITY, adding(["low", ["v", "n"]], ["high", ["v", "n"]])]},
}  # fmt: skip


@pytest.mark.parametrize("rule", STEPPED)
def test_an_integer_has_no_open_end(rule: str) -> None:
    """N ≤ 0 would hold for the integers with 0 < n ≤ 1, and 1 ≤ 0 would follow."""
    forged = brought(claim(n, "<=", 0, OPEN), STEPPED[rule], [LOWER, IDENTITY], n=1)
    with pytest.raises(Rejected, match="nothing but"):
        check(claim(1, "<=", 0), forged)


def test_a_choice_is_a_number() -> None:
    """X among the choices {n}, by which x = n, would say y = 5 with y in place of n among the words and 5 for n."""
    lemma = claim(x, "=", n, reals("n"), {"name": "x", "range": "choices", "values": [tree(n)]})
    proof = {"kind": "cases", "split": ["choices", "x"], "proofs": [IDENTITY]}
    with pytest.raises(Rejected, match="choices among numbers"):
        check(claim(n, "=", 5, reals("n")), brought(lemma, proof, [], n=5, x=n))


def test_the_choices_of_a_box_are_in_order() -> None:
    for constant in (sp.pi, sp.exp(1)):
        choices = {"name": "x", "range": "choices", "values": [tree(1), tree(constant), tree(4)]}
        with pytest.raises(Rejected):
            check(claim(x, ">=", 2, choices), {"kind": "boxes", "points": [], "tree": ["ball"]})


def test_more_is_not_shown_by_at_most() -> None:
    """Of all x > 1 x ≥ 1 holds; for 0 a chain from 0 up to 1 would do."""
    lemma = claim(x, ">=", 1, reals("x"), where=((">", x, 1),))
    proof = {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [[["where", 0], 1]]}]}
    upwards = chain((0, 1), steps(LOWER))
    for condition in (upwards, LOWER):
        with pytest.raises(Rejected):
            check(claim(0, ">=", 1), brought(lemma, proof, [condition], x=0))
    check(claim(2, ">=", 1), brought(lemma, proof, [LOWER], x=2))


@pytest.mark.parametrize("relation", [">", "<", "!="])
def test_a_chain_shows_weak_relations(relation: Any) -> None:
    with pytest.raises(Rejected, match=r"does not lead|one of"):
        check(Statement(tree(0), relation, tree(1), {"parameters": [], "where": []}), chain((0, 1), steps(LOWER)))


# --- forged names -----------------------------------------------------------------------------------


def of_all(low: int, high: int, relation: str, left: Any, right: Any) -> list[Any]:
    """A relation for all indices, in which the index is ``("b", 0)``."""
    return ["all", tree(low), tree(high), [relation, left, right]]


CAUGHT = ("v", "index of 0")
"""What the checker calls the index of the first relation of what is cited."""


def caught(low: int, high: int, end: str) -> Certificate:
    """Of all y on one side of 5 and 6, or of 1 and 2, so is what is called like the index, which runs there."""
    side = (tree(low), "<=", tree(y)) if end == "low" else (tree(y), "<=", tree(high))
    said = of_all(low, high, side[1], side[0], side[2])
    lemma = Statement(*side, {"parameters": [reals("y")], "where": [said]})
    above, there = (
        {"kind": "psatz", "terms": [NEGATION, {"weight": [1, 1], "factors": [[label, 1]]}]}
        for label in (["each", 0, tree(low)], [end, CAUGHT])
    )
    use = brought(lemma, above, [there])
    return {**use, "map": {"y": CAUGHT}}


def test_no_node_is_called_like_an_index_that_the_checker_makes() -> None:
    """5 ≤ u for the index u from 5 to 6, and u ≤ 2 for that from 1 to 2."""
    nodes = [tree(5), CAUGHT, tree(2)]
    forged = {"kind": "chain", "nodes": nodes, "steps": steps(caught(5, 6, "low"), caught(1, 2, "high"))}
    with pytest.raises(Rejected, match="what is declared"):
        check(claim(5, "<=", 2), forged)


def test_no_value_is_called_like_an_index_that_the_checker_makes() -> None:
    """No y is 1 and 2; and (u - u)² ≤ 0 for the index u."""
    gap = ("^", ("+", ("b", 0), ("*", tree(-1), tree(y))), tree(2))
    lemma = Statement(tree(1), "<=", tree(0), {"parameters": [reals("y")], "where": [of_all(1, 2, "<=", gap, tree(0))]})
    each = [{"weight": [2, 1], "factors": [[["each", 0, tree(k)], 1]]} for k in (1, 2)]
    proof = {"kind": "psatz", "terms": [NEGATION, *each, {"weight": [1, 1], "factors": [], "square": tree(2 * y - 3)}]}
    check(lemma, proof)
    forged = {**brought(lemma, proof, [IDENTITY]), "map": {"y": CAUGHT}}
    with pytest.raises(Rejected, match="what is declared"):
        check(claim(1, "<=", 0), forged)


def test_no_inner_sum_has_the_index_of_an_outer_one() -> None:
    """An end that holds products, in place of an index, makes the sums of the body deeper than they are written.

    Σᵢ Σⱼ₌ₗᵢ..ₗᵢ Σₖ Σₘ k j is n Σᵢ lᵢ Σₖ k, 72 for n = 2; with k in place of i it would be n² Σₖ k lₖ, 48.
    """
    i, j, k, c, d = sp.symbols("i j k c d")
    end = sp.Product(i - c - d, (d, 1, n), (c, 1, n))
    whole = sp.Sum(sp.Sum(k * j, (d, 1, n), (k, 1, n), (j, end, end)), (i, 1, n))
    caught = n**2 * sp.Sum(k * end.subs(i, k), (k, 1, n))
    lemma = claim(whole, "<=", caught, integers("n", 1))
    left, right = (substitute(side, {"n": tree(2)}) for side in (lemma.left, lemma.right))
    at_two = Statement(left, "<=", right, {"parameters": [], "where": []})
    shown = {"statement": at_two.to_json(), "certificate": brought(lemma, IDENTITY, [LOWER], n=2)}
    terms = [{"weight": [24, 1], "factors": [["n", 1]]}, *adding(["where", 0])["terms"]]
    with pytest.raises(Rejected, match="not 0"):
        check(FALSE, {"kind": "psatz", "terms": terms, "lemmas": [shown]})


VECTOR = {"name": "w", "range": "vector", "low": tree(0), "high": None, "open": [False, False],
          "length": tree(n), "square_sum": None}  # fmt: skip
TABLE = {"name": "A", "range": "matrix", "low": None, "high": None, "open": [False, False], "rows": tree(n),
         "columns": tree(n), "square_sum": None}  # fmt: skip
SETS = {"name": "S", "range": "subsets", "count": tree(1), "size": tree(1), "of": tree(n)}
ILL_FORMED: dict[str, tuple[list[Any], list[Any], Any]] = {
    "nothing declared": ([], [], ("v", "x")),
    "two of one name": ([UNIT, reals("x")], [], ("v", "x")),
    "a set and a number of one name": ([integers("n", 1), {**SETS, "name": "x"}, UNIT], [], ("v", "x")),
    "a vector and a number of one name": ([integers("n", 1), {**VECTOR, "name": "x"}, UNIT], [], ("v", "x")),
    "a name of normal forms": ([{**UNIT, "name": "#1:0"}], [], ("v", "#1:0")),
    "no name": ([{**UNIT, "name": ""}], [], tree(0)),
    "no range": ([{**UNIT, "range": "numbers"}], [], ("v", "x")),
    "a field too many": ([{**UNIT, "step": tree(1)}], [], ("v", "x")),
    "a field too few": ([{key: value for key, value in UNIT.items() if key != "open"}], [], ("v", "x")),
    "an end that speaks of what comes after": ([{**UNIT, "high": tree(y)}, reals("y")], [], ("v", "x")),
    "an end that speaks of itself": ([{**UNIT, "high": tree(x)}], [], ("v", "x")),
    "an integer with an open end": ([{**integers("n", 0), "open": [True, False]}], [], ("v", "n")),
    "half an open end": ([{**UNIT, "open": [True]}], [], ("v", "x")),
    "an end that may be open": ([{**UNIT, "open": [1, 0]}], [], ("v", "x")),
    "no choice": ([{"name": "x", "range": "choices", "values": []}], [], ("v", "x")),
    "a choice that is none": ([{"name": "x", "range": "choices", "values": [tree(sp.pi)]}], [], ("v", "x")),
    "a length of nothing": ([integers("n", 1), {**VECTOR, "length": None}], [], ("v", "n")),
    "a measured choice": (
        [{"name": "x", "range": "choices", "values": [tree(1)], "measured": True}], [], ("v", "x")
    ),
    "measured of no name": ([{**UNIT, "measured": [1]}], [], ("v", "x")),
    "measured of one name": ([{**UNIT, "measured": "n"}], [], ("v", "x")),
    "measured of nothing, as if it were not measured": ([{**UNIT, "measured": []}], [], ("v", "x")),
    "perhaps measured": ([{**UNIT, "measured": 1}], [], ("v", "x")),
    "a relation that there is not": ([UNIT], [["!=", tree(x), tree(0)]], ("v", "x")),
    "an equation": ([UNIT], [["=", tree(x), tree(0)]], ("v", "x")),
    "a relation with three sides": ([UNIT], [["<=", tree(0), tree(x), tree(1)]], ("v", "x")),
    "a relation of nothing declared": ([UNIT], [["<=", tree(x), tree(y)]], ("v", "x")),
    "a relation of an index outside": ([UNIT], [["<=", ("b", 0), tree(x)]], ("v", "x")),
    "alternatives that are none": ([UNIT], [["or", [["all", tree(1), tree(2), ["=", tree(x), tree(0)]]]]], ("v", "x")),
    "a vector as a number": ([integers("n", 1), VECTOR], [], ("v", "w")),
    "an entry of a number": ([UNIT], [], ("item", "x", tree(1))),
    "an entry of a vector by two indices": ([integers("n", 1), VECTOR], [], ("item", "w", tree(1), tree(1))),
    "an entry of a matrix by one index": ([integers("n", 1), TABLE], [], ("item", "A", tree(1))),
    "a set as a number": ([integers("n", 1), SETS], [], ("v", "S")),
    "an index outside of its sum": ([UNIT], [], ("b", 0)),
    "a truth value": ([UNIT], [], ("q", True, 1)),
    "a float": ([UNIT], [], ("q", 1.0, 1)),
    "a function that there is not": ([UNIT], [], ("sinh", tree(x))),
    "a list": ([UNIT], [], ["v", "x"]),
}  # fmt: skip


@pytest.mark.parametrize("name", ILL_FORMED)
def test_what_is_not_well_formed_is_no_statement_from_wherever(name: str) -> None:
    """What is said word for word would be given, of whatever it is said."""
    parameters, where, side = ILL_FORMED[name]
    statement = Statement(side, "<=", tree(1), {"parameters": parameters, "where": [*where, ["<=", side, tree(1)]]})
    lemma = {"statement": statement.to_json(), "certificate": GIVEN}
    forged = {**brought(claim(0, "<=", 1), LOWER, []), "lemma": lemma}
    for said, proof in (
        (statement, GIVEN),
        (claim(0, "<=", 1), forged),
        (claim(0, "<=", 1), {**LOWER, "lemmas": [lemma]}),
    ):
        with pytest.raises(Rejected):
            check(said, proof)
    known = {"own.odd": statement}
    with pytest.raises((ValueError, LookupError, TypeError)):
        instance({"parameters": [], "where": []}, {"cites": "own.odd"}, known)
