"""A bound on E min(loss, M) in the kl form, which needs no sub-Gaussian constant. Derived here, with Maurer's lemma."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl
from boundaudit.numeric.pac_bayes.formulas import maurer_budget
from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.setting import check_setting
from boundaudit.numeric.sharpness.bound.value import Bound, Perturbation, evaluated, training_loss


def clipped(
    budgets: Budgets, *, samples: float, delta: float, clip: float = 1.0, perturbation: Perturbation = 0.0,
    sigma: float | None = None,
) -> Bound:  # fmt: skip
    """M kl⁻¹(r/M, (K + ln(2√m/δ))/m) with r = residual + σ²(G + P) and the K of a prior with a variance of its own.

    At a σ fixed before the sample is seen, or at the best.

    Raises:
        InputError: for a setting out of range.
    """
    check_setting(samples, delta, clip=clip)
    loss = training_loss(budgets, perturbation)
    m, fail = torch.tensor(samples, dtype=torch.float64), torch.tensor(delta, dtype=torch.float64)

    def kl(sigma: Tensor) -> Tensor:
        return decoupled_kl(budgets.norm_total, sigma, budgets.count)

    def objective(rising: Tensor, falling: Tensor) -> Tensor:
        risk = (loss(rising) / clip).clamp_max(1)
        return clip * inverse_binary_kl(risk, maurer_budget(kl(falling), m, fail))

    return evaluated(objective, budgets, kl, perturbation, sigma)
