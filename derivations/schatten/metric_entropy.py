"""Covers of Schatten classes in the operator norm: thin factors by volume, Frobenius balls by Gaussian shift."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.schatten.symbols import N_sch, S_sch, c_sch, epsilon_sch, p_sch
from boundaudit.derivations.symbols import symbol

y_ent = symbol(
    "y_ent", "R/(ε√N), radius of a Frobenius ball over that of its cover and the root of the width", positive=True
)
t_ent = symbol("t_ent", "radius of a first cover over that of the second", positive=True)
m_ent = symbol("m_ent", "rows of a matrix", integer=True, positive=True)
n_ent = symbol("n_ent", "columns of a matrix", integer=True, positive=True)
a_ent = symbol("a_ent", "norm bound over the radius of a cover, C/ε", positive=True)
k_ent = symbol("k_ent", "terms of a sum", integer=True, positive=True)

LOW_RANK = (m_ent + n_ent) * sp.log(1 + 4 * a_ent)
"""Rank one: m + n dimensions of two factors."""
SHIFT = sp.log(2) + 8 * a_ent**2 * (sp.sqrt(m_ent) + sp.sqrt(n_ent)) ** 2
"""A Frobenius ball by a Gaussian shift, with E‖G‖ ≤ √m + √n."""

C_F = 2 * sp.sqrt(512 * sp.log(3))
ONE_STAGE = 512 * y_ent**2
"""The shift at radius ε/4, over N²."""
TWO_STAGE = ONE_STAGE / t_ent**2 + sp.log(1 + 2 * t_ent)
"""The shift at t times that radius, and volume for the rest, over N²."""
STRETCHED = t_ent**2 * sp.sqrt(sp.log(3) / 512)
"""The y at which the stretch t is used."""
SWITCH = sp.sqrt(sp.log(3) / 512)
"""Up to this y one stage is used."""
SHARPER_CONSTANT = sp.Integer(33)
SHARPER_SWITCH = SHARPER_CONSTANT / 512
SHARPER_ROOT = sp.sqrt(75 * y_ent)
"""A stretch t that is good enough for the sharper constant."""


def closed_form(total: sp.Expr, p: sp.Expr, width: sp.Expr, radius: sp.Expr, norm: sp.Expr) -> sp.Expr:
    """Ψ (2 ln(1 + 16C/ε) + c_F) + ln 2.

    Returns:
        The entropy of N × N matrices with S_p ≤ S and ‖W‖ ≤ C.
    """
    psi = (width ** (p + 1) * total / radius**p) ** (2 / (p + 2))
    return psi * (2 * sp.log(1 + 16 * norm / radius) + C_F) + sp.log(2)


CLOSED = closed_form(S_sch, p_sch, N_sch, epsilon_sch, c_sch)


def volume(width: sp.Expr, radius: sp.Expr, norm: sp.Expr) -> sp.Expr:
    """N² ln(1 + 2C/ε).

    Returns:
        The entropy of a ball of the operator norm.
    """
    return width**2 * sp.log(1 + 2 * norm / radius)


def decaying(power: sp.Expr, width: int) -> sp.Expr:
    """Σ_k k^{-power} up to the width, as a sum.

    Returns:
        The Schatten sum of s_k = k^{-power/p}.
    """
    return sp.Sum(k_ent**-power, (k_ent, 1, width))
