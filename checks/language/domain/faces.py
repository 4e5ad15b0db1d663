"""Points at which hypotheses bind: corners of a domain, and where lines through it meet what bounds it.

Where relations leave next to nothing of the ranges, such as the surface of a sphere, points drawn from the ranges miss
it. On a line every relation of first or second degree is a polynomial that its values at a few places give, and its
roots are rational where one of them is known to be: so that exact points are found on surfaces too.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from boundaudit.checks.language.balls import Undefined
from boundaudit.checks.language.domain.choices import Choices
from boundaudit.checks.language.domain.integers import Integers
from boundaudit.checks.language.domain.limits import Empty, exact_limit, tree_of
from boundaudit.checks.language.domain.lines import line, roots, simple
from boundaudit.checks.language.domain.reals import Reals
from boundaudit.checks.language.expression import Tree, names, subtract
from boundaudit.checks.language.floats import Array, evaluate_float, size_of
from boundaudit.checks.language.points import Point, columns

if TYPE_CHECKING:
    from boundaudit.checks.language.domain.domain import Domain

SIMPLE = (0, 1, -1, 2, Fraction(1, 2), 3, -2, Fraction(1, 3), Fraction(-1, 2), 4, -3, Fraction(2, 3), Fraction(3, 2),
          Fraction(1, 4), 5, Fraction(3, 4), 10, -4, Fraction(-1, 3), Fraction(1, 10), 6, -5, 8, -10)  # fmt: skip
"""What a parameter is at a corner, besides the ends of its range: the simplest numbers first."""
_LISTED = 1024
"""Products of such values that are looked at."""
_SOURCES = 8
"""Points from which lines along the axes are followed to where relations bind."""
_NEARLY = 1e-9


def is_scalar(domain: Domain) -> bool:
    """Whether all parameters are numbers."""
    return all(isinstance(found, (Integers, Reals, Choices)) for found in domain.ranges.values())


def slacks(domain: Domain) -> list[Tree]:
    """What binds a domain: distances to the ends of ranges, and differences of related sides, of alternatives too."""
    found = []
    for name, range_ in domain.ranges.items():
        if isinstance(range_, (Integers, Reals)):
            low, high = tree_of(range_.low), tree_of(range_.high)
            found += [] if low is None else [subtract(("v", name), low)]
            found += [] if high is None else [subtract(high, ("v", name))]
    return found + list(dict.fromkeys(slack for piece in domain.pieces for slack in related(piece)))


def related(domain: Domain) -> list[Tree]:
    """The differences of sides that the relations say are not negative."""
    return [subtract(above, below) for above, below, _ in domain.sides]


@functools.lru_cache(maxsize=64)
def corners(domain: Domain, most: int) -> tuple[Point, ...]:
    """At most so many distinct points of a domain of numbers at ends, simple numbers, and where a relation binds."""
    listed = list(itertools.islice(_products(domain, {}, list(domain.ranges)), _LISTED))
    if not listed:
        return ()
    inside = np.flatnonzero(nearly_inside(domain, listed))
    kept = [point for point in (listed[i] for i in _spread(inside, most)) if domain.related(point)]
    if domain.where:
        # A simple point just outside has points beside it at which what excludes it binds.
        sources = (*kept[:_SOURCES], *(listed[i] for i in _spread(np.arange(len(listed)), 2 * _SOURCES)))
        beside = (along(domain, point, {name: Fraction(1)}) for point in sources for name in domain.ranges)
        kept = [*itertools.chain.from_iterable(itertools.islice(found, 3) for found in beside), *kept]
    return tuple({tuple(point.values()): point for point in kept}.values())[:most]


def _spread(places: Any, most: int) -> list[int]:
    """Some of the places in their order, the first ones among them."""
    half = most // 2
    rest = places[half:]
    return [int(i) for i in (*places[:half], *rest[:: max(1, -(-len(rest) // max(half, 1)))])]


def _products(domain: Domain, point: Point, rest: Sequence[str]) -> Iterator[Point]:
    """Every combination of the special values, the simplest first."""
    if not rest:
        yield point
        return
    many = max(2, int(_LISTED ** (1 / len(domain.ranges))))
    for value in itertools.islice(special(domain, rest[0], point), many):
        yield from _products(domain, {**point, rest[0]: value}, rest[1:])


def special(domain: Domain, name: str, point: Mapping[str, Any]) -> Iterator[Any]:
    """The ends of a parameter's range and the simple numbers in it, exact, given the earlier parameters."""
    found = domain.ranges[name]
    if isinstance(found, Choices):
        yield from found.grid(point)
        return
    assert isinstance(found, (Integers, Reals))
    try:
        ends = [exact_limit(found.low, point), exact_limit(found.high, point)]
        listed = [*ends, *SIMPLE] if None in ends else [*ends, sum(ends) / 2, *SIMPLE]  # type: ignore[arg-type]
        for value in dict.fromkeys(Fraction(value) for value in listed if value is not None):
            if found.contains(value, point):
                yield int(value) if value.denominator == 1 else value
    except (Empty, Undefined):
        return


def nearly_inside(domain: Domain, points: Sequence[Point]) -> Array:
    """Which of n points satisfy the relations, shape (n,): in floats, only what is well beyond one does not."""
    inside = np.ones(len(points), dtype=bool)
    table = columns(points)
    for slack in related(domain):
        with np.errstate(invalid="ignore"):
            inside &= ~(evaluate_float(slack, table) < -_NEARLY * size_of(slack, table))
    return inside


def vanishing(domain: Domain, trees: Sequence[Tree], points: Sequence[Point]) -> Iterator[Point]:
    """Where an expression without sums, such as a denominator, vanishes as one parameter moves from some points."""
    for tree, point in itertools.product(trees, points):
        for name in sorted(names(tree) & set(domain.ranges)):
            for step in roots(tree, line(point, {name: Fraction(1)})):
                for found in _moved(domain, point, {name: Fraction(1)}, step):
                    if domain.contains(found):
                        yield found


def along(domain: Domain, point: Point, direction: Mapping[str, Fraction]) -> Iterator[Point]:
    """Where a line from an exact point, in the domain or not, meets what bounds a domain, and half way between."""
    touched = [slack for slack in _slacks(domain) if names(slack) & set(direction)]
    steps = sorted({step for slack in touched for step in roots(slack, line(point, direction))})
    middles = [(low + high) / 2 for low, high in itertools.pairwise(steps)]
    outer = [steps[0] - 1, steps[-1] + 1] if steps else []
    for step in (*steps, *middles, *outer):
        for found in _moved(domain, point, direction, step):
            if domain.contains(found):
                yield found


@functools.lru_cache(maxsize=64)
def _slacks(domain: Domain) -> tuple[Tree, ...]:
    return tuple(slacks(domain))


def _moved(domain: Domain, point: Point, direction: Mapping[str, Fraction], step: Fraction) -> Iterator[Point]:
    """The point so far along a line; where an integer moves, the ones beside it."""
    whole = [name for name in direction if not isinstance(domain.ranges[name], Reals)]
    steps = {Fraction(math.floor(step)), Fraction(math.ceil(step))} if whole else {step}
    for s in sorted(steps):
        yield line(point, direction)(s)


_TRIED = 4
"""Lines for each point that is wanted, and no more: what they miss stays away."""


def scattered(domain: Domain, count: int, generator: np.random.Generator) -> list[Point]:
    """At most so many distinct points, on random lines through corners, of a domain that ranges' points seldom meet."""
    seeds = corners(domain, 64)
    real = [name for name, found in domain.ranges.items() if isinstance(found, Reals)]
    kept: dict[Any, Point] = {tuple(point.values()): point for point in seeds}
    for _ in range(_TRIED * count if seeds and real else 0):
        if len(kept) >= count:
            break
        seed = seeds[int(generator.integers(len(seeds)))]
        met = list(along(domain, seed, _direction(real, generator)))
        if met:
            found = _between(domain, met, generator)
            kept.setdefault(tuple(found.values()), found)
    return list(kept.values())[:count]


def _direction(real: Sequence[str], generator: np.random.Generator) -> dict[str, Fraction]:
    """A direction with small rational entries, along some of the axes."""
    chosen = [name for name in real if generator.random() < 0.7] or [real[int(generator.integers(len(real)))]]
    entries = generator.integers(-32, 33, len(chosen))
    scale = 10.0 ** generator.uniform(-2, 1, len(chosen)) if generator.random() < 0.3 else np.ones(len(chosen))
    return {
        name: Fraction(int(entry) or 1, 8) * Fraction(size).limit_denominator(100)
        for name, entry, size in zip(chosen, entries, map(float, scale), strict=True)
    }


def _between(domain: Domain, met: Sequence[Point], generator: np.random.Generator) -> Point:
    """One of the points of a line, or one between two of them."""
    first, second = (met[int(generator.integers(len(met)))] for _ in range(2))
    share = Fraction(int(generator.integers(1, 32)), 32)
    inner = {
        name: simple(first[name] + share * (Fraction(second[name]) - first[name])) if first[name] != second[name]
        else first[name]
        for name in first
    }  # fmt: skip
    return inner if domain.contains(inner) else first
