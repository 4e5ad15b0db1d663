"""Components side by side, and inputs that leave some of them without a one: rows of three kinds.

Component t is {(t-1)D+1, …, tD}. The first n_e components hold no one (even, their parity indicator is 1), each of the
others exactly one (odd), and n_r ones stand outside all components. Every row is then even, odd or unused, and what a
derivative sums over rows is a sum over these three kinds. Rows and weights are those of the construction
(Lintilhac & Shaikh 2026, Appendix B) at λ = 2, or of the ideal network, whose softmaxes see their support alone.

From T = 4 on active rows rest on their plateaus (see `exactness`): an even row gives 1, an odd one 0, and the units
that are on are those on at the grid points 0 and 1/D.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import sympy as sp

from boundaudit.derivations.sharpness.attention import INACTIVE, OUTSIDE, SUM
from boundaudit.derivations.sharpness.mlp import OFFSETS, ramp
from boundaudit.derivations.sharpness.parameters import D, T, c, even, i, omega, t, u
from boundaudit.derivations.symbols import symbol

n_e = symbol("n_e", "components without a one among their positions", integer=True, nonnegative=True)
n_r = symbol("n_r", "ones outside all components", integer=True, nonnegative=True)

ONES = omega - n_e + n_r
"""Ones in the input."""

MARKED = ONES - sp.Max(0, sp.floor((omega - 1) / D) + 1 - n_e)
"""Ones at positions whose rows are unused: an odd component's one comes first in it, and rows 1…ω are active."""

LOGIT = sp.log(c[t]) + 2 * sp.log(T)
"""Layer 2's logit of row t."""

KEYS = sp.Sum(LOGIT**2, (t, 1, omega))
"""The squared length of the query's image w2 = (log c_t + 2 log T)_t."""

_SIGNS = (1, -1, -1, 1)

Unit = tuple[int, int]
"""A hidden unit, by its grid point i and the number of its offset."""


class Kind(NamedTuple):
    """Rows of one kind.

    Attributes:
        s: the mean of bits that such a row sees.
        g: what the MLP makes of it.
        mass: layer 2's attention to all of them.
        squares: the sum of its squares.
        pull: the sum of attention times logit.
        on: the units that are on; None where that depends on s.
    """

    s: sp.Expr
    g: sp.Expr
    mass: sp.Expr
    squares: sp.Expr
    pull: sp.Expr
    on: tuple[Unit, ...] | None


def over_units(body: Callable[[sp.Expr, sp.Expr], sp.Expr]) -> sp.Expr:
    """A sum over all hidden units.

    Args:
        body: from a unit's breakpoint and its output weight, expressions in i, to an expression.

    Returns:
        The sum over the grid points i = 0…D and the four offsets of each.
    """
    return sp.Sum(sum(body(_breakpoint(i, n), _output(i, n)) for n in range(4)), (i, 0, D))


def response(s: sp.Expr) -> sp.Expr:
    """The output of the MLP.

    Returns:
        g(s), unit by unit.
    """
    return over_units(lambda b, weight: weight * ramp(s - b))


def slope(s: sp.Expr) -> sp.Expr:
    """The derivative of the MLP off its kinks.

    Returns:
        g'(s), unit by unit.
    """
    return over_units(lambda b, weight: weight * _is_on(s, b))


def hidden_product(one: Kind, other: Kind) -> sp.Expr:
    """The inner product of two rows' hidden units.

    Returns:
        Σ_j h_j h'_j.
    """
    return _product(one, other, lambda s, b, weight: ramp(s - b), lambda s, b, weight: s - b)


def gated_product(one: Kind, other: Kind) -> sp.Expr:
    """The inner product of two rows' gates, each unit with its output weight.

    Returns:
        Σ_j F_j² [unit j on in both].
    """
    return _product(one, other, lambda s, b, weight: weight * _is_on(s, b), lambda s, b, weight: weight)


_Value = Callable[[sp.Expr, sp.Expr, sp.Expr], sp.Expr]


def _product(one: Kind, other: Kind, anywhere: _Value, where_on: _Value) -> sp.Expr:
    """Σ over units of a value in both rows, which is zero where a unit is off."""
    if one.on is None and other.on is None:
        return over_units(lambda b, weight: anywhere(one.s, b, weight) * anywhere(other.s, b, weight))
    if one.on is None:
        return _product(other, one, anywhere, where_on)
    units = one.on if other.on is None else tuple(unit for unit in one.on if unit in other.on)
    value = anywhere if other.on is None else where_on
    parts = [(_breakpoint(*unit), _output(*unit)) for unit in units]
    return sp.Add(*(where_on(one.s, b, weight) * value(other.s, b, weight) for b, weight in parts))


def _breakpoint(grid: sp.Expr | int, offset: int) -> sp.Expr:
    return grid / D + OFFSETS[offset] / (4 * D)


def _output(grid: sp.Expr | int, offset: int) -> sp.Expr:
    return _SIGNS[offset] * 4 * D / u * even(sp.S.Zero + grid)


def _is_on(s: sp.Expr, b: sp.Expr) -> sp.Expr:
    """1 above the breakpoint and 0 below; undefined on the kink."""
    return ramp(s - b) / sp.Abs(s - b)


_ON_EVEN: tuple[Unit, ...] = ((0, 0), (0, 1))
_ON_ODD: tuple[Unit, ...] = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1))
_FIRST = D * T**2 + OUTSIDE
_SECOND = SUM * T**2 + INACTIVE
UNUSED_MEAN = ONES / (T + 1)
"""What every unused row sees, the output position's among them."""


def _active(s: sp.Expr, g: int, low: sp.Expr, high: sp.Expr, scale: sp.Expr, on: tuple[Unit, ...]) -> Kind:
    """Rows low…high with attention c_t times a scale."""

    def total(body: sp.Expr) -> sp.Expr:
        return sp.Sum(body, (t, low, high))

    return Kind(s, sp.Integer(g), scale * total(c[t]), scale**2 * total(c[t] ** 2), scale * total(c[t] * LOGIT), on)


def _both(means: tuple[sp.Expr, sp.Expr], scale: sp.Expr) -> tuple[Kind, Kind]:
    even_rows = _active(means[0], 1, sp.Integer(1), n_e, scale, _ON_EVEN)
    return even_rows, _active(means[1], 0, n_e + 1, omega, scale, _ON_ODD)


UNUSED = Kind(
    UNUSED_MEAN, response(UNUSED_MEAN), INACTIVE / _SECOND, INACTIVE / _SECOND**2, sp.Integer(0), None
)  # fmt: skip

FINITE = (*_both((ONES / _FIRST, (T**2 + ONES - 1) / _FIRST), T**2 / _SECOND), UNUSED)
"""The construction at λ = 2: even, odd and unused rows."""

IDEAL = _both((sp.Integer(0), 1 / D), 1 / SUM)
"""The ideal network: even and odd rows; unused ones have no weight."""
