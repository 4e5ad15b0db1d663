"""The target itself, by counting bits: what every network is compared with.

Parities of bits only, up to the weighted sum; shares nothing with the construction.
"""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.target import Target, TargetBatch


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


def evaluate_batch(batch: TargetBatch, bits: Tensor) -> Tensor:
    """F of many targets, by counting the ones in each set.

    Args:
        batch: B targets.
        bits: 0/1 inputs, shape (B, N, T_max), or (N, T_max) for all alike.

    Returns:
        f of each input, float64, shape (B, N).
    """
    counts = bits.double() @ batch.members.double().mT
    return ((1 - counts % 2) * batch.coefficients[:, None]).sum(-1)
