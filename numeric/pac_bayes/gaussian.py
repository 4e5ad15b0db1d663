"""Relative entropies between Gaussians on parameters: what a PAC-Bayes bound pays for a posterior, in nats."""

from __future__ import annotations

import torch
from torch import Tensor


def gaussian_kl(shift_squared: Tensor | float, sigma: Tensor | float, tau: Tensor | float) -> Tensor:
    """KL(N(θ, σ²) ‖ N(θ_0, τ²)) = ½((θ-θ_0)²/τ² + σ²/τ² - 1 - ln(σ²/τ²)) of one coordinate, elementwise, float64."""
    shift, ratio = _float64(shift_squared) / _float64(tau) ** 2, (_float64(sigma) / _float64(tau)) ** 2
    return (shift + (ratio - 1 - torch.log(ratio))) / 2


def tied_kl(norm_squared: Tensor | float, sigma: Tensor | float) -> Tensor:
    """‖θ‖²/(2σ²), float64, for ‖θ‖² or a bound on it: prior and posterior share the variance σ²."""
    return _float64(norm_squared) / (2 * _float64(sigma) ** 2)


def decoupled_kl(norm_squared: Tensor | float, sigma: Tensor | float, count: Tensor | float) -> Tensor:
    """(p/2) ln(1 + L/(p σ²)), float64: the most for N(θ, σ² I) on p coordinates, ‖θ‖² ≤ L, with τ² = σ² + L/p."""
    count = _float64(count)
    return count / 2 * torch.log1p(_float64(norm_squared) / (count * _float64(sigma) ** 2))


def _float64(value: Tensor | float) -> Tensor:
    return torch.as_tensor(value, dtype=torch.float64)
