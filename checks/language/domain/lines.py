"""Where an expression vanishes on a line of points: exactly, where it is a polynomial of at most second degree."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

from flint import fmpq

from boundaudit.checks.language.balls import Undefined, evaluate
from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.points import Point

Line: TypeAlias = Callable[[Fraction], Point]
"""The point so far along a line; 0 is where it starts."""

_PLACES = tuple(map(Fraction, (0, 1, -1, 2)))
_ROOT_BITS = 40
"""Bits of a root that is not rational."""


def line(point: Point, direction: Mapping[str, Fraction]) -> Line:
    """The line from a point in a direction, given by parameter."""
    return lambda step: {**point, **{name: simple(Fraction(point[name]) + step * by) for name, by in direction.items()}}


def value_at(tree: Tree, point: Point) -> Fraction | None:
    """The value of an expression at a point; None where there is none, or an irrational one."""
    try:
        value = evaluate(tree, point)
    except Undefined:
        return None
    return Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else None


def roots(tree: Tree, along: Line) -> list[Fraction]:
    """The steps on a line at which an expression vanishes; rationals on both sides of a root that is not rational.

    No step where four values lie on no parabola.
    """
    values: list[Fraction] = []
    for place in _PLACES:
        value = value_at(tree, along(place))
        if value is None:
            return []
        values.append(value)
    *three, two = values
    a, b, c = _parabola(*three)
    return _vanishing(a, b, c, _square_roots) if 4 * a + 2 * b + c == two else []


def rational_roots(zero: Fraction, one: Fraction, minus: Fraction) -> list[Fraction]:
    """Where the parabola through the values at steps 0, 1 and -1 vanishes, as far as these steps are rational."""
    return _vanishing(*_parabola(zero, one, minus), _square_root)


def _parabola(zero: Fraction, one: Fraction, minus: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The coefficients a, b and c of a t² + b t + c with these values at 0, 1 and -1."""
    return (one + minus) / 2 - zero, (one - minus) / 2, zero


def _vanishing(a: Fraction, b: Fraction, c: Fraction, root: Callable[[Fraction], list[Fraction]]) -> list[Fraction]:
    """Where a t² + b t + c is 0, given square roots."""
    if a == 0:
        return [] if b == 0 else [-c / b]
    inner = b * b - 4 * a * c
    return [] if inner < 0 else [(sign * found - b) / (2 * a) for found in root(inner) for sign in (-1, 1)]


def _square_root(value: Fraction) -> list[Fraction]:
    """The root of a rational, where it is one."""
    p, q = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return [Fraction(p, q)] if p * p == value.numerator and q * q == value.denominator else []


def _square_roots(value: Fraction) -> list[Fraction]:
    """The root of a rational, or rationals just below and above it."""
    if exact := _square_root(value):
        return exact
    scale = 1 << _ROOT_BITS
    low = math.isqrt(value.numerator * value.denominator * scale * scale)
    return [Fraction(low + above, value.denominator * scale) for above in (0, 1)]


def simple(value: Fraction) -> int | Fraction:
    """A whole fraction as an integer, another one as it is."""
    return int(value) if value.denominator == 1 else value
