"""Exact points near one at which floating point says equality and nothing decides."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.arithmetic import Exhausted
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.points import Point

_DENOMINATORS = (1, 64, 2**20)


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
