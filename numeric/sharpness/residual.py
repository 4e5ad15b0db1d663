"""The error of the network under each reading of the residual around its MLP."""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import Residual, forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate_batch, over_all_inputs
from boundaudit.numeric.sharpness.target import TargetBatch


def errors(batch: TargetBatch, bits: Tensor, *, residual: Residual, mlp: Trapezoid = "steep") -> Tensor:
    """How far each network is from its target on each input, at λ = 2.

    Args:
        batch: B targets.
        bits: 0/1 inputs, shape (N, T_max) for all targets alike or (B, N, T_max); bits beyond T are ignored.
        residual: what the residual carries.
        mlp: the trapezoid.

    Returns:
        |network - target|, float64, shape (B, N).
    """
    return (forward(build(batch, mlp=mlp), batch, bits, residual=residual) - evaluate_batch(batch, bits)).abs()


def largest_errors(batch: TargetBatch, *, residual: Residual, mlp: Trapezoid = "steep") -> Tensor:
    """The largest error of each network over all inputs, at λ = 2.

    Args:
        batch: B targets, with T_max small enough to enumerate the inputs.
        residual: what the residual carries.
        mlp: the trapezoid.

    Returns:
        The largest |network - target|, float64, shape (B,).
    """
    return over_all_inputs(batch, lambda part, bits: errors(part, bits, residual=residual, mlp=mlp).amax(-1))
