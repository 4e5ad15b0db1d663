"""Both sides of a claim on a batch of points, and which points are suspects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boundaudit.checks.claim import Claim, Quantity, side_values
from boundaudit.checks.evidence import Witness, Worst, confirm, holds_at
from boundaudit.checks.expression import Array, evaluate_float
from boundaudit.checks.points import Point, columns
from boundaudit.checks.translate import to_tree

RECHECKED = 500
"""The most points of one batch that go to ball arithmetic."""


@dataclass(frozen=True)
class Batch:
    """Points with both sides measured, shape (n,) each."""

    claim: Claim
    points: Sequence[Point]
    left: Array
    right: Array

    @classmethod
    def measure(cls, claim: Claim, points: Sequence[Point], device: str) -> Batch:
        """Measure both sides once.

        Returns:
            The batch.
        """
        left = side_values(claim.left, points, device)
        return cls(claim, points, left, side_values(claim.right, points, device))

    @property
    def excess(self) -> Array:
        """How far each point is beyond the claim, relative to the larger side.

        Positive where violated, within the rounding budget of zero where equal, -inf where a side has no value.
        """
        return excess(self.claim.relation, self.left, self.right, self.claim.scale)

    def worst(self) -> Worst | None:
        """The point closest to a violation, or furthest beyond.

        Returns:
            None for an empty batch or one without values.
        """
        if not len(self.points) or not np.isfinite(self.excess).any():
            return None
        i = int(np.argmax(self.excess))
        return Worst(self.points[i], float(self.left[i]), float(self.right[i]))

    def suspects(self) -> Array:
        """Indices of the points that floating point cannot clear, in the order given.

        Returns:
            Points beyond the claim, or within the error budget of equality; an identity holds within the budget.
        """
        budget = self.claim.rounding
        threshold = budget if self.claim.relation == "=" else -budget
        return np.flatnonzero(self.excess > threshold)

    def decide(self, order: str | None = None) -> tuple[Witness | None, int]:
        """Send the suspects to ball arithmetic, which decides.

        A point that was measured beyond its error budget and that ball arithmetic clears is no clearance: there the
        measurement and its definition disagree, and it counts as undecided.

        Args:
            order: The order of the points, where they are sorted from the smallest on.

        Returns:
            The first confirmed counterexample, and how many suspects nothing could decide.
        """
        statement = self.claim.statement_form
        undecided = 0
        for count, i in enumerate(self.suspects()):
            holds = holds_at(statement, self.points[i]) if statement and count < RECHECKED else None
            if holds is False and statement:
                inside = self.claim.domain.contains(self.points[i])
                witness = confirm(statement, self.points[i], inside, order)
                if witness is not None:
                    return witness, undecided
            undecided += holds is not True or self.excess[i] > self.claim.rounding
        return None, undecided

    def misfit(self) -> float:
        """How far a measured side strays from its own definition, relative to its budget.

        Returns:
            At most 1 where measurement and definition agree; 0 where nothing has both.
        """
        table = columns(self.points) if self.points else {}
        worst = 0.0
        for side, measured in ((self.claim.left, self.left), (self.claim.right, self.right)):
            if not isinstance(side, Quantity) or side.definition is None or not table:
                continue
            defined = np.broadcast_to(evaluate_float(to_tree(side.definition), table), measured.shape)
            gap = excess("=", measured, defined, side.scale) / side.rounding
            worst = max(worst, float(gap.max()))
        return worst


def excess(relation: str, left: Array, right: Array, least: float = 0.0) -> Array:
    """How far each pair is beyond the relation, relative to the larger side, or to ``least`` if that is larger.

    Returns:
        Shape (n,), from -2 to 2; -inf where a side is not a number or the bound is infinite.
    """
    with np.errstate(all="ignore"):
        scale = np.maximum(np.maximum(np.abs(left), np.abs(right)), max(least, np.finfo(float).tiny))
        gap = (left - right) / scale
    gap = {"<=": gap, ">=": -gap, "=": np.abs(gap)}[relation]
    return np.where(np.isfinite(gap), gap, -np.inf)
