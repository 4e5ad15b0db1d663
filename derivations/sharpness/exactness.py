"""How exactly the construction computes its target at finite length.

A row of a component with k of its D bits and r of the others at one averages them to s.
Layer 1 errs by s - k/D, which the MLP's plateaus absorb; layer 2 leaves mass on the rows
that no component uses, and their common MLP output g is the only error that remains.
Derived here from the construction (Lintilhac & Shaikh 2026, Appendix B).
"""

import sympy as sp

from boundaudit.derivations.sharpness import attention
from boundaudit.derivations.sharpness.attention import FIRST_TOTAL, INACTIVE, OUTSIDE, C, lam
from boundaudit.derivations.sharpness.mlp import wave, wave_near
from boundaudit.derivations.sharpness.parameters import D, T, even, k
from boundaudit.derivations.symbols import symbol

r = symbol("r", "ones among the positions outside a component", integer=True, nonnegative=True)
f = symbol("f", "value of the target at an input, as a share of its largest value C", real=True)
g = symbol("g", "the MLP's output on the rows that no component uses", real=True)
a_x = symbol("a_x", "the MLP's output on the row of a component", real=True)
x = symbol("x", "number of the input, its bits read in binary", integer=True, nonnegative=True)

# --- layer 1 --------------------------------------------------------------------------------------

AVERAGED = k * attention.FIRST["member"] + r * attention.FIRST["other"]
"""The mean of the bits that an active row sees, key by key."""

SHIFT = (r - k * OUTSIDE / D) / FIRST_TOTAL
"""Its distance from the grid point k/D."""


def in_margins(scale: sp.Expr) -> sp.Expr:
    """The largest shift in units of 1/(4D), a plateau's half-width.

    Args:
        scale: λ.

    Returns:
        The larger of the two extremes: all D ones inside and none outside, or none inside and all T-D outside.
    """
    total = FIRST_TOTAL.subs(lam, scale)
    return 4 * D * sp.Max(OUTSIDE / total, (OUTSIDE - 1) / total)


def active_output() -> sp.Expr:
    """What the MLP makes of the averaged bits at λ = 2."""
    return wave(D * AVERAGED.subs(lam, 2))


def offset() -> sp.Expr:
    """How far from its grid point an active row lies at λ = 2, in units of the grid."""
    return D * SHIFT.subs(lam, 2)


# --- layer 2 --------------------------------------------------------------------------------------

_TOTAL = C * T**lam + INACTIVE

ERROR_BY_WEIGHTS = T**lam / _TOTAL * C * (C * f) + INACTIVE / _TOTAL * C * g - C * f
"""Weights c_t T^λ on values C·chi_t, which add up to C T^λ times the target C·f, and 1 on the others' C·g."""

ERROR = INACTIVE * C * (g - f) / _TOTAL
ERROR_SIZE = INACTIVE * C * sp.Abs(g - f) / _TOTAL
LEAK = C * INACTIVE / _TOTAL
"""The largest error, reached where f and g lie at opposite ends of [0, 1]."""

# --- one component --------------------------------------------------------------------------------


UNUSED_PLACE = D * (k + r) / (T + 1)
"""Where every other row lies on the grid."""


def unused_output() -> sp.Expr:
    """What the MLP makes of the rows without component."""
    return wave(UNUSED_PLACE)


def one_error(active: sp.Expr, unused: sp.Expr, value: sp.Expr) -> sp.Expr:
    """One component, λ = 2: row 1 and T rows without component, less the target.

    Args:
        active: The MLP's output on row 1.
        unused: Its output on the others.
        value: The target over C.

    Returns:
        The error.
    """
    return (C * T**2 * active + T * unused) / (C * T**2 + T) * C - C * value


def one_loss() -> sp.Expr:
    """Its square, with the MLP's outputs as they are written down."""
    return one_error(active_output(), unused_output(), even(k)) ** 2


def ideal_output() -> sp.Expr:
    """One component where layer 2 attends to row 1 alone, and layer 1 there to the component alone."""
    return C * wave_near(k, sp.Integer(0))


# --- every position a component -------------------------------------------------------------------

BIT_LEAK = C / (C * T + 1)
"""The leak of one component at λ = 2, T divided out."""
