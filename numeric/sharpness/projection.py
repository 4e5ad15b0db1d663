"""The randomly projected first attention matrix: its expected squared norm, exactly.

J has independent N(0, 1/d) entries. ‖Jᵀ W J‖² is a polynomial of degree 4 in each entry,
so the three-point Gauss-Hermite rule integrates it exactly, entry by entry. Nothing here
uses a moment formula; `moments` does, and the two are compared.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

CHUNK = 2**20
"""Entries of the projected matrices held at once: 8 MiB of float64."""
_NODES = torch.tensor([-math.sqrt(3.0), 0.0, math.sqrt(3.0)], dtype=torch.float64)
_WEIGHTS = torch.tensor([1 / 6, 2 / 3, 1 / 6], dtype=torch.float64)


def expected_squared_norm(weight: Tensor, width: int) -> Tensor:
    """E ‖Jᵀ W J‖²_F by tensor quadrature; 3^(n·width) nodes, so for small sizes only.

    Args:
        weight: W, shape (B, n, n).
        width: d, columns of J.

    Returns:
        Shape (B,), exact up to rounding.
    """
    n = weight.shape[-1]
    variables = n * width
    nodes, weights = _NODES.to(weight.device), _WEIGHTS.to(weight.device)
    powers = 3 ** torch.arange(variables, device=weight.device)
    total = torch.zeros(len(weight), dtype=torch.float64, device=weight.device)
    step = max(1, CHUNK // (len(weight) * width * width))
    for start in range(0, 3**variables, step):
        index = torch.arange(start, min(start + step, 3**variables), device=weight.device)
        digits = index[:, None] // powers % 3
        projection = nodes[digits].reshape(-1, n, width) / math.sqrt(width)
        projected = torch.einsum("kia,bij,kjc->bkac", projection, weight, projection)
        total += projected.square().sum((-1, -2)) @ weights[digits].prod(-1)
    return total


def moments(weight: Tensor, width: int) -> Tensor:
    """‖W‖² + (tr(W)² + tr(W²))/d, the fourth moments of a Gaussian by Isserlis' theorem; derived here.

    Args:
        weight: W, shape (B, n, n).
        width: d, columns of J.

    Returns:
        Shape (B,).
    """
    trace = weight.diagonal(dim1=-2, dim2=-1).sum(-1)
    trace_of_square = (weight * weight.mT).sum((-1, -2))
    return weight.square().sum((-1, -2)) + (trace.square() + trace_of_square) / width
