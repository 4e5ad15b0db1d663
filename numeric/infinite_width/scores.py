"""Scores at finite width: their covariance over all weights and their distribution function."""

from __future__ import annotations

import math

import torch
from torch import Tensor

_STEPS = 2400


def score_products(tokens: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """E G_ij G_i'j' over the query and key maps, with entries of variance 1/n, shape (...).

    A score is bilinear in both maps: the expectation is the sum over all pairs of maps with a single entry 1/√n. Tokens
    have shape (..., s, n), (i, j) and (i', j') shape (..., 2), from 0.
    """
    n = tokens.shape[-1]
    single = torch.eye(n * n, dtype=torch.float64, device=tokens.device).view(n * n, n, n) / math.sqrt(n)
    mapped = tokens[..., None, :, :] @ single
    scores = torch.einsum("...aik,...bjk->...abij", mapped, mapped) / math.sqrt(n)
    flat = scores.flatten(-2).movedim(-1, 0)
    width = tokens.shape[-2]
    one, other = (
        torch.gather(flat, 0, (at[..., 0] * width + at[..., 1])[None, ..., None, None].expand(1, *flat.shape[1:]))[0]
        for at in (first, second)
    )
    return (one * other).sum((-1, -2))


def score_cdf(width: Tensor, at: Tensor) -> Tensor:
    """P[G ≤ x] for a score of unit variance given the inputs: normal with the variance χ²_n/n; n and x of shape (k,).

    To about 1e-12 by the trapezoidal rule in the logarithm of the variance.
    """
    n = width.to(torch.float64)[:, None]
    spread = 10 * (2 / n).sqrt()
    low, high = -80 / n - spread, torch.log1p(80 / n + 2 * spread)
    log_variance = low + (high - low) * torch.linspace(0, 1, _STEPS, dtype=torch.float64, device=n.device)
    weights = (n / 2 * (log_variance - log_variance.expm1())).exp()
    below = torch.special.ndtr(at[:, None] * (-log_variance / 2).exp())
    found: Tensor = (weights * below).sum(-1) / weights.sum(-1)
    return found


def characteristic_distance(width: Tensor) -> Tensor:
    """(1/π) ∫ |ψ_n(t) - e^(-t²/2) (1 + t⁴/(4n))| dt/t over t > 0, ψ_n(t) = (1 + t²/n)^(-n/2) that of a score.

    For n of shape (k,), to about 1e-5 of itself by the trapezoidal rule in the logarithm of t.
    """
    n = width.to(torch.float64)[:, None]
    logarithm = torch.linspace(-6, 12, 4 * _STEPS, dtype=torch.float64, device=n.device)
    square = (2 * logarithm).exp()
    first = (-square / 2).exp() * (1 + square.square() / (4 * n))
    apart = ((-n / 2 * (square / n).log1p()).exp() - first).abs()
    return torch.trapezoid(apart, logarithm) / math.pi
