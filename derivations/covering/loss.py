"""The cross-entropy as a function of its logits, and its range.

Its gradient is p - e_y, of squared length (1 - p_y)² + Σ_{j≠y} p_j² ≤ 2(1 - p_y)² < 2, and of absolute sum 2(1 - p_y).
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

K_out = symbol("K_out", "classes", integer=True, positive=True)
R_out = symbol("R_out", "cap on the logits", nonnegative=True)
y_out = symbol("y_out", "the true class", integer=True, positive=True)
p_out = symbol("p_out", "probability of the true class", nonnegative=True)
q_out = symbol("q_out", "sum of the squared probabilities of the other classes", nonnegative=True)
k_out = symbol("k_out", "a class", integer=True, positive=True)
u_out = vector("u_out", "logits of the classes")

LENGTH = sp.sqrt((1 - p_out) ** 2 + q_out)
"""Length of the gradient by the logits, where q ≤ (1 - p)²."""

_EXPONENTIALS = sp.Sum(sp.exp(u_out[k_out]), (k_out, 1, K_out))
SQUARED_SHARES = sp.Sum(sp.exp(2 * u_out[k_out]), (k_out, 1, K_out)) / _EXPONENTIALS**2
GRADIENT = sp.sqrt(SQUARED_SHARES - 2 * sp.exp(u_out[y_out]) / _EXPONENTIALS + 1)
"""|p - e_y|, from the logits."""

BY_CONFIDENCE = sp.sqrt(2) * (1 - p_out)
PUBLISHED = sp.sqrt(2)

CROSS_ENTROPY = sp.log(1 + sp.Sum(sp.exp(u_out[k_out] - u_out[K_out]), (k_out, 1, K_out - 1)))
"""The loss where the true class is the last: classes may be named in any order."""

SQUARED_LENGTH = sp.Sum(u_out[k_out] ** 2, (k_out, 1, K_out))
WIDEST = sp.sqrt(2) * sp.sqrt(SQUARED_LENGTH)
"""By how much logits of this length may differ."""

BOX = sp.log(1 + (K_out - 1) * sp.exp(2 * R_out))
"""The largest cross-entropy of logits between -R and R."""

BOX_BOUND = sp.log(K_out) + 2 * R_out
BALL_BOUND = sp.log(K_out) + WIDEST
