"""How far a softmax moves in ‖·‖₁ when its logits move by at most δ in ‖·‖_∞.

A set of positions of total weight p = o/(1 + o) rises by most when all its logits rise by δ and all others fall by δ:
its odds o become o e^{2δ}. With x = e^δ the change is at most (x - 1)/(x + 1) = tanh(δ/2), since

    (1 + o)(1 + o x²) - o (x + 1)² = (1 - o x)² ≥ 0,

and the change in ‖·‖₁ is twice the largest change of a set.
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

delta_cov = symbol("delta_cov", "largest change of a logit", nonnegative=True)
o_cov = symbol("o_cov", "odds of a set of positions", positive=True)
x_cov = symbol("x_cov", "exponential of the largest change of a logit", positive=True)
t_cov = symbol("t_cov", "positions of a softmax", integer=True, positive=True)
v_cov = vector("v_cov", "how far each logit moves, over the largest that it may")
w_cov = vector("w_cov", "exponentials of logits")
theta_cov = vector("theta_cov", "angles of tokens on a circle")

PUBLISHED = 2 * delta_cov
SHARP = 2 * sp.tanh(delta_cov / 2)
LINEAR = delta_cov

SET_CHANGE = 2 * (o_cov * x_cov**2 / (1 + o_cov * x_cov**2) - o_cov / (1 + o_cov))
SET_BOUND = 2 * (x_cov - 1) / (x_cov + 1)
