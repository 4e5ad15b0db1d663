"""Proofs in which sums at each index become entries of a vector: means of a sample, whatever its laws.

∏ (1 - Σ w X_i) over i speaks of one number for each i, that lies where the entries do. What is left is about vectors
alone; that the sums lie in the ranges, and that the square of a mean is at most the mean of squares, is proved at each
index.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boundaudit.checks.language.expression import (
    FOLDS,
    ONE,
    ZERO,
    Tree,
    children,
    from_json,
    is_closed,
    names,
    rebuild,
    square,
)
from boundaudit.checks.language.relations import spoken_of
from boundaudit.checks.language.statement import Statement, put_in, trees_of
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.citing import instance
from boundaudit.checks.proof.kernel.domains import Domain

NAME = "families"
_MOST = 3
"""Sums at each index."""


def families(statement: Statement, context: Context) -> Attempt:
    """Prove a statement as an instance of one about vectors in place of sums at each index.

    Returns:
        Proved with a certificate of kind instance, or unknown.
    """
    found = list(dict.fromkeys(part for side in (statement.left, statement.right) for part in _inner(side)))
    lengths = {length for _, length in found}
    if not found or len(lengths) > 1 or len(found) > _MOST:
        return Attempt("unknown", NAME)
    parts, (length,) = [part for part, _ in found], lengths
    called = {part: f"family {number}" for number, part in enumerate(parts, 1)}
    proofs: dict[str, Certificate | None] = {}

    def shown(asked: Statement) -> Certificate | None:
        key = repr((asked.left, asked.relation, asked.right, asked.domain))
        if key not in proofs:
            proofs[key] = context.prove(asked).certificate
        return proofs[key]

    def conditions(declared: Sequence[Mapping[str, Any]], where: Sequence[Any]) -> list[Certificate] | None:
        lemma = Statement(
            ZERO, "<=", ZERO, {"parameters": [*_kept(statement, names(length)), *declared], "where": [*where]}
        )
        asked, _ = instance(statement.domain, {"cites": "", "map": put}, {"": lemma})
        certificates = [shown(each) for each in asked]
        return None if None in certificates else [each for each in certificates if each is not None]

    put: dict[str, Tree] = {}
    vectors = []
    for part, name in called.items():
        put = {name: part}
        ends = {side: next((end for end in _ends(statement.domain, part, side)
                            if conditions([_vector(name, length, **{side: end})], []) is not None), None)
                for side in ("low", "high")}  # fmt: skip
        vectors.append(_vector(name, length, **ends))
    put = {name: part for part, name in called.items()}
    each, summed = [], []
    for one, other in itertools.permutations(called.values(), 2):
        sides = square(_entry(one)), _entry(other)
        if conditions(vectors, [["all", ONE, length, ["<=", *sides]]]) is not None:
            each.append(["all", ONE, length, ["<=", *sides]])
            summed.append(["<=", *(("sum", ONE, length, side) for side in sides)])
    for where in (each, summed) if summed else ([],):
        general = _general(statement, called, vectors, where)
        lemma = context.prove(general).certificate
        if lemma is not None:
            asked, _ = instance(statement.domain, {"cites": "", "map": put}, {"": general})
            certificates = [shown(condition) for condition in asked]
            brought = {"statement": general.to_json(), "certificate": lemma}
            certificate = {"kind": "instance", "lemma": brought, "map": put, "conditions": certificates}
            return Attempt("unknown" if None in certificates else "proved", NAME, certificate)
    return Attempt("unknown", NAME)


def _entry(name: str) -> Tree:
    return ("item", name, ("b", 0))


def _vector(name: str, length: Tree, low: Tree | None = None, high: Tree | None = None) -> dict[str, Any]:
    return {"name": name, "range": "vector", "length": length, "square_sum": None, "low": low, "high": high,
            "open": [False, False]}  # fmt: skip


def _inner(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """The largest sums in the bodies of sums and products from 1 on that depend on the index, and the upper ends."""
    if tree[0] in FOLDS and tree[1] == ONE and is_closed(tree):
        yield from ((part, tree[2]) for part in _open_sums(tree[3]))
    for part in children(tree):
        yield from _inner(part)


def _open_sums(tree: Tree) -> Iterator[Tree]:
    if tree[0] == "sum" and not is_closed(tree):
        yield tree
    elif tree[0] not in FOLDS:
        for part in children(tree):
            yield from _open_sums(part)


def _ends(domain: Domain, part: Tree, side: str) -> Iterator[Tree]:
    """Where a mean may end: where entries that it speaks of do, their squares, and 0."""
    spoken = names(part)
    known = [from_json(found[side]) for found in domain["parameters"]
             if found["name"] in spoken and found["range"] == "matrix" and found[side] is not None]  # fmt: skip
    yield from dict.fromkeys([*known, ZERO] if side == "low" else known)


def _general(
    statement: Statement, called: Mapping[Tree, str], vectors: Sequence[Mapping[str, Any]], where: Sequence[Any]
) -> Statement:
    """The statement about vectors, with what the domain says of these alone."""

    def general(tree: Tree) -> Tree:
        return _entry(called[tree]) if tree in called else rebuild(tree, [general(part) for part in children(tree)])

    left, right = general(statement.left), general(statement.right)
    said = [put_in(given, general) for given in statement.domain["where"]]
    used = names(left) | names(right) | set().union(*(names(trees_of(each)["length"]) for each in vectors))
    kept = _kept(statement, used)
    there = {each["name"] for each in (*kept, *vectors)}
    inner = [given for given in said if spoken_of(given) <= there]
    return Statement(left, statement.relation, right, {"parameters": [*kept, *vectors], "where": [*inner, *where]})


def _kept(statement: Statement, used: set[str] | frozenset[str]) -> list[dict[str, Any]]:
    """The parameters that are spoken of, and those on which their ranges rest."""
    kept: list[dict[str, Any]] = []
    wanted = set(used)
    for found in reversed(statement.domain["parameters"]):
        if found["name"] in wanted:
            kept.append(found)
            wanted |= set().union(*map(names, trees_of(found).values()))
    return kept[::-1]
