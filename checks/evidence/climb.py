"""Climbing towards a violation: a few lines of points in the unit cube, each moved to where the ratio is larger.

Every parameter of a domain has its own row of coordinates, so that a longer vector does not move
the parameters behind it. A generation is one batch and generations are counted, so that a climb
repeats exactly. Nothing here knows a chapter.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boundaudit.checks.evidence.batch import Batch, Decision, has_slope
from boundaudit.checks.evidence.evidence import Step
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Matrix, Range
from boundaudit.checks.language.domain.limits import Empty
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point

GENERATION = 48
"""Points of one generation."""
LINES = 4
"""Lines that climb side by side."""
WIDTH = 64
"""Coordinates of one parameter; entries of a vector beyond take the middle."""
WIDEST, NARROWEST = 0.3, 1e-5
"""How far a line's children are from it at first, and where it starts anew elsewhere."""


@dataclass
class Line:
    """A place in the unit cube, its point, its score (see `batch.score`), and how far its children are from it."""

    cube: Array
    point: Point
    score: float
    step: float = WIDEST


class Climb:
    """One climb and what it has found; its path is of points that came closer to a violation, or further beyond."""

    def __init__(self, claim: Claim, seed: int, device: str) -> None:
        self.claim, self.device = claim, device
        self.rng = generator(seed, claim.domain.key, "climb")
        self.decision, self.looked = Decision(), 0
        self.path: list[Step] = []
        self.lines: list[Line] = []
        self._highest = -np.inf
        self._seen: set[tuple[object, ...]] = set()

    def run(self, generations: int) -> None:
        """Spend the budget, in batches of at most 48: a quarter on random points, the rest on lines from the best."""
        first = -(-generations // 4)
        starts = [line for _ in range(first) for line in self._measure(self._random())]
        starts.sort(key=lambda line: -line.score)
        self.lines, waiting = starts[:LINES], iter(starts[LINES:])
        for _ in range(generations - first):
            if not has_slope(self.claim, self._highest):
                self._measure(self._random())
                continue
            self._advance(self.lines)
            self.lines[:] = [next(waiting, line) if self._stuck(line) else line for line in self.lines]

    def _random(self) -> list[Array]:
        """Cubes of a generation: some parameters at an end, some vectors with equal entries."""
        cubes = self.rng.random((GENERATION, len(self.claim.domain.ranges), WIDTH))
        chosen = self.rng.random(cubes.shape[:2])
        cubes[chosen < 0.5] = cubes[chosen < 0.5][:, :1]
        cubes[chosen < 0.25] = 1
        cubes[chosen < 0.125] = 0
        return list(cubes)

    def _advance(self, lines: list[Line]) -> None:
        """One generation: each line goes to its best child where that is no worse."""
        brood = GENERATION // max(len(lines), 1)
        cubes = [self._child(line, lines) for line in lines for _ in range(brood)]
        parents = {id(cube): n // brood for n, cube in enumerate(cubes)}
        best: dict[int, Line] = {}
        for child in self._measure(cubes):
            parent = parents[id(child.cube)]
            if parent not in best or child.score > best[parent].score:
                best[parent] = child
        for n, line in enumerate(lines):
            risen = n in best and best[n].score > line.score
            if n in best and best[n].score >= line.score:
                lines[n] = best[n]
            lines[n].step = min(WIDEST, 1.5 * line.step) if risen else 0.7 * line.step

    def _child(self, line: Line, lines: Sequence[Line]) -> Array:
        """A cube near a line's own: one coordinate, one parameter or all of them moved, a vector evened out, ..."""
        rng, cube = self.rng, line.cube.copy()
        row, step = rng.integers(len(cube)), line.step * 10 ** -rng.uniform(0, 1.5)
        match rng.integers(5):
            case 0:
                cube[row] += step * rng.standard_normal()
            case 1:
                cube += step * rng.standard_normal((len(cube), 1))
            case 2:
                name, found = list(self.claim.domain.ranges.items())[row]
                entry = rng.integers(_entries(found, line.point[name]) + 1)
                cube[row, entry % WIDTH] += step * rng.standard_normal()
            case 3:
                cube[row] = cube[row].mean() + rng.random() * (cube[row] - cube[row].mean())
            case _:
                cube[row] = (0.0, 1.0, lines[int(rng.integers(len(lines)))].cube[row])[rng.integers(3)]
        return np.clip(cube, 0, 1)

    def _measure(self, cubes: Sequence[Array]) -> list[Line]:
        """Measure what is new; once a counterexample is confirmed, only to see how far it goes."""
        fresh: list[tuple[Array, Point]] = []
        for cube in cubes:
            point = point_at(self.claim.domain, cube)
            if point is not None and (key := tuple(point.values())) not in self._seen:
                self._seen.add(key)
                fresh.append((cube, point))
        batch = Batch.measure(self.claim, [point for _, point in fresh], self.device)
        if self.decision.witness is None:
            self.decision += batch.decide()
        score, worst = batch.score, batch.worst()
        if worst is not None and score.max() > self._highest:
            if self.path and score.max() <= self._highest + self.claim.rounding:
                self.path.pop()
            self._highest = float(score.max())
            self.path.append(Step(self.looked + int(np.isfinite(score[: score.argmax() + 1]).sum()), worst))
        self.looked += batch.usable
        return [Line(cube, point, float(value)) for (cube, point), value in zip(fresh, score, strict=True)]

    def _stuck(self, line: Line) -> bool:
        """Whether a line rises no more; one that touches equality gives up sooner."""
        touching = abs(line.score) <= max(1.0, self.claim.scale) * self.claim.rounding
        return line.step < (WIDEST / 3 if touching else NARROWEST)


def _entries(found: Range, value: object) -> int:
    """How many coordinates say where the parts of a value are; a number has none."""
    if not isinstance(value, tuple):
        return 0
    return sum(map(len, value)) if isinstance(found, Matrix) else len(value)


def point_at(domain: Domain, cube: Array) -> Point | None:
    """The point at given coordinates, a row a parameter; None in an empty range or where `where` excludes it."""
    point: Point = {}
    try:
        for row, (name, found) in zip(cube, domain.ranges.items(), strict=True):
            coordinates = map(float, itertools.chain(row, itertools.repeat(0.5)))
            point[name] = found.from_unit(coordinates.__next__, point)
    except Empty:
        return None
    return domain.settled(point)
