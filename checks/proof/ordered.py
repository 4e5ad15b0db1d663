"""Proofs that use an order of the entries of a vector: where each is at most the one before, all are at most the first.

λ[i + 1] ≤ λ[i] for all i gives Σ λ[i]² ≤ λ[1] Σ λ[i], once λ[i] ≤ λ[1] is known of every term.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Set
from contextlib import suppress
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    ONE,
    Tree,
    canonical_json,
    from_json,
    is_closed,
    names,
    subtract,
    walk,
)
from boundaudit.checks.language.relations import spoken_of
from boundaudit.checks.language.statement import Relation, Statement, trees_of
from boundaudit.checks.proof.engine import LEAST_DEPTH, SIZE_OF_ENTRY, Context, Lemma, fresh_index
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, at_index, on, with_index
from boundaudit.checks.proof.kernel.transformations import generalised

_TURNED: dict[str, Relation] = {"<=": ">=", ">=": "<="}


def ordered(statement: Statement, context: Context) -> Certificate | None:
    """Add what the entries of a sum are compared with the one that a goal speaks of."""
    index, brought, target = fresh_index(statement.domain), list[tuple[Lemma, Tree, Tree]](), statement
    if context.budget.depth < LEAST_DEPTH - 1:
        return None
    for lemma, low, high in _compared(statement, index):
        said = generalised(target.domain, lemma, index, low, high)
        if canonical_json(said["where"][-1]) in map(canonical_json, target.domain["where"]):
            continue
        found = context.lemma(lemma)
        if found is not None:
            brought.append((found, low, high))
            target = on(target, said)
    proof = context.prove(target) if brought else None
    for known, *ends in reversed(brought):
        said = {"index": index, "ends": ends, "lemma": known.to_json()}
        proof = proof and {"kind": "for all", **said, "proof": proof}
    return proof


def _compared(statement: Statement, index: str) -> Iterator[tuple[Statement, Tree, Tree]]:
    """Entries at the index of a sum against one at an end of it or beyond, and the ends of the sum."""
    nodes = dict.fromkeys(node for side in (statement.left, statement.right) for node in walk(side))
    limits = [
        pair for pair in dict.fromkeys(node[1:3] for node in nodes if node[0] == "sum") if all(map(is_closed, pair))
    ]
    form = NormalForm(statement.domain)
    for vector, sign, given in _monotone(statement.domain, index):
        fixed = [node for node in nodes if node[0] == "item" and node[1] == vector and is_closed(node)]
        for (low, high), item in itertools.product(limits, fixed):
            gaps = subtract(low, item[2]), subtract(item[2], high)
            before, after = (form.range_of(gap).nonnegative for gap in gaps)
            if before != after:
                domain = _about(statement.domain, given, names(low) | names(high) | names(item[2]))
                with suppress(Rejected):  # where the sum reaches beyond the vector
                    indexed, entry = with_index(domain, index, low, high), ("item", vector, ("v", index))
                    NormalForm(indexed).ratio(entry)
                    yield Statement(entry, sign if before else _TURNED[sign], item, indexed), low, high


def _monotone(domain: Domain, index: str) -> Iterator[tuple[str, Relation, list[Any]]]:
    """Vectors with what each entry is to the one before, and the relation that says so."""
    for given in domain["where"]:
        if given[0] != "all" or given[3][0] not in _TURNED:
            continue
        sign, left, right = at_index(given, ("v", index))
        if left[0] == right[0] == "item" and left[1] == right[1] and len(left) == len(right) == SIZE_OF_ENTRY:
            form = NormalForm(with_index(domain, index, *map(from_json, given[1:3])))
            for later, earlier, relation in ((left, right, sign), (right, left, _TURNED[sign])):
                if form.vanishes(subtract(subtract(later[2], earlier[2]), ONE)):
                    yield left[1], relation, given


def _about(domain: Domain, given: list[Any], spoken: Set[str]) -> Domain:
    """The domain without what a proof about one vector alone does not need."""
    wanted, before = spoken | spoken_of(given), set[str]()
    while wanted != before:
        before = set(wanted)
        for name in before & {found["name"] for found in domain["parameters"]}:
            found = next(each for each in domain["parameters"] if each["name"] == name)
            wanted |= set().union(*(names(tree) for tree in trees_of(found).values()))
    return {"parameters": [found for found in domain["parameters"] if found["name"] in wanted], "where": [given]}
