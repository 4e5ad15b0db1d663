"""The softmax's Jacobian R = diag(a) - a aᵀ, and the norms in which its products and changes are bounded."""

from __future__ import annotations

import torch
from torch import Tensor


def shares(exponentials: Tensor) -> Tensor:
    """Weights (..., n) of a softmax from the exponentials of its logits: zero on padding, one of a row positive."""
    scaled = exponentials / exponentials.amax(-1, keepdim=True)
    return scaled / scaled.sum(-1, keepdim=True)


def jacobian(weights: Tensor) -> Tensor:
    """The derivative diag(a) - a aᵀ, shape (..., n, n), of a softmax by its logits, a its weights (..., n)."""
    return torch.diag_embed(weights) - weights[..., :, None] * weights[..., None, :]


def jacobian_product(weights: Tensor, rows: Tensor, values: Tensor) -> Tensor:
    """Xᵀ R v, shape (..., m), with weights and v of shape (..., n), X (..., n, m)."""
    return (rows.mT @ (jacobian(weights) @ values[..., None]))[..., 0]


def longest_row(matrix: Tensor) -> Tensor:
    """‖X‖_{2,∞}, the largest Euclidean norm of a row, shape (...), of X (..., n, m)."""
    lengths: Tensor = matrix.norm(dim=-1)
    return lengths.amax(-1)
