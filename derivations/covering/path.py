"""What moves the mean that attention pools: all along the way on which tokens and scores change at once.

Tokens x_t move to x_t + δ η_t with |η_t| ≤ 1, and stay in the unit ball. Scores first are x_tᵀa, with |a| ≤ B, and last
those of the moved tokens with a query that has turned: they change by δ η_tᵀa + Δ k_t, |k_t| ≤ 1. For a unit vector u,
g = uᵀx, h = uᵀη, and r the part of η along the rest of a = v u + o e: only these enter. At time s weights are
q_t = w_t exp(s A_t), A_t = δ(v h_t + o r_t) + Δ k_t, and G_t = g_t + s δ h_t. With ξ = G less its mean under q

    d/ds Σ q G / Σ q = δ E[h (1 + ξ v) + o ξ r] + Δ E[k ξ] ≤ δ √(1 + B²) + Δ,

by 2xy ≤ S x² + y²/S with S = √(1 + B²), since E ξ = 0 and E ξ² ≤ 1. So much the mean moves along u at most.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import sympy as sp

from boundaudit.derivations.covering.symbols import B_cov
from boundaudit.derivations.symbols import symbol, vector

n_mov = symbol("n_mov", "distinct tokens", integer=True, positive=True)
t_mov = symbol("t_mov", "a token's number", integer=True, positive=True)
j_mov = symbol("j_mov", "another token's number", integer=True, positive=True)
w_mov = vector("w_mov", "weights of tokens before they move")
q_mov = vector("q_mov", "weights of tokens on the way")
g_mov = vector("g_mov", "parts of tokens along the way that their mean moves")
h_mov = vector("h_mov", "parts of the tokens' motions along that way, in units of the longest")
r_mov = vector("r_mov", "parts of the tokens' motions along the rest of the query, in units of the longest")
k_mov = vector("k_mov", "changes of scores as the query turns, in units of the largest")
v_mov = symbol("v_mov", "the query's part along that way", real=True)
o_mov = symbol("o_mov", "the rest of the query", real=True)
d_mov = symbol("d_mov", "length by which tokens move at most", nonnegative=True)
e_mov = symbol("e_mov", "change of scores by the query's turn at most", nonnegative=True)
s_mov = symbol("s_mov", "how much of the way is gone", nonnegative=True)
h_one = symbol("h_one", "part of one token's motion along the way", real=True)
r_one = symbol("r_one", "part of it along the rest of the query", real=True)
k_one = symbol("k_one", "change of its score as the query turns", real=True)
x_mov = symbol("x_mov", "a number", real=True)
c_mov = symbol("c_mov", "another number", real=True)
m_mov = symbol("m_mov", "a number that is at least one", real=True)
b_mov = symbol("b_mov", "a number that is not negative", nonnegative=True)
z_mov = symbol("z_mov", "a number that is no smaller", real=True)
S_mov = symbol("S_mov", "what two numbers are weighed by", positive=True)

TOKENS = (t_mov, 1, n_mov)
STEEPEST = sp.sqrt(1 + B_cov**2)
MOST = d_mov * STEEPEST + e_mov
"""What the mean moves by at most."""

Rows = Callable[[Any], Any]
"""From a token's number to an expression."""


def total(term: Rows) -> sp.Expr:
    """A sum over tokens.

    Args:
        term: from a token's number.

    Returns:
        Σ term.
    """
    return sp.Sum(term(t_mov), TOKENS)


def change(t: Any) -> sp.Expr:
    """By how much a score changes in all.

    Args:
        t: the token's number.

    Returns:
        δ(v h + o r) + Δ k.
    """
    return d_mov * (v_mov * h_mov[t] + o_mov * r_mov[t]) + e_mov * k_mov[t]


def weight(t: Any) -> sp.Expr:
    """The weight of a token on the way, up to a factor that all have."""
    return w_mov[t] * sp.exp(s_mov * change(t))


def place(t: Any) -> sp.Expr:
    """A token's part along the way, on the way."""
    return g_mov[t] + s_mov * d_mov * h_mov[t]


def slope(weight: Rows, place: Rows) -> sp.Expr:
    """How fast the mean moves.

    Args:
        weight: of a token.
        place: its part along the way.

    Returns:
        The derivative of Σ q G / Σ q.
    """
    whole = total(weight)
    moved = total(lambda t: weight(t) * (d_mov * h_mov[t] + change(t) * place(t))) / whole
    return moved - total(lambda t: weight(t) * place(t)) * total(lambda t: weight(t) * change(t)) / whole**2


MEAN = total(lambda t: weight(t) * place(t)) / total(weight)
"""Of the tokens' parts, on the way."""
SLOPE = slope(lambda t: q_mov[t], lambda t: g_mov[t])
MOVING = slope(weight, place)


class Motion(NamedTuple):
    """What a motion is made of, in the lemma or as it is measured: vectors over tokens, and numbers.

    Attributes:
        tokens: how many there are.
        weights: w.
        parts: g.
        along: h.
        across: r.
        turned: k.
        asked: v.
        aside: o.
        longest: δ.
        largest: Δ.
    """

    tokens: Any
    weights: Any
    parts: Any
    along: Any
    across: Any
    turned: Any
    asked: Any
    aside: Any
    longest: Any
    largest: Any

    @property
    def before(self) -> sp.Expr:
        """The mean of the tokens' parts at first."""
        over = (t_mov, 1, self.tokens)
        return sp.Sum(self.weights[t_mov] * self.parts[t_mov], over) / sp.Sum(self.weights[t_mov], over)

    @property
    def after(self) -> sp.Expr:
        """The same at last."""
        over, t = (t_mov, 1, self.tokens), t_mov
        steps = self.longest * (self.asked * self.along[t] + self.aside * self.across[t])
        weight = self.weights[t] * sp.exp(steps + self.largest * self.turned[t])
        return sp.Sum(weight * (self.parts[t] + self.longest * self.along[t]), over) / sp.Sum(weight, over)

    @property
    def lengths(self) -> sp.Expr:
        """The tokens' squared motions in the plane, each at least one, added up."""
        return sp.Sum(sp.Max(self.along[t_mov] ** 2 + self.across[t_mov] ** 2, 1), (t_mov, 1, self.tokens))

    @property
    def reached(self) -> sp.Expr:
        """The squares of the moved tokens' parts, each at least one, added up."""
        return sp.Sum(sp.Max((self.parts[t_mov] + self.longest * self.along[t_mov]) ** 2, 1), (t_mov, 1, self.tokens))

    @property
    def instance(self) -> dict[Any, Any]:
        """What stands in place of the lemma's parameters."""
        return dict(zip((n_mov, w_mov, g_mov, h_mov, r_mov, k_mov, v_mov, o_mov, d_mov, e_mov), self, strict=True))


LEMMA = Motion(n_mov, w_mov, g_mov, h_mov, r_mov, k_mov, v_mov, o_mov, d_mov, e_mov)

OTHERS_MEAN = sp.Sum(q_mov[j_mov] * g_mov[j_mov], (j_mov, 1, n_mov)) / sp.Sum(q_mov[j_mov], (j_mov, 1, n_mov))


def apart(t: Any) -> sp.Expr:
    """ξ, a token's part less the mean."""
    return g_mov[t] - OTHERS_MEAN


def length(t: Any) -> sp.Expr:
    """The squared length of a token's motion in the plane, at least one."""
    return sp.Max(h_mov[t] ** 2 + r_mov[t] ** 2, 1)


def reach(t: Any) -> sp.Expr:
    """The square of a token's part along the way, at least one."""
    return sp.Max(g_mov[t] ** 2, 1)


WHOLE = total(lambda t: q_mov[t])
SPREAD = total(lambda t: q_mov[t] * apart(t) ** 2) / WHOLE
SPREAD_OPEN = total(lambda t: q_mov[t] * g_mov[t] ** 2) / WHOLE - OTHERS_MEAN**2
REACH = total(lambda t: q_mov[t] * reach(t)) / WHOLE


def pulled(x: Any, h: Any, r: Any, k: Any) -> sp.Expr:
    """What one token gives to the slope.

    Args:
        x: ξ.
        h: part of its motion along the way.
        r: part along the rest of the query.
        k: change of its score as the query turns.

    Returns:
        δ(h (1 + ξ v) + o ξ r) + Δ k ξ.
    """
    return d_mov * (h * (1 + x * v_mov) + o_mov * x * r) + e_mov * k * x


def pulled_most(steep: Any, x: Any, m: Any) -> sp.Expr:
    """What that is at most, by 2xy ≤ S x² + y²/S.

    Args:
        steep: S.
        x: ξ.
        m: at least the squared length of the token's motion.

    Returns:
        An expression.
    """
    turned = (1 + x * v_mov) ** 2 + o_mov**2 * x**2
    return d_mov * (steep**2 * m + turned) / (2 * steep) + e_mov * (1 + x**2) / 2


BY_TOKENS = total(lambda t: q_mov[t] * pulled(apart(t), h_mov[t], r_mov[t], k_mov[t])) / WHOLE
BY_SQUARES = total(lambda t: q_mov[t] * pulled_most(STEEPEST, apart(t), length(t))) / WHOLE
BY_SPREAD = d_mov * (STEEPEST**2 + 1 + (v_mov**2 + o_mov**2) * SPREAD) / (2 * STEEPEST) + e_mov * (1 + SPREAD) / 2
