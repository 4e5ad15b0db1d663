"""Appendix D: rescaling the MLP leaves its function as it is."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.rescaling.shared import FACTOR, SOME_FACTORS, claim, degrees, tensor
from boundaudit.checks.sharpness.targets import BOTH, SPARSITY, batch_of, by_trapezoid
from boundaudit.derivations.sharpness import rescaling as theorem
from boundaudit.derivations.sharpness.exactness import x
from boundaudit.derivations.sharpness.mlp import ramp, wave
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, s, u
from boundaudit.derivations.sharpness.rescaling import alpha, xi
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rescaling import outputs


def _rectified(points: Sequence[Point], device: str) -> Array:
    factor = tensor(points, "alpha", device)
    found: Array = (torch.relu(factor * tensor(points, "xi", device)) / factor).cpu().numpy()
    return found


rectifier = claim(
    label="sharpness.rescaling.rectifier",
    statement="A rectifier's input times α and its output over α leave the rectifier as it is.",
    left=Quantity(
        "relu(alpha xi)/alpha", _rectified, r"\frac{\mathrm{ReLU}(\alpha \xi)}{\alpha}", theorem.RECTIFIER, scale=1.0
    ),
    relation="=",
    right=ramp(xi),
    domain=Domain({xi: Reals(tested_to=8), alpha: FACTOR}),
    reading="certain",
    expected="proved",
)


def _rescaled_mlp(points: Sequence[Point], device: str) -> Array:
    """The MLP's output at s with input weights and biases times α and output weights over α."""

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        real, bias, output = units(degrees(chosen, device), mlp)
        factor, share = (tensor(chosen, name, device)[:, None] for name in ("alpha", "s"))
        hidden = torch.relu(factor * real * share + factor * bias)
        return (hidden * output / factor).sum(-1)

    return by_trapezoid(points, of)


mlp_output = claim(
    label="sharpness.rescaling.mlp",
    statement="The rescaled MLP has the same output at every s.",
    left=Quantity("rescaled g(s)", _rescaled_mlp, r"g_\alpha(s)", theorem.response(alpha), rounding=1e-11, scale=1.0),
    relation="=",
    right=wave(D * s),
    domain=Domain({D: Integers(1, tested_to=24), u: BOTH, s: Reals(tested_to=2), alpha: FACTOR}),
    reading="certain",
    expected="proved",
    rests_on=("sharpness.rescaling.rectifier",),
)


def _output(*, rescaled: bool) -> Measure:
    """The network's output over C at input number x, with or without the rescaling."""

    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            number = torch.tensor([[p["x"]] for p in chosen], device=device)
            length = torch.tensor([[p["T"]] for p in chosen], device=device)
            place = torch.arange(int(length.max()), device=device)
            bits = ((number >> (length - 1 - place).clamp(min=0)) & 1).bool() & (place < length)
            factor = tensor(chosen, "alpha", device) if rescaled else 1.0
            batch = batch_of(chosen, device)
            return outputs(batch, bits[:, None], factor, mlp=mlp)[:, 0] / batch.absolute_sum

        return by_trapezoid(points, of)

    return measure


_INPUTS = Domain(
    {
        T: Integers(2, 8),
        D: Integers(1, T),
        omega: SPARSITY,
        u: BOTH,
        c: Vector(omega, Reals(0, open_low=True)),
        sp.Symbol("S"): Subsets(omega, D, T),
        x: Integers(0, 2**T - 1),
        alpha: SOME_FACTORS,
    }
)

same_function = claim(
    label="sharpness.rescaling.same-function",
    statement="The rescaled network has the same output on every input.",
    left=Quantity(
        "output of the rescaled network over C",
        _output(rescaled=True),
        r"f_{\Theta_\alpha}(x)/C",
        rounding=1e-11,
        scale=1.0,
    ),
    relation="=",
    right=Quantity(
        "output of the network over C", _output(rescaled=False), r"f_\Theta(x)/C", rounding=1e-11, scale=1.0
    ),
    domain=_INPUTS,
    reading="certain",
    expected="supported",
    rests_on=("sharpness.rescaling.mlp",),
    limitations=("Measured on inputs of length up to 8, for four factors.",),
)
