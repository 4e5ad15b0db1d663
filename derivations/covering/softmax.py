"""How far a softmax moves in ‖·‖₁ when its logits move by at most δ in ‖·‖_∞.

A set of positions that weighs a of Z, before division, rises by most when all its logits rise by δ and all others
fall by δ. With x = e^δ its share is then x²a/(Z + (x²-1)a), which is at most (x - 1)/(x + 1) = tanh(δ/2) more, since

    Z (Z + (x² - 1) a) - a (x + 1)² (Z - a) = (Z - a - x a)² ≥ 0,

and the change in ‖·‖₁ is twice the largest change of a set.
"""

from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

delta_cov = symbol("delta_cov", "largest change of a logit", nonnegative=True)
r_pos = symbol("r_pos", "exponential of the largest change of a logit, less one", nonnegative=True)
a_pos = symbol("a_pos", "what a set of positions weighs before a move", nonnegative=True)
A_pos = symbol("A_pos", "what it weighs afterwards", nonnegative=True)
Z_pos = symbol("Z_pos", "what all positions weigh before a move", positive=True)
Y_pos = symbol("Y_pos", "what they weigh afterwards", positive=True)
t_pos = symbol("t_pos", "a position of a softmax", integer=True, positive=True)
t_cov = symbol("t_cov", "positions of a softmax", integer=True, positive=True)
v_cov = vector("v_cov", "how far each logit moves, over the largest that it may")
w_cov = vector("w_cov", "exponentials of logits")
theta_cov = vector("theta_cov", "angles of tokens on a circle")

POSITIONS = (t_pos, 1, t_cov)

ENTRIES = 2 * (1 - sp.Sum(w_cov[t_pos] ** 2, POSITIONS) / sp.Sum(w_cov[t_pos], POSITIONS) ** 2)
"""Σ |J_ij| = 2 (1 - Σ p²): p_i (1 - p_i) on the diagonal, and as much beside it."""

PUBLISHED = 2 * delta_cov
SHARP = 2 * sp.tanh(delta_cov / 2)

GAIN = A_pos / Y_pos - a_pos / Z_pos
"""What a set gains that weighs A of Y after the move and a of Z before."""
MOST_GAIN = (1 + r_pos) ** 2 * a_pos / (Z_pos + (2 * r_pos + r_pos**2) * a_pos) - a_pos / Z_pos
"""The same where all its logits rise and all others fall."""
SET_BOUND = r_pos / (r_pos + 2)


def mass(share: Callable[[Any], Any], move: Callable[[Any], Any]) -> sp.Expr:
    """What positions weigh, before it is divided by what all do.

    Args:
        share: How much of each position is meant, from its number.
        move: By what its logit moves.

    Returns:
        Σ share_t w_t exp(move_t).
    """
    return sp.Sum(share(t_pos) * w_cov[t_pos] * sp.exp(move(t_pos)), POSITIONS)
