"""When a bound is informative: below the risk of the best constant predictor, and not below 1."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.setup import TARGETS
from boundaudit.checks.sharpness.targets import PAPER, batch_of
from boundaudit.derivations.sharpness import constant_baseline as theorem
from boundaudit.derivations.sharpness.constant_baseline import a_f, b_v
from boundaudit.derivations.sharpness.parameters import c, omega
from boundaudit.derivations.sharpness.setup import VARIANCE
from boundaudit.numeric.sharpness import setup

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2", "Appendix E"))

# --- the squared loss -----------------------------------------------------------------------------


@measured
def _risk(at: Columns) -> Tensor:
    """E(f - a)² over all inputs, from mean and mean square of f - a."""
    batch = batch_of(at)
    mean = setup.over_inputs(batch, setup.mean)
    variance = setup.over_inputs(batch, setup.variance)
    return variance + (mean - at.real("a_f")).square()


_BALL: dict[object, Range] = {
    omega: Integers(1, tested_to=4),
    c: Vector(omega, Reals(0, 1, open_low=True), square_sum=1),
}

printed = claim(
    label="sharpness.constant_baseline.printed",
    statement="A bound that is called non-vacuous is at most Σ c_t²/4, the risk of the best constant predictor. Here "
    "c_t are the target's coefficients, in the unit ball.",
    role="printed",
    right=VARIANCE,
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.constant_baseline.constant",),
    cases=(
        Case(
            "below-one",
            statement="Every bound with a value below 1 is at most Σ c_t²/4, the risk of the best constant predictor. "
            "Here c_t are the target's coefficients, in the unit ball.",
            left=b_v,
            domain=Domain({**_BALL, b_v: Reals(0, 1, open_high=True)}),
            limitations=(
                "That non-vacuous means below 1 is the usual reading; the text compares with nothing smaller.",
            ),
        ),
        Case(
            "printed-value",
            statement="The value 0.327, printed for ten components at a million samples, is at most Σ c_t²/4, the risk "
            "of the best constant predictor. Here c_t are the target's ten coefficients, in the unit ball.",
            left=theorem.PRINTED_VALUE,
            domain=Domain({**_BALL, omega: Integers(10, 10)}),
            limitations=("Coefficients in the unit ball, as the bound on the norm needs them.",),
        ),
    ),
)

constant = claim(
    label="sharpness.constant_baseline.constant", relation=">=", kind="Tight", expected="proved",
    statement="Every constant predictor has a risk of at least Σ c_t²/4, whether components overlap or not, and half "
    "the sum of the coefficients has just that. A bound on the squared loss says more than a constant where it is "
    "below this value.",
    left=Quantity("risk of a constant predictor", _risk, r"\mathrm{E}(f - a)^2", theorem.RISK, scale=1.0),
    right=VARIANCE,
    domain=lambda: Domain({**TARGETS.replace(T=Integers(2, tested_to=5)).ranges, a_f: Reals(tested_to=8)}),
    equality=({"T": 2, "D": 1, "omega": 1, "c": (1,), "S": ((1,),), "a_f": sp.Rational(1, 2)},),
    rests_on=("sharpness.setup.gram.closed-form", "sharpness.setup.normalisation.repaired[centred]"),
    repairs=("sharpness.constant_baseline.printed",),
)  # fmt: skip

quarter = claim(
    label="sharpness.constant_baseline.quarter", kind="Tight", expected="proved",
    statement="With coefficients c_t in the unit ball the risk Σ c_t²/4 of the best constant predictor is at most 1/4.",
    left=VARIANCE, right=theorem.QUARTER, domain=Domain(_BALL), equality=({"omega": 1, "c": (1,)},),
    rests_on=("sharpness.constant_baseline.constant",),
)  # fmt: skip
