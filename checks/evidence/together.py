"""Sums of many terms beside small and large numbers, or long vectors that fall: one parameter alone shows nothing.

Σ 1/(1 + λ k²) comes close to π/(2√λ) where λ is small and there are many more than 1/√λ terms: no point at which one of
the two is far out alone shows it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.domain.faces import is_scalar
from boundaudit.checks.language.domain.limits import exact_limit, whole_of
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.long_sums import outer_sums
from boundaudit.checks.language.points import Point

_TERMS = range(5, 15)
"""Powers of two that are numbers of terms, as far as they are not looked at elsewhere."""
_STEPS = [Fraction(10) ** k for k in range(-6, 7)]
"""Distances of the other parameter from an end of its range, or from zero."""

_LENGTHS, _POWERS = (15, 127), (0.5, 1.0)
"""Of vectors that fall, beside the least length."""


def together(claim: Claim) -> Iterator[Point]:
    """Points at which a sum has many terms and a real is small or large; none where a parameter is no number."""
    statement, domain = claim.statement_form, claim.domain
    if statement is None or not is_scalar(domain):
        return
    sums = [total for side in (statement.left, statement.right) for total in outer_sums(side)]
    ended = {name for total in sums for name in names(total[2])}
    counts = {name: of for name, of in domain.ranges.items() if name in ended and isinstance(of, Integers)}
    numbers = {name: of for name, of in domain.ranges.items() if isinstance(of, Reals)}
    for base in itertools.islice(domain.smallest(2), 1):
        for (count, whole), (name, real) in itertools.product(counts.items(), numbers.items()):
            for moves in itertools.product(_counts(whole, base), _sizes(real, base)):
                yield from _placed(claim.domain, base, dict(zip((count, name), moves, strict=True)))


def _counts(found: Integers, base: Point) -> list[int]:
    """So many terms, in geometric steps; none where there is an upper limit."""
    low = whole_of(found.low, base, 1)
    return [low + 2**k for k in _TERMS if found.high is None and low + 2**k > found.tested_to]


def _sizes(found: Reals, base: Point) -> list[Fraction]:
    """Numbers at distances in geometric steps from the end of a range."""
    low, high = exact_limit(found.low, base), exact_limit(found.high, base)
    above = [(low or 0) + step for step in _STEPS] if low is not None or high is None else []
    return [*above, *(high - step for step in _STEPS if high is not None)]


def _placed(domain: Domain, base: Point, moves: Point) -> Iterator[Point]:
    """A point moved so in the order of the parameters: a later one would be brought back by an earlier one's move."""
    point: Point | None = base
    for name in domain.ranges:
        if point is not None and name in moves:
            point = domain.moved(point, name, moves[name])
    if point is not None and domain.contains(point):
        yield point


def shapes(claim: Claim) -> Iterator[Point]:
    """Long vectors whose entries fall like a power of their place: about the worst of what is said of sequences."""
    domain = claim.domain
    vectors = {name: of for name, of in domain.ranges.items() if isinstance(of, Vector)}
    counts = {name: of for name, of in domain.ranges.items() if isinstance(of, Integers) and of.high is None}
    if claim.statement_form is None or not vectors or domain.moves:
        return
    for base in itertools.islice(domain.smallest(2), 1):
        for (count, whole), length in itertools.product(counts.items(), _LENGTHS):
            longer = domain.moved(base, count, whole_of(whole.low, base, 1) + length)
            for power in _POWERS if longer is not None else ():
                fallen = {name: [(1 + k) ** -power for k in range(len(longer[name]))] for name in vectors}
                yield from _placed(
                    domain, longer, {name: vectors[name].inside(fallen[name], longer) for name in vectors}
                )
