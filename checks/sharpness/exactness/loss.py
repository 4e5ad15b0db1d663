"""The loss at the construction: not zero, and how small."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, combined
from boundaudit.checks.sharpness.exactness import outputs
from boundaudit.checks.sharpness.exactness.errors import (
    LATER,
    ROWS,
    SHORT,
    claim,
    error_at,
    leading,
    over_inputs,
)
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH, TRAPEZOIDS, batch_of, by_trapezoid, of_targets, trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM, C
from boundaudit.derivations.sharpness.exactness import a_x, f, g
from boundaudit.derivations.sharpness.mlp import y_m
from boundaudit.derivations.sharpness.parameters import D, T, c, even, k, omega, t, u
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid, response
from boundaudit.numeric.sharpness.oracle import evaluate_batch, over_all_inputs
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


# --- its mean over inputs -------------------------------------------------------------------------

_SHAPES = Domain({T: Integers(3, 6), D: Integers(1, T - 1), u: BOTH})

correlated = claim(
    label="sharpness.exactness.loss.correlated",
    statement="For 3 ≤ T ≤ 6 and D < T the output g of the MLP on rows without a component and the even-parity "
    "indicator χ of D positions have 2 E gχ ≥ E g² over uniform inputs; both sides times 2^T.",
    left=theory.output_squares,
    right=theory.output_products,
    domain=_SHAPES,
    place=("Appendix B", *LATER),
    expected="proved",
)


def _per_target(of: Callable[[TargetBatch, Tensor, Trapezoid], Tensor]) -> Callable[[TargetBatch, Trapezoid], Tensor]:
    """A mean over all inputs, from targets, inputs and the trapezoid."""
    return lambda batch, mlp: over_all_inputs(batch, lambda part, bits: of(part, bits, mlp))


def _unused(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """The MLP's output on rows without a component, shape (B, N)."""
    ones = (bits.bool() & batch.real_positions[:, None]).double().sum(-1)
    return response(ones / (batch.length[:, None] + 1), batch.degree, mlp)


def _mean_square(*at: Any) -> Tensor:
    return _unused(*at).square().mean(-1)


def _with_each(batch: TargetBatch, bits: Tensor, mlp: Trapezoid) -> Tensor:
    """E gχ of each component, shape (B, w)."""
    indicators = (bits.double() @ batch.members.double().mT) % 2 == 0
    return (_unused(batch, bits, mlp)[..., None] * indicators).mean(1)


def _with_components(points: Sequence[Point], device: str) -> Array:
    found = np.zeros((len(points), max(point["omega"] for point in points)))
    for width in TRAPEZOIDS:
        chosen = [n for n, point in enumerate(points) if point["u"] == width]
        if chosen:
            at = Columns([points[n] for n in chosen], device)
            values = _per_target(_with_each)(batch_of(at), trapezoid(at)).cpu().numpy()
            found[chosen, : values.shape[1]] = values
    return found


def _moment(name: str, latex: str, of: Callable[[TargetBatch, Tensor, Trapezoid], Tensor]) -> Quantity:
    return Quantity(name, of_targets(_per_target(of)), latex, rounding=1e-11)


_MEAN = Quantity(
    "mean squared error", over_inputs(lambda errors: errors.square().mean(-1)), r"\mathbb{E}\,(f_\Theta(x) - f(x))^2"
)
_OUTPUT = _moment("mean square of the MLP's output on rows without a component", r"\mathbb{E}\, g^2", _mean_square).atom
_TARGET = _moment(
    "mean square of the target",
    r"\mathbb{E}\, f^2",
    lambda batch, bits, _: evaluate_batch(batch, bits).square().mean(-1),
).atom
_BOTH = Family(
    "mean product of that output and a component's indicator", _with_components, r"\mathbb{E}\, g \chi", omega
)


def _first(name: str, latex: str, of: Callable[[TargetBatch, Tensor, Trapezoid], Tensor]) -> Quantity:
    """A mean over all inputs for the component {1…D}."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        length = at.whole("T")
        batch = network.leading(length, at.whole("D"), torch.ones_like(length).double())
        return _per_target(of)(batch, mlp)

    return Quantity(f"{name}, one component", by_trapezoid(measure), latex, rounding=1e-11)


_FIRST = {
    "square": _first("mean square of the MLP's output", r"\mathbb{E}\, g^2", _mean_square).atom,
    "product": _first(
        "mean product with the indicator", r"\mathbb{E}\, g \chi", lambda *at: _with_each(*at)[:, 0]
    ).atom,
}
_LEAK = INACTIVE / (SUM * T**2 + INACTIVE)
_PRODUCTS = sp.Sum(c[t] * (2 * _BOTH[t] - _OUTPUT), (t, 1, omega))

_axiom = functools.partial(claim, role="axiom", relation="=", domain=SHORT, place=("Appendix B", *LATER))
mean_leak = _axiom(
    label="sharpness.exactness.loss.moments.leak",
    statement="The mean squared error over uniform inputs is λ² (E f² - C Σ c (2 E gχ - E g²)), λ = (T+1-ω)/(C T² + "
    "T+1-ω), χ the components' indicators and g the MLP's output on the rows without one: the network errs by "
    "λ (C g - Σ c χ), as every row of a component rests on its plateau.",
    left=_MEAN,
    right=_LEAK**2 * (_TARGET - SUM * _PRODUCTS),
)
mean_products = _axiom(
    label="sharpness.exactness.loss.moments.products",
    statement="Over uniform inputs 2 E gχ - E g² is the same for every component, that of {1…D} among them; here in "
    "the mean with the coefficients as weights.",
    left=lambda: _PRODUCTS,
    right=SUM * (2 * _FIRST["product"] - _FIRST["square"]),
)
mean_first = _axiom(
    label="sharpness.exactness.loss.moments.first",
    statement="For the component {1…D} the means over uniform inputs are sums over the ones in it and outside.",
    domain=_SHAPES,
    cases=(
        Case("square", left=2**T * _FIRST["square"], right=theory.output_squares,
             statement="2^T E g², with the component {1…D}, is a sum over the ones in it and outside."),
        Case("product", left=theory.output_products, right=2 ** (T + 1) * _FIRST["product"],
             statement="2^T · 2 E gχ, χ the component's own indicator, is a sum over the ones in it and outside."),
    ),
)  # fmt: skip
measured = claim(
    label="sharpness.exactness.loss.moments.measured",
    statement="For 3 ≤ T ≤ 6 and D < T the output g of the MLP on rows without a component and the even-parity "
    "indicator χ of {1…D} have E g² ≤ 2 E gχ over uniform inputs, as measured; both sides times 2^T.",
    left=2**T * _FIRST["square"],
    right=2 ** (T + 1) * _FIRST["product"],
    domain=_SHAPES,
    expected="proved",
    derivation=proof(
        "sharpness.exactness.loss.moments.measured", "The output and an indicator", _SHAPES,
        Step(2**T * _FIRST["square"], "2^T E g²"),
        Step(theory.output_squares(), "over the ones", "definition", f"{mean_first.label}[square]"),
        Step(theory.output_products(), "with the indicator", "", correlated.label),
        Step(2 ** (T + 1) * _FIRST["product"], "2^T · 2 E gχ", "definition", f"{mean_first.label}[product]"),
        samples={"T=4, D=2": {"T": 4, "D": 2, "u": 1}},
    ),
)  # fmt: skip
mean_target = _axiom(
    label="sharpness.exactness.loss.moments.target",
    statement="The mean square of the target over uniform inputs is (C² + Σc²)/4: indicators of distinct sets are "
    "pairwise independent.",
    left=_TARGET,
    right=theory.TOTAL_SQUARES,
)

loss_mean = claim(
    label="sharpness.exactness.loss.mean",
    statement="For 3 ≤ T ≤ 6 and every target of degree D < T the mean squared error of the construction over "
    "uniform inputs is at most ((T+1-ω)/T²)² (1 + Σc²/C²)/4, C the sum of the ω coefficients. That is "
    "what it would be if the rows without a component carried all zero or all one.",
    left=_MEAN,
    relation="<=",
    right=theory.LOSS_BY_MEAN,
    domain=SHORT,
    place=("Appendix B", *LATER),
    expected="proved",
    repairs=("sharpness.exactness.loss.zero[finite]",),
    derivation=proof(
        "sharpness.exactness.loss.mean",
        "The mean loss",
        SHORT,
        Step(_MEAN, "E (f_Θ - f)²"),
        Step(_LEAK**2 * (_TARGET - SUM * _PRODUCTS), "λ² E (C g - f)², λ = (T+1-ω)/(C T² + T+1-ω)", "its only error",
             mean_leak.label),
        Step(_LEAK**2 * _TARGET, "λ² E f²", "E g² ≤ 2 E gχ, component by component",
             (mean_products.label, measured.label, Instance("sharpness.averages.cancelled", {
                 "e_av": 2**T, "v_av": _FIRST["square"], "x_av": 2 * _FIRST["product"],
             }))),
        Step(theory.LOSS_BY_LEAK, "λ² (C² + Σc²)/4", "characters", mean_target.label),
        Step(theory.LOSS_BY_MEAN, "λ ≤ (T+1-ω)/(C T²)", "monotone"),
        samples={"T=6, D=2, ω=2": {"T": 6, "D": 2, "omega": 2, "u": 1, "c": (0.6, 0.8), "S": ((1, 2), (2, 4))}},
    ),
    limitations=("For lengths up to 6, where 2 E gχ ≥ E g² is proved; it holds as far as we looked, up to T = 60.",),
)  # fmt: skip
