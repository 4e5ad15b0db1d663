"""Many heads: what is left of the excess kurtosis, and the normal law's first correction."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.symbols import symbol

z_iw = symbol("z_iw", "an output over its standard deviation", nonnegative=True)

EDGEWORTH = z_iw * (3 - z_iw**2) * sp.exp(-(z_iw**2) / 2) / sp.sqrt(2 * sp.pi)
"""-He₃(z) φ(z): the CDF of a law of excess kurtosis γ less the normal one is γ/24 times this, to first order."""
LARGEST_AT = sp.sqrt(3 - sp.sqrt(6))
LARGEST = EDGEWORTH.subs(z_iw, LARGEST_AT)
"""0.550588…"""
