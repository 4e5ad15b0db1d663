"""Intervals of the extended real line with open or closed ends, in exact rational arithmetic.

They tell the sign of an expression from the ranges of its parameters. Openness
counts: the product of two numbers in (0, ∞) is positive, not merely non-negative.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq

from boundaudit.checks.language.arithmetic import Ball, precision

End: TypeAlias = "Fraction | float"
_LARGEST_EXPONENT = 512
_BITS = 128


@dataclass(frozen=True)
class Range:
    """All reals between two ends; an infinite end is ``±math.inf``."""

    low: End = -math.inf
    high: End = math.inf
    low_open: bool = False
    high_open: bool = False

    @property
    def positive(self) -> bool:
        """Whether every number of the range is > 0."""
        return self.low > 0 or (self.low == 0 and self.low_open)

    @property
    def nonnegative(self) -> bool:
        """Whether every number of the range is ≥ 0."""
        return self.low >= 0

    @property
    def nonzero(self) -> bool:
        """Whether the range avoids 0."""
        return self.positive or (-self).positive

    def __neg__(self) -> Range:
        return Range(-self.high, -self.low, self.high_open, self.low_open)

    def __mul__(self, other: Range) -> Range:
        products = [_end_product(a, b) for a in self._ends() for b in other._ends()]
        # Among equal products an attained one wins: only what is certainly missed is open.
        low = min(products)
        high = max((value, not is_open) for value, is_open in products)
        return Range(low[0], high[0], low[1], not high[1])

    def __pow__(self, exponent: int) -> Range:
        """The power with a non-negative integer exponent; an even one is never negative."""
        if exponent > _LARGEST_EXPONENT:
            return Range(Fraction(0)) if self.nonnegative else Range()
        result = functools.reduce(operator.mul, [self] * exponent) if exponent else exactly(1)
        if exponent % 2 == 0 and exponent and not self.nonnegative and not (-self).nonnegative:
            return Range(Fraction(0), result.high, False, result.high_open)
        return result

    def reciprocal(self) -> Range:
        """The range of 1/x; the whole line where the range holds 0."""
        if (-self).positive:
            return -((-self).reciprocal())
        if not self.positive:
            return Range()
        high = 1 / self.low if self.low != 0 else math.inf
        low = Fraction(1) / self.high if self.high != math.inf else Fraction(0)
        return Range(low, high, self.high == math.inf or self.high_open, self.low_open)

    def increasing(self, function: Callable[[arb], arb]) -> Range:
        """The image under an increasing function, rounded outwards; an exact end keeps its openness."""
        low, low_exact = _image(self.low, function, -1)
        high, high_exact = _image(self.high, function, 1)
        return Range(low, high, self.low_open and low_exact, self.high_open and high_exact)

    def at_least(self, low: Fraction, *, is_open: bool = False) -> Range:
        """The range cut at a lower end."""
        cut = max((self.low, self.low_open), (low, is_open))
        return Range(cut[0], self.high, cut[1], self.high_open)

    def _ends(self) -> tuple[tuple[End, bool], tuple[End, bool]]:
        return (self.low, self.low_open), (self.high, self.high_open)


def exactly(value: Fraction | int) -> Range:
    """The range of a single number."""
    return Range(Fraction(value), Fraction(value))


def from_ball(ball: Ball) -> Range:
    """A range with rational ends that contains a ball."""
    if isinstance(ball, fmpq):
        return exactly(Fraction(int(ball.p), int(ball.q)))
    with precision(_BITS):
        low, high = ball.lower(), ball.upper()
    return Range(_rational_end(low, -1), _rational_end(high, 1))


def _end_product(a: tuple[End, bool], b: tuple[End, bool]) -> tuple[End, bool]:
    """The product of two ends, and whether it is missed; an attained 0 makes an attained product."""
    if a[0] == 0 or b[0] == 0:
        attained = (a[0] == 0 and not a[1]) or (b[0] == 0 and not b[1])
        return Fraction(0), not attained
    if isinstance(a[0], float) or isinstance(b[0], float):
        return math.inf if (a[0] > 0) == (b[0] > 0) else -math.inf, a[1] or b[1]
    return a[0] * b[0], a[1] or b[1]


def _image(end: End, function: Callable[[arb], arb], direction: int) -> tuple[End, bool]:
    """The image of one end rounded away from the range, and whether it is exact; infinite where there is none."""
    if isinstance(end, float):
        return direction * math.inf, False
    with precision(_BITS):
        value = function(arb(fmpq(end.numerator, end.denominator)))
        rounded = value.lower() if direction < 0 else value.upper()
    return _rational_end(rounded, direction), bool(value.is_finite() and value.is_exact())


def _rational_end(bound: arb, direction: int) -> End:
    """An exact ball as a rational; beyond a sensible magnitude, something coarser on the same side."""
    if not bound.is_finite():
        return direction * math.inf
    mantissa, exponent = (int(part) for part in bound.man_exp())
    if exponent > _LARGEST_EXPONENT:
        return direction * math.inf if mantissa * direction > 0 else -direction * Fraction(2) ** _LARGEST_EXPONENT
    if exponent < -_LARGEST_EXPONENT:
        return Fraction(0) if mantissa * direction <= 0 else direction * Fraction(1, 2 ** (_LARGEST_EXPONENT // 2))
    return Fraction(mantissa) * Fraction(2) ** exponent
