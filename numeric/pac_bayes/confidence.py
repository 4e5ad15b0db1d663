"""Upper confidence limits for the mean of bounded draws: a Monte-Carlo estimate enters a bound with its own δ."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl


def maurer_pontil(draws: Tensor, delta: float, largest: float = 1.0) -> Tensor:
    """Mean + √(2V ln(2/δ)/n) + 7M ln(2/δ)/(3(n-1)), with the unbiased variance V (Maurer & Pontil 2009, Theorem 4).

    Args:
        draws: independent, in [0, M], shape (..., n) with n ≥ 2.
        delta: how often the limit may fall below the mean.
        largest: M.

    Returns:
        Shape (...).
    """
    n, log = draws.shape[-1], math.log(2 / delta)
    return draws.mean(-1) + torch.sqrt(2 * draws.var(-1) * log / n) + 7 * largest * log / (3 * (n - 1))


def kl_limit(draws: Tensor, delta: float, largest: float = 1.0) -> Tensor:
    """M kl⁻¹(mean/M, ln(1/δ)/n): Chernoff's limit.

    Args:
        draws: independent, in [0, M], shape (..., n).
        delta: how often the limit may fall below the mean.
        largest: M.

    Returns:
        Shape (...).
    """
    mean = (draws.mean(-1) / largest).clamp(0, 1)
    return largest * inverse_binary_kl(mean, math.log(1 / delta) / draws.shape[-1])
