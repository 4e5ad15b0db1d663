"""Remark 4: the constant of a bounded loss, at the prior's centre, and inside the bound."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Subsets
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER, batch_of
from boundaudit.derivations.pac_bayes.subgaussian import (
    p,
    t,
)
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness import subgaussian as theorem
from boundaudit.derivations.sharpness.loss_hessian import n_d
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.pac_bayes.subgaussian import Side, proxy
from boundaudit.numeric.sharpness.oracle import evaluate, evaluate_batch
from boundaudit.numeric.sharpness.target import Target

claim = functools.partial(Claim, paper=PAPER)
_EXAMPLE = "The target of ten components on disjoint pairs of twenty bits with coefficients 1/√10; loss (network - f)²."
_GENERAL = "pac_bayes.subgaussian."


def tiling(length: int) -> Target:
    """Disjoint pairs with equal coefficients of unit length."""
    half = length // 2
    return Target(length, tuple((2 * n + 1, 2 * n + 2) for n in range(half)), (half**-0.5,) * half)


# --- Remark 4: bounded, hence sub-Gaussian -----------------------------------------------------------


def _of_centre(points: Sequence[Point], device: str) -> Array:
    """The two-sided constant of f², over all inputs of each target."""

    def one(chosen: Sequence[Point]) -> Tensor:
        equal = [{**point, "c": [point["omega"] ** -0.5] * point["omega"]} for point in chosen]
        bits = bit_strings(chosen[0]["T"], 0, 2 ** chosen[0]["T"], device=device)
        return proxy(evaluate_batch(batch_of(equal, device), bits).square()).value

    values = np.empty(len(points))
    for length in {point["T"] for point in points}:
        index = [n for n, point in enumerate(points) if point["T"] == length]
        values[index] = one([points[n] for n in index]).cpu().numpy()
    return values


bounded = claim(
    label="sharpness.subgaussian.bounded",
    statement="A loss between 0 and M has sub-Gaussian constant at most M/2; here the loss f² of θ = 0 with "
    "coefficients 1/√ω, at most ω.",
    left=Quantity("sub-Gaussian constant of f²", _of_centre, r"S(0)", rounding=1e-8),
    relation="<=",
    right=theorem.LARGEST_CENTRE / 2,
    domain=Domain(
        {
            T: Integers(3, 5),
            D: Integers(1, T - 1),
            omega: Integers(2, T),
            sp.Symbol("S"): Subsets(omega, D, T),
        }
    ),
    place=("Remark 4",),
    reading="certain",
    rests_on=(_GENERAL + "hoeffding",),
    repairs=("sharpness.subgaussian.estimate",),
    limitations=(
        "Attained by one component, a fair coin; here two at least. Gaussian noise leaves no bound on the "
        "loss: for one at every θ it must be clipped.",
    ),
)

# --- the prior's centre ------------------------------------------------------------------------------

centre = claim(
    label="sharpness.subgaussian.centre",
    statement="The constant 0.01 holds at every parameter that the prior can draw, its centre θ = 0 among them.",
    left=theorem.CENTRE_CUMULANT,
    relation="<=",
    right=theorem.CLAIMED**2 * t**2 / 2,
    domain=Domain({t: Reals(tested_to=4)}),
    place=("Appendix E",),
    reading="plausible",
    expected="refuted",
    limitations=(
        _EXAMPLE,
        "The usual theorem asks for the constant on the whole support of the prior; the text does not say for which "
        "parameters it is assumed.",
    ),
)

centre_needed = claim(
    label="sharpness.subgaussian.centre-needed",
    statement="No constant below 2.013983 serves at θ = 0: at t = 1.47423 the square is needed.",
    left=2 * theorem.CENTRE_CUMULANT / t**2,
    relation=">=",
    right=theorem.PRIOR_CONSTANT**2,
    domain=Domain({t: Choices(attained=sp.Rational(147423, 10**5))}),
    place=("Appendix E",),
    expected="certified",
    limitations=(_EXAMPLE,),
)


def _enumerated(side: Side) -> Measure:
    """The same from all inputs of the example."""

    def measure(points: Sequence[Point], device: str) -> Array:
        squares = evaluate(tiling(20), bit_strings(20, 0, 2**20, device=device)).square()
        values, counts = torch.unique(squares, return_counts=True)
        return np.full(len(points), float(proxy(values, counts.double() / 2**20, side=side).value))

    return measure


_ONE_POINT = Domain({n_d: Choices(none=0)})

enumerated = claim(
    label="sharpness.subgaussian.enumerated",
    statement="Over all 2²⁰ inputs the constant of the loss of θ = 0 is 2.01398321 for both tails, to nine digits.",
    left=Quantity("two-sided constant of f² over all inputs", _enumerated("both"), r"S(0)", rounding=5e-9),
    relation="=",
    right=sp.Rational(201398321, 10**8),
    domain=_ONE_POINT,
    place=("Appendix E",),
    rests_on=("sharpness.subgaussian.centre-needed",),
    limitations=(_EXAMPLE, "Branch and bound over all t."),
)

enumerated_lower = claim(
    label="sharpness.subgaussian.enumerated-lower",
    statement="For the lower tail it is the standard deviation of f², 1.6163230.",
    left=Quantity("one-sided constant of f² over all inputs", _enumerated("lower"), r"S_-(0)", rounding=5e-9),
    relation="=",
    right=sp.sqrt(theorem.CENTRE_VARIANCE),
    domain=_ONE_POINT,
    place=("Appendix E",),
    limitations=(_EXAMPLE, "Branch and bound over all t < 0."),
)

_PAPER_SIZES = Domain({T: Choices(example=20), D: Choices(example=2), omega: Choices(example=10)})

unconditional = claim(
    label="sharpness.subgaussian.unconditional",
    statement="With the constant of the prior's centre in place of 0.01 the truncated bound at a million samples is "
    "worth 8.2, not 0.239.",
    left=theorem.OPTIMUM_AT_PRIOR,
    relation=">=",
    right=sp.Rational(82, 10),
    domain=_PAPER_SIZES,
    place=("Appendix E",),
    expected="certified",
    rests_on=("sharpness.subgaussian.centre-needed",),
    limitations=("The two-sided constant; the printed norm and sharpness.",),
)

# --- the constant inside the bound --------------------------------------------------------------------

_LIKELY = Choices(rare=sp.Rational(1, 100), tenth=sp.Rational(1, 10), half=sp.Rational(1, 2))
_SAMPLE, _RATE = Integers(1, tested_to=200), Reals(0, tested_to=100)

each = claim(
    label="sharpness.subgaussian.each",
    statement="ln E exp(λ(R-r)) over m samples is at most λ²S²/(2m) with S² = p(1-p), for a loss of one with "
    "probability p ≤ 1/2.",
    left=theorem.MOMENT_OF_GAP,
    relation="<=",
    right=theorem.ALLOWED,
    domain=Domain({p: _LIKELY, m: _SAMPLE, theorem.rate: _RATE}),
    place=("Appendix E",),
    expected="certified",
    rests_on=(_GENERAL + "lower-tail",),
)

inside = claim(
    label="sharpness.subgaussian.inside",
    statement="With each hypothesis's own constant in the exponent, E_S E_π exp(λ(R-r) - λ²S(θ)²/(2m)) ≤ 1: with "
    "probability at least 1-δ, for all posteriors, E R ≤ E r + λ E S(θ)²/(2m) + (KL + ln(1/δ))/λ, and no constant "
    "for all parameters is needed.",
    left=theorem.INSIDE,
    relation="<=",
    right=sp.Integer(1),
    domain=Domain(
        {
            p: _LIKELY,
            theorem.p_other: _LIKELY,
            theorem.share: Reals(0, 1),
            m: _SAMPLE,
            theorem.rate: _RATE,
        }
    ),
    place=("Theorem 2", "Appendix E"),
    expected="certified",
    rests_on=("sharpness.subgaussian.each",),
    repairs=("sharpness.subgaussian.centre", "sharpness.subgaussian.posterior"),
    limitations=(
        "Two hypotheses with losses of zero and one; the step to the bound is Markov's and Donsker-Varadhan's.",
    ),
)

truncation = claim(
    label="sharpness.subgaussian.truncation",
    statement="A posterior cut off where the constant is too large, with mass 1-η left, has relative entropy at most "
    "KL/(1-η) to the prior cut off likewise.",
    left=theorem.CUT,
    relation="<=",
    right=theorem.WHOLE,
    domain=Domain(
        {
            theorem.outside: Choices(few=sp.Rational(3, 100), many=sp.Rational(3, 10)),
            theorem.prior_outside: Choices(
                few=sp.Rational(1, 100), some=sp.Rational(1, 10), many=sp.Rational(3, 10), most=sp.Rational(4, 5)
            ),
            theorem.inner: Choices(few=sp.Rational(1, 10), many=sp.Rational(2, 3)),
            theorem.prior_inner: Choices(
                few=sp.Rational(1, 50), some=sp.Rational(1, 10), many=sp.Rational(2, 3), most=sp.Rational(9, 10)
            ),
        }
    ),
    place=("Appendix E",),
    expected="certified",
    limitations=("Three hypotheses, of which the third is cut off; both sides times 1-η.",),
)
