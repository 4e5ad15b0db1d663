"""The conditional variance v = aᵀ K a of an output, the moments that it makes, and its limits."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.infinite_width.symbols import V_iw, i_iw, j_iw, k_iw, kappa_iw, mu_iw, q_iw, s_iw
from boundaudit.derivations.symbols import symbol

p_iw = symbol("p_iw", "chance of the first of two values", nonnegative=True)
first_iw = symbol("first_iw", "first value of the conditional variance", positive=True)
second_iw = symbol("second_iw", "second value of the conditional variance", positive=True)

# --- any number of tokens --------------------------------------------------------------------------

MEAN_TIMES = sp.Sum(V_iw[i_iw], (i_iw, 1, s_iw))
SECOND_TIMES = sp.Sum(V_iw[i_iw] ** 2, (i_iw, 1, s_iw))

# --- moments of a mixture --------------------------------------------------------------------------

EXCESS = 3 * q_iw / mu_iw**2 - 3
"""E y⁴/(E y²)² - 3 with E y² = E V = μ and E y⁴ = 3 E V² = 3q."""
OF_AVERAGE = (k_iw * (3 * q_iw - mu_iw**2) + k_iw * (k_iw - 1) * (q_iw - mu_iw**2)) / k_iw**2
"""Var of the mean of k squares: k variances and k(k-1) covariances."""

TWO_VALUES_MEAN = p_iw * first_iw + (1 - p_iw) * second_iw
TWO_VALUES_SECOND = p_iw * first_iw**2 + (1 - p_iw) * second_iw**2


def of_heads(heads: sp.Expr) -> sp.Expr:
    """The excess kurtosis with V the mean of independent heads: E V² = (q + (H - 1) μ²)/H.

    Returns:
        3 E V²/μ² - 3.
    """
    return 3 * (q_iw + (heads - 1) * mu_iw**2) / (heads * mu_iw**2) - 3


# --- many tokens -----------------------------------------------------------------------------------

LARGE = sp.exp(4 * kappa_iw) - 4 * sp.exp(2 * kappa_iw) + 4 * sp.exp(kappa_iw) - 1
"""lim s Var(v)/(E v)² for orthogonal tokens, by the delta method for v = (Σ e^{2x})/(Σ e^x)²."""


LARGE_AT = LARGE.subs(kappa_iw, j_iw / sp.Integer(16))
SMALL_AT = 2 * (j_iw / sp.Integer(16)) ** 2 * sp.exp(j_iw / sp.Integer(4))
"""What bounds it, 2κ² exp(4κ), at κ = j/16."""


def delta_method() -> sp.Expr:
    """Var(e^{2x}/E e^{2x} - 2 e^x/E e^x) for x normal with variance κ, from E e^{jx} = e^{j²κ/2}.

    Returns:
        The limit that `LARGE` writes out.
    """

    def moment(order: int) -> sp.Expr:
        return sp.exp(sp.Integer(order) ** 2 * kappa_iw / 2)

    square = moment(4) / moment(2) ** 2 - 4 * moment(3) / (moment(2) * moment(1)) + 4 * moment(2) / moment(1) ** 2
    return sp.simplify(square - 1)
