"""Appendix D: the rescaling (M, Γ) → α(M, Γ), F → F/α, and inputs that leave a component silent.

With a = ‖M‖² + ‖Γ‖² and b = ‖F‖² the rescaled MLP has squared norm aα² + b/α²: least at
α⁴ = b/a, where it is 2√(ab). Derived here from the entries of the construction (Lintilhac &
Shaikh 2026, Appendix B).
"""

import sympy as sp

from boundaudit.derivations.sharpness.mlp import OFFSETS, ramp
from boundaudit.derivations.sharpness.norms import CLOSED, ENTRIES
from boundaudit.derivations.sharpness.parameters import D, T, even, i, s, u
from boundaudit.derivations.symbols import symbol

alpha = symbol("alpha", "factor of a rescaling of the MLP", positive=True)
a = symbol("a", "squared norm of the MLP's input weights and biases", positive=True)
b = symbol("b", "squared norm of the MLP's output weights", positive=True)
xi = symbol("xi", "input of a rectifier", real=True)
x = sp.Symbol("x", integer=True, nonnegative=True)

# --- the same function ----------------------------------------------------------------------------
_SIGNS = (1, -1, -1, 1)


def response(factor: sp.Expr) -> sp.Expr:
    """The rescaled MLP's output at s, unit by unit.

    Args:
        factor: Of the rescaling.

    Returns:
        A sum over the grid points.
    """
    quadruple = sum(
        sign * 4 * D / u * even(i) / factor * ramp(factor * (s - i / D - offset / (4 * D)))
        for sign, offset in zip(_SIGNS, OFFSETS, strict=True)
    )
    return sp.Sum(quadruple, (i, 0, D))


# --- norms ----------------------------------------------------------------------------------------

INNER_BY_ENTRIES = ENTRIES["M"] + ENTRIES["Gamma"]
OUTER_BY_ENTRIES = ENTRIES["F"]
INNER = CLOSED["M"] + CLOSED["Gamma"]
"""The construction's a."""
OUTER = CLOSED["F"]
"""Its b."""


def rescaled(inner: sp.Expr, outer: sp.Expr, factor: sp.Expr) -> sp.Expr:
    """The squared norm of the rescaled MLP.

    Args:
        inner: a.
        outer: b.
        factor: α.

    Returns:
        aα² + b/α².
    """
    return inner * factor**2 + outer / factor**2


OPTIMUM = 2 * sp.sqrt(a * b)


LEAST_RATIO = {1: sp.Rational(256, 53), 2: sp.Rational(32, 29)}
"""b/a at D = 1, by u: 64 against 53/4, and 16 against 29/2."""

# --- silent components ----------------------------------------------------------------------------


def silent_by_inputs() -> sp.Expr:
    """The share of inputs whose first D bits are zero, number by number: by symmetry that of any D positions.

    Returns:
        A sum over all inputs.
    """
    return sp.Sum(1 - sp.Min(1, sp.floor(x / 2 ** (T - D))), (x, 0, 2**T - 1)) / 2**T


SILENT = 2 ** (-D)
SILENT_PUBLISHED = 2 ** (-T)
