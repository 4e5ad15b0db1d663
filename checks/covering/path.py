"""How far a pooled token moves: its slope all along a way on which tokens and scores change at once."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.covering import COMPARATOR
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.derivations.covering import path as theory
from boundaudit.derivations.covering.path import (
    S_mov,
    b_mov,
    c_mov,
    d_mov,
    e_mov,
    g_mov,
    h_mov,
    h_one,
    k_mov,
    k_one,
    m_mov,
    n_mov,
    o_mov,
    q_mov,
    r_mov,
    r_one,
    s_mov,
    t_mov,
    v_mov,
    w_mov,
    x_mov,
    z_mov,
)
from boundaudit.derivations.covering.symbols import B_cov

_PLACE = ("Layer Lipschitz constant",)
_lemma = functools.partial(Claim, paper=COMPARATOR, place=_PLACE, expected="proved")
_REAL, _UNIT, _MORE, _POSITIVE = Reals(tested_to=4), Reals(-1, 1), Reals(0, tested_to=4), Reals(0, open_low=True)

# --- of numbers ----------------------------------------------------------------------------------------

token = _lemma(
    label="covering.path.token",
    statement="What one token gives to the slope of a pooled token is at most the mean of squares that 2xy ≤ S x² + "
    "y²/S makes of its products, for any S > 0.",
    left=theory.pulled(x_mov, h_one, r_one, k_one),
    right=theory.pulled_most(S_mov, x_mov, m_mov),
    domain=Domain({
        S_mov: Reals(0, open_low=True, tested_to=4), d_mov: _MORE, e_mov: _MORE, v_mov: _REAL, o_mov: _REAL,
        x_mov: _REAL, h_one: _REAL, r_one: _REAL, k_one: _UNIT, m_mov: Reals(h_one**2 + r_one**2),
    }),
)  # fmt: skip

excess = _lemma(
    label="covering.path.excess",
    statement="What a number of at least one exceeds one by, b times, is at most as much z ≥ b times.",
    left=b_mov * (m_mov - 1),
    right=z_mov * (m_mov - 1),
    domain=Domain({b_mov: _MORE, z_mov: Reals(b_mov), m_mov: Reals(1)}),
)

square = _lemma(
    label="covering.path.square",
    statement="A square, b ≥ 0 times, is not negative.",
    left=sp.S.Zero,
    right=b_mov * x_mov**2,
    domain=Domain({b_mov: _MORE, x_mov: _REAL}),
)

raised = _lemma(
    label="covering.path.raised",
    statement="A number is at most the larger of itself and one.",
    left=x_mov,
    right=sp.Max(x_mov, 1),
    domain=Domain({x_mov: _REAL}),
)

larger = _lemma(
    label="covering.path.larger",
    statement="What is at least a number and at least one is at least the larger of the two.",
    left=sp.Max(x_mov, 1),
    right=m_mov,
    domain=Domain({x_mov: _REAL, m_mov: Reals(1)}, where=[x_mov <= m_mov]),
)

between = _lemma(
    label="covering.path.between",
    statement="Between c of size at most one and c + x the square is at most that share of the ends' squares, the "
    "first taken for one.",
    left=(c_mov + s_mov * x_mov) ** 2,
    right=1 - s_mov + s_mov * m_mov,
    domain=Domain({c_mov: _UNIT, x_mov: _REAL, s_mov: Reals(0, 1), m_mov: Reals((c_mov + x_mov) ** 2)}),
)


def _proved(
    label: str, statement: str, domain: Domain, sample: tuple[str, Point], *steps: Step, limitations: Any = ()
) -> Claim:
    """A claim from the first step to the last, with its proof."""
    chain = Derivation(
        label=f"{label}.steps", title=statement, steps=steps, domain=domain, samples=dict([sample]), paper=COMPARATOR,
        place=_PLACE,
    )  # fmt: skip
    first, last = steps[0].value, steps[-1].value
    return _lemma(
        label=label, statement=statement, left=first, right=last, domain=domain, derivation=chain,
        limitations=limitations,
    )  # fmt: skip


_LAST = sp.Max((c_mov + x_mov) ** 2, 1)

inside = _proved(
    "covering.path.inside", "What is in the unit ball at both ends is so on the way.",
    Domain({c_mov: _UNIT, x_mov: _REAL, s_mov: Reals(0, 1)}), ("half", {"c_mov": 1, "x_mov": -1, "s_mov": 0.5}),
    Step(sp.Max((c_mov + s_mov * x_mov) ** 2, 1), "on the way"),
    Step(1 - s_mov + s_mov * _LAST, "share of the ends", "squares are convex", (
        Instance(between.label, {m_mov: _LAST}),
        Instance(larger.label, {x_mov: (c_mov + s_mov * x_mov) ** 2, m_mov: 1 - s_mov + s_mov * _LAST}),
    )),
)  # fmt: skip

# --- the slope ---------------------------------------------------------------------------------------

_NEAR = Reals(tested_to=1)
_NUMBERS: dict[Any, Range] = {
    B_cov: _MORE, v_mov: _NEAR, o_mov: _NEAR, d_mov: Reals(0, tested_to=1), e_mov: _MORE,
}  # fmt: skip
_MOTIONS: dict[Any, Range] = {
    h_mov: Vector(n_mov, _UNIT), r_mov: Vector(n_mov, _UNIT), k_mov: Vector(n_mov, _UNIT), **_NUMBERS,
}  # fmt: skip
_COUNT = {n_mov: Integers(1, tested_to=4)}
_QUERY, _LENGTHS = v_mov**2 + o_mov**2 <= B_cov**2, theory.LEMMA.lengths <= n_mov
_SLOPES = Domain(
    {**_COUNT, q_mov: Vector(n_mov, _POSITIVE), g_mov: Vector(n_mov, _NEAR), **_MOTIONS},
    where=[_QUERY, _LENGTHS, theory.total(theory.reach) <= n_mov],
)
_TURNING: Point = {
    "n_mov": 2, "g_mov": (1, -1), "h_mov": (0.5, 0.5), "r_mov": (0.5, -0.5), "k_mov": (1, -1), "B_cov": 1, "v_mov": 0,
    "o_mov": 1, "d_mov": 0, "e_mov": 0.5,
}  # fmt: skip

spread = _proved(
    "covering.path.spread", "Numbers in [-1, 1] have a variance of at most one, under any weights.", _SLOPES,
    ("two tokens", {**_TURNING, "q_mov": (1, 1)}),
    Step(theory.SPREAD, "variance"),
    Step(theory.SPREAD_OPEN, "mean square less squared mean"),
    Step(theory.REACH, "squares, at least one each", "a square is not negative",
         Instance(raised.label, {x_mov: g_mov[t_mov] ** 2}, over=theory.TOKENS, weight=q_mov[t_mov])),
    Step(sp.S.One, "one", "none is more", Instance(
        excess.label, {b_mov: q_mov[t_mov], z_mov: theory.WHOLE, m_mov: theory.reach(t_mov)}, over=theory.TOKENS)),
)  # fmt: skip

slope = _proved(
    "covering.path.slope", "As tokens in the unit ball move at speed δ and scores change by the query's turn at speed "
    "Δ, their mean moves at a speed of at most δ √(1 + B²) + Δ, where the query has length at most B.", _SLOPES,
    ("two tokens", {**_TURNING, "q_mov": (1, 1)}),
    Step(theory.SLOPE, "slope of the mean"),
    Step(theory.BY_TOKENS, "token by token", "numbers less their mean"),
    Step(theory.BY_SQUARES, "squares", "2xy ≤ S x² + y²/S", Instance(
        token.label, {S_mov: theory.STEEPEST, x_mov: theory.apart(t_mov), h_one: h_mov[t_mov], r_one: r_mov[t_mov],
                      k_one: k_mov[t_mov], m_mov: theory.length(t_mov)}, over=theory.TOKENS, weight=q_mov[t_mov])),
    Step(theory.BY_SPREAD, "variance", "no token moves farther", Instance(
        excess.label, {b_mov: q_mov[t_mov], z_mov: theory.WHOLE, m_mov: theory.length(t_mov)}, over=theory.TOKENS)),
    Step(theory.MOST, "δ √(1 + B²) + Δ", "a variance of at most one", (
        spread.label,
        Instance(square.label, {b_mov: q_mov[t_mov], x_mov: theory.apart(t_mov)}, over=theory.TOKENS),
    )),
)  # fmt: skip

# --- the way -----------------------------------------------------------------------------------------

_WAYS: dict[Any, Range] = {
    **_COUNT, w_mov: Vector(n_mov, _POSITIVE), g_mov: Vector(n_mov, _UNIT), **_MOTIONS,
}  # fmt: skip
_ENDS = [_QUERY, _LENGTHS, theory.LEMMA.reached <= n_mov]
_ON_THE_WAY, _WAY = Domain({**_WAYS, s_mov: Reals(0, 1)}, where=_ENDS), Domain(_WAYS, where=_ENDS)

moving = _proved(
    "covering.path.moving", "At every place of the way the mean moves at a speed of at most δ √(1 + B²) + Δ.",
    _ON_THE_WAY, ("half of the way", {**_TURNING, "w_mov": (1, 1), "s_mov": 0.5}),
    Step(theory.MOVING, "slope of the mean"),
    Step(theory.MOST, "δ √(1 + B²) + Δ", "at these weights and places", (
        Instance(inside.label, {c_mov: g_mov[t_mov], x_mov: d_mov * h_mov[t_mov]}, over=theory.TOKENS),
        Instance(slope.label, {q_mov: theory.weight, g_mov: theory.place}),
    )),
)  # fmt: skip

whole = _proved(
    "covering.path.whole", "Let tokens in the unit ball move by at most δ, and let the query turn, so that the scores "
    "of the moved tokens change by at most Δ. The mean that attention pools moves along any direction by at most δ "
    "√(1 + B²) + Δ, where the query at first has length at most B, whatever the number of tokens.", _WAY,
    ("two tokens", {**_TURNING, "w_mov": (1, 2)}),
    Step(theory.LEMMA.after, "mean at last"),
    Step(theory.LEMMA.before + theory.MOST, "mean at first, and δ √(1 + B²) + Δ", "the mean value theorem",
         Instance(moving.label, along=(s_mov, 0, 1), function=theory.MEAN - s_mov * theory.MOST)),
)  # fmt: skip

PROVED = (inside, spread, slope, moving, whole)
proofs = tuple(stated.derivation for stated in PROVED)
