"""The target itself, by counting bits: what every network is compared with.

Parities of bits only, up to the weighted sum; shares nothing with the construction.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.target import Target, TargetBatch

INPUTS = 2**16
"""Inputs of all targets together that are looked at at once."""


def evaluate(target: Target, bits: Tensor) -> Tensor:
    """f(x) = sum_t c_t [the number of ones in S_t is even] (Equation 1) at 0/1 inputs (N, T), float64, (N,)."""
    total = torch.zeros(len(bits), dtype=torch.float64, device=bits.device)
    for positions, coefficient in zip(target.components, target.coefficients, strict=True):
        odd = torch.zeros(len(bits), dtype=torch.bool, device=bits.device)
        for position in positions:
            odd ^= bits[:, position - 1].bool()
        total += coefficient * (~odd).double()
    return total


def odd(members: Tensor, bits: Tensor) -> Tensor:
    """Whether sets (..., sets, T) hold an odd number of the ones of inputs (..., N, T), bool, (..., sets, N)."""
    return (members.double() @ bits.double().mT).remainder(2).bool()


def weighted(batch: TargetBatch, odd: Tensor) -> Tensor:
    """The targets' values, float64, (B, N), from what `odd` says of their members, (B, w_max, N)."""
    return (batch.coefficients[:, None] @ (~odd).double())[:, 0]


def evaluate_batch(batch: TargetBatch, bits: Tensor) -> Tensor:
    """The targets' values, float64, (B, N), by counting ones, at inputs (B, N, T_max) or (N, T_max) for all alike."""
    return weighted(batch, odd(batch.members, bits))


def over_all_inputs(batch: TargetBatch, measure: Callable[..., Tensor], *by_target: Tensor) -> Tensor:
    """What `measure` makes, (n, ...), of n targets, all 2^T_max inputs and n entries of each of `by_target`: (B, ...).

    A few targets at a time; shorter ones see each of their inputs equally often.
    """
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
    step = max(1, INPUTS // len(bits))
    parts = [slice(start, start + step) for start in range(0, len(batch), step)]
    return torch.cat([measure(batch[part], bits, *(other[part] for other in by_target)) for part in parts])
