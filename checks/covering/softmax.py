"""How far a softmax, and what it pools, moves when its logits move: Corollary A.7 and the sharp form."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.measurements import by_columns
from boundaudit.derivations.covering import softmax as theory
from boundaudit.derivations.covering.softmax import delta_cov, o_cov, t_cov, theta_cov, v_cov, w_cov, x_cov
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
)  # fmt: skip

entries = _claim(
    label="covering.softmax.jacobian",
    statement="The entries of a softmax's Jacobian diag(p) - p pᵀ have absolute sum at most two, whatever the number "
    "of positions.",
    role="printed",
    left=Quantity(
        "absolute sum of the Jacobian's entries",
        by_columns(lambda weights: jacobian(shares(weights)).abs().sum((-2, -1)), "w_cov"),
        r"\sum_{ij} |J_{ij}|", scale=1.0,
    ),
    right=sp.Integer(2),
    domain=Domain(_KEYS),
    place=("Lemma A.6",),
    reading="plausible",
    limitations=("It is 2(1 - Σp²), approached by many equal weights and never attained.",),
)  # fmt: skip

printed = _claim(
    label="covering.softmax.published",
    statement="When no logit of a softmax moves by more than δ, its weights move by at most 2δ in ‖·‖₁, whatever the "
    "number of positions; the most that they can move is 2 tanh(δ/2).",
    role="printed",
    left=theory.SHARP,
    right=theory.PUBLISHED,
    domain=Domain({delta_cov: Reals(0)}),
    rests_on=(entries.label, "covering.softmax.sharp"),
    expected="proved",
    reading="plausible",
)

a_set = _claim(
    label="covering.softmax.set",
    statement="A set of a softmax's positions with odds o > 0 whose logits rise by δ while all others fall by δ gains "
    "at most tanh(δ/2) of the weight; stated doubled in x = exp(δ) ≥ 1, with equality at o = 1/x.",
    left=theory.SET_CHANGE,
    right=theory.SET_BOUND,
    domain=Domain({o_cov: Reals(0, open_low=True), x_cov: Reals(1)}),
    kind="Tight",
    equality=({"o_cov": sp.Rational(1, 3), "x_cov": 3}, {"o_cov": 1, "x_cov": 1}),
    expected="proved",
)

sharp = _claim(
    label="covering.softmax.sharp",
    statement="When no logit of a softmax moves by more than δ, its weights move by at most 2 tanh(δ/2) in ‖·‖₁, for "
    "any number of positions and attained from two positions on.",
    left=_CHANGE,
    right=theory.SHARP,
    domain=_MOVES,
    improves=printed.label,
    rests_on=(a_set.label,),
)

halved = _claim(
    label="covering.softmax.halved",
    statement="2 tanh(δ/2) is at most δ for δ ≥ 0: the softmax's Lipschitz constant from ‖·‖_∞ to ‖·‖₁ is one, half of "
    "what the papers use, and no smaller number will do.",
    left=theory.SHARP,
    right=theory.LINEAR,
    domain=Domain({delta_cov: Reals(0)}),
    kind="Tight",
    equality=({"delta_cov": 0},),
    improves=printed.label,
    rests_on=(sharp.label,),
    expected="proved",
)


def _pooled(weights: Tensor, moves: Tensor, size: Tensor, angles: Tensor) -> Tensor:
    """‖Xᵀ(p' - p)‖₂ for tokens on the unit circle."""
    tokens = torch.stack([torch.cos(angles), torch.sin(angles)], dim=-1)
    pooled_change: Tensor = (_change(weights, moves, size)[:, None, :] @ tokens)[:, 0].norm(dim=-1)
    return pooled_change


pooled = _claim(
    label="covering.softmax.pooled",
    statement="When no score of an attention head moves by more than δ, the mean that it pools of tokens of length at "
    "most one moves by at most 2 tanh(δ/2), whatever the number of tokens; tokens on a circle.",
    left=Quantity(
        "change of the pooled token",
        by_columns(_pooled, "w_cov", "v_cov", "delta_cov", "theta_cov"),
        r"\|X^\top (p' - p)\|_2", scale=2.0,
    ),
    right=theory.SHARP,
    domain=Domain({**_MOVING, theta_cov: Vector(t_cov, Reals(tested_to=4))}),
    rests_on=(sharp.label,),
)  # fmt: skip
