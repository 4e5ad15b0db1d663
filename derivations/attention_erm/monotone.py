"""What rises and what falls with the number of samples, from the fixed point of one token.

A convex set C holds the target S₀. With u = (Π(S₀ + δZ) - S₀)/δ for the projection Π on C, and u' the same at δ/r and
the same Z, r < 1, the projections' variational inequalities hold at each other's points, as S₀ + δu' and S₀ + δu lie in
C.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import Delta_erm, E_erm, Q_erm, alpha_erm, delta_erm, eps_erm, i_erm
from boundaudit.derivations.symbols import symbol, vector

ratio = symbol("ratio_erm", "δ over a larger δ'", nonnegative=True)
near = symbol("near_erm", "‖u‖ at δ", nonnegative=True)
far = symbol("far_erm", "‖u'‖ at δ'", nonnegative=True)
both = symbol("both_erm", "⟨u, u'⟩", real=True)
near_noise = symbol("near_noise_erm", "⟨Z, u⟩", real=True)
far_noise = symbol("far_noise_erm", "⟨Z, u'⟩", real=True)
larger = symbol("larger_erm", "a larger effective noise δ'", positive=True)
E_larger = symbol("E_larger_erm", "the error there", nonnegative=True)
share = symbol("share_erm", "factor s of a map s (S₀ + δZ)", positive=True)
other = symbol("other_erm", "another share", nonnegative=True)
learned = symbol("learned_erm", "eigenvectors that are learned", integer=True, positive=True)
forms = vector("z_erm", "quadratic form vᵀZv of the noise at each of them")

AT_NEAR = [far_noise - ratio * near_noise <= both - ratio * near**2]
"""⟨Z - u, u'/r - u⟩ ≤ 0 times r."""
AT_FAR = [ratio * near_noise - far_noise <= ratio * both - far**2]
"""⟨Z - u', r u - u'⟩ ≤ 0."""
PRODUCT = (far - near) * (far - ratio * near)


def samples(error: sp.Expr, delta: sp.Expr) -> sp.Expr:
    """α with 4αδ² = Δ + 2E.

    Args:
        error: E.
        delta: δ.

    Returns:
        α.
    """
    return (Delta_erm + 2 * error) / (4 * delta**2)


def direct(part: sp.Expr) -> sp.Expr:
    """The error of least squares on all d²/2 entries, without a penalty, at α = s/2 < 1/2: K = s/2 = α.

    From E = (1 - s)² Q₀ + s² δ² and 4αδ² = Δ + 2E.

    Args:
        part: s.

    Returns:
        E.
    """
    return (1 - part) * Q_erm + part * Delta_erm / (2 * (1 - part))


def overdetermined(alpha: sp.Expr) -> sp.Expr:
    """The same for α > 1/2, s = 1.

    Args:
        alpha: α.

    Returns:
        E.
    """
    return Delta_erm / (4 * alpha - 2)


SLOPE = -Q_erm + Delta_erm / (2 * (1 - share) ** 2)
TUNED = Q_erm * delta_erm**2 / (Q_erm + delta_erm**2)
"""(1 - s)² Q₀ + s² δ² at its least."""
TUNED_LARGER = TUNED.subs(delta_erm, larger)
BEST_SHARE = Q_erm / (Q_erm + delta_erm**2)
BEST_RIDGE = 4 * (samples(TUNED, delta_erm) - BEST_SHARE / 2) * (1 - BEST_SHARE) / BEST_SHARE
"""The Frobenius penalty 4(α - s/2)(1 - s)/s at that share."""
MIXED = (1 - share) ** 2 * Q_erm + share**2 * delta_erm**2

BY_THRESHOLD = 2 * sp.Sum(eps_erm - delta_erm * forms[i_erm], (i_erm, 1, learned))
"""The slope in ε of ‖(S₀ + δZ - ε)₊ - S₀‖²_F."""
PENALTY = 8 * delta_erm * samples(E_erm, delta_erm)
"""4εα at ε = 2δ."""
PENALTY_BOUND = 4 * sp.sqrt(alpha_erm * (Delta_erm + 2 * Q_erm))
