"""The mean loss over inputs of networks under noise, by mirrored pairs of draws, a pair of its own for each input.

(∇f·ε)², whose mean is σ²|∇f|², is the control variate: to second order it is what noise adds to an exact network.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.autodiff import flatten, gradients, repeat
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

QUANTILE = 4.8916384757
"""Of the standard normal distribution: beyond it to either side lies one in a million."""


class Interval(NamedTuple):
    """A mean with its interval, which misses the truth once in a million by the normal law of the mean."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, values: Tensor) -> Interval:
        """The interval of the mean of independent values, shape (n,)."""
        middle, half = float(values.mean()), QUANTILE * float(values.std()) / len(values) ** 0.5
        return cls(middle - half, middle, middle + half)


class Losses(NamedTuple):
    """Squared errors of one target's network at n inputs."""

    plain: Tensor  # without noise, (n,)
    noisy: Tensor  # under a draw and its mirror image, (2, n)
    control: Tensor  # σ²|∇f|² - (∇f·ε)², of mean zero, (n,)

    def mean(self, clip: float = math.inf) -> Interval:
        """The mean of min(loss, clip) over inputs and draws."""
        return Interval.of(self.noisy.clamp(max=clip).mean(0) + self.control)

    @property
    def rise(self) -> Interval:
        """What noise adds to the mean loss."""
        return Interval.of(self.noisy.mean(0) - self.plain + self.control)


def losses(
    target: Target, bits: Tensor, sigma: float, seed: int, *, mlp: Trapezoid = "steep", scale: float = 2.0
) -> Losses:
    """The losses of the construction and of its noisy copies, a pair at each input; inputs (n, T), which may repeat."""
    one = TargetBatch.stack([target], device=bits.device)
    plain, wanted = build(one, mlp=mlp, scale=scale), evaluate_batch(one, bits)[0]
    each, copies = one.repeat(len(bits)), repeat(plain, len(bits))
    noise = gaussian(each, copies, seed)
    outputs = [forward(moved(copies, noise, sign * sigma), each, bits[:, None], scale=scale)[:, 0] for sign in (1, -1)]
    start = forward(plain, one, bits, scale=scale)[0]
    slope = flatten(gradients(copies, each, bits, scale=scale))
    control = slope.square().sum(-1) - (slope * flatten(noise)).sum(-1).square()
    return Losses((start - wanted).square(), (torch.stack(outputs) - wanted).square(), sigma**2 * control)
