"""Orthogonal tokens of equal length: moments of the conditional variance for any number of them, by one integral.

With e_j = exp(x_j) for independent normal scores, v = Σ e_j²/(Σ e_j)². Laplace's 1/S^k = ∫ u^(k-1) e^(-uS) du/(k-1)!
makes the expectation of each moment a product of one-token expectations under one integral over u.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import torch
from torch import Tensor

from boundaudit import InputError

_REACH, _FARTHEST = 14.0, 22.0
_STEPS, _NORMAL_STEP, _LOG_STEP = 400, 0.12, 0.2
LARGEST = 225.0
"""Variance of a score up to which nodes that resolve it fit in memory."""


def orthogonal_moments(tokens: Sequence[int], variance: float, coarser: float = 1.0) -> tuple[Tensor, Tensor]:
    """E v and E v², to about 1e-12, for v the sum of squared softmax weights, for numbers s of independent scores (n,).

    A factor makes the steps coarser: a second rule, whose distance to the first is its error.

    Raises:
        InputError: for scores of a variance above 225.
    """
    if not 0 <= variance <= LARGEST:
        raise InputError(
            "query-variance", f"scores of a variance of at most {LARGEST:g}", variance, "give smaller variances"
        )
    size = torch.tensor(tokens, dtype=torch.float64)[:, None]
    if variance == 0:
        return (1 / size[:, 0]), (1 / size[:, 0].square())
    step, none, second, fourth = _one_token(math.sqrt(variance), 2 ** max(tokens).bit_length(), coarser)
    one, other = none ** (size - 1), none ** (size - 2).clamp_min(0)
    mean = (size * second * one).sum(-1) * step
    square = ((size * fourth * one) + size * (size - 1) * second.square() * other).sum(-1) * step / 6
    return mean, square


@functools.lru_cache(maxsize=8)
def _one_token(sigma: float, most: int, coarser: float) -> tuple[float, Tensor, Tensor, Tensor]:
    """The step in ln u, and u^k E[e^{kx} e^(-u e^x)] for k = 0, 2 and 4, that suit up to so many tokens."""
    reach = min(_REACH + 4 * sigma, _FARTHEST)
    low, high = -sigma * reach - math.log(most) - 20, sigma * reach + 6
    # e^(-u e^{σx}) changes over 1/σ in x, and over 1 in ln u.
    normal = _line(-reach, reach, coarser * _NORMAL_STEP / sigma, coarser)
    log_u = _line(low, high, coarser * _LOG_STEP, coarser)
    chance = (-normal.square() / 2).exp() * ((normal[1] - normal[0]) / math.sqrt(2 * math.pi))
    shifted = log_u[:, None] + sigma * normal
    kept = -shifted.exp()  # the power of u goes inside, so that nothing overflows
    none, second, fourth = ((k * shifted + kept).exp() @ chance for k in (0, 2, 4))
    return float(log_u[1] - log_u[0]), none, second, fourth


def _line(low: float, high: float, step: float, coarser: float) -> Tensor:
    """Equal steps, no larger than asked for."""
    count = max(math.ceil(_STEPS / coarser), math.ceil((high - low) / step))
    return torch.linspace(low, high, count, dtype=torch.float64)


def orthogonal_excess(tokens: Sequence[int], variance: float) -> Tensor:
    """The excess kurtosis 3 (E v²/(E v)² - 1) of one head's output, shape (n,), for numbers s of tokens."""
    mean, square = orthogonal_moments(tokens, variance)
    return 3 * (square / mean.square() - 1)
