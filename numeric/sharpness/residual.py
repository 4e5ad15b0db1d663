"""The error of the network under each reading of the residual around its MLP."""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import Residual, forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate_batch, over_all_inputs
from boundaudit.numeric.sharpness.target import TargetBatch


def errors(batch: TargetBatch, bits: Tensor, *, residual: Residual, mlp: Trapezoid = "steep") -> Tensor:
    """|network - target| at λ = 2, float64, (B, N), at (N, T_max) for all or (B, N, T_max), bits beyond T ignored."""
    return (forward(build(batch, mlp=mlp), batch, bits, residual=residual) - evaluate_batch(batch, bits)).abs()


def largest_errors(batch: TargetBatch, *, residual: Residual, mlp: Trapezoid = "steep") -> Tensor:
    """The largest of these errors over all inputs, float64, (B,), T_max small enough to enumerate them."""
    return over_all_inputs(batch, lambda part, bits: errors(part, bits, residual=residual, mlp=mlp).amax(-1))
