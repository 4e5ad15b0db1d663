"""Theorem 31: how far noise moves the Hessian of the output."""

from __future__ import annotations

import functools

import sympy as sp
import torch

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.sharpness.perturbed.shared import (
    COUNTED_WIDTH,
    EXHAUSTIVE,
    FIRST_ORDER,
    LONG,
    NO_FLOOR,
    PRINTED_WIDTH,
    THREE,
    TINY,
    Network,
    one_by_one,
    over,
    stretched,
    stretched_by_floor,
)
from boundaudit.checks.sharpness.perturbed.shared import claim as any_claim
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, PRINTED, rate, three_components
from boundaudit.numeric.sharpness.moments import hessian_change

_claim = functools.partial(any_claim, place=("Theorem 31",))
_BLOCKS = "The printed proof bounds six blocks of the Hessian; the change that is measured is that of all of them."
_FACTOR = 250


def _change(network: Network) -> float:
    """The operator norm of the Hessian's first-order change for each unit of σ, for one draw."""
    return float(torch.linalg.eigvalsh(hessian_change(*network.single, network.noise(0))).abs().max())


first_order = _claim(
    label="sharpness.perturbed.hessian.first-order",
    statement=f"To first order H_p is at least {_FACTOR} times the operator norm of the change of the Hessian.",
    left=Quantity(
        "H_p over the first-order change of the Hessian",
        over(rate(H_P, COUNTED), one_by_one(_change)),
        r"\frac{H_p}{\sigma \|D^3 f[\epsilon]\|_{op}}", rounding=1e-9,
    ),
    relation=">=",
    right=sp.Integer(_FACTOR),
    domain=TINY,
    mode=FIRST_ORDER,
    limitations=(EXHAUSTIVE, COUNTED_WIDTH, "One draw of the noise for each network; T = 4 alone.", _BLOCKS),
)  # fmt: skip

without_floor = _claim(
    label="sharpness.perturbed.hessian.without-floor",
    statement="For any positive coefficients H_p is at least one standard deviation of the first-order change of the "
    "Hessian's form, seen along one direction of F in all three places.",
    left=stretched(3),
    relation="<=",
    right=three_components(rate(H_P, PRINTED)),
    domain=THREE,
    mode=FIRST_ORDER,
    reading="plausible",
    expected="refuted",
    limitations=(PRINTED_WIDTH, NO_FLOOR),
)

with_floor = _claim(
    label="sharpness.perturbed.hessian.with-floor",
    statement="For coefficients from T⁻⁴ to 1 H_p is at least a thousand standard deviations of the first-order change "
    "of the Hessian's form along that direction.",
    left=stretched_by_floor(3),
    relation="<=",
    right=rate(H_P, COUNTED) / 1000,
    domain=LONG,
    mode=FIRST_ORDER,
    expected="certified",
    repairs=("sharpness.perturbed.hessian.without-floor",),
    limitations=(COUNTED_WIDTH, "One direction only; the whole change is measured on small networks."),
)
