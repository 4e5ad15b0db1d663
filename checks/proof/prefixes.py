"""Proofs of what vectors obey: up to any place in them, by induction over the place, and so up to the last.

A sum of all entries, a recursion's last value: what is claimed of them is claimed of the first k entries too, for every
k up to the length. The vector stays as it is while k climbs. What is left of a step is about single entries, which may
be any numbers in their range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import (
    FOLDS,
    Tree,
    children,
    entry,
    from_json,
    is_closed,
    names,
    rebuild,
    substitute,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.engine import (
    LEAST_DEPTH,
    WEAK,
    Context,
    from_lemma,
    has,
    ordered_sides,
    through,
    with_proof,
)
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.induction import induction
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, assume, between, declare, placed
from boundaudit.checks.proof.witness import point_against

_VECTORS = ("vector", "matrix")


def prefixes(statement: Statement, context: Context) -> Certificate | None:
    """Climb along the entries of vectors whose length is a parameter, by induction."""
    if (proof := _climbed(statement, context)) is not None:
        return proof
    deep = context.budget.depth < LEAST_DEPTH or statement.relation not in WEAK
    return None if deep else _from_stronger(statement, context) or _through_sums(statement, context)


def _climbed(statement: Statement, context: Context) -> Certificate | None:
    """A proof up to any place, and so up to the last."""
    for general, place, name in _general(statement):
        lemma = with_proof(general, induction(general, context))
        if (proof := by_instance(statement, lemma, {place: ("v", name)}, context)) is not None:
            return proof
    return None


def _from_stronger(statement: Statement, context: Context) -> Certificate | None:
    """A proof with what is left in the end taken off the larger side: v[1] - v[T + 1] in place of v[1]."""
    small, large = ordered_sides(statement)
    form = NormalForm(statement.domain)
    for left in _last_entries(statement.domain):
        if left in walk(statement.goal) or not (form.has(left) and form.range_of(left).nonnegative):
            continue
        stronger = Statement(small, "<=", subtract(large, left), statement.domain)
        lemma = None if point_against(stronger) else with_proof(stronger, _climbed(stronger, context))
        if lemma is not None:
            return from_lemma(statement, lemma, [["sign", left]])
    return None


def _through_sums(statement: Statement, context: Context) -> Certificate | None:
    """A proof with what all steps add up to between the sides: |v[T] - v[1]| ≤ Σ 2⁻ᵗ ≤ 1."""
    small, large = ordered_sides(statement)
    for middle in _added_up(statement.domain):
        if middle in (small, large) or middle in walk(statement.goal):
            continue
        after, before = (Statement(a, "<=", b, statement.domain) for a, b in ((middle, large), (small, middle)))
        first = None if any(map(point_against, (after, before))) else context.lemma(after)
        second = first and context.lemma(before)
        if first is not None and second is not None:
            return through(first, second)
    return None


def _added_up(domain: Domain) -> list[Tree]:
    """Sums of what bounds the steps of a vector, in what is said of all indices."""
    found = []
    for given in domain["where"]:
        if given[0] == "all":
            low, high, (_, *sides) = from_json(given[1]), from_json(given[2]), given[3]
            bounds = [from_json(side, depth=1) for side in sides]
            plain_ones = [side for side in bounds if not has(side, "item")]
            found += [("sum", low, high, side) for side in plain_ones if len(plain_ones) < len(bounds)]
    return list(dict.fromkeys(found))


def _last_entries(domain: Domain) -> list[Tree]:
    """The entries of which what is said of all indices speaks at the last of them."""
    found = []
    for given in domain["where"]:
        if given[0] == "all":
            last, sides = from_json(given[2]), (from_json(side, depth=1) for side in given[3][1:])
            items = (node for side in sides for node in walk(side) if node[0] == "item" and ("b", 0) in walk(node))
            found += [entry(item, last) for item in items if is_closed(item, 1)]
    return list(dict.fromkeys(found))


def _general(statement: Statement) -> Iterator[tuple[Statement, str, str]]:
    """What is claimed up to a place, the place, and the parameter that it stands for."""
    domain = statement.domain
    lengths = [
        tree for found in domain["parameters"] if found["range"] in _VECTORS for tree in trees_of(found).values()
    ]
    for declared in domain["parameters"]:
        name, place = declared["name"], f"{declared['name']}'"
        taken = {found["name"] for found in domain["parameters"]}
        counts = declared["range"] == "integers" and any(name in names(length) for length in lengths)
        if not counts or place in taken or name not in names(statement.left) | names(statement.right):
            continue
        for inner in _up_to(domain, declared, place):
            seen = set()
            for change in (_everywhere, _in_ends):
                left, right = (change(side, name, place) for side in (statement.left, statement.right))
                if (left, right) not in seen and place in names(left) | names(right):
                    seen.add((left, right))
                    yield Statement(left, statement.relation, right, inner), place, name


def _up_to(domain: Domain, declared: Mapping[str, Any], place: str) -> Iterator[Domain]:
    """The domain with a place up to a parameter, and where there are numbers up to it, with those up to the place."""
    name, parameters = declared["name"], domain["parameters"]
    within = {"name": place, "range": "integers", "low": declared["low"], "high": ("v", name)}
    yield declare(domain, within)
    ended = [found if found["range"] in _VECTORS else placed(found, {name: ("v", place)}) for found in parameters]
    changed = [found for found, other in zip(parameters, ended, strict=True) if found != other]
    if changed:  # while the place climbs, nothing is known but what does not speak of it
        known = (each for found in changed for each in between(found, ("v", found["name"])))
        said = ([sign, small, large] for small, sign, large in known)
        after = ended.index(declared) + 1
        yield assume({**domain, "parameters": [*ended[:after], within, *ended[after:]]}, *said)


def _everywhere(tree: Tree, name: str, place: str) -> Tree:
    return substitute(tree, {name: ("v", place)})


def _in_ends(tree: Tree, name: str, place: str) -> Tree:
    """The place instead of a parameter where sums end and in indices: n in an average stays."""
    parts = children(tree)
    counted = [k for k in range(len(parts)) if tree[0] == "item" or (tree[0] in FOLDS and k == 1)]
    return rebuild(
        tree, [(_everywhere if k in counted else _in_ends)(part, name, place) for k, part in enumerate(parts)]
    )
