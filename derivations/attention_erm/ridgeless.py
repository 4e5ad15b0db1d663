"""Ridgeless training at a finite dimension: what a softmax of tied scores shows, and which map no penalty picks.

Scores are symmetric, h_ab = h_ba, so that of T of them in row a and in row 1 one is the same, h_a1 = h_1a.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import T_erm, i_erm
from boundaudit.derivations.symbols import symbol, vector

h_ab = symbol("h_ab", "score of two tokens a and b", real=True)
h_a1 = symbol("h_a1", "score of token a and the first one", real=True)
h_11 = symbol("h_11", "score of the first token with itself", real=True)
shift = symbol("shift_erm", "what all scores are moved by", real=True)
rest_a = vector("rest_a", "the other scores in row a")
rest_1 = vector("rest_1", "the other scores in row 1")

loss = symbol("loss_erm", "loss of the map of least objective", nonnegative=True)
trace = symbol("trace_erm", "its trace", nonnegative=True)
fitting = symbol("fitting_erm", "trace of a map without loss", nonnegative=True)


def _others(rest: sp.IndexedBase, moved: sp.Expr | int = 0) -> sp.Expr:
    """What scores beyond two add to the sum of exponentials of a row."""
    return sp.Sum(sp.exp(rest[i_erm] + moved), (i_erm, 1, T_erm - 2))


ROW_A = sp.exp(h_ab) + sp.exp(h_a1) + _others(rest_a)
ROW_1 = sp.exp(h_a1) + sp.exp(h_11) + _others(rest_1)
RATIO = (sp.exp(h_ab) / ROW_A) * (sp.exp(h_a1) / ROW_1) / ((sp.exp(h_a1) / ROW_A) * (sp.exp(h_11) / ROW_1))
"""A_ab A_1a/(A_a1 A_11) of the attention A."""
SHIFTED = sp.exp(h_ab + shift) / (sp.exp(h_ab + shift) + sp.exp(h_a1 + shift) + _others(rest_a, shift))
