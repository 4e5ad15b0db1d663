"""Whether a claim certainly holds at a point: by the definitions of its sides, or by what encloses a measured one."""

from __future__ import annotations

import numbers
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from boundaudit import InputError
from boundaudit.checks.evidence.evidence import HOLDS, Witness, confirm, decimal, holds_at
from boundaudit.checks.language.arithmetic import Exhausted
from boundaudit.checks.language.balls import Ball, Undefined, evaluate, precision
from boundaudit.checks.language.claim import Claim, Quantity, definition
from boundaudit.checks.language.compare import PRECISIONS, ball_sign
from boundaudit.checks.language.measuring import called
from boundaudit.checks.language.points import Point


def is_decidable(claim: Claim) -> bool:
    """Whether something rigorous can be said about a claim at a point: each side has a definition or an enclosure."""
    return claim.statement_form is not None or all(
        definition(side) is not None or getattr(side, "enclosure", None) is not None
        for side in (claim.left, claim.right)
    )


def certainly_holds(claim: Claim, point: Point) -> bool | None:
    """Whether a claim certainly holds at an exact point; None where nothing decides within the `effort` around."""
    if claim.statement_form is not None:
        return holds_at(claim.statement_form, point)
    sides = _enclosed(claim, point)
    if sides is None:
        return None
    with precision(PRECISIONS[-1]):
        sign = ball_sign(sides[0] - sides[1])
    return None if sign is None else sign in HOLDS[claim.relation]


_AGREE = 1000
"""Bits to which sides agree that differ by nothing that floating point could have seen."""


def nearly_equal(claim: Claim, point: Point) -> bool:
    """Whether the definitions of both sides certainly agree to hundreds of digits at an exact point."""
    statement = claim.statement_form
    if statement is None:
        return False
    try:
        with precision(PRECISIONS[-1]):
            return bool(arb(evaluate(statement.goal, point)).abs_upper() < arb(2) ** -_AGREE)
    except (Undefined, Exhausted):
        return False


def counterexample(claim: Claim, point: Point, order: str | None = None) -> Witness | None:
    """Evaluate a violation again where rounding cannot fake it.

    None where the point is not certainly in the domain, or the violation not certain, or not within the `effort`
    around. ``order`` is the one in which the point is the smallest counterexample, if any.
    """
    try:
        inside = claim.domain.contains(point)
        if claim.statement_form is not None:
            return confirm(claim.statement_form, point, inside, order)
    except Exhausted:
        return None
    if inside is not True or certainly_holds(claim, point) is not False:
        return None
    sides = _enclosed(claim, point)
    assert sides is not None
    with precision(PRECISIONS[-1]):
        return Witness(point, decimal(sides[0]), decimal(sides[1]), order)


def _enclosed(claim: Claim, point: Point) -> tuple[Ball, Ball] | None:
    """Balls that hold the sides; None where one of them has neither a definition nor an enclosure."""
    if not is_decidable(claim):
        return None
    try:
        with precision(PRECISIONS[-1]):
            return _ball(claim, "left", point), _ball(claim, "right", point)
    except Undefined:
        return None


def _ball(claim: Claim, name: str, point: Point) -> Ball:
    side = getattr(claim, name)
    tree = definition(side)
    return evaluate(tree, point) if tree is not None else _between(side, f"{claim.label}.{name}.enclosure", point)


def _between(side: Quantity, field: str, point: Point) -> arb:
    """The ball that an author's enclosure gives."""
    assert side.enclosure is not None
    give = side.enclosure
    ends = list(called(side, lambda: [_exact(end) for end in give(point)]))
    if len(ends) != 2 or None in ends or not arb(ends[0]).lower() <= arb(ends[1]).upper():
        raise InputError(field, "two exact numbers or balls, the smaller first", ends, "correct the enclosure")
    return arb(ends[0]).union(arb(ends[1]))


def _exact(value: Any) -> Ball | None:
    """An end as an exact number or a ball; None where it is neither, or infinite."""
    if isinstance(value, (arb, fmpq)):
        return value if isinstance(value, fmpq) or value.is_finite() else None
    try:
        exact = Fraction(value) if isinstance(value, (numbers.Rational, float)) else None
    except (ValueError, OverflowError):
        return None
    return None if exact is None else fmpq(exact.numerator, exact.denominator)
