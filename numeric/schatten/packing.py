"""Sets of matrices that lie apart in the operator norm: what bounds covering numbers from below."""

from __future__ import annotations

import torch
from torch import Tensor


def separated(matrices: Tensor, distance: float) -> int:
    """How many of the matrices a greedy choice finds that are farther apart than a distance.

    Args:
        matrices: Shape (count, rows, columns), in the order in which they are tried.
        distance: In the operator norm.

    Returns:
        The size of the packing: no cover of radius ``distance / 2`` has fewer elements.
    """
    apart = torch.linalg.matrix_norm(matrices[:, None] - matrices[None], ord=2) > distance
    free, chosen = torch.ones(len(matrices), dtype=torch.bool), 0
    while free.any():
        first = int(free.to(torch.uint8).argmax())
        free &= apart[first]
        chosen += 1
    return chosen


def rank_one(count: int, rows: int, columns: int, seed: int) -> Tensor:
    """Matrices of rank one in the unit ball of the operator norm, half of them on its sphere.

    Returns:
        Shape (count, rows, columns), float64.
    """
    generator = torch.Generator().manual_seed(seed)
    left = torch.randn(count, rows, generator=generator, dtype=torch.float64)
    right = torch.randn(count, columns, generator=generator, dtype=torch.float64)
    sizes = (2 * torch.rand(count, generator=generator, dtype=torch.float64)).clamp(max=1)
    unit = (left / left.norm(dim=1, keepdim=True))[:, :, None] * (right / right.norm(dim=1, keepdim=True))[:, None]
    found: Tensor = sizes[:, None, None] * unit
    return found


def frobenius_ball(count: int, rows: int, columns: int, seed: int) -> Tensor:
    """Matrices in the unit ball of the Frobenius norm, half of them on its sphere.

    Returns:
        Shape (count, rows, columns), float64.
    """
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(count, rows, columns, generator=generator, dtype=torch.float64)
    sizes = (2 * torch.rand(count, generator=generator, dtype=torch.float64)).clamp(max=1)
    found: Tensor = (sizes / drawn.norm(dim=(1, 2)))[:, None, None] * drawn
    return found
