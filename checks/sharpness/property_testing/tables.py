"""Numbers of tables of values, on which property testers are judged."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import small
from boundaudit.checks.sharpness.targets import PAPER

claim = functools.partial(Claim, paper=PAPER)


def of_table(name: str, latex: str, of: Callable[[Tensor, int], Tensor], *, nonnegative: bool = False) -> Quantity:
    """A number of a table of values f_pt and the degree D_pt that is tested for."""
    measure = small(lambda at: of(at.real("f_pt"), at.points[0]["D_pt"]), "T_pt", "D_pt")
    return Quantity(name, measure, latex, scale=1.0, nonnegative=nonnegative)


def by_points(of: Callable[[Point], list[float]]) -> Callable[[Sequence[Point], str], Array]:
    """Some numbers of one point at a time as the measurement of a vector, padded."""

    def measure(points: Sequence[Point], _: str) -> Array:
        each = [of(point) for point in points]
        found = np.zeros((len(points), max(map(len, each))))
        for row, values in zip(found, each, strict=True):
            row[: len(values)] = values
        return found

    return measure
