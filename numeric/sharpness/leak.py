"""Errors of the construction against its target, for many targets with scales of their own."""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.sharpness.attention import scaled
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate_batch, over_all_inputs
from boundaudit.numeric.sharpness.target import TargetBatch


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


def largest_errors(batch: TargetBatch, scale: Tensor, mlp: Trapezoid) -> Tensor:
    """The largest |network - target| over all inputs.

    Args:
        batch: B targets.
        scale: λ of both layers, shape (B,).
        mlp: the trapezoid.

    Returns:
        Shape (B,).
    """

    def largest(part: TargetBatch, bits: Tensor, at: Tensor) -> Tensor:
        return errors(part, bits, at, at, mlp).abs().amax(-1)

    return over_all_inputs(batch, largest, scale)
