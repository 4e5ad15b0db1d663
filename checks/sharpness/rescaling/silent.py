"""Appendix D: how rarely a component sees zeros only."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Subsets
from boundaudit.checks.sharpness.rescaling.shared import claim
from boundaudit.checks.sharpness.targets import of_targets
from boundaudit.derivations.sharpness import rescaling as theorem
from boundaudit.derivations.sharpness.parameters import D, T
from boundaudit.numeric.sharpness.rescaling import silent_inputs

_PLACE = ("Appendix D(2)",)
_SILENT = Quantity(
    "share of inputs that are zero on a component",
    of_targets(lambda batch, _: silent_inputs(batch), "T"),
    r"\mathbb{P}(x_S = 0)",
    lambda: theorem.silent_by_inputs(),
)
_ONE_SET = Domain({T: Integers(2, 8), D: Integers(1, T), sp.Symbol("S"): Subsets(sp.Integer(1), D, T)})

zeros = claim(
    label="sharpness.rescaling.dropped.zeros",
    statement="The input that is zero everywhere is one of the 2^T inputs of length T ≤ 8, and so is the input of ones "
    "only.",
    left=_SILENT,
    relation="=",
    right=theorem.SILENT_PUBLISHED,
    domain=Domain({T: Integers(2, 8), D: Integers(T, T), sp.Symbol("S"): Subsets(sp.Integer(1), D, T)}),
    place=_PLACE,
    role="printed",
    reading="plausible",
    expected="certified",
    limitations=("Counted over all inputs of length up to 8; ones are zeros of the other bits.",),
)

dropped_printed = claim(
    label="sharpness.rescaling.dropped.whole-input",
    statement="Inputs that are zero at all D positions of a component are as rare as the all-zero input of length T: "
    "their probability is at most 2^-T, exponentially small in the length.",
    left=_SILENT,
    relation="<=",
    right=theorem.SILENT_PUBLISHED,
    domain=_ONE_SET,
    place=_PLACE,
    role="printed",
    reading="plausible",
    expected="refuted",
    limitations=(
        "The all-zero input, named as the example, has probability 2^-T; that its rate holds for every input that "
        "silences a component is one reading.",
    ),
)

dropped = claim(
    label="sharpness.rescaling.dropped.probability",
    statement="For T ≤ 8 a uniform input of length T is zero at all D positions of a component with probability 2^-D, "
    "which does not depend on the length. Among m inputs, then, ω components are zero on average m ω 2^-D times.",
    left=_SILENT,
    relation="=",
    right=theorem.SILENT,
    domain=_ONE_SET,
    place=_PLACE,
    expected="certified",
    repairs=("sharpness.rescaling.dropped.whole-input",),
    limitations=("Counted over all inputs of length up to 8.",),
)
