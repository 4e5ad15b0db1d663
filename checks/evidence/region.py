"""Where a refuted claim is true: the points of its sweep, counted by parameter."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.region_record import Bin, Counts, Map, Parameter, Part, Region
from boundaudit.checks.language.domain import Choices, Integers, Matrix, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.intp]
BINS = 8
LEAST = 0.02
"""The smallest share of the points that a sentence speaks of."""
_LARGEST = sys.float_info.max
WHOLE = 1.1
"""How much more an integer counts than a real where the map's axes are chosen, as it reads better."""


@dataclass(frozen=True)
class Axis:
    """A parameter, or the smallest or largest entry of a vector (``smallest c``), at n points, cut into bins."""

    name: str
    values: Array  # shape (n,)
    names: dict[float, str]  # of the variants of a choice, by value
    whole: bool  # whether it counts
    place: Numbers  # the bin of each point, shape (n,)
    ends: list[tuple[float, float]]  # the first and the last value in each bin

    def first(self, count: int) -> Axis:
        """The same bins with the first points only."""
        return replace(self, values=self.values[:count], place=self.place[:count])


def region(batch: Batch, counterexamples: Sequence[Point]) -> Region:
    """Count where a claim holds and where it is violated in a sweep: in all, a parameter, over the two that tell most.

    Confirmed counterexamples may lie elsewhere; they are not counted, but no part that holds one is free of violations.
    """
    fate = _fates(batch)
    swept = np.flatnonzero(fate >= 0)
    points = [*(batch.points[int(i)] for i in swept), *counterexamples]
    every = np.append(fate[swept], [2] * len(counterexamples)).astype(np.intp)
    columns = [column for column in _columns(batch, points) if len(np.unique(column[1])) > 1]
    axes = [_binned(*column, every) for column in columns]
    free = _free(axes, every)
    fate, axes = fate[swept], [axis.first(len(swept)) for axis in axes]
    inside = np.ones(len(fate), dtype=bool) if free is None else ~_kept(axes, free)
    parameters = tuple(_counted(axis, fate) for axis in axes)
    counts = Counts(*(int((fate == i).sum()) for i in range(3)))
    return Region(counts, parameters, _map(axes, fate), free, _dense(axes, fate, inside))


def _fates(batch: Batch) -> Numbers:
    """Index into the fields of `Counts` for each point; -1 where there is no value."""
    budget, violation = batch.claim.rounding, batch.violation
    lower = budget if batch.claim.relation == "=" else -budget
    fate = (violation > lower).astype(np.intp) + (violation > budget)
    fate[~np.isfinite(violation)] = -1
    return fate


def _columns(batch: Batch, points: Sequence[Point]) -> Iterator[tuple[str, Array, dict[float, str], bool]]:
    """Name, values, names of variants, and whether it counts, for all that a bin can hold."""
    for name, found in batch.claim.domain.ranges.items():
        column = [point[name] for point in points]
        if isinstance(found, (Matrix, Subsets)):
            continue
        if isinstance(found, Vector):
            if column and all(column):
                yield f"smallest {name}", np.array([_float(min(row)) for row in column]), {}, False
                yield f"largest {name}", np.array([_float(max(row)) for row in column]), {}, False
            continue
        names = {_float(v): label for label, v in found.values.items()} if isinstance(found, Choices) else {}
        values = np.array(list(map(_float, column)))
        yield name, values, names, isinstance(found, (Integers, Choices))


def _float(value: Any) -> float:
    """A number as a float, a larger one as the largest."""
    return float(max(-_LARGEST, min(value, _LARGEST)))


def _binned(name: str, values: Array, names: dict[float, str], whole: bool, fate: Numbers) -> Axis:
    """Few values stay apart; many are cut at the first and the last violation, then where most points are."""
    distinct, index = np.unique(values, return_inverse=True)
    starts = set(range(len(distinct)))
    if len(distinct) > BINS:
        violating = index[fate == 2]
        edges = {int(violating.min()), int(violating.max()) + 1} if len(violating) else set()
        starts = _halved(np.bincount(index), {0} | (edges - {len(distinct)}))
    first = np.array(sorted(starts))
    last = np.append(first[1:], len(distinct)) - 1
    ends = [(float(distinct[a]), float(distinct[b])) for a, b in zip(first, last, strict=True)]
    return Axis(name, values, names, whole, np.searchsorted(first, index, side="right") - 1, ends)


def _halved(points: Numbers, starts: set[int]) -> set[int]:
    """Starts of eight bins, zero among them: the one with the most points is halved until there are as many."""
    starts = set(starts)
    while len(starts) < BINS:
        edges = [*sorted(starts), len(points)]
        wide = [(a, b) for a, b in itertools.pairwise(edges) if b - a > 1]
        first, end = max(wide, key=lambda edge: points[edge[0] : edge[1]].sum())
        before = np.cumsum(points[first:end])[:-1]
        starts.add(first + 1 + int(np.argmin(abs(2 * before - points[first:end].sum()))))
    return starts


def _counted(axis: Axis, fate: Numbers) -> Parameter:
    """One parameter by itself."""
    bins = zip(axis.ends, _counts(axis.place, fate, len(axis.ends)), strict=True)
    return Parameter(axis.name, tuple(Bin(_number(a), _number(b), axis.names.get(a), found) for (a, b), found in bins))


def _counts(cell: Numbers, fate: Numbers, cells: int) -> list[Counts]:
    """The counts of each cell."""
    return list(map(Counts, *(np.bincount(cell[fate == i], minlength=cells).tolist() for i in range(3))))


def _map(axes: Sequence[Axis], fate: Numbers) -> Map | None:
    """The counts over the two parameters that together tell most about a violation."""
    violates = fate == 2
    if len(axes) < 2 or violates.all() or not violates.any():
        return None
    rows, columns = max(itertools.combinations(axes, 2), key=lambda pair: _told(pair[0], pair[1], violates))
    down, across = len(rows.ends), len(columns.ends)
    counts = _counts(rows.place * across + columns.place, fate, down * across)
    return Map(rows.name, columns.name, [counts[i : i + across] for i in range(0, len(counts), across)])


def _told(rows: Axis, columns: Axis, violates: Flags) -> float:
    """Bits about a violation that the cell of a point tells, less what as many random cells would tell."""
    cell = rows.place * len(columns.ends) + columns.place
    total = np.bincount(cell)
    used = total > 0
    share = np.bincount(cell, weights=violates)[used] / total[used]
    bits = _entropy(violates.mean()) - (total[used] * _entropy(share)).sum() / len(cell)
    chance = (used.sum() - 1) / (2 * np.log(2) * len(cell))
    return float((bits - chance) * WHOLE ** (rows.whole + columns.whole))


def _entropy(share: Any) -> Any:
    """Bits of a coin, elementwise."""
    p = np.clip(share, 1e-300, 1)
    q = np.clip(1 - share, 1e-300, 1)
    return -p * np.log2(p) - q * np.log2(q)


def _free(axes: Sequence[Axis], fate: Numbers) -> Part | None:
    """The largest part without a violation that one number cuts off."""
    violates = fate == 2
    best: Part | None = None
    if not violates.any():
        return None
    for axis in axes:
        low, high = axis.values[violates].min(), axis.values[violates].max()
        for sign, inside in (("<=", axis.values < low), (">=", axis.values > high)):
            size = int(inside.sum())
            if size > (best.points if best else max(1, LEAST * len(fate))):
                end = axis.values[inside].max() if sign == "<=" else axis.values[inside].min()
                best = Part(axis.name, sign, _number(end), size)
    return best


def _dense(axes: Sequence[Axis], fate: Numbers, inside: Flags) -> Part | None:
    """The part, cut off by one number, that tells most about where violations are densest among some points."""
    violates = (fate == 2)[inside]
    best: tuple[float, Part] | None = None
    if violates.all() or not violates.any():
        return None
    for axis in axes:
        distinct, index = np.unique(axis.values[inside], return_inverse=True)
        total, hits = (np.cumsum(np.bincount(index, weights=w))[:-1] for w in (np.ones(len(index)), violates))
        others = len(index) - total
        enough = np.minimum(total, others) >= max(1, LEAST * len(index))
        if not enough.any():
            continue
        below, above = hits / total, (violates.sum() - hits) / others
        left = np.where(enough, (total * _entropy(below) + others * _entropy(above)) / len(index), np.inf)
        i = int(np.argmin(left))
        if best is None or left[i] < best[0]:
            sign, end, share = ("<=", i, below) if below[i] > above[i] else (">=", i + 1, above)
            size = int(total[i] if sign == "<=" else others[i])
            found = Part(axis.name, sign, _number(distinct[end]), size, round(float(share[i]) * size))
            best = float(left[i]), found
    return best and best[1]


def _kept(axes: Sequence[Axis], part: Part) -> Flags:
    """Which points lie in a part."""
    values = next(axis.values for axis in axes if axis.name == part.parameter)
    return np.asarray(values <= part.value if part.relation == "<=" else values >= part.value)


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else float(value)
