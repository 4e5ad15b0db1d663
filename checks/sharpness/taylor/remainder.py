"""Theorems 6 and 12: the remainder in Lagrange's form, where a unit flips and where the construction sits on a kink."""

from __future__ import annotations

from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.exactness.errors import COEFFICIENT
from boundaudit.checks.sharpness.targets import BOTH, by_trapezoid
from boundaudit.checks.sharpness.taylor.shared import claim
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.parameters import D, T, u
from boundaudit.derivations.sharpness.taylor import kappa_T, t_b
from boundaudit.numeric.sharpness import attention as construction
from boundaudit.numeric.sharpness import taylor as network
from boundaudit.numeric.sharpness.mlp import Trapezoid

# --- a flip ---------------------------------------------------------------------------------------


def _after_bias(at: Columns, mlp: Trapezoid) -> Tensor:
    """The loss at the input without ones after the second unit's bias has gone down."""
    batch = construction.leading(at.whole("T"), at.whole("D"), at.real("C"))
    zeros = torch.zeros(len(batch), batch.max_length, dtype=torch.bool, device=at.device)
    return network.loss_after_bias(batch, zeros, 1, at.real("t_b"), mlp)


@by_trapezoid
def _from_lagrange(at: Columns, mlp: Trapezoid) -> Tensor:
    loss = _after_bias(at, mlp)
    degree, width, total, shift = map(at.real, ("D", "u", "C", "t_b"))
    return torch.minimum(loss, (loss - (4 * degree * total / width * shift) ** 2).abs())


_SIZES: dict[Any, Range] = {T: Integers(2, tested_to=12), D: Integers(1, T), u: BOTH, **COEFFICIENT}

printed = claim(
    label="sharpness.taylor.lagrange.printed",
    statement="Let the bias of the unit that opens the first plateau go down by t, at the input without ones. Then "
    "there is a point ξ on the way with L = ½ L''(ξ) t². Half of L'' is (4DC/u)², u = 1 (steep) or 2 (wide), up to the "
    "flip at t = 1/(4D), and zero after it.",
    relation="=",
    role="printed",
    place=("Theorem 6", "Theorem 12"),
    cases=(
        Case(
            "no-flip",
            left=Quantity(
                "loss after a bias has moved", by_trapezoid(_after_bias), r"L(t)", theorem.LOSS_OF_BIAS, rounding=1e-11,
                scale=1e2,
            ),
            right=theorem.PARABOLA,
            domain=Domain({**_SIZES, t_b: Reals(0, 1 / (4 * D))}),
            reading="certain",
            expected="proved",
        ),
        Case(
            "with-flips",
            left=Quantity(
                "distance of the loss from ½ L'' t², over all values of L''", _from_lagrange,
                r"\min_{\xi} |L(t) - \tfrac{1}{2} L''(\xi) t^2|", theorem.from_lagrange, rounding=1e-11, scale=1e2,
            ),
            right=sp.Integer(0),
            domain=Domain({**_SIZES, t_b: Reals(0, tested_to=1)}),
            reading="plausible",
            expected="refuted",
            limitations=(
                "The text assumes that no unit flips; but Gaussian noise flips units with positive probability, and "
                "the mean that the expansion states runs over all noise.",
            ),
        ),
    ),
)  # fmt: skip

# --- a kink at the construction -------------------------------------------------------------------


def _jumps(unit: int) -> Measure:
    """The jump at the input 01…10…0 of (T+1)/4 ones, D = 1."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        ones = at.whole("kappa_T") + 1
        length, degree = 4 * ones - 1, torch.ones_like(ones)
        batch = construction.leading(length, degree, at.real("C"))
        bits = construction.leading_bits(length, degree, torch.zeros_like(ones), ones)
        return network.derivative_jump(batch, bits, unit, mlp)

    return by_trapezoid(of)


_JUMP = Quantity(
    "jump of the output's derivative by a bias", _jumps(2),
    r"|\partial_+ f / \partial \gamma - \partial_- f / \partial \gamma|", theorem.JUMP, rounding=1e-10, scale=1.0,
)  # fmt: skip
_ON_KINK = Domain({kappa_T: Integers(0, tested_to=5), u: BOTH, **COEFFICIENT})

differentiable = claim(
    label="sharpness.taylor.kink.differentiable",
    statement="The output is differentiable in all parameters at the construction, so that its Hessian is well defined "
    "there. The check at T = 4κ+3, D = 1 and an input of weight κ+1: the two one-sided derivatives by a bias agree.",
    left=_JUMP,
    relation="=",
    right=sp.Integer(0),
    domain=_ON_KINK,
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.kinks.none",),
    limitations=("At even T, such as the 20, 30, 40 and 50 of the text, there is no kink.",),
)

jump = claim(
    label="sharpness.taylor.kink.jump",
    statement="At T = 4κ+3, D = 1 and an input of weight κ+1 the one-sided derivatives of the output by the bias of "
    "the unit on its kink differ by at most 4/(uT), u = 1 (steep) or 2 (wide). Only rows that no component uses sit "
    "there, and their mass is below 1/(CT).",
    left=_JUMP,
    right=theorem.JUMP_BOUND,
    domain=_ON_KINK,
    expected="proved",
    rests_on=("sharpness.kinks.family[steep]", "sharpness.kinks.family[wide]"),
    repairs=("sharpness.taylor.kink.differentiable",),
)
