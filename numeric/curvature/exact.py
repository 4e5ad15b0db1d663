"""The trace entry by entry: the Hessian's diagonal, one basis vector for each parameter."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.curvature.products import Slope, products


def exact(slope: Slope) -> dict[str, float]:
    """Shares of the trace by name, each from its parameter's own block, whose backward pass skips all others."""
    return {name: _block(slope, index) for index, name in enumerate(slope.problem.parameters)}


def _block(slope: Slope, index: int) -> float:
    leaf, gradient = slope.problem.leaves[index], slope.gradient[index]
    entries = torch.arange(leaf.numel(), device=leaf.device)
    return sum((_diagonal(gradient, leaf, few) for few in torch.split(entries, slope.chunk(leaf.numel()))), start=0.0)


def _diagonal(gradient: Tensor, leaf: Tensor, entries: Tensor) -> float:
    """Sum of the diagonal at a few entries of one parameter."""
    basis = leaf.new_zeros(len(entries), leaf.numel())
    basis.scatter_(1, entries[:, None], 1.0)
    (columns,) = products([gradient], [leaf], [basis.reshape(-1, *leaf.shape)])
    return float(columns.flatten(1).gather(1, entries[:, None]).double().sum())
