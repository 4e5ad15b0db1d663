"""The prior's variance fixed apart from the posterior's: the norm enters through a logarithm. Derived here."""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.value import Bound, Perturbation, subgaussian


def separate_prior_variance(
    budgets: Budgets, *, samples: float, delta: float, proxy: float, perturbation: Perturbation = 0.0,
    sigma: float | None = None,
) -> Bound:  # fmt: skip
    """Residual + σ²(G + P) + S √((2/m)((p/2) ln(1 + L/(p σ²)) + ln(1/δ))), with the prior's variance σ² + L/p.

    At a σ fixed before the sample is seen, or at the best; S has E S(θ)² ≤ S² over posterior draws, S(θ) the
    sub-Gaussian constant of the loss.

    Raises:
        InputError: for a setting out of range.
    """

    def kl(sigma: Tensor) -> Tensor:
        return decoupled_kl(budgets.norm_total, sigma, budgets.count)

    return subgaussian(budgets, kl, samples=samples, delta=delta, proxy=proxy, perturbation=perturbation, sigma=sigma)
