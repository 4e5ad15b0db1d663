"""Targets of small rank: the error of a mode under the nuclear norm, and the curve from weak to strong recovery.

In the linear case the learned map is ReLU(S₀ + δZ - ε), Z a GOE matrix, with 4 (n/d²) δ² = Δ + 2E. An eigenvalue θ > δ
of S₀ of small rank gives the outlier θ + δ²/θ, whose vector has the squared overlap 1 - δ²/θ² with that of θ
(Benaych-Georges & Nadakuditi 2011); without penalty beyond the bulk's edge, ε = 2δ, the mode's squared error is
δ² φ(θ/δ). Derived here for rank p₀ = κ₀ d, κ₀ → 0 after d → ∞, with all eigenvalues equal and ‖S₀‖²_F/d = 1.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import r_erm, x_erm


def kept(x: sp.Expr) -> sp.Expr:
    """φ(x) for x ≥ 1: squared error of a mode that is learned, in units of δ²."""
    return 6 - 8 / x + 3 / x**2


def mode_error(x: sp.Expr) -> sp.Expr:
    """φ(x): squared error of a mode with eigenvalue x δ in units of δ²; one with x ≤ 1 is lost in the bulk."""
    return sp.Piecewise((x**2, x <= 1), (kept(x), True))


OUTLIER = x_erm + 1 / x_erm - 2
"""The learned eigenvalue, at ε = 2δ."""
OVERLAP = 1 - x_erm**-2
"""Squared overlap of its vector with the mode's."""
ERROR = OUTLIER**2 - 2 * OUTLIER * x_erm * OVERLAP + x_erm**2
"""‖learned - true‖² of one mode."""

BEST = 2 - x_erm**-2
"""The least squared error of a mode over all functions of the outlier: θ² (1 - overlap²) in units of δ²."""


LEVEL = (4 - r_erm) / 3
"""The same in r = √(6n/(p₀ d) - 2)."""
BALANCE = 6 - 8 * LEVEL + 3 * LEVEL**2
"""2n/(p₀ d), by E = 2 (n/(p₀ d)) δ² = δ² φ(1/δ)."""
ALPHA_OF_R = (r_erm**2 + 2) / 6
"""n/(p₀ d)."""
CURVE_OF_R = (r_erm**2 + 2) * (4 - r_erm) ** 2 / 27
"""The same error in r = √(6n/(p₀ d) - 2)."""
BEST_CURVE_OF_R = 4 * ALPHA_OF_R * (1 - ALPHA_OF_R)
"""The error with `BEST` in place of φ, for 1/2 ≤ n/(p₀ d) ≤ 1."""
TAKE_OFF = (r_erm - 1) ** 3 * (5 - r_erm) / 27
"""1 - E in r: a triple zero at weak recovery."""
