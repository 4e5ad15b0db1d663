"""Appendix A: weight decay on the factors of a map is a nuclear norm of the map.

Factors UVᵀ = M with singular values √σ each have the least sum of squares, 2 Σ σ; a tied factor W, S = WWᵀ/√(pd), has
no choice. A penalty 2ε on the trace beside ‖S - Y‖² shifts the eigenvalues of Y by ε and cuts them at zero.
"""

from boundaudit.derivations.attention_erm.symbols import eps_erm, u_erm, v_erm, x_erm

PRODUCT = u_erm * v_erm
HALF_SQUARES = (u_erm**2 + v_erm**2) / 2

KEPT = (x_erm - eps_erm - x_erm) ** 2 + 2 * eps_erm * (x_erm - eps_erm)
"""What an eigenvalue x of Y costs when it is learned as x - ε."""
GAIN = x_erm**2 - KEPT
"""What a student without room for it loses."""
GAIN_CLOSED = (x_erm - eps_erm) ** 2
