"""Random projection: Chernoff's bounds, chi-square tails and the union bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.projection.shared import claim
from boundaudit.derivations.sharpness import projection as theorem
from boundaudit.derivations.sharpness.parameters import d
from boundaudit.derivations.sharpness.projection import epsilon, p_1, p_2, p_12
from boundaudit.numeric.sharpness import projection as measured

chernoff_upper = claim(
    label="sharpness.projection.chernoff.upper",
    statement="log(1+ε) is at most the first three terms of its series.",
    left=sp.log(1 + epsilon),
    relation="<=",
    right=theorem.UPPER_SERIES,
    domain=Domain({epsilon: Reals(0, tested_to=4)}),
    kind="Tight",
    equality=({"epsilon": 0},),
    expected="proved",
)

chernoff_lower = claim(
    label="sharpness.projection.chernoff.lower",
    statement="log(1-ε) is at most the first two terms of its series; here y = 1-ε.",
    left=sp.log(theorem.y),
    relation="<=",
    right=theorem.LOWER_SERIES,
    domain=Domain({theorem.y: Reals(0, 1, open_low=True)}),
    kind="Tight",
    equality=({"y": 1},),
    expected="proved",
)

chernoff_pair = claim(
    label="sharpness.projection.chernoff.pair",
    statement="At the tilt ε/2 the exponent of Chernoff's bound for a product of independent normals is at most -ε²/3.",
    left=theorem.PAIR_EXPONENT,
    relation="<=",
    right=-theorem.PAIR_RATE,
    domain=Domain({epsilon: Reals(0, 1)}),
    kind="Tight",
    equality=({"epsilon": 0},),
    expected="proved",
)

_WIDTH = Integers(2, 1024)
_SIZES = Choices(
    tenth=Fraction(1, 10), quarter=Fraction(1, 4), half=Fraction(1, 2), three_quarters=Fraction(3, 4), one=1
)


def _tail(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        width = torch.tensor([point["d"] for point in points], device=device)
        error = torch.tensor([float(point["epsilon"]) for point in points], dtype=torch.float64, device=device)
        values: Array = of(width, error).cpu().numpy()
        return values

    return measure


def _rate(of: Callable[[Tensor, Tensor], Tensor]) -> Measure:
    """How fast a tail falls: -log P / d."""
    return _tail(lambda width, error: -of(width, error).log() / width)


tail_upper = claim(
    label="sharpness.projection.tail.upper",
    statement="The squared length of a projected unit vector exceeds 1 + ε with probability at most exp(-d(ε²/4 - "
    "ε³/6)).",
    left=Quantity(
        "rate of the probability of a squared length beyond 1+ε",
        _rate(measured.length_upper),
        r"-\tfrac{1}{d} \log \mathbb{P}(\chi^2_d \ge (1 + \epsilon) d)",
        rounding=1e-8,
    ),
    relation=">=",
    right=theorem.UPPER_RATE,
    domain=Domain({d: _WIDTH, epsilon: _SIZES}),
    expected="supported",
    rests_on=("sharpness.projection.chernoff.upper",),
)

tail_lower = claim(
    label="sharpness.projection.tail.lower",
    statement="The squared length of a projected unit vector is below 1 - ε with probability at most exp(-dε²/4).",
    left=Quantity(
        "probability of a squared length below 1-ε",
        _tail(measured.length_lower),
        r"\mathbb{P}(\chi^2_d \le (1 - \epsilon) d)",
        rounding=1e-8,
    ),
    relation="<=",
    right=sp.exp(-d * theorem.LOWER_RATE),
    domain=Domain({d: Integers(2, 256), epsilon: Reals(0, tested_to=2)}),
    expected="supported",
    rests_on=("sharpness.projection.chernoff.lower",),
)

tail_pair = claim(
    label="sharpness.projection.tail.pair",
    statement="The product of two projected positions exceeds ε ≤ 1 with probability at most exp(-dε²/3).",
    left=Quantity(
        "rate of the probability of a product beyond ε",
        _rate(measured.product_upper),
        r"-\tfrac{1}{d} \log \mathbb{P}(\langle x, y\rangle \ge \epsilon d)",
        rounding=1e-8,
    ),
    relation=">=",
    right=theorem.PAIR_RATE,
    domain=Domain({d: _WIDTH, epsilon: Reals(0, 1)}),
    expected="supported",
    rests_on=("sharpness.projection.chernoff.pair",),
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
