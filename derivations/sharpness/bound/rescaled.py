"""The rescaled construction inside the bound (Lintilhac & Shaikh 2026, Appendix D). Derived here.

(M, Γ) → α (M, Γ), F → F/α leaves the function. With β = α² the squared norm is l₀ + l₁ β + l₂/β and the sharpness
g₀ + g₁/β + g₂ β: gradients scale inversely to weights. The bound's optimum grows as the cube root of their product.
"""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.symbols import symbol

beta_r = symbol("beta_r", "square of the factor of a rescaling", positive=True)
l_0 = symbol("l_0", "squared norm that a rescaling does not touch", nonnegative=True)
l_1 = symbol("l_1", "squared norm of the weights that it multiplies", positive=True)
l_2 = symbol("l_2", "squared norm of the weights that it divides", positive=True)
h_0 = symbol("h_0", "sharpness that a rescaling does not touch", nonnegative=True)
h_1 = symbol("h_1", "sharpness of the weights that it multiplies", positive=True)
h_2 = symbol("h_2", "sharpness of the weights that it divides", positive=True)


def norm(factor: sp.Expr) -> sp.Expr:
    """The squared norm after a rescaling.

    Args:
        factor: β.

    Returns:
        l₀ + l₁ β + l₂/β.
    """
    return l_0 + l_1 * factor + l_2 / factor


def sharpness(factor: sp.Expr) -> sp.Expr:
    """The sharpness after a rescaling.

    Args:
        factor: β.

    Returns:
        g₀ + g₁/β + g₂ β.
    """
    return h_0 + h_1 / factor + h_2 * factor
