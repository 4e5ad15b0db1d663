"""Random projection: Chernoff's bounds, chi-square tails and the union bound."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.measurements import measured
from boundaudit.checks.sharpness.projection.shared import claim
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import d
from boundaudit.derivations.sharpness.projection import epsilon, p_1, p_2, p_12
from boundaudit.numeric.sharpness import projection as network

chernoff = claim(
    label="sharpness.projection.chernoff",
    statement="The logarithms in Chernoff's bounds for squared lengths and products of projected positions are at most "
    "the first terms of their series.",
    relation="<=",
    kind="Tight",
    expected="proved",
    cases=(
        Case(
            "upper",
            statement="log(1+ε) is at most ε - ε²/2 + ε³/3, the first three terms of its series, for ε ≥ 0.",
            left=sp.log(1 + epsilon),
            right=theorem.UPPER_SERIES,
            domain=Domain({epsilon: Reals(0, tested_to=4)}),
            equality=({"epsilon": 0},),
        ),
        Case(
            "lower",
            statement="log y is at most -(1-y) - (1-y)²/2, the first two terms of the series of log(1-ε) in ε = 1-y, "
            "for 0 < y ≤ 1.",
            left=sp.log(theorem.y),
            right=theorem.LOWER_SERIES,
            domain=Domain({theorem.y: Reals(0, 1, open_low=True)}),
            equality=({"y": 1},),
        ),
        Case(
            "pair",
            statement="At the tilt ε/2 the exponent of Chernoff's bound for a product of independent normals is at "
            "most -ε²/3, for 0 ≤ ε ≤ 1.",
            left=lambda: theorem.pair_exponent(),
            right=-theorem.PAIR_RATE,
            domain=Domain({epsilon: Reals(0, 1)}),
            equality=({"epsilon": 0},),
        ),
    ),
)

_WIDTH = Integers(2, 1024)
_SIZES = Choices(
    tenth=Fraction(1, 10), quarter=Fraction(1, 4), half=Fraction(1, 2), three_quarters=Fraction(3, 4), one=1
)


def _tail(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    return measured(lambda at: of(at.whole("d"), at.real("epsilon")))


def _rate(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    """How fast a tail falls: -log P / d."""
    return _tail(lambda width, error: -of(width, error).log() / width)


tail = claim(
    label="sharpness.projection.tail",
    statement="A squared length or product of positions under a Gaussian projection to width d is off by more than ε "
    "with a probability that falls exponentially in dε².",
    relation=">=",
    cases=(
        Case(
            "upper",
            statement="The squared length of a unit vector under a Gaussian projection to width d exceeds 1 + ε with "
            "probability at most exp(-d(ε²/4 - ε³/6)), for ε ≤ 1.",
            left=Quantity(
                "rate of the probability of a squared length beyond 1+ε",
                _rate(network.length_upper),
                r"-\tfrac{1}{d} \log \mathbb{P}(\chi^2_d \ge (1 + \epsilon) d)",
                rounding=1e-8,
            ),
            right=theorem.UPPER_RATE,
            domain=Domain({d: _WIDTH, epsilon: _SIZES}),
            rests_on=("sharpness.projection.chernoff[upper]",),
        ),
        Case(
            "lower",
            statement="The squared length of a unit vector under a Gaussian projection to width d is below 1 - ε with "
            "probability at most exp(-dε²/4).",
            left=Quantity(
                "probability of a squared length below 1-ε",
                _tail(network.length_lower),
                r"\mathbb{P}(\chi^2_d \le (1 - \epsilon) d)",
                rounding=1e-8,
            ),
            relation="<=",
            kind="Upper",
            right=sp.exp(-d * theorem.LOWER_RATE),
            domain=Domain({d: Integers(2, 256), epsilon: Reals(0, tested_to=2)}),
            rests_on=("sharpness.projection.chernoff[lower]",),
        ),
        Case(
            "pair",
            statement="The product of two positions under a Gaussian projection to width d exceeds ε ≤ 1 with "
            "probability at most exp(-dε²/3).",
            left=Quantity(
                "rate of the probability of a product beyond ε",
                _rate(network.product_upper),
                r"-\tfrac{1}{d} \log \mathbb{P}(\langle x, y\rangle \ge \epsilon d)",
                rounding=1e-8,
            ),
            right=theorem.PAIR_RATE,
            domain=Domain({d: _WIDTH, epsilon: Reals(0, 1)}),
            rests_on=("sharpness.projection.chernoff[pair]",),
        ),
    ),
)

union = claim(
    label="sharpness.projection.union",
    statement="One of two events, dependent or not, happens with probability at most the sum of both probabilities; by "
    "induction the same holds for any number of events.",
    left=theorem.ONE_OF_TWO,
    relation="<=",
    right=theorem.SUM_OF_TWO,
    domain=Domain({p_1: Reals(0, 1), p_2: Reals(0, 1), p_12: Reals(0, 1)}, where=[p_1 + p_2 + p_12 <= 1]),
    kind="Tight",
    equality=({"p_1": sp.Rational(1, 4), "p_2": sp.Rational(1, 2), "p_12": 0},),
    expected="proved",
    limitations=("The step to any number of events is the usual induction and is not checked here.",),
)
