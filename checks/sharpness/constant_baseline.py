"""When a bound is informative: the risk of the best constant predictor, and not 1."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.setup.shared import TARGETS
from boundaudit.checks.sharpness.targets import PAPER, batch_of
from boundaudit.derivations.pac_bayes.symbols import M_c
from boundaudit.derivations.sharpness import constant_baseline as theorem
from boundaudit.derivations.sharpness.constant_baseline import a_f, b_v, s_f
from boundaudit.derivations.sharpness.parameters import c, omega
from boundaudit.derivations.sharpness.setup import VARIANCE
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import constant_baseline, setup
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))
_DISJOINT = "Ten disjoint pairs of twenty bits with coefficients 1/√10."


def _column(points: Sequence[Point], device: str, name: str) -> Tensor:
    return torch.tensor([float(p[name]) for p in points], dtype=torch.float64, device=device)


# --- the squared loss -----------------------------------------------------------------------------


def _risk(points: Sequence[Point], device: str) -> Array:
    """E(f - a)² over all inputs, from mean and mean square of f - a."""
    batch = batch_of(points, device)
    mean = setup.over_inputs(batch, setup.mean)
    variance = setup.over_inputs(batch, setup.variance)
    return (variance + (mean - _column(points, device, "a_f")).square()).cpu().numpy()


_OF_CONSTANT = Quantity("risk of a constant predictor", _risk, r"\mathrm{E}(f - a)^2", theorem.RISK, scale=1.0)

_SMALL = TARGETS.replace(T=Integers(2, tested_to=5))
_BALL: dict[object, Range] = {
    omega: Integers(1, tested_to=4),
    c: Vector(omega, Reals(0, 1, open_low=True), square_sum=1),
}

below_one = claim(
    label="sharpness.constant_baseline.below-one",
    statement="A bound whose value is below 1 is below the risk of the best constant predictor.",
    left=b_v,
    relation="<=",
    right=VARIANCE,
    domain=Domain({**_BALL, b_v: Reals(0, 1, open_high=True)}),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.constant_baseline.constant",),
    limitations=("That non-vacuous means below 1 is the usual reading; the text compares with nothing smaller.",),
)

constant = claim(
    label="sharpness.constant_baseline.constant",
    statement="No constant predictor has a smaller risk than Σ c_t²/4, and half the sum of the coefficients has it, "
    "whether components overlap or not: a bound tells something where it is below this.",
    left=_OF_CONSTANT,
    relation=">=",
    right=VARIANCE,
    domain=Domain({**_SMALL.ranges, a_f: Reals(tested_to=8)}),
    kind="Tight",
    equality=({"T": 2, "D": 1, "omega": 1, "c": (1,), "S": ((1,),), "a_f": sp.Rational(1, 2)},),
    expected="proved",
    rests_on=("sharpness.setup.gram.closed-form", "sharpness.setup.characters.empty"),
    repairs=("sharpness.constant_baseline.below-one", "sharpness.constant_baseline.printed-value"),
)

quarter = claim(
    label="sharpness.constant_baseline.quarter",
    statement="With coefficients in the unit ball the constant baseline is at most 1/4.",
    left=VARIANCE,
    relation="<=",
    right=theorem.QUARTER,
    domain=Domain(_BALL),
    kind="Tight",
    equality=({"omega": 1, "c": (1,)},),
    expected="proved",
    rests_on=("sharpness.constant_baseline.constant",),
)

printed_value = claim(
    label="sharpness.constant_baseline.printed-value",
    statement="The value 0.327 that is printed for ten components at a million samples is below the risk of the best "
    "constant predictor.",
    left=theorem.PRINTED_VALUE,
    relation="<=",
    right=VARIANCE,
    domain=Domain({**_BALL, omega: Integers(10, 10)}),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.constant_baseline.constant",),
    place=("Theorem 2", "Appendix E"),
    limitations=("Coefficients in the unit ball, as the bound on the norm needs them.",),
)

# --- the clipped loss -----------------------------------------------------------------------------


@functools.cache
def _table() -> constant_baseline.Law:
    """The target at all 2^20 inputs, equal values put together."""
    pairs = tuple((n, n + 1) for n in range(1, 20, 2))
    values = evaluate(Target(20, pairs, (0.1**0.5,) * 10), bit_strings(20, 0, 2**20))
    found, counts = np.unique(values.numpy().round(12), return_counts=True)
    return constant_baseline.Law(torch.from_numpy(found), torch.from_numpy(counts / 2**20))


def _clipped(points: Sequence[Point], device: str) -> Array:
    constants, clip = (_column(points, device, name)[:, None] for name in ("s_f", "M_c"))
    law = _table()
    loss = (law.values.to(device) - constants * 0.1**0.5).square().minimum(clip)
    found: Array = (loss @ law.probabilities.to(device)).cpu().numpy()
    return found


def _least(points: Sequence[Point], device: str) -> Array:
    return np.array([float(constant_baseline.best_constant(_table(), float(p["M_c"])).risk) for p in points])


_NEAR = Quantity(
    "clipped risk of a constant predictor", _clipped, r"\mathrm{E}\,\min((f - a)^2, M)", theorem.CLIPPED_NEAR,
    rounding=1e-10,
)  # fmt: skip
_LEAST = Quantity("least clipped risk of a constant", _least, r"\min_a \mathrm{E}\,\min((f - a)^2, M)", rounding=1e-10)
_CONSTANTS = Reals(5, 6)
_PIECES = "All pieces between clips are searched, in float64."

clipped_one = claim(
    label="sharpness.constant_baseline.clipped-at-one",
    statement="For the loss clipped at 1 the constant baseline is 241/1024 = 0.23535.",
    left=_LEAST,
    relation="=",
    right=theorem.CLIPPED_AT_ONE,
    domain=Domain({M_c: Choices(one=1)}),
    expected="supported",
    limitations=(_DISJOINT, _PIECES),
)

clipped_wide = claim(
    label="sharpness.constant_baseline.clipped-wide",
    statement="From a clip of 2560/1023 = 2.50244 on the constant baseline is 1/4, as without it.",
    left=_LEAST,
    relation="=",
    right=theorem.QUARTER,
    domain=Domain({M_c: Reals(theorem.LEAST_CLIP, tested_to=10)}),
    expected="supported",
    rests_on=("sharpness.constant_baseline.clipped-near",),
    limitations=(_DISJOINT, _PIECES),
)

clipped_largest = claim(
    label="sharpness.constant_baseline.clipped-at-largest",
    statement="For the loss clipped at 5/2, its largest value for the mean of the target, no constant is better than "
    "without the clip.",
    left=_NEAR,
    relation=">=",
    right=theorem.QUARTER,
    domain=Domain({M_c: Choices(largest="5/2"), s_f: _CONSTANTS}),
    expected="refuted",
    limitations=(_DISJOINT, "No statement of the paper. The constant s = 5 + 5/1023 gains 2.4e-6."),
)

clipped_near = claim(
    label="sharpness.constant_baseline.clipped-near",
    statement="With a clip of 2560/1023 or more a constant that moves away from the mean pays more than the clip of "
    "the value 0 gains it.",
    left=theorem.COST_OF_MOVE,
    relation=">=",
    right=theorem.GAIN_OF_CLIP,
    domain=Domain({M_c: Reals(theorem.LEAST_CLIP, tested_to=10), s_f: Reals(tested_to=10)}),
    kind="Tight",
    equality=({"M_c": theorem.LEAST_CLIP, "s_f": 5 + sp.Rational(5, 1023)},),
    expected="proved",
    repairs=("sharpness.constant_baseline.clipped-at-largest",),
    limitations=(_DISJOINT, "Constants s/√10."),
)
