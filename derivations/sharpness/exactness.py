"""How exactly the construction computes its target at finite length.

A row of a component with k of its D bits and r of the others at one averages them to s.
Layer 1 errs by s - k/D, which the MLP's plateaus absorb; layer 2 leaves mass on the rows
that no component uses, and their common MLP output g is the only error that remains.
Derived here from the construction (Lintilhac & Shaikh 2026, Appendix B).
"""

import sympy as sp

from boundaudit.derivations.sharpness import attention
from boundaudit.derivations.sharpness.attention import FIRST_TOTAL, INACTIVE, OUTSIDE, SUM, C, lam
from boundaudit.derivations.sharpness.mlp import wave
from boundaudit.derivations.sharpness.parameters import D, T, c, even, i, k, omega, t, u
from boundaudit.derivations.symbols import symbol

r = symbol("r", "ones among the positions outside a component", integer=True, nonnegative=True)
f = symbol("f", "value of the target at an input, as a share of its largest value C", real=True)
g = symbol("g", "the MLP's output on the rows that no component uses", real=True)
x = symbol("x", "number of the input, its bits read in binary", integer=True, nonnegative=True)

# --- layer 1 --------------------------------------------------------------------------------------

AVERAGED = k * attention.FIRST["member"] + r * attention.FIRST["other"]
"""The mean of the bits that an active row sees, key by key."""

SHIFT = (r - k * OUTSIDE / D) / FIRST_TOTAL
"""Its distance from the grid point k/D."""

LARGEST_SHIFT = sp.Max(OUTSIDE / FIRST_TOTAL, (OUTSIDE - 1) / FIRST_TOTAL)
"""The larger of the two extremes: all D ones inside and none outside, or none inside and all T-D outside."""

IN_MARGINS = 4 * D * LARGEST_SHIFT
"""The largest shift in units of 1/(4D), a plateau's half-width."""

ON_PLATEAU = (4 * D - 1) * OUTSIDE
"""At most D T^λ exactly where the largest shift is at most 1/(4D)."""

ACTIVE_OUTPUT = wave(D * AVERAGED)
"""What the MLP makes of it."""

# --- layer 2 --------------------------------------------------------------------------------------

_TOTAL = C * T**lam + INACTIVE

ERROR_BY_WEIGHTS = T**lam / _TOTAL * C * (C * f) + INACTIVE / _TOTAL * C * g - C * f
"""Weights c_t T^λ on values C·chi_t, which add up to C T^λ times the target C·f, and 1 on the others' C·g."""

ERROR = INACTIVE * C * (g - f) / _TOTAL
ERROR_SIZE = INACTIVE * C * sp.Abs(g - f) / _TOTAL
LEAK = C * INACTIVE / _TOTAL
"""The largest error, reached where f and g lie at opposite ends of [0, 1]."""

LEAK_FLOOR = C / (C * T**lam + 1)
"""What is left where every position has a component: the output position's own row."""

RATE = T ** (1 - lam)

# --- one component --------------------------------------------------------------------------------

_ROWS = C * T**2 * ACTIVE_OUTPUT.subs({lam: 2, u: 1}) + T * wave(D * (k + r) / (T + 1)).subs(u, 1)
ONE_LOSS = (_ROWS / (C * T**2 + T) * C - C * even(k)) ** 2
"""One component, steep, λ = 2: row 1 and T rows without component, each with the MLP's output there."""


def error_of_a_bit(width: int) -> sp.Expr:
    """One bit as component, zero while all other bits are one: the error at λ = 2, row by row.

    Args:
        width: Of the trapezoid's flank, 1 steep or 2 wide.

    Returns:
        The network's output minus the target C.
    """
    total = C * T**2 + T
    active, unused = (wave(at).subs({D: 1, u: width}).doit() for at in ((T - 1) / (T**2 + T), (T - 1) / (T + 1)))
    return (C * T**2 * active + T * unused) / total * C - C


_AT_ONE_BIT = C * T**2 * wave(D * T**2 / (D * T**2 + T + 1 - D)) + T * wave(D / (T + 1))
ERROR_AT_ONE_BIT = _AT_ONE_BIT / (C * T**2 + T) * C
"""One component at the input 10…0, λ = 2, row by row; its first bit is the one and the target is zero."""

# --- every position a component -------------------------------------------------------------------

_FULL = SUM * T**2 + 1


def error_of_all_bits() -> sp.Expr:
    """Components {1}, …, {T}, steep, at the input of ones after a zero: the error at λ = 2, row by row.

    Returns:
        The network's output minus the target c_1.
    """
    means = ((T - 1) / (T**2 + T), (T**2 + T - 2) / (T**2 + T), (T - 1) / (T + 1))
    first, later, output = (wave(at).subs({D: 1, u: 1}).doit() for at in means)
    rows = c[1] * T**2 * first + sp.Sum(c[t] * T**2, (t, 2, omega)) * later + output
    return rows / _FULL * SUM - c[1]


ALL_BITS_ERROR = c[1] / _FULL
BIT_LEAK = C / (C * T + 1)
"""The leak of one component at λ = 2, T divided out."""

# --- means over all inputs ------------------------------------------------------------------------

_PAIR = (1 + sp.Max(0, 1 - sp.Abs(t - i))) / 4
"""P(chi_t = chi_i = 1): 1/2 for one component, 1/4 for two distinct ones."""

MEAN_SQUARE_BY_PAIRS = sp.Sum(sp.Sum(c[t] * c[i] * _PAIR, (i, 1, omega)), (t, 1, omega))
SQUARES = sp.Sum(c[t] ** 2, (t, 1, omega))
MEAN_SQUARE = (SUM**2 + SQUARES) / 4
"""Components are distinct and not empty, so that their parities are pairwise independent fair coins."""

LOSS_BY_MEAN = (INACTIVE / T**2) ** 2 * (1 + (sp.sqrt(SQUARES) / SUM) ** 2) / 4
"""The squared leak, which is below ((T+1-ω)/T²)² at λ = 2, times the mean of (f/C)²."""
