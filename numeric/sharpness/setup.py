"""The setting, by enumeration: tables of targets and products of indicators.

Means run over all inputs. A target shorter than its batch ignores the padded bits, so that each of its own inputs is
seen equally often.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.oracle import odd, over_all_inputs, weighted
from boundaudit.numeric.sharpness.target import TargetBatch

CHUNK = 2**21
"""Numbers that an enumeration holds at once."""

Statistic = Callable[[TargetBatch, Tensor], Tensor]
"""From n targets and the parity of each component at each input, bool, shape (n, w_max, 2^T_max), to n numbers."""


def over_inputs(batch: TargetBatch, statistic: Statistic) -> Tensor:
    """A number for each target from all of its inputs, (B,), a few targets at a time."""
    return over_all_inputs(batch, lambda part, bits: statistic(part, odd(part.members, bits)))


def mean(batch: TargetBatch, odd: Tensor) -> Tensor:
    """E f."""
    return weighted(batch, odd).mean(-1)


def signed_mean(batch: TargetBatch, odd: Tensor) -> Tensor:
    """The mean over all inputs of the sum of c_t times the character that is 1 on even and -1 on odd components."""
    return _signed(batch, odd).mean(-1)


def signed_variance(batch: TargetBatch, odd: Tensor) -> Tensor:
    """The variance of the same."""
    return _signed(batch, odd).var(-1, correction=0)


def _signed(batch: TargetBatch, odd: Tensor) -> Tensor:
    """Shape (n, inputs)."""
    return (batch.coefficients[:, None] @ (1 - 2 * odd.double()))[:, 0]


def variance(batch: TargetBatch, odd: Tensor) -> Tensor:
    """Var f."""
    return weighted(batch, odd).var(-1, correction=0)


def log_determinant(length: int, *, device: torch.device | str = "cpu") -> float:
    """log2 |det| of the matrix of all indicators at all inputs of T bits."""
    bits = bit_strings(length, 0, 2**length, device=device)
    matrix = (~odd(bits, bits)).double()
    return float(torch.linalg.slogdet(matrix).logabsdet) / math.log(2)


def mean_product(first: Tensor, second: Tensor, shared: Tensor) -> Tensor:
    """E χ_S χ_S' over all inputs, float64, by how many positions are in S alone, in S' alone and in both; all (B,)."""
    length = int((first + second + shared).max())
    bits = bit_strings(length, 0, 2**length, device=first.device)
    position = torch.arange(length, device=first.device)
    only_second = (position >= first[:, None]) & (position < (first + second)[:, None])
    both = (position >= (first + second)[:, None]) & (position < (first + second + shared)[:, None])
    sets = torch.stack([(position < first[:, None]) | both, only_second | both], dim=1)
    step = max(1, CHUNK // (2 * len(bits)))
    parts = [sets[start : start + step] for start in range(0, len(sets), step)]
    return torch.cat([(~odd(part, bits)).all(1).double().mean(-1) for part in parts])
