"""Points moved exactly onto the surface that equations between parameters cut out of a domain.

Points drawn from ranges miss every surface. Moving one parameter, or stretching or shifting a vector or a matrix, often
meets it in a rational point. Where none of these does, as on a sphere, a line through a rational point of the surface
does: of two roots the one is rational because the other is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundaudit.checks.language.domain.compound import Vector
from boundaudit.checks.language.domain.integers import Integers
from boundaudit.checks.language.domain.lines import Line, rational_roots, roots, simple, value_at
from boundaudit.checks.language.domain.matrix import Matrix
from boundaudit.checks.language.domain.reals import Reals
from boundaudit.checks.language.expression import Tree, names, subtract, walk
from boundaudit.checks.language.points import Point

if TYPE_CHECKING:
    from boundaudit.checks.language.domain.domain import Domain

_BITS = 16
"""Of a coordinate that moves, so that exact numbers stay short."""
_ENTRIES = 4
"""Entries of a vector that are moved one by one."""
_TRIED = 3
"""Places where an equation holds that are looked at from one start, for the others to hold there too."""


def onto(domain: Domain, equations: Sequence[Tree], point: Point, order: Sequence[str]) -> Point | None:
    """The point, each value in its range, moved as little as will do until equations hold; None if none was found.

    The parameters that may move are tried in order; integers after all others.
    """
    free = [name for name in order if isinstance(domain.ranges[name], (Integers, Matrix, Reals, Vector))]
    free.sort(key=lambda name: isinstance(domain.ranges[name], Integers))
    bound = set().union(*map(names, equations))
    numbers = sorted((name for name in free if isinstance(domain.ranges[name], Reals)), key=bound.__contains__)
    found = (_repaired(domain, there, numbers) for there in _solved(domain, equations, (), free, point))
    return next((there for there in found if there is not None), None)


def _repaired(domain: Domain, point: Point, numbers: Sequence[str]) -> Point | None:
    """The point, with numbers moved to where inequalities that it violates are just met; None beyond the domain."""
    for _ in range(_TRIED):
        if domain.contains(point):
            return point
        gaps = (subtract(above, below) for above, below, strict in domain.sides if not strict)
        violated = next((gap for gap in gaps if (value := value_at(gap, point)) is not None and value < 0), None)
        moved = None if violated is None else next(_met(domain, violated, numbers, point), None)
        if moved is None:
            return None
        point = moved
    return point if domain.contains(point) else None


def within(domain: Domain, point: Point, movable: Sequence[str]) -> Point | None:
    """The point with vectors stretched to where inequalities about sums that it violates are just met, as Σ a ≤ 1."""
    gaps = [subtract(above, below) for above, below, strict in domain.sides if not strict]
    budgets = [gap for gap in gaps if any(node[0] == "sum" for node in walk(gap))]
    for gap in budgets:
        if (here := value_at(gap, start := _shortened(point, movable))) is None or here >= 0:
            continue
        vectors = [name for name in movable if isinstance(domain.ranges[name], Vector) and name in names(gap)]
        lines = (_between({name: _mapped(start[name], lambda _: 0)}, start, [name]) for name in vectors)
        met = (line(step) for line in lines for step in sorted(_steps(gap, line, here)) if 0 < step < 1)
        point = next((found for found in met if value_at(gap, found) == 0), point)
    return point if budgets and domain.contains(point) else None


def _shortened(point: Point, names: Sequence[str]) -> Point:
    """The point with exact numbers of few digits for parameters that move."""
    return {**point, **{name: _mapped(point[name], _short) for name in names}}


def _solved(
    domain: Domain, left: Sequence[Tree], done: tuple[Tree, ...], order: Sequence[str], point: Point
) -> Iterator[Point]:
    """Points at which equations hold, met one after the other, each without leaving those before."""
    if not left:
        yield point
        return
    first, *rest = left
    for found in itertools.islice(_met(domain, first, order, point), _TRIED):
        if found is point or all(value_at(equation, found) == 0 for equation in done):
            yield from _solved(domain, rest, (*done, first), order, found)


def _met(domain: Domain, equation: Tree, order: Sequence[str], point: Point) -> Iterator[Point]:
    """Points near one at which an equation holds."""
    here = value_at(equation, point)
    if here == 0:
        yield point
        return
    spoken_of = names(equation)
    moved = [name for name in order if name in spoken_of]
    start = _shortened(point, moved)
    real = [name for name in moved if not isinstance(domain.ranges[name], Integers)]
    here = here if start == point else value_at(equation, start)
    for line in itertools.chain(_lines(start, moved), _chords(equation, start, real)):
        for step in sorted(_steps(equation, line, here), key=lambda step: abs(step - 1)):
            found = line(step)
            inside = all(domain.ranges[name].contains(found[name], found) for name in moved)
            if inside and value_at(equation, found) == 0:
                yield found


def _steps(equation: Tree, line: Line, here: Fraction | None) -> list[Fraction]:
    """Where an equation may hold on a line, given its value at step 1: everywhere else it does not, up to degree 2."""
    if here is None:
        return []
    zero, minus = (value_at(equation, line(Fraction(step))) for step in (0, -1))
    return [] if zero is None or minus is None else rational_roots(zero, here, minus)


def _lines(point: Point, moved: Sequence[str]) -> Iterator[Line]:
    """A vector or matrix shifted or stretched, or one coordinate moved; each is where it was at step 1."""
    for name in moved:
        if isinstance(value := point[name], tuple):
            yield _between({name: _mapped(value, lambda entry: entry - 1)}, point, [name])
            yield _between({name: _mapped(value, lambda _: 0)}, point, [name])
    for name, place in _coordinates(point, moved):
        yield _between(_put(point, name, place, -1), point, [name])


def _coordinates(point: Point, moved: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """Parameters and entries of vectors; a matrix moves as a whole."""
    for name in moved:
        places = range(min(len(point[name]), _ENTRIES)) if isinstance(point[name], tuple) else (None,)
        yield from ((name, place) for place in places if place is None or not isinstance(point[name][place], tuple))


def _put(point: Point, name: str, place: int | None, by: int) -> Point:
    """The point with one coordinate moved."""
    value = point[name]
    moved = value + by if place is None else (*value[:place], value[place] + by, *value[place + 1 :])
    return {**point, name: moved}


def _chords(equation: Tree, point: Point, moved: Sequence[str]) -> Iterator[Line]:
    """Lines to the point from points of the surface with one coordinate that is not 0."""
    zero = {**point, **{name: _mapped(point[name], lambda _: 0) for name in moved}}
    for name, place in _coordinates(point, moved):
        axis = _between(zero, _put(zero, name, place, 1), [name])
        for step in roots(equation, axis):
            yield _between(axis(step), point, moved)


def _between(start: Point, end: Point, moved: Sequence[str]) -> Line:
    """The line from one point, at step 0, to another, at step 1."""

    def part(low: Any, high: Any, step: Fraction) -> Any:
        if isinstance(low, tuple):
            return tuple(part(*pair, step) for pair in zip(low, high, strict=True))
        return low if low == high else simple(low + step * (Fraction(high) - low))

    def at(step: Fraction) -> Point:
        return {**end, **{name: start[name] if step == 0 else part(start[name], end[name], step) for name in moved}}

    return at


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A number, or a vector or matrix entry by entry, changed."""
    return tuple(_mapped(part, change) for part in value) if isinstance(value, tuple) else change(value)


def _short(number: Any) -> Any:
    """A real as an exact number of few digits; integers as they are."""
    if isinstance(number, float):
        exponent = math.frexp(number)[1]
        return simple(Fraction(round(math.ldexp(number, _BITS - exponent))) * Fraction(2) ** (exponent - _BITS))
    return number
