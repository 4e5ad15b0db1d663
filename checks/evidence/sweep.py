"""Sweep and grid certificate: a factorial grid in floating point, and a small one in balls."""

from __future__ import annotations

from collections.abc import Sequence

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.evidence import Evidence, confirm, holds_at
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.points import Point


def sweep_points(claim: Claim, count: int, seed: int) -> list[Point]:
    """The points of a sweep: one sixth a factorial grid, the rest at random.

    Returns:
        At most ``count`` points of the domain.
    """
    grid = claim.domain.grid(count // 6)
    return [*grid, *claim.domain.sample(count - len(grid), generator(seed, claim.label, "sweep"))]


def sweep(claim: Claim, batch: Batch, seed: int, device: str) -> Evidence:
    """Judge a claim on a batch that was measured once.

    Returns:
        The evidence; what floating point cannot clear has been to ball arithmetic.
    """
    decision = batch.decide()
    # What has no value at most of its points is not supported by the rest.
    looked = batch.telling if decision.witness or 2 * batch.telling > len(batch.points) else 0
    outcome = decision.outcome if looked else "undecided"
    covers = f"{len(batch.points)} points: a factorial grid and random ones; {extent(batch.points)}"
    notes = list(decision.notes)
    misfit = batch.misfit()
    if misfit > 1:
        outcome = "violated"
        notes.append(f"the measurement strays from its definition by {misfit:.3g} times its error budget")
    silent = len(batch.points) - batch.telling
    if silent:
        notes.append(f"{silent} points have no value or an infinite bound and count for nothing")
    return Evidence(
        "sweep", outcome, covers, looked, worst=batch.worst(), witness=decision.witness,
        notes=tuple(notes), seed=seed, device=device,
    )  # fmt: skip


def grid_certificate(claim: Claim, count: int, seed: int) -> Evidence:
    """Decide the claim in exact or ball arithmetic at every point of a grid.

    Args:
        claim: A claim whose sides have definitions.
        count: How many points: the factorial grid, filled up with random ones.
        seed: The run's seed.

    Returns:
        The evidence: holds only where every single point is certain.
    """
    statement = claim.statement_form
    if statement is None:
        return Evidence("certificate", "inapplicable", "a side has no definition to put into balls", 0)
    grid = claim.domain.grid(count)
    points = [*grid, *claim.domain.sample(count - len(grid), generator(seed, claim.label, "grid"))]
    answers = [holds_at(statement, point) for point in points]
    covers = f"{len(points)} points, a factorial grid and random ones, in exact and ball arithmetic; {extent(points)}"
    certificate = {"kind": "grid", "points": len(points), "certain": sum(a is True for a in answers)}
    for point, answer in zip(points, answers, strict=True):
        if answer is False:
            witness = confirm(statement, point, claim.domain.contains(point))
            return Evidence("certificate", "violated", covers, len(points), certificate=certificate, witness=witness)
    outcome = "holds" if points and all(answers) else "undecided"
    return Evidence("certificate", outcome, covers, len(points), certificate=certificate)


def extent(points: Sequence[Point]) -> str:
    """The span of each numeric parameter over a set of points.

    Returns:
        Such as ``T 2…24, D 1…5``.
    """
    spans = []
    for name in points[0] if points else ():
        values = [point[name] for point in points]
        if not isinstance(values[0], tuple):
            low, high = _short(min(values)), _short(max(values))
            spans.append(f"{name} {low}" if low == high else f"{name} {low}…{high}")
    return ", ".join(spans) or "no numeric parameter"


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
