"""What the residual around the MLP carries: the network's output under four readings, for one component.

One sentence of the construction (Lintilhac & Shaikh 2026, Appendix B) leaves open what is
added to the MLP's output. Here S_1 = {1…D} has coefficient one, and the input has its ones
at 1…k and at D+1…D+n-k: by symmetry these stand for all inputs. Derived from the attention
weights T² : 1 inside and outside S_1 in layer 1, and T² : 1 on its row and on others in
layer 2; without positions in the stream the second attention is uniform.
"""

import sympy as sp

from boundaudit.derivations.sharpness.kinks import n_z
from boundaudit.derivations.sharpness.mlp import wave
from boundaudit.derivations.sharpness.parameters import D, T, even, k

ACTIVE = (k * T**2 + n_z - k) / (D * T**2 + T + 1 - D)
"""What layer 1 averages in the row of the component."""

INACTIVE = n_z / (T + 1)
"""What layer 1 averages in the T other rows."""

_first_bit = sp.Min(1, k)


def _read_by_positions(active: sp.Expr, others: sp.Expr) -> sp.Expr:
    """The output when layer 2 finds the rows: the value of the active row and the sum over the others."""
    return (T**2 * active + others) / (T**2 + T)


def _read_uniformly(active: sp.Expr, others: sp.Expr) -> sp.Expr:
    """The output when layer 2 attends to all rows alike."""
    return (active + others) / (T + 1)


def output(reading: str) -> sp.Expr:
    """The network's output.

    Args:
        reading: what the residual carries: positions, whole tokens, attention (its output) or none.

    Returns:
        The output at the input with k and n.
    """
    g, g_inactive = wave(D * ACTIVE), wave(D * INACTIVE)
    return {
        "positions": _read_by_positions(g, T * g_inactive),
        "tokens": _read_by_positions(g + _first_bit, T * g_inactive + n_z - _first_bit),
        "attention": _read_uniformly(g + ACTIVE, T * (g_inactive + INACTIVE)),
        "none": _read_uniformly(g, T * g_inactive),
    }[reading]


def error(reading: str) -> sp.Expr:
    """The distance from the target.

    Args:
        reading: what the residual carries, as in `output`.

    Returns:
        The error at the input with k and n.
    """
    return _distance(output(reading), k)


def _distance(output: sp.Expr, ones: sp.Expr) -> sp.Expr:
    """The distance from the target; SymPy would spend seconds on looking for factors to take out."""
    return sp.Abs(output - even(ones), evaluate=False)


LEAK = 1 / (T + 1)
"""What layer 2 leaks onto the T inactive rows, T/(T² + T): the error that the construction allows for."""
