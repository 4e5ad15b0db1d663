"""What is said of all indices, summed, where it leads from each entry to the next: potentials telescope.

From η r[t] ≤ d[t] - d[t + 1] + c for t from 1 to T follows η Σ r[t] ≤ d[1] - d[T + 1] + c T, and less where d is never
negative. The factors of entries may depend on the index, as in t (t - 1) d[t] - t (t + 1) d[t + 1].
"""

from __future__ import annotations

from typing import NamedTuple

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    multiply,
    names,
    opened,
    rational,
    substitute,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Lemma, lemma_at, psatz
from boundaudit.checks.proof.kernel.domains import with_index

_Terms = dict[Tree, Tree]
"""What speaks of entries at an index, or of none, and its factor."""


class _Potential(NamedTuple):
    """``factor · entry`` at an index, which the terms have from each index to the next."""

    factor: Tree
    entry: Tree

    def at(self, name: str, index: Tree) -> Tree:
        return substitute(multiply(self.factor, self.entry), {name: index})


def telescoped_sum(lemma: Lemma, index: str, *, whole: bool = False) -> Lemma | None:
    """A lemma ``0 ≤ Σ body`` with what telescopes in its sum at both ends alone; None where nothing does.

    What is left at the upper end is dropped where it only takes away, unless the whole is asked for.
    """
    domain, total = lemma.statement.domain, lemma.statement.right
    low, high = total[1:3]
    try:
        form = NormalForm(with_index(domain, index, low, high))
        terms = _terms(form, opened(total, ("v", index)), index)
        found = [each for each in (_potential(form, terms, entry, index) for entry in terms) if each is not None]
    except Rejected:
        return None
    if not found:
        return None
    after = add(("v", index), ONE)
    first, here, beyond = (add(*(each.at(index, place) for each in found)) for place in (low, ("v", index), after))
    last = substitute(beyond, {index: high})
    moved = summation(index, low, high, subtract(here, beyond))
    rest = summation(index, low, high, subtract(opened(total, ("v", index)), subtract(here, beyond)))
    antidifference = subtract(first, beyond)
    ends = Statement(moved, "<=", subtract(first, last), domain)
    shown = {"kind": "telescope", "sum": moved, "index": index, "antidifference": antidifference, "proof": psatz(["n"])}
    outside = NormalForm(domain)
    drops = not whole and outside.range_of(last).nonnegative
    left = subtract(add(rest, first), ZERO if drops else last)
    said = Statement(ZERO, "<=", outside.tree(outside.ratio(left)), domain)
    dropped = [[["sign", last]]] if drops else []
    both = [lemma_at(ends)], [lemma_at(ends, 1)]
    return Lemma(said, psatz(["n"], *both, *dropped, lemmas=[lemma, Lemma(ends, shown)]))


def _terms(form: NormalForm, body: Tree, index: str) -> _Terms:
    """The terms of a body, by what of them speaks of an entry at the index."""
    ratio, found = form.ratio(body), dict[Tree, list[Tree]]()
    under = form.tree(form.power(Ratio(ratio.den), -1))
    for number, monomial in form.terms(ratio.num):
        powers = [(form.atoms[k].key, int(by)) for k, by in enumerate(monomial.degrees()) if by]
        entries, others = (
            multiply(ONE, *(("^", key, rational(by)) for key, by in powers if _speaks(key, index) is side))
            for side in (True, False)
        )
        found.setdefault(form.tree(form.ratio(entries)), []).append(multiply(rational(number), others, under))
    return {entries: add(ZERO, *factors) for entries, factors in found.items()}


def _speaks(tree: Tree, index: str) -> bool:
    """Whether an entry at an index that moves stands in a tree."""
    return any(node[0] == "item" and index in names(node) for node in walk(tree))


def _potential(form: NormalForm, terms: _Terms, entry: Tree, index: str) -> _Potential | None:
    """The potential that an entry with its factor begins, where the one after it has the opposite factor, moved on."""
    after = {index: add(("v", index), ONE)}
    next_entry = substitute(entry, after)
    if next_entry == entry or not form.has(next_entry):
        return None
    opposite = terms.get(form.tree(form.ratio(next_entry)))
    leads = opposite is not None and form.vanishes(add(substitute(terms[entry], after), opposite))
    return _Potential(terms[entry], entry) if leads else None
