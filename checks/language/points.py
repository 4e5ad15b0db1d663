"""Points of a domain: exact values by parameter name, their JSON form and their columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from boundaudit import InputError

if TYPE_CHECKING:
    from boundaudit.checks.language.floats import Array

Point: TypeAlias = dict[str, Any]
"""Values by parameter name: int, Fraction or float (read as the dyadic rational it is), tuples of
these for vectors, tuples of rows for matrices, tuples of tuples of positions for families of subsets."""


def value_to_json(value: Any, *, in_row: bool = False) -> Any:
    """A number, vector, matrix or family of subsets as JSON: numbers stay numbers, a Fraction becomes ``"p/q"``.

    In a row of a matrix whole fractions become ``"p/1"``, and are no positions.
    """
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 and not in_row else f"{value.numerator}/{value.denominator}"
    if isinstance(value, (tuple, list)):
        nested = any(isinstance(entry, (tuple, list)) for entry in value)
        return [value_to_json(entry, in_row=in_row or nested) for entry in value]
    return value


def value_from_json(data: Any) -> Any:
    """Read back what `value_to_json` wrote.

    Raises:
        InputError: where it is neither a number, a fraction in quotes, nor a list of these.
    """
    if isinstance(data, str):
        try:
            return Fraction(data)
        except (ValueError, ZeroDivisionError):
            raise InputError("point", 'a number, "p/q" or a list', data, "write numbers") from None
    if isinstance(data, (list, tuple)):
        return tuple(map(value_from_json, data))
    return data


def to_json(point: Mapping[str, Any]) -> dict[str, Any]:
    """A point as JSON, which `from_json` reads back to the same exact point."""
    return {name: value_to_json(value) for name, value in point.items()}


def from_json(data: Mapping[str, Any]) -> Point:
    """Read a point back from JSON."""
    return {name: value_from_json(value) for name, value in data.items()}


def plain(value: Any) -> Any:
    """A value as a measurement gets it: integers stay integers, other exact numbers become floats."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if not isinstance(value, (int, float)) and isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return value


def columns(points: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    """Stack n ≥ 1 points with the same parameters for batched evaluation.

    By name, shape (n,) for numbers and (n, k) for vectors, zero-padded to the longest; matrices, of shape (n, k, m),
    are stacked when they are first asked for, as few expressions read one.
    """
    import numpy as np

    stacked = _Table(points)
    for name, first in points[0].items():
        values = [point[name] for point in points]
        if not isinstance(first, tuple):
            stacked[name] = np.array([_nearest(value) for value in values])
        elif not any(isinstance(entry, tuple) for value in values for entry in value[:1]):
            stacked[name] = _padded(values)
    return stacked


class _Table(dict[str, Any]):
    """Columns by name; those of matrices are made when they are asked for."""

    def __init__(self, points: Sequence[Mapping[str, Any]]) -> None:
        super().__init__()
        self._points = points

    def __missing__(self, name: str) -> Array:
        import numpy as np

        matrices = [point[name] for point in self._points]
        table = np.zeros((len(matrices), *(max(map(len, found)) for found in (matrices, [m[0] for m in matrices]))))
        for stacked, rows in zip(table, matrices, strict=True):
            stacked[: len(rows), : len(rows[0])] = [[_nearest(entry) for entry in row] for row in rows]
        self[name] = table
        return table


def _padded(rows: Sequence[tuple[Any, ...]]) -> Array:
    import numpy as np

    table = np.zeros((len(rows), max((len(row) for row in rows), default=0)))
    for i, row in enumerate(rows):
        table[i, : len(row)] = [_nearest(entry) for entry in row]
    return table


def _nearest(value: Any) -> float:
    """The float nearest to an exact number; infinite beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
