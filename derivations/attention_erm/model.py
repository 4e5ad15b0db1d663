"""Section 2: how far the indices h_ab = (x_aᵀSx_b - δ_ab Tr S)/√d of a finite map are from Gaussian.

In the eigenbasis of S an index of one token is Σ s_i (x_i² - 1)/√d, a sum of independent variables: its fourth cumulant
is Σ 48 s_i⁴/d² and its variance 2 Σ s_i²/d. That of two tokens has 6 Σ s_i⁴/d² and Σ s_i²/d. Derived here.
"""

import sympy as sp

from boundaudit.derivations.attention_erm.symbols import d_erm, i_erm, kappa_0, s_erm

SECOND = sp.Sum(s_erm[i_erm], (i_erm, 1, d_erm))
"""Tr S² in the squares of eigenvalues."""
FOURTH = sp.Sum(s_erm[i_erm] ** 2, (i_erm, 1, d_erm))
"""Tr S⁴ in them."""

SECOND_MOMENT = 1 + kappa_0
"""∫ x² over the law of WWᵀ/√(p₀ d) with p₀ = κ₀ d columns of independent standard normal entries."""
FOURTH_MOMENT = 1 / kappa_0 + 6 + 6 * kappa_0 + kappa_0**2
"""∫ x⁴ over it, a scaled free Poisson law."""
TARGET = 12 * FOURTH_MOMENT / SECOND_MOMENT**2
"""d times the excess kurtosis of an index of one token under the paper's target, as d → ∞."""
