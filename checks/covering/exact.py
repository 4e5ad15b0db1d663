"""Numbers and vectors without error but rounding, and searches whose results several measurements share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, at_points

ROUNDING = 1e-9
"""Relative error budget."""


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


def padded(found: Sequence[Array]) -> Array:
    """Vectors or matrices of several points in one array, with zeros beyond their ends.

    Args:
        found: One for each point.

    Returns:
        Shape (points, largest size, ...).
    """
    most = np.max([rows.shape for rows in found], axis=0)
    return np.stack([np.pad(rows, [(0, a - b) for a, b in zip(most, rows.shape, strict=True)]) for rows in found])


class Shared:
    """Parts of a computation that several measurements read: made once a point, in batches of points that agree."""

    def __init__(self, of: Callable[[Columns], Mapping[str, Tensor]], alike: Sequence[str], *others: str) -> None:
        """What is computed.

        Args:
            of: From the columns of a batch to each part, one row a point.
            alike: Parameters in which the points of a batch agree.
            *others: The other parameters that it depends on.
        """
        self._of, self._alike, self._others = of, tuple(alike), others

    def rows(self, points: Sequence[Point], part: str) -> list[Array]:
        """A part at each of the points.

        Args:
            points: The points.
            part: Its name.

        Returns:
            A row each.
        """
        keys = [tuple(point[name] for name in (*self._alike, *self._others)) for point in points]
        known = _known(self)
        batches: dict[tuple[Any, ...], dict[tuple[Any, ...], Point]] = {}
        for key, point in zip(keys, points, strict=True):
            if key not in known:
                batches.setdefault(key[: len(self._alike)], {})[key] = point
        for batch in batches.values():
            found = {name: of.numpy() for name, of in self._of(Columns(list(batch.values()), "cpu")).items()}
            for n, key in enumerate(batch):
                known[key] = {name: rows[n] for name, rows in found.items()}
        return [known[key][part] for key in keys]

    def family(self, part: str, name: str, latex: str, length: Any, entries: Reals, scale: float = 0.0) -> Family:
        """A part as a vector or a matrix.

        Returns:
            The measurement.
        """
        return Family(
            name, lambda points, _: padded(self.rows(points, part)), latex, length, entries, rounding=ROUNDING,
            scale=scale, of=(*self._alike, *self._others),
        )  # fmt: skip

    def quantity(self, part: str, name: str, latex: str, nonnegative: bool = False) -> Quantity:
        """A part as a number of order one.

        Returns:
            The measurement.
        """
        return Quantity(
            name, lambda points, _: np.array(self.rows(points, part)), latex, rounding=ROUNDING, scale=1.0,
            nonnegative=nonnegative,
        )  # fmt: skip


@functools.cache
def _known(shared: Shared) -> dict[tuple[Any, ...], Mapping[str, Array]]:
    """What has been computed: emptied with the other caches."""
    del shared
    return {}
