"""Corollary 3.2 at every dimension: training without penalty is interpolation on the cone, at any temperature."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.derivations.attention_erm import ridgeless as theory
from boundaudit.derivations.attention_erm.symbols import T_erm, lambda_erm, stretch_erm
from boundaudit.numeric.attention_erm.ridgeless import by_training, on_the_cone
from boundaudit.numeric.attention_erm.sensing import Problem

_claim = functools.partial(Claim, paper=PAPER, place=("Corollary 3.2, interpolation",))
_SCORE = Reals(tested_to=4)
_OTHERS = Vector(T_erm - 2, _SCORE)
_LENGTH = Integers(2, tested_to=6)

read = _claim(
    label="attention_erm.ridgeless.read",
    statement="The attention A of T symmetric scores shows each of them but for a common shift: ln A_ab A_1a/(A_a1 "
    "A_11) = h_ab - h_11 for all a and b and every T ≥ 2, so that labels without loss fix the T(T + 1)/2 - 1 "
    "differences to the first score.",
    left=lambda: sp.log(theory.RATIO),
    relation="=",
    right=theory.h_ab - theory.h_11,
    domain=lambda: Domain({
        T_erm: _LENGTH, theory.h_ab: _SCORE, theory.h_a1: _SCORE, theory.h_11: _SCORE,
        theory.rest_a: _OTHERS, theory.rest_1: _OTHERS,
    }),
    expected="proved",
)  # fmt: skip

shifted = _claim(
    label="attention_erm.ridgeless.shifted",
    statement="A common shift of all scores changes no attention, so that labels without loss fix nothing more.",
    left=lambda: theory.SHIFTED,
    relation="=",
    right=lambda: theory.SHIFTED.subs(theory.shift, 0),
    domain=lambda: Domain({
        T_erm: _LENGTH, theory.h_ab: _SCORE, theory.h_a1: _SCORE, theory.shift: _SCORE, theory.rest_a: _OTHERS,
    }),
    expected="proved",
)  # fmt: skip

vanishing = _claim(
    label="attention_erm.ridgeless.vanishing",
    statement="A map of least objective, loss plus λ times trace, has at most the trace of any map without loss, and "
    "at most λ times that as its loss, at every dimension and λ > 0: as λ → 0 training comes to the least trace "
    "among maps without loss.",
    domain=lambda: Domain(
        {lambda_erm: Reals(0, open_low=True), **dict.fromkeys((theory.loss, theory.trace, theory.fitting), Reals(0))},
        where=[theory.loss + lambda_erm * theory.trace <= lambda_erm * theory.fitting],
    ),
    expected="proved",
    cases=(
        Case("trace", left=theory.trace, right=theory.fitting),
        Case("loss", left=theory.loss, right=lambda_erm * theory.fitting),
    ),
)

_BETA = 0.25
_PROBLEM = Problem(d=6, samples=5, noise=0.5, target_rank=3, tokens=2)


@functools.cache
def _on_the_cone() -> Tensor:
    return on_the_cone(_PROBLEM, 0)


@functools.cache
def _apart(stretch: float) -> float:
    """‖S - (β₀/β) S'‖/‖(β₀/β) S'‖ of a trained map S and the map S' of least trace with the target's functionals."""
    goal = stretch * _on_the_cone()
    return float((by_training(_PROBLEM, _BETA, stretch * _BETA, 0) - goal).norm() / goal.norm())


trained = _claim(
    label="attention_erm.ridgeless.trained",
    statement="Tied softmax attention of two tokens, its factor trained with a penalty of 10⁻⁷ on five noisy sequences "
    "at dimension 6, is β₀/β times the positive semidefinite map of least trace with the two functionals a sequence "
    "of S₀ and noise, to 1 %: at β₀ half of β, β itself and twice β = 1/4.",
    left=Quantity(
        "relative distance of the trained map to interpolation on the cone",
        at_points(lambda point: _apart(_stretch(point))),
        r"\|S - \tfrac{\beta_0}{\beta} S'\|_F / \|\tfrac{\beta_0}{\beta} S'\|_F", rounding=1e-3, scale=1.0,
    ),
    right=sp.Rational(1, 100),
    domain=Domain({stretch_erm: Choices(half="1/2", same=1, twice=2)}),
    rests_on=(read.label, shifted.label, f"{vanishing.label}[trace]", f"{vanishing.label}[loss]"),
    limitations=("One draw; by a quasi-Newton method on the factor, and by proximal gradients on the cone.",),
)  # fmt: skip


def _stretch(point: Point) -> float:
    return float(point["stretch_erm"])
