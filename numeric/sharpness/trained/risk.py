"""Mean squared errors of many networks: on their own training sets, and exactly on all inputs."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import numbered_bits
from boundaudit.numeric.sharpness.trained.family import Family, Weights
from boundaudit.numeric.sharpness.trained.tasks import Tasks

NUMBERS = {"cpu": 2**21, "cuda": 2**30}
"""Numbers that a pass holds at once."""


def mean_risk(architecture: Family, weights: Weights, inputs: Tensor, wanted: Tensor) -> Tensor:
    """The mean of (f - y)² of each network on some inputs, float64, (S,): networks run in single precision, sums not.

    Numbers of inputs are int64, (n,) for all networks alike or (S, n), y float64, (S, n), or (S, n, …) of several
    outputs.
    """
    some = max(1, NUMBERS[wanted.device.type] // (len(wanted) * architecture.numbers()))
    total = wanted.new_zeros(len(wanted))
    with torch.no_grad():
        for numbers, values in zip(torch.split(inputs, some, -1), torch.split(wanted, some, 1), strict=True):
            outputs = architecture.outputs(weights, numbered_bits(numbers, architecture.length))
            total += (outputs.double() - values).square().flatten(1).sum(1)
    return total / wanted[0].numel()


def true_risk(architecture: Family, weights: Weights, tasks: Tasks) -> Tensor:
    """The same on all 2^T inputs, float64, shape (S,)."""
    every = torch.arange(2**architecture.length, device=tasks.inputs.device)
    return mean_risk(architecture, weights, every, tasks.table())
