"""The scale λ of the attention logits: what it buys in exactness, and what it costs in norm.

The construction has λ = 2; nothing but the leak and two blocks of the norm depends on it.
Derived here from the construction (Lintilhac & Shaikh 2026, Appendix B).
"""

import sympy as sp

from boundaudit.derivations.sharpness.attention import KEY_SCALE, OUTSIDE, PRODUCT, PRODUCT_BY_ENTRIES
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.mlp import wave
from boundaudit.derivations.sharpness.parameters import D, T, c, k, omega, t, u

W1_BY_ENTRIES = PRODUCT_BY_ENTRIES
W1_SQUARED = PRODUCT
W2_BY_ENTRIES = sp.Sum((sp.log(c[t]) + KEY_SCALE) ** 2, (t, 1, omega))
_LOGS, _SQUARED_LOGS = (sp.Sum(sp.log(c[t]) ** n, (t, 1, omega)) for n in (1, 2))
W2_SQUARED = _SQUARED_LOGS + 2 * KEY_SCALE * _LOGS + omega * KEY_SCALE**2

FIRST_POWER = (4 * D - 1) * OUTSIDE / D
"""T^λ at the smallest scale of layer 1 that keeps the largest shift on the plateaus."""

_TOTAL = D * FIRST_POWER + OUTSIDE
FIRST_AVERAGED = (k * FIRST_POWER + r) / _TOTAL


def first_output() -> sp.Expr:
    """What the steep MLP makes of an active row at that scale.

    Returns:
        Its output, trapezoid by trapezoid.
    """
    return wave(D * FIRST_AVERAGED).subs(u, 1)


FIRST_SHIFT_IN_MARGINS = 4 * D * OUTSIDE / _TOTAL

FIRST_W1_SQUARED = omega * D * sp.log(FIRST_POWER) ** 2
PUBLISHED_W1_SQUARED = 4 * omega * D * sp.log(T) ** 2
