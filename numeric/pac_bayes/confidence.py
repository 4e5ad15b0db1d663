"""Upper confidence limits for the mean of bounded draws: a Monte-Carlo estimate enters a bound with its own δ.

Draws are independent, in [0, M] where M is the largest, shape (..., n); a limit, shape (...), falls below the mean with
probability at most δ.
"""

from __future__ import annotations

import math

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl
from boundaudit.numeric.pac_bayes.tensors import as_float64, every


def maurer_pontil(draws: Tensor | ArrayLike, delta: float, largest: float = 1.0) -> Tensor:
    """Mean + √(2V ln(2/δ)/n) + 7M ln(2/δ)/(3(n-1)), with the unbiased variance V (Maurer & Pontil 2009, Theorem 4).

    Raises:
        InputError: for draws, δ or M out of range, or n < 2.
    """
    draws = checked_draws(draws, delta, largest, least=2)
    n, log = draws.shape[-1], math.log(2 / delta)
    return draws.mean(-1) + torch.sqrt(2 * draws.var(-1) * log / n) + 7 * largest * log / (3 * (n - 1))


def kl_limit(draws: Tensor | ArrayLike, delta: float, largest: float = 1.0) -> Tensor:
    """M kl⁻¹(mean/M, ln(1/δ)/n): Chernoff's limit; InputError for draws, δ or M out of range."""
    draws = checked_draws(draws, delta, largest)
    mean = (draws.mean(-1) / largest).clamp(0, 1)
    return largest * inverse_binary_kl(mean, math.log(1 / delta) / draws.shape[-1])


def checked_draws(draws: Tensor | ArrayLike, delta: float, largest: float, least: int = 1) -> Tensor:
    """The draws as float64, if a limit is valid for them.

    Raises:
        InputError: for fewer than `least`, one outside [0, M], a δ outside (0, 1), or an M that is not positive and
            finite.
    """
    found = as_float64(draws)
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", delta, "correct delta")
    if not 0 < largest < math.inf:
        raise InputError("largest", "a positive number", largest, "say what no draw can exceed")
    count = found.shape[-1] if found.ndim else 0
    if count < least:
        raise InputError("draws", f"at least {least} along the last axis", count, "draw more")
    if not every((found >= 0) & (found <= largest)):
        raise InputError("draws", f"numbers from 0 to {largest:g}", "others", "clip them, or give their largest value")
    return found
