"""Corollary 3.2, interpolation: bounds on the threshold and what comes after it.

As λ → 0 data are interpolated up to α = K(δ), K = (∂J/∂δ)/(4δ) at ε = 0, at the noise Δ with
Δ/2 + Q₀ = J - (δ/2) ∂J/∂δ.
K falls from half the size of the tangent cone of positive semidefinite matrices at the target to 1/4, half of that of
the cone itself. All bounds are derived here.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import K_erm, T_erm, alpha_erm, delta_erm, kappa_0

HALF_OF_THE_CONE = sp.Rational(1, 4)
TANGENT_CONE = sp.Rational(1, 2) - (1 - kappa_0) ** 2 / 4
"""Threshold without noise."""
HIGH = sp.Rational(1, 4) + 2 * sp.sqrt(kappa_0) / (3 * sp.pi * delta_erm)
"""Threshold at effective noise δ, sharp as δ → ∞: K = 1/4 + (mean eigenvalue) 2/(3πδ) + …"""
FUNCTIONALS = T_erm * (T_erm + 1) / 2 - 1
"""What a softmax along each row shows of symmetric indices: all but a common shift."""

SIZE = 2 * TANGENT_CONE * delta_erm**2
"""Error above the threshold at effective noise δ."""


def above(noise: sp.Expr) -> sp.Expr:
    """The error of ridgeless training above a threshold K < α, of least squares with K d² parameters.

    Args:
        noise: Δ.

    Returns:
        ΔK/(2(α - K)).
    """
    return noise * K_erm / (2 * (alpha_erm - K_erm))
