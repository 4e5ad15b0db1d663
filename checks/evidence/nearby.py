"""Exact points of a domain near one in floating point: where equality is open there, and where a swarm has come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.arithmetic import Exhausted
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.domain.faces import along
from boundaudit.checks.language.points import Point

_DENOMINATORS = (1, 64, 2**20)
_SIMPLE = (1, 12, 1000, 2**24)


def exact_neighbours(domain: Domain, point: Point) -> Iterator[Point]:
    """At most three points of a domain with small denominators, near a given one, while the `effort` around lasts."""
    with suppress(Exhausted):
        for most in _DENOMINATORS:
            near = {name: _rounded(value, most) for name, value in point.items()}
            if near != point and domain.contains(near):
                yield near


def _rounded(value: Any, most: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(entry, most) for entry in value)
    return Fraction(value).limit_denominator(most) if isinstance(value, float) else value


def made_exact(domain: Domain, row: Point, known: Sequence[Point], thorough: bool) -> Iterator[Point]:
    """Exact points of a domain at a row of floats or close to it: one, or all that are simple, where that matters."""
    plain = {name: _number(domain, name, value) for name, value in row.items()}
    inside = domain.contains(plain)
    if inside:
        yield plain
    if inside and not thorough:
        return
    for most in _SIMPLE if thorough else _SIMPLE[-1:]:
        near = {name: _rounded_real(domain, name, value, most) for name, value in plain.items()}
        if domain.contains(near):
            yield near
        elif not inside:
            yield from _beside(domain, near, known)


def _rounded_real(domain: Domain, name: str, value: Any, most: int) -> Any:
    if not isinstance(domain.ranges[name], Reals):
        return value
    simple = Fraction(value).limit_denominator(most)
    return int(simple) if simple.denominator == 1 else simple


def _number(domain: Domain, name: str, value: float) -> Any:
    """A float as a value of its parameter."""
    found = domain.ranges[name]
    if isinstance(found, Choices):
        exact = min(found.values.values(), key=lambda known: abs(float(known) - value))
        return int(exact) if exact.denominator == 1 else exact
    return int(value) if isinstance(found, Integers) else value


def _beside(domain: Domain, near: Point, known: Sequence[Point]) -> Iterator[Point]:
    """Points of the domain close to one that a hypothesis excludes by a little."""
    real = [name for name, found in domain.ranges.items() if isinstance(found, Reals)]
    lines = [(near, {name: Fraction(1)}) for name in real]
    if known:
        base = min(known, key=lambda point: sum(point[name] != near[name] for name in near if name not in real))
        ray = {name: Fraction(near[name]) - Fraction(base[name]) for name in real}
        lines.append((base, {name: by for name, by in ray.items() if by}))
    for start, direction in lines:
        met = [found for found in along(domain, start, direction) if _distance(found, near) < 1e-2] if direction else []
        if met:
            yield min(met, key=lambda found: _distance(found, near))


def _distance(one: Point, other: Point) -> float:
    """How far two points are apart, each parameter relative to its size."""
    return max(abs(float(one[name]) - float(value)) / (1 + abs(float(value))) for name, value in other.items())
