"""Errors of the construction against its target, for many targets with scales of their own."""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.sharpness.attention import scaled
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate_batch, over_all_inputs
from boundaudit.numeric.sharpness.target import TargetBatch


def errors(batch: TargetBatch, bits: Tensor, first: Tensor, second: Tensor, mlp: Trapezoid) -> Tensor:
    """Network minus target, (B, N), at inputs (B, N, T_max) or (N, T_max) for all alike; λ of each layer (B,)."""
    return forward(scaled(batch, first, second, mlp=mlp), batch, bits) - evaluate_batch(batch, bits)


def largest_errors(batch: TargetBatch, scale: Tensor, mlp: Trapezoid) -> Tensor:
    """The largest |network - target| over all inputs, (B,), with λ (B,) of both layers."""

    def largest(part: TargetBatch, bits: Tensor, at: Tensor) -> Tensor:
        return errors(part, bits, at, at, mlp).abs().amax(-1)

    return over_all_inputs(batch, largest, scale)
