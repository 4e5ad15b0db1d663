"""Proofs in which sums at each index become entries of a vector: means of a sample, whatever its laws.

∏ (1 - Σ w X_i) over i speaks of one number for each i, that lies where the entries do. What is left is about vectors
alone; that the sums lie in the ranges, and that the square of a mean is at most the mean of squares, is proved at each
index.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
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
    square,
)
from boundaudit.checks.language.relations import spoken_of
from boundaudit.checks.language.statement import Statement, put_in, trees_of
from boundaudit.checks.proof.engine import LEAST_DEPTH, Context, Lemma, put_for
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, plain

_MOST = 3
"""Sums at each index."""


def families(statement: Statement, context: Context) -> Certificate | None:
    """Prove a statement as an instance of one about vectors in place of sums at each index."""
    found = list(dict.fromkeys(part for side in (statement.left, statement.right) for part in _inner(side)))
    lengths = {length for _, length in found}
    rows = any(declared["range"] == "matrix" for declared in statement.domain["parameters"])
    known = statement.relation == "=" or not rows or _is_summed(statement.domain)
    if known or len(lengths) != 1 or len(found) > _MOST or context.budget.depth < LEAST_DEPTH:
        return None
    put = {f"family {number}": part for number, (part, _) in enumerate(found, 1)}
    return _Search(statement, context, put, *lengths).certificate()


class _Search:
    """The vectors that sums at each index become, with what is proved of these."""

    def __init__(self, statement: Statement, context: Context, put: dict[str, Tree], length: Tree) -> None:
        self.statement, self.put, self.length = statement, put, length
        self.context = replace(context, prove=_once(context.prove))

    def certificate(self) -> Certificate | None:
        """A proof from what is known at each index, or from what that adds up to."""
        vectors = [self._vector(name, **{side: self._end(name, side) for side in ("low", "high")}) for name in self.put]
        pairs = [(square(_entry(one)), _entry(other)) for one, other in itertools.permutations(self.put, 2)]
        known = [pair for pair in pairs if self._obey(self.put, vectors, [self._each(pair)])]
        summed = [["<=", *(("sum", ONE, self.length, side) for side in pair)] for pair in known]
        called = {part: _entry(name) for name, part in self.put.items()}
        for where in ([self._each(pair) for pair in known], *([summed] if summed else [])):
            lemma = self.context.lemma(_general(self.statement, called, vectors, where))
            if (found := by_instance(self.statement, lemma, self.put, self.context)) is not None:
                return found
        return None

    def _each(self, pair: tuple[Tree, Tree]) -> list[Any]:
        return ["all", ONE, self.length, ["<=", *pair]]

    def _end(self, name: str, side: str) -> Tree | None:
        """Where the sums end at every index, as far as it is proved."""
        put = {name: self.put[name]}
        tried = _ends(self.statement.domain, self.put[name], side)
        return next((end for end in tried if self._obey(put, [self._vector(name, **{side: end})])), None)

    def _vector(self, name: str, low: Tree | None = None, high: Tree | None = None) -> dict[str, Any]:
        return {"name": name, "range": "vector", "length": self.length, "square_sum": None, "low": low, "high": high,
                "open": [False, False]}  # fmt: skip

    def _obey(self, put: dict[str, Tree], declared: Sequence[Mapping[str, Any]], where: Sequence[Any] = ()) -> bool:
        """Whether sums in place of vectors are proved to obey declarations and relations."""
        parameters = [*_kept(self.statement, names(self.length)), *declared]
        nothing = Lemma(Statement(ZERO, "<=", ZERO, {"parameters": parameters, "where": [*where]}), {})
        return by_instance(self.statement, nothing, put, self.context) is not None


def _once(prove: Callable[[Statement], Certificate | None]) -> Callable[[Statement], Certificate | None]:
    """The same, which tries no statement again."""
    known: dict[str, Certificate | None] = {}

    def proved(asked: Statement) -> Certificate | None:
        key = repr(asked.to_json())
        if key not in known:
            known[key] = prove(asked)
        return known[key]

    return proved


def _is_summed(domain: Domain) -> bool:
    """Whether relations speak of sums of sums, as where what holds at each index was summed."""
    sides = (from_json(side) for place in plain(domain) for side in domain["where"][place][1:])
    return any(True for side in sides for _ in _inner(side))


def _entry(name: str) -> Tree:
    return ("item", name, ("b", 0))


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
    statement: Statement, called: Mapping[Tree, Tree], vectors: Sequence[Mapping[str, Any]], where: Sequence[Any]
) -> Statement:
    """The statement about vectors, with what the domain says of these alone."""
    left, right = (put_for(side, called) for side in (statement.left, statement.right))
    said = [put_in(given, lambda tree: put_for(tree, called)) for given in statement.domain["where"]]
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
