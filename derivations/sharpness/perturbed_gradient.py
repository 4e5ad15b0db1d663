"""Theorem 30: how far Gaussian noise of every parameter moves the gradient.

`G_P_TERMS` are terms of the printed bound (Lintilhac & Shaikh 2026, Appendix L); the two of `CONSTANT` stand there
without σ, so that the printed bound does not vanish with the noise.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.parameters import D, T, d, omega

_LOG = sp.log(T)
_HALF = sp.Rational(1, 2)

CONSTANT: tuple[sp.Expr, ...] = (
    128 * sp.sqrt(2) * D**2 * omega**2 * _LOG,
    64 * sp.sqrt(2) * d * D**2 * omega**2 * _LOG,
)
"""The two terms without σ."""

G_P_TERMS: tuple[sp.Expr, ...] = (
    128 * sp.sqrt(2) * sigma * D**2 * sp.sqrt(omega) * _LOG,
    192 * sigma * sp.sqrt(omega) * D**2,
    128 * sigma * d * omega**2 * _LOG * D ** (3 * _HALF),
    1024 * sigma * D ** (7 * _HALF) * omega ** (3 * _HALF) * _LOG,
    8 * sigma * sp.sqrt(D * omega) * _LOG * d,
    256 * sigma * D ** (5 * _HALF) * omega**2 * d,
    32 * sigma * sp.sqrt(D) * omega**2 * d**2,
)
"""The other terms."""

G_P_PRINTED = sp.Add(*G_P_TERMS, *CONSTANT)
G_P = sp.Add(*G_P_TERMS, *(sigma * term for term in CONSTANT))
"""The same with σ restored in the two terms."""

WITHOUT_NOISE = G_P_PRINTED.subs(sigma, 0)
"""The printed bound at σ = 0."""

LEFT_OVER = 64 * sp.sqrt(2) * D**2 * omega**2 * _LOG * (d + 2)
"""The same in one term; derived here."""
