"""Gaussian means by quadrature: polynomials and quadratic forms exactly, a clipped parabola piece by piece.

Deviations σ, slopes and edges have shape (B,), and so have means.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import torch
from torch import Tensor

SMOOTH = 200
"""Nodes on an interval on which the integrand is smooth."""


@cache
def _hermite(count: int) -> tuple[Tensor, Tensor]:
    """Nodes and weights for means over N(0, 1), exact up to degree 2·count - 1."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(count)
    return torch.from_numpy(nodes), torch.from_numpy(weights / math.sqrt(2 * math.pi))


@cache
def _legendre() -> tuple[Tensor, Tensor]:
    """Nodes and weights on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(SMOOTH)
    return torch.from_numpy((nodes + 1) / 2), torch.from_numpy(weights / 2)


def polynomial_mean(coefficients: Tensor, sigma: Tensor) -> Tensor:
    """E p(σZ) of polynomials of degree at most 15, coefficients of u⁰, u¹, … of shape (B, m)."""
    nodes, weights = (part.to(sigma.device) for part in _hermite(8))
    powers = (sigma[:, None] * nodes)[..., None] ** torch.arange(coefficients.shape[1], device=sigma.device)
    return (powers * coefficients[:, None]).sum(-1) @ weights


def kinked_mean(square: Tensor, slope: Tensor, sigma: Tensor) -> Tensor:
    """E (a u² + b |u|) for u = σZ, over half the line up to twelve deviations."""
    nodes, weights = (part.to(sigma.device) for part in _legendre())
    at = 12 * nodes
    density = 24 * weights * torch.exp(-0.5 * at**2) / math.sqrt(2 * math.pi)
    return square * sigma**2 * (at**2 @ density) + slope * sigma * (at @ density)


def form_moments(matrix: Tensor, sigma: Tensor) -> tuple[Tensor, Tensor]:
    """E q and E q² of q = εᵀAε with ε ~ N(0, σ² I), by a product rule of three nodes that is exact for both.

    A has shape (B, n, n), for small n: there are 3^n nodes.
    """
    size = matrix.shape[-1]
    nodes, weights = (part.to(matrix.device) for part in _hermite(3))
    grid = torch.cartesian_prod(*[nodes] * size).reshape(-1, size)
    weight = torch.cartesian_prod(*[weights] * size).reshape(-1, size).prod(-1)
    form = torch.einsum("ki,bij,kj->bk", grid, matrix, grid) * sigma[:, None] ** 2
    return form @ weight, form.square() @ weight


def clipped_mean(slope: Tensor, edge: Tensor, sigma: Tensor) -> Tensor:
    """E (s·clip(σZ, -b, b))², piece by piece."""
    nodes, weights = (part.to(sigma.device) for part in _legendre())
    # Beyond twelve deviations the density is below 1e-31.
    last = torch.minimum(edge, 12 * sigma)
    at = last[:, None] * nodes
    density = torch.exp(-0.5 * (at / sigma[:, None]) ** 2) / (sigma[:, None] * math.sqrt(2 * math.pi))
    inside = 2 * last * ((at**2 * density) @ weights)
    outside: Tensor = edge**2 * torch.special.erfc(edge / (sigma * math.sqrt(2)))
    return slope**2 * (inside + outside)


def clipped_flow(slope: Tensor, edge: Tensor, sigma: Tensor) -> tuple[Tensor, Tensor]:
    """½ ∫_0^{σ²} E ΔL(√v Z) dv for the same loss, in two parts.

    That of the second derivative almost everywhere, 2s² inside, and that of the two kinks, where the slope falls by
    2s²b.
    """
    nodes, weights = (part.to(sigma.device) for part in _legendre())
    # With v = w² the kinks' density loses its pole: dv/√v = 2 dw.
    w = sigma[:, None] * nodes
    inside = torch.special.erf(edge[:, None] / (w * math.sqrt(2)))
    smooth = 2 * slope**2 * sigma * ((w * inside) @ weights)
    density = torch.exp(-0.5 * (edge[:, None] / w) ** 2) / math.sqrt(2 * math.pi)
    return smooth, -4 * slope**2 * edge * sigma * (density @ weights)
