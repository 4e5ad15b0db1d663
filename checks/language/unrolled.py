"""Vectors and matrices that obey what is said of all indices: an entry in turn is put where earlier ones allow it.

Of v[i + 1] ≤ 2 v[i], the entry v[i + 1] is the last one: once v[i] is known, the relation is a limit of it. So is every
relation that is linear in its last entry, or bounds the size or the square of what is. A recursion is so solved
forward, and no vector is drawn in vain.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from flint import fmpq

from boundaudit.checks.language.arithmetic import Undefined
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.expression import Tree, multiply, rational
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.relations import Entry, instances

_BITS = 64
"""Of a limit that an entry takes as it is; a longer one is rounded to a float within it."""
_STRAIGHT = 1e-9
"""How far from a line three values may be that are rounded."""


@dataclass
class _Limits:
    """Where an entry may lie."""

    low: Any
    high: Any
    open_low: bool = False
    open_high: bool = False

    def cut(self, root: Fraction, *, above: bool, is_open: bool) -> None:
        """Only what lies above a root, or below."""
        if above and (self.low is None or (root, is_open) > (self.low, self.open_low)):
            self.low, self.open_low = root, is_open
        if not above and (self.high is None or (root, not is_open) < (self.high, not self.open_high)):
            self.high, self.open_high = root, is_open

    def fill(self, low: Fraction, high: Fraction) -> None:
        """Where there is no limit, as far as numeric methods look, or as far again as the other one lies beyond."""
        if self.low is None:
            self.low = low if self.high is None or low < self.high else 2 * self.high - high
        if self.high is None:
            self.high = high if high > self.low else 2 * self.low - low

    def hold(self, value: Fraction) -> bool:
        """Whether a value lies within."""
        above = value > self.low or (value == self.low and not self.open_low)
        return above and (value < self.high or (value == self.high and not self.open_high))

    def placed(self, share: float) -> Fraction:
        """A number within: the ends for the outer quarters of what is asked for, else between them."""
        within = min(max(2 * share - 0.5, 0.0), 1.0)
        within = min(max(within, 2.0**-20 if self.open_low else 0.0), 1 - 2.0**-20 if self.open_high else 1.0)
        return self._short(self.low + Fraction(within) * (self.high - self.low))

    def _short(self, value: Fraction) -> Fraction:
        """A number beside a long one that lies within too, where there is one."""
        if value.denominator.bit_length() <= _BITS or self.low == self.high:
            return value
        near = float(value)
        beside = (Fraction(found) for found in (near, math.nextafter(near, -math.inf), math.nextafter(near, math.inf)))
        return next((found for found in beside if self.hold(found)), value)


class _Gap(NamedTuple):
    """An inequality between two sides."""

    small: Tree
    large: Tree
    strict: bool


Ends = Callable[[str, Point], tuple[Fraction | None, Fraction | None, Fraction, Fraction]]
"""From a vector and a point to the limits of its entries, None where there is none, and how far methods look."""


def rolled_out(
    each: Sequence[Entry], vectors: Sequence[str], ends: Ends, point: Point, shares: Callable[[], float] | None = None
) -> Point | None:
    """A point with entries of vectors moved, the first ones first, until what is said of all indices holds.

    ``vectors`` names those whose entries may move, in the order of the parameters; each lies between ``ends``, and is
    put at its share of what is left for it, or, unless ``shares`` is given, as near as may be to where it is. The point
    holds as far as its relations are limits of the last entry that they speak of; None where nothing is left for an
    entry.
    """
    asked: dict[tuple[int, _Place], list[_Gap]] = {}
    last: dict[frozenset[Tree], tuple[int, _Place] | None] = {}
    try:
        for found in each:
            for sign, left, right in instances(found, point):
                for gap in _opened(sign, left, right):
                    sides = frozenset((gap.small, gap.large))
                    if sides not in last:
                        last[sides] = _last(sides, point, vectors)
                    if (entry := last[sides]) is not None:
                        asked.setdefault(entry, []).append(gap)
        moved = dict(point)
        for (vector, place), gaps in sorted(asked.items()):
            name = vectors[vector]
            value = _allowed(ends(name, moved), moved, name, place, gaps, shares)
            if value is None:
                return None
            moved[name] = _put(moved[name], place, value)
    except (Undefined, OverflowError):
        return None
    return moved


_Place = tuple[int, ...]
"""Of an entry in a vector, or of a row and an entry in it, from zero."""


class _Watched(tuple[Any, ...]):
    """The entries of a vector, or the rows of a matrix, noting the places that are read."""

    read: list[_Place]
    before: _Place

    def __new__(cls, entries: Sequence[Any], read: list[_Place], before: _Place = ()) -> _Watched:
        """With the places of what it stands in."""
        made = super().__new__(cls, entries)
        made.read, made.before = read, before
        return made

    def __getitem__(self, index: Any) -> Any:
        found, place = super().__getitem__(index), (*self.before, index)
        if isinstance(found, tuple):
            return _Watched(found, self.read, place)
        self.read.append(place)
        return found


def _last(sides: Iterable[Tree], point: Point, free: Sequence[str]) -> tuple[int, _Place] | None:
    """The last entry of the last vector that may move among those that some sides speak of."""
    read: dict[str, list[_Place]] = {name: [] for name in free}
    watched = {**point, **{name: _Watched(point[name], places) for name, places in read.items()}}
    for side in sides:
        evaluate(side, watched)
    return max(((free.index(name), max(places)) for name, places in read.items() if places), default=None)


def _put(entries: Any, place: _Place, value: Any) -> Any:
    """A vector or matrix with another value at a place."""
    first, *rest = place
    return (*entries[:first], _put(entries[first], tuple(rest), value) if rest else value, *entries[first + 1 :])


def _at(entries: Any, place: _Place) -> Any:
    return functools.reduce(lambda inside, index: inside[index], place, entries)


def _allowed(
    ends: tuple[Fraction | None, Fraction | None, Fraction, Fraction],
    point: Point,
    name: str,
    place: _Place,
    gaps: Sequence[_Gap],
    shares: Callable[[], float] | None,
) -> int | float | Fraction | None:
    """The entry where all gaps are at least 0, or above: as it is, or moved; None where there is no such number."""
    least, most, low, high = ends
    limits = _Limits(least, most)
    tried = [{**point, name: _put(point[name], place, value)} for value in range(4)]
    values = {side: [evaluate(side, at) for at in tried] for gap in gaps for side in gap[:2]}
    for gap in gaps:
        _cut(limits, values[gap.small], values[gap.large], strict=gap.strict)
    limits.fill(low, high)
    here = _at(point[name], place)
    if limits.hold(Fraction(here)) and shares is None:
        return here  # type: ignore[no-any-return]
    if limits.low > limits.high or (limits.low == limits.high and (limits.open_low or limits.open_high)):
        return None
    there = float((Fraction(here) - low) / (high - low)) if low < high else 0.0
    found = limits.placed(there if shares is None else shares())
    return int(found) if found.denominator == 1 else found


def _cut(limits: _Limits, small: Sequence[Any], large: Sequence[Any], *, strict: bool) -> None:
    """Leave of some limits what an inequality allows whose sides at 0, 1, 2, 3 are these: it is linear, or concave."""
    exact = all(isinstance(value, fmpq) for value in (*small, *large))
    values = [_number(more) - _number(less) for more, less in zip(large, small, strict=True)]
    zero, one, two, three = values
    least = Fraction(0) if exact else Fraction(_STRAIGHT) * sum(map(abs, values))
    slope, bent = one - zero, two - 2 * one + zero
    if abs(three - 3 * two + 3 * one - zero) > least:
        return
    if bent < -least:
        middle = slope - bent / 2
        inner = middle * middle - 2 * bent * zero
        top, half = -middle / bent, _root(max(inner, Fraction(0))) / -bent
        limits.cut(top - half + (inner < 0), above=True, is_open=strict)  # nothing is left where there is no root
        limits.cut(top + half, above=False, is_open=strict)
    elif abs(bent) <= least and slope != 0:
        root = -zero / slope
        if not exact:
            root += Fraction(_STRAIGHT) * (abs(root) or 1) * (1 if slope > 0 else -1)
        limits.cut(root, above=slope > 0, is_open=strict)


def _root(value: Fraction) -> Fraction:
    """The square root, or a rational just below it."""
    scale = value.denominator << _BITS
    return Fraction(math.isqrt(value.numerator * value.denominator << 2 * _BITS), scale)


def _number(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else Fraction(float(value))


def _opened(sign: str, left: Tree, right: Tree) -> Iterator[_Gap]:
    """The inequalities that one is: two where the smaller side is an absolute value."""
    small, large = (left, right) if sign[0] == "<" else (right, left)
    inside = [small[1], multiply(rational(-1), small[1])] if small[0] == "abs" else [small]
    yield from (_Gap(part, large, "=" not in sign) for part in inside)
