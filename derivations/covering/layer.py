"""How far an attention head moves when its inputs move: constants of its derivative and of its perturbation.

With weights p on the rows x_i of X and scores x_iᵀ W z the derivative of y = Σ p_i x_i is E[dx] + Cov(x, s) with
s = dxᵀ Wz + xᵀ W dz. For a unit vector u and ξ = uᵀ(x - E x) the largest uᵀ dy under |dx_i|, |dz| ≤ 1 is

    Σ_i p_i ‖u + ξ_i W z‖ + ‖Wᵀ E[x ξ]‖ ≤ √(1 + ‖Wz‖² Var ξ) + ‖W‖ ‖E[x ξ]‖ ≤ √(1 + B²) + B,

the cross term vanishing as ξ has mean zero. Two rows ±e₁ of equal weight, W = B·1 and z = e₂ attain it.
"""

from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.derivations.covering.symbols import B_cov
from boundaudit.derivations.symbols import symbol, vector

a_head = symbol("a_head", "length of the attention's query", nonnegative=True)
k_att = symbol("k_att", "distinct tokens", integer=True, positive=True)
i_att = symbol("i_att", "a token's number", integer=True, positive=True)
j_att = symbol("j_att", "another token's number", integer=True, positive=True)
m_att = symbol("m_att", "a number that others are compared with", real=True)
e_att = symbol("e_att", "a factor between minus one and one", real=True)
p_att = vector("p_att", "weights of tokens under attention")
x_att = vector("x_att", "a number of each token")
q_att = vector("q_att", "a number of each token between minus one and one")
e_head = symbol("e_head", "how far the maps of a head but W_QK are moved", nonnegative=True)
t_head = symbol("t_head", "how far W_QK of a head is moved", nonnegative=True)
d_head = symbol("d_head", "length of a token of two heads", integer=True, positive=True)
nu_head = symbol("nu_head", "how much chance there is in weights and tokens drawn", nonnegative=True)
v_head = symbol("v_head", "variance of the tokens along that direction", nonnegative=True)

PUBLISHED = 1 + 4 * B_cov
WITH_SHARP_SOFTMAX = 1 + 2 * B_cov
SHARP = B_cov + sp.sqrt(1 + B_cov**2)


MEAN = sp.Sum(p_att[j_att] * x_att[j_att], (j_att, 1, k_att))
"""The mean of numbers under attention."""


def mean(term: Callable[[Any], Any]) -> sp.Expr:
    """A mean under attention.

    Args:
        term: what is averaged, from a token's number.

    Returns:
        Σ p_i term_i.
    """
    return sp.Sum(p_att[i_att] * term(i_att), (i_att, 1, k_att))


MEAN_SQUARE = mean(lambda i: x_att[i] ** 2)
DEVIATIONS = mean(lambda i: (x_att[i] - m_att) ** 2)
VARIANCE = mean(lambda i: (x_att[i] - MEAN) ** 2)
COVARIANCE = mean(lambda i: x_att[i] * q_att[i])

PARTS = sp.sqrt(1 + a_head**2 * v_head) + B_cov * sp.sqrt(v_head)
"""The derivative's two parts at variance v of the tokens along the output's direction."""
