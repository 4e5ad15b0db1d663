"""The loss at the construction: not zero, and how small."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.exactness.shared import (
    COEFFICIENT,
    ENUMERATED,
    FAMILY,
    LATER,
    ROWS,
    SHORT,
    claim,
    leading,
    over_inputs,
    scales,
)
from boundaudit.checks.sharpness.targets import STEEP, batch_of, by_trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.parameters import T, u
from boundaudit.numeric.sharpness import leak
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate_batch


def _squared_error(points: Sequence[Point], device: str) -> Array:
    """One component: the squared error at the input with k and r ones."""

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        batch, bits = leading(chosen, device)
        two = scales(chosen, device)
        return leak.errors(batch, bits[:, None], two, two, mlp)[:, 0].square()

    return by_trapezoid(points, of)


_LOSS = Quantity(
    "squared error at an input", _squared_error, r"(f_\Theta(x) - f(x))^2", theory.ONE_LOSS, rounding=1e-11, scale=1.0
)
_ONE_COMPONENT = Domain({T: Integers(3, tested_to=16), **ROWS, u: STEEP, **COEFFICIENT})

loss_zero = claim(
    label="sharpness.exactness.loss.zero",
    statement="The construction represents its target exactly: its loss is zero at every input.",
    left=_LOSS,
    relation="=",
    right=sp.Integer(0),
    domain=_ONE_COMPONENT,
    place=LATER,
    reading="plausible",
    expected="refuted",
    limitations=("The later theorems suppose exact representation; it holds in the limit T→∞ alone.",),
)

loss_upper = claim(
    label="sharpness.exactness.loss.upper",
    statement="With one component and the steep trapezoid the loss at every input is at most the squared leak "
    "(C/(C T + 1))², which is below 1/T².",
    left=_LOSS,
    relation="<=",
    right=theory.BIT_LEAK**2,
    domain=_ONE_COMPONENT,
    kind="Tight",
    equality=({"T": 3, "D": 1, "k": 0, "r": 2, "u": 1, "C": 1},),
    place=LATER,
    expected="certified",
    rests_on=("sharpness.exactness.leak.upper",),
    repairs=("sharpness.exactness.loss.zero",),
)


def _mean_square(points: Sequence[Point], device: str) -> Array:
    """The mean of f² over all inputs, by counting bits."""
    batch = batch_of(points, device)
    found: Array = leak.over_all_inputs(
        batch, lambda part, bits: evaluate_batch(part, bits).square().mean(-1)
    ).cpu().numpy()  # fmt: skip
    return found


leak_mean = claim(
    label="sharpness.exactness.leak.mean",
    statement="Over uniform inputs f² has the mean (C² + Σ c_t²)/4, the factor of the leak's square where g is "
    "always zero.",
    left=Quantity("mean of f² over all inputs", _mean_square, r"\mathbb{E}\,f(x)^2", theory.MEAN_SQUARE_BY_PAIRS),
    relation="=",
    right=theory.MEAN_SQUARE,
    domain=Domain({T: Integers(2, 8), **{name: found for name, found in FAMILY.items() if name != u}}),
    expected="certified",
    limitations=("Measured over all inputs, for lengths up to 8.",),
)


def _mean_squared_error(points: Sequence[Point], device: str) -> Array:
    return over_inputs(points, device, lambda errors: errors.square().mean(-1))


_MEAN_LOSS = Quantity("mean squared error", _mean_squared_error, r"\mathbb{E}\,(f_\Theta(x) - f(x))^2")


loss_mean = claim(
    label="sharpness.exactness.loss.mean",
    statement="The mean squared error over uniform inputs is at most ((T+1-ω)/T²)² (1 + Σc²/C²)/4: as if the rows "
    "without a component carried all zero or all one.",
    left=_MEAN_LOSS,
    relation="<=",
    right=theory.LOSS_BY_MEAN,
    domain=SHORT,
    place=("Appendix B", *LATER),
    expected="supported",
    rests_on=("sharpness.exactness.leak.measured", "sharpness.exactness.leak.mean"),
    limitations=(ENUMERATED, "Not proved; it would follow from g and f not being negatively correlated."),
)
