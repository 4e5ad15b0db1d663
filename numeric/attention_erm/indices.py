"""Moments of the indices of small maps, by a product rule that is exact for their polynomials."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

_NODES = 5
"""Exact up to degree 9 in each coordinate; a fourth power of an index has degree 8."""
_HELD = 128
"""Maps at once: each has an index at 5^{2d} nodes."""


def index_moments(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """Covariance and fourth moments of the indices h_11, h_12, h_22 of two tokens with independent normal entries.

    The map S, shape (n, d, d) with d ≤ 3, is symmetrised here; shapes (n, 3, 3) and (n, 3).
    """
    moments = [_moments((some + some.mT) / 2) for some in matrix.split(_HELD)]  # type: ignore[no-untyped-call]
    covariances, fourths = zip(*moments, strict=True)
    return torch.cat(covariances), torch.cat(fourths)


def _moments(symmetric: Tensor) -> tuple[Tensor, Tensor]:
    d = symmetric.shape[-1]
    points, weights = (symmetric.new_tensor(part) for part in np.polynomial.hermite_e.hermegauss(_NODES))
    x = torch.cartesian_prod(*[points] * d).view(-1, d)
    w = torch.cartesian_prod(*[weights] * d).view(-1, d).prod(-1) / math.sqrt(2 * math.pi) ** d
    pairs = torch.einsum("ia,nab,jb->nij", x, symmetric, x) / math.sqrt(d)
    trace = symmetric.diagonal(dim1=1, dim2=2).sum(-1) / math.sqrt(d)
    own = pairs.diagonal(dim1=1, dim2=2) - trace[:, None]
    indices = torch.stack([own[:, :, None].expand_as(pairs), pairs, own[:, None].expand_as(pairs)], -1)
    both = w[:, None] * w
    covariance = torch.einsum("ij,nija,nijb->nab", both, indices, indices)
    return covariance, torch.einsum("ij,nija->na", both, indices**4)
