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
    """f(x) = sum_t c_t [the number of ones in S_t is even] (Equation 1).

    Args:
        target: the target.
        bits: 0/1 inputs, shape (N, T).

    Returns:
        f of each input, float64, shape (N,).
    """
    total = torch.zeros(len(bits), dtype=torch.float64, device=bits.device)
    for positions, coefficient in zip(target.components, target.coefficients, strict=True):
        odd = torch.zeros(len(bits), dtype=torch.bool, device=bits.device)
        for position in positions:
            odd ^= bits[:, position - 1].bool()
        total += coefficient * (~odd).double()
    return total


def odd(members: Tensor, bits: Tensor) -> Tensor:
    """Whether a set holds an odd number of an input's ones.

    Args:
        members: sets of positions, bool, shape (..., sets, T).
        bits: 0/1 inputs, shape (..., N, T).

    Returns:
        Booleans, shape (..., sets, N).
    """
    return (members.double() @ bits.double().mT).remainder(2).bool()


def weighted(batch: TargetBatch, odd: Tensor) -> Tensor:
    """F of many targets from the parities of their sets.

    Args:
        batch: B targets.
        odd: what `odd` says of their members, shape (B, w_max, N).

    Returns:
        f of each input, float64, shape (B, N).
    """
    return (batch.coefficients[:, None] @ (~odd).double())[:, 0]


def evaluate_batch(batch: TargetBatch, bits: Tensor) -> Tensor:
    """F of many targets, by counting the ones in each set.

    Args:
        batch: B targets.
        bits: 0/1 inputs, shape (B, N, T_max), or (N, T_max) for all alike.

    Returns:
        f of each input, float64, shape (B, N).
    """
    return weighted(batch, odd(batch.members, bits))


def over_all_inputs(batch: TargetBatch, measure: Callable[..., Tensor], *by_target: Tensor) -> Tensor:
    """A number for each target from all its inputs, a few targets at a time.

    Args:
        batch: B targets; shorter ones see each of their inputs equally often.
        measure: from n targets, all 2^T_max inputs and n entries of what follows, to shape (n, ...).
        *by_target: what else differs from target to target, each of shape (B, ...).

    Returns:
        Shape (B, ...).
    """
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
    step = max(1, INPUTS // len(bits))
    parts = [slice(start, start + step) for start in range(0, len(batch), step)]
    return torch.cat([measure(batch[part], bits, *(other[part] for other in by_target)) for part in parts])
