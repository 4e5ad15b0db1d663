"""The smallest value of a bound over the noise σ, certified by branch and bound.

Every bound here is ``objective(σ, σ)``, where its first argument stands in what grows with σ (the loss under noise)
and its second in what falls (the relative entropy): on a cell [low, high] no value is below ``objective(low, high)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit import InputError

Objective = Callable[[Tensor, Tensor], Tensor]
"""From σ where it raises the bound and σ where it lowers it, shape (n,) each, to the bound, shape (n,)."""

_EXPONENTS = (-30.0, 8.0)
_CELLS = 2**11
_LIMIT = 2**20
_GAP = 1e-7
_ROUNDS, _POINTS = 9, 33


class Minimum(NamedTuple):
    """The best σ."""

    sigma: float  # where the bound is smallest
    value: float  # its value there
    floor: float  # no σ in [1e-30, 1e8] gives less, but for rounding


def minimum(objective: Objective) -> Minimum:
    """Minimise an objective rising in its first and falling in its second σ; InputError where it is nowhere finite."""
    edges = torch.logspace(*_EXPONENTS, _CELLS + 1, dtype=torch.float64)
    low, high = edges[:-1], edges[1:]
    while True:
        floors, values = objective(low, high), objective(high, high)
        best, where = values.nan_to_num(torch.inf).min(0)
        if not best < torch.inf:
            raise InputError("bound", "a finite value at some σ", "none", "give more samples or smaller budgets")
        open_cells = floors < best * (1 - _GAP)
        if not bool(open_cells.any()) or 8 * int(open_cells.sum()) > _LIMIT:
            break
        low, high = _split(low[open_cells], high[open_cells])
    sigma = _polish(objective, float(high[where]), float(high[where] / low[where]))
    at = torch.tensor([sigma], dtype=torch.float64)
    value = min(float(objective(at, at)), float(best))
    return Minimum(sigma, value, min(float(floors.min()), value))


def _split(low: Tensor, high: Tensor) -> tuple[Tensor, Tensor]:
    """Each cell in eight, evenly in log σ."""
    steps = torch.linspace(0, 1, 9, dtype=torch.float64)
    edges = low[:, None] * (high / low)[:, None] ** steps
    return edges[:, :-1].flatten(), edges[:, 1:].flatten()


def _polish(objective: Objective, sigma: float, width: float) -> float:
    """Narrow down where the derivative by log σ changes its sign, as values alone no longer tell."""
    low, high = (math.log(sigma) + side * 64 * math.log(width) for side in (-1, 1))
    for _ in range(_ROUNDS):
        points = torch.linspace(low, high, _POINTS, dtype=torch.float64).requires_grad_()
        (slopes,) = torch.autograd.grad(objective(points.exp(), points.exp()).sum(), points)
        falling = int((slopes <= 0).sum())
        ends = points.detach()[[max(falling - 1, 0), min(falling, _POINTS - 1)]]
        low, high = ends.tolist()
    return math.exp((low + high) / 2)
