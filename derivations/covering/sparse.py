"""Which logits a sparse majority needs: attention with weight ratio w between relevant and other tokens.

Of T bits s relevant ones carry the weight w each, the others one. The attended sum of the bits is at least ((s+1)/2) w
where the majority of the relevant bits is one, and at most ((s-1)/2) w + (T - s) where it is zero. A threshold
separates them exactly if w > T - s, whatever s is.
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

h_spa = symbol("h_spa", "half of the relevant positions, rounded down", integer=True, nonnegative=True)
r_spa = symbol("r_spa", "irrelevant positions, T - s", integer=True, positive=True)
g_spa = symbol("g_spa", "gap of the logits of relevant and other tokens", nonnegative=True)
w_spa = symbol("w_spa", "weight of a relevant token over that of another, exp(gap)", positive=True)
b_spa = symbol("b_spa", "cap on the length of a token", positive=True)
l_spa = symbol("l_spa", "least weight of a relevant token over that of another", positive=True)
D_spa = symbol("D_spa", "largest product of two positions' vectors", nonnegative=True)
G_spa = sp.Symbol("G_spa")
c_spa = vector("c_spa", "products of an irrelevant position's vector and the relevant ones, over the largest")

MARGIN = (w_spa - r_spa) / ((2 * h_spa + 1) * w_spa + r_spa)
"""Least attended mean of a positive input less the largest of a negative one, s = 2h + 1."""

FIVE_LEVELS = 3 * l_spa - 2 * w_spa - r_spa
"""Least weight of ones less largest of zeros for s = 5, where relevant tokens weigh from l to w."""

DUAL_BOUND = (2 * h_spa + 1) * D_spa / (1 - 2 * h_spa * D_spa)
"""The largest logit of an irrelevant token over those of the s = 2h + 1 relevant ones, all alike."""
