"""Theorem 18: the Hessian of the network's output (Lintilhac & Shaikh 2026, Appendices J and K).

`H_U` is the printed bound on its operator norm, term by term; d is the width of the residual stream but one.
"""

import sympy as sp

from boundaudit.derivations.sharpness.parameters import D, T, d, omega

H_U_TERMS: tuple[sp.Expr, ...] = (
    8 * (D + 1),
    6 * (D + 1) * sp.sqrt(omega),
    2 * sp.sqrt(3 * T * (D + 1)),
    sp.sqrt(48 * T * (D + 1) * D),
    3 * sp.sqrt(T) * sp.sqrt(12 * (D + 1)) * D,
    (8 * sp.sqrt(2) + 2) * sp.sqrt(d * T) * D,
    8 * sp.sqrt(2) * d * D * sp.sqrt(omega),
    6 * sp.sqrt(2) * d ** sp.Rational(3, 2) * D,
)
"""The terms of H_u as printed."""

H_U = sp.Add(*H_U_TERMS)

PARAMETERS = 3 * (d + 1) ** 2 + (d + 1) + (8 * d + 6) * (D + 1)
"""|Θ| as printed."""
