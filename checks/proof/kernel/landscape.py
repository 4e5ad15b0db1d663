"""What may be claimed about a goal on one box, decided by ball arithmetic alone.

Every rule is one-sided: True is a proof, at flint's present precision; False says nothing.
The rules speak about all points of the box at which the goal is defined.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from flint import arb, fmpq

from boundaudit.checks.language.algebra.normal_form import vanishes
from boundaudit.checks.language.arithmetic import Ball, Undefined, evaluate
from boundaudit.checks.language.expression import Tree, names, substitute
from boundaudit.checks.proof.kernel.differentiate import NotDifferentiable, derivative

Interval: TypeAlias = "tuple[fmpq, fmpq]"
Box: TypeAlias = dict[str, Interval]

_INCONCLUSIVE = (Undefined, NotDifferentiable)
_vanishes = functools.lru_cache(maxsize=256)(vanishes)


def midpoint(box: Box) -> dict[str, fmpq]:
    """The centre of a box."""
    return {name: (low + high) / 2 for name, (low, high) in box.items()}


def balls(box: Box) -> dict[str, Ball]:
    """A box as a point whose coordinates are balls; exact rationals where the box has no width."""
    return {name: low if low == high else arb(low).union(arb(high)) for name, (low, high) in box.items()}


def certainly_semidefinite(matrix: Sequence[Sequence[Ball]]) -> bool:
    """Whether every symmetric matrix within a matrix of balls is positive semidefinite."""
    # Elimination on balls contains that of each matrix; its pivots must be positive, the last one non-negative.
    rest = [list(row) for row in matrix]
    while len(rest) > 1:
        (pivot, *top), *lower = rest
        if not pivot > 0:
            return False
        rest = [[x - row[0] * t / pivot for x, t in zip(row[1:], top, strict=True)] for row in lower]
    return not rest or bool(rest[0][0] >= 0)


class Landscape:
    """The goal of a statement, strict where it has to be positive; each derivative is made once."""

    def __init__(self, goal: Tree, *, strict: bool = False) -> None:
        self.goal = goal
        self.strict = strict
        self.slope = functools.cache(functools.partial(derivative, goal))
        self._curvature = functools.cache(lambda a, b: derivative(self.slope(a), b))

    def axes(self, box: Box) -> list[str]:
        """The parameters that occur in the goal and vary on the box, sorted."""
        return sorted(name for name in names(self.goal) if box[name][0] != box[name][1])

    def _hessian(self, axes: Sequence[str], point: Mapping[str, Ball]) -> list[list[Ball]]:
        """The symmetric matrix of second derivatives, enclosed over a point or a box of balls."""
        entries = {(a, b): evaluate(self._curvature(a, b), point) for a in axes for b in axes if a >= b}
        return [[entries[max(a, b), min(a, b)] for b in axes] for a in axes]

    def by_ball(self, box: Box) -> bool:
        """Whether the goal's ball over the box is certainly non-negative, or positive where it has to be."""
        try:
            value = evaluate(self.goal, balls(box))
            return bool(value > 0 if self.strict else value >= 0)
        except Undefined:
            return False

    def by_mean_value(self, box: Box) -> bool:
        """Whether the Taylor form of second order around the midpoint is certainly non-negative."""
        # With radii r, midpoint value f, slopes g and the enclosure H of the second derivatives over the box,
        # the goal is at least f - Σ|g_i| r_i + d'Hd/2 for some |d_i| ≤ r_i. Let the first two terms leave
        # the slack s ≥ 0. Scaled by the radii, d'Hd/2 ≥ -s on the box as soon as rHr + (2s/n) I is positive
        # semidefinite. (Our derivation.)
        axes, centre = self.axes(box), midpoint(box)
        radius = {name: (box[name][1] - box[name][0]) / 2 for name in axes}
        try:
            slopes = (abs(arb(evaluate(self.slope(name), centre))) * radius[name] for name in axes)
            slack = evaluate(self.goal, centre) - sum(slopes, fmpq(0))
            if not axes or not slack >= 0:
                return False
            point = balls(box)
            evaluate(self.goal, point)
            rows = self._hessian(axes, point)
        except _INCONCLUSIVE:
            return False
        lift = 2 * slack / len(axes)
        for a, row in zip(axes, rows, strict=True):
            row[:] = [h * radius[a] * radius[b] + lift * (a == b) for h, b in zip(row, axes, strict=True)]
        return certainly_semidefinite(rows)

    def by_touch(self, box: Box, point: Mapping[str, Tree]) -> bool:
        """Whether the goal, zero at an exact point, rises from there over the box."""
        # On the hull of box and point every axis is of one of two kinds. Where the box lies on one side of
        # the point and the slope certainly never falls in that direction, moving along the axis keeps the
        # goal up. On the other axes the slope vanishes at the point and the second derivatives are
        # positive semidefinite. From the point to any place of the box one moves along the axes of the
        # second kind together, then along those of the first. (Our derivation.)
        try:
            zero = {name: point[name] for name in names(self.goal)}
            start = {name: evaluate(tree, {}) for name, tree in zero.items()}
            hull = {name: _hull(box[name], start[name]) for name in zero}
            evaluate(self.goal, hull)
            moving = sorted(name for name in zero if not box[name][0] == box[name][1] == start[name])
            flat = [name for name in moving if not self._rises(name, box[name], start[name], hull)]
            if not certainly_semidefinite(self._hessian(flat, hull)):
                return False
        except _INCONCLUSIVE:
            return False
        return all(_vanishes(substitute(tree, zero)) for tree in (self.goal, *map(self.slope, flat)))

    def _rises(self, name: str, side: Interval, start: Ball, hull: Mapping[str, Ball]) -> bool:
        slope = evaluate(self.slope(name), hull)
        return bool((start <= side[0] and slope >= 0) or (start >= side[1] and slope <= 0))


def _hull(side: Interval, start: Ball) -> Ball:
    return side[0] if side[0] == side[1] == start else arb(side[0]).union(arb(side[1])).union(arb(start))
