"""Relative entropies between Gaussians on parameters, and the prior's best variance.

For one coordinate x = θ + σZ the logarithm of the ratio of the densities of N(θ, σ²) and N(θ_0, τ²) is
ln(τ/σ) - (x-θ)²/(2σ²) + (x-θ_0)²/(2τ²), a quadratic polynomial in Z. Over p coordinates with the same variances

    KL = ½ (‖θ-θ_0‖²/τ² + p (σ²/τ² - 1 - ln(σ²/τ²))),

which is ‖θ-θ_0‖²/(2σ²) at τ = σ. Its derivative by τ² is p (τ² - σ² - ‖θ-θ_0‖²/p)/(2τ⁴): the best prior has
τ² = σ² + L/p with L = ‖θ-θ_0‖², where KL = (p/2) ln(1 + L/(pσ²)), at most the L/(2σ²) of one shared
variance. A shorter θ has less.
"""

import sympy as sp

from boundaudit.derivations import heat
from boundaudit.derivations.pac_bayes.symbols import N_2, p_n, sigma, sigma_0
from boundaudit.derivations.symbols import symbol

theta_n = symbol("theta_n", "one parameter's distance from its prior mean", real=True)
N_s = symbol("N_s", "squared norm of the parameters, where N_2 bounds it", nonnegative=True)
_noise = sp.Symbol("Z", real=True)

_LOG_RATIO = (
    sp.log(sigma_0 / sigma)
    - (sigma * _noise) ** 2 / (2 * sigma**2)
    + (theta_n + sigma * _noise) ** 2 / (2 * sigma_0**2)
)


def one_by_moments() -> sp.Expr:
    """One coordinate, by the moments of a standard normal variable.

    Returns:
        The mean of the log ratio of the densities.
    """
    return heat.mean(sp.expand(_LOG_RATIO), _noise, sp.Integer(1))


ONE = (theta_n**2 / sigma_0**2 + sigma**2 / sigma_0**2 - 1 - sp.log(sigma**2 / sigma_0**2)) / 2


def general(norm_squared: sp.Expr, variance: sp.Expr) -> sp.Expr:
    """Many coordinates: p of them.

    Args:
        norm_squared: ‖θ-θ_0‖².
        variance: τ², the prior's.

    Returns:
        The relative entropy of N(θ, σ² I) to N(θ_0, τ² I), in nats.
    """
    return (norm_squared / variance + p_n * (sigma**2 / variance - 1 - sp.log(sigma**2 / variance))) / 2


SHARED = N_2 / (2 * sigma**2)
BEST_VARIANCE = sigma**2 + N_2 / p_n
SEPARATE = p_n / 2 * sp.log(1 + N_2 / (p_n * sigma**2))
