"""Both sides of a claim on a batch of points: how close each comes, and which points are suspects."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
from flint import arb

from boundaudit import InputError
from boundaudit.checks.evidence.counterexample import (
    certainly_holds,
    counterexample,
    is_decidable,
    nearly_equal,
)
from boundaudit.checks.evidence.evidence import Witness, Worst, shown
from boundaudit.checks.evidence.nearby import exact_neighbours
from boundaudit.checks.language.arithmetic import effort, remaining
from boundaudit.checks.language.balls import Undefined, evaluate, precision
from boundaudit.checks.language.claim import Claim, Quantity, definition, measured_in
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.floats import Array, float_column
from boundaudit.checks.language.measuring import side_values, standard_errors
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree

RECHECKED = 2000
"""The most points of one batch that go to ball arithmetic."""
RECHECKING = 1_000_000
"""Steps of work (see `arithmetic.effort`) for them together: those that it leaves open stay so."""
ULP = 2.0**-52
DEVIATIONS = 3
"""Standard errors by which an inequality between measured sides has to hold."""
EXACT = 1e-9
"""The largest error budget, relative, that is rounding alone; a larger one is what a measurement may be off by."""
SILENT = 32
"""The most of those at which floating point has nothing to say, such as where it overflows."""


@dataclass(frozen=True)
class Decision:
    """What became of the suspects of a batch."""

    witness: Witness | None = None  # the first confirmed counterexample
    undecided: int = 0  # how many suspects before it lie within the error budget of equality, and nothing decides
    against: int = 0  # how many were measured beyond the claim, and nothing decides
    astray: int = 0  # how many were measured beyond the claim, and away from their definition, which is not
    # how many are equal within the error budget of a measurement, or within rounding of an exact point nearby that
    # decides for the claim
    touching: int = 0
    close: int = 0  # how many are no further from equality than what is measured may be off, so that nothing is shown
    gap: float = 0.0  # how far the furthest that touches is beyond equality, relative to the larger side
    cleared: int = 0  # how many points at which floating point has no value hold in balls
    absent: str | None = None  # where a measured side has no value, or nothing could be evaluated, in words
    valueless: Witness | None = None  # the first point at which a side certainly has no value

    def __add__(self, later: Decision) -> Decision:
        """Both together; the first counterexample stays."""
        counted = ("undecided", "against", "astray", "touching", "close", "cleared")
        return Decision(
            witness=self.witness or later.witness,
            valueless=self.valueless or later.valueless,
            absent=self.absent or later.absent,
            gap=max(self.gap, later.gap),
            **{name: getattr(self, name) + getattr(later, name) for name in counted},
        )

    @property
    def found(self) -> Witness | None:
        """What refutes the claim: a violation, or else a point at which a side has no value."""
        return self.witness or self.valueless

    @property
    def outcome(self) -> str:
        """How it speaks about the claim, for `Evidence`."""
        if self.found or self.against or self.astray:
            return "violated"
        return "undecided" if self.undecided or self.close or self.absent else "holds"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about points that stay open."""
        notes = []
        if self.undecided:
            notes.append(f"{self.undecided} points stay undecided between floating point and balls")
        if self.against or self.astray:
            count = self.against + self.astray
            notes.append(f"{count} points are measured against it, and exact arithmetic cannot confirm them")
        if self.touching:
            apart = f"at most {math.ceil(self.gap / ULP)} ulp beyond equality"
            notes.append(f"{self.touching} points lie {apart}, within the error budget of what is measured")
        if self.close:
            notes.append(f"{self.close} points are no further from equality than what is measured may be off")
        if self.cleared:
            notes.append(f"{self.cleared} points without a value in floating point hold in balls")
        return tuple(notes)

    def speaks(self, claim: Claim, worst: Worst | None) -> str | None:
        """What speaks against a claim although nothing confirms it, in one sentence; None once a counterexample is."""
        if self.found is not None:
            return None
        if self.close and not (self.against or self.astray) and worst is not None:
            sides = f"{worst.left:.6g} and {worst.right:.6g}"
            return (
                f"the sides, {sides} at {shown(worst.point)}, are no further apart than what is measured may be off: "
                "three standard errors, or its error budget"
            )
        if not (self.against or self.astray) or worst is None:
            return self.absent
        by = "" if worst.ratio is None or worst.ratio <= 0 else f" by a factor {max(worst.ratio, 1 / worst.ratio):.3g}"
        where = f"a measurement speaks against it{by} at {shown(worst.point)}"
        if self.astray:
            return f"{where}, where its definition does not: one of them is wrong"
        if claim.statement_form is not None:
            return f"{where}, and exact arithmetic cannot say"
        if "probability" in claim.mode:
            return f"{where}; a claim with a probability is judged where a Probability stands on its left"
        return f"{where}; only a definition or an enclosure of what is measured can make that a refutation"


def decided_by(witness: Witness) -> Decision:
    """What a counterexample decides: a violation that may come later counts for more than a point without a value."""
    return Decision(valueless=witness) if witness.is_valueless else Decision(witness)


@dataclass(frozen=True)
class Batch:
    """Points with both sides measured, shape (n,) each, and three standard errors of both where one states any."""

    claim: Claim
    points: Sequence[Point]
    left: Array
    right: Array
    error: Array | None = None

    @classmethod
    def measure(cls, claim: Claim, points: Sequence[Point], device: str) -> Batch:
        """Measure both sides once."""
        left, right = (measured_side(claim, name, points, device) for name in ("left", "right"))
        return cls(claim, points, left, right, measured_error(claim, points, device))

    @classmethod
    def defined(cls, claim: Claim, statement: Statement, points: Sequence[Point]) -> Batch:
        """Both sides by their definitions, in floating point."""
        table, trees = columns(points) if points else {}, (statement.left, statement.right)
        sides = [float_column(side, table, len(points)) if points else np.empty(0) for side in trees]
        return cls(claim, points, *sides)

    @classmethod
    def joined(cls, claim: Claim, batches: Sequence[Batch]) -> Batch:
        """Several batches as one."""
        points = [point for batch in batches for point in batch.points]
        left, right = (
            np.concatenate([np.empty(0), *(getattr(batch, side) for batch in batches)]) for side in ("left", "right")
        )
        errors = [batch.error for batch in batches if batch.error is not None]
        return cls(claim, points, left, right, np.concatenate(errors) if errors else None)

    @cached_property
    def allowed(self) -> Array:
        """How far each point may be beyond the claim without speaking against it, in the units of `violation`."""
        budget = np.full(len(self.points), self.claim.rounding)
        if self.error is None:
            return budget
        larger = np.maximum(np.maximum(np.abs(self.left), np.abs(self.right)), self.claim.scale)
        return budget + self.error / np.maximum(larger, np.finfo(float).tiny)

    @cached_property
    def violation(self) -> Array:
        """How far each point is beyond the claim, relative to the larger side.

        Positive where violated, within the rounding budget of zero where equal, -inf where nothing can be said.
        """
        return violation(self.claim.relation, self.left, self.right, self.claim.scale)

    @cached_property
    def score(self) -> Array:
        """How close each point comes to a violation, or how far it is beyond: what a search climbs; see `score`."""
        claim = self.claim
        return score(claim.relation, self.left, self.right, self.violation, claim.rounding, claim.scale)

    @property
    def usable(self) -> int:
        """How many points could have shown a violation: both sides have a value there and the bound is finite."""
        return int(np.isfinite(self.violation).sum())

    def worst(self) -> Worst | None:
        """The point with the largest ratio, or, where there are violations, the one furthest beyond.

        None for an empty batch or one without values; a point where a side overflows only where it does at all.
        """
        if not self.usable:
            return None
        finite = np.isfinite(self.left) & np.isfinite(self.right)
        i = int(np.argmax(np.where(finite, self.score, -np.inf) if finite.any() else self.score))
        return Worst(self.points[i], float(self.left[i]), float(self.right[i]))

    @classmethod
    def worse(cls, claim: Claim, *found: Worst | None) -> Worst | None:
        """The worst of several cases."""
        known = [worst for worst in found if worst is not None]
        left, right = (np.array([getattr(worst, side) for worst in known]) for side in ("left", "right"))
        return cls(claim, [worst.point for worst in known], left, right).worst() if known else None

    def suspects(self) -> npt.NDArray[np.intp]:
        """Indices of points that floats cannot clear, in order: beyond the claim, or within the error budget.

        An identity holds within the budget.
        """
        threshold = self.allowed if self.claim.relation == "=" else -self.allowed
        return np.flatnonzero(self.violation > threshold)

    def decide(self, order: str | None = None) -> Decision:
        """Send the suspects to ball arithmetic, which decides, and some of the points without a value in floats.

        A point that ball arithmetic clears is no clearance where the measurement strays from its definition, and
        without a definition nothing clears a point that was measured beyond its error budget.
        """
        decision = Decision(absent=self._absent())
        left_open = []
        with effort(RECHECKING):
            for i, recheck in self._questions():
                found = self._judged(i, recheck, order)
                if found is None:
                    left_open.append((i, recheck))
                elif (decision := decision + found).witness is not None:
                    return decision
        with effort(RECHECKING):  # of their own: what is next to equality took the others' time
            for i, recheck in left_open:
                decision += self._open(i, recheck)
        return decision

    def looked(self, order: str | None = None) -> Looked:
        """What the batch comes to."""
        return Looked(self.claim, self.decide(order), self.worst(), self.usable)

    def _questions(self) -> Iterator[tuple[int, bool]]:
        """The suspects and some silent points, in order, and whether there is time to put each into balls."""
        for count, i in enumerate(np.union1d(self.suspects(), self._silent())):
            yield int(i), count < RECHECKED and remaining() > 0

    def _silent(self) -> npt.NDArray[np.intp]:
        """Some points at which floating point has no value, or an infinite bound, and a definition may have one."""
        silent = np.flatnonzero(np.isneginf(self.violation))
        if not len(silent) or self.claim.statement_form is None:
            return silent[:0]
        return silent[:: -(-len(silent) // SILENT)]

    def _judged(self, i: int, recheck: bool, order: str | None) -> Decision | None:
        """What one point says; None where nothing decides it."""
        claim, point, gap = self.claim, self.points[i], self.violation[i]
        holds = certainly_holds(claim, point) if recheck else None
        if holds is False:
            witness = counterexample(claim, point, order)
            if witness is not None:
                return decided_by(witness)
        infinite = not (np.isfinite(self.left[i]) and np.isfinite(self.right[i]))
        beyond_floats = infinite and claim.statement_form is not None
        if np.isneginf(gap) or (beyond_floats and holds is not False):
            unknown = "no side could be evaluated, such as at" if holds is None and not self.usable else None
            return Decision(cleared=int(holds is True), absent=unknown and f"{unknown} {shown(point)}")
        beyond = gap > self.allowed[i]
        if holds is True:
            return Decision(astray=int(beyond and self._stray(i) > 1))
        if not beyond and not is_decidable(claim):
            return Decision(close=1) if self._is_close(i) else Decision(touching=1, gap=float(gap))
        if recheck and not (beyond and claim.statement_form is None):
            return self._judged_nearby(point, float(gap), order)
        return None

    def _is_close(self, i: int) -> bool:
        """Whether a point within the error budget of equality is an estimate that may lie on either side of it."""
        claim, larger = self.claim, max(abs(self.left[i]), abs(self.right[i]))
        if self.error is not None and self.error[i] > 0:
            return True
        stated = [to_tree(side) for side in (claim.left, claim.right) if not measured_in(side)]
        if claim.rounding <= EXACT or not stated:
            return False  # rounding alone, or two measured sides, whose errors may be one
        # A formula may vanish with what it bounds; a number was chosen.
        return any(not names(tree) for tree in stated) or larger > claim.rounding * claim.scale

    def _open(self, i: int, recheck: bool) -> Decision:
        """A point that nothing decides: measured beyond its error budget, it speaks against the claim all the same."""
        beyond = self.violation[i] > (self.claim.rounding if recheck else self.allowed[i])
        # Not where balls show that both sides agree to hundreds of digits: floating point saw its own error.
        return Decision(against=1) if beyond and not nearly_equal(self.claim, self.points[i]) else Decision(undecided=1)

    def _judged_nearby(self, point: Point, gap: float, order: str | None) -> Decision | None:
        """What exact points near one say at which nothing decides; None where they leave it open."""
        answers = []
        for near in exact_neighbours(self.claim.domain, point):
            witness = counterexample(self.claim, near, order)
            if witness is not None:
                return decided_by(witness)
            answers.append(certainly_holds(self.claim, near))
        decided = gap <= self.claim.rounding and True in answers and False not in answers
        return Decision(touching=1, gap=gap) if decided else None

    def _absent(self) -> str | None:
        """Where a measured side without a definition has no value."""
        for name, values in (("left", self.left), ("right", self.right)):
            side = getattr(self.claim, name)
            partial = isinstance(side, Quantity) and side.definition is None and not side.except_at
            if partial and np.isnan(values).any():
                missing = np.flatnonzero(np.isnan(values))
                count = "" if len(values) == 1 else f", nor at {len(missing) - 1} others of {len(values)} points"
                return f"the {name} side has no value at {shown(self.points[missing[0]])}{count}"
        return None

    def beyond(self) -> Decision:
        """What is measured beyond its error budget although a proof or a counterexample has decided.

        Those of the first points count whose measurement has no definition or strays from it, and those without a value
        in floats that hold in balls.
        """
        past = [int(i) for i in np.flatnonzero(self.violation > self.allowed)[:20]]
        cleared = sum(certainly_holds(self.claim, self.points[i]) is True for i in self._silent())
        if self.claim.statement_form is None:
            return Decision(against=sum(self._open(i, recheck=False).against for i in past), cleared=cleared)
        return Decision(astray=sum(self._stray(i) > 1 for i in past), cleared=cleared)

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
                gap = violation("=", measured[i : i + 1], np.array([defined]), side.scale)
                worst = max(worst, float(_in_budgets(gap, side.rounding)[0]) if np.isfinite(measured[i]) else np.inf)
        return worst

    def misfit(self) -> float:
        """How far a measured side strays from its own definition, relative to its budget: at most 1 where they agree.

        0 where nothing has both; infinite where the definition has a value and the measurement has none.
        """
        table = columns(self.points) if self.points else {}
        worst = 0.0
        for side, measured in ((self.claim.left, self.left), (self.claim.right, self.right)):
            if not isinstance(side, Quantity) or side.definition is None or not table:
                continue
            defined = float_column(to_tree(side.definition), table, len(measured))
            gap = _in_budgets(violation("=", measured, defined, side.scale), side.rounding)
            gap[np.isfinite(defined) & ~np.isfinite(measured)] = np.inf
            i = int(np.argmax(gap))
            # The definition rounds too in floating point; balls say what is left of the worst case.
            worst = max(worst, float(gap[i]) if gap[i] <= 1 else self._stray(i))
        return worst


@dataclass(frozen=True)
class Looked:
    """What a method looked at: what became of the suspects, the worst case, and how many points had a value."""

    claim: Claim
    decision: Decision = field(default_factory=Decision)
    worst: Worst | None = None
    count: int = 0

    def __add__(self, later: Looked) -> Looked:
        """Both together, for the claim of the first."""
        worst = Batch.worse(self.claim, self.worst, later.worst)
        return Looked(self.claim, self.decision + later.decision, worst, self.count + later.count)

    @property
    def is_refuted(self) -> bool:
        """Whether a violation is confirmed."""
        return self.decision.witness is not None


def _in_budgets(gap: Array, rounding: float) -> Array:
    """Gaps in units of an error budget; where that is zero, any gap is infinitely many."""
    with np.errstate(all="ignore"):
        return np.where(gap > 0, gap / rounding, gap)


def measured_side(claim: Claim, name: str, points: Sequence[Point], device: str) -> Array:
    """The ``left`` or ``right`` side of a claim at n points, float64 of shape (n,).

    Raises:
        InputError: with the claim's label, where a measurement does not run, or returns no real number a point.
    """
    try:
        return side_values(getattr(claim, name), points, device)
    except InputError as error:
        raise InputError(f"{claim.label}.{name}: {error.field}", *error.args[1:]) from error


def measured_error(claim: Claim, points: Sequence[Point], device: str) -> Array | None:
    """Three standard errors of the difference of both sides at n points, shape (n,); None where neither states any."""
    stated = [standard_errors(side, points, device) for side in (claim.left, claim.right)]
    known = [errors for errors in stated if errors is not None]
    return DEVIATIONS * np.sqrt(sum(np.square(errors) for errors in known)) if known else None


def violation(relation: str, left: Array, right: Array, least: float = 0.0) -> Array:
    """How far each pair is beyond the relation, relative to the larger side, or to ``least`` if that is larger.

    Shape (n,), from -2 to 2; 1 where a side is infinite against a finite bound; -inf where a side is not a number or
    the bound is infinite.
    """
    with np.errstate(all="ignore"):
        scale = np.maximum(np.maximum(np.abs(left), np.abs(right)), max(least, np.finfo(float).tiny))
        difference = left - right
        gap = np.where(np.isinf(difference), np.sign(difference), difference / scale)
    gap = {"<=": gap, ">=": -gap, "=": np.abs(gap)}[relation]
    # An infinite bound clears every point, so it shows nothing.
    free = np.isinf(difference) & (gap < 0)
    return np.where(np.isfinite(gap) & ~free, gap, -np.inf)


def has_slope(claim: Claim, score: float) -> bool:
    """Whether steps from a point lead anywhere: an identity that holds there up to rounding has noise alone around.

    Where one fails it fails almost everywhere, so that another random point tells more than a step.
    """
    return claim.relation != "=" or score > claim.rounding


def score(relation: str, left: Array, right: Array, gap: Array, rounding: float, scale: float) -> Array:
    """How close pairs come to a violation: by the ratio of the sides where the bound is positive, else by the slack.

    Values near zero that are computed from numbers of size ``scale`` have a ratio of noise: of each side what its error
    budget may have added is taken away, so that only a ratio that is certain counts. Where there is a violation it is
    ``gap``, which `violation` gives; down from 0, where the ratio is 1, to -2 for points with a ratio; below -2 for the
    others, by their slack; -inf where nothing can be said. All of shape (n,).
    """
    if relation == "=":
        return gap
    error = rounding * scale
    above, below = (left, right) if relation == "<=" else (right, left)
    with np.errstate(all="ignore"):
        beyond = (above - below - 2 * error) / (below + error)
        # A ratio below zero counts for less than any above, however far below it is.
        ratio = 1 + beyond
        close = np.where(ratio >= 0, beyond, ratio / (1 - ratio) - 1)
    close = np.where((right > 0) & (below + error > 0) & np.isfinite(close), close, gap - 4)
    return np.where((gap > rounding) | np.isneginf(gap), gap, close)
