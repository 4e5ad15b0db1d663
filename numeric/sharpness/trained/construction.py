"""The construction of the same function, measured as trained networks are."""

from __future__ import annotations

from typing import NamedTuple

import torch

from boundaudit.numeric.enumeration import choose_inputs
from boundaudit.numeric.sharpness.autodiff import flatten
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.loss_hessian import curvature
from boundaudit.numeric.sharpness.mean_loss import Interval, losses
from boundaudit.numeric.sharpness.one_target import Target
from boundaudit.numeric.sharpness.target import TargetBatch

_LISTED, _SAMPLE = 14, "random:8192"
"""Up to which T the trace is taken over all inputs, and over which sample beyond it."""


class Construction(NamedTuple):
    """What the construction of a function measures, in the published layout with the steep trapezoid."""

    squared_norm: float
    trace: float  # of the Hessian of the mean of (f - y)², over all inputs or a sample of them
    noisy: Interval  # the mean of (f - y)² under noise, over uniform inputs


def measure_construction(target: Target, sigma: float, *, draws: int, seed: int) -> Construction:
    """Norm, trace and loss under noise of the construction of a function of sets of one size and positive coefficients.

    `draws` are pairs of noisy copies, each on an input of its own.
    """
    generator = torch.Generator().manual_seed(seed)
    bits = torch.rand(draws, target.length, generator=generator) < 0.5
    some = None if target.length <= _LISTED else _SAMPLE
    trace = curvature(target, choose_inputs(target.length, inputs=some, seed=seed)).loss_trace
    assert trace is not None
    norm = flatten(build(TargetBatch.stack([target]))).square().sum()
    return Construction(float(norm), trace.mean, losses(target, bits, sigma, seed).mean())
