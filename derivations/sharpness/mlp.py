"""Theorem 9: the MLP that interpolates even parity on the grid {0, 1/D, …, 1}.

Each grid point i/D owns a quadruple of ReLU units with breakpoints at -(1+u), -1, +1,
1+u around it, in units of 1/(4D). The flank width u is 1 for the steep trapezoid and 2
for the wide one; both readings interpolate on the grid. Derived here from the printed
shape of the construction (Lintilhac & Shaikh 2026, Appendix B.4).
"""

import itertools

import sympy as sp

from boundaudit.derivations.sharpness.parameters import D, even, i, j, u, v
from boundaudit.derivations.symbols import symbol

kappa = symbol("kappa", "half of an even grid point", integer=True)
n_q = symbol("n_q", "even grid points beyond zero: half of D, rounded down", integer=True, nonnegative=True)
n_o = symbol("n_o", "remainder of D by two", integer=True, nonnegative=True)

y_m = symbol("y_m", "a place on the grid of the MLP: D times an average of bits", real=True)


def ramp(x: sp.Expr) -> sp.Expr:
    """The rectifier.

    Returns:
        max(x, 0).
    """
    return sp.Max(x, 0)


def trapezoid(x: sp.Expr) -> sp.Expr:
    """One quadruple, scaled to height one, at offset x from its grid point in units of 1/D.

    Returns:
        1 for |x| ≤ 1/4, 0 for |x| ≥ (1+u)/4, affine between.
    """
    outer = (1 + u) / 4
    quarter = sp.Rational(1, 4)
    ramps = ramp(x + outer) - ramp(x + quarter) - ramp(x - quarter) + ramp(x - outer)
    return 4 / u * ramps


def wave(x: sp.Expr) -> sp.Expr:
    """The MLP's output at s = x/D: the trapezoids of the even grid points.

    Returns:
        A sum over the grid points i = 0…D.
    """
    return sp.Sum(even(i) * trapezoid(x - i), (i, 0, D))


def _fall(y: sp.Expr) -> sp.Expr:
    """One before a trapezoid's end and zero beyond."""
    return sp.Min(1, sp.Max(0, sp.Rational(3, 2) - 2 * y))


def fallen(y: sp.Expr) -> sp.Expr:
    """What lies above a trapezoid and telescopes from one even grid point to the next.

    Args:
        y: The offset from its grid point.

    Returns:
        ψ(y) - ψ(y + 2).
    """
    return _fall(y) - _fall(y + 2)


FALLEN = sp.Sum(even(i) * fallen(y_m - i), (i, 0, D))
TELESCOPED = even(D) * _fall(y_m - D) + (1 - even(D)) * _fall(y_m - D + 1) - _fall(y_m + 2)
"""What their sum over even grid points comes to: the last one's, less that before the first."""


def wave_near(grid: sp.Expr, offset: sp.Expr) -> sp.Expr:
    """The same output at s = (grid + offset)/D, in the order of the distance from the grid point.

    Args:
        grid: a grid point, an integer from 0 to D.
        offset: the distance from it.

    Returns:
        The trapezoids of the grid points before it, its own, and those of the grid points after it.
    """
    before = sp.Sum(even(grid - i) * trapezoid(offset + i), (i, 1, grid))
    after = sp.Sum(even(grid + i) * trapezoid(offset - i), (i, 1, D - grid))
    return before + even(grid) * trapezoid(offset) + after


def live_wave() -> sp.Expr:
    """The same output at s = (2 kappa + v)/D, from the trapezoids of the even grid points alone.

    Returns:
        Those before the even grid point 2 kappa, its own, and those after it.
    """
    before = sp.Sum(trapezoid(v + 2 * j), (j, 1, kappa))
    return before + trapezoid(v) + sp.Sum(trapezoid(v - 2 * j), (j, 1, n_q - kappa))


OFFSETS = (-(1 + u), sp.Integer(-1), sp.Integer(1), 1 + u)
"""Breakpoints of a quadruple around its grid point, over 4D, with the signs +, -, -, + of its output weights."""


def _rise(start: sp.Expr, end: sp.Expr) -> sp.Expr:
    """The slope of a trapezoid between two offsets over 4D, as a function of s."""
    return D * (trapezoid(end / 4) - trapezoid(start / 4)) / ((end - start) / 4)


def slope_by_pieces() -> sp.Expr:
    """The largest slope over the affine pieces of one trapezoid, by difference quotients."""
    return sp.Max(*(sp.Abs(_rise(start, end)) for start, end in itertools.pairwise(OFFSETS)))


SLOPE = 4 * D / u
"""The largest slope of the wave as a function of s."""


def ramps_added() -> sp.Expr:
    """The four ramps of a quadruple at its grid point, with their signs."""
    return sum(sign * ramp(-offset / (4 * D)) for sign, offset in zip((1, -1, -1, 1), OFFSETS, strict=True))


SUM_OF_RAMPS = u / (4 * D)
"""The height of a quadruple's four ramps before the output weights scale it to one."""

UNITS = 4 * (D + 1)
"""Hidden units as printed."""

LIVE_BY_QUADRUPLES = sp.Sum(4 * even(i), (i, 0, D))
"""Hidden units with a non-zero output weight, quadruple by quadruple: those of even grid points."""

LIVE_UNITS = 4 * (sp.floor(D / 2) + 1)
"""Hidden units with a non-zero output weight."""
