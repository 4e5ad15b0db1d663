"""The gradient of the ideal network as a function of how many rows see how many ones, and families that realise it.

With equal coefficients 1/√ω all rows of components weigh alike, so that the squared norms of `gradients` depend on the
sets and the input only through the share of the components that hold k ones, k = 0…D: sets may overlap in any way.
Sets inside two parts of the positions realise any two of these counts.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rows import CLOSE
from boundaudit.numeric.sharpness.target import TargetBatch


def squared_gradient(length: int, sparsity: int, shares: Tensor, mlp: Trapezoid) -> Tensor:
    """|∇f|², (N,), of the ideal network with equal coefficients of unit length, the row of the output at its largest.

    From the shares of the components with k ones, shape (N, D+1), each row of sum one.
    """
    degree = shares.shape[1] - 1
    _, bias, output = (part[0] for part in units(torch.tensor([degree]), mlp))
    s = torch.arange(degree + 1, dtype=torch.float64) / degree
    argument = s[:, None] + bias
    hidden, on = argument.clamp(min=0), (argument > CLOSE).double()
    even = (torch.arange(degree + 1) % 2 == 0).double()
    mean = shares @ even
    pull = shares * (even - mean[:, None])
    spread = mean * (1 - mean)
    logit = 2 * math.log(length) - math.log(sparsity) / 2
    parts = {
        "V2": 1 / sparsity + mean.square(),
        "W2": 2 * (spread + sparsity * (pull @ even).square()),
        "F": sparsity * (shares @ hidden).square().sum(-1) + (sparsity * logit) ** 2 * (pull @ hidden).square().sum(-1),
        "Gamma": sparsity * (output * (shares @ on)).square().sum(-1),
        "M": sparsity * (output * (shares @ (s[:, None] * on))).square().sum(-1),
    }
    return torch.stack(list(parts.values())).sum(0)


def two_parts(length: int, degree: int, size: int, ones: tuple[int, int]) -> tuple[TargetBatch, Tensor]:
    """T components in two parts of the positions, in each of which they are the cyclic windows of D positions.

    The first part holds D+1 to T-D-1 positions; windows of either part hold so many ones: exactly so where the number
    is 0 or D or where D divides the part. The target, with equal coefficients of unit length, and the input, (T,).
    """
    position = torch.arange(length)
    first = position < size
    start, extent = torch.where(first, 0, size), torch.where(first, size, length - size)
    inside = position - start
    same = first[:, None] == first
    members = same & ((inside[None] - inside[:, None]) % extent[:, None] < degree)
    bits = inside % degree < torch.where(first, torch.tensor(ones[0]), torch.tensor(ones[1]))
    coefficients = torch.full((1, length), length**-0.5, dtype=torch.float64)
    return TargetBatch.from_tensors(torch.tensor([length]), members[None], coefficients), bits
