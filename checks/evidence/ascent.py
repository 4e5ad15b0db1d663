"""From the best points that others have found to better ones: one parameter at a time, by its own steps.

A climb draws its points at random; here every parameter is moved to where its range says that a search should look
next: an integer to the ones beside it, to half and twice of it, a real along its range, each to its ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundaudit.checks.evidence.batch import RECHECKING, Batch, Decision, Looked, has_slope
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point

LINES = 6
"""Points that are improved side by side."""
MOVES = 8
"""Steps that are tried from each of them in one round."""
WIDEST, NARROWEST = 0.25, 1e-9
"""The share of a range that a step goes at first, and where a line gives up."""


@dataclass
class _Line:
    point: Point
    score: float
    step: float = WIDEST


def ascend(claim: Claim, starts: Sequence[tuple[Point, float]], rounds: int, seed: int, device: str) -> Looked:
    """Improve the best of some points that have a slope, in so many batches of at most 48 points."""
    rng = generator(seed, claim.label, "ascent")
    work = effort(2 * RECHECKING)
    distinct = list({tuple(point.values()): (point, score) for point, score in starts}.values())
    points, scores = [point for point, _ in distinct], np.array([score for _, score in distinct])
    seen = {tuple(point.values()) for point in points}
    looked = Looked(claim)
    best = best_apart(claim.domain, points, scores, LINES)
    lines = [_Line(points[i], float(scores[i])) for i in best if has_slope(claim, scores[i])]
    for _ in range(rounds):
        lines = [line for line in lines if line.step > NARROWEST]
        if not lines:
            break
        moves: list[tuple[_Line, Point]] = []
        for line in lines:
            near = [p for p in _near(claim.domain, line, rng) if tuple(p.values()) not in seen]
            chosen = rng.permutation(len(near))[:MOVES]
            moves += [(line, near[i]) for i in sorted(chosen)]
            seen |= {tuple(near[i].values()) for i in chosen}
            line.step *= 0.6
        batch = Batch.measure(claim, [point for _, point in moves], device)
        with work:
            decision = Decision() if looked.is_refuted else batch.decide()
        looked += Looked(claim, decision, batch.worst(), batch.usable)
        for (line, point), reached in zip(moves, batch.score, strict=True):
            if reached > line.score:
                line.point, line.score, line.step = point, float(reached), min(WIDEST, 2 * line.step)
    return looked


def _near(domain: Domain, line: _Line, rng: np.random.Generator) -> Iterator[Point]:
    """Points around a line's; few where equations hold, since each of them has to be moved onto their surface."""
    moves = list(domain.near(line.point, line.step))
    if domain.moves:
        moves = [moves[i] for i in rng.permutation(len(moves))[:MOVES]]
    found = (domain.moved(line.point, name, value) for name, value in moves)
    return (point for point in found if point is not None)


def best_apart(domain: Domain, points: Sequence[Point], score: Array, number: int) -> list[int]:
    """Indices of the best of n points for each size, as those of one size climb the same hill, and as many far apart.

    The domain's first integer is the size; ``score`` has shape (n,).
    """
    size = next((name for name, found in domain.ranges.items() if isinstance(found, Integers)), None)
    order = np.argsort(-score, kind="stable").tolist()
    best: dict[Any, int] = {}
    for i in order:
        best.setdefault(points[i][size] if size else 0, i)
    by_size = [best[key] for key in sorted(best, reverse=True)]
    half = number // 2
    spread = by_size[:: -(-len(by_size) // half)] if half and by_size else []
    first = [*list(best.values())[: number - len(spread)], *spread]
    return list(dict.fromkeys([*first, *order]))[:number]
