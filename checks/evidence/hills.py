"""To the tops of smooth hills: Newton's method on many points at once, in floating point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from boundaudit.checks.language.floats import Array

STEPS = 16
"""Steps of Newton's method."""
_WIDTH = 2.0**-13
"""Difference quotients over this share of a value: about the fourth root of the rounding of a float."""
_DAMPING, _DAMPED, _FREER = 1e-3, 8.0, 0.1
"""Of the largest curvature, what is added to all at first; what becomes of it after a step in vain, or a good one."""

Table = Mapping[str, Array]
Height = Callable[[Table], Array]
"""From columns of points to how high each lies."""


def climbed(height: Height, table: Table, free: Sequence[str]) -> dict[str, Array]:
    """Move n points uphill by Newton's steps in the free columns, damped where these do not go up; none ends lower.

    The height is NaN where a point must not go; floats may overflow on the way.
    """
    place = {name: np.array(values, dtype=np.float64) for name, values in table.items()}
    damping = np.full(len(next(iter(place.values()))), _DAMPING)
    for _ in range(STEPS):
        here, slope, bend = _shape(height, place, free)
        step = _step(slope, bend, damping)
        ahead = {**place, **{name: place[name] + step[:, k] for k, name in enumerate(free)}}
        higher = height(ahead) > here
        place = {name: np.where(higher, ahead[name], place[name]) for name in place}
        damping = damping * np.where(higher, _FREER, _DAMPED)
    return place


def _shape(height: Height, place: Table, free: Sequence[str]) -> tuple[Array, Array, Array]:
    """Height, gradient (n, k) and second derivatives (n, k, k), by differences, all points in one evaluation."""
    widths = [_WIDTH * (1 + np.abs(place[name])) for name in free]
    pairs = [(i, j) for i in range(len(free)) for j in range(i + 1)]
    moves = [(i, j, s, t) for i, j in pairs for s in (1, -1) for t in ((1, -1) if j < i else (0,))]
    shifted = [place]
    for i, j, s, t in moves:
        moved = {**place, free[i]: place[free[i]] + s * widths[i]}
        shifted.append({**moved, free[j]: moved[free[j]] + t * widths[j]} if t else moved)
    stacked = {name: np.concatenate([columns[name] for columns in shifted]) for name in place}
    values = height(stacked).reshape(len(shifted), -1)
    # Beside the end of a domain there may be no height: such a point stays where it is.
    values = np.where(np.isfinite(values), values, np.nan)
    here, at = values[0], dict(zip(moves, values[1:], strict=True))
    slope, bend = np.empty((len(here), len(free))), np.empty((len(here), len(free), len(free)))
    for i in range(len(free)):
        above, below = at[i, i, 1, 0], at[i, i, -1, 0]
        slope[:, i] = (above - below) / (2 * widths[i])
        bend[:, i, i] = (above - 2 * here + below) / widths[i] ** 2
        for j in range(i):
            mixed = at[i, j, 1, 1] - at[i, j, 1, -1] - at[i, j, -1, 1] + at[i, j, -1, -1]
            bend[:, i, j] = bend[:, j, i] = mixed / (4 * widths[i] * widths[j])
    return here, slope, bend


def _step(slope: Array, bend: Array, damping: Array) -> Array:
    """Newton's step uphill: every pivot of the curvature made to point down; none where there is no derivative."""
    # Written out, since libraries of linear algebra round as the processor has it.
    count, many = slope.shape
    known = np.asarray(np.isfinite(slope).all(axis=1) & np.isfinite(bend).all(axis=(1, 2)))
    slope = np.where(known[:, None], slope, 0.0)
    down = -np.where(known[:, None, None], bend, 0.0)
    size = np.abs(down).max(axis=(1, 2)) + np.finfo(float).tiny
    lower, pivot = np.zeros((count, many, many)), np.ones((count, many))
    solved = slope.copy()
    for j in range(many):
        left = down[:, j, j] + damping * size - sum(lower[:, j, k] ** 2 * pivot[:, k] for k in range(j))
        pivot[:, j] = np.maximum(np.abs(left), 1e-9 * size)
        for i in range(j + 1, many):
            left = down[:, i, j] - sum(lower[:, i, k] * lower[:, j, k] * pivot[:, k] for k in range(j))
            lower[:, i, j] = left / pivot[:, j]
            solved[:, i] -= lower[:, i, j] * solved[:, j]
    solved = solved / pivot
    for j in reversed(range(many)):
        for i in range(j):
            solved[:, i] -= lower[:, j, i] * solved[:, j]
    return np.where(np.isfinite(solved), solved, 0.0)
