"""A bound for the parameters themselves, from their norm and their loss on the sample. Derived here.

`GRADIENTS` bounds the gradient of the output by each block in the Frobenius norms of the blocks, for any weights of the
published layout; `LIPSCHITZ` bounds the whole gradient over all weights of norm R, monomial by monomial.
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol

BLOCKS = ("V1", "M", "Gamma", "F", "W2", "V2")
NORM = {name: symbol(f"n_{name}", f"Frobenius norm of the block {name}", nonnegative=True) for name in BLOCKS}
"""The norms that the bounds read."""


_v1, _m, _gamma, _f, _w2, _v2 = (NORM[name] for name in BLOCKS)
HIDDEN = sp.sqrt(2) * _m * _v1 + _gamma
"""h: no row of hidden units is longer, as a token is no longer than √2."""

STREAM = 1 + _f * HIDDEN
"""g: no row that layer 2 reads is longer."""

CHANGE = _v2 + 2 * _v2 * STREAM**2 * _w2
"""c: how far the output moves per change of all rows that layer 2 reads, by value, by key and by query."""

GRADIENTS = {
    "W1": 2 * sp.sqrt(2) * CHANGE * _f * _m * _v1,
    "V1": sp.sqrt(2) * CHANGE * _f * _m,
    "M": sp.sqrt(2) * CHANGE * _f * _v1,
    "Gamma": CHANGE * _f,
    "F": CHANGE * HIDDEN,
    "W2": _v2 * STREAM**3,
    "V2": STREAM,
}
"""Bounds on the gradient by each block."""


RANGE = symbol("s_c", "root of the clip", positive=True)
error_1 = symbol("e_f", "absolute error of a network on one input", nonnegative=True)
error_2 = symbol("e_s", "absolute error of a second network on that input, no larger", nonnegative=True)
CLIPPED_CHANGE = sp.Min(error_1, RANGE) - sp.Min(error_2, RANGE)
"""The change of the root of min(loss, M) at one input."""
