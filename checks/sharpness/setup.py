"""The setting (Section 2, Equation 1): how targets are normalised, and the indicators as a basis."""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.measurements import Columns, at_points, measured
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, of_targets
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.derivations.sharpness.setup import n_1, n_2, n_12
from boundaudit.numeric.sharpness import setup as numeric

claim = functools.partial(Claim, paper=PAPER, place=("Equation 1",))

POSITIVE = Vector(omega, Reals(0, open_low=True, tested_to=8))
S = sp.Symbol("S")
TARGETS = Domain(
    {
        T: Integers(2, tested_to=8),
        D: Integers(1, T),
        omega: SPARSITY,
        c: POSITIVE,
        S: Subsets(omega, D, T),
    }
)
"""Targets of equal degree with positive coefficients."""

IN_BALL = TARGETS.replace(c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""The same with coefficients in the unit ball."""


def over_inputs(statistic: numeric.Statistic) -> Measure:
    """A statistic of the target over all of its inputs."""
    return of_targets(lambda batch, _: numeric.over_inputs(batch, statistic))


# --- Section 2.1: how targets are normalised ------------------------------------------------------

_of_targets = functools.partial(claim, place=("Section 2",))

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

printed = _of_targets(
    label="sharpness.setup.normalisation.printed", relation="=", role="printed", reading="plausible",
    expected="refuted",
    statement="Targets with positive coefficients in the unit ball are normalised: over uniform inputs f has mean zero "
    "and variance Σc_t², which is one on the unit sphere.",
    domain=IN_BALL,
    cases=(
        Case("signs,centred", left=_SIGNED_MEAN, right=sp.Integer(0), expected="proved"),
        Case("signs,variance", left=_SIGNED_VARIANCE, right=theorem.SQUARES, expected="proved"),
        Case("centred", left=_MEAN, right=sp.Integer(0)),
        Case("variance", left=_VARIANCE, right=theorem.SQUARES),
    ),
    rests_on=("sharpness.setup.basis.determinant",),
    limitations=(
        "The sentence has several readings. If the coefficients are meant to be centred, it fails for the mean, too, "
        "as they are positive.",
    ),
)  # fmt: skip

repaired = _of_targets(
    label="sharpness.setup.normalisation.repaired", relation="=", role="successor", expected="proved",
    statement="Over uniform inputs a target with positive coefficients c_t has mean C/2, half their sum C, which is "
    "its weight on the empty set. Its variance is Σc_t²/4, one quarter on the unit sphere.",
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
)  # fmt: skip

# --- Equation 1: the indicators, their inner products, and the way to the characters --------------

_log_determinant = functools.cache(numeric.log_determinant)

determinant = claim(
    label="sharpness.setup.basis.determinant", relation="=", role="printed", reading="certain", expected="proved",
    statement="Any real function on bit strings of length T is in exactly one way a linear combination of the 2^T "
    "even-parity indicators of subsets: their matrix at all 2^T inputs has a determinant of absolute value "
    "2^(T 2^(T-1) - 2^T + 1), which is not zero.",
    left=Quantity(
        "log2 |det|",
        at_points(lambda point: _log_determinant(point["T"])),
        r"\log_2 |\det (\chi_S(x))_{S, x}|",
        theorem.LOG_DETERMINANT_BY_STEPS,
        scale=1.0,
    ),
    right=theorem.LOG_DETERMINANT, domain=Domain({T: Integers(1, tested_to=7)}),
)  # fmt: skip


@measured
def _mean_product(at: Columns) -> Tensor:
    return numeric.mean_product(at.whole("n_1"), at.whole("n_2"), at.whole("n_12"))


gram = claim(
    label="sharpness.setup.gram.closed-form", relation="=", expected="proved",
    statement="For non-empty sets S and S' the mean of the product of their even-parity indicators over uniform inputs "
    "is 1/2 where the sets are the same and 1/4 elsewhere: the indicators are a basis, but not an orthonormal one.",
    left=Quantity(
        "mean product of two indicators", _mean_product, r"\mathrm{E}\, \chi_S \chi_{S'}",
        theorem.gram_by_characters,
    ),
    right=theorem.gram,
    domain=lambda: Domain(
        {n_1: Integers(0, tested_to=4), n_2: Integers(0, tested_to=4), n_12: Integers(0, tested_to=4)},
        where=[n_1 + n_12 >= 1, n_2 + n_12 >= 1],
    ),
    limitations=("The sets enter by how many positions are in S alone, in S' alone and in both.",),
)  # fmt: skip
