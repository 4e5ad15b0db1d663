"""Theorem 30: how far noise moves the gradient."""

from __future__ import annotations

from typing import Any

import sympy as sp
import torch

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range
from boundaudit.checks.sharpness.perturbed.networks import (
    COUNTED_WIDTH,
    EXHAUSTIVE,
    SMALL,
    Network,
    along_f,
    claim,
    first_order,
    one_by_one,
    over,
    stretched,
    stretched_by_floor,
    whole,
    with_floor,
)
from boundaudit.derivations.sharpness import perturbed_gradient as theorem
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, PRINTED, rate, three_components
from boundaudit.numeric.sharpness.autodiff import hessian

_PLACE = ("Theorem 30",)

_SIZES: dict[Any, Range] = {
    T: Integers(2, tested_to=64), D: Integers(1, T), omega: Integers(1, T), d: Integers(1, tested_to=64)
}  # fmt: skip

printed = along_f(
    label="sharpness.perturbed.gradient.printed",
    statement="For any positive coefficients noise of standard deviation σ on all parameters moves the gradient with "
    "high probability by at most G_p, with σ restored in two terms. The check, for coefficients 1/2, 1/4 and a third "
    "one: let v be the direction of F that moves the keys, and let noise act along v alone. To first order G_p is then "
    "at least one standard deviation of the gradient's change along v.",
    left=stretched(2),
    right=lambda: three_components(rate(theorem.G_P, PRINTED)),
    place=_PLACE,
    rests_on=(
        "sharpness.perturbed.output.printed", "sharpness.perturbed.weights.printed", "sharpness.noise.slopes.printed",
        "sharpness.softmax.change.printed", "sharpness.softmax.jacobian.printed",
        "sharpness.perturbed.rows.stream.printed",
    ),
)  # fmt: skip

floored = with_floor(
    label="sharpness.perturbed.gradient.with-floor",
    statement="For coefficients from T⁻⁴ to 1 in the unit ball let v be the direction of F that moves the keys. Then "
    "G_p, with σ restored, is at least a thousand standard deviations of the gradient's first-order change along v "
    "under noise along v; for components side by side and even T.",
    left=stretched_by_floor(2),
    right=whole(
        "a thousandth of G_p with σ restored, over σ", lambda: rate(theorem.G_P, COUNTED) / 1000, r"G_p / (1000 \sigma)"
    ),
    place=_PLACE,
    repairs=("sharpness.perturbed.gradient.printed",),
)

left_over = claim(
    label="sharpness.perturbed.gradient.left-over",
    statement="In the authors' notebook, which reproduces the printed number 0.0733, two terms of G_p carry no σ: "
    "without noise it is 64√2 D² ω² log T (d+2), and not zero.",
    left=theorem.WITHOUT_NOISE,
    relation="=",
    right=theorem.LEFT_OVER,
    place=_PLACE,
    domain=Domain(_SIZES),
    expected="proved",
    limitations=("A fact of the notebook; the theorem's own display may have the σ.",),
)


def _frobenius(network: Network) -> float:
    """‖Hess f‖_F, the root mean square of the first-order change of the gradient for each unit of σ."""
    return float(torch.linalg.matrix_norm(hessian(*network.single)))


second_moment = first_order(
    label="sharpness.perturbed.gradient.second-moment",
    statement="To first order noise of standard deviation σ on all parameters moves the gradient by σ‖Hess f‖_F in "
    "root mean square, which is at most a hundredth of G_p with σ restored. For one or two components side by side "
    "with equal coefficients, T = 4 or 6 and D ≤ 2.",
    left=Quantity(
        "G_p with σ restored over the first-order change of the gradient",
        over(lambda: rate(theorem.G_P, COUNTED), one_by_one(_frobenius)),
        r"\frac{G_p}{\sigma \|\nabla^2 f\|_F}", rounding=1e-9,
    ),
    relation=">=",
    right=sp.Integer(100),
    place=_PLACE,
    domain=SMALL,
    role="improvement",
    limitations=(EXHAUSTIVE, COUNTED_WIDTH),
)  # fmt: skip
