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


BY_THRESHOLD = 2 * sp.Sum(eps_erm - delta_erm * forms[i_erm], (i_erm, 1, learned))
"""The slope in ε of ‖(S₀ + δZ - ε)₊ - S₀‖²_F."""
PENALTY = 8 * delta_erm * samples(E_erm, delta_erm)
"""4εα at ε = 2δ."""
PENALTY_BOUND = 4 * sp.sqrt(alpha_erm * (Delta_erm + 2 * Q_erm))
