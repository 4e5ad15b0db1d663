"""A confidence limit by betting: the mean is too large where a bet against it has made too much money.

Waudby-Smith & Ramdas 2024 (one-sided, with predictable plug-in bets). If the mean of draws in [0, 1] is μ, the capital
K_t(μ) = Π_i (1 + b_i (μ - X_i)) with bets 0 ≤ b_i ≤ 1/(1-μ), fixed before X_i is seen, is a nonnegative martingale; it
ever reaches 1/δ with probability at most δ (Ville). As it rises with μ, what has not reached 1/δ is an interval.
"""

from __future__ import annotations

import math

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from boundaudit.numeric.pac_bayes.confidence import checked_draws

_HALVINGS = 50


def largest_capital(draws: Tensor, mean: Tensor | float, delta: float) -> Tensor:
    """The logarithm of the largest capital max_t K_t(μ), shape (...), of bets sized for δ that the mean is below μ.

    Independent draws in [0, 1] have shape (..., n), μ in [0, 1] one that broadcasts with (...).
    """
    return _largest(draws, _bets(draws, delta), torch.as_tensor(mean, dtype=torch.float64))


def betting_limit(draws: Tensor | ArrayLike, delta: float, largest: float = 1.0) -> Tensor:
    """The upper confidence limit for the mean: the upper end of a bracket around where the capital reaches 1/δ.

    Independent draws in [0, M], in the order in which they were made, shape (..., n); the limit, shape (...), falls
    below the mean with probability at most δ.

    Raises:
        InputError: for draws, δ or M out of range.
    """
    scaled = checked_draws(draws, delta, largest) / largest
    bets = _bets(scaled, delta)
    low, high = torch.zeros_like(scaled[..., 0]), torch.ones_like(scaled[..., 0])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        beyond = _largest(scaled, bets, middle) >= math.log(1 / delta)
        low, high = torch.where(beyond, low, middle), torch.where(beyond, middle, high)
    return largest * high


def _largest(draws: Tensor, bets: Tensor, mean: Tensor) -> Tensor:
    """With bets of at most 1/(1-μ), which may lose everything, and no more."""
    stake = torch.minimum(bets, 1 / (1 - mean[..., None]))
    return torch.log1p((stake * (mean[..., None] - draws)).clamp_min(-1)).cumsum(-1).amax(-1)


def _bets(draws: Tensor, delta: float) -> Tensor:
    """√(2 ln(1/δ)/(n V_{i-1})), V the variance around running means, begun with one draw's worth of 1/2 and 1/4."""
    n = draws.shape[-1]
    count = torch.arange(1, n + 1, dtype=torch.float64, device=draws.device)
    means = (0.5 + draws.cumsum(-1)) / (count + 1)
    variances = (0.25 + (draws - means).square().cumsum(-1)) / (count + 1)
    before = torch.cat([torch.full_like(variances[..., :1], 0.25), variances[..., :-1]], -1)
    return torch.sqrt(2 * math.log(1 / delta) / (n * before))
