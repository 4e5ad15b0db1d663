"""Theorems 5 and 13: the Hessian of the squared loss (Lintilhac & Shaikh 2026, Appendix F).

With r = f_Θ - f, L = r² has Hess L = 2 ∇f_Θ ∇f_Θᵀ + 2 r Hess f_Θ at each input. Where r = 0 the matrix has rank one
and trace 2 |∇f_Θ|². At finite length r is not zero. `traces` holds the diagonal blocks of Hess f_Θ whose traces are
not zero, for tilings and their inputs; M, Gamma, V1 and V2 enter piecewise linearly, so that theirs are. For any
family of sets they are, with a the attention of layer 2, A that of layer 1, v = C g, and a bar for averages under it,

    W2  |x_out|² Σ a (v - f) |x - x̄|², x a row of X2
    F   |w2|² Σ a (v - f) |h - h̄|² + |h_out|² Σ a (v - f) (l - l̄)², h the hidden units and l the logits of a row
    W1  C Σ a g'(s) |x|² Σ_j A_j (z_j - s) |x_j - x̄|², x a token and s the average of bits,

each of them at most C/4, or 1/4, times the largest of what is averaged. Derived here from the construction.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp

from boundaudit.derivations.sharpness import gradients
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import INACTIVE, SECOND_TOTAL, SUM, C, lam
from boundaudit.derivations.sharpness.disjoint_supports import (
    FINITE,
    KEYS,
    LOGIT,
    MARKED,
    UNUSED,
    UNUSED_MEAN,
    Kind,
    hidden_product,
    n_e,
    slope,
)
from boundaudit.derivations.sharpness.gradients import G_U, G_U_SHARP
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, t, u
from boundaudit.derivations.symbols import symbol

p_lh = symbol("p_lh", "root of the sparsity", positive=True)
r_lh = symbol("r_lh", "root of the length", positive=True)
w_lh = symbol("w_lh", "fourth root of the length", positive=True)
r_0 = symbol("r_0", "error of the network at an input", real=True)
t_1 = symbol("t_1", "trace of the network's Hessian in its first block", real=True)
t_2 = symbol("t_2", "trace of the network's Hessian in its second block", real=True)
t_3 = symbol("t_3", "trace of the network's Hessian in its third block", real=True)
e_lh = symbol("e_lh", "unused rows over the squared length", nonnegative=True)
n_d = symbol("n_d", "number of a direction in the space of parameters", integer=True, nonnegative=True)
a_1 = symbol("a_1", "first weight of a product of two weights", real=True)
a_2 = symbol("a_2", "second weight of a product of two weights", real=True)
z_1 = symbol("z_1", "input of a product of two weights", real=True)
z_2 = symbol("z_2", "target of a product of two weights", real=True)

# --- a product of two weights ---------------------------------------------------------------------

_PRODUCT = a_1 * a_2 * z_1
OFF_DIAGONAL_BY_PARTS = 2 * (a_2 * z_1) * (a_1 * z_1) + 2 * (_PRODUCT - z_2) * z_1
"""2 ∂f ∂f + 2 r ∂²f."""


def off_diagonal() -> sp.Expr:
    """∂²L/∂a_1 ∂a_2 for the output a_1 a_2 z_1 and the target z_2, differentiated."""
    return sp.expand(sp.diff((_PRODUCT - z_2) ** 2, a_1, a_2))


# --- tilings --------------------------------------------------------------------------------------


@functools.cache
def traces(kinds: tuple[Kind, ...]) -> dict[str, sp.Expr]:
    """The traces of the diagonal blocks of Hess f_Θ for a tiling and its input, T ≥ 4.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`, whose rows lie off every kink.

    Returns:
        Expressions for W1, F and W2; those of the other blocks are zero.
    """
    f = gradients.output(kinds)
    away = [SUM * kind.g - f for kind in kinds]
    pulls = [kind.mass * far for kind, far in zip(kinds, away, strict=True)]
    return {"W1": _first_layer(kinds), "F": _written(kinds, away, pulls), "W2": _second_layer(kinds, f, away, pulls)}


def _first_layer(kinds: Sequence[Kind]) -> sp.Expr:
    """Unused rows alone sit on a flank of the MLP; the weights that a one reads count twice."""
    if UNUSED not in kinds:
        return sp.Integer(0)
    s, mass = UNUSED_MEAN, UNUSED.mass * (1 + MARKED / INACTIVE)
    return SUM * mass * slope(s) * s * (1 - s) * (1 - 2 * s)


def _written(kinds: Sequence[Kind], away: Sequence[sp.Expr], pulls: Sequence[sp.Expr]) -> sp.Expr:
    """F moves the keys of every row, and the query through the output position's row."""
    query = sp.Add(*(kind.pull * far for kind, far in zip(kinds, away, strict=True)))
    bent = sp.Add(*(square * far for square, far in zip(_squared_logits(kinds), away, strict=True)))
    turned = bent - 2 * query * sp.Add(*(kind.pull for kind in kinds))
    lengths = sp.Add(*(pull * hidden_product(kind, kind) for kind, pull in zip(kinds, pulls, strict=True)))
    crossed = [
        kind.mass * pull * hidden_product(kind, other)
        for kind in kinds
        for other, pull in zip(kinds, pulls, strict=True)
    ]
    return KEYS * (lengths - 2 * sp.Add(*crossed)) + turned * hidden_product(UNUSED, UNUSED)


def _squared_logits(kinds: Sequence[Kind]) -> tuple[sp.Expr, ...]:
    """Attention times squared logit, summed over the rows of each kind."""
    scale = T**2 / SECOND_TOTAL.subs(lam, 2) if kinds is FINITE else 1 / SUM
    even, odd = (scale * sp.Sum(c[t] * LOGIT**2, (t, *ends)) for ends in ((1, n_e), (n_e + 1, omega)))
    return (even, odd, sp.Integer(0))[: len(kinds)]


def _second_layer(kinds: Sequence[Kind], f: sp.Expr, away: Sequence[sp.Expr], pulls: Sequence[sp.Expr]) -> sp.Expr:
    """W2 moves every logit by the product of two channels."""
    values = sp.Add(*(pull * kind.g for kind, pull in zip(kinds, pulls, strict=True)))
    squares = sp.Add(*(pull * kind.g**2 for kind, pull in zip(kinds, pulls, strict=True)))
    spread = sp.Add(*(kind.squares * far for kind, far in zip(kinds, away, strict=True)))
    return (1 + UNUSED.g**2) * (squares - 2 * values * f / SUM - 2 * spread)


def residual(kinds: tuple[Kind, ...]) -> sp.Expr:
    """The error of the network.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`.

    Returns:
        f_Θ - f, where the target f is the sum of the first n_e coefficients.
    """
    return gradients.output(kinds) - sp.Sum(c[t], (t, 1, n_e))


def gauss_newton(kinds: tuple[Kind, ...]) -> sp.Expr:
    """The part of rank one.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`.

    Returns:
        2 |∇f_Θ|².
    """
    return 2 * sp.Add(*gradients.blocks(kinds).values())


def residual_part(kinds: tuple[Kind, ...]) -> sp.Expr:
    """The other part.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`.

    Returns:
        2 r tr Hess f_Θ.
    """
    return 2 * residual(kinds) * sp.Add(*traces(kinds).values())


PUBLISHED = 2 * G_U
"""The printed bound on the trace."""

REPAIRED = 2 * (G_U + omega * (omega + 4) * (D + 1) * sp.log(T) ** 2)
"""The same with what F writes into the positions' channels: keys, ω² (D+1) log²T, and the query, 4ω (D+1) log²T."""

# --- any family of sets ---------------------------------------------------------------------------

PRODUCT = sp.Abs(r_0 * (t_1 + t_2 + t_3))
PRODUCT_OF_SIZES = sp.Abs(r_0) * (sp.Abs(t_1) + sp.Abs(t_2) + sp.Abs(t_3))

LEAK_OF_SUM = C * INACTIVE / (C * T**2 + INACTIVE)
"""What the network errs by at most: C times the attention of unused rows."""

LEAK = SUM * INACTIVE / (SUM * T**2 + INACTIVE)
LEAKED = INACTIVE / T**2
"""A bound on it."""

NETWORK: dict[str, sp.Expr] = {
    "W1": 6 * D / u * LEAK,
    "F": SUM * sp.log(T) ** 2 * (omega * SPREAD + 4 * LENGTH),
    "W2": sp.Rational(3, 2) * SUM,
}
"""Bounds on the sizes of the traces of the diagonal blocks of Hess f, each C/4 times what is averaged at most."""

RESIDUAL = 2 * LEAK * sp.Add(*NETWORK.values())
"""A bound on the size of the residual part."""

_SQRT_SPARSITY = sp.sqrt(omega)


def _traces(units: sp.Expr, total: sp.Expr = _SQRT_SPARSITY, leak: sp.Expr = LEAKED) -> sp.Expr:
    """The sum of `NETWORK`, by what is put in place of log²T (ω R + 4H), of C and of the leak."""
    return total * (sp.Rational(3, 2) + units) + 6 * D / u * leak


def _residual(units: sp.Expr) -> sp.Expr:
    """The bound by `LEAKED`, by what is put in place of log²T (ω R + 4H)."""
    return 2 * LEAKED * _traces(units)


UNITS = omega * SPREAD + 4 * LENGTH
UNITS_SIMPLE = 4 * (D + 1) * (omega + 4)
ROOT = sp.Rational(9, 4) * sp.sqrt(T)
"""A bound on log²T."""

NETWORK_BY_UNITS = _traces(sp.log(T) ** 2 * UNITS, SUM, LEAK)
NETWORK_BY_SUM = _traces(sp.log(T) ** 2 * UNITS, SUM)
BY_UNITS = sp.Rational(3, 2) + sp.log(T) ** 2 * UNITS
"""The traces in W2 and F over C."""
RESIDUAL_SIMPLE = _residual(sp.log(T) ** 2 * UNITS)
RESIDUAL_BY_UNITS = _residual(sp.log(T) ** 2 * UNITS_SIMPLE)
RESIDUAL_BY_ROOT = _residual(ROOT * UNITS_SIMPLE)
RESIDUAL_BY_SPARSITY = 3 * LEAKED * _SQRT_SPARSITY + 45 * omega * (D + 1) + 12 * D / u * LEAKED**2
RESIDUAL_FREE = 48 * omega * (D + 1)
"""The same, free of the length."""

FOURTH_ROOT = sp.Pow(sp.sqrt(T), sp.S.Half, evaluate=False)
"""Of the length; its square is √T by itself."""

ROOTS = (p_lh**2 + 4) * (r_lh**2 + 1 - p_lh**2)
ROOTS_MOST = sp.Rational(5, 2) * p_lh * r_lh**3
"""(ω+4)(T+1-ω) ≤ 5/2 √ω T^(3/2), in p = √ω and r = √T."""

SMALL_TERMS = 3 * e_lh * p_lh + 12 * D / u * e_lh**2
SMALL_TERMS_MOST = 3 * p_lh**2 * (D + 1)

TRACE_SHARP = 2 * G_U_SHARP + RESIDUAL_SIMPLE
"""Gauss-Newton and residual part at finite length."""
