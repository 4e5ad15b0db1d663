"""Section 2.1: how targets are normalised."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.sharpness.setup import shared
from boundaudit.checks.sharpness.setup.shared import IN_BALL, TARGETS, over_inputs
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.numeric.sharpness import setup as numeric

_claim = functools.partial(shared.claim, place=("Section 2",))

_MEAN = Quantity("mean of f", over_inputs(numeric.mean), r"\mathrm{E} f", theorem.MEAN_BY_COMPONENTS)
_VARIANCE = Quantity("variance of f", over_inputs(numeric.variance), r"\mathrm{Var} f", theorem.VARIANCE_BY_PAIRS)
_SIGNED_MEAN = Quantity(
    "mean of f in characters of ±1", over_inputs(numeric.signed_mean),
    r"\mathrm{E} \textstyle\sum_t c_t (-1)^{|x_{S_t}|}", 2 * theorem.MEAN_BY_COMPONENTS - theorem.MASS, scale=1.0,
)  # fmt: skip
_SIGNED_VARIANCE = Quantity(
    "variance of f in characters of ±1", over_inputs(numeric.signed_variance),
    r"\mathrm{Var} \textstyle\sum_t c_t (-1)^{|x_{S_t}|}", 4 * theorem.VARIANCE_BY_PAIRS,
)  # fmt: skip

printed = _claim(
    label="sharpness.setup.normalisation.printed",
    statement="Targets with positive coefficients in the unit ball are normalised: over uniform inputs f has mean zero "
    "and variance Σc_t², which is one on the unit sphere.",
    relation="=",
    domain=IN_BALL,
    cases=(
        Case("signs,centred", left=_SIGNED_MEAN, right=sp.Integer(0), expected="proved"),
        Case("signs,variance", left=_SIGNED_VARIANCE, right=theorem.SQUARES, expected="proved"),
        Case("centred", left=_MEAN, right=sp.Integer(0)),
        Case("variance", left=_VARIANCE, right=theorem.SQUARES),
    ),
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.setup.basis.determinant",),
    limitations=(
        "The sentence has several readings. If the coefficients are meant to be centred, it fails for the mean, too, "
        "as they are positive.",
    ),
)

repaired = _claim(
    label="sharpness.setup.normalisation.repaired",
    statement="Over uniform inputs a target with positive coefficients c_t has mean C/2, half their sum C, which is "
    "its weight on the empty set. Its variance is Σc_t²/4, one quarter on the unit sphere.",
    relation="=",
    domain=TARGETS,
    cases=(
        Case("centred", left=_MEAN, right=theorem.MEAN, repairs=("sharpness.setup.normalisation.printed[centred]",)),
        Case(
            "variance",
            left=_VARIANCE,
            right=theorem.VARIANCE,
            repairs=("sharpness.setup.normalisation.printed[variance]",),
            rests_on=("sharpness.setup.gram.closed-form",),
        ),
    ),
    role="successor",
    expected="proved",
)
