"""Trials: a probability counted in independent repetitions, against the number that bounds it.

Where to count is found first: many points with few trials each, and again with more at those whose frequency lies
furthest beyond the stated side. At the points that win, and at others that nothing chose, the event is counted anew,
so that the choice biases nothing, and Clopper-Pearson's exact interval compared with the
stated side. A point *confirms* the claim where the interval's end at 1e-4 keeps to it, and
*excludes* it where even the other end at 1e-6 does not; both levels are shared between the
points (Bonferroni), so that they hold for all points together, and small enough to add up over
all claims of a run (`family`). A bound that every probability keeps, such as 1, tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from boundaudit import InputError
from boundaudit.checks.evidence.batch import measured_side
from boundaudit.checks.evidence.evidence import Evidence, Witness, Worst, decimal
from boundaudit.checks.evidence.family import CONFIRMED, EXCLUDED
from boundaudit.checks.evidence.findings import Mutation
from boundaudit.checks.evidence.mutants import FLIPPED, Fate, fates_of, variants
from boundaudit.checks.evidence.seeds import derived_seed, generator
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.measuring import counted
from boundaudit.checks.language.points import Point, columns, to_json
from boundaudit.checks.language.translate import to_tree

LIKELY = 0.05
"""The level at which a race ranks points and a mutant counts as slack: no verdict rests on it."""
_COORDINATES = 64
"""Of the unit cube that points are spread over; those beyond are 1/2."""
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Trials:
    """Counts of an event at n points of a claim's domain, shape (n,), of so many independent trials at each."""

    points: Sequence[Point]
    events: npt.NDArray[np.int64]
    trials: int
    seed: int

    @property
    def frequency(self) -> Array:
        """Share of the trials in which the event happened, shape (n,)."""
        return np.asarray(self.events / self.trials)

    def lower(self, level: float) -> Array:
        """Clopper-Pearson's one-sided lower ends, missed with probability at most ``level`` over all points."""
        ends = special.betaincinv(self.events, self.trials - self.events + 1, level / len(self.points))
        return np.where(self.events == 0, 0.0, ends)

    def upper(self, level: float) -> Array:
        """Clopper-Pearson's one-sided upper ends, missed with probability at most ``level`` over all points."""
        ends = special.betaincinv(self.events + 1, self.trials - self.events, 1 - level / len(self.points))
        return np.where(self.events == self.trials, 1.0, ends)

    def confirm(self, relation: str, right: Array, level: float = CONFIRMED) -> Flags:
        """Where the interval keeps to the stated side, which not every probability does."""
        if relation == "<=":
            return np.asarray((self.upper(level) <= right) & (right < 1))
        return np.asarray((self.lower(level) >= right) & (right > 0))

    def without(self, points: Sequence[Point]) -> Trials:
        """The counts at all other points."""
        kept = [n for n, point in enumerate(self.points) if point not in points]
        return Trials([self.points[n] for n in kept], self.events[kept], self.trials, self.seed)

    def exclude(self, relation: str, right: Array) -> Flags:
        """Where the stated side is excluded."""
        return np.asarray(self.lower(EXCLUDED) > right if relation == "<=" else self.upper(EXCLUDED) < right)


SEEDS = ("trials", "trials again")
"""Words from which seeds of counts are derived: after a race, and after what an earlier run counted."""

SCREENED, FEWEST = 4, 48
"""Times the points of a budget at which a few trials say where to look, and how many these are at least."""


def run_trials(claim: Claim, points: int, trials: int, seed: int, device: str, earlier: Trials | None = None) -> Trials:
    """Count the event of a claim on its left side; all in all about ``points`` times ``trials`` trials.

    A third of them says where to look, unless an earlier run has. The others are fresh: at the points that came out of
    it, and at three times as many others, half a factorial grid and half random.
    """
    most, kept = max(1, points // 2), max(1, points // 6)
    grid = claim.domain.grid(max(1, most // 2))
    others = [*grid, *claim.domain.sample(most - len(grid), generator(seed, claim.label, "trial"))]
    # Counts that chose a point are never counted again: the same draws would repeat what it was chosen for.
    first, again = (derived_seed(seed, claim.label, word) for word in SEEDS)
    if earlier is None:
        winners, own = _screened(claim, points, trials, kept, seed, device), first
    else:
        winners, own = _furthest(claim, earlier.without(others), kept, device), again
    chosen = [*others, *(point for point in winners if point not in others)]
    return Trials(chosen, count(claim, chosen, trials, own, device), trials, own)


def _screened(claim: Claim, points: int, trials: int, kept: int, seed: int, device: str) -> list[Point]:
    """The points at which few trials lie furthest beyond the stated side: a race in two rounds of equal cost."""
    rng, first = generator(seed, claim.label, "screen"), max(FEWEST, SCREENED * points)
    half = first // 2
    spread = [claim.domain.from_unit(row.tolist()) for row in _evenly(half, rng)]
    spread += [_straight(claim.domain, row) for row in _evenly(half, rng)]
    found = [point for point in spread if point is not None]
    second = max(kept, points // 2)
    for number, size in ((second, first), (kept, second)):
        few = max(1, points * trials // (6 * size))
        own = derived_seed(seed, claim.label, "screen", str(number))
        found = _furthest(claim, Trials(found, count(claim, found, few, own, device), few, own), number, device)
    return found


def _evenly(number: int, rng: np.random.Generator) -> Array:
    """Points of the unit cube, of which every coordinate has one in each of as many equal parts (a Latin hypercube)."""
    order = rng.permuted(np.tile(np.arange(number), (_COORDINATES, 1)), axis=1).T
    return np.asarray((order + rng.random((number, _COORDINATES))) / number)


def _straight(domain: Domain, row: Array) -> Point | None:
    """The point at the given coordinates, reals spaced evenly where they are spaced by logarithm otherwise."""
    point = domain.from_unit(row.tolist())
    for (name, found), u in zip(domain.ranges.items(), row[::-1], strict=False):
        if point is not None and isinstance(found, Reals):
            low, high = found.ends(point)
            point = domain.moved(point, name, low + float(u) * (high - low))
    return point


def _furthest(claim: Claim, trials: Trials, number: int, device: str) -> list[Point]:
    """The points whose interval, at the level of one of them, lies furthest beyond the stated side."""
    if not trials.points:
        return []
    right = measured_side(claim, "right", trials.points, device)
    level = LIKELY * len(trials.points)
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond = trials.lower(level) / right if claim.relation == "<=" else right / trials.upper(level)
    telling = right < 1 if claim.relation == "<=" else right > 0
    order = np.argsort(np.where(telling, -beyond, np.inf), kind="stable")
    return [trials.points[i] for i in order[:number]]


def count(claim: Claim, points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    """Count the event at n points, shape (n,).

    Raises:
        InputError: where what counts does not run, or returns no integers from 0 up to the number of trials.
    """
    try:
        return counted(claim.left, points, trials, seed, device)
    except InputError as error:
        raise InputError(f"{claim.label}.left: {error.field}", *error.args[1:]) from error


def judge_trials(claim: Claim, trials: Trials, seed: int, device: str) -> Evidence:
    """Judge a claim on counts.

    Violated with the point that is excluded most clearly; else holds where one point confirms it; else undecided.
    """
    right = measured_side(claim, "right", trials.points, device)
    usable = right < 1 if claim.relation == "<=" else right > 0
    confirmed, excluded = trials.confirm(claim.relation, right), trials.exclude(claim.relation, right)
    outcome = "violated" if excluded.any() else "holds" if confirmed.any() else "undecided"
    covers = f"{trials.trials} independent trials at each of {len(right)} points: the winners of a race, "
    covers += "a factorial grid and random ones"
    notes = (
        f"{int(confirmed.sum())} points confirm it at 1e-4, {int(excluded.sum())} exclude it at 1e-6 (both levels for "
        f"all points together), {int((~usable).sum())} state a bound that every probability keeps",
    )
    return Evidence(
        "trial", outcome, covers, int(usable.sum()) * trials.trials, worst=_worst(claim, trials, right, usable),
        certificate=_record(trials), witness=_witness(claim, trials, excluded), notes=notes, seed=seed, device=device,
    )  # fmt: skip


def judge_trial_mutants(claim: Claim, trials: Trials, most: int, device: str) -> Mutation | None:
    """Judge variants of the stated side on the same counts: killed where excluded, slack where they confirm it too."""
    right, table = measured_side(claim, "right", trials.points, device), columns(trials.points)
    sign = 1 if claim.relation == "<=" else -1
    fates = []
    for name, tree in variants(to_tree(claim.right)):
        values = np.broadcast_to(evaluate_float(tree, table), right.shape)
        if (sign * (right - values) > 1e-9 * np.abs(right)).any():
            fates.append(_fate(name, trials, claim.relation, values))
    fates = fates[:: max(1, -(-len(fates) // most))]
    if not fates:
        return None
    return fates_of(fates, _fate("direction flipped", trials, FLIPPED[claim.relation], right))


def _fate(name: str, trials: Trials, relation: str, right: Array) -> Fate:
    if trials.exclude(relation, right).any():
        return Fate(name, "killed")
    return Fate(name, "slack" if trials.confirm(relation, right, LIKELY).any() else "unexplained")


def _worst(claim: Claim, trials: Trials, right: Array, usable: Flags) -> Worst | None:
    """The usable point whose frequency comes closest to the bound, or is furthest beyond."""
    if not usable.any():
        return None
    violation = trials.frequency / np.maximum(right, np.finfo(float).tiny)
    order = np.where(usable, violation if claim.relation == "<=" else -violation, -np.inf)
    i = int(np.argmax(order))
    return Worst(trials.points[i], float(trials.frequency[i]), float(right[i]))


def _witness(claim: Claim, trials: Trials, excluded: Flags) -> Witness | None:
    """The first excluded point of the grid: the end of its interval against the stated side."""
    if not excluded.any():
        return None
    i = int(np.argmax(excluded))
    ends = trials.lower(EXCLUDED) if claim.relation == "<=" else trials.upper(EXCLUDED)
    right = decimal(evaluate(to_tree(claim.right), trials.points[i]))
    return Witness(trials.points[i], f"{ends[i]:.12g}", right)


def _record(trials: Trials) -> dict[str, Any]:
    return {
        "kind": "trials",
        "trials": trials.trials,
        "seed": trials.seed,
        "points": [to_json(point) for point in trials.points],
        "events": trials.events.tolist(),
    }
