"""How values change along the direction in which 2 Cov(v', l') is largest, and how what follows of it is stated."""

from __future__ import annotations

import functools
from collections.abc import Callable

from torch import Tensor

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.hessian.directions import COVARIANCE, Moves, risen_at
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.numeric.sharpness.hessian_directions import Direction, levels, over

LABEL, ROWS_OF = "sharpness.hessian.covariance", "sharpness.gradients.rows"
_ROWS, _UNIT = T + 1, Reals(0, 1)


class _Values:
    """How values change along the direction; each attribute names itself."""

    def __init__(self, of: Moves) -> None:
        self.of = of
        self.reach = of.number("reach of the values' flat changes", "S", lambda d: _spread(d))
        self.level = of.vector("part of their range that values' flat changes have made", "y", _ROWS,
                               lambda d: levels(d.flat, d.rows.a > 0), _UNIT)  # fmt: skip
        two = functools.partial(of.vector, entries=_UNIT)
        self.risen = two("part of its rise that a unit of two rows of values has made", "z", (2, UNITS),
                         lambda d: risen_at(d, d.value_ends))  # fmt: skip
        self.seen = two("bits seen by two rows of values", "s", 2, lambda d: d.rows.s.take_along_dim(d.value_ends, -1))
        self.outputs = two("outputs of two rows of values", "g", 2,
                           lambda d: d.rows.g.take_along_dim(d.value_ends, -1))  # fmt: skip
        self.off = two("units that are off in two rows of values", "o", (2, UNITS), _off)
        self.weights = of.vector("output weights of units on at one", r"\phi", UNITS, _weights)
        self.passed = of.vector("units that are off at zero", r"\pi", UNITS, _passed, _UNIT)
        self.inputs = of.vector("M's direction", "M_d", UNITS, lambda d: d.along.M[:, -1])
        self.biases = of.vector("Gamma's direction", r"\Gamma", UNITS, lambda d: d.along.Gamma)
        self.written = of.vector("F's direction into the data", "F_d", UNITS, lambda d: d.along.F[..., -1])
        self.entries = of.vector("entries of V2's direction", "V_2", 3, lambda d: d.value_entries)
        self.moves = of.vector("moves of unused rows over the farthest", r"\eta", _ROWS, _moves, Reals(-1, 1))


def _spread(d: Direction) -> Tensor:
    most, least = d.flat.take_along_dim(d.value_ends, -1).unbind(-1)
    return most - least


def _weights(d: Direction) -> Tensor:
    return d.rows.units.output.where(d.rows.units.real & (1 + d.rows.units.bias > 0), 0.0)


def _passed(d: Direction) -> Tensor:
    return (d.rows.units.bias <= 0).double()


def _off(d: Direction) -> Tensor:
    return 1 - d.rows.on.take_along_dim(d.value_ends[..., None], 1)


def _moves(d: Direction) -> Tensor:
    return over(d.moved, d.farthest, d.idle) * d.rows.slope.sign()


VALUES = {which: _Values(of) for which, of in COVARIANCE.items()}
FINITE = {which: found for which, found in VALUES.items() if which != "ideal"}
Values = _Values
"""What one network's values do."""


def cases(case: Callable[[str, _Values], Case], among: dict[str, _Values] = VALUES) -> tuple[Case, ...]:
    """A case for each network."""
    return tuple(case(which, found) for which, found in among.items())
