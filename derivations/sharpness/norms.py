"""Theorem 10: the squared norm of the construction's parameters, block by block.

`ENTRIES` sums the squares of the entries as the construction sets them, `CLOSED` gives
the closed forms derived here from those sums, `PUBLISHED` the terms of the printed bound
(Lintilhac & Shaikh 2026, Theorem 10), and `REPAIRED` what can stand in their place.
"""

import sympy as sp

from boundaudit.derivations.sharpness.parameters import D, T, c, even, i, j, omega, t, u

BLOCKS = ("W1", "V1", "M", "Gamma", "F", "W2", "V2")

_OFFSETS = (-(1 + u), sp.Integer(-1), sp.Integer(1), 1 + u)
_W2 = sp.Sum((sp.log(c[t]) + 2 * sp.log(T)) ** 2, (t, 1, omega))
_C_SQUARED = sp.Sum(c[t], (t, 1, omega)) ** 2

ENTRIES: dict[str, sp.Expr] = {
    "W1": sp.Sum(sp.Sum((2 * sp.log(T)) ** 2, (j, 1, D)), (t, 1, omega)),
    "V1": sp.Integer(1),
    "M": sp.Sum(4, (i, 0, D)),
    "Gamma": sp.Sum(sum((i / D + offset / (4 * D)) ** 2 for offset in _OFFSETS), (i, 0, D)),
    "F": sp.Sum(4 * (4 * D / u * even(i)) ** 2, (i, 0, D)),
    "W2": _W2,
    "V2": _C_SQUARED,
}
"""Squared norms as sums over the entries that the construction sets."""

CLOSED: dict[str, sp.Expr] = {
    "W1": 4 * omega * D * sp.log(T) ** 2,
    "V1": sp.Integer(1),
    "M": 4 * (D + 1),
    "Gamma": (D + 1) * ((8 * D + 4) / (6 * D) + (1 + (1 + u) ** 2) / (8 * D**2)),
    "F": 64 * D**2 * (sp.floor(D / 2) + 1) / u**2,
    "W2": _W2,
    "V2": _C_SQUARED,
}
"""Squared norms in closed form."""

PUBLISHED: dict[str, sp.Expr] = {
    "W1": 4 * omega * D * sp.log(T) ** 2,
    "V1": sp.Integer(1),
    "M": 4 * (D + 1),
    "Gamma": 4 * (D + 1),
    "F": 16 * D**2 * (D + 1),
    "W2": 4 * omega * sp.log(T) ** 2,
    "V2": omega,
}
"""The terms of the printed bound."""

REPAIRED: dict[str, sp.Expr] = PUBLISHED | {"F": CLOSED["F"], "Gamma": CLOSED["Gamma"]}
"""The terms of the repaired bound, for either trapezoid: sharp at one component with coefficient one."""

F_SIMPLE = 32 * D**2 * (D + 2)
"""A bound on the steep F without the integer part."""


def total(terms: dict[str, sp.Expr]) -> sp.Expr:
    """The sum over all blocks.

    Returns:
        An expression.
    """
    return sp.Add(*(terms[block] for block in BLOCKS))
