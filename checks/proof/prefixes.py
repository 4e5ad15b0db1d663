"""Proofs of what vectors obey: up to any place in them, by induction over the place, and so up to the last.

A sum of all entries, a recursion's last value: what is claimed of them is claimed of the first k entries too, for every
k up to the length. The vector stays as it is while k climbs. What is left of a step is about single entries, which may
be any numbers in their range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.expression import (
    FOLDS,
    Tree,
    children,
    entry,
    from_json,
    is_closed,
    names,
    rational,
    rebuild,
    substitute,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement, put_in, trees_of
from boundaudit.checks.proof.engine import LEAST_DEPTH, Attempt, Context, Lemma, psatz, through
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.induction import induction
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, assume, between, declare, parameter, placed, plain
from boundaudit.checks.proof.witness import probe

_VECTORS = ("vector", "matrix")
_MOST_NUMBERS = 4


def prefixes(statement: Statement, context: Context) -> Attempt:
    """Climb along the entries of vectors whose length is a parameter, by induction."""
    proof = _climbed(statement, context) or next(_from_stronger(statement, context), None)
    proof = proof or next(_through_sums(statement, context), None)
    return Attempt("unknown" if proof is None else "proved", "prefixes", proof)


def _climbed(statement: Statement, context: Context) -> Certificate | None:
    """A proof up to any place, and so up to the last."""
    for general, place, name in _general(statement):
        found = induction(general, context).certificate
        proof = None if found is None else by_instance(statement, general, found, {place: ("v", name)}, context)
        if proof is not None:
            return proof
    return None


def _from_stronger(statement: Statement, context: Context) -> Iterator[Certificate]:
    """Proofs with what is left in the end taken off the larger side: v[1] - v[T + 1] in place of v[1]."""
    if context.budget.depth < LEAST_DEPTH or statement.relation not in ("<=", ">="):
        return
    small, large = (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1]
    form, known = NormalForm(statement.domain), len(statement.domain["where"])
    for left in _last_entries(statement.domain):
        if left in walk(statement.goal) or not (form.has(left) and form.range_of(left).nonnegative):
            continue
        stronger = Statement(small, "<=", subtract(large, left), statement.domain)
        proof = None if probe(stronger, context).outcome == "refuted" else _climbed(stronger, context)
        if proof is not None:
            yield psatz(["n"], [["where", known]], [["sign", left]], lemmas=[Lemma(stronger, proof)])


def _through_sums(statement: Statement, context: Context) -> Iterator[Certificate]:
    """Proofs with what all steps add up to between the sides: |v[T] - v[1]| ≤ Σ 2⁻ᵗ ≤ 1."""
    if context.budget.depth < LEAST_DEPTH or statement.relation not in ("<=", ">="):
        return
    small, large = (statement.left, statement.right)[:: 1 if statement.relation == "<=" else -1]
    for middle in _added_up(statement.domain):
        if middle in (small, large) or middle in walk(statement.goal):
            continue
        steps = [Statement(low, "<=", high, statement.domain) for low, high in ((middle, large), (small, middle))]
        if any(probe(step, context).outcome == "refuted" for step in steps):
            continue
        first = context.prove(steps[0]).certificate
        second = first and context.prove(steps[1]).certificate
        if first is not None and second is not None:
            yield through(Lemma(steps[0], first), Lemma(steps[1], second))


def _added_up(domain: Domain) -> list[Tree]:
    """Sums of what bounds the steps of a vector, in what is said of all indices."""
    found = []
    for given in domain["where"]:
        if given[0] == "all":
            low, high, (_, *sides) = from_json(given[1]), from_json(given[2]), given[3]
            bounds = [from_json(side, depth=1) for side in sides]
            plain_ones = [side for side in bounds if all(node[0] != "item" for node in walk(side))]
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


def entries(statement: Statement, context: Context) -> Attempt:
    """Entries of vectors and whole sums as numbers of their range."""
    found = list(dict.fromkeys([*_opaque(statement.left), *_opaque(statement.right)]))
    if not found or len(found) > _MOST_NUMBERS:
        return Attempt("unknown", "entries")
    put = {f"entry {number}": part for number, part in enumerate(found, 1)}
    general = _about_numbers(statement, {part: name for name, part in put.items()})
    lemma = context.prove(general)
    proof = None if lemma.certificate is None else by_instance(statement, general, lemma.certificate, put, context)
    return Attempt("unknown" if proof is None else "proved", "entries", proof, effort=lemma.effort)


def _opaque(tree: Tree) -> Iterator[Tree]:
    """The entries and the sums of an expression, these with all that is in them."""
    if tree[0] in ("item", *FOLDS):
        yield tree
    else:
        yield from (found for part in children(tree) for found in _opaque(part))


def _about_numbers(statement: Statement, called: dict[Tree, str]) -> Statement:
    """The statement with a number for each entry and each sum."""
    domain = statement.domain
    form = NormalForm(domain)

    def general(tree: Tree) -> Tree:
        return ("v", called[tree]) if tree in called else rebuild(tree, [general(part) for part in children(tree)])

    numbers = [found for found in domain["parameters"] if found["range"] not in _VECTORS]
    drawn = []
    for part, name in called.items():
        ends = _ends(parameter(domain, part[1], *_VECTORS)) if part[0] == "item" else _shown(form.range_of(part))
        drawn.append({"name": name, "range": "reals", **ends})
    where = [put_in(domain["where"][position], general) for position in plain(domain)]
    inner: Domain = {"parameters": [*numbers, *drawn], "where": [given for given in where if not _has_vectors(given)]}
    return Statement(general(statement.left), statement.relation, general(statement.right), inner)


def _ends(declared: Mapping[str, Any]) -> dict[str, Any]:
    return {key: declared.get(key) for key in ("low", "high", "open")}


def _shown(size: Range) -> dict[str, Any]:
    """The ends that a range shows."""
    low, high = (None if isinstance(end, float) else rational(end) for end in (size.low, size.high))
    return {"low": low, "high": high, "open": [size.low_open, size.high_open]}


def _has_vectors(given: Any) -> bool:
    return any(node[0] == "item" for side in given[1:] for node in walk(side))
