"""The scalar problem of one weight: argmin over w of λ r(w) + V̂ w²/2 - b w with b = m̂ w* + √q̂ ξ, or a posterior mean.

All averages are closed forms for a teacher from a mixture of normal laws: given its part, b is normal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.generalized_linear.model import Mixture

_NODES, _LEAST = 401, 1e-30


class Denoised(NamedTuple):
    """E w w*, E w², E ∂w/∂b, E (∂w/∂b)² and E r(w) over a weight and its teacher's, shape (k) each."""

    m: Tensor
    q: Tensor
    V: Tensor
    response: Tensor
    cost: Tensor


def normal_rule(count: int, reach: float = 8.0) -> tuple[Tensor, Tensor]:
    """Nodes and weights of the trapezoidal rule of a standard normal law, exact to rounding for what is smooth."""
    nodes = torch.linspace(-reach, reach, count, dtype=torch.float64)
    weights = (-nodes.square() / 2).exp()
    return nodes, weights / weights.sum()


def shrunk(b: Tensor, curvature: Tensor, penalty: str, strength: Tensor) -> Tensor:
    """Argmin over w of λ r(w) + a w²/2 - b w, elementwise, with the penalty r ridge, lasso or none and a > 0."""
    if penalty == "lasso":
        return b.sign() * (b.abs() - strength).clamp_min(0) / curvature
    return b / (curvature + (2 * strength if penalty == "ridge" else 0))


def denoised(teacher: Mixture, penalty: str, strength: Tensor, m_hat: Tensor, q_hat: Tensor, v_hat: Tensor) -> Denoised:
    """Averages of `shrunk` over b, for λ, m̂, q̂ and V̂ of shape (k) and w* from the teacher's law."""
    if penalty != "lasso":
        total = v_hat + (2 * strength if penalty == "ridge" else 0)
        q = (m_hat**2 * teacher.second_moment + q_hat) / total**2
        return Denoised(m_hat * teacher.second_moment / total, q, 1 / total, 1 / total**2, q)
    weight, mean, variance = (torch.tensor(part, dtype=torch.float64) for part in vars(teacher).values())
    centre, spread = m_hat[:, None] * mean, (m_hat[:, None] ** 2 * variance + q_hat[:, None]).sqrt()
    sides = []
    for sign in (1, -1):  # what is above λ, and what is below -λ
        far = sign * centre - strength[:, None]
        mass, density = torch.special.ndtr(far / spread), _density(far / spread)
        sides.append((mass, far * mass + spread * density, (far**2 + spread**2) * mass + far * spread * density))
    (up, first_up, second_up), (down, first_down, second_down) = sides
    active = up + down
    along = mean * (first_up - first_down) + variance * m_hat[:, None] * active
    averages = (part @ weight for part in (along, second_up + second_down, active, first_up + first_down))
    m, q, share, cost = averages
    return Denoised(m / v_hat, q / v_hat**2, share / v_hat, share / v_hat**2, cost / v_hat)


def posterior(teacher: Mixture, b: Tensor, precision: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and variance of w* given b = a w* + √a ξ, elementwise, a > 0 being the precision."""
    a = precision.clamp_min(_LEAST)[..., None]
    weight, mean, variance = (torch.tensor(part, dtype=torch.float64) for part in vars(teacher).values())
    spread = a**2 * variance + a
    likely = weight.log() - (b[..., None] - a * mean) ** 2 / (2 * spread) - spread.log() / 2
    share = likely.softmax(-1)
    place, rest = (mean + variance * b[..., None]) / (1 + variance * a), variance / (1 + variance * a)
    found = (share * place).sum(-1)
    return found, (share * (rest + place**2)).sum(-1) - found**2


def posterior_averages(teacher: Mixture, precision: Tensor) -> Denoised:
    """Averages of the posterior mean where m̂ = q̂ = V̂ = a, shape (k); it has no cost."""
    g, by = normal_rule(_NODES)
    a = precision.clamp_min(_LEAST)[:, None]
    q, response = torch.zeros_like(precision), torch.zeros_like(precision)
    for weight, mean, variance in zip(*vars(teacher).values(), strict=True):
        found, rest = posterior(teacher, a * mean + (a**2 * variance + a).sqrt() * g, a)
        q, response = q + weight * (found**2 @ by), response + weight * (rest**2 @ by)
    return Denoised(q, q, teacher.second_moment - q, response, torch.zeros_like(q))


def _density(x: Tensor) -> Tensor:
    return (-x.square() / 2).exp() / math.sqrt(2 * math.pi)
