"""Theorem 18: the Hessian of the network's output (Lintilhac & Shaikh 2026, Appendices J and K).

`H_U` is the printed bound on its operator norm, term by term; d is the width of the residual stream but one.
The rest is derived here. Where F writes into positional channels it moves layer 2's logits linearly, by h_tᵀ F w2,
so the output has second derivatives there: `rayleigh` bounds the operator norm from below by them, for the
tilings of `tiles`. `entries` holds one entry of each of seven blocks. The bound `H_STAR` on the whole Hessian for all
targets, and what it is made of, stand in `hessian_parts`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp

from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import IDEAL, KEYS, Kind, hidden_product, n_e, slope
from boundaudit.derivations.sharpness.hessian_parts import H_ONE_COLUMN as H_ONE_COLUMN
from boundaudit.derivations.sharpness.hessian_parts import H_STAR as H_STAR
from boundaudit.derivations.sharpness.hessian_parts import h_star_own as h_star_own
from boundaudit.derivations.sharpness.parameters import D, T, c, d, j, k, omega, u
from boundaudit.derivations.symbols import symbol

p_e = symbol("p_e", "layer 2's attention to even rows", nonnegative=True)

H_U_TERMS: tuple[sp.Expr, ...] = (
    8 * (D + 1),
    6 * (D + 1) * sp.sqrt(omega),
    2 * sp.sqrt(3 * T * (D + 1)),
    sp.sqrt(48 * T * (D + 1) * D),
    3 * sp.sqrt(T) * sp.sqrt(12 * (D + 1)) * D,
    (8 * sp.sqrt(2) + 2) * sp.sqrt(d * T) * D,
    8 * sp.sqrt(2) * d * D * sp.sqrt(omega),
    6 * sp.sqrt(2) * d ** sp.Rational(3, 2) * D,
)
"""The terms of H_u as printed."""

H_U = sp.Add(*H_U_TERMS)

H_U_ONE_HOT = sp.Add(*(term.subs(d, T + 2) for term in H_U_TERMS))
"""Without a projection, at d = T + 2 as in the printed numbers; d + 1 = T + 2 channels make a smaller bound."""

PARAMETERS = 3 * (d + 1) ** 2 + (d + 1) + (8 * d + 6) * (D + 1)
"""|Θ| as printed."""

# --- lower bounds ---------------------------------------------------------------------------------


@functools.cache
def rayleigh(kinds: tuple[Kind, ...]) -> sp.Expr:
    """A lower bound on ‖Hess f‖ from F's positional channels, for a tiling and its input, T ≥ 4.

    Along F = φ ⊗ w2, with φ the difference of an odd and an even row's hidden units, the logits move by
    e_t = φ·h_t times |w2|², and the second derivative of f is that of a mean under a tilted softmax,
    Σ a_t (v_t - f)(e_t - ē)².

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`.

    Returns:
        |w2|² Σ a (v - f)(e - ē)² / |φ|².
    """
    even_rows, odd_rows = kinds[:2]
    against = [hidden_product(kind, odd_rows) - hidden_product(kind, even_rows) for kind in kinds]
    e = [product - against[0] for product in against]
    g, first, second = (_mean(kinds, [kind.g * x**n for kind, x in zip(kinds, e, strict=True)]) for n in range(3))
    drift, square = (_mean(kinds, [x**n for x in e]) for n in (1, 2))
    # E (g - ḡ)(e - ē)², multiplied out: each kind then stands in few places.
    bent = second - 2 * drift * first + 2 * drift**2 * g - g * square
    return KEYS * SUM * bent / e[1]


def _mean(kinds: Sequence[Kind], values: Sequence[sp.Expr]) -> sp.Expr:
    """A mean under layer 2's attention."""
    return sp.Add(*(kind.mass * value for kind, value in zip(kinds, values, strict=True)))


EVEN_MASS = sp.Sum(c[j], (j, 1, n_e)) / SUM
"""Layer 2's attention to the even rows of the ideal network."""

SPREAD = (42 + (3 - u) ** 2 + (1 + u) ** 2) / (16 * D**2)
"""Squared distance of the hidden units of an odd and an even row: six units differ."""

SKEW = p_e * (1 - p_e) * (1 - 2 * p_e)
"""Third central moment of a bit with mean p_e."""


def ideal_quotient() -> sp.Expr:
    """`rayleigh` in the ideal network at equal coefficients, whose block has rank one for two kinds of rows.

    Returns:
        The block's norm, with a sign.
    """
    return equal(KEYS * SUM * SKEW.subs(p_e, EVEN_MASS) * SPREAD)


def equal(expression: sp.Expr) -> sp.Expr:
    """Equal coefficients of unit length.

    Args:
        expression: an expression in c.

    Returns:
        The same with every coefficient 1/√ω.
    """
    return expression.replace(lambda part: isinstance(part, sp.Sum) and part.has(sp.Indexed), _constant)


def _constant(total: sp.Sum) -> sp.Expr:
    """A sum over components, all of whose terms are alike."""
    ((_, low, high),) = total.limits
    return (high - low + 1) * total.function.replace(
        lambda part: isinstance(part, sp.Indexed), lambda _: 1 / sp.sqrt(omega)
    )


_HARDEST = {D: 1, omega: T}


GROWING = 3 * sp.sqrt(T) * T * sp.log(T) ** 2 * sp.Rational(9, 40)
"""`ideal_quotient` at D = 1, ω = T, steep, a fifth of the rows even: 0.675 T^(3/2) log²T."""


@functools.cache
def growing_by_rows() -> sp.Expr:
    """The same from the rows, for any number of even ones and both trapezoids.

    Returns:
        An expression in T, n_e and u.
    """
    return equal(rayleigh(IDEAL)).subs(_HARDEST)


@functools.cache
def h_u_growing() -> sp.Expr:
    """The printed bound in that family.

    Returns:
        An expression in T.
    """
    return H_U_ONE_HOT.subs(_HARDEST)


# --- entries --------------------------------------------------------------------------------------


@functools.cache
def entries(kinds: tuple[Kind, ...]) -> dict[str, sp.Expr]:
    """One entry of each of seven blocks for a tiling and its input: unit 1 of grid point 0, data and bit channels.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`; the unit is on in all their rows.

    Returns:
        Second derivatives by name of the block, none of them negative.
    """
    weight, offset = 4 * D / u, (1 + u) / (4 * D)
    seen = _mean(kinds, [kind.s for kind in kinds])
    return {
        "V1-M": SUM * weight * seen,
        "V1-F": SUM * seen,
        "M-F": SUM * seen,
        "M-V2": weight * seen,
        "Gamma-F": SUM,
        "Gamma-V2": weight,
        "F-V2": _mean(kinds, [kind.s + offset for kind in kinds]),
    }


def counted(kinds: tuple[Kind, ...]) -> sp.Expr:
    """A lower bound on the number of blocks that are not zero.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`.

    Returns:
        The sum of the seven entries, each cut at one.
    """
    return sp.Add(*(sp.Min(1, equal(entry), evaluate=False) for entry in entries(kinds).values()))


# --- a zero gradient and its derivatives ------------------------------------------------------------


@functools.cache
def scalar_gradient() -> sp.Expr:
    """∂f/∂v of f(v, m) = Σ_j F_j relu(m_j v b + Γ_j) at v = m = 1 and a grid point b = k/D.

    Returns:
        An expression in D, k and u.
    """
    return k / D * slope(k / D)


SCALAR_MIXED = k / D * 4 * D / u
"""∂²f/∂v∂m_1 there, for the first unit, which is on."""
