"""Losses of one parameter under Gaussian noise: a bounded loss, and a ReLU network with one trainable bias."""

from __future__ import annotations

import math

import torch
from torch import Tensor

NODES = 4001
"""Of the trapezoid rule on twelve deviations either side: its error falls exponentially for an analytic integrand."""


def bump_mean(steepness: Tensor, sigma: Tensor) -> Tensor:
    """E exp(-κσ²Z²) by the trapezoid rule, κσ² at most 100; all (B,)."""
    nodes = torch.linspace(-12, 12, NODES, dtype=torch.float64, device=sigma.device)
    density = torch.exp(-0.5 * nodes**2) * (nodes[1] - nodes[0]) / math.sqrt(2 * math.pi)
    return torch.exp(-(steepness * sigma**2)[:, None] * nodes**2) @ density


def biased_output(bias: Tensor, weight: Tensor, gap: Tensor) -> Tensor:
    """The network -(b + 2) + 3/2 relu(b + 1) + K relu(b - 1 - c), of shapes that broadcast."""
    return -(bias + 2) + 1.5 * torch.relu(bias + 1) + weight * torch.relu(bias - 1 - gap)


def biased_loss(start: float, weight: Tensor, gap: Tensor, sigma: Tensor) -> Tensor:
    """E f(b + σZ)², exact: f is linear between its kinks, and moments of a cut Gaussian are known; K, c, σ (B,)."""
    first = torch.full_like(gap, -1.0)
    kinks = torch.stack([first, 1 + gap], dim=1)
    ends = (kinks - start) / sigma[:, None]
    mass, mean, square = _cut_moments(ends)
    slopes = torch.stack([-torch.ones_like(weight), torch.full_like(weight, 0.5), 0.5 + weight], dim=1)
    at_kinks = biased_output(kinks, weight[:, None], gap[:, None])
    # Each piece is the line through the kink at its left end, the first one that through its right end.
    through = torch.cat([kinks[:, :1], kinks], dim=1)
    value = torch.cat([at_kinks[:, :1], at_kinks], dim=1) + slopes * (start - through)
    step = slopes * sigma[:, None]
    return (value**2 * mass + 2 * value * step * mean + step**2 * square).sum(1)


def _cut_moments(ends: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """P, E Z and E Z² on the pieces of the line that ``ends`` of shape (B, n) cut, each of shape (B, n + 1)."""
    edge = torch.zeros_like(ends[:, :1])
    below = torch.special.ndtr(ends)
    density = torch.exp(-0.5 * ends**2) / math.sqrt(2 * math.pi)
    mass = torch.diff(torch.cat([edge, below, edge + 1], dim=1), dim=1)
    flux = torch.diff(torch.cat([edge, density, edge], dim=1), dim=1)
    weighted = torch.diff(torch.cat([edge, ends * density, edge], dim=1), dim=1)
    return mass, -flux, mass - weighted
