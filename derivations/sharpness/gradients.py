"""Theorem 14: the squared norm of the output's gradient, block by block (Lintilhac & Shaikh 2026, Appendix F).

`PUBLISHED` holds the terms whose sum is the printed G_u. `blocks` sums the squared gradient for tilings and their
inputs, kind of row by kind of row; derived here from the construction. `SHARP` and what follows it can stand in place
of the printed terms: with a the attention of layer 2, v its values C g and l its logits, F's gradient is

    C² |Σ a h|² + |w2|² |Cov_a(v, h)|² + Cov_a(v, l)² |h_out|²,

and Cov_a(v, h_j)² ≤ Var_a(v) Var_a(h_j) ≤ C²/4 · h_max²/4, |l| ≤ 2 log T for coefficients from T⁻⁴ to 1.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import sympy as sp

from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.disjoint_supports import (
    IDEAL,
    KEYS,
    MARKED,
    UNUSED,
    UNUSED_MEAN,
    Kind,
    gated_product,
    hidden_product,
    n_e,
    n_r,
    slope,
)
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u

PUBLISHED: dict[str, sp.Expr] = {
    "W1": sp.Integer(0),
    "V1": sp.Integer(0),
    "M": 64 * omega * D**2 * (D + 1),
    "Gamma": 64 * omega * D**2 * (D + 1),
    "F": 4 * omega * (D + 1),
    "W2": 4 * omega,
    "V2": sp.Integer(4),
}
"""The terms of the printed bound."""

G_U = 4 + 4 * omega * (2 + D + 32 * D**2 + 32 * D**3)
"""The printed bound on |∇f|²."""

LIVE = 64 * D**2 * (sp.floor(D / 2) + 1) / u**2
"""‖F‖²: what the bounds on M and Gamma owe to the output weights, dead units left out."""

SHARP: dict[str, sp.Expr] = {
    "M": SUM**2 * LIVE,
    "Gamma": SUM**2 * LIVE,
    "W2": sp.Rational(3, 8) * SUM**2,
    "V2": sp.Integer(2),
}
"""Bounds that are attained, for both trapezoids."""

_FLANK = 4 * D / u * SUM / (SUM * T**2 + INACTIVE)

UPSTREAM: dict[str, sp.Expr] = {
    "W1": _FLANK**2 * INACTIVE * (INACTIVE + 1) * (sp.Rational(1, 16) + 1 / (4 * (T + 1))),
    "V1": _FLANK**2 * INACTIVE**2 * (1 + 1 / (T + 1)),
}
"""What reaches layer 1 at finite length, through unused rows on flanks of slope 4D/u."""

F_BY_PARTS = 4 * (D + 1) * SUM**2 * (1 + KEYS / 16 + sp.log(T) ** 2)
"""A bound on F's gradient: values, keys and query, in this order."""

F_REPAIRED = omega * (D + 1) * (4 + (omega + 4) * sp.log(T) ** 2)
"""The same in T, D and ω alone."""

G_U_REPAIRED = G_U - PUBLISHED["F"] + F_REPAIRED
"""The printed bound with the repaired term of F."""

G_U_SHARP = omega * (4 + 2 * LIVE + F_REPAIRED / omega)
"""A bound on |∇f|² whose largest terms are attained."""


def output(kinds: Sequence[Kind]) -> sp.Expr:
    """The network's output f.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`.

    Returns:
        C Σ a g.
    """
    return SUM * sp.Add(*(kind.mass * kind.g for kind in kinds))


@functools.cache
def blocks(kinds: tuple[Kind, ...]) -> dict[str, sp.Expr]:
    """The squared gradient of each block for a tiling and its input, T ≥ 4.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`, whose rows lie off every kink.

    Returns:
        An expression for each block.
    """
    f = output(kinds)
    away = [SUM * kind.g - f for kind in kinds]
    mass = [kind.mass for kind in kinds]
    pulls = [a * far for a, far in zip(mass, away, strict=True)]
    shares = [a * kind.s for a, kind in zip(mass, kinds, strict=True)]
    values = sp.Add(*(pull * kind.g for pull, kind in zip(pulls, kinds, strict=True)))
    squares = sp.Add(*(kind.squares * far**2 for kind, far in zip(kinds, away, strict=True)))
    return {
        **_upstream(kinds),
        "M": SUM**2 * _form(kinds, shares, gated_product),
        "Gamma": SUM**2 * _form(kinds, mass, gated_product),
        "F": sp.Add(*output_weights(kinds).values()),
        "W2": (1 + UNUSED.g**2) * (squares + values**2),
        "V2": sp.Add(*(kind.squares for kind in kinds)) + (f / SUM) ** 2,
    }


@functools.cache
def output_weights(kinds: tuple[Kind, ...]) -> dict[str, sp.Expr]:
    """The squared gradient of F by what its columns write, for a tiling and its input, T ≥ 4.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`, whose rows lie off every kink.

    Returns:
        "values" for the last column, "keys" for those of positions and "query" for that of the output position.
    """
    f = output(kinds)
    mass = [kind.mass for kind in kinds]
    away = [SUM * kind.g - f for kind in kinds]
    query = sp.Add(*(kind.pull * far for kind, far in zip(kinds, away, strict=True)))
    pulls = [a * far for a, far in zip(mass, away, strict=True)]
    return {
        "values": SUM**2 * _form(kinds, mass, hidden_product),
        "keys": KEYS * _form(kinds, pulls, hidden_product),
        "query": query**2 * hidden_product(UNUSED, UNUSED),
    }


def one_column(kinds: tuple[Kind, ...]) -> sp.Expr:
    """The squared gradient where F's data column alone counts as parameters, for a tiling and its input, T ≥ 4.

    Args:
        kinds: `disjoint_supports.FINITE` or `disjoint_supports.IDEAL`, whose rows lie off every kink.

    Returns:
        The sum of the blocks, with F's values in place of F.
    """
    return sp.Add(*(blocks(kinds) | {"F": output_weights(kinds)["values"]}).values())


def four_bits() -> sp.Expr:
    """F's squared gradient in the ideal steep network for four bits with coefficients 1/2, two of them set.

    Returns:
        An expression in T.
    """
    sizes = {D: 1, omega: 4, u: 1, n_e: 2, n_r: 0}
    parts = [part.subs(sizes).doit() for part in output_weights(IDEAL).values()]
    return sp.Add(*parts).replace(lambda part: isinstance(part, sp.Indexed) and part.base == c, lambda _: sp.S.Half)


def _form(kinds: Sequence[Kind], factors: Sequence[sp.Expr], product: Callable[[Kind, Kind], sp.Expr]) -> sp.Expr:
    """The squared norm of a sum of rows with factors, from their inner products."""
    pairs = [
        (1 if n == m else 2) * factors[n] * factors[m] * product(kinds[n], kinds[m])
        for n in range(len(kinds))
        for m in range(n + 1)
    ]
    return sp.Add(*pairs)


def _upstream(kinds: Sequence[Kind]) -> dict[str, sp.Expr]:
    """W1 and V1, which the unused rows alone reach: on the plateaus of active rows the MLP is flat."""
    if UNUSED not in kinds:
        return {"W1": sp.Integer(0), "V1": sp.Integer(0)}
    s = UNUSED_MEAN
    worth = SUM * UNUSED.mass * slope(s)
    spread = s * (1 - s) / (T + 1) + (s * (1 - s)) ** 2
    return {
        "W1": (worth / INACTIVE) ** 2 * spread * (INACTIVE + MARKED**2),
        "V1": worth**2 * (1 / (T + 1) + s**2),
    }
