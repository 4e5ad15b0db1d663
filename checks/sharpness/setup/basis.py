"""Equation 1: the indicators as a basis, their inner products, and the way to the characters."""

from __future__ import annotations

import functools

from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import Columns, at_points, measured
from boundaudit.checks.sharpness.setup.shared import claim
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.derivations.sharpness.setup import n_1, n_2, n_12
from boundaudit.numeric.sharpness import setup as numeric

_log_determinant = functools.cache(numeric.log_determinant)

determinant = claim(
    label="sharpness.setup.basis.determinant",
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
    relation="=",
    right=theorem.LOG_DETERMINANT,
    domain=Domain({T: Integers(1, tested_to=7)}),
    role="printed",
    reading="certain",
    expected="proved",
)


@measured
def _mean_product(at: Columns) -> Tensor:
    return numeric.mean_product(at.whole("n_1"), at.whole("n_2"), at.whole("n_12"))


gram = claim(
    label="sharpness.setup.gram.closed-form",
    statement="For non-empty sets S and S' the mean of the product of their even-parity indicators over uniform inputs "
    "is 1/2 where the sets are the same and 1/4 elsewhere: the indicators are a basis, but not an orthonormal one.",
    left=Quantity(
        "mean product of two indicators", _mean_product, r"\mathrm{E}\, \chi_S \chi_{S'}",
        theorem.gram_by_characters,
    ),
    relation="=",
    right=theorem.gram,
    domain=lambda: Domain(
        {n_1: Integers(0, tested_to=4), n_2: Integers(0, tested_to=4), n_12: Integers(0, tested_to=4)},
        where=[n_1 + n_12 >= 1, n_2 + n_12 >= 1],
    ),
    expected="proved",
    limitations=("The sets enter by how many positions are in S alone, in S' alone and in both.",),
)  # fmt: skip
