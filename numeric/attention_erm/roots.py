"""Roots of monotone crossings, batched."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

_STEPS = 100


def crossing(function: Callable[[Tensor], Tensor], low: Tensor, high: Tensor, tolerance: float = 1e-13) -> Tensor:
    """Where a function that is at least 0 at the lower end of an interval falls below it, by the Illinois method.

    The function is batched, continuous, and at most 0 at the higher ends; ends and crossings have shape (k). The
    tolerance is relative to the interval.
    """
    above, below = function(low), function(high)
    width = tolerance * (high - low)
    middle = (low + high) / 2
    last = torch.zeros_like(low)  # which end moved; the other one's value is halved where it stays twice
    for step in range(_STEPS):
        secant = (low * below - high * above) / (below - above)
        usable = (secant > low) & (secant < high) & torch.tensor(step % 6 < 5)
        middle = torch.where(usable, secant, (low + high) / 2)
        value = function(middle)
        left = value >= 0
        side = torch.where(left, 1.0, -1.0)
        share = torch.where(side == last, 0.5, 1.0)
        above, below, last = torch.where(left, value, above * share), torch.where(left, below * share, value), side
        low, high = torch.where(left, middle, low), torch.where(left, high, middle)
        if bool(((high - low <= width) | (value.abs() <= tolerance)).all()):
            break
    return middle
