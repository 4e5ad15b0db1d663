"""Measurements that take the numbers of a point one by one: each becomes a column over all points."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point, columns


def by_columns(of: Callable[..., Tensor], *names: str) -> Measure:
    """A function of columns as a measurement.

    Args:
        of: From one float64 tensor of shape (n,) for each name to one number per point.
        *names: Parameters of the points.

    Returns:
        The measurement.
    """

    def measure(points: Sequence[Point], device: str) -> Array:
        table = columns(points)
        found: Array = of(*(torch.as_tensor(table[name], device=device) for name in names)).cpu().numpy()
        return found

    return measure
