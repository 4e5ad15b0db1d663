"""Appendix D inside the bound: when a rescaling of the MLP helps."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.sharpness.bound import example
from boundaudit.checks.sharpness.bound.example import NONNEGATIVE, POSITIVE
from boundaudit.derivations.sharpness.bound import rescaled as theorem
from boundaudit.derivations.sharpness.bound.rescaled import beta_r, h_0, h_1, h_2, l_0, l_1, l_2

claim = functools.partial(example.claim, place=("Appendix D",))
_ONE = sp.Integer(1)

# --- when a rescaling helps -----------------------------------------------------------------------

printed = claim(
    label="sharpness.bound.rescaled.heavier-in-both",
    statement="Let the MLP's output weights have a larger squared gradient than its input weights, g₂ ≥ g₁, as they "
    "have a larger norm. Then moving weight away from them does not raise the sharpness: for input weights times α and "
    "output weights over α, 1 ≤ α² ≤ 1.1, g₀ + g₁/α² + g₂α² is at most g₀ + g₁ + g₂.",
    left=theorem.sharpness(beta_r),
    relation="<=",
    right=theorem.sharpness(_ONE),
    domain=lambda: Domain({
        h_0: NONNEGATIVE, h_2: POSITIVE, h_1: Reals(0, h_2, open_low=True), beta_r: Reals(1, sp.Rational(11, 10))
    }),
    role="printed",
    reading="plausible",
    expected="refuted",
    limitations=(
        "One reading of the reason that the text gives. Gradients scale inversely to weights, so that the sharpness "
        "falls only if the input weights have the larger gradient. The conclusion is true of the construction.",
    ),
)  # fmt: skip

trade = claim(
    label="sharpness.bound.rescaled.trade",
    statement="A rescaling of the MLP multiplies its input weights by α ≥ 1 and divides its output weights by α. It "
    "does not raise the squared norm while that of the output weights is at least α² times that of the input weights. "
    "It does not raise the sharpness while that of the input weights is at least α² times that of the output weights.",
    relation="<=",
    kind="Tight",
    expected="proved",
    repairs=("sharpness.bound.rescaled.heavier-in-both",),
    cases=(
        Case(
            "sharpness", left=theorem.sharpness(beta_r), right=theorem.sharpness(_ONE),
            domain=lambda: Domain({beta_r: Reals(1), h_0: NONNEGATIVE, h_2: POSITIVE, h_1: Reals(h_2 * beta_r)}),
            equality=({"h_0": 1, "h_2": 1, "h_1": 2, "beta_r": 2},),
        ),
        Case(
            "norm", left=theorem.norm(beta_r), right=theorem.norm(_ONE),
            domain=lambda: Domain({beta_r: Reals(1), l_0: NONNEGATIVE, l_1: POSITIVE, l_2: Reals(l_1 * beta_r)}),
            equality=({"l_0": 1, "l_1": 1, "l_2": 2, "beta_r": 2},),
        ),
    ),
)  # fmt: skip
