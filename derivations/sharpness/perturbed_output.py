"""Theorem 24 and Lemmas 26 to 28: how far Gaussian noise of every parameter moves the output.

`T_P` is the printed bound on |f̃ - f|, term by term (Lintilhac & Shaikh 2026, Appendix L): through the second
layer's weights, through its values, and through the MLP.
"""

import sympy as sp

from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.symbols import symbol

sigma = symbol("sigma", "standard deviation of the noise on every parameter", positive=True)

T_P_TERMS: dict[str, sp.Expr] = {
    "weights": 128 * sigma * D**2 * omega * sp.log(T),
    "values": sigma * sp.sqrt(2 * d),
    "MLP": 32 * sp.sqrt(omega) * sigma * D**2,
}
"""The terms of T_p as printed."""

T_P = sp.Add(*T_P_TERMS.values())
