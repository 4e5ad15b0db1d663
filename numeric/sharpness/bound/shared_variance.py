"""Theorem 2: prior and posterior share the variance σ² (Lintilhac & Shaikh 2026, Appendix E)."""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.pac_bayes.gaussian import tied_kl
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.value import Bound, Perturbation, subgaussian


def shared_variance(
    budgets: Budgets, *, samples: float, delta: float, proxy: float, perturbation: Perturbation = 0.0,
    sigma: float | None = None,
) -> Bound:  # fmt: skip
    """Residual + σ²(G + P) + S √((2/m)(L/(2σ²) + ln(1/δ))), at a σ fixed before the sample is seen or at the best.

    S has E S(θ)² ≤ S² over posterior draws, S(θ) the sub-Gaussian constant of the loss.

    Raises:
        InputError: for a setting out of range.
    """

    def kl(sigma: Tensor) -> Tensor:
        return tied_kl(budgets.norm_total, sigma)

    return subgaussian(budgets, kl, samples=samples, delta=delta, proxy=proxy, perturbation=perturbation, sigma=sigma)


def truncated_optimum(budgets: Budgets, *, samples: float, proxy: float) -> tuple[float, float]:
    """The best σ* = (S² L / (4 m G²))^(1/6) and its value 3 (G S² L / (4m))^(1/3) without P, ln(1/δ) and residual."""
    sharpness, scaled = budgets.sharpness_total, proxy**2 * budgets.norm_total / (4 * samples)
    return (scaled / sharpness**2) ** (1 / 6), 3 * (sharpness * scaled) ** (1 / 3)
