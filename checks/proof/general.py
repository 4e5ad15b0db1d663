"""An engine: closed sums and entries of vectors become numbers, and what is left is proved of all numbers.

What a step says of three sums and a square is true of any three numbers and a square; what an engine sees of it, once
every sum is written out, is a polynomial in all that stands inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import effort as allowance
from boundaudit.checks.language.arithmetic import remaining
from boundaudit.checks.language.expression import (
    ZERO,
    Tree,
    children,
    from_json,
    is_closed,
    rational,
    substitute,
)
from boundaudit.checks.language.statement import Statement, put_in
from boundaudit.checks.proof.engine import Context, Engine, Lemma, all_found, put_for, real, with_proof
from boundaudit.checks.proof.factoring import factoring
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.citing import instance
from boundaudit.checks.proof.kernel.domains import plain
from boundaudit.checks.proof.sums import termwise

_NUMBERS = ("integers", "reals", "choices")


def numbers(statement: Statement, context: Context) -> Certificate | None:
    """Prove a statement as an instance of one about numbers; None where there is none, or more is not true."""
    parts = _parts_of(statement)
    if not parts:
        return None
    general, put = _generalized(statement, parts, context)
    return by_instance(statement, context.lemma(general), put, context, first=signed)


def by_instance(
    statement: Statement,
    general: Lemma | None,
    put: Mapping[str, Tree],
    context: Context,
    first: Callable[[Statement, Context], Certificate | None] = lambda statement, context: None,
) -> Certificate | None:
    """A statement as an instance of a general one, whose conditions are proved here, by an engine first that is quick.

    None where that is not proved, or where they are not.
    """
    if general is None:
        return None
    try:
        conditions, _ = instance(statement.domain, {"cites": "", "map": put}, {"": general.statement})
    except Rejected:
        return None
    proofs = all_found(first(condition, context) or context.prove(condition) for condition in conditions)
    if proofs is None:
        return None
    return {"kind": "instance", "lemma": general.to_json(), "map": dict(put), "conditions": proofs}


def _parts_of(statement: Statement) -> list[Tree]:
    """The largest closed sums and entries of vectors in a statement and the relations of its domain, each once."""
    where = (statement.domain["where"][position] for position in plain(statement.domain))
    relations = (from_json(side) for _, *both in where for side in both)
    sides = (statement.left, statement.right, *relations)
    return list(dict.fromkeys(part for side in sides for part in _closed(side, ("sum", "item"))))


def _closed(tree: Tree, heads: Sequence[str]) -> Iterator[Tree]:
    """The largest closed parts with one of some heads."""
    if tree[0] in heads and is_closed(tree):
        yield tree
        return
    for part in children(tree):
        yield from _closed(part, heads)


def _generalized(statement: Statement, parts: Sequence[Tree], context: Context) -> tuple[Statement, dict[str, Tree]]:
    """The statement about numbers, and what its parameters stand for."""
    domain = statement.domain
    names = {part: f"part {n}" for n, part in enumerate(parts, 1)}
    declared = [found for found in domain["parameters"] if found["range"] in _NUMBERS]
    measured = {found["name"]: f"number {found['name']}" for found in declared if found.get("measured")}
    renamed: dict[str, Tree] = {old: ("v", new) for old, new in measured.items()}

    numbered: dict[Tree, Tree] = {part: ("v", name) for part, name in names.items()}

    def general(tree: Tree) -> Tree:
        return substitute(put_for(tree, numbered), renamed)

    form = NormalForm(domain)
    numbers = [{**_plain(found), "name": measured.get(found["name"], found["name"])} for found in declared]
    new = [declared_as(name, _range(form, part, domain, context)) for part, name in names.items()]
    where = [put_in(domain["where"][position], general) for position in plain(domain)]
    where += [[sign, ("v", names[a]), ("v", names[b])] for a, b in _same(form, parts) for sign in ("<=", ">=")]
    put = {name: part for part, name in names.items()} | {new: ("v", old) for old, new in measured.items()}
    inner = {"parameters": [*numbers, *new], "where": where}
    return Statement(general(statement.left), statement.relation, general(statement.right), inner), put


def _plain(found: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter of which nothing but its range counts."""
    return {key: value for key, value in found.items() if key != "measured"}


def _same(form: NormalForm, parts: Sequence[Tree]) -> Iterator[tuple[Tree, Tree]]:
    """Parts that are one number in two spellings."""
    first: dict[Tree, Tree] = {}
    for part in parts:
        try:
            spelling = form.tree(form.ratio(part))
        except Rejected:
            continue
        if first.setdefault(spelling, part) is not part:
            yield first[spelling], part


def _range(form: NormalForm, part: Tree, domain: Mapping[str, Any], context: Context) -> Range:
    try:
        found = form.range_of(part)
    except Rejected:
        found = Range()
    plain = {"parameters": domain["parameters"], "where": []}
    if found.low == -math.inf and signed(Statement(ZERO, "<=", part, plain), context) is not None:
        return Range(Fraction(0))
    return found


def declared_as(name: str, span: Range) -> dict[str, Any]:
    """A real parameter that lies where the part does, as far as the ranges show."""
    low, high = (None if isinstance(end, float) else rational(end) for end in (span.low, span.high))
    return real(name, low, high, (low is not None and span.low_open, high is not None and span.high_open))


def signed(statement: Statement, context: Context) -> Certificate | None:
    """A proof that a sum is not negative, term by term: sums within it may be any numbers.

    None where the statement is another, or its terms have no known sign.
    """
    total = statement.right
    if statement.left != ZERO or statement.relation != "<=" or total[0] != "sum":
        return None
    put = {f"part {n}": part for n, part in enumerate(dict.fromkeys(_closed(total[3], ("sum",))), 1)}
    parameters = [*map(_plain, statement.domain["parameters"]), *map(real, put)]
    inner: dict[Tree, Tree] = {part: ("v", name) for name, part in put.items()}
    general = Statement(ZERO, "<=", put_for(total, inner), {"parameters": parameters, "where": []})
    proof = next(filter(None, (_by(engine, general, context) for engine in (factoring, termwise))), None)
    return by_instance(statement, with_proof(general, proof), put, replace(context, prove=lambda _: None))


def _by(engine: Engine, statement: Statement, context: Context) -> Certificate | None:
    """What one engine finds that sees the sign of a sum, and fails fast."""
    with suppress(Rejected), allowance(remaining() / 2):
        found = engine(statement, context)
        if found is not None:
            check(statement, found)
        return found
    return None
