"""Capacities γ³ of attention layers, log N(ε) ≤ γ³/ε², from those of their linear maps.

An output error of each map reaches the scalar output times b, and covering the map at scale ε costs a/ε²:

    w: b = 1,  W_C: b = B_w,  W_V: b = B_w B_C L,  W_QK: b = κ B_w B_C L B_V B_X².

κ is the softmax's constant: 2 in print, 1 is sharp. With caps M in the (1,1) norm a is (input length · M)² times
log(2dk + 1).
"""

import sympy as sp

from boundaudit.derivations.covering.symbols import L_cov
from boundaudit.derivations.symbols import symbol

e_lay = symbol("e_lay", "how far the maps of a layer, or logits, are moved", positive=True)
nu_lay = symbol("nu_lay", "how much chance there is in layers and tokens drawn", nonnegative=True)
q_cov = symbol("q_cov", "a layer's factor to the power 2/3", positive=True)
k_lay = symbol("k_lay", "distinct rows of a stack", integer=True, positive=True)
d_lay = symbol("d_lay", "length of a row of a stack", integer=True, positive=True)
i_lay = symbol("i_lay", "number of a layer", integer=True, positive=True)


GEOMETRIC = sp.Sum(q_cov ** (L_cov - i_lay), (i_lay, 1, L_cov))
"""Σ over layers of what an error of layer i costs at the top, in units of the last layer's γ."""

GEOMETRIC_VALUE = (q_cov**L_cov - 1) / (q_cov - 1)
