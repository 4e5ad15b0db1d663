"""Theorem 31: how far Gaussian noise of every parameter moves the Hessian of the output.

`H_P` is the printed bound on the operator norm of the change, term by term (Lintilhac & Shaikh 2026, Appendix M).
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.parameters import D, T, d, omega

_LOG = sp.log(T)
_HALF = sp.Rational(1, 2)

H_P_TERMS: tuple[sp.Expr, ...] = (
    768 * sp.sqrt(2) * sigma * D**2 * omega ** (3 * _HALF) * d * _LOG,
    256 * sigma * omega ** (3 * _HALF) * d**2 * D ** (3 * _HALF) * _LOG,
    1024 * sigma * D ** (7 * _HALF) * omega ** (3 * _HALF) * _LOG,
    512 * sigma * D ** (5 * _HALF) * omega ** (3 * _HALF) * d**2 * _LOG,
    1536 * sigma * D ** (7 * _HALF) * omega ** (5 * _HALF) * sp.sqrt(d) * _LOG**2,
    768 * sigma * D**2 * omega ** (5 * _HALF) * d * _LOG**2,
    16 * sigma * omega**2 * d ** (5 * _HALF) * _LOG,
)
"""The terms of H_p as printed."""

H_P = sp.Add(*H_P_TERMS)
