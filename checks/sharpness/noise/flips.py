"""Lemma 22: how much noise turns units of the MLP on or off, from margins to a sufficient σ."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, counted
from boundaudit.checks.sharpness.noise.moves import (
    AVERAGES,
    EVERY_ROW,
    FIRST_ORDER,
    OPEN,
    RARE,
    ROWS,
    VARIANCE,
    claim,
    variance,
)
from boundaudit.checks.sharpness.targets import BOTH, TRAPEZOIDS, by_trapezoid
from boundaudit.derivations.sharpness import noise as theorem
from boundaudit.derivations.sharpness.parameters import D, T, u
from boundaudit.derivations.sharpness.projection import K
from boundaudit.numeric.sharpness import flips as measured
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_noise import Row, least_margin
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_PLACE = ("Lemma 22",)
_DEAD = "Units of odd grid points count too: their output weight is zero, but noise moves it."


@by_trapezoid
def _margins(at: Columns, mlp: Trapezoid) -> Tensor:
    sizes, place = torch.unique(torch.stack([at.whole("T"), at.whole("D")]), dim=1, return_inverse=True)
    return least_margin(sizes[0], sizes[1], mlp)[place]


_SIZES = Domain({T: Integers(4, tested_to=16), D: Integers(1, T), u: BOTH})
_MARGIN = Quantity(
    "least distance of an active row's average from a breakpoint", _margins,
    r"\min_{t, x, u} |s_t + \Gamma_u|", theorem.margin_by_shift, rounding=1e-11, scale=1.0,
)  # fmt: skip

margin_printed = claim(
    label="sharpness.noise.flips.margin-printed",
    statement="For T ≥ 4 and with either trapezoid the averages of active rows keep 1/(4D) from the breakpoints of all "
    "units.",
    left=_MARGIN,
    relation=">=",
    right=theorem.MARGIN_PRINTED,
    domain=_SIZES,
    role="printed",
    place=_PLACE,
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.exactness.plateau.margin[four]",),
    limitations=("True of the ideal network alone, whose rows average to k/D.", _DEAD),
)

margin = claim(
    label="sharpness.noise.flips.margin",
    statement="For T ≥ 4 and with either trapezoid the averages of active rows keep exactly 1/(4D) - (T+1-D)/(D T² + "
    "T+1-D) from the breakpoints of all units. The leak of the first attention moves the row farthest in which all "
    "bits of the component are set.",
    left=_MARGIN,
    relation="=",
    right=theorem.MARGIN,
    domain=_SIZES,
    place=_PLACE,
    rests_on=("sharpness.exactness.plateau.margin[four]",),
    repairs=("sharpness.noise.flips.margin-printed",),
    limitations=(_DEAD,),
)

argument = claim(
    label="sharpness.noise.flips.argument",
    statement="To first order the argument of a unit of the MLP in an active row, which averages to s, moves with "
    "variance at most 4σ²: at most 2σ² through the average, s²σ² through M and σ² through Γ.",
    left=variance(
        "variance of a unit's argument", Row.argument, r"\mathbb{V}[\tilde b_t \tilde M_u + \tilde\Gamma_u] / \sigma^2",
        theorem.ARGUMENT,
    ),
    right=sp.Integer(4),
    domain=AVERAGES,
    mode=FIRST_ORDER,
    place=_PLACE,
    rests_on=("sharpness.noise.averages.data", "sharpness.activations.averaged"),
    limitations=(VARIANCE, EVERY_ROW),
)  # fmt: skip


# --- a sufficient σ -------------------------------------------------------------------------------


def _equal(length: int, components: Sequence[Sequence[int]]) -> Target:
    """The target with equal coefficients of unit length."""
    return Target(length, tuple(map(tuple, components)), (len(components) ** -0.5,) * len(components))


_ROW = ROWS.replace(T=Integers(4, 16), D=Integers(1, sp.Min(T, 5)))


# --- the condition on σ for one row --------------------------------------------------------------------


def _one_row(point: Point, trials: int, seed: int, device: str) -> int:
    """In how many trials noise of size K/D flips a unit of the component {1…D}'s row at one input."""
    length, degree = point["T"], point["D"]
    position = torch.arange(length, device=device)
    bits = (position < point["k"]) | ((position >= degree) & (position < degree + point["r"]))
    batch = TargetBatch.stack([_equal(length, [range(1, degree + 1)])], device=device)
    blocks = build(batch, mlp=TRAPEZOIDS[point["u"]])
    return measured.flips(blocks, batch, bits[None], float(point["K"]) / degree, trials, seed).active


_ONE_ROW = Probability(
    "probability that a unit of one component's row flips at σ = K/D", counted(_one_row),
    r"\mathbb{P}[\text{a unit of the row flips}]",
)  # fmt: skip
_SINGLE = "One row at one input; for all rows of components at many inputs σ must be smaller by a logarithm's root."

condition = claim(
    label="sharpness.noise.flips.condition",
    statement="Noise of standard deviation σ ≤ K/D on all parameters leaves every unit of the MLP in a component's row "
    "on its side of the kink, at any one input with probability at least 19/20. For T ≥ 4 and every constant K ≤ 1/70.",
    left=_ONE_ROW,
    right=RARE,
    domain=lambda: Domain({**_ROW.ranges, K: Reals(sp.Rational(1, 1000), sp.Rational(1, 70))}),
    mode="with probability at least 19/20",
    role="printed",
    place=_PLACE,
    reading="plausible",
    rests_on=("sharpness.noise.flips.margin-printed", "sharpness.noise.averages.printed"),
    limitations=(OPEN, _SINGLE, EVERY_ROW),
)
