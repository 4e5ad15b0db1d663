"""Theorem 14: the squared norm of the output's gradient, block by block (Lintilhac & Shaikh 2026, Appendix F).

`PUBLISHED` holds the terms whose sum is the printed G_u. `blocks` sums the squared gradient for tilings and their
inputs, kind of row by kind of row; derived here from the construction. `SHARP`, `UPSTREAM` and what follows them can
stand in place of the printed terms, for every family of components and every input. With a the attention of layer 2,
g the MLP's outputs, m = Σ a g, v = C g the values, l the logits of layer 2, h the hidden units of an average s of bits,
β = C a g'(s) and κ_j = A1_j (z_j - s), the squared gradients are

    V2     Σ a² + m²
    W2     (1 + g_out²) C² (Σ a² (g - m)² + Var_a(g)²)
    F      C² |Σ a h|² + |w2|² C² |Σ a (g - m) h|² + C² (Σ a (g - m) l)² |h_out|²
    Gamma  C² Σ_j F_j² (Σ a [unit j on])², and M with a factor s in the inner sum
    V1     |Σ β A1|² + (Σ β s)²
    W1     |Σ β κ x'|².

See `averages` for what bounds them: m (1 - m) ≤ 1/4 and P = Σ a (g - m)₊ ≤ m (1 - m), half of Σ a |g - m|.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import sympy as sp

from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.disjoint_supports import (
    KEYS,
    MARKED,
    UNUSED,
    UNUSED_MEAN,
    Kind,
    gated_product,
    hidden_product,
    slope,
)
from boundaudit.derivations.sharpness.mlp import OFFSETS, ramp
from boundaudit.derivations.sharpness.parameters import D, T, even, i, omega, u

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

LIVE = 32 * D**2 * (D + 1) / u**2
"""Σ F_j² over the units that are on at s = 1: what M and Gamma owe to the output weights."""


def live_by_units() -> sp.Expr:
    """The same, unit by unit: at the last grid point, where s = 1, the last two of four are off.

    Returns:
        A sum over the grid points.
    """
    grid = sp.Sum(sum(_weight(i) ** 2 * _on_at_one(i, offset) for offset in OFFSETS), (i, 0, D - 1))
    return grid + sum(_weight(D) ** 2 * _on_at_one(D, offset) for offset in OFFSETS)


def _weight(n: sp.Expr) -> sp.Expr:
    return 4 * D / u * even(n)


def _on_at_one(n: sp.Expr, offset: sp.Expr) -> sp.Expr:
    """1 where 1 - n/D - o/(4D) is positive, and 0 where it is not."""
    return sp.sign(ramp(4 * (D - n) - offset))


_LOG = sp.log(T) ** 2
_SQUARE = SUM**2

SHARP: dict[str, sp.Expr] = {
    "M": _SQUARE * LIVE,
    "Gamma": _SQUARE * LIVE,
    "F": _SQUARE * (LENGTH * (1 + _LOG) + SPREAD * KEYS / 16),
    "W2": sp.Rational(3, 8) * _SQUARE,
    "V2": sp.Integer(2),
}
"""For every family and input, at finite length and in the ideal network, where all but F's are attained."""


def upstream(total: sp.Expr) -> dict[str, sp.Expr]:
    """What reaches layer 1 at finite length, through unused rows on flanks of slope 4D/u.

    Args:
        total: The sum of the coefficients.

    Returns:
        Bounds for W1 and V1.
    """
    flank = 4 * D / u * total / (total * T**2 + INACTIVE)
    return {
        "W1": flank**2 * INACTIVE * (INACTIVE + 1) * (sp.Rational(1, 16) + 1 / (4 * (T + 1))),
        "V1": flank**2 * INACTIVE**2 * (1 + 1 / (T + 1)),
    }


UPSTREAM = upstream(SUM)
UPSTREAM_SIMPLE = 22 * D**2 / (u**2 * T**2)
"""A bound on their sum, from T = 4 on."""

F_SHARP = omega * (LENGTH * (1 + _LOG) + omega * SPREAD * _LOG / 4)
"""F's bound in T, D, ω and u alone: C² ≤ ω and |w2|² ≤ 4 ω log²T."""

F_GROWTH = (LENGTH + omega * SPREAD / 4) * _LOG
"""Its part that grows with T, over ω."""

F_REPAIRED = omega * (D + 1) * (4 + (omega + 4) * _LOG)
"""A simpler one."""

OTHERS_SHARP = 2 + omega * (sp.Rational(3, 8) + 2 * LIVE) + UPSTREAM_SIMPLE
"""A bound on all blocks but F."""

OTHERS = 4 + 4 * omega * (1 + 32 * D**2 + 32 * D**3)
"""The printed bound on them."""

G_U_SHARP = OTHERS_SHARP + F_SHARP
"""A bound on |∇f|², block by block."""

G_U_REPAIRED = OTHERS + F_REPAIRED
"""The printed bound with a term for all columns of F."""

SLACK = 62 * D**2 * (D + 1) * (2 - 1 / u**2)
"""What dead hidden units leave of the printed bound, over ω."""


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
