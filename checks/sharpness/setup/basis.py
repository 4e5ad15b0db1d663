"""Equation 1: the indicators as a basis, their inner products, and the way to the characters."""

from __future__ import annotations

from collections.abc import Sequence

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Subsets
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.setup.shared import (
    IN_BALL,
    POSITIVE,
    TARGETS,
    S,
    claim,
    over_inputs,
    per_size,
    tensor_of,
)
from boundaudit.checks.sharpness.targets import SPARSITY, batch_of
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, even, k, omega
from boundaudit.derivations.sharpness.setup import iota, n_1, n_2, n_12
from boundaudit.numeric.sharpness import setup as numeric


def _parity(points: Sequence[Point], device: str) -> Array:
    return numeric.even_parity(tensor_of(points, "k", device), tensor_of(points, "D", device)).cpu().numpy()


character = claim(
    label="sharpness.setup.indicator.character",
    statement="The indicator that a set holds an even number k of ones is (1 + (-1)^k)/2: the character (-1)^k is "
    "twice the indicator less one.",
    left=Quantity("indicator of even parity", _parity, r"\chi_S(x)", theorem.NOT_REMAINDER),
    relation="=",
    right=even(k),
    domain=Domain({D: Integers(1, tested_to=64), k: Integers(0, D)}),
    reading="certain",
    expected="proved",
)

determinant = claim(
    label="sharpness.setup.basis.determinant",
    statement="The matrix of all 2^T indicators at all 2^T inputs has a determinant of absolute value "
    "2^(T 2^(T-1) - 2^T + 1): it is not zero, so the indicators are a basis of the real functions on bit strings.",
    left=Quantity(
        "log2 |det|",
        per_size(numeric.log_determinant, "T"),
        r"\log_2 |\det (\chi_S(x))_{S, x}|",
        theorem.LOG_DETERMINANT_BY_STEPS,
        scale=1.0,
    ),
    relation="=",
    right=theorem.LOG_DETERMINANT,
    domain=Domain({T: Integers(1, tested_to=7)}),
    reading="certain",
    expected="proved",
)


def _mean_product(points: Sequence[Point], device: str) -> Array:
    sizes = (tensor_of(points, name, device) for name in ("n_1", "n_2", "n_12"))
    return numeric.mean_product(*sizes).cpu().numpy()


_GRAM = Quantity(
    "mean product of two indicators", _mean_product, r"\mathrm{E}\, \chi_S \chi_{S'}", theorem.GRAM_BY_CHARACTERS
)
_TWO_SETS = Domain(
    {n_1: Integers(0, tested_to=4), n_2: Integers(0, tested_to=4), n_12: Integers(0, tested_to=4)},
    where=[n_1 + n_12 >= 1, n_2 + n_12 >= 1],
)
_SIZES = "The sets enter by how many positions are in S alone, in S' alone and in both."

gram_orthonormal = claim(
    label="sharpness.setup.gram.orthonormal",
    statement="The indicators of non-empty sets are orthonormal under the uniform distribution of inputs.",
    left=_GRAM,
    relation="=",
    right=theorem.SAME,
    domain=_TWO_SETS,
    reading="plausible",
    expected="refuted",
    limitations=("That the basis is meant to be orthonormal is one reading of it.", _SIZES),
)

gram = claim(
    label="sharpness.setup.gram.closed-form",
    statement="For non-empty sets the mean of the product of two indicators is 1/2 where the sets are the same and 1/4 "
    "elsewhere.",
    left=_GRAM,
    relation="=",
    right=theorem.GRAM,
    domain=_TWO_SETS,
    expected="proved",
    repairs=("sharpness.setup.gram.orthonormal",),
    limitations=(_SIZES,),
)


_SQUARE = Quantity("mean of f²", over_inputs(numeric.mean_square), r"\mathrm{E} f^2", theorem.SQUARE_BY_PAIRS)

parseval_indicators = claim(
    label="sharpness.setup.parseval.indicators",
    statement="Parseval in the basis of indicators: the mean of f² is the sum of the squared coefficients.",
    left=_SQUARE,
    relation="=",
    right=theorem.SQUARES,
    domain=IN_BALL,
    reading="plausible",
    expected="refuted",
    limitations=("That the coefficients are to be read as weights with Parseval's identity is one reading.",),
)

parseval = claim(
    label="sharpness.setup.parseval.repaired",
    statement="The mean of f² is a quarter of the sum of the squared coefficients and of the square of their sum.",
    left=_SQUARE,
    relation="=",
    right=theorem.SQUARE,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form",),
    repairs=("sharpness.setup.parseval.indicators",),
)

characters_empty = claim(
    label="sharpness.setup.characters.empty",
    statement="In the characters the empty set, whose weight is the mean of f, weighs half the sum of the "
    "coefficients.",
    left=Quantity(
        "weight of the empty set",
        over_inputs(numeric.empty_weight),
        r"\hat{f}(\emptyset)",
        theorem.MEAN_BY_COMPONENTS,
    ),
    relation="=",
    right=theorem.MEAN,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.indicator.character",),
    repairs=("sharpness.setup.normalisation.centred",),
)


def _component_weight(points: Sequence[Point], device: str) -> Array:
    """The weight of component iota of each target."""
    row = (tensor_of(points, "iota", device) - 1)[:, None]
    weights = numeric.over_inputs(batch_of(points, device), numeric.component_weights)
    return weights.gather(1, row)[:, 0].cpu().numpy()


characters_weights = claim(
    label="sharpness.setup.characters.weights",
    statement="In the characters the set of each component weighs half its coefficient.",
    left=Quantity(
        "weight of a component", _component_weight, r"\hat{f}(S_\iota)", theorem.WEIGHT_BY_COMPONENTS, scale=1.0
    ),
    relation="=",
    right=theorem.WEIGHT,
    domain=Domain({T: Integers(2, tested_to=8), D: Integers(1, T), omega: SPARSITY, iota: Integers(1, omega),
                   c: POSITIVE, S: Subsets(omega, D, T)}),
    expected="proved",
    rests_on=("sharpness.setup.indicator.character",),
)  # fmt: skip

characters_others = claim(
    label="sharpness.setup.characters.others",
    statement="The squared weights of all 2^T sets add up to those of the empty set and of the components: no other "
    "set has weight.",
    left=Quantity(
        "sum of squared weights", over_inputs(numeric.squared_weights), r"\sum_S \hat{f}(S)^2", theorem.SQUARE_BY_PAIRS
    ),
    relation="=",
    right=theorem.MEAN**2 + theorem.VARIANCE,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.characters.empty", "sharpness.setup.characters.weights"),
    limitations=("By Parseval's identity in the characters the left side is the mean of f².",),
)
