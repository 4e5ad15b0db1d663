"""Errors of the construction against its target, for many targets with scales of their own."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.attention import scaled
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import TargetBatch

INPUTS = 2**16
"""Inputs of all targets together that are compared with their targets at once."""


def errors(batch: TargetBatch, bits: Tensor, first: Tensor, second: Tensor, mlp: Trapezoid) -> Tensor:
    """Network minus target.

    Args:
        batch: B targets.
        bits: inputs, shape (B, N, T_max) or (N, T_max) for all alike.
        first: λ of layer 1, shape (B,).
        second: λ of layer 2, shape (B,).
        mlp: the trapezoid.

    Returns:
        Signed errors, shape (B, N).
    """
    return forward(scaled(batch, first, second, mlp=mlp), batch, bits) - evaluate_batch(batch, bits)


def over_all_inputs(batch: TargetBatch, measure: Callable[[TargetBatch, Tensor], Tensor]) -> Tensor:
    """A number for each target from all its inputs.

    Args:
        batch: B targets; shorter ones see each of their inputs equally often.
        measure: from n targets and all 2^T_max inputs to shape (n,).

    Returns:
        Shape (B,).
    """
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
    step = max(1, INPUTS // len(bits))
    return torch.cat([measure(batch[start : start + step], bits) for start in range(0, len(batch), step)])


def largest_errors(batch: TargetBatch, scale: Tensor, mlp: Trapezoid) -> Tensor:
    """The largest |network - target| over all inputs.

    Args:
        batch: B targets.
        scale: λ of both layers, shape (B,).
        mlp: the trapezoid.

    Returns:
        Shape (B,).
    """
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
    return errors(batch, bits, scale, scale, mlp).abs().amax(-1)
