"""Equation 1: readings of how the target is normalised."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.sharpness.setup.shared import IN_BALL, TARGETS, claim, over_inputs
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.derivations.sharpness.parameters import omega
from boundaudit.numeric.sharpness import setup as numeric

_LARGEST = Quantity("largest |f|", over_inputs(numeric.largest), r"\max_x |f(x)|", theorem.MASS)
_MEAN = Quantity("mean of f", over_inputs(numeric.mean), r"\mathrm{E} f", theorem.MEAN_BY_COMPONENTS)
_VARIANCE = Quantity("variance of f", over_inputs(numeric.variance), r"\mathrm{Var} f", theorem.VARIANCE_BY_PAIRS)
_ONE_READING = ("The text's normalisation of the target has several readings; this is one of them.",)

bounded = claim(
    label="sharpness.setup.normalisation.bounded",
    statement="Coefficients in the unit ball keep the target between -1 and 1.",
    left=_LARGEST,
    relation="<=",
    right=sp.Integer(1),
    domain=IN_BALL,
    reading="plausible",
    expected="refuted",
    limitations=_ONE_READING,
)

supremum = claim(
    label="sharpness.setup.normalisation.sup",
    statement="Coefficients in the unit ball keep the target, whose largest value is their sum C, at or below √ω; "
    "equal coefficients attain it.",
    left=_LARGEST,
    relation="<=",
    right=sp.sqrt(omega),
    domain=IN_BALL,
    kind="Tight",
    equality=(
        {"T": 2, "D": 1, "omega": 1, "c": (1,), "S": ((1,),)},
        {"T": 4, "D": 1, "omega": 4, "c": (sp.Rational(1, 2),) * 4, "S": ((1,), (2,), (3,), (4,))},
    ),
    expected="proved",
    repairs=("sharpness.setup.normalisation.bounded",),
)

centred = claim(
    label="sharpness.setup.normalisation.centred",
    statement="The target has mean zero.",
    left=_MEAN,
    relation="=",
    right=sp.Integer(0),
    domain=IN_BALL,
    reading="plausible",
    expected="refuted",
    limitations=_ONE_READING,
)

variance_printed = claim(
    label="sharpness.setup.normalisation.variance",
    statement="The variance of the target is the sum of its squared coefficients: one on the unit sphere.",
    left=_VARIANCE,
    relation="=",
    right=theorem.SQUARES,
    domain=IN_BALL,
    reading="plausible",
    expected="refuted",
    limitations=_ONE_READING,
)

variance = claim(
    label="sharpness.setup.normalisation.variance-repaired",
    statement="The variance of the target is a quarter of the sum of its squared coefficients.",
    left=_VARIANCE,
    relation="=",
    right=theorem.VARIANCE,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form", "sharpness.setup.characters.empty"),
    repairs=("sharpness.setup.normalisation.variance",),
)
