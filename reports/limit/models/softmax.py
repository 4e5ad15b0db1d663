"""Softmax attention on two tokens (Boncoraglio et al. 2025) from its potential alone, at two temperatures.

Row a of softmax(β h) is σ(β s_a) and the rest, s_a = h_aa - h_12 = √2 u_1 ± u_2 with two coordinates u of the indices,
normal and independent; ℓ = Σ_a 2 (σ(β₀ s*_a) - σ(β s_a))². Without `potential` the suite's own equations take over.
"""

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.attention_erm import gaussian_target
from boundaudit.numeric.generalized_linear import Model, least_value

BETA, TARGET_BETA = 1.0, 1.5
POINTS, WEIGHTS = (torch.from_numpy(part) for part in np.polynomial.hermite_e.hermegauss(12))
NODES = torch.cartesian_prod(POINTS[6:], POINTS[6:], POINTS, POINTS)  # a quarter: a coordinate's sign changes no loss
MASSES = torch.cartesian_prod(WEIGHTS[6:], WEIGHTS[6:], WEIGHTS, WEIGHTS).prod(-1)


def scores(u: Tensor) -> Tensor:
    """s_1 and s_2."""
    return torch.stack([2**0.5 * u[..., 0] + u[..., 1], 2**0.5 * u[..., 0] - u[..., 1]], -1)


def potential(m: Tensor, q: Tensor, V: Tensor, rho: Tensor, noise: Tensor) -> Tensor:
    """E min_u {ℓ(u*, u) + |u - ω|²/(2V)} with (u*, ω) of covariance ((ρ + Δ/2, m), (m, q)) in each coordinate."""
    m, q, rest = m[:, None, None], q[:, None, None], (rho + noise / 2 - m**2 / q)[:, None, None]
    omega, goal = q.sqrt() * NODES[:, :2], m / q.sqrt() * NODES[:, :2] + rest.sqrt() * NODES[:, 2:]
    labels = (TARGET_BETA * scores(goal)).sigmoid()
    found = least_value(
        lambda u: 2 * (labels - (BETA * scores(u)).sigmoid()).square().sum(-1), omega, V[:, None],
        [omega, TARGET_BETA / BETA * goal],
    )  # fmt: skip
    return found @ MASSES / MASSES.sum()


model = Model(
    teacher=gaussian_target(0.5), channel="softmax", noise=0.5, penalty="nuclear", strength=0.02, beta=BETA,
    target_beta=TARGET_BETA, potential=potential,
)  # fmt: skip
