"""How far the network is from its target: measured over inputs, beside the leak of layer 2.

At finite scale the second softmax leaves mass on the T+1-ω inactive rows. As long as the first layer keeps every active
row on a plateau of the MLP, this is the only error, at most (A + N) (T+1-ω) / (A T^λ + T+1-ω) with A = Σ|c_t| and N the
part of the negative coefficients in it: C (T+1-ω) / (C T^λ + T+1-ω) where all are positive (our derivation from
Appendix B, Equation 8).
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import torch

from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness.construction import Layout, build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.kinks import kink_weights, plateau_shifts
from boundaudit.numeric.sharpness.mlp import OFFSETS, Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target, TargetBatch

BATCH = 2**16
"""Inputs handed to the network at once; fixed, so that means do not depend on the machine's memory."""

LEVEL = 0.95

Plateaus = Literal["inside", "touching", "outside"]


@dataclass(frozen=True)
class Exactness:
    """Errors of the network against its target."""

    max_abs_error: float  # among the inputs
    mean_squared_error: float  # over the inputs
    leak_bound: float  # what layer 2 can leak at most
    error_bound: float  # over all inputs, whether or not layer 1 is exact, with its rounding
    mean_squared_error_interval: tuple[float, float] | None  # of a sample: 95 % (Maurer & Pontil 2009, Theorem 4)
    plateaus: Plateaus
    kink_weights: tuple[int, ...]  # the |z| that put the inactive rows on a kink


def exactness(
    target: Target, inputs: Inputs, *, layout: Layout = "published", mlp: Trapezoid = "steep", scale: float = 2.0,
    pruned: bool = False, device: torch.device | str = "cpu",
) -> Exactness:  # fmt: skip
    """Run the network on the inputs and compare it with the target; sums are rounded once, whatever their order."""
    batch = TargetBatch.stack([target], device=device)
    blocks = build(batch, layout=layout, mlp=mlp, scale=scale, pruned=pruned)
    worst, squares, fourths = 0.0, [], []
    for bits in inputs.batches(BATCH, device=device):
        error = (forward(blocks, batch, bits, scale=scale)[0] - evaluate(target, bits)).abs()
        worst = max(worst, float(error.max()))
        squares.append(math.fsum(error.square().tolist()))
        fourths.append(math.fsum(error.pow(4).tolist()))
    mean = math.fsum(squares) / inputs.count
    bound = error_bound(target, scale, mlp)
    interval = None
    if inputs.mode == "random":
        interval = _bernstein(mean, math.fsum(fourths) / inputs.count, inputs.count, bound**2)
    return Exactness(
        worst, mean, leak_bound(target, scale), bound, interval,
        plateaus(target, scale, mlp), kink_weights(target.length, target.grid_degree, mlp),
    )  # fmt: skip


def leak_bound(target: Target, scale: float) -> float:
    """What layer 2 can leak at most, (A + N) (T+1-ω) / (A T^λ + T+1-ω), which is 0 in the ideal network.

    All but the active rows' share of the widest gap between A g and f.
    """
    return (target.absolute_sum + target.negative_sum) * _idle_share(target, scale)


def plateaus(target: Target, scale: float, mlp: Trapezoid) -> Plateaus:
    """Whether layer 1 keeps every active row on its plateau of the MLP, for all inputs (see `plateau_shifts`).

    ``"inside"``, or ``"touching"`` where a row comes to lie on a kink but none beyond, else ``"outside"``: in exact
    arithmetic, of T^λ rounded once where λ is no integer.
    """
    if math.isinf(scale):
        return "inside"
    power, needed = _power(target.length, scale), power_for_plateaus(target, mlp)
    return "inside" if power > needed else "touching" if power == needed else "outside"


def power_for_plateaus(target: Target, mlp: Trapezoid) -> Fraction:
    """The T^λ, exact, at which a row first lies on a kink: beyond it all are on their plateaus, none below is safe."""
    kinds = {(size, c < 0) for size, c in zip(target.degrees, target.coefficients, strict=True)}
    return max(_power_for(size, negative, target, mlp) for size, negative in kinds)


def error_bound(target: Target, scale: float, mlp: Trapezoid = "steep") -> float:
    """A bound on |network - target| over all inputs that holds at every scale, for the network in float64.

    The leak bound where layer 1 stays on the plateaus, else the widest gap between a network with values in [-N, A - N]
    before its leak and the target in that range; and what rounding can add to either.
    """
    a, n = target.absolute_sum, target.negative_sum
    exact = leak_bound(target, scale)
    if plateaus(target, scale, mlp) == "outside":
        exact = a + n * _idle_share(target, scale)
    # An attained bound would be missed by the last digit of either side: both are rounded.
    return exact + _rounding(target, scale, mlp)


def _idle_share(target: Target, scale: float) -> float:
    """Return the attention that layer 2 pays to the T+1-ω inactive rows."""
    inactive = (target.length + 1 - target.sparsity) * math.pow(target.length, -scale)
    return inactive / (target.absolute_sum + inactive)


def _power(length: int, scale: float) -> Fraction:
    """Return T^λ, exactly where λ is an integer."""
    return Fraction(length ** int(scale)) if scale == int(scale) else Fraction(math.pow(length, scale))


def _power_for(size: int, negative: bool, target: Target, mlp: Trapezoid) -> Fraction:
    """Return the T^λ at which rows of one kind touch a kink at worst."""
    degree = target.grid_degree
    idle, shifts = plateau_shifts(target.length, size, degree, mlp, negative=negative)
    powers: list[Fraction] = [(Fraction(4 * shift, room) - idle) / degree for shift, room in shifts]
    return max(powers)


def _rounding(target: Target, scale: float, mlp: Trapezoid) -> float:
    """What rounding adds to the error at most, to first order in the unit roundoff.

    Each sum of n terms errs by n units of its absolute terms. The MLP's live units, each below 2, enter with the
    weights ±4D/u, which are also the slopes that carry on an error of its argument where a row touches a kink; logits
    err by a few units of their size, and so do attention weights, relatively.
    """
    degree, far = target.grid_degree, OFFSETS[mlp][3]
    live = 4 * (degree // 2 + 1)
    steepness = 4 * degree / (far - 1)
    logits = 2 * (2.0 if math.isinf(scale) else scale) * math.log(target.length)
    weights = logits + max(abs(math.log(abs(c))) for c in target.coefficients)
    argument = 2 * (logits + math.log(degree)) + target.length + 8
    terms = (live + 6) * live * steepness + steepness * argument + 4 * (weights + target.length + 8)
    return target.absolute_sum * terms * sys.float_info.epsilon


def _bernstein(mean: float, mean_of_squares: float, count: int, span: float) -> tuple[float, float]:
    """Return the two-sided empirical Bernstein interval for the mean of values in [0, span]."""
    variance = max(0.0, mean_of_squares - mean * mean) * count / (count - 1)
    log = math.log(4 / (1 - LEVEL))
    width = math.sqrt(2 * variance * log / count) + 7 * span * log / (3 * (count - 1))
    return max(0.0, mean - width), mean + width
