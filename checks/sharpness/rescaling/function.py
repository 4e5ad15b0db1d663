"""Appendix D: rescaling the MLP leaves its function as it is."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.rescaling.shared import FACTOR, SOME_FACTORS, claim
from boundaudit.checks.sharpness.targets import BOTH, WITH_INPUT, batch_of, by_trapezoid, input_bits
from boundaudit.derivations.sharpness import rescaling as theorem
from boundaudit.derivations.sharpness.mlp import ramp, wave
from boundaudit.derivations.sharpness.parameters import D, s, u
from boundaudit.derivations.sharpness.rescaling import alpha, xi
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rescaling import outputs


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
    label="sharpness.rescaling.rectifier",
    statement="Multiplying a rectifier's input ξ by α > 0 and dividing its output by α leaves it as it is.",
    left=lambda: ramp(alpha * xi) / alpha,
    relation="=",
    right=lambda: ramp(xi),
    domain=Domain({xi: Reals(tested_to=8), alpha: FACTOR}),
    reading="certain",
    expected="proved",
)

same_function = claim(
    label="sharpness.rescaling.same-function",
    statement="Multiplying M and Gamma by α and dividing F by α leaves the function as it is.",
    relation="=",
    role="printed",
    reading="certain",
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
