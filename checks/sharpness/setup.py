"""The setting (Equation 1, Appendix B): the basis of indicators, what targets can be, width and parameters."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.claim import Claim, Measure, Quantity
from boundaudit.checks.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.floats import Array
from boundaudit.checks.points import Point
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness import setup as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, even, k, omega
from boundaudit.derivations.sharpness.setup import iota, least, n_1, n_2, n_12
from boundaudit.numeric.sharpness import setup as numeric
from boundaudit.numeric.sharpness.construction import Layout

_claim = functools.partial(Claim, paper=PAPER, place=("Equation 1",))

_POSITIVE = Vector(omega, Reals(0, open_low=True, tested_to=8))
_S = sp.Symbol("S")
TARGETS = Domain(
    {
        T: Integers(2, tested_to=8),
        D: Integers(1, T),
        omega: SPARSITY,
        c: _POSITIVE,
        _S: Subsets(omega, D, T),
    }
)
"""Targets of equal degree with positive coefficients."""

IN_BALL = TARGETS.replace(c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""The same with coefficients in the unit ball."""

SEVERAL = TARGETS.replace(D=Integers(1, T - 1), omega=Integers(2, T))
"""At least two components; at D = T there is only one subset."""


def _tensor(points: Sequence[Point], name: str, device: str) -> Tensor:
    return torch.tensor([point[name] for point in points], device=device)


def _over_inputs(statistic: numeric.Statistic) -> Measure:
    """A statistic of the target over all of its inputs."""

    def measure(points: Sequence[Point], device: str) -> Array:
        return numeric.over_inputs(batch_of(points, device), statistic).cpu().numpy()

    return measure


def _per_size(of: Callable[..., float], *names: str) -> Measure:
    """A number that depends on a few integers alone, computed once for each."""
    known = functools.cache(of)
    return lambda points, device: np.array([float(known(*(point[name] for name in names))) for point in points])


# --- indicators -----------------------------------------------------------------------------------


def _parity(points: Sequence[Point], device: str) -> Array:
    return numeric.even_parity(_tensor(points, "k", device), _tensor(points, "D", device)).cpu().numpy()


character = _claim(
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

determinant = _claim(
    label="sharpness.setup.basis.determinant",
    statement="The matrix of all 2^T indicators at all 2^T inputs has a determinant of absolute value "
    "2^(T 2^(T-1) - 2^T + 1): it is not zero, so the indicators are a basis of the real functions on bit strings.",
    left=Quantity(
        "log2 |det|",
        _per_size(numeric.log_determinant, "T"),
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
    sizes = (_tensor(points, name, device) for name in ("n_1", "n_2", "n_12"))
    return numeric.mean_product(*sizes).cpu().numpy()


_GRAM = Quantity(
    "mean product of two indicators", _mean_product, r"\mathrm{E}\, \chi_S \chi_{S'}", theorem.GRAM_BY_CHARACTERS
)
_TWO_SETS = Domain(
    {n_1: Integers(0, tested_to=4), n_2: Integers(0, tested_to=4), n_12: Integers(0, tested_to=4)},
    where=[n_1 + n_12 >= 1, n_2 + n_12 >= 1],
)
_SIZES = "The sets enter by how many positions are in S alone, in S' alone and in both."

gram_orthonormal = _claim(
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

gram = _claim(
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


# --- Parseval and characters ----------------------------------------------------------------------

_SQUARE = Quantity("mean of f²", _over_inputs(numeric.mean_square), r"\mathrm{E} f^2", theorem.SQUARE_BY_PAIRS)

parseval_indicators = _claim(
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

parseval = _claim(
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

characters_empty = _claim(
    label="sharpness.setup.characters.empty",
    statement="In the characters the empty set, whose weight is the mean of f, weighs half the sum of the "
    "coefficients.",
    left=Quantity(
        "weight of the empty set",
        _over_inputs(numeric.empty_weight),
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
    row = (_tensor(points, "iota", device) - 1)[:, None]
    weights = numeric.over_inputs(batch_of(points, device), numeric.component_weights)
    return weights.gather(1, row)[:, 0].cpu().numpy()


characters_weights = _claim(
    label="sharpness.setup.characters.weights",
    statement="In the characters the set of each component weighs half its coefficient.",
    left=Quantity(
        "weight of a component", _component_weight, r"\hat{f}(S_\iota)", theorem.WEIGHT_BY_COMPONENTS, scale=1.0
    ),
    relation="=",
    right=theorem.WEIGHT,
    domain=Domain({T: Integers(2, tested_to=8), D: Integers(1, T), omega: SPARSITY, iota: Integers(1, omega),
                   c: _POSITIVE, _S: Subsets(omega, D, T)}),
    expected="proved",
    rests_on=("sharpness.setup.indicator.character",),
)  # fmt: skip

characters_others = _claim(
    label="sharpness.setup.characters.others",
    statement="The squared weights of all 2^T sets add up to those of the empty set and of the components: no other "
    "set has weight.",
    left=Quantity(
        "sum of squared weights", _over_inputs(numeric.squared_weights), r"\sum_S \hat{f}(S)^2", theorem.SQUARE_BY_PAIRS
    ),
    relation="=",
    right=theorem.MEAN**2 + theorem.VARIANCE,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.characters.empty", "sharpness.setup.characters.weights"),
    limitations=("By Parseval's identity in the characters the left side is the mean of f².",),
)


# --- Boolean-valued targets -----------------------------------------------------------------------


def _gap(name: str, definition: sp.Expr) -> Quantity:
    return Quantity(name, _over_inputs(numeric.boolean_gap), r"\mathrm{E} f (C - f)", definition)


_GAP = _gap("mean of f(C - f)", theorem.GAP_BY_PAIRS)
_GAP_ONCE = _gap("mean of f(C - f), each pair once", theorem.GAP_BY_UNORDERED_PAIRS)

boolean_as_assumed = _claim(
    label="sharpness.setup.boolean.as-assumed",
    statement="A Boolean target can have two or more components of equal degree with positive coefficients: with no "
    "values but 0 and C = f(0) the mean of f(C-f) is zero.",
    left=_GAP,
    relation="=",
    right=sp.Integer(0),
    domain=SEVERAL.replace(c=IN_BALL.ranges["c"]),
    reading="plausible",
    expected="refuted",
    limitations=("The text speaks of Boolean target functions; that f itself has two values is one reading.",),
)

boolean_gap = _claim(
    label="sharpness.setup.boolean.gap",
    statement="The mean of f(C-f) is a quarter of the square of the coefficients' sum less the sum of their squares.",
    left=_GAP,
    relation="=",
    right=theorem.GAP,
    domain=TARGETS,
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form",),
    repairs=("sharpness.setup.boolean.as-assumed",),
)

_ABOVE_LEAST = Domain(
    {
        T: Integers(2, tested_to=6),
        D: Integers(1, T - 1),
        omega: Integers(2, T),
        least: Reals(0, open_low=True, tested_to=1),
        c: Vector(omega, Reals(least, tested_to=8)),
        _S: Subsets(omega, D, T),
    }
)

boolean_pair_by_pair = _claim(
    label="sharpness.setup.boolean.pair-by-pair",
    statement="Each pair of components adds at least half the square of the smallest coefficient to the mean of "
    "f(C-f).",
    left=_GAP_ONCE,
    relation=">=",
    right=theorem.LEAST_BY_PAIRS,
    domain=_ABOVE_LEAST,
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form",),
)

boolean_pairs = _claim(
    label="sharpness.setup.boolean.pairs",
    statement="There are ω(ω-1)/2 pairs of components to add half the square of the smallest coefficient.",
    left=theorem.LEAST_BY_PAIRS,
    relation="=",
    right=theorem.LEAST_GAP,
    domain=_ABOVE_LEAST,
    expected="proved",
)

boolean_one_component = _claim(
    label="sharpness.setup.boolean.forces-one-component",
    statement="With ω ≥ 2 components, none weighing less than c_min > 0, the mean of f(C-f) is at least "
    "ω(ω-1) c_min²/4 > 0: positive coefficients of equal degree make a Boolean-valued target only for ω = 1.",
    left=_GAP_ONCE,
    relation=">=",
    right=theorem.LEAST_GAP,
    domain=_ABOVE_LEAST,
    kind="Tight",
    equality=({"T": 2, "D": 1, "omega": 2, "c_min": 1, "c": (1, 1), "S": ((1,), (2,))},),
    expected="proved",
    rests_on=("sharpness.setup.boolean.pair-by-pair", "sharpness.setup.boolean.pairs"),
    limitations=(
        "A Boolean-valued f has no values but 0 and C = f(0); values -1 and 1 are excluded by f ≥ 0.",
        "Two other values are possible: equal weights on {1,2}, {1,3} and {2,3} give c and 3c.",
    ),
)


# --- normalisation --------------------------------------------------------------------------------

_LARGEST = Quantity("largest |f|", _over_inputs(numeric.largest), r"\max_x |f(x)|", theorem.MASS)
_MEAN = Quantity("mean of f", _over_inputs(numeric.mean), r"\mathrm{E} f", theorem.MEAN_BY_COMPONENTS)
_VARIANCE = Quantity("variance of f", _over_inputs(numeric.variance), r"\mathrm{Var} f", theorem.VARIANCE_BY_PAIRS)
_ONE_READING = ("The text's normalisation of the target has several readings; this is one of them.",)

bounded = _claim(
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

supremum = _claim(
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

centred = _claim(
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

variance_printed = _claim(
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

variance = _claim(
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


# --- width and number of parameters ---------------------------------------------------------------

_NETWORKS = Domain({T: Integers(2, tested_to=24), D: Integers(1, T)})


def _width(name: str, statement: str, layout: Layout, definition: sp.Expr, right: sp.Expr) -> Claim:
    def count(length: int, degree: int) -> float:
        return numeric.channel_count(length, degree, layout)

    return _claim(
        label=f"sharpness.setup.width.{name}",
        statement=statement,
        left=Quantity("channels", _per_size(count, "T", "D"), "d + 1", definition),
        relation="=",
        right=right,
        domain=_NETWORKS,
        place=("Appendix B",),
        reading="certain" if layout == "published" else "derived here",
        expected="proved",
    )


width_published = _width(
    "published",
    "The construction without a projection is T+2 wide: one channel for each position and for the output position, and "
    "one for bit and data.",
    "published",
    theorem.POSITION_CHANNELS + 1,
    theorem.WIDTH,
)

width_separate = _width(
    "separate-data",
    "With a channel of its own for the data the construction is T+3 wide.",
    "separate-data",
    theorem.POSITION_CHANNELS + 2,
    theorem.SEPARATE_WIDTH,
)

_COUNT = Quantity(
    "number of parameters", _per_size(numeric.parameter_count, "T", "D"), r"|\Theta|", theorem.COUNT_BY_BLOCKS
)

count_published = _claim(
    label="sharpness.setup.parameter-count.published",
    statement="With d+1 = T+2 channels the construction has 3(d+1)² + (d+1) + (8d+6)(D+1) parameters.",
    left=_COUNT,
    relation="=",
    right=theorem.PUBLISHED_COUNT,
    domain=_NETWORKS,
    place=("Appendix B",),
    reading="plausible",
    expected="refuted",
    limitations=("The formula is that of the authors' public code, with M, F and Gamma taken as full blocks.",),
)

count_repaired = _claim(
    label="sharpness.setup.parameter-count.repaired",
    statement="With d+1 = T+2 channels the construction has 3(d+1)² + (d+1) + (8d+12)(D+1) parameters, 6(D+1) more "
    "than published: M and F have d+1 entries for each of 4(D+1) hidden units, Gamma one.",
    left=_COUNT,
    relation="=",
    right=theorem.COUNT,
    domain=_NETWORKS,
    place=("Appendix B",),
    expected="proved",
    rests_on=("sharpness.setup.width.published",),
    repairs=("sharpness.setup.parameter-count.published",),
)
