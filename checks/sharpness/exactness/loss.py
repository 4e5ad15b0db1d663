"""The loss at the construction: not zero, and how small."""

from __future__ import annotations

import math

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, combined
from boundaudit.checks.sharpness.exactness.shared import (
    ENUMERATED,
    LATER,
    ROWS,
    SHORT,
    claim,
    error_at,
    leading,
    over_inputs,
)
from boundaudit.checks.sharpness.targets import BOTH, by_trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.parameters import T, even, k, u
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid


@by_trapezoid
def _ideal(at: Columns, mlp: Trapezoid) -> Tensor:
    """The output where both softmaxes are restricted to their support."""
    batch, bits = leading(at)
    return forward(build(batch, mlp=mlp, scale=math.inf), batch, bits[:, None], scale=math.inf)[:, 0]


_LOSS = Quantity(
    "squared error at an input", combined(lambda error: error**2, error_at), r"(f_\Theta(x) - f(x))^2",
    theory.one_loss, rounding=1e-11, scale=1.0,
)  # fmt: skip
_ONE_COMPONENT = Domain({T: Integers(3, tested_to=16), **ROWS, u: BOTH, C: Reals(0, 1, open_low=True)})

loss_zero = claim(
    label="sharpness.exactness.loss.zero",
    statement="The construction represents its target exactly: its loss is zero at every input, for T ≥ 3, one "
    "component of D ≤ T positions with a coefficient of at most one, and either trapezoid.",
    relation="=",
    right=sp.Integer(0),
    domain=_ONE_COMPONENT,
    cases=(
        Case(
            "finite",
            left=_LOSS,
            expected="refuted",
            rests_on=("sharpness.attention.second.zero[finite]", "sharpness.attention.first.limit",
                      "sharpness.mlp.interpolation"),
            limitations=("The later theorems suppose exact representation; it holds in the limit T→∞ alone.",),
        ),
        Case(
            "ideal",
            statement="The construction whose softmaxes attend to nothing but their support represents its target "
            "exactly, so that its loss is zero, at every input, for T ≥ 3, one component of D ≤ T positions with a "
            "coefficient of at most one, and either trapezoid.",
            left=Quantity("output of the ideal network", _ideal, r"f_{\Theta_\infty}(x)", theory.ideal_output,
                          rounding=1e-11, scale=1.0),
            right=C * even(k),
            expected="proved",
            rests_on=("sharpness.mlp.interpolation",),
        ),
    ),
    place=("Appendix B", *LATER),
    role="printed",
    reading="plausible",
    expected="refuted",
)  # fmt: skip

loss_upper = claim(
    label="sharpness.exactness.loss.upper",
    statement="For T ≥ 3 and one component with a coefficient C ≤ 1 the loss of the construction at every input is at "
    "most the squared leak (C/(C T + 1))², which is below 1/T², with either trapezoid.",
    left=_LOSS,
    relation="<=",
    right=theory.BIT_LEAK**2,
    domain=_ONE_COMPONENT,
    kind="Tight",
    equality=({"T": 3, "D": 1, "k": 0, "r": 2, "u": 1, "C": 1},),
    place=("Appendix B", *LATER),
    expected="supported",
    rests_on=("sharpness.exactness.leak.upper", "sharpness.exactness.plateau.margin[three]", "sharpness.mlp.plateaus"),
    repairs=("sharpness.exactness.loss.zero[finite]",),
    limitations=("The bound on the second layer's error and the plateaus, on which it rests, are proved.",),
)

loss_mean = claim(
    label="sharpness.exactness.loss.mean",
    statement="For 3 ≤ T ≤ 6 the mean squared error of the construction over uniform inputs is at most "
    "((T+1-ω)/T²)² (1 + Σc²/C²)/4, C the sum of the ω coefficients, for every target of degree D < T: as if the rows "
    "without a component carried all zero or all one.",
    left=Quantity(
        "mean squared error", over_inputs(lambda errors: errors.square().mean(-1)),
        r"\mathbb{E}\,(f_\Theta(x) - f(x))^2",
    ),
    relation="<=",
    right=theory.LOSS_BY_MEAN,
    domain=SHORT,
    place=("Appendix B", *LATER),
    expected="supported",
    rests_on=("sharpness.exactness.leak.measured", "sharpness.setup.characters[all]"),
    repairs=("sharpness.exactness.loss.zero[finite]",),
    limitations=(ENUMERATED, "Not proved; it would follow from g and f not being negatively correlated."),
)  # fmt: skip
