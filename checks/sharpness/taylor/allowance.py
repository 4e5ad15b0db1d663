"""Theorems 12 and 17: Lagrange's point where hidden units turn off, and the allowance P for the trace's change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.measurements import Columns, evaluated
from boundaudit.checks.sharpness.exactness import COEFFICIENT
from boundaudit.checks.sharpness.targets import BOTH, by_trapezoid
from boundaudit.checks.sharpness.taylor.expansion import ANY_INPUT, chance, claim
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, d, u
from boundaudit.derivations.sharpness.taylor import G_0, G_1, R_1, f_1, g_1, kappa_T, t_b
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


# --- the change of the trace that the allowance P stands for, and networks under noise at every input ---

_PLACE = ("Theorem 17",)

# --- the change of the trace, as algebra ----------------------------------------------------------

_NONNEGATIVE = Reals(0, tested_to=10)
_CHANGES = Domain({
    G_0: _NONNEGATIVE, G_1: _NONNEGATIVE, R_1: _NONNEGATIVE, g_1: Reals(0, G_0 + G_1), f_1: Reals(-R_1, R_1)
})  # fmt: skip
_UNITS = {"G_0": 1, "G_1": 1, "R_1": 1, "g_1": 2, "f_1": 1}

change_printed = claim(
    label="sharpness.taylor.trace.change.printed",
    statement="Half of the trace of (f-y)²'s Hessian, or the trace itself, rises by at most 2 G_p (2 √G_u + G_p) + T_p "
    "(H_u + H_p) |Θ|. This supposes that the gradient has norm √G_u and changes by at most G_p. It also supposes that "
    "the residual, zero before, times the trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change.",
    right=theorem.CHANGE_PRINTED,
    domain=_CHANGES,
    role="printed",
    place=_PLACE,
    reading="plausible",
    rests_on=("sharpness.loss_hessian.identity",),
    limitations=(
        "The step as algebra in its bounds; no network attains all of them. Whether the text bounds the trace or half "
        "of it by G_u + P is not known.",
    ),
    cases=(
        Case("trace", left=theorem.TRACE_CHANGE, expected="refuted"),
        Case(
            "half",
            left=theorem.TRACE_CHANGE / 2,
            kind="Tight",
            equality=({**_UNITS, "G_1": 0, "g_1": 1},),
            expected="proved",
        ),
    ),
)

change = claim(
    label="sharpness.taylor.trace.change",
    statement="The trace of (f-y)²'s Hessian rises by at most 2 G_p (2 √G_u + G_p) + 2 T_p (H_u + H_p) |Θ|. This "
    "supposes that the gradient has norm √G_u and changes by at most G_p. It also supposes that the residual, zero "
    "before, times the trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change.",
    left=theorem.TRACE_CHANGE,
    right=theorem.CHANGE,
    domain=_CHANGES,
    kind="Tight",
    equality=(_UNITS,),
    place=_PLACE,
    expected="proved",
    rests_on=("sharpness.loss_hessian.identity",),
    repairs=("sharpness.taylor.trace.change.printed[trace]",),
)

# --- networks -------------------------------------------------------------------------------------

_EACH_INPUT = "At each input by itself; the Hessian is taken almost everywhere, without the kinks' mass."
_WINDOWS = "Components are windows of D positions from 1, 2, … on, with equal coefficients of unit length."
_WIDTH = "d = T+1, the smaller of two readings."


def _above(bound: Callable[[], sp.Expr], name: str, latex: str) -> Probability:
    """The probability that the trace under noise is above a bound, d = T+1."""
    limit = evaluated(lambda: bound().subs(d, T + 1))
    return chance(
        f"the trace of the loss Hessian after noise is above {name}",
        lambda _, noisy, point: noisy > float(limit([point], "cpu")[0]),
        rf"\mathbb{{P}}[\mathrm{{tr}}\,\mathrm{{Hess}}\,L(\Theta + \varepsilon) > {latex}]",
    )


allowance_printed = claim(
    label="sharpness.taylor.trace.printed",
    statement="After noise of standard deviation σ from 10⁻⁶ to 1/100 the trace of the loss Hessian is above 2 G_u + P "
    "with probability at most 1/20 at every input. P is that of the authors' notebook, or has σ restored in its G_p. "
    "For T from 4 to 20 and windows of D < T positions as components.",
    right=sp.Rational(1, 20),
    domain=ANY_INPUT,
    role="printed",
    place=_PLACE,
    mode="with probability at least 1-δ",
    reading="plausible",
    rests_on=(
        "sharpness.taylor.expansion.printed", "sharpness.taylor.lagrange.trace",
        "sharpness.taylor.trace.change.printed", "sharpness.perturbed.output.printed",
        "sharpness.perturbed.gradient.printed", "sharpness.perturbed.hessian.printed",
        "sharpness.gradients.total.printed", "sharpness.hessian.bound.printed",
    ),
    limitations=(_EACH_INPUT, _WINDOWS, _WIDTH),
    cases=(
        Case("notebook", left=_above(lambda: 2 * G_U + theorem.p_printed(), "2 G_u + P", "2 G_u + P")),
        Case(
            "restored",
            left=_above(lambda: 2 * G_U + theorem.p_restored(), "2 G_u + P with σ restored", r"2 G_u + P_\sigma"),
        ),
    ),
)  # fmt: skip
