"""Where a formula leans on a convention that its reader may not share: a line each, with a point where it matters."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

from flint import fmpq

from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.domain.limits import tree_of
from boundaudit.checks.language.expression import (
    FOLDS,
    ONE,
    ZERO,
    Tree,
    children,
    is_closed,
    names,
    opened,
    rational,
    walk,
)
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.text import to_text

_LOOKED_AT = 64


def conventions(trees: Iterable[Tree], domain: Domain) -> list[str]:
    """What some formulas take for granted at points of a domain, a sentence each, with the first point that matters."""
    nodes = dict.fromkeys(node for tree in trees for node in _doubtful(tree) if names(node) <= set(domain.ranges))
    known = [node for node in nodes if not _is_plain(node, domain)]
    found: dict[str, str] = {}
    for point in _points(domain) if known else ():
        for what, where in (met for node in known for met in _met(node, point)):
            found.setdefault(what, where)
    return [f"{what}, as in {where}." for what, where in found.items()]


@functools.cache
def _points(domain: Domain) -> list[Point]:
    """Points of a domain, which cases share."""
    return domain.grid(_LOOKED_AT)


def _doubtful(tree: Tree) -> list[Tree]:
    """The parts of a tree that may need a convention, but for those that speak of a sum's index."""
    return [node for node in walk(tree) if _is_doubtful(node) and is_closed(node)]


def _is_doubtful(node: Tree) -> bool:
    return node[0] in (*FOLDS, "binomial") or _may_be_zero_to_the_zero(node)


def _is_plain(tree: Tree, domain: Domain) -> bool:
    """Whether ranges alone show that no part needs a convention: finding points costs far more."""
    return all(_is_full(node, domain) for node in walk(tree) if _is_doubtful(node))


def _is_full(node: Tree, domain: Domain) -> bool:
    """Whether it is a sum that ends at an integer no less than its start, or a power with one no less than 1."""
    last, first = node[2], ONE if node[0] == "^" else node[1]
    if node[0] == "binomial":
        return False
    within = domain.ranges.get(last[1]) if last[0] == "v" else None
    low = tree_of(within.low) if isinstance(within, Integers) else None
    return low is not None and low[0] == first[0] == "q" and first[1] * low[2] <= low[1] * first[2]


def _may_be_zero_to_the_zero(node: Tree) -> bool:
    """Whether a power has an exponent that is no number, and a base that is none but zero."""
    return node[0] == "^" and node[2][0] != "q" and (node[1] == ZERO or node[1][0] != "q") and bool(names(node))


@functools.lru_cache(maxsize=1024)
def _doubtful_at(total: Tree, index: int) -> list[Tree]:
    """Such parts of the body of a sum, or product, at one index."""
    return _doubtful(opened(total, rational(index)))


def _met(node: Tree, point: Point) -> Iterator[tuple[str, str]]:
    """Conventions that matter at a point, and where."""
    said = _said(node, point)
    if said is not None:
        at = ", ".join(f"{name} = {point[name]}" for name in sorted(names(node)))
        yield said, f"{to_text(node)} at {at}" if at else to_text(node)
    low, high = (_whole(end, point) for end in node[1:3]) if node[0] in FOLDS else (None, None)
    for index in {low, high} if low is not None and high is not None and low <= high else ():
        for inner in _doubtful_at(node, index):
            yield from _met(inner, point)


def _said(node: Tree, point: Point) -> str | None:
    """The convention that gives a node its value at a point."""
    if node[0] in FOLDS:
        low, high = (_whole(end, point) for end in node[1:3])
        said = "A sum without terms is 0" if node[0] == "sum" else "A product without factors is 1"
        return said if low is not None and high is not None and high < low else None
    if node[0] == "binomial":
        upper, lower = (_whole(part, point) for part in children(node))
        outside = upper is not None and lower is not None and upper >= 0 and not 0 <= lower <= upper
        return "A binomial coefficient outside its row is 0" if outside else None
    if [_whole(part, point) for part in children(node)] == [0, 0]:
        return "0⁰ is 1"
    return None


def _whole(tree: Tree, point: Point) -> int | None:
    """The value of a formula where it is an integer."""
    try:
        value = evaluate(tree, point)
    except Undefined:
        return None
    return int(value.p) if isinstance(value, fmpq) and value.q == 1 else None
