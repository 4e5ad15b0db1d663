"""How far the network is from its target: measured over inputs, beside the leak of layer 2.

At finite scale the second softmax leaves mass on the T+1-ω inactive rows. As long as the
first layer keeps every active row on a plateau of the MLP, this is the only error, at most
C (T+1-ω) / (C T^λ + T+1-ω) (our derivation from Appendix B, Equation 8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness.construction import Layout, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target, TargetBatch

BATCH = 2**16
"""Inputs handed to the network at once; fixed, so that means do not depend on the machine's memory."""

LEVEL = 0.95


@dataclass(frozen=True)
class Exactness:
    """Errors of the network against its target.

    Attributes:
        max_abs_error: the largest |network - target| among the inputs.
        mean_squared_error: the mean of the squared error over the inputs.
        leak_bound: what layer 2 can leak at most.
        error_bound: what bounds the error over all inputs, whether or not layer 1 is exact.
        mean_squared_error_interval: for a sample, a 95 % confidence interval of the mean over all
            inputs (empirical Bernstein, Maurer & Pontil 2009, Theorem 4); otherwise nothing.
    """

    max_abs_error: float
    mean_squared_error: float
    leak_bound: float
    error_bound: float
    mean_squared_error_interval: tuple[float, float] | None


def exactness(
    target: Target,
    inputs: Inputs,
    *,
    layout: Layout = "published",
    mlp: Trapezoid = "steep",
    scale: float = 2.0,
    device: torch.device | str = "cpu",
) -> Exactness:
    """Run the network on the inputs and compare it with the target.

    Args:
        target: the target.
        inputs: all inputs, a sample or one.
        layout: the channels.
        mlp: the trapezoid.
        scale: λ, or infinity for the ideal network.
        device: where to compute.

    Returns:
        The errors; sums are rounded once, so that they do not depend on any order.
    """
    batch = TargetBatch.stack([target], device=device)
    blocks = build(batch, layout=layout, mlp=mlp, scale=scale)
    worst, squares, fourths = 0.0, [], []
    for bits in inputs.batches(BATCH, device=device):
        error = (forward(blocks, batch, bits, scale=scale)[0] - evaluate(target, bits)).abs()
        worst = max(worst, float(error.max()))
        squares.append(math.fsum(error.square().tolist()))
        fourths.append(math.fsum(error.pow(4).tolist()))
    mean = math.fsum(squares) / inputs.count
    bound = error_bound(target, scale)
    interval = None
    if inputs.mode == "random":
        interval = _bernstein(mean, math.fsum(fourths) / inputs.count, inputs.count, bound**2)
    return Exactness(worst, mean, leak_bound(target, scale), bound, interval)


def leak_bound(target: Target, scale: float) -> float:
    """C (T+1-ω) / (C T^λ + T+1-ω), which is 0 in the ideal network.

    Args:
        target: the target.
        scale: λ, or infinity.

    Returns:
        The bound on the second layer's leak.
    """
    c, inactive = target.coefficient_sum, target.length + 1 - target.sparsity
    q = math.pow(target.length, -scale)
    return c * (inactive * q / (c + inactive * q))


def stays_on_plateaus(target: Target, scale: float) -> bool:
    """Whether layer 1 moves every active row less than the half-width 1/(4D) of the MLP's plateaus.

    Its worst shift, (T+1-D) / (D T^λ + T+1-D), belongs to a set full of ones beside zeros only.

    Args:
        target: the target.
        scale: λ, or infinity.

    Returns:
        True when the MLP's output on active rows is exactly 0 or 1 for every input.
    """
    d, outside = target.degree, target.length + 1 - target.degree
    q = math.pow(target.length, -scale)
    return (4 * d - 1) * outside * q <= d


def error_bound(target: Target, scale: float) -> float:
    """A bound on |network - target| over all inputs that holds at every scale.

    Args:
        target: the target.
        scale: λ, or infinity.

    Returns:
        The leak bound where layer 1 stays on the plateaus, else C: both values lie in [0, C].
    """
    return leak_bound(target, scale) if stays_on_plateaus(target, scale) else target.coefficient_sum


def _bernstein(mean: float, mean_of_squares: float, count: int, span: float) -> tuple[float, float]:
    """Return the two-sided empirical Bernstein interval for the mean of values in [0, span]."""
    variance = max(0.0, mean_of_squares - mean * mean) * count / (count - 1)
    log = math.log(4 / (1 - LEVEL))
    width = math.sqrt(2 * variance * log / count) + 7 * span * log / (3 * (count - 1))
    return max(0.0, mean - width), mean + width
