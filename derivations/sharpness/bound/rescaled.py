"""The rescaled construction inside the bound (Lintilhac & Shaikh 2026, Appendix D). Derived here.

(M, Γ) → α (M, Γ), F → F/α leaves the function. With β = α² the squared norm is l₀ + l₁ β + l₂/β and the sharpness
g₀ + g₁/β + g₂ β: gradients scale inversely to weights. The bound's optimum grows as the cube root of their product.
"""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2
from boundaudit.derivations.sharpness import pruning
from boundaudit.derivations.sharpness.bound.numbers import SETTING, norm_of_equal
from boundaudit.derivations.sharpness.bound.separate_prior_variance import SHARPNESS
from boundaudit.derivations.sharpness.bound.shared_variance import OPTIMUM, G_s
from boundaudit.derivations.symbols import symbol

beta_r = symbol("beta_r", "square of the factor of a rescaling", positive=True)
gamma_r = symbol("gamma_r", "square of a second factor", positive=True)
l_0 = symbol("l_0", "squared norm that a rescaling does not touch", nonnegative=True)
l_1 = symbol("l_1", "squared norm of the weights that it multiplies", positive=True)
l_2 = symbol("l_2", "squared norm of the weights that it divides", positive=True)
h_0 = symbol("h_0", "sharpness that a rescaling does not touch", nonnegative=True)
h_1 = symbol("h_1", "sharpness of the weights that it multiplies", positive=True)
h_2 = symbol("h_2", "sharpness of the weights that it divides", positive=True)

j_1 = symbol("j_1", "coefficient of β² in the derivative by ln β of norm times sharpness", positive=True)
j_2 = symbol("j_2", "coefficient of β in it", nonnegative=True)
j_3 = symbol("j_3", "coefficient of -1/β in it", nonnegative=True)
j_4 = symbol("j_4", "coefficient of -1/β² in it", positive=True)


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


def product(factor: sp.Expr) -> sp.Expr:
    """What the bound's optimum is the cube root of, but for constants.

    Args:
        factor: β.

    Returns:
        Squared norm times sharpness.
    """
    return norm(factor) * sharpness(factor)


def slope(factor: sp.Expr) -> sp.Expr:
    """The product's derivative by ln β.

    Args:
        factor: β.

    Returns:
        2 l₁g₂ β² + (l₀g₂ + l₁g₀) β - (l₀g₁ + l₂g₀)/β - 2 l₂g₁/β².
    """
    rising = 2 * l_1 * h_2 * factor**2 + (l_0 * h_2 + l_1 * h_0) * factor
    return rising - (l_0 * h_1 + l_2 * h_0) / factor - 2 * l_2 * h_1 / factor**2


def quartic(factor: sp.Expr) -> sp.Expr:
    """The same with coefficients of which none is negative; times β² a quartic.

    Args:
        factor: β.

    Returns:
        j₁ β² + j₂ β - j₃/β - j₄/β².
    """
    return j_1 * factor**2 + j_2 * factor - j_3 / factor - j_4 / factor**2


def derivative() -> sp.Expr:
    """The product's derivative by ln β, by differentiation.

    Returns:
        An expression in β.
    """
    return beta_r * sp.diff(product(beta_r), beta_r)


def pruned_norm() -> sp.Expr:
    """The squared norm without dead units, for equal coefficients of unit length.

    Returns:
        An expression in T, D, ω and u.
    """
    return norm_of_equal() - pruning.SAVED


def optimum(norm_squared: sp.Expr) -> sp.Expr:
    """The bound's optimum at E.3 with the printed sharpness, without ln(1/δ).

    Args:
        norm_squared: L, in T, D, ω and u.

    Returns:
        3 (G_u S² L/(4m))^(1/3).
    """
    return OPTIMUM.subs({G_s: SHARPNESS, N_2: norm_squared}).subs(SETTING)
