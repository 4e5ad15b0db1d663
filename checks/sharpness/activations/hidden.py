"""Theorem 11: hidden units, entry by entry and in norm."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.sharpness.activations.rows import NORMALISER, UNIT, UNITS
from boundaudit.checks.sharpness.activations.shared import COUNTS, FULL_INPUT, ONE_COMPONENT, claim
from boundaudit.derivations.sharpness import activations as theorem

hidden_printed = claim(
    label="sharpness.activations.hidden.largest",
    statement="Every hidden unit is at most one.",
    left=UNIT,
    relation="<=",
    right=sp.Integer(1),
    domain=COUNTS,
    role="printed",
    reading="plausible",
    expected="refuted",
    limitations=(ONE_COMPONENT, "The text uses hidden units as if they were bounded by the entries of their input."),
)

hidden_repaired = claim(
    label="sharpness.activations.hidden.largest-repaired",
    statement="Every hidden unit is at most 1 + (1+u)/(4D), u the width of a trapezoid's flank: the first unit breaks "
    "below zero.",
    left=UNIT,
    relation="<=",
    right=theorem.UNIT_UPPER,
    domain=COUNTS,
    expected="proved",
    rests_on=(NORMALISER,),
    repairs=("sharpness.activations.hidden.largest",),
    limitations=(ONE_COMPONENT,),
)

hidden_sharp = claim(
    label="sharpness.activations.hidden.largest-sharp",
    statement="Every hidden unit is at most 1 + (1+u)/(4D) - 1/(D T² + T+1-D), u the width of a trapezoid's flank, "
    "with equality where all bits are one.",
    left=UNIT,
    relation="<=",
    right=theorem.UNIT_SHARP,
    domain=COUNTS,
    kind="Tight",
    equality=(FULL_INPUT,),
    expected="proved",
    rests_on=(NORMALISER,),
    improves="sharpness.activations.hidden.largest-repaired",
    limitations=(ONE_COMPONENT,),
)

units_printed = claim(
    label="sharpness.activations.hidden.norm",
    statement="The norm of each row's 4(D+1) hidden units is at most 2 √(D+1), though single units exceed one.",
    left=UNITS,
    relation="<=",
    right=theorem.UNITS_PUBLISHED,
    domain=COUNTS,
    role="printed",
    reading="plausible",
    expected="supported",
    rests_on=("sharpness.activations.averaged",),
    limitations=(ONE_COMPONENT,),
)
