"""The checker rejects every kind of corrupted certificate, and says why."""

import contextlib
import copy
import functools
import json
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sympy as sp

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.eleven import eleven
from boundaudit.checks.proof.engine import Lemma
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.domains import fixed, implies
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.transformations import case_statements
from boundaudit.checks.proof.portfolio import prove

from .stated import claim, reals, tree

n, x, y, i = sp.symbols("n x y i")
c = sp.IndexedBase("c")


SIZE = {"name": "n", "range": "integers", "low": tree(1), "high": None}
ENTRIES = {"name": "c", "range": "vector", "length": tree(n), "low": tree(0), "high": tree(1)}
VECTOR = {**ENTRIES, "open": [False, False], "square_sum": tree(1)}
CHOICE = {"name": "y", "range": "choices", "values": [tree(1), tree(2)]}


PRODUCT = claim(x * y, "<=", 1, reals("x", 0, 1), reals("y", 0, 1))
PRODUCT_PROOF: Certificate = {
    "kind": "psatz",
    "terms": [
        {"weight": [1, 1], "factors": [["n", 1]]},
        {"weight": [1, 1], "factors": [[["high", ["v", "x"]], 1]]},
        {"weight": [1, 1], "factors": [[["low", ["v", "x"]], 1], [["high", ["v", "y"]], 1]]},
    ],
}
SQUARES = claim(sp.Sum(i, (i, 1, n)), "=", n * (n + 1) / 2, SIZE)
SQUARES_PROOF: Certificate = {
    "kind": "telescope", "sum": tree(sp.Sum(i, (i, 1, n))), "index": "i", "antidifference": tree(i * (i + 1) / 2),
    "proof": {"kind": "identity"},
}  # fmt: skip
TERMS = claim(sp.Sum(c[i] ** 2, (i, 1, n)), "<=", n, SIZE, VECTOR)
CASES = claim(sp.Abs(x), "<=", 1, reals("x", -1, 1))
VALUES = claim(y**2, "<=", 4, CHOICE)
VALUES_PROOF: Certificate = {
    "kind": "cases",
    "split": ["choices", "y"],
    "proofs": [  # 1 ≤ 4 and 4 ≤ 4
        {"kind": "psatz", "terms": [{"weight": [1, 3], "factors": [["n", 1]]}, {"weight": [1, 1], "factors": []}]},
        {"kind": "identity"},
    ],
}
LEMMA = claim(x, "<=", 1, reals("x", 0, 1))
LEMMA_PROOF: Certificate = {
    "kind": "psatz",
    "terms": [{"weight": [1, 1], "factors": [["n", 1]]}, {"weight": [1, 1], "factors": [[["high", ["v", "x"]], 1]]}],
}
USE = claim(x**2, "<=", 1, reals("x", 0, 1))
USE_PROOF: Certificate = {
    "kind": "psatz",
    "lemmas": [{"statement": LEMMA.to_json(), "certificate": LEMMA_PROOF}],
    "terms": [
        {"weight": [1, 1], "factors": [["n", 1]]},
        {"weight": [1, 1], "factors": [[["where", 0], 1], [["low", ["v", "x"]], 1]]},
        {"weight": [1, 1], "factors": [[["where", 0], 1]]},
    ],
}


def found(statement: Statement, *engines: str, **options: Any) -> Certificate:
    attempt = prove(statement, engines=engines or None, **options)
    assert attempt.certificate is not None, attempt.notes
    certificate: Certificate = json.loads(json.dumps(attempt.certificate))
    return certificate


IDENTITY: Certificate = {"kind": "identity"}


def _by_engine(name: str, start: str) -> tuple[Statement, Certificate]:
    entry = next(entry for entry in eleven() if entry.name.startswith(start))
    return entry.statement, found(entry.statement, name, touch_points=entry.touch_points)


BOXES = _by_engine("boxes", "x**2 + x - exp(x)")
SLOPE = {
    "kind": "psatz",
    "terms": [{"weight": [1, 1], "factors": [[f, 1]]} for f in ("n", ["sign", tree(sp.exp(x) - 1)])],
}
VALLEY = (
    claim(1 + x, "<=", sp.exp(x), reals("x", 0, 5)),
    {"kind": "valley", "variable": "x", "anchor": tree(0), "shape": "rising", "base": IDENTITY, "slope": SLOPE},
)

VALID = {
    "psatz": (PRODUCT, PRODUCT_PROOF), "telescope": (SQUARES, SQUARES_PROOF),
    "termwise": (TERMS, found(TERMS, "termwise")), "cases on a sign": (CASES, found(CASES, "cases")),
    "cases on choices": (VALUES, VALUES_PROOF), "lemma": (USE, USE_PROOF), "boxes": BOXES, "valley": VALLEY,
}  # fmt: skip


@pytest.mark.parametrize("name", VALID)
def test_valid_certificate_is_accepted(name: str) -> None:
    statement, certificate = VALID[name]
    check(statement, certificate)
    check(Statement.from_json(json.loads(json.dumps(statement.to_json()))), json.loads(json.dumps(certificate)))


def test_a_lemma_may_stand_on_those_before_it() -> None:
    """From x ≤ y come x² ≤ xy and, with it, xy ≤ 2x; the other way round the second would be without ground."""
    domain = {"parameters": [reals("x", 0), reals("y", 0, 2)], "where": [["<=", tree(x), tree(y)]]}
    first = Statement(tree(x**2), "<=", tree(x * y), domain)
    second = Statement(
        tree(x * y), "<=", tree(2 * x), {**domain, "where": [*domain["where"], ["<=", tree(x**2), tree(x * y)]]}
    )
    lemmas = [{"statement": lemma.to_json(), "certificate": found(lemma)} for lemma in (first, second)]
    goal = Statement(tree(x**2), "<=", tree(2 * x), domain)
    sums = [{"weight": [1, 1], "factors": [[factor, 1]]} for factor in ("n", ["where", 1], ["where", 2])]
    proof = {"kind": "psatz", "terms": sums, "lemmas": lemmas}
    check(goal, proof)
    with pytest.raises(Rejected, match="another domain"):
        check(goal, {**proof, "lemmas": lemmas[::-1]})


def put(*path_and_value: Any) -> Callable[[Any], None]:
    *path, last, value = path_and_value

    def change(certificate: Any) -> None:
        for key in path:
            certificate = certificate[key]
        certificate[last] = value

    return change


def _drop_box(certificate: Any) -> None:
    node = certificate["tree"]
    while node[2][0] == "split":
        node = node[2]
    node.pop()


CORRUPTED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "changed weight": ("psatz", put("terms", 1, "weight", [2, 1])),
    "negative weight": ("psatz", put("terms", 1, "weight", [-1, 1])),
    "weight with a negative denominator": ("psatz", put("terms", 1, "weight", [-1, -1])),
    "weight that is a float": ("psatz", put("terms", 1, "weight", [0.5, 0.5])),
    "dropped term": ("psatz", lambda found: found["terms"].pop()), "no terms": ("psatz", put("terms", [])),
    "no strictly positive term": ("psatz", put("terms", [{"weight": [1, 1], "factors": [], "square": tree(0)}])),
    "wrong hypothesis": ("psatz", put("terms", 1, "factors", 0, 0, ["high", ["v", "y"]])),
    "unknown hypothesis": ("psatz", put("terms", 1, "factors", 0, 0, ["trust", ["v", "x"]])),
    "relation the domain lacks": ("psatz", put("terms", 1, "factors", 0, 0, ["where", 0])),
    "relation with a negative position": ("lemma", put("terms", 1, "factors", 0, 0, ["where", -1])),
    "sign that is not known": ("psatz", put("terms", 1, "factors", 0, 0, ["sign", tree(sp.Rational(1, 2) - x)])),
    "exponent zero": ("psatz", put("terms", 1, "factors", 0, 1, 0)),
    "negative exponent": ("psatz", put("terms", 1, "factors", 0, 1, -1)),
    "unknown kind": ("psatz", put("kind", "believe")), "no kind": ("psatz", lambda found: found.pop("kind")),
    "terms that are text": ("psatz", put("terms", "x")),
    "square outside the whitelist": ("psatz", put("terms", 1, "square", ["eval", "0"])),
    "identity that is none": ("psatz", put("kind", "identity")),
    "wrong antidifference": ("telescope", put("antidifference", tree(i * (i - 1) / 2))),
    "antidifference that does not start at 0": ("telescope", put("antidifference", tree(i * (i + 1) / 2 + 1))),
    "another sum": ("telescope", put("sum", tree(sp.Sum(2 * i, (i, 1, n))))),
    "sum whose terms are another goal": ("termwise", put("sum", tree(sp.Sum(2 - c[i] ** 2, (i, 1, n))))),
    "sum beyond the vector": ("termwise", put("sum", 2, tree(n + 1))),
    "forgotten case": ("cases on choices", lambda found: found["proofs"].pop()),
    "cases in the wrong order": ("cases on choices", lambda found: found["proofs"].reverse()),
    "split by something else": ("cases on choices", put("split", ["choices", "x"])),
    "split on an undefined sign": ("cases on a sign", put("split", ["sign", tree(sp.log(x))])),
    "forged lemma": ("lemma", put("lemmas", 0, "statement", "right", tree(sp.Rational(1, 2)))),
    "lemma on another domain": ("lemma", put("lemmas", 0, "statement", "domain", "parameters", 0, "high", tree(2))),
    "lemma with an extra hypothesis": (
        "lemma", put("lemmas", 0, "statement", "domain", "where", [["<=", tree(x), tree(sp.Rational(1, 2))]]),
    ),
    "missing lemma": ("lemma", lambda found: found.pop("lemmas")), "wrong anchor": ("valley", put("anchor", tree(1))),
    "missing box": ("boxes", _drop_box), "cover by one box": ("boxes", put("tree", ["ball"])),
    "leaf of an unknown kind": ("boxes", put("tree", ["trust"])),
    "touch point that is none": ("boxes", put("points", [{"x": tree(sp.Rational(1, 2))}])),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRUPTED)
def test_corrupted_certificate_is_rejected(name: str) -> None:
    kind, corrupt = CORRUPTED[name]
    statement, certificate = VALID[kind]
    forged = json.loads(json.dumps(certificate))
    corrupt(forged)
    assert forged != json.loads(json.dumps(certificate))
    with pytest.raises(Rejected):
        check(statement, forged)


@pytest.mark.parametrize("kind", VALID)
def test_certificate_of_another_statement_is_rejected(kind: str) -> None:
    statement, certificate = VALID[kind]
    if statement.relation == "=":
        other = Statement(statement.left, "=", ("+", statement.right, ("q", 1, 1)), statement.domain)
    else:
        other = Statement(("q", 10, 1), "<=", ("q", 9, 1), statement.domain)
    with pytest.raises(Rejected):
        check(other, certificate)


@pytest.mark.parametrize("kind", ["psatz", "termwise", "cases on a sign", "lemma", "boxes", "valley"])
def test_weakened_domain_is_rejected(kind: str) -> None:
    statement, certificate = VALID[kind]
    domain = copy.deepcopy(statement.domain)
    declared = domain["parameters"][-1 if kind == "termwise" else 0]
    declared["low"], declared["high"] = tree(-20), tree(20)
    with pytest.raises(Rejected):
        check(Statement(statement.left, statement.relation, statement.right, domain), certificate)


@pytest.mark.parametrize("parameter", [
    {"name": "#1", "range": "reals", "low": None, "high": None, "open": [False, False]},
    {"name": "x", "range": "anything", "low": None, "high": None},
    {"name": "x", "range": "reals", "low": ["v", "later"], "high": None, "open": [False, False]}, {"range": "reals"},
])  # fmt: skip
def test_malformed_domain_is_rejected(parameter: dict[str, Any]) -> None:
    with pytest.raises(Rejected):
        check(Statement(tree(0), "<=", tree(0), {"parameters": [parameter], "where": []}), {"kind": "identity"})


def test_index_with_the_name_of_a_parameter_is_rejected() -> None:
    """In a sum over n up to n the index is not the parameter: neither sum rule may confuse the two."""
    hidden = Statement(tree(sp.Sum(1, (n, 1, n))), ">=", tree(0), {"parameters": [SIZE], "where": []})
    certificate = {"kind": "termwise", "sum": hidden.left, "index": "n", "proof": {"kind": "psatz", "terms": []}}
    with pytest.raises(Rejected, match="fresh"):
        check(hidden, certificate)


def test_equation_is_not_proved_by_one_side() -> None:
    with pytest.raises(Rejected, match="not equations"):
        check(Statement(PRODUCT.left, "=", PRODUCT.right, PRODUCT.domain), PRODUCT_PROOF)


def test_lemmas_must_speak_of_the_same_parameters() -> None:
    assert implies(USE.domain, LEMMA.domain)
    assert not implies(LEMMA.domain, PRODUCT.domain)
    assert prove(PRODUCT, lemmas=[Lemma(LEMMA, LEMMA_PROOF)]).outcome == "proved"


def test_fixing_a_choice_replaces_it_everywhere() -> None:
    twice = claim(x, "<=", y, reals("x", 0, y), CHOICE, where=(("<=", x, y),))
    put_in = fixed(twice, "y", tree(2))
    assert "y" not in json.dumps(put_in.to_json())


@pytest.mark.parametrize(("label", "reason"), [
    (["sign", tree(x - y)], "do not show"), (["log", ["low", ["v", "x"]]], "not known to be positive"),
    (["tangent", tree(x - 1)], "not known to be positive"), (["square_sum", "x"], "no parameter"),
    (["cauchy", "y"], "no parameter"),
    (["low", tree(x + 1)], "neither a parameter nor an entry"), (["low", ["item", "c", tree(n)]], "no parameter"),
    (["where", True], "no relation"), ("n", "unknown hypothesis"),
])  # fmt: skip
def test_hypothesis_that_does_not_hold_is_not_derived(label: Any, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
        Hypotheses(PRODUCT.domain).derive(label)


# --- damage -----------------------------------------------------------------------------------------

DAMAGE: dict[str, Callable[[Any], Any]] = {
    "a million more": lambda leaf: leaf + 10**6 if isinstance(leaf, int) else f"{leaf}{leaf}",
    "a large power of ten": lambda leaf: leaf * 10**4000 if isinstance(leaf, int) else "",
    "negative": lambda leaf: -leaf - 1 if isinstance(leaf, int) else None, "nothing": lambda leaf: None,
    "a list": lambda leaf: [[leaf]], "a float": lambda leaf: math.inf, "an object": lambda leaf: {"kind": leaf},
}  # fmt: skip


def _leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, (dict, list)):
        for key, part in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _leaves(part, (*path, key))
    else:
        yield path


@pytest.mark.parametrize("how", DAMAGE)
@pytest.mark.parametrize("kind", VALID)
def test_damage_is_rejected_or_harmless_at_a_bounded_cost(kind: str, how: str) -> None:
    """No leaf of a certificate, whatever stands there, crashes the checker or keeps it busy."""
    statement, certificate = VALID[kind]
    plain = json.loads(json.dumps(certificate))
    for path in list(_leaves(plain))[:40]:
        damaged = copy.deepcopy(plain)
        leaf = functools.reduce(operator.getitem, path, damaged)
        put(*path, DAMAGE[how](leaf))(damaged)
        with effort(100_000), contextlib.suppress(Rejected):
            check(statement, damaged)


@pytest.mark.parametrize("side", ["low", "high"])
def test_an_end_between_integers_is_no_case_of_an_integer(side: str) -> None:
    """From 1/2 on, 1 is the next integer, not 3/2."""
    half, inside = tree(sp.Rational(1, 2)), {"low": tree(0), "high": tree(3)}
    for end, known in ((half, False), (tree(1), True)):
        spread = {"name": "n", "range": "integers", **inside, side: end}
        statement = Statement(tree(0), "<=", tree(n), {"parameters": [spread], "where": []})
        with contextlib.nullcontext() if known else pytest.raises(Rejected, match="integer"):
            assert len(case_statements(statement, ["end", "n", side])) == 2
