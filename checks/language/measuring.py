"""What sides are at points: by their formulas, and by measurements, whose faults become one line that names them."""

from __future__ import annotations

import functools
import marshal
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from boundaudit import InputError
from boundaudit.checks.language.atoms import Family, atoms_of
from boundaudit.checks.language.claim import Estimate, Probability, Quantity, Side
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.faults import told
from boundaudit.checks.language.floats import Array, evaluate_float, float_column
from boundaudit.checks.language.points import Point, columns, plain
from boundaudit.checks.language.translate import to_tree


def side_values(side: Side, points: Sequence[Point], device: str) -> Array:
    """One side, float64 of shape (n,), at n points of the domain, on a device if there are points enough for it."""
    if not points:
        return np.empty(0)
    if isinstance(side, Quantity):
        return _recent(side, _Batch.of(points), _place(points, device))
    return float_column(to_tree(side), table(side, points, device), len(points))


ENOUGH = 4096
"""Points of a batch from which on a GPU is worth its launches: some 10 µs for each of hundreds of operations."""


def _place(points: Sequence[Point], device: str) -> str:
    """Where a batch is measured."""
    return device if len(points) >= ENOUGH else "cpu"


def standard_errors(side: Side, points: Sequence[Point], device: str) -> Array | None:
    """One standard error of a side at n points, shape (n,), infinite where it is not known.

    None for a side that is no `Estimate`, or that a definition decides.

    Raises:
        InputError: where one is negative.
    """
    if not isinstance(side, Estimate) or side.definition is not None:
        return None
    values = np.nan_to_num(side_values(side.spread, points, device), nan=math.inf)
    if (values < 0).any():
        raise InputError(place_of(side.spread), "numbers of at least 0", f"{values.min():g}", "return standard errors")
    return values


def table(side: Side, points: Sequence[Point], device: str) -> dict[str, Array]:
    """What a formula is evaluated with: parameters, and what is measured in it, on a device if that pays.

    By name, shape (n,) for numbers, (n, k) for vectors and (n, k, m) for matrices, at n ≥ 1 points.
    """
    found = columns(points)
    for part in atoms_of(side):
        if isinstance(part, Quantity):
            values = side_values(part, points, device)
        else:
            values = _entries(part, points, _place(points, device), found)
        _require_declared(part, values, found)
        found[part.name] = values
    return found


def _require_declared(part: Quantity | Family, values: Array, at: dict[str, Array]) -> None:
    """What is measured lies where its declaration says: proofs stand on that."""
    within = part.entries if isinstance(part, Family) else Reals(0 if part.nonnegative else None)
    declared = within.to_json()
    for side, sign in (("low", -1.0), ("high", 1.0)):
        if declared[side] is None:
            continue
        end = evaluate_float(declared[side], at).reshape(-1, *(1,) * (values.ndim - 1))
        there = _there(part, values, at) if isinstance(part, Family) else np.isfinite(values)
        beyond = sign * (values - end) > ATOMS * np.maximum(1, np.abs(end))
        if (beyond & there).any():
            got = f"{values[beyond & there][0]:g}"
            raise InputError(part.name, f"numbers {within.sentence('x')}, as is declared", got, "declare what it is")


ATOMS = 1e-9
"""How far beyond its declared range an atom may be measured: rounding."""


def _there(part: Family, values: Array, at: dict[str, Array]) -> npt.NDArray[np.bool_]:
    """Which entries of a padded array there are."""
    there = np.ones(values.shape, dtype=np.bool_)
    for axis, length in enumerate(part.lengths, 1):
        count = float_column(to_tree(length), at, len(values))
        inside = np.arange(values.shape[axis])[None] < count[:, None]
        there &= inside.reshape(len(values), *(values.shape[axis] if k == axis else 1 for k in range(1, values.ndim)))
    return there


@dataclass(frozen=True)
class _Batch:
    """Points as a measurement gets them, and the bytes that say whether others are the same to the last bit."""

    key: bytes
    points: Sequence[Point] = field(compare=False)

    @classmethod
    def of(cls, points: Sequence[Point]) -> _Batch:
        plainly = _plainly(points)
        try:
            return cls(marshal.dumps(plainly, 2), plainly)
        except ValueError:  # a value of a user's own type
            return cls(repr(plainly).encode(), plainly)


@functools.lru_cache(maxsize=1024)
def _recent(quantity: Quantity, batch: _Batch, device: str) -> Array:
    """What is measured at a batch, kept for the next who asks: cases and chains share their sides and their points."""
    values = _measured(quantity, batch.points, device).copy()
    values.flags.writeable = False
    return values


def _measured(quantity: Quantity, points: Sequence[Point], device: str) -> Array:
    """Call a measurement; what goes wrong in it becomes one line that names it."""
    values = called(quantity, lambda: quantity.measure(points, device))
    if values.shape != (len(points),):
        raise InputError(place_of(quantity), f"shape ({len(points)},)", values.shape, "return one number per point")
    return _real(quantity, values)


def _entries(part: Family, points: Sequence[Point], device: str, at: dict[str, Array]) -> Array:
    """The same of a vector or a matrix: a row for each point, padded to the longest."""
    values = called(part, functools.partial(part.measure, points, device))
    longest = [float(np.max(evaluate_float(to_tree(length), at))) for length in part.lengths]
    fits = values.ndim == 1 + len(longest) and len(values) == len(points)
    if not fits or np.less(values.shape[1:], longest).any():
        needed = f"shape ({', '.join(f'{size:g}' for size in (len(points), *longest))}) or longer"
        raise InputError(place_of(part), needed, values.shape, "return every entry at every point")
    return _real(part, values)


def _real(part: Quantity | Family, values: npt.NDArray[Any]) -> Array:
    """What was measured, as floats."""
    if values.dtype == object and all(isinstance(value, Real) for value in values.flat):
        values = values.astype(np.float64)
    if values.dtype.kind not in "biuf":
        got = f"{values.dtype} such as {values.flat[0]!r}"
        raise InputError(place_of(part), "real numbers", got, "return float64")
    return values.astype(np.float64, copy=False)


def counted(event: Probability, points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    """How often an event happened at each of n points in so many independent trials, shape (n,).

    Raises:
        InputError: where the counts are no integers from 0 up to the number of trials, one a point.
    """
    events = called(event, lambda: event.measure(_plainly(points), trials, seed, device))
    field = place_of(event)
    if events.shape != (len(points),):
        raise InputError(field, f"{len(points)} counts, one a point", f"shape {events.shape}", "count at every point")
    if events.dtype.kind not in "iu":
        got = f"{events.dtype} such as {events[0]!r}"
        raise InputError(field, "integer counts of the event", got, "return counts, not frequencies")
    outside = (events < 0) | (events > trials)
    if outside.any():
        worst = int(events[np.argmax(outside)])
        raise InputError(field, f"counts from 0 up to {trials}, the trials", worst, "count each trial at most once")
    return events.astype(np.int64, copy=False)


def called(part: Quantity | Family, measure: Callable[[], Any]) -> npt.NDArray[Any]:
    """What a user's function returns, as an array; whatever it raises becomes one line that names it.

    Raises:
        InputError: where the function raises anything but a KeyboardInterrupt, which passes through.
    """
    try:
        return np.asarray(measure())
    except BaseException as error:
        if isinstance(error, (InputError, KeyboardInterrupt)):
            raise
        raise InputError(place_of(part), "a measurement that runs", told(error), "correct the measurement") from error


def place_of(part: Quantity | Family) -> str:
    """How an error names what is measured: by name, with file and line of its measurement where they are known."""
    code = getattr(part.measure, "__code__", None)
    return f"{part.name} ({code.co_filename}:{code.co_firstlineno})" if code else part.name


def _plainly(points: Sequence[Point]) -> list[Point]:
    return [{name: plain(value) for name, value in point.items()} for point in points]
