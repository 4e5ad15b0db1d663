"""Theorem 11: what the forward pass holds, for one component S_1 = {1…D} with coefficient C.

The input has k ones inside the component and r outside; by symmetry these stand for all
inputs. The row of the component averages the bits to `ACTIVE`, every other row to `INACTIVE`,
and the stream holds positions beside the MLP's outputs there.
Derived from the entries of the construction (Lintilhac & Shaikh 2026, Appendix B).
"""

import sympy as sp

from boundaudit.derivations.sharpness.attention import OUTSIDE, C
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.mlp import OFFSETS, ramp, wave
from boundaudit.derivations.sharpness.norms import CLOSED, ENTRIES
from boundaudit.derivations.sharpness.parameters import D, T, i, j, k, omega, u

# --- tokens and attention -------------------------------------------------------------------------

ONES = k + r
BIT = sp.Min(1, ONES)
"""The largest bit of the input."""

TOKEN_ROW = 1 + BIT**2
"""A one-hot position and a bit, squared."""

_TOTAL = D * T**2 + OUTSIDE
TOTAL_FACTOR = D * T - D + 1
"""The normaliser is T+1 times this."""

ACTIVE = (k * T**2 + r) / _TOTAL
INACTIVE = ONES / (T + 1)
AVERAGED = sp.Max(ACTIVE, INACTIVE)

LARGEST_AVERAGED = 1 - 1 / _TOTAL
"""Where all bits are one: the output position's zero keeps its weight."""

# --- hidden units ---------------------------------------------------------------------------------

FIRST_OFFSET = (1 + u) / (4 * D)
UNIT = AVERAGED + FIRST_OFFSET
"""The unit that breaks first is the largest one."""

UNIT_UPPER = 1 + FIRST_OFFSET
UNIT_SHARP = LARGEST_AVERAGED + FIRST_OFFSET


def units(share: sp.Expr) -> sp.Expr:
    """The squared norm of one row's hidden units, unit by unit.

    Args:
        share: What the row averages.

    Returns:
        A sum over the grid points.
    """
    return sp.Sum(sum(ramp(share - i / D - offset / (4 * D)) ** 2 for offset in OFFSETS), (i, 0, D))


UNITS = sp.sqrt(sp.Max(units(ACTIVE), units(INACTIVE)))
UNITS_PUBLISHED = 2 * sp.sqrt(D + 1)
UNITS_LARGEST = sp.sqrt(units(LARGEST_AVERAGED))
"""Units grow with the share."""

# --- stream ---------------------------------------------------------------------------------------

_G, _G_INACTIVE = wave(D * ACTIVE), wave(D * INACTIVE)
_LAST_COLUMN = _G**2 + T * _G_INACTIVE**2

# Left as written: SymPy would spend seconds on comparing what it cannot compare.
STREAM_ROW = sp.Max(1 + _G**2, 1 + _G_INACTIVE**2, evaluate=False)
STREAM_COLUMN = sp.Max(sp.Integer(1), _LAST_COLUMN, evaluate=False)
"""Squared norms; columns of positions have norm one."""

OUTPUT_ROW = 1 + _G_INACTIVE**2
VALUE = sp.Max(C * _G, C * _G_INACTIVE, evaluate=False)
VALUES = C**2 * _LAST_COLUMN

# --- weights --------------------------------------------------------------------------------------

W1_TOKEN_BY_ENTRIES = sp.sqrt(sp.Sum((2 * sp.log(T)) ** 2, (j, 1, D)))
W1_TOKEN = 2 * sp.sqrt(D) * sp.log(T)
W1_UPPER = sp.sqrt(CLOSED["W1"])
W2_BY_ENTRIES = ENTRIES["W2"]
"""W2 has rank one, with its only non-zero column at the output position: its operator norm is its Frobenius norm."""

W2_UPPER = 4 * omega * sp.log(T) ** 2
