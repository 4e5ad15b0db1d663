"""Capacities γ³ of attention layers, log N(ε) ≤ γ³/ε², from those of their linear maps.

An output error of each map reaches the scalar output times b, and covering the map at scale ε costs a/ε²:

    w: b = 1,  W_C: b = B_w,  W_V: b = B_w B_C L,  W_QK: b = κ B_w B_C L B_V B_X².

κ is the softmax's constant: 2 in print, 1 is sharp. With caps M in the (1,1) norm a is (input length · M)² times
log(2dk + 1).
"""

import sympy as sp

from boundaudit.derivations.covering.symbols import L_cov
from boundaudit.derivations.symbols import symbol

_THIRD = sp.Rational(1, 3)

B_x = symbol("B_x", "cap on the length of a token", positive=True)
B_val = symbol("B_val", "cap on the operator norm of W_V", positive=True)
M_val = symbol("M_val", "cap on the covering norm of W_V", positive=True)
M_key = symbol("M_key", "cap on the covering norm of W_QK", positive=True)
ell_cov = symbol("ell_cov", "logarithm of twice the entries of a map, plus one", positive=True)
e_lay = symbol("e_lay", "how far the maps of a layer, or logits, are moved", positive=True)
nu_lay = symbol("nu_lay", "how much chance there is in layers and tokens drawn", nonnegative=True)
v_part = symbol("v_part", "part of γ that W_V, W_C and the read-out have", nonnegative=True)
k_part = symbol("k_part", "part of γ that W_QK has, for a softmax of constant one", nonnegative=True)
q_cov = symbol("q_cov", "a layer's factor to the power 2/3", positive=True)
z_cov = symbol("z_cov", "factor by which tokens and context are scaled", positive=True)
g_cov = symbol("g_cov", "root of the capacity of one head to the third power", positive=True)
k_lay = symbol("k_lay", "distinct rows of a stack", integer=True, positive=True)
d_lay = symbol("d_lay", "length of a row of a stack", integer=True, positive=True)
i_lay = symbol("i_lay", "number of a layer", integer=True, positive=True)


def head(length: sp.Expr, values: sp.Expr, value_norm: sp.Expr, key_norm: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """The parts of γ that depend on how long tokens are, for one head with the other factors one.

    Args:
        length: B_X.
        values: cap on the operator norm of W_V.
        value_norm: cap on the covering norm of W_V.
        key_norm: cap on the covering norm of W_QK.

    Returns:
        The parts of W_V and of W_QK.
    """
    of_values = (length**2 * value_norm**2 * ell_cov) ** _THIRD
    of_keys = (length**2 * key_norm**2 * ell_cov) ** _THIRD * (values * length**2) ** (2 * _THIRD)
    return of_values, of_keys


def capacity(softmax: int) -> sp.Expr:
    """γ³ by how far the softmax is taken to move.

    Args:
        softmax: κ, 1 or 2.

    Returns:
        (v + κ^{2/3} k)³.
    """
    return (v_part + sp.Integer(softmax) ** (2 * _THIRD) * k_part) ** 3


LONGER_TOKENS = sum(head(z_cov * B_x, B_val, M_val, M_key))
LARGER_WEIGHTS = sum(head(B_x, z_cov * B_val, z_cov * M_val, z_cov**2 * M_key))

GEOMETRIC = sp.Sum(q_cov ** (L_cov - i_lay), (i_lay, 1, L_cov))
"""Σ over layers of what an error of layer i costs at the top, in units of the last layer's γ."""

GEOMETRIC_VALUE = (q_cov**L_cov - 1) / (q_cov - 1)
