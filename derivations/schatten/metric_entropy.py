"""Covers of Schatten classes in the operator norm: thin factors by volume, Frobenius balls by Gaussian shift."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.symbols import symbol

y_ent = symbol(
    "y_ent", "R/(ε√N), radius of a Frobenius ball over that of its cover and the root of the width", positive=True
)
t_ent = symbol("t_ent", "radius of a first cover over that of the second", positive=True)
m_ent = symbol("m_ent", "rows of a matrix", integer=True, positive=True)
n_ent = symbol("n_ent", "columns of a matrix", integer=True, positive=True)
a_ent = symbol("a_ent", "norm bound over the radius of a cover, C/ε", positive=True)
k_ent = symbol("k_ent", "terms of a sum", integer=True, positive=True)
f_ent = symbol("f_ent", "part of the radius that the second factor has, over that of the first", positive=True)
x_ent = symbol("x_ent", "length of a shift", real=True)
g_ent = symbol("g_ent", "a Gaussian coordinate along a shift", real=True)
h_ent = symbol("h_ent", "part that is missing of the largest number of large singular values, S/τ^p", nonnegative=True)
d_ent = symbol("d_ent", "part that is missing of the largest Frobenius norm of the rest", nonnegative=True)
r_ent = symbol("r_ent", "Frobenius norm of the rest over the largest it can have, √(S τ^(2-p))", nonnegative=True)
l_ent = symbol("l_ent", "logarithm ln(1 + 16C/ε)", positive=True)

EQUAL_NETS = (1 + 4 * a_ent) ** 2
"""Pairs from nets of both factors of a matrix of rank one at half of the radius each, the N-th root."""
TWO_NETS = (1 + 2 * a_ent * (1 + f_ent)) * (1 + 2 * a_ent * (1 + f_ent) / f_ent)
"""The same at parts 1/(1+f) and f/(1+f) of the radius."""

SHIFTED = (sp.exp(-((g_ent - x_ent) ** 2) / 2) + sp.exp(-((g_ent + x_ent) ** 2) / 2)) / 2
"""The Gaussian density, without its constant, averaged over a shift and its opposite."""
CENTRED = sp.exp(-(x_ent**2) / 2) * sp.exp(-(g_ent**2) / 2)
LONGEST = 4 * a_ent * (sp.sqrt(m_ent) + sp.sqrt(n_ent))
"""λR for the shift λ = 4(√m+√n)/ε: then half of the Gaussian measure lies within ε/2 of any shifted centre."""
COST = LONGEST**2 / 2 + sp.log(2)
"""Less the logarithm of the measure of each of the disjoint neighbourhoods."""
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


PARTS = 2 * (1 - h_ent) * l_ent + SHARPER_CONSTANT * (1 - d_ent)
"""Entropy of the large singular values and of the rest at the balancing threshold, over Ψ and without ln 2."""
SUM_OF_PARTS = 2 * l_ent + SHARPER_CONSTANT
JOINT_PARTS = 2 * (1 - r_ent**2) * l_ent + SHARPER_CONSTANT * r_ent
"""The same where both share one sum: h + r² ≤ 1."""
LARGEST_PARTS = 2 * l_ent + SHARPER_CONSTANT**2 / (8 * l_ent)


def closed_form(total: sp.Expr, p: sp.Expr, width: sp.Expr, radius: sp.Expr, factor: sp.Expr) -> sp.Expr:
    """Ψ times a factor, and ln 2.

    Returns:
        An entropy of N × N matrices with S_p ≤ S.
    """
    return (width ** (p + 1) * total / radius**p) ** (2 / (p + 2)) * factor + sp.log(2)


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
