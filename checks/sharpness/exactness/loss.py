"""The loss at the construction: not zero, and how small."""

from __future__ import annotations

import math

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, combined
from boundaudit.checks.sharpness.exactness.shared import (
    LATER,
    ROWS,
    SHORT,
    claim,
    error_at,
    leading,
    leaked,
    over_inputs,
)
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH, by_trapezoid, of_targets
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.parameters import D, T, even, k, u
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import over_all_inputs
from boundaudit.numeric.sharpness.target import TargetBatch


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

_EXACT = "every row of a component rests on its plateau, and the others share the weight that is left"
_PLATEAU = "sharpness.exactness.plateau.margin[three]"


def _leak_at(at: Columns, mlp: Trapezoid) -> Tensor:
    batch, bits = leading(at)
    return leaked(batch, bits[:, None], mlp)[:, 0] ** 2


_BY_LEAK = Quantity(
    "squared leak at an input", by_trapezoid(_leak_at),
    r"\left( \frac{(T+1-\omega)(C g - f)}{C T^2 + T+1-\omega} \right)^2", rounding=1e-11, scale=1.0,
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
    rests_on=("sharpness.mlp.plateaus",),
    repairs=("sharpness.exactness.loss.zero[finite]",),
    derivation=proof(
        "sharpness.exactness.loss.upper",
        "The loss at an input",
        _ONE_COMPONENT,
        Step(_LOSS, "(f_Θ - f)²"),
        Step(_BY_LEAK, "the leak of layer 2", _EXACT, _PLATEAU),
        Step(theory.BIT_LEAK**2, "its bound", "f and C g lie between 0 and C", "sharpness.exactness.leak.upper"),
        samples={"T=6, D=2": {"T": 6, "D": 2, "k": 0, "r": 2, "u": 1, "C": 1}},
    ),
)


# --- its mean over inputs -------------------------------------------------------------------------

correlated = claim(
    label="sharpness.exactness.loss.correlated",
    statement="For 3 ≤ T ≤ 6 and D < T the output g of the MLP on rows without a component and the even-parity "
    "indicator χ of D positions have 2 E gχ ≥ E g² over uniform inputs; both sides times 2^T.",
    left=theory.with_values,
    relation=">=",
    right=0,
    domain=Domain({T: Integers(3, 6), D: Integers(1, T - 1), u: BOTH}),
    place=("Appendix B", *LATER),
    expected="proved",
)


def _mean(values: float) -> Measure:
    """The mean square over all inputs of what layer 2 leaks, with multiples of the unused rows' values."""

    def one(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
        return leaked(batch, bits, mlp, values=values).square().mean(-1)

    return of_targets(lambda batch, mlp: over_all_inputs(batch, lambda part, bits: one(part, bits, mlp)))


_MEAN = Quantity(
    "mean squared error", over_inputs(lambda errors: errors.square().mean(-1)), r"\mathbb{E}\,(f_\Theta(x) - f(x))^2"
)
_MEAN_LEAK = Quantity(
    "mean squared leak", _mean(1.0), r"\lambda^2\, \mathbb{E}\,(C g - f)^2", rounding=1e-11
)  # fmt: skip
_MEAN_TARGET = Quantity("the same with g = 0", _mean(0.0), r"\lambda^2\, \mathbb{E}\, f^2", rounding=1e-11)

loss_mean = claim(
    label="sharpness.exactness.loss.mean",
    statement="For 3 ≤ T ≤ 6 the mean squared error of the construction over uniform inputs is at most "
    "((T+1-ω)/T²)² (1 + Σc²/C²)/4, C the sum of the ω coefficients, for every target of degree D < T: as if the rows "
    "without a component carried all zero or all one.",
    left=_MEAN,
    relation="<=",
    right=theory.LOSS_BY_MEAN,
    domain=SHORT,
    place=("Appendix B", *LATER),
    expected="supported",
    rests_on=("sharpness.exactness.leak.identity", "sharpness.mlp.plateaus"),
    repairs=("sharpness.exactness.loss.zero[finite]",),
    derivation=proof(
        "sharpness.exactness.loss.mean",
        "The mean loss",
        SHORT,
        Step(_MEAN, "E (f_Θ - f)²"),
        Step(_MEAN_LEAK, "λ² E (C g - f)², λ = (T+1-ω)/(C T² + T+1-ω)", _EXACT, _PLATEAU),
        Step(_MEAN_TARGET, "λ² E f²", "C² E g² ≤ 2 C E g f, component by component", correlated.label),
        Step(theory.LOSS_BY_LEAK, "λ² (C² + Σc²)/4", "E f² by characters", "sharpness.setup.characters[all]"),
        Step(theory.LOSS_BY_MEAN, "λ ≤ (T+1-ω)/(C T²)", "monotone"),
        samples={"T=6, D=2, ω=2": {"T": 6, "D": 2, "omega": 2, "u": 1, "c": (0.6, 0.8), "S": ((1, 2), (2, 4))}},
    ),
    limitations=("For lengths up to 6, where 2 E gχ ≥ E g² is proved; it holds as far as we looked, up to T = 60.",),
)  # fmt: skip
