"""The construction without the hidden units whose output weight is zero (those of odd grid points).

Derived here from Theorem 9 of Lintilhac & Shaikh 2026: the function stays, the norm falls.
"""

import sympy as sp

from boundaudit.derivations.sharpness import mlp
from boundaudit.derivations.sharpness import norms as theorem
from boundaudit.derivations.sharpness.parameters import D, even, i, s, u

EVENS = sp.floor(D / 2) + 1
ODDS = D + 1 - EVENS
"""Grid points with and without live units."""


def wave() -> sp.Expr:
    """The pruned MLP at s.

    Returns:
        One trapezoid for each even grid point.
    """
    return sp.Sum(mlp.trapezoid(D * s - 2 * i), (i, 0, sp.floor(D / 2)))


_SPREAD = (1 + (1 + u) ** 2) / (8 * D**2)
_BIASES = sum((i / D + offset / (4 * D)) ** 2 for offset in mlp.OFFSETS)

ENTRIES: dict[str, sp.Expr] = theorem.ENTRIES | {
    "M": sp.Sum(4 * even(i), (i, 0, D)),
    "Gamma": sp.Sum(even(i) * _BIASES, (i, 0, D)),
}
"""Squared norms as sums over the entries that are left."""

_HALF = EVENS - 1
CLOSED: dict[str, sp.Expr] = theorem.CLOSED | {
    "M": 4 * EVENS,
    "Gamma": 8 * _HALF * EVENS * (2 * _HALF + 1) / (3 * D**2) + EVENS * _SPREAD,
}
"""Squared norms in closed form."""

DROPPED = sp.Sum((1 - even(i)) * (4 + _BIASES), (i, 0, D))
"""The squared norm of the units that are left out, entry by entry."""

SAVED = 4 * ODDS + 4 * ODDS * (4 * ODDS**2 - 1) / (3 * D**2) + ODDS * _SPREAD
"""The same in closed form."""

SAVED_AT_LEAST = 2 * D + 2 * (D**2 - 1) / (3 * D) + D / 2 * _SPREAD
"""A lower bound on it, reached at even D."""
