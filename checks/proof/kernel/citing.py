"""What the checker accepts of statements that were proved elsewhere: instances of them, and chains of steps.

A cited statement holds for every value of its parameters. An *instance* puts expressions in place of them; that each
lies where the parameter ranges is shown anew, as *conditions*, unless both are declared in the same words. Summed over
an index with weights of at least 0, it holds of sums. What is measured (``"measured": true`` in its declaration) is a
function of the point: a statement about it is used at that very point, with its other parameters as they are.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    canonical_json,
    children,
    from_json,
    is_closed,
    is_name,
    multiply,
    rational,
    rebuild,
    summation,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.domains import Domain, assume, declare, trees_of

Known = Mapping[str, Statement]
"""Statements that stand, by label: proved ones, and axioms."""


def step_statements(statement: Statement, nodes: Sequence[Tree], domain: Domain) -> list[Statement]:
    """The steps from one side to the other, upwards: what is left to prove of a chain."""
    ends = (statement.left, statement.right) if statement.relation != ">=" else (statement.right, statement.left)
    if len(nodes) < 2 or (nodes[0], nodes[-1]) != ends or statement.is_strict:
        raise Rejected("the chain does not lead from one side to the other")
    relation = "=" if statement.relation == "=" else "<="
    return [Statement(a, relation, b, dict(domain)) for a, b in itertools.pairwise(nodes)]  # type: ignore[arg-type]


def with_measured(domain: Domain, known: Known, labels: Sequence[str]) -> Domain:
    """The domain with what is measured in cited statements."""
    there = {found["name"]: found for found in domain["parameters"]}
    for label in labels:
        for found in _cited(known, label).domain["parameters"]:
            if not found.get("measured"):
                continue
            if canonical_json(there.setdefault(found["name"], found)) != canonical_json(found):
                raise Rejected(f"{found['name']} is declared in two ways")
    old = {found["name"] for found in domain["parameters"]}
    return declare(domain, *(found for name, found in there.items() if name not in old))


def instance(domain: Domain, use: Mapping[str, Any], known: Known) -> tuple[list[Statement], Domain]:
    """What an instance of a cited statement asks for, and the domain with what it says among its relations."""
    cited = _cited(known, use["cites"])
    put = {name: from_json(tree, depth=1) for name, tree in use.get("map", {}).items()}
    unknown = set(put) - {found["name"] for found in cited.domain["parameters"] if not found.get("measured")}
    if unknown:
        raise Rejected(f"{use['cites']} has no parameter {', '.join(sorted(unknown))}")
    if any(found.get("measured") for found in cited.domain["parameters"]) and put:
        raise Rejected("what is measured is a function of the point: its other parameters stay as they are")
    total = use.get("over")
    inner = domain if total is None else declare(domain, _index(domain, total))
    conditions = list(_conditions(inner, cited.domain, put))
    sides = [placed(side, put) for side in (cited.left, cited.right)]
    if total is not None:
        weight = from_json(total["weight"])
        conditions.append(Statement(ZERO, "<=", weight, dict(inner)))
        ends = (from_json(total["low"]), from_json(total["high"]))
        sides = [summation(total["index"], *ends, side if weight == ONE else multiply(weight, side)) for side in sides]
    relation = {"<": "<="}.get(cited.relation, cited.relation) if total is not None else cited.relation
    relations = ("<=", ">=") if relation == "=" else (relation,)
    return conditions, assume(domain, *((sign, *sides) for sign in relations))


def lemma_of(use: Mapping[str, Any]) -> Statement:
    """The statement that a certificate brings along with its proof: about parameters alone."""
    lemma = Statement.from_json(use["lemma"]["statement"])
    if any(found.get("measured") for found in lemma.domain["parameters"]):
        raise Rejected("a lemma that a certificate brings along speaks of nothing measured")
    return lemma


def is_given(statement: Statement) -> bool:
    """Whether the domain says, word for word, what is claimed."""
    ways = [[statement.relation, statement.left, statement.right]]
    if statement.relation == "=":
        ways = [[relation, statement.left, statement.right] for relation in ("<=", ">=")]
    words = {canonical_json(entry) for entry in statement.domain["where"]}
    return all(canonical_json(way) in words for way in ways)


def _cited(known: Known, label: str) -> Statement:
    if label not in known:
        raise Rejected(f"not known to stand: {label}")
    return known[label]


def _index(domain: Domain, total: Mapping[str, Any]) -> dict[str, Any]:
    """The index of a sum as an integer parameter of a fresh name."""
    name, low, high = total["index"], from_json(total["low"]), from_json(total["high"])
    form = NormalForm(domain)
    if not is_name(name) or any(found["name"] == name for found in domain["parameters"]):
        raise Rejected(f"no fresh name for an index: {name}")
    if not all(form.is_integer(form.ratio(end)) for end in (low, high)):
        raise Rejected("the ends of a sum are not known to be integers")
    return {"name": name, "range": "integers", "low": low, "high": high}


def placed(tree: Tree, put: Mapping[str, Tree]) -> Tree:
    """A tree with expressions in place of parameters; that of a vector is its entry at an index, ``("b", 0)``."""
    parts = [placed(part, put) for part in children(tree)]
    if tree[0] == "item" and tree[1] in put:
        return _at(put[tree[1]], parts[0])
    return put.get(tree[1], tree) if tree[0] == "v" else rebuild(tree, parts)


def _at(body: Tree, index: Tree, depth: int = 0) -> Tree:
    """The entry of a vector at an index: within sums of the entry's own, the index's sums lie further out."""
    if body[0] == "b":
        return _shifted(index, depth) if body[1] == depth else body
    return rebuild(body, [_at(part, index, inner) for part, inner in _depths(body, depth)])


def _shifted(tree: Tree, by: int, depth: int = 0) -> Tree:
    """A tree moved into so many more sums: the indices of sums around it are counted from there."""
    if tree[0] == "b":
        return ("b", tree[1] + by) if tree[1] >= depth else tree
    return rebuild(tree, [_shifted(part, by, inner) for part, inner in _depths(tree, depth)])


def _depths(tree: Tree, depth: int) -> Iterator[tuple[Tree, int]]:
    """The parts of a node, each with the number of sums around it."""
    parts = children(tree)
    for place, part in enumerate(parts):
        yield part, depth + (tree[0] == "sum" and place == len(parts) - 1)


def _conditions(domain: Domain, cited: Domain, put: Mapping[str, Tree]) -> Iterator[Statement]:
    """That the values lie where the cited statement speaks of them."""
    there = {found["name"]: found for found in domain["parameters"]}
    for wanted in cited["parameters"]:
        name = wanted["name"]
        same = name not in put and name in there and _alike(there[name], wanted, put)
        if not same:
            yield from _within(domain, wanted, put, there)
    words = {canonical_json(entry) for entry in domain["where"]}
    for relation, left, right in cited["where"]:
        sides = [placed(from_json(side), put) for side in (left, right)]
        if canonical_json([relation, *sides]) not in words:
            yield Statement(sides[0], relation, sides[1], dict(domain))


def _alike(found: Mapping[str, Any], wanted: Mapping[str, Any], put: Mapping[str, Tree]) -> bool:
    """Whether a parameter is declared in the same words, what stands in place of others put in."""
    # What holds of any number in a range holds of a measured one that lies there.
    trees = {key: placed(tree, put) for key, tree in trees_of(wanted).items()}
    if found["range"] == wanted["range"] == "choices":
        known = {canonical_json(value) for value in wanted["values"]}
        return all(canonical_json(value) in known for value in found["values"])
    plain = found if wanted.get("measured") else {key: value for key, value in found.items() if key != "measured"}
    return canonical_json({**wanted, **trees}) == canonical_json(plain)


def _within(
    domain: Domain, wanted: Mapping[str, Any], put: Mapping[str, Tree], there: Mapping[str, Any]
) -> Iterator[Statement]:
    """That a value lies in the range of a parameter."""
    name, kind = wanted["name"], wanted["range"]
    if wanted.get("measured") or (name not in put and name not in there):
        raise Rejected(f"{name} is no parameter here")
    if kind == "vector":
        yield from _entries_within(domain, wanted, put, there)
        return
    value = put.get(name, ("v", name))
    if kind == "choices" and any(value == from_json(choice) for choice in wanted["values"]):
        return
    if kind not in ("integers", "reals") or not is_closed(value):
        raise Rejected(f"{name}: nothing but numbers and vectors can be put in place of others")
    form = NormalForm(domain)
    if kind == "integers" and not form.is_integer(form.ratio(value)):
        raise Rejected(f"not known to be an integer: {value}")
    yield from _between(domain, wanted, value, put)


def _entries_within(
    domain: Domain, wanted: Mapping[str, Any], put: Mapping[str, Tree], there: Mapping[str, Any]
) -> Iterator[Statement]:
    """That every entry of a vector lies in its range, and their squares add up as they should."""
    name, trees = wanted["name"], trees_of(wanted)
    body = put.get(name, ("item", name, ("b", 0)))
    if name not in put and there[name]["range"] != "vector":
        raise Rejected(f"{name} is no vector here")
    length = placed(trees["length"], put)
    index = _index(domain, {"index": f"entry of {name}", "low": ONE, "high": length})
    inner = declare(domain, index)
    entry = _at(body, ("v", index["name"]))
    NormalForm(inner).ratio(entry)  # it has a value, and the index lies within every vector
    yield from _between(inner, wanted, entry, put)
    if "square_sum" in trees:
        squares = ("sum", ONE, length, ("^", body, rational(2)))
        yield Statement(squares, "<=", placed(trees["square_sum"], put), dict(domain))


def _between(domain: Domain, wanted: Mapping[str, Any], value: Tree, put: Mapping[str, Tree]) -> Iterator[Statement]:
    trees = trees_of(wanted)
    for place, end in enumerate(("low", "high")):
        if end in trees:
            strict = bool(wanted.get("open", (False, False))[place])
            small, large = (placed(trees[end], put), value) if end == "low" else (value, placed(trees[end], put))
            yield Statement(small, "<" if strict else "<=", large, dict(domain))
