"""Points at which a condition of a claim just holds, such as an outcome that meets the threshold of a probability.

Beside such a point a side jumps; points that are drawn miss it, and steps uphill do not see it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.domain.lines import line, roots, value_at
from boundaudit.checks.language.expression import BRANCHES, FOLDS, Tree, children, names, opened, rational
from boundaudit.checks.language.points import Point

_TERMS = 6
"""First terms of a sum whose conditions are looked at."""
_CONDITIONS = 32
"""Conditions that are looked at from one point."""


def thresholds(claim: Claim, points: Sequence[Point]) -> list[Point]:
    """Points of the domain where, one number of a given point moved, a condition in a side just holds.

    Nothing where no side has conditions, or a definition.
    """
    statement = claim.statement_form
    found = [] if statement is None else [
        moved for point in points for side in (statement.left, statement.right)
        for condition in dict.fromkeys(itertools.islice(_conditions(side, point), _CONDITIONS))
        for moved in _met(claim, condition, point)
    ]  # fmt: skip
    return list({tuple(point.items()): point for point in found}.values())


def _conditions(tree: Tree, point: Point) -> Iterator[Tree]:
    """What is compared with zero in a tree; in a sum, in each of its first terms."""
    if tree[0] in BRANCHES:
        yield tree[1]
    if tree[0] not in FOLDS:
        yield from itertools.chain.from_iterable(_conditions(part, point) for part in children(tree))
        return
    low, high = (value_at(end, point) for end in tree[1:3])
    if low is not None and high is not None:
        for term in range(int(low), min(int(high), int(low) + _TERMS - 1) + 1):
            yield from _conditions(opened(tree, rational(term)), point)


def _met(claim: Claim, condition: Tree, point: Point) -> Iterator[Point]:
    """Points at which a condition just holds, a number moved from one of the domain."""
    for name in sorted(names(condition)):
        if isinstance(claim.domain.ranges.get(name), Reals):
            along = line(point, {name: Fraction(1)})
            yield from filter(claim.domain.contains, map(along, roots(condition, along)))
