"""Sweep and exact points: many points in floating point, and fewer, or all of a finite domain, in balls."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.counterexample import certainly_holds, counterexample
from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Range
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.progress import doing
from boundaudit.checks.language.relations import ForAll


@functools.lru_cache(maxsize=32)
def _swept(domain: Domain, looked_at: tuple[Range, ...], count: int, seed: int) -> tuple[Point, ...]:
    """Domains of the same meaning may be looked at in different parts: how far is no part of it."""
    every = domain.every(count)
    if every is not None:
        return tuple(every)
    grid = domain.grid(count // 6)[:count]  # never less than two for each parameter
    rng = generator(seed, domain.key, "sweep")
    return (*grid, *domain.sample(count - len(grid), rng))


def sweep_points(domain: Domain, count: int, seed: int) -> tuple[Point, ...]:
    """At most so many points of a domain for a sweep, the same for all claims on it.

    All that there are, where they are few enough; else one sixth a factorial grid, the rest at random.
    """
    return _swept(domain, tuple(domain.ranges.values()), count, seed)


def sweep(
    claim: Claim, batch: Batch, seed: int, device: str, *, confirm_suspects: bool = True, refuted: bool = False
) -> Evidence:
    """Judge a claim on a batch that was measured once.

    Where a proof or a counterexample has decided, what floats cannot clear need not go to balls, and only what is
    measured beyond its error budget counts; after a counterexample (``refuted``) that is a violation.
    """
    if len(batch.points) and not (batch.usable or confirm_suspects or claim.is_measured):
        return Evidence("sweep", "inapplicable", "no side could be evaluated in floating point", 0)
    decision = batch.decide() if confirm_suspects else batch.beyond()
    # What has no value at most of its points is not supported by the rest, unless balls say that floats overflow there.
    told = decision.found or decision.cleared or 2 * batch.usable > len(batch.points)
    looked = batch.usable + decision.cleared if told else 0
    outcome = decision.outcome if looked or decision.absent else "undecided"
    if refuted and (batch.violation > claim.rounding).any():
        outcome = "violated"
    covers = f"{len(batch.points)} points, a grid and random ones; {extent(batch.points)}"
    notes, worst = list(decision.notes), batch.worst()
    against = decision.speaks(claim, worst)
    misfit = batch.misfit()
    if misfit > 1:
        outcome = "violated"
        against = f"the measurement strays from its definition by {misfit:.3g} times its error budget"
        notes.append(against)
    silent = len(batch.points) - batch.usable - decision.cleared
    if silent:
        notes.append(f"{silent} points have no value or an infinite bound and count for nothing")
    return Evidence(
        "sweep", outcome, covers, looked, worst=worst, witness=decision.found, notes=tuple(notes), against=against,
        seed=seed, device=device,
    )  # fmt: skip


SHARE, ENOUGH = 20, 64
"""One in so many of the points asked for, or so many of them, have to satisfy the relations between the parameters."""


def coverage(claim: Claim, batch: Batch, asked: int) -> Evidence:
    """Whether a sweep of a domain that relations bound has seen enough of it.

    Undecided where fewer distinct points than a stated number satisfy the relations; inapplicable without relations,
    and where the points are all that there are.
    """
    needed = min(asked // SHARE, ENOUGH)
    found = len({tuple(point.values()) for point in batch.points})
    if not 0 < found < needed or not claim.domain.where or claim.domain.every(asked) is not None:
        return Evidence("coverage", "inapplicable", "", 0)
    covers = f"not searched: only {found} of {asked:,} points satisfy the hypotheses, and {needed} are wanted"
    return Evidence("coverage", "undecided", f"{covers}; {_remedy(claim)}", found)


def _remedy(claim: Claim) -> str:
    """What to write instead of hypotheses that hardly any point satisfies."""
    equations = (said.relation for said in claim.domain.where if isinstance(said, ForAll))
    if any(isinstance(said, sp.Eq) and said.has(sp.exp, sp.log) for said in equations):
        return "few exact numbers obey an equation with exp or log: state the inequality that is needed of it"
    return "state them as limits of ranges, or solve them for a parameter"


DECIDING = 10_000_000
"""Steps of work (see `arithmetic.effort`) for the points that exact arithmetic decides: the others stay undecided."""
MOST_CERTIFIED = 6000
"""Points of a finite domain up to which every one of them is decided."""


def exact_points(claim: Claim, count: int, seed: int) -> Evidence:
    """Decide the claim in exact or ball arithmetic: at every point of a finite domain, else on a sample.

    The sample is a factorial grid, filled up with random points. Either holds only where every point is certain.
    """
    statement = claim.statement_form
    if statement is None:
        return Evidence("exact sample", "inapplicable", "a side has no definition to put into balls", 0)
    every = claim.domain.every(MOST_CERTIFIED)
    method = "exact sample" if every is None else "certificate"
    points = sweep_points(claim.domain, count, seed) if every is None else every
    kind = "points of a larger domain" if every is None else "points, all that there are"
    doing(f"exact arithmetic: {len(points)} points")
    covers = f"{len(points)} {kind}, in exact and ball arithmetic; {extent(points)}"
    worst = None if claim.is_measured else Batch.measure(claim, points, "cpu").worst()
    certain, valueless = 0, None
    work = effort(DECIDING)
    for point in points:
        with work:
            answer = certainly_holds(claim, point)
        if answer is False:
            witness = counterexample(claim, point)
            if witness is None or not witness.is_valueless:
                return Evidence(method, "violated", covers, len(points), worst=worst, witness=witness)
            valueless = valueless or witness
        certain += answer is True
    if valueless is not None:
        return Evidence(method, "violated", covers, len(points), worst=worst, witness=valueless)
    holds = len(points) > 0 and certain == len(points)
    notes = () if holds else (f"{len(points) - certain} points stay undecided",)
    return Evidence(
        method, "holds" if holds else "undecided", covers, len(points), whole_domain=every is not None, worst=worst,
        notes=notes,
    )  # fmt: skip


def extent(points: Sequence[Point]) -> str:
    """The span of each numeric parameter over a set of points, such as ``T 2…24, D 1…5``."""
    spans = []
    for name in points[0] if points else ():
        values = [point[name] for point in points]
        if not isinstance(values[0], tuple):
            low, high = _short(min(values)), _short(max(values))
            spans.append(f"{name} {low}" if low == high else f"{name} {low}…{high}")
    return ", ".join(spans) or "no numeric parameter"


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
