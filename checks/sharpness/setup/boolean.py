"""Equation 1: which targets with positive coefficients of equal degree have two values alone."""

from __future__ import annotations

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.sharpness.setup.shared import TARGETS, claim, over_inputs
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.numeric.sharpness import setup as numeric

one_component = claim(
    label="sharpness.setup.boolean.forces-one-component",
    statement="For positive coefficients c_t, C their sum, the mean of f(C-f) over uniform inputs is (C² - Σc_t²)/4, "
    "half the products of all pairs of different coefficients: a target of equal degree has no values but 0 and "
    "C = f(0), as a Boolean-valued one would, only where it has one component.",
    left=Quantity("mean of f(C - f)", over_inputs(numeric.boolean_gap), r"\mathrm{E} f (C - f)", theorem.GAP_BY_PAIRS),
    relation="=",
    right=theorem.GAP,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form",),
    limitations=(
        "The paper's analysis is of real-valued functions on Boolean inputs; this is about Boolean values.",
        "Values -1 and 1 are excluded by f ≥ 0.",
        "Two other values are possible: equal weights on {1,2}, {1,3} and {2,3} give c and 3c.",
    ),
)
