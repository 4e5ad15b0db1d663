"""Stationary points to a hundred digits: a violation there may be too narrow for any float to lie in it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from boundaudit.checks.evidence.batch import Looked, decided_by
from boundaudit.checks.evidence.counterexample import counterexample
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.statement import Statement

BITS = 1500
STEPS = (24, 48, 96, 192, 384)
"""Newton's steps, each with a difference quotient over 2^-k; the error of each is the square of the one before."""
CLOSE = 1e-4
"""How close to equality, relative to the larger side, a point must be for a stationary point to matter."""


def refine(claim: Claim, statement: Statement, points: Sequence[Point]) -> Looked:
    """Move points that nearly touch equality to the stationary point beside them, along one real after the other."""
    for looked, point in enumerate(points, 1):
        for name, found in claim.domain.ranges.items():
            if isinstance(found, Reals):
                point = {**point, name: _newton(statement.goal, point, name)}
        witness = counterexample(claim, point)
        if witness is not None:
            return Looked(claim, decided_by(witness), count=looked)
    return Looked(claim, count=len(points))


def _newton(goal: Tree, point: Point, name: str) -> Fraction:
    """Where the derivative vanishes near a point, as a rational; the point's own value where it goes astray."""
    start = here = Fraction(point[name])
    try:
        with precision(BITS):
            for bits in STEPS:
                step = Fraction(1, 2**bits)
                below, at, above = (arb(evaluate(goal, {**point, name: here + k * step})) for k in (-1, 0, 1))
                bend = above - 2 * at + below
                if not (bend > 0 or bend < 0):
                    return start
                here -= step / 2 * _nearest(arb(above - below) / bend, bits)
    except (Undefined, ZeroDivisionError):
        return start
    return here if abs(here - start) <= max(Fraction(1), abs(start)) / 100 else start


def _nearest(value: arb, bits: int) -> Fraction:
    """A ball's middle, to so many more bits than Newton's step can be right."""
    scaled = (value.mid() * arb(2) ** (2 * bits)).floor().unique_fmpz()
    if scaled is None:
        raise Undefined("no certain middle")
    return Fraction(int(scaled), 2 ** (2 * bits))
