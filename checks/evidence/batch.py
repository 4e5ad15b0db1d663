"""Both sides of a claim on a batch of points, and which points are suspects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import arb

from boundaudit.checks.evidence.evidence import Witness, Worst, confirm, holds_at
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.claim import Claim, Quantity, definition, side_values
from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree

RECHECKED = 2000
"""The most points of one batch that go to ball arithmetic."""


@dataclass(frozen=True)
class Decision:
    """What became of the suspects of a batch.

    Attributes:
        witness: The first confirmed counterexample.
        undecided: How many suspects before it lie so close to equality that nothing decides.
        against: How many were measured beyond the claim, or away from their definition, and nothing confirms it.
    """

    witness: Witness | None = None
    undecided: int = 0
    against: int = 0

    def __add__(self, later: Decision) -> Decision:
        """Both together; the first counterexample stays."""
        return Decision(self.witness or later.witness, self.undecided + later.undecided, self.against + later.against)

    @property
    def outcome(self) -> str:
        """How it speaks about the claim, for `Evidence`."""
        if self.witness or self.against:
            return "violated"
        return "undecided" if self.undecided else "holds"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about points that stay open."""
        notes = []
        if self.undecided:
            notes.append(f"{self.undecided} points stay undecided between floating point and balls")
        if self.against:
            notes.append(f"{self.against} points are measured against it, and ball arithmetic cannot confirm them")
        return tuple(notes)


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
    def violation(self) -> Array:
        """How far each point is beyond the claim, relative to the larger side.

        Positive where violated, within the rounding budget of zero where equal, -inf where nothing can be said.
        """
        return violation(self.claim.relation, self.left, self.right, self.claim.scale)

    @property
    def usable(self) -> int:
        """How many points could have shown a violation: both sides have a value there and the bound is finite."""
        return int(np.isfinite(self.violation).sum())

    def worst(self) -> Worst | None:
        """The point closest to a violation, or furthest beyond.

        Returns:
            None for an empty batch or one without values.
        """
        if not self.usable:
            return None
        i = int(np.argmax(self.violation))
        return Worst(self.points[i], float(self.left[i]), float(self.right[i]))

    def suspects(self) -> npt.NDArray[np.intp]:
        """Indices of the points that floating point cannot clear, in the order given.

        Returns:
            Points beyond the claim, or within the error budget of equality; an identity holds within the budget.
        """
        budget = self.claim.rounding
        threshold = budget if self.claim.relation == "=" else -budget
        return np.flatnonzero(self.violation > threshold)

    def decide(self, order: str | None = None) -> Decision:
        """Send the suspects to ball arithmetic, which decides.

        A point that ball arithmetic clears is no clearance where the measurement strays from its definition, and
        without a definition nothing clears a point that was measured beyond its error budget.

        Args:
            order: The order of the points, where they are sorted from the smallest on.

        Returns:
            The first confirmed counterexample, and how many suspects before it stay open.
        """
        statement = self.claim.statement_form
        undecided = against = 0
        for count, i in enumerate(self.suspects()):
            holds = holds_at(statement, self.points[i]) if statement and count < RECHECKED else None
            if holds is False and statement:
                inside = self.claim.domain.contains(self.points[i])
                witness = confirm(statement, self.points[i], inside, order)
                if witness is not None:
                    return Decision(witness, undecided, against)
            beyond = statement is None and self.violation[i] > self.claim.rounding
            if beyond or (holds is True and self.violation[i] > self.claim.rounding and self._stray(i) > 1):
                against += 1
            else:
                undecided += holds is not True
        return Decision(None, undecided, against)

    def beyond(self) -> Decision:
        """What is measured beyond its error budget although a proof or a counterexample has decided.

        Returns:
            How many of the first points that are speak against the claim: their measurement strays from its definition.
        """
        past = np.flatnonzero(self.violation > self.claim.rounding)
        return Decision(None, 0, sum(self._stray(int(i)) > 1 for i in past[:20]))

    def _stray(self, i: int) -> float:
        """How far the measured sides are from their definitions in balls at one point, relative to their budgets."""
        worst = 0.0
        for side, measured in ((self.claim.left, self.left), (self.claim.right, self.right)):
            tree = definition(side)
            if isinstance(side, Quantity) and tree is not None:
                try:
                    with precision(256):
                        defined = float(arb(evaluate(tree, self.points[i])))
                except Undefined:
                    continue
                gap = float(violation("=", measured[i : i + 1], np.array([defined]), side.scale)[0])
                worst = max(worst, gap / side.rounding if np.isfinite(measured[i]) else np.inf)
        return worst

    def misfit(self) -> float:
        """How far a measured side strays from its own definition, relative to its budget.

        Returns:
            At most 1 where measurement and definition agree; 0 where nothing has both; infinite where the definition
            has a value and the measurement has none.
        """
        table = columns(self.points) if self.points else {}
        worst = 0.0
        for side, measured in ((self.claim.left, self.left), (self.claim.right, self.right)):
            if not isinstance(side, Quantity) or side.definition is None or not table:
                continue
            defined = np.broadcast_to(evaluate_float(to_tree(side.definition), table), measured.shape)
            gap = violation("=", measured, defined, side.scale) / side.rounding
            gap[np.isfinite(defined) & ~np.isfinite(measured)] = np.inf
            i = int(np.argmax(gap))
            # The definition rounds too in floating point; balls say what is left of the worst case.
            worst = max(worst, float(gap[i]) if gap[i] <= 1 else self._stray(i))
        return worst


def violation(relation: str, left: Array, right: Array, least: float = 0.0) -> Array:
    """How far each pair is beyond the relation, relative to the larger side, or to ``least`` if that is larger.

    Returns:
        Shape (n,), from -2 to 2; 1 where a side is infinite against a finite bound; -inf where a side is not a number
        or the bound is infinite.
    """
    with np.errstate(all="ignore"):
        scale = np.maximum(np.maximum(np.abs(left), np.abs(right)), max(least, np.finfo(float).tiny))
        difference = left - right
        gap = np.where(np.isinf(difference), np.sign(difference), difference / scale)
    gap = {"<=": gap, ">=": -gap, "=": np.abs(gap)}[relation]
    # An infinite bound clears every point, so it shows nothing.
    free = np.isinf(difference) & (gap < 0)
    return np.where(np.isfinite(gap) & ~free, gap, -np.inf)
