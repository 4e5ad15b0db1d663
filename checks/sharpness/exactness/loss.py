"""The loss at the construction: not zero, and how small."""

from __future__ import annotations

import math

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, combined
from boundaudit.checks.sharpness.exactness import outputs
from boundaudit.checks.sharpness.exactness.errors import LATER, ROWS, claim, error_at, leading
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH, by_trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.exactness import a_x, f, g
from boundaudit.derivations.sharpness.mlp import y_m
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
            statement="With softmaxes that attend to their support alone the construction represents its target "
            "exactly: its loss is zero at every input. For T ≥ 3, one component of D ≤ T positions with a coefficient "
            "of at most one, and either trapezoid.",
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

_OUTSIDE = {y_m: theory.UNUSED_PLACE}
_NUMBERS = Domain({
    T: Integers(3, tested_to=16), C: Reals(0, 1, open_low=True), f: Reals(0, 1), g: Reals(0, 1), a_x: Reals(f, f),
})  # fmt: skip

between = claim(
    label="sharpness.exactness.loss.between",
    statement="What lies between a number and itself is that number.",
    left=a_x,
    relation="=",
    right=f,
    domain=Domain({f: Reals(0, 1), a_x: Reals(f, f)}),
    expected="proved",
)

leaked = claim(
    label="sharpness.exactness.loss.leaked",
    statement="Where row 1 carries the target's share f and T rows carry g, both from 0 to 1, the squared error of one "
    "component with coefficient C is at most the squared leak (C/(C T + 1))².",
    left=theory.one_error(a_x, g, f) ** 2,
    right=theory.BIT_LEAK**2,
    domain=_NUMBERS,
    expected="proved",
    derivation=proof(
        "sharpness.exactness.loss.leaked", "The leak of layer 2", _NUMBERS,
        Step(theory.one_error(a_x, g, f) ** 2, "the squared error"),
        Step(theory.BIT_LEAK**2 * (g - f) ** 2, "the rows without component", "the weights add up to one",
             between.label),
        Step(theory.BIT_LEAK**2, "its bound", "both lie between 0 and 1", outputs.apart.label),
        samples={"T=6": {"T": 6, "C": 1, "f": 1, "g": "1/4", "a_x": 1}},
    ),
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
    expected="proved",
    repairs=("sharpness.exactness.loss.zero[finite]",),
    derivation=proof(
        "sharpness.exactness.loss.upper",
        "The loss at an input",
        _ONE_COMPONENT,
        Step(_LOSS, "(f_Θ - f)²"),
        Step(theory.BIT_LEAK**2, "the leak of layer 2", "the row of the component rests on its plateau", (
            outputs.NORMALISER, outputs.active.label,
            Instance(outputs.below_one.label, _OUTSIDE), Instance(outputs.above_zero.label, _OUTSIDE),
            Instance(leaked.label, {a_x: theory.active_output(), g: theory.unused_output(), f: even(k)}),
        )),
        samples={"T=6, D=2": {"T": 6, "D": 2, "k": 0, "r": 2, "u": 1, "C": 1}},
    ),
)  # fmt: skip
