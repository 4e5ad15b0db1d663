"""Both attention layers at finite length: their weights, and the mass that they leave on other positions.

The logits are 0 or scale·log T, so every weight is a quotient of powers of T. `FIRST` and
`SECOND` hold the softmax entry by entry, key by key; the closed forms are derived here from
those sums (Lintilhac & Shaikh 2026, Appendix B, Equations 3 to 8). The published scale is 2.
"""

import sympy as sp

from boundaudit.derivations.sharpness.parameters import D, T, c, i, j, omega, t
from boundaudit.derivations.symbols import symbol

lam = symbol("lambda", "scale of the attention logits, in units of log T", positive=True)
C = symbol("C", "sum of the coefficients", positive=True)
row = symbol("row", "which row of an attention layer, counted among those of its kind", integer=True, positive=True)
key = symbol("key", "which key of a row, counted among those of its kind", integer=True, positive=True)

SUM = sp.Sum(c[t], (t, 1, omega))
"""The sum of the coefficients, from their vector."""

OUTSIDE = T + 1 - D
"""Keys of an active row outside its component."""

INACTIVE = T + 1 - omega
"""Rows that no component uses, the output position among them."""

# --- layer 1 --------------------------------------------------------------------------------------

_MEMBERS = sp.Sum(T**lam, (j, 1, D))
_FIRST_TOTAL = _MEMBERS + sp.Sum(1, (j, D + 1, T + 1))

FIRST = {
    "member": T**lam / _FIRST_TOTAL,
    "other": 1 / _FIRST_TOTAL,
    "inactive": 1 / sp.Sum(1, (j, 1, T + 1)),
    "leak": sp.Sum(1 / _FIRST_TOTAL, (i, D + 1, T + 1)),
}
"""Softmax of layer 1: exp(logit) over the sum of exp(logit) over all keys."""

FIRST_TOTAL = D * T**lam + OUTSIDE
MEMBER = T**lam / FIRST_TOTAL
OTHER = 1 / FIRST_TOTAL
UNIFORM = 1 / (T + 1)
FIRST_LEAK = OUTSIDE / FIRST_TOTAL

PUBLISHED_MEMBER = T**2 / (D * T**2 + T)
"""The other reading of the denominator: the output position and the members counted among T others."""

# --- its factors ----------------------------------------------------------------------------------

KEY_SCALE = lam * sp.log(T)
"""The diagonal of the key factor; the query factor holds inclusion indicators."""

PRODUCT = omega * D * lam**2 * sp.log(T) ** 2

# --- layer 2 --------------------------------------------------------------------------------------

_ACTIVE = sp.Sum(c[t] * T**lam, (t, 1, omega))
_SECOND_TOTAL = _ACTIVE + sp.Sum(1, (j, omega + 1, T + 1))

SECOND = {
    "active": c[row] * T**lam / _SECOND_TOTAL,
    "inactive": 1 / _SECOND_TOTAL,
    "leak": sp.Sum(1 / _SECOND_TOTAL, (i, omega + 1, T + 1)),
}
"""Softmax of the output position in layer 2."""

SECOND_TOTAL = SUM * T**lam + INACTIVE
ACTIVE = c[row] * T**lam / SECOND_TOTAL
INACTIVE_WEIGHT = 1 / SECOND_TOTAL
SECOND_LEAK = INACTIVE / SECOND_TOTAL
