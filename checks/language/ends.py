"""Sums with ends that are no integers: what is meant by a sum up to n/2, only its author knows."""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.expression import FOLDS, Tree, children, is_closed, names, walk
from boundaudit.checks.language.text import to_text

_LOOKED_AT = 64
_WHOLE = ("floor", "b", "+", "*", "max", "min")


def broken_end(tree: Tree, domain: Domain) -> str | None:
    """An end of a sum that is no integer at some point of a domain, its value and the point; None if none was met."""
    doubtful = [end for end in _ends(tree) if not _is_whole(end, domain)]
    for point in domain.grid(_LOOKED_AT) if doubtful else ():
        for end in doubtful:
            if not names(end) <= set(point):
                continue
            try:
                value = evaluate(end, point)
            except Undefined:
                continue
            if isinstance(value, fmpq) and value.q != 1:
                at = ", ".join(f"{name} = {point[name]}" for name in sorted(names(end)))
                return f"{to_text(end)}, which is {value} at {at}"
    return None


def _ends(tree: Tree) -> Iterator[Tree]:
    yield from (end for node in walk(tree) if node[0] in FOLDS for end in node[1:3] if is_closed(end))


def _is_whole(tree: Tree, domain: Domain) -> bool:
    """Whether a tree is an integer by what it is made of."""
    if tree[0] == "q":
        return bool(tree[2] == 1)
    if tree[0] == "v":
        return isinstance(domain.ranges.get(tree[1]), Integers)
    return tree[0] == "floor" or (tree[0] in _WHOLE and all(_is_whole(part, domain) for part in children(tree)))
