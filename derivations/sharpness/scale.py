"""The scale λ of the attention logits: what it buys in exactness, and what it costs in norm.

The construction has λ = 2; nothing but the leak and two blocks of the norm depends on it.
Derived here from the construction (Lintilhac & Shaikh 2026, Appendix B).
"""

import sympy as sp

from boundaudit.derivations.sharpness.attention import KEY_SCALE, PRODUCT
from boundaudit.derivations.sharpness.parameters import c, omega, t

W1_SQUARED = PRODUCT
_LOGS, _SQUARED_LOGS = (sp.Sum(sp.log(c[t]) ** n, (t, 1, omega)) for n in (1, 2))
W2_SQUARED = _SQUARED_LOGS + 2 * KEY_SCALE * _LOGS + omega * KEY_SCALE**2
