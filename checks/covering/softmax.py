"""How far a softmax, and what it pools, moves when its logits move: Corollary A.7 and the sharp form."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, by_columns, padded
from boundaudit.derivations.covering import softmax as theory
from boundaudit.derivations.covering.softmax import (
    A_pos,
    Y_pos,
    Z_pos,
    a_pos,
    delta_cov,
    r_pos,
    t_cov,
    t_pos,
    theta_cov,
    v_cov,
    w_cov,
)
from boundaudit.numeric.softmax import jacobian, shares

_claim = functools.partial(Claim, paper=COMPARATOR, place=("Corollary A.7",))
_UNIT = Reals(-1, 1)
_KEYS: dict[Any, Range] = {t_cov: Integers(1, tested_to=6), w_cov: Vector(t_cov, Reals(0, open_low=True))}
_MOVING: dict[Any, Range] = {**_KEYS, v_cov: Vector(t_cov, _UNIT), delta_cov: Reals(0, tested_to=20)}
_MOVES = Domain(_MOVING)


def _change(weights: Tensor, moves: Tensor, size: Tensor) -> Tensor:
    """softmax(u + δv) - softmax(u), from the exponentials of u; the common factor exp(δ) cancels."""
    before = shares(weights)
    return shares(before * torch.exp(size[:, None] * (moves - 1))) - before


_CHANGE = Quantity(
    "change of the weights", by_columns(lambda *at: _change(*at).abs().sum(-1), "w_cov", "v_cov", "delta_cov"),
    r"\|\mathrm{softmax}(u + \delta v) - \mathrm{softmax}(u)\|_1", rounding=1e-12, scale=2.0,
    of=("w_cov", "v_cov", "delta_cov"),
)  # fmt: skip

entries = _claim(
    label="covering.softmax.jacobian",
    statement="The moduli of the entries of a softmax's Jacobian diag(p) - p pᵀ add up to at most two, whatever the "
    "number of positions.",
    role="printed",
    left=Quantity(
        "absolute sum of the Jacobian's entries",
        by_columns(lambda weights: jacobian(shares(weights)).abs().sum((-2, -1)), "w_cov"),
        r"\sum_{ij} |J_{ij}|", theory.ENTRIES, rounding=1e-12, scale=1.0,
    ),
    right=sp.Integer(2),
    domain=Domain(_KEYS),
    place=("Lemma A.6",),
    reading="plausible",
    expected="proved",
    limitations=("It is 2(1 - Σp²), approached by many equal weights and never attained.",),
)  # fmt: skip

printed = _claim(
    label="covering.softmax.published",
    statement="When no logit of a softmax moves by more than δ, its weights move by at most 2δ in ‖·‖₁, whatever the "
    "number of positions. The most that they can move is 2 tanh(δ/2).",
    role="printed",
    left=theory.SHARP,
    right=theory.PUBLISHED,
    domain=Domain({delta_cov: Reals(0)}),
    rests_on=(entries.label, "covering.softmax.sharp"),
    expected="proved",
    reading="plausible",
)

_POSITIVE = Reals(0, open_low=True)
_SETS = Domain(
    {r_pos: Reals(0), Y_pos: _POSITIVE, Z_pos: _POSITIVE, A_pos: Reals(0, Y_pos), a_pos: Reals(0, Z_pos)},
    where=[A_pos <= (1 + r_pos) * a_pos, Z_pos - a_pos <= (1 + r_pos) * (Y_pos - A_pos)],
)
_QUARTER = {"r_pos": 2, "Y_pos": 4, "Z_pos": 4, "A_pos": 3, "a_pos": 1}

a_set = _claim(
    label="covering.softmax.set",
    statement="A set of a softmax's positions whose mass grows by at most e^δ, while that of the others falls by at "
    "most as much, gains at most tanh(δ/2) of the weight; in r = e^δ - 1.",
    left=theory.GAIN,
    right=theory.SET_BOUND,
    domain=_SETS,
    kind="Tight",
    equality=(_QUARTER,),
    expected="proved",
    derivation=Derivation(
        label="covering.softmax.set.steps",
        title="What a set of positions gains",
        steps=(
            Step(theory.GAIN, "gain"),
            Step(theory.MOST_GAIN, "all of it rises, all else falls", "a share grows with its mass"),
            Step(theory.SET_BOUND, "tanh(δ/2)", "a square is not negative"),
        ),
        domain=_SETS,
        samples={"a quarter, δ = log 3": _QUARTER},
        paper=COMPARATOR,
        place=("Corollary A.7",),
    ),
)


def _gains(points: Sequence[Point], device: str) -> Array:
    """One for every position whose weight grows."""
    del device
    found = []
    for at in (Columns([point], "cpu") for point in points):
        change = _change(at.real("w_cov"), at.real("v_cov"), at.real("delta_cov"))
        found.append((change[0] > 0).to(torch.float64).numpy())
    return padded(found)


_GAINS = Family("positions that gain", _gains, r"\chi", t_cov, Reals(0, 1))


def _after(t: Any) -> Any:
    """By what the logit of a position moves."""
    return delta_cov * v_cov[t]


def _before(t: Any) -> Any:
    """Nothing has moved."""
    del t
    return sp.S.Zero


_INSIDE, _ALL = theory.mass(lambda t: _GAINS[t], _after), theory.mass(lambda _: 1, _after)
_INSIDE_BEFORE, _ALL_BEFORE = theory.mass(lambda t: _GAINS[t], _before), theory.mass(lambda _: 1, _before)
_OF_SETS = 2 * (_INSIDE / _ALL - _INSIDE_BEFORE / _ALL_BEFORE)

both = _claim(
    label="covering.softmax.both",
    statement="Weights add up to one: what the positions that gain have gained the others have lost.",
    role="axiom",
    left=_CHANGE,
    relation="=",
    right=_OF_SETS,
    domain=_MOVES,
)

_RISES = "covering.chaining.rises"

sharp = _claim(
    label="covering.softmax.sharp",
    statement="When no logit of a softmax moves by more than δ, its weights move by at most 2 tanh(δ/2) in ‖·‖₁, for "
    "any number of positions. From two positions on this is attained.",
    left=_CHANGE,
    right=theory.SHARP,
    domain=_MOVES,
    improves=printed.label,
    expected="proved",
    derivation=Derivation(
        label="covering.softmax.sharp.steps",
        title="How far the weights of a softmax move",
        steps=(
            Step(_CHANGE, "change in ‖·‖₁"),
            Step(_OF_SETS, "twice what is gained", "weights add up to one", both.label),
            Step(theory.SHARP, "2 tanh(δ/2)", "one set rises, the other falls", (
                Instance(_RISES, {"L_cha": _after(t_pos), "b_cha": delta_cov}, over=theory.POSITIONS,
                         weight=_GAINS[t_pos] * w_cov[t_pos]),
                Instance(_RISES, {"L_cha": 0, "b_cha": delta_cov + _after(t_pos)}, over=theory.POSITIONS,
                         weight=(1 - _GAINS[t_pos]) * w_cov[t_pos]),
                Instance("sharpness.averages.mean", {"n_av": t_cov, "a_av": w_cov, "g_av": _GAINS}),
                Instance("sharpness.averages.mean", {
                    "n_av": t_cov, "a_av": lambda t: w_cov[t] * sp.exp(_after(t)), "g_av": _GAINS,
                }),
                Instance(a_set.label, {r_pos: sp.exp(delta_cov) - 1, Y_pos: _ALL, Z_pos: _ALL_BEFORE, A_pos: _INSIDE,
                                       a_pos: _INSIDE_BEFORE}),
            )),
        ),
        domain=_MOVES,
        samples={"three positions": {"t_cov": 3, "w_cov": (1, 2, 3), "v_cov": (1, -1, 0.5), "delta_cov": 1}},
        paper=COMPARATOR,
        place=("Corollary A.7",),
    ),
)  # fmt: skip


def _pooled(weights: Tensor, moves: Tensor, size: Tensor, angles: Tensor) -> Tensor:
    """‖Xᵀ(p' - p)‖₂ for tokens on the unit circle."""
    tokens = torch.stack([torch.cos(angles), torch.sin(angles)], dim=-1)
    pooled_change: Tensor = (_change(weights, moves, size)[:, None, :] @ tokens)[:, 0].norm(dim=-1)
    return pooled_change


_POOLED = Quantity(
    "change of the pooled token", by_columns(_pooled, "w_cov", "v_cov", "delta_cov", "theta_cov"),
    r"\|X^\top (p' - p)\|_2", scale=2.0,
)  # fmt: skip
_HEADS = Domain({**_MOVING, theta_cov: Vector(t_cov, Reals(tested_to=4))})

weighted = _claim(
    label="covering.softmax.weighted",
    statement="A sum of tokens of length at most one with weights is at most as long as the weights' moduli add up to: "
    "the triangle inequality.",
    role="axiom",
    left=_POOLED,
    right=_CHANGE,
    domain=_HEADS,
)

pooled = _claim(
    label="covering.softmax.pooled",
    statement="When no score of an attention head moves by more than δ, the mean that it pools of tokens of length at "
    "most one moves by at most 2 tanh(δ/2), whatever the number of tokens; tokens on a circle.",
    left=_POOLED,
    right=theory.SHARP,
    domain=_HEADS,
    expected="proved",
    derivation=Derivation(
        label="covering.softmax.pooled.steps",
        title="How far a pooled token moves",
        steps=(
            Step(_POOLED, "change of the pooled token"),
            Step(_CHANGE, "change of the weights", "triangle inequality", weighted.label),
            Step(theory.SHARP, "2 tanh(δ/2)", "", sharp.label),
        ),
        domain=_HEADS,
        samples={
            "three tokens": {
                "t_cov": 3, "w_cov": (1, 2, 3), "v_cov": (1, -1, 0.5), "delta_cov": 1, "theta_cov": (0, 3, 1),
            },
        },
        paper=COMPARATOR,
        place=("Corollary A.7",),
    ),
)  # fmt: skip

PROVED = (a_set, sharp, pooled)
proofs = tuple(stated.derivation for stated in PROVED)
