"""From points to tensors: a measurement is written for the columns of a batch, and these adapters feed it points."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Count, Estimate, Measure, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree

ROUNDING = 1e-9
"""Relative error budget of what a search or an enumeration gives."""


class Columns:
    """The parameters of n points as tensors, each made when it is asked for.

    Attributes:
        points: The points.
        device: Where the tensors live.
    """

    def __init__(self, points: Sequence[Point], device: str) -> None:
        self.points = points
        self.device = device

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, index: Sequence[int]) -> Columns:
        """Some of the points."""
        return Columns([self.points[n] for n in index], self.device)

    def whole(self, name: str, default: int | None = None) -> Tensor:
        """An integer parameter, int64, shape (n,).

        Args:
            name: The parameter.
            default: Its value at points that have none; without it every point must have one.

        Returns:
            The column.
        """
        return torch.tensor(self._of(name, default), dtype=torch.int64, device=self.device)

    def real(self, name: str, default: float | None = None) -> Tensor:
        """A real parameter, float64, shape (n,), or (n, k) with zeros on padding for a vector.

        Args:
            name: The parameter.
            default: Its value at points that have none; without it every point must have one.

        Returns:
            The column.
        """
        values = self._of(name, default)
        if isinstance(values[0], (tuple, list)):
            rows = [torch.tensor([float(entry) for entry in value], dtype=torch.float64) for value in values]
            return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True).to(self.device)
        return torch.tensor([float(value) for value in values], dtype=torch.float64, device=self.device)

    def each(self, of: Callable[[Point], float]) -> Tensor:
        """A number of each point, float64, shape (n,), for what has no batched form."""
        return torch.tensor([of(point) for point in self.points], dtype=torch.float64, device=self.device)

    def _of(self, name: str, default: float | None) -> list[Any]:
        return [point[name] if default is None else point.get(name, default) for point in self.points]


def measured(of: Callable[[Columns], Tensor], *alike: str) -> Measure:
    """A measurement, in one batch for all points that agree in some parameters.

    Args:
        of: From the columns of a batch to one number per point.
        *alike: The parameters in which the points of a batch agree.

    Returns:
        The measurement.
    """

    def measure(points: Sequence[Point], device: str) -> Array:
        batches: dict[tuple[Any, ...], list[int]] = {}
        for n, point in enumerate(points):
            batches.setdefault(tuple(point.get(name) for name in alike), []).append(n)
        values = np.empty(len(points))
        for chosen in batches.values():
            values[chosen] = of(Columns([points[n] for n in chosen], device)).cpu().numpy()
        return values

    return measure


def small(of: Callable[[Columns], Tensor], *alike: str) -> Measure:
    """A measurement of what is too small for an accelerator, whose launches would take longer: on the processor.

    Args:
        of: From the columns of a batch to one number per point.
        *alike: The parameters in which the points of a batch agree.

    Returns:
        The measurement, the same on every device.
    """
    measure = measured(of, *alike)
    return lambda points, device: measure(points, "cpu")


def by_columns(of: Callable[..., Tensor], *names: str) -> Measure:
    """A function of real parameters as a measurement, on the processor.

    Args:
        of: From one float64 tensor for each name to one number per point.
        *names: Parameters of the points.

    Returns:
        The measurement.
    """
    return small(lambda at: of(*map(at.real, names)))


def by_shape(of: Callable[..., Tensor], *names: str) -> Measure:
    """A function of numbers, vectors and matrices as a measurement on the processor, a batch for points of one shape.

    Args:
        of: From one float64 tensor for each name to one number per point; of n points, shape (n,) for a number, (n, k)
            for a vector and (n, rows, columns) for a matrix.
        *names: Parameters of the points.

    Returns:
        The measurement.
    """

    def stacked(at: Columns) -> Tensor:
        values = (np.array([point[name] for point in at.points], dtype=np.float64) for name in names)
        return of(*map(torch.from_numpy, values))

    def with_shapes(point: Point) -> Point:
        return {**point, "#shapes": tuple(np.shape(point[name]) for name in names)}

    return completed(small(stacked, "#shapes"), with_shapes)


def at_points(of: Callable[[Point], float]) -> Measure:
    """A number of one point at a time as a measurement, on the processor.

    Returns:
        The measurement.
    """
    return small(lambda at: at.each(of))


def estimated(name: str, of: Callable[[Point], tuple[float, float]], latex: str, *, scale: float = 0.0) -> Estimate:
    """An estimate at one point at a time, on the processor.

    Args:
        name: What is estimated.
        of: From a point to a number and its standard error.
        latex: How the report writes it.
        scale: The size of the numbers that a value near zero is computed from.

    Returns:
        The estimate.
    """
    value, error = at_points(lambda point: of(point)[0]), at_points(lambda point: of(point)[1])
    return Estimate(name, value, latex, rounding=ROUNDING, scale=scale, standard_error=error)


def evaluated(expression: Callable[[], Any]) -> Measure:
    """An expression in the parameters, built when it is first evaluated, as a measurement in float64.

    Returns:
        The measurement.
    """
    tree = functools.cache(lambda: to_tree(expression()))
    return lambda points, device: np.broadcast_to(evaluate_float(tree(), columns(points)), (len(points),))


def completed(measure: Measure, make: Callable[[Point], Point]) -> Measure:
    """A measurement at points that are made of the given ones.

    Args:
        measure: A measurement of the points that are made.
        make: From a point to the one that is measured.

    Returns:
        A measurement of the given points.
    """
    return lambda points, device: measure([make(point) for point in points], device)


def combined(of: Callable[..., Array], *measures: Measure) -> Measure:
    """A function of other measurements at the same points.

    Args:
        of: From the numbers of each measurement to one number per point.
        *measures: What is measured.

    Returns:
        The measurement.
    """
    return lambda points, device: of(*(measure(points, device) for measure in measures))


def counted(of: Callable[[Point, int, int, str], int]) -> Count:
    """How often an event happens, counted at one point after another, each with a seed of its own.

    Args:
        of: From a point, a number of trials, a seed and a device to how often it happened.

    Returns:
        A count for `Probability`.
    """

    def count(points: Sequence[Point], trials: int, seed: int, device: str) -> Any:
        return np.array([of(point, trials, seed + n, device) for n, point in enumerate(points)], dtype=np.int64)

    return count


# --- searches that several measurements share ------------------------------------------------------------


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
