"""What the checker accepts of statements that were proved elsewhere: instances of them, and chains of steps.

A cited statement holds for every value of its parameters. An *instance* puts expressions in place of them; that each
lies where the parameter ranges is shown anew, as *conditions*, unless both are declared in the same words. Summed over
an index with weights of at least 0, it holds of sums; said of a slope all along a parameter, of the function's rise by
the mean value theorem. What is measured is a function of the point, or of what its declaration names: that stays put.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boundaudit.checks.language.algebra.derivatives import derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    canonical_json,
    entry,
    from_json,
    is_closed,
    multiply,
    square,
    substitute,
    subtract,
    summation,
)
from boundaudit.checks.language.statement import Relation, Statement, put_in, shapes_of, trees_of
from boundaudit.checks.proof.kernel import domains
from boundaudit.checks.proof.kernel.defined import demands
from boundaudit.checks.proof.kernel.domains import Domain

Known = Mapping[str, Statement]
"""Statements that stand, by label: proved ones, and axioms."""


def step_statements(statement: Statement, nodes: Sequence[Tree], domain: Domain) -> list[Statement]:
    """The steps from one side to the other, upwards: what is left to prove of a chain."""
    ends = (statement.left, statement.right) if statement.relation != ">=" else (statement.right, statement.left)
    if len(nodes) < 2 or (nodes[0], nodes[-1]) != ends or statement.relation not in ("<=", ">=", "="):
        raise Rejected("the chain does not lead from one side to the other")
    relation: Relation = "=" if statement.relation == "=" else "<="
    return [Statement(a, relation, b, domain) for a, b in itertools.pairwise(nodes)]


def with_measured(domain: Domain, known: Known, labels: Sequence[str]) -> Domain:
    """The domain with what is measured in cited statements."""
    for found in itertools.chain(*(_measured(_cited(known, label)) for label in labels)):
        there = next((each for each in domain["parameters"] if each["name"] == found["name"]), None)
        if there is None:
            _require_room(domain, found)
            domain = domains.declare(domain, found)
        elif canonical_json(there) != canonical_json(found):
            raise Rejected(f"{found['name']} is declared in two ways")
    return domain


def _require_room(domain: Domain, joins: Mapping[str, Any]) -> None:
    """Reject what may cut the domain: the range of something measured elsewhere that may be empty here."""
    ends = trees_of(joins)
    room = "square_sum" not in ends
    if room and {"low", "high"} <= ends.keys():
        gap = NormalForm(domain).range_of(subtract(ends["high"], ends["low"]))
        room = gap.positive if any(joins.get("open", ())) else gap.nonnegative
    if not room:
        raise Rejected(f"the range of {joins['name']}, measured elsewhere, is not known to hold a number here")


def instance(domain: Domain, use: Mapping[str, Any], known: Known) -> tuple[list[Statement], Domain]:
    """What an instance of a cited statement asks for, and the domain with what it says among its relations."""
    cited = _cited(known, use["cites"])
    way = use.get("over") or use.get("along")
    inside = shapes_of(domain) | ({way["index"]: 0} if way else {})
    put = {name: from_json(tree, 1, inside) for name, tree in use.get("map", {}).items()}
    here, there = ({p["name"] for p in of["parameters"] if not p.get("measured")} for of in (domain, cited.domain))
    if unknown := set(put) - there:
        raise Rejected(f"{use['cites']} has no parameter {', '.join(sorted(unknown))}")
    moved = {*put, *([way["index"]] if way else [])}
    if any(moved | (here - there) if (of := each["measured"]) is True else moved & {*of} for each in _measured(cited)):
        raise Rejected("what is measured is a function of the point: its other parameters stay as they are")
    left, right = (substitute(side, put) for side in (cited.left, cited.right))
    if not way:
        said = Statement(left, cited.relation, right, {})
        return list(_conditions(domain, cited.domain, put)), domains.holding(domain, said)
    index, low, high = way["index"], from_json(way["low"]), from_json(way["high"])
    if use.get("over"):
        inner, weight = domains.with_index(domain, index, low, high), from_json(way["weight"])
        asked = Statement(ZERO, "<=", weight, inner)
        sides = [summation(index, low, high, s if weight == ONE else multiply(weight, s)) for s in (left, right)]
    else:
        domains.require_fresh(domain, index)
        ends, put[index] = {"low": low, "high": high, "open": [False, False]}, ("v", index)
        inner = domains.declare(domain, {"name": index, "range": "reals", **ends})
        asked, function = Statement(low, "<=", high, domain), from_json(way["function"])
        if not NormalForm(inner).vanishes(subtract(derivative(function, index), subtract(left, right))):
            raise Rejected("the difference of the sides is not the slope of the function")
        NormalForm(inner).ratio(function)  # it has a value at the ends, too
        sides = [substitute(function, {index: end}) for end in (high, low)]
    relation: Relation = "<=" if cited.relation == "<" else cited.relation
    given = domains.assume(domain, *((sign, *sides) for sign in domains.signs(relation)))
    return [*_conditions(inner, cited.domain, put), asked], given


def lemma_of(use: Mapping[str, Any]) -> Statement:
    """The statement that a certificate brings along with its proof: about parameters alone."""
    lemma = Statement.from_json(use["lemma"]["statement"])
    if _measured(lemma):
        raise Rejected("a lemma that a certificate brings along speaks of nothing measured")
    return lemma


def is_given(statement: Statement) -> bool:
    """Whether the domain says, word for word, what is claimed."""
    words = {canonical_json(found) for found in statement.domain["where"]}
    ways = [[relation, statement.left, statement.right] for relation in domains.signs(statement.relation)]
    return all(canonical_json(way) in words for way in ways)


def _cited(known: Known, label: str) -> Statement:
    if label not in known:
        raise Rejected(f"not known to stand: {label}")
    known[label].require_formed()
    return known[label]


def _measured(statement: Statement) -> list[Mapping[str, Any]]:
    """The declarations of what is measured in a statement."""
    return [found for found in statement.domain["parameters"] if found.get("measured")]


def _conditions(domain: Domain, cited: Domain, put: Mapping[str, Tree]) -> Iterator[Statement]:
    """That the values lie where the cited statement speaks of them."""
    there = {found["name"]: found for found in domain["parameters"]}
    for declared in cited["parameters"]:
        name, wanted = declared["name"], domains.placed(declared, put)
        if name in put or name not in there or not _alike(there[name], wanted):
            yield from _lies_in_range(domain, wanted, put)
    words = {canonical_json(found) for found in domain["where"]}
    for position, stated in enumerate(cited["where"]):
        asked = put_in(stated, lambda tree: substitute(tree, put))
        match asked:
            case _ if canonical_json(asked) in words:
                pass
            case ["or", *_]:
                raise Rejected(f"relation {position} of what is cited is among none of the alternatives here")
            case ["all", low, high, [relation, left, right]]:
                index = f"index of {position}"
                inner = domains.with_index(domain, index, low, high)
                yield _said(relation, entry(left, ("v", index)), entry(right, ("v", index)), inner)
            case [relation, left, right]:
                yield _said(relation, left, right, domain)


def _said(relation: Any, left: Tree, right: Tree, domain: Domain) -> Statement:
    """A relation of a domain as a statement, in which no side is ``>`` another."""
    return Statement(right, "<", left, domain) if relation == ">" else Statement(left, relation, right, domain)


def _alike(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a parameter is declared in the same words."""
    # What holds of any number in a range holds of a measured one that lies there.
    plain = found if wanted.get("measured") else {key: value for key, value in found.items() if key != "measured"}
    return domains.narrows(plain, wanted)


def _lies_in_range(domain: Domain, wanted: Mapping[str, Any], put: Mapping[str, Tree]) -> Iterator[Statement]:
    """That what stands in place of a parameter, a number or a vector, lies in its range."""
    name, kind = wanted["name"], wanted["range"]
    there = {found["name"]: found for found in domain["parameters"]}
    if wanted.get("measured") or (name not in put and name not in there):
        raise Rejected(f"{name} is no parameter here")
    if kind == "vector":
        yield from _entries_within(domain, wanted, put.get(name, ("item", name, ("b", 0))))
        return
    value = put.get(name, ("v", name))
    if kind == "choices" and any(value == from_json(choice) for choice in wanted["values"]):
        return
    if kind not in ("integers", "reals") or not is_closed(value):
        raise Rejected(f"{name}: nothing but numbers and vectors can be put in place of others")
    yield from demands(value, domain)
    if kind == "integers":
        form = NormalForm(domain)
        if not form.is_integer(form.ratio(value)):
            raise Rejected(f"not known to be an integer: {value}")
    yield from (Statement(*relation, domain) for relation in domains.between(wanted, value))


def _entries_within(domain: Domain, wanted: Mapping[str, Any], body: Tree) -> Iterator[Statement]:
    """That every entry of a vector lies in its range, and their squares add up as they should."""
    trees, index = trees_of(wanted), f"entry of {wanted['name']}"
    inner, value = domains.with_index(domain, index, ONE, trees["length"]), entry(body, ("v", index))
    NormalForm(inner).ratio(value)  # it has a value, and the index lies within every vector
    yield from (Statement(*relation, inner) for relation in domains.between(wanted, value))
    if "square_sum" in trees:
        squares = ("sum", ONE, trees["length"], square(body))
        yield Statement(squares, "<=", trees["square_sum"], domain)
