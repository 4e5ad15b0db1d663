"""Numbers and vectors without error but rounding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import ROUNDING, at_points, padded


def quantity(name: str, latex: str, of: Callable[[Point], Any]) -> Quantity:
    """A number of order one.

    Args:
        name: What it is.
        latex: How reports write it.
        of: From a point to the number.

    Returns:
        The measurement.
    """
    return Quantity(name, at_points(lambda point: float(of(point))), latex, rounding=ROUNDING, scale=1.0)


def family(name: str, latex: str, of: Callable[[Point], Tensor], length: Any, entries: Reals) -> Family:
    """A vector or a matrix.

    Args:
        name: What it is.
        latex: How reports write it.
        of: From a point to the numbers.
        length: How many there are; of a matrix its rows and columns.
        entries: Where they lie.

    Returns:
        The measurement.
    """

    def measure(points: Sequence[Point], device: str) -> Array:
        del device
        return padded([of(point).numpy() for point in points])

    return Family(name, measure, latex, length, entries, rounding=ROUNDING)
