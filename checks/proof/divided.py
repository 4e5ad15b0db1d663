"""Sums divided where their terms change: Σ ρ^|i - j| over all j is that over j ≤ i and that over j > i.

Where the goal speaks of an entry, a sum of entries is divided there and one part left out, if it does no harm:
(n - k + 1) v[k] ≤ Σ v where v rises, by the entries from v[k] on.

The size of a difference, the smaller and the larger of two have one form on either side of the place where both are
equal. That both parts of a sum are the whole is shown by induction over where it ends, from the place on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from boundaudit.checks.language.algebra.derivatives import derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    is_closed,
    multiply,
    names,
    opened,
    rational,
    replaced,
    substitute,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import (
    SIZE_OF_ENTRY,
    WEAK,
    Context,
    Lemma,
    closed,
    fresh_index,
    lemma_at,
    psatz,
    with_proof,
)
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import Domain, declare, mapped, with_index
from boundaudit.checks.proof.sampling import is_refuted

_CHANGING = ("abs", "min", "max")


def divided(statement: Statement, context: Context) -> Certificate | None:
    """Divide a sum where the sign of what moves with its index changes, or at an entry that the goal speaks of."""
    for total in closed([statement.goal], "sum") if statement.relation in WEAK else ():
        changing = ((place, (0, 1)) for place in _places(statement.domain, total))
        for place, kept in itertools.chain(changing, _spoken_of(statement, total)):
            proof = _at(statement, total, place, kept, context)
            if proof is not None:
                return proof
    return None


def _places(domain: Domain, total: Tree) -> Iterator[Tree]:
    """The integers within a sum at which its terms change."""
    index, (low, high) = fresh_index(domain), total[1:3]
    form, inner = NormalForm(domain), NormalForm(with_index(domain, index, low, high))
    for node in dict.fromkeys(walk(opened(total, ("v", index)))):
        if node[0] in _CHANGING and is_closed(node) and index in names(node):
            difference = node[1] if node[0] == "abs" else subtract(*node[1:3])
            with suppress(Rejected):  # such as an entry at the index
                slope = inner.number(inner.ratio(derivative(difference, index)))
                if slope in (1, -1):
                    root = form.ratio(multiply(rational(-slope), substitute(difference, {index: ZERO})))
                    place = form.tree(root)
                    ends = (form.range_of(subtract(*ends)) for ends in ((place, low), (high, place)))
                    if form.is_integer(root) and all(end.nonnegative for end in ends):
                        yield place


def _spoken_of(statement: Statement, total: Tree) -> Iterator[tuple[Tree, tuple[int, ...]]]:
    """Integers within a sum, before or at which an entry stands that the goal speaks of, and which parts are kept."""
    form, (low, high, body) = NormalForm(statement.domain), total[1:]
    vectors = {node[1] for node in walk(body) if node[0] == "item" and len(node) == SIZE_OF_ENTRY}
    items = [item for item in closed([statement.goal], "item") if item[1] in vectors]
    for place in dict.fromkeys(item[2] for item in items):
        inside = (form.range_of(gap) for gap in (subtract(place, low), subtract(high, place)))
        if place not in (low, high) and all(gap.nonnegative for gap in inside):
            yield from ((place, (0,)), (subtract(place, ONE), (1,)))


def _at(statement: Statement, total: Tree, place: Tree, kept: Sequence[int], context: Context) -> Certificate | None:
    """A proof with a sum as its two parts, or as one of them where the other does no harm."""
    form, (low, high, body) = NormalForm(statement.domain), total[1:]
    parts = ("sum", low, place, body), ("sum", form.tree(form.ratio(add(place, ONE))), high, body)
    remaining = add(*(parts[k] for k in kept))
    left = mapped(statement, lambda side: replaced(side, total, remaining), statement.domain)
    more, gap = form.ratio(subtract(statement.goal, left.goal)), form.ratio(subtract(total, remaining))
    if gap.num.is_zero() or is_refuted(left):
        return None
    quotient, rest = divmod(more.num * gap.den, gap.num)
    times = form.multiply(Ratio(quotient), form.power(Ratio(more.den), -1))
    way = 1 if form.bounds(times).nonnegative else -1
    weight, dropped = form.tree(form.scale(way, times)), [parts[k] for k in (0, 1) if k not in kept]
    known_signs = [weight, *(multiply(rational(way), part) for part in dropped)]
    if not (rest.is_zero() and all(form.range_of(each).nonnegative for each in known_signs)):
        return None
    whole = _whole(Statement(total, ">=" if way > 0 else "<=", add(*parts), statement.domain), parts, context)
    lemma = None if whole is None else context.lemma(left)
    if whole is None or lemma is None:
        return None
    added: list[Any] = [lemma_at(statement, 1), *(["sign", each] for each in known_signs[1:])]
    weighted = ([label, ["sign", weight]] for label in added)
    return psatz(["n"], [lemma_at(statement)], *weighted, lemmas=[lemma, whole])


def _whole(said: Statement, parts: tuple[Tree, Tree], context: Context) -> Lemma | None:
    """That a sum is no less, or no more, than its two parts: all that end where it does have the same terms then."""
    end, (first, second) = fresh_index(said.domain), parts
    place, high = first[2], second[2]
    total, rest = ((*each[:2], ("v", end), each[3]) for each in parts)
    domain = declare(said.domain, {"name": end, "range": "integers", "low": place, "high": high})
    proof = psatz(["n"], [["where", len(domain["where"])]])
    for each in (total, rest):
        proof = {"kind": "last term", "sum": substitute(each, {end: add(("v", end), ONE)}), "proof": proof}
    climbed = {"kind": "induction", "variable": end, "start": place, "bases": [{"kind": "identity"}], "step": proof}
    general = Lemma(Statement(total, said.relation, add(first, rest), domain), climbed)
    return with_proof(said, by_instance(said, general, {end: high}, context))
