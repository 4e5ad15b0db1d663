"""Theorem 11: what the forward pass holds, for one component S_1 = {1…D} with coefficient C.

The input has k ones inside the component and r outside; by symmetry these stand for all
inputs. The row of the component averages the bits to `ACTIVE`, every other row to `INACTIVE`,
and the stream holds positions beside the MLP's outputs there.
Derived from the entries of the construction (Lintilhac & Shaikh 2026, Appendix B).
"""

import functools
from collections.abc import Callable

import sympy as sp

from boundaudit.derivations.sharpness.attention import OUTSIDE, C
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.mlp import OFFSETS, ramp, wave
from boundaudit.derivations.sharpness.norms import ENTRIES
from boundaudit.derivations.sharpness.parameters import D, T, even, i, k, u, v

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
LARGEST_AVERAGED = 1 - 1 / _TOTAL
"""Where all bits are one: the output position's zero keeps its weight."""

# --- hidden units ---------------------------------------------------------------------------------

FIRST_OFFSET = (1 + u) / (4 * D)
UNIT_SHARP = LARGEST_AVERAGED + FIRST_OFFSET


def averaged() -> sp.Expr:
    """The largest average of bits at one input: that of the component's row or of the others."""
    return sp.Max(ACTIVE, INACTIVE)


def largest_unit() -> sp.Expr:
    """The largest hidden unit at one input: the one that breaks first."""
    return averaged() + FIRST_OFFSET


UNITS_PUBLISHED = 2 * sp.sqrt(D + 1)


def _quadruple(of: Callable[[sp.Expr], sp.Expr], n: sp.Expr) -> sp.Expr:
    """Four units' squares, n grid points below the last one, over (4D)²: there 1 + γ is (4n - o)/(4D)."""
    return sp.Add(*(of(4 * n - offset) ** 2 for offset in OFFSETS)) / (4 * D) ** 2


def length_by_units(share: sp.Expr = sp.S.One) -> sp.Expr:
    """The squared length of the hidden units at an average of bits, unit by unit.

    Args:
        share: The average, from 0 to 1.

    Returns:
        A sum over the grid points, from the last one down.
    """
    return _quadruple(lambda x: ramp(x - 4 * D * (1 - share)), sp.S.Zero) + sp.Sum(
        _quadruple(lambda x: ramp(x - 4 * D * (1 - share)), i), (i, 1, D)
    )


def _rise(x: sp.Expr) -> sp.Expr:
    return ramp(x) - ramp(x - 4 * D)


def spread_by_units() -> sp.Expr:
    """The squared distance of the hidden units at s = 1 from those at s = 0, unit by unit.

    Returns:
        A sum over the grid points, from the last one down.
    """
    return _quadruple(_rise, sp.S.Zero) + sp.Sum(_quadruple(_rise, i), (i, 1, D - 1)) + _quadruple(_rise, D)


LENGTH = (2 * D + 1) * (2 * (D + 1) / (3 * D) + 5 * u / (16 * D**2))
"""|h(1)|²: the largest squared length of the hidden units of an average of bits."""

SPREAD = 2 * (D + 1) * (2 * D + 1) / (3 * D) - (8 - u) / (8 * D)
"""|h(1) - h(0)|²: the largest squared distance between the hidden units of two averages of bits."""


# --- the MLP's output as a function of an average --------------------------------------------------


def edge(x: sp.Expr) -> sp.Expr:
    """The rising edge of a trapezoid, which stays at one, at offset x from its grid point in units of 1/D.

    Returns:
        0 for x ≤ -(1+u)/4, 1 for x ≥ -1/4, affine between.
    """
    return 4 / u * (ramp(x + (1 + u) / 4) - ramp(x + sp.Rational(1, 4)))


EDGES = edge(v) - edge(v - 2)
"""A trapezoid lies below it: it falls no later than the next one rises."""

BY_EDGES = sp.Sum(even(i) * (edge(v - i) - edge(v - i - 2)), (i, 0, D))
BY_FIRST_EDGE = edge(v) - even(D + 1) * edge(v - D - 1) - even(D) * edge(v - D - 2)
"""The same summed over even grid points, at s = v/D: all edges but the first and the last cancel."""


# --- stream ---------------------------------------------------------------------------------------


@functools.cache
def _waves() -> tuple[sp.Expr, sp.Expr]:
    """The MLP's output on the component's row and on the others."""
    return wave(D * ACTIVE), wave(D * INACTIVE)


def _last_column() -> sp.Expr:
    active, inactive = _waves()
    return active**2 + T * inactive**2


def stream_row() -> sp.Expr:
    """The largest squared row norm of X2.

    Returns:
        The larger of 1 + g² on the component's row and on the others.
    """
    # Left as written, here and below: SymPy would spend seconds on comparing what it cannot compare.
    return sp.Max(*(1 + g**2 for g in _waves()), evaluate=False)


def stream_column() -> sp.Expr:
    """The largest squared column norm of X2; columns of positions have norm one.

    Returns:
        The larger of one and that of the last column.
    """
    return sp.Max(sp.Integer(1), _last_column(), evaluate=False)


def output_row() -> sp.Expr:
    """The squared norm of the output position's row of X2.

    Returns:
        1 + g² on an inactive row.
    """
    return 1 + _waves()[1] ** 2


def value() -> sp.Expr:
    """The largest entry of X2 V2.

    Returns:
        C times the larger output of the MLP.
    """
    return sp.Max(*(C * g for g in _waves()), evaluate=False)


def values() -> sp.Expr:
    """The squared norm of X2 V2.

    Returns:
        C² times the squared norm of the last column.
    """
    return C**2 * _last_column()


# --- weights --------------------------------------------------------------------------------------

W2_BY_ENTRIES = ENTRIES["W2"]
"""W2 has rank one, with its only non-zero column at the output position: its operator norm is its Frobenius norm."""
