"""How far an attention head moves when its inputs move: constants of its derivative and of its perturbation.

With weights p on the rows x_i of X and scores x_iᵀ W z the derivative of y = Σ p_i x_i is E[dx] + Cov(x, s) with
s = dxᵀ Wz + xᵀ W dz. For a unit vector u and ξ = uᵀ(x - E x) the largest uᵀ dy under |dx_i|, |dz| ≤ 1 is

    Σ_i p_i ‖u + ξ_i W z‖ + ‖Wᵀ E[x ξ]‖ ≤ √(1 + ‖Wz‖² Var ξ) + ‖W‖ ‖E[x ξ]‖ ≤ √(1 + B²) + B,

the cross term vanishing as ξ has mean zero. Two rows ±e₁ of equal weight, W = B·1 and z = e₂ attain it.
"""

import sympy as sp

from boundaudit.derivations.covering.symbols import B_cov
from boundaudit.derivations.symbols import symbol

p_head = symbol("p_head", "weight of the first of two tokens", nonnegative=True)
g_head = symbol("g_head", "distance of two tokens along a direction", real=True)
a_head = symbol("a_head", "length of the attention's query", nonnegative=True)
c_head = symbol("c_head", "the query's part along that direction", real=True)
e_head = symbol("e_head", "how far the maps of a head but W_QK are moved", nonnegative=True)
t_head = symbol("t_head", "how far W_QK of a head is moved", nonnegative=True)
n_head = symbol("n_head", "pairs of opposite tokens", integer=True, positive=True)
nu_head = symbol("nu_head", "how much chance there is in weights and tokens drawn", nonnegative=True)
v_head = symbol("v_head", "variance of the tokens along that direction", nonnegative=True)

PUBLISHED = 1 + 4 * B_cov
WITH_SHARP_SOFTMAX = 1 + 2 * B_cov
SHARP = B_cov + sp.sqrt(1 + B_cov**2)
LARGEST_GAIN = sp.Rational(17, 8)
"""The largest quotient of the published constant and the sharp one, at B = 15/8."""


_OWN_WEIGHT = sp.exp(B_cov) / (sp.exp(B_cov) + 2 * n_head)
OWN_QUERY = (1 - _OWN_WEIGHT) * SHARP + _OWN_WEIGHT
"""The slope where the query is one token e₂ among n pairs ±e₁, W = B·1."""


def _square(centred: sp.Expr) -> sp.Expr:
    return 1 + 2 * centred * c_head + centred**2 * a_head**2


MEAN_SQUARE = p_head * _square((1 - p_head) * g_head) + (1 - p_head) * _square(-p_head * g_head)
"""The mean of ‖u + ξ a‖² over two tokens, uᵀu = 1, uᵀa = c, aᵀa = a²."""

BY_VARIANCE = 1 + a_head**2 * p_head * (1 - p_head) * g_head**2
PARTS = sp.sqrt(1 + a_head**2 * v_head) + B_cov * sp.sqrt(v_head)
"""The derivative's two parts at variance v of the tokens along the output's direction."""
