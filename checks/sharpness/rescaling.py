"""Appendix D: rescaling the MLP, and inputs that leave a component silent."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Subsets
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.targets import (
    BOTH,
    PAPER,
    STEEP,
    WIDE,
    WITH_INPUT,
    batch_of,
    by_trapezoid,
    input_bits,
    of_targets,
)
from boundaudit.derivations.sharpness import rescaled_bits
from boundaudit.derivations.sharpness import rescaling as theorem
from boundaudit.derivations.sharpness.bound import rescaled as both_theorem
from boundaudit.derivations.sharpness.bound.rescaled import beta_r, h_0, h_1, h_2, l_0, l_1, l_2
from boundaudit.derivations.sharpness.mlp import ramp, wave
from boundaudit.derivations.sharpness.parameters import D, T, s, u
from boundaudit.derivations.sharpness.rescaling import a, alpha, b, xi
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rescaling import (
    bits_as_components,
    mlp_norms,
    outputs,
    share_of_weights,
    silent_inputs,
)

claim = functools.partial(Claim, paper=PAPER, place=("Appendix D",))
FACTOR = Reals(sp.Rational(1, 8), 8)
SOME_FACTORS = Choices(tenth=Fraction(1, 10), third=Fraction(1, 3), threefold=3, tenfold=10)


# --- what rescaling the MLP does to the norm, and the best factor ---------------------------------

_DEGREES = Domain({D: Integers(1, tested_to=32), u: BOTH})
_RESCALED = Domain({D: Integers(1, tested_to=32), u: BOTH, alpha: FACTOR})


def _of_mlp(of: Callable[[Tensor, Tensor, Trapezoid], Tensor]) -> Measure:
    """A measurement of the MLP of each point's degree and factor, one where it has none."""
    return by_trapezoid(lambda at, mlp: of(at.whole("D"), at.real("alpha", 1), mlp))


def _total(degree: Tensor, factor: Tensor | float, mlp: Trapezoid) -> Tensor:
    inner, outer = mlp_norms(degree, factor, mlp=mlp)
    return inner + outer


closed_form = claim(
    label="sharpness.rescaling.norm.closed-form", relation="=", role="printed", reading="certain", expected="proved",
    statement="Multiplying M and Gamma by α and dividing F by α makes the squared norm of the MLP aα² + b/α², with a = "
    "‖M‖² + ‖Gamma‖² and b = ‖F‖².",
    left=Quantity(
        "squared norm of the rescaled MLP",
        _of_mlp(_total),
        r"\|\alpha M\|^2 + \|\alpha \Gamma\|^2 + \|F/\alpha\|^2",
        lambda: theorem.rescaled(theorem.INNER_BY_ENTRIES, theorem.OUTER_BY_ENTRIES, alpha),
    ),
    right=lambda: theorem.rescaled(theorem.INNER, theorem.OUTER, alpha), domain=_RESCALED,
)  # fmt: skip

_POSITIVE = Reals(0, open_low=True)

optimum = claim(
    label="sharpness.rescaling.norm.optimum", relation=">=", role="printed", kind="Tight", reading="certain",
    expected="proved",
    statement="The squared norm aα² + b/α² of the rescaled MLP is at least 2√(ab), with equality at α⁴ = b/a, for "
    "positive a and b.",
    left=theorem.rescaled(a, b, alpha), right=theorem.OPTIMUM,
    domain=Domain({a: _POSITIVE, b: _POSITIVE, alpha: _POSITIVE}), equality=({"a": 1, "b": 16, "alpha": 2},),
)  # fmt: skip


def _heavier(width: int, name: str, domain: Domain) -> Case:
    ratio = theorem.LEAST_RATIO[width]
    return Case(
        name,
        statement=f"With the {name} trapezoid b = ‖F‖² is at least {ratio} times a = ‖M‖² + ‖Gamma‖², with equality at "
        "D = 1. The best factor (b/a)^(1/4) is therefore above one.",
        right=ratio * theorem.INNER,
        domain=domain,
        equality=({"D": 1, "u": width},),
    )


best_factor = claim(
    label="sharpness.rescaling.best-factor", relation=">=", role="printed", kind="Tight", reading="certain",
    expected="proved",
    statement="The output weights are heavier than the input weights, ‖F‖² > ‖M‖² + ‖Gamma‖², so that the best factor "
    "exceeds one.",
    left=Quantity(
        "squared norm of F",
        _of_mlp(lambda degree, _, mlp: mlp_norms(degree, 1.0, mlp=mlp)[1]),
        r"\|F\|^2",
        theorem.OUTER_BY_ENTRIES,
    ),
    cases=(_heavier(1, "steep", _DEGREES.replace(u=STEEP)), _heavier(2, "wide", _DEGREES.replace(u=WIDE))),
    rests_on=("sharpness.norms.F.closed-form", "sharpness.norms.Gamma.closed-form", "sharpness.norms.exact.printed[M]"),
)  # fmt: skip


# --- rescaling the MLP leaves its function as it is -----------------------------------------------


@by_trapezoid
def _rescaled_mlp(at: Columns, mlp: Trapezoid) -> Tensor:
    """The MLP's output at s with input weights and biases times α and output weights over α."""
    real, bias, output = units(at.whole("D"), mlp)
    factor, share = at.real("alpha")[:, None], at.real("s")[:, None]
    hidden = torch.relu(factor * real * share + factor * bias)
    return (hidden * output / factor).sum(-1)


def _output(*, rescaled: bool) -> Measure:
    """The network's output over C at the point's input, with or without the rescaling."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch = batch_of(at)
        bits = input_bits(at.whole("x_n"), batch)[:, None]
        return outputs(batch, bits, at.real("alpha") if rescaled else 1.0, mlp=mlp)[:, 0] / batch.absolute_sum

    return by_trapezoid(of)


def _network(name: str, latex: str, *, rescaled: bool) -> Quantity:
    return Quantity(name, _output(rescaled=rescaled), latex, rounding=1e-11, scale=1.0)


rectifier = claim(
    label="sharpness.rescaling.rectifier", relation="=", reading="certain", expected="proved",
    statement="Multiplying a rectifier's input ξ by α > 0 and dividing its output by α leaves it as it is.",
    left=lambda: ramp(alpha * xi) / alpha, right=lambda: ramp(xi),
    domain=Domain({xi: Reals(tested_to=8), alpha: FACTOR}),
)  # fmt: skip

same_function = claim(
    label="sharpness.rescaling.same-function", relation="=", role="printed", reading="certain",
    statement="Multiplying M and Gamma by α and dividing F by α leaves the function as it is.",
    cases=(
        Case(
            "mlp",
            statement="The MLP of degree D whose M and Gamma are multiplied by α and whose F is divided by it has the "
            "same output at every s, for α from 1/8 to 8.",
            left=Quantity(
                "rescaled g(s)", _rescaled_mlp, r"g_\alpha(s)", lambda: theorem.response(alpha), rounding=1e-11,
                scale=1.0,
            ),
            right=lambda: wave(D * s),
            domain=Domain({D: Integers(1, tested_to=24), u: BOTH, s: Reals(tested_to=2), alpha: FACTOR}),
            expected="proved",
            rests_on=("sharpness.rescaling.rectifier",),
        ),
        Case(
            "network",
            statement="The network of length T ≤ 8 whose M and Gamma are multiplied by α and whose F is divided by it "
            "has the same output on every input, for α = 1/10, 1/3, 3 and 10.",
            left=_network("output of the rescaled network over C", r"f_{\Theta_\alpha}(x)/C", rescaled=True),
            right=_network("output of the network over C", r"f_\Theta(x)/C", rescaled=False),
            domain=Domain({**WITH_INPUT.replace(T=Integers(2, 8)).ranges, alpha: SOME_FACTORS}),
            rests_on=("sharpness.rescaling.rectifier",),
        ),
    ),
)  # fmt: skip


# --- whether one rescaling lowers both norm and sharpness, and what does where none can -----------

_IDEAL = float("inf")


def _mean(*names: str) -> Quantity:
    """The mean squared gradient of some blocks of the ideal network for T bits."""

    @by_trapezoid
    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        return at.each(lambda point: sum(_means(point["T"], mlp, at.device)[name] for name in names))

    written = r" + ".join(rf"\|\nabla_{{{name}}} f\|^2" for name in names)
    return Quantity(
        f"mean squared gradient of {' and '.join(names)}", measure, rf"\mathbb{{E}}\,({written})",
        lambda: sp.Add(*(rescaled_bits.mean_square(name) for name in names)), rounding=1e-10,
    )  # fmt: skip


@functools.cache
def _means(length: int, mlp: Trapezoid, device: str) -> dict[str, float]:
    """The mean squared gradient of each block, and of F's last column."""
    batch, bits = bits_as_components(length, device=device)
    found = derivatives(batch, bits, mlp=mlp, scale=_IDEAL)
    squared = {**found.squared, "column": found.data_column}
    return {name: float(value[0] @ share_of_weights(length, device)) for name, value in squared.items()}


printed = claim(
    label="sharpness.rescaling.both.printed", role="printed", reading="plausible", expected="refuted",
    statement="One factor by which M and Gamma are multiplied and F is divided lowers both norm and sharpness. For the "
    "norm it must be above one, and sharpness then falls only if the mean squared gradient in M and Gamma is at least "
    "that in F. This is checked in the ideal network, with single bits as components, equal coefficients and T from 4 "
    "to 24.",
    left=_mean("F"), right=_mean("M", "Gamma"),
    rests_on=("sharpness.rescaling.best-factor", "sharpness.rescaling.both.exclusive"),
    limitations=(
        "The sharpness is the mean squared gradient, half the trace of the loss's Hessian where the target is "
        "represented exactly. All of F counts as parameters: what it writes into the positions' channels moves keys.",
        "At finite length the steep network satisfies it at T = 18 but not at T = 20, and the wide one fails from T = "
        "9 on.",
    ),
    cases=(
        Case("steep", domain=Domain({T: Integers(4, 24), u: STEEP})),
        Case("wide", domain=Domain({T: Integers(4, 24), u: WIDE})),
        Case(
            "one-column",
            statement="One factor by which M and Gamma are multiplied and F is divided lowers both norm and sharpness "
            "if F's last column alone counts as parameters. M and Gamma then have a mean squared gradient at least "
            "that of F, in the ideal network, for T ≥ 4 single bits as components, of equal coefficients.",
            left=_mean("column"), domain=Domain({T: Integers(4, tested_to=64), u: BOTH}), expected="proved",
            limitations=("A sentence of Theorem 10's proof gives F one column; the parameter count has all of them.",),
        ),
    ),
)  # fmt: skip

exclusive = claim(
    label="sharpness.rescaling.both.exclusive", relation=">=", kind="Tight", expected="proved",
    statement="Where the output weights F are at least as heavy as the input weights M and Gamma, and the squared "
    "gradient of F is at least that of M and Gamma, no rescaling lowers both norm and sharpness: with β = α² ≥ 1 the "
    "sharpness g₀ + g₁/β + g₂β does not fall, and with β ≤ 1 the squared norm l₀ + l₁β + l₂/β does not.",
    cases=(
        Case(
            "sharpness", left=both_theorem.sharpness(beta_r), right=both_theorem.sharpness(sp.Integer(1)),
            domain=lambda: Domain({
                beta_r: Reals(1), h_0: Reals(0), h_1: Reals(0, open_low=True), h_2: Reals(h_1),
            }), equality=({"beta_r": 1, "h_0": 1, "h_1": 1, "h_2": 2},),
        ),
        Case(
            "norm", left=both_theorem.norm(beta_r), right=both_theorem.norm(sp.Integer(1)),
            domain=lambda: Domain({
                beta_r: Reals(0, 1, open_low=True), l_0: Reals(0), l_1: Reals(0, open_low=True), l_2: Reals(l_1),
            }), equality=({"beta_r": 1, "l_0": 1, "l_1": 1, "l_2": 2},),
        ),
    ),
)  # fmt: skip


# --- how rarely a component sees zeros only -------------------------------------------------------

_PLACE = ("Appendix D(2)",)
_SILENT = Quantity(
    "share of inputs that are zero on a component",
    of_targets(lambda batch, _: silent_inputs(batch), "T"),
    r"\mathbb{P}(x_S = 0)",
    lambda: theorem.silent_by_inputs(),
)
_ONE_SET = Domain({T: Integers(2, 8), D: Integers(1, T), sp.Symbol("S"): Subsets(sp.Integer(1), D, T)})

zeros = claim(
    label="sharpness.rescaling.dropped.zeros", relation="=", place=_PLACE, role="printed", reading="plausible",
    expected="certified",
    statement="The input that is zero everywhere is one of the 2^T inputs of length T ≤ 8, and so is the input of ones "
    "only.",
    left=_SILENT, right=theorem.SILENT_PUBLISHED,
    domain=Domain({T: Integers(2, 8), D: Integers(T, T), sp.Symbol("S"): Subsets(sp.Integer(1), D, T)}),
    limitations=("Counted over all inputs of length up to 8; ones are zeros of the other bits.",),
)  # fmt: skip

dropped_printed = claim(
    label="sharpness.rescaling.dropped.whole-input", place=_PLACE, role="printed", reading="plausible",
    expected="refuted",
    statement="Inputs that are zero at all D positions of a component are as rare as the all-zero input of length T: "
    "their probability is at most 2^-T, exponentially small in the length.",
    left=_SILENT, right=theorem.SILENT_PUBLISHED, domain=_ONE_SET,
    limitations=(
        "The all-zero input, named as the example, has probability 2^-T; that its rate holds for every input that "
        "silences a component is one reading.",
    ),
)  # fmt: skip

dropped = claim(
    label="sharpness.rescaling.dropped.probability", relation="=", place=_PLACE, expected="certified",
    statement="For T ≤ 8 a uniform input of length T is zero at all D positions of a component with probability 2^-D, "
    "which does not depend on the length. Among m inputs, then, ω components are zero on average m ω 2^-D times.",
    left=_SILENT, right=theorem.SILENT, domain=_ONE_SET, repairs=("sharpness.rescaling.dropped.whole-input",),
    limitations=("Counted over all inputs of length up to 8.",),
)  # fmt: skip
