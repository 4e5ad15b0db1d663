"""Theorem 31: how far noise moves the Hessian of the output."""

from __future__ import annotations

import math

import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.sharpness.perturbed.networks import (
    COUNTED_WIDTH,
    FOUR_AND_TWENTY,
    Network,
    along_f,
    first_order,
    one_by_one,
    over,
    stretched,
    stretched_by_floor,
    whole,
    with_floor,
)
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, PRINTED, rate, three_components
from boundaudit.numeric.sharpness.moments import third_squares
from boundaudit.numeric.sharpness.taylor import QUANTILE

_PLACE = ("Theorem 31",)
_BLOCKS = "The printed proof bounds six blocks of the Hessian; the change that is measured is that of all of them."


_PAIRS = 32


def _change(network: Network) -> float:
    """The upper end of a 99 % interval of ‖D³f‖_F, the root mean square over draws of ‖D³f[ε]‖_F."""
    squares = third_squares(*network.single, _PAIRS, 0)
    return math.sqrt(float(squares.mean() + QUANTILE * squares.std() / _PAIRS**0.5))


printed = along_f(
    label="sharpness.perturbed.hessian.printed",
    statement="For any positive coefficients noise of standard deviation σ on all parameters moves the Hessian of the "
    "output with high probability by at most H_p in operator norm. The check, for coefficients 1/2, 1/4 and a third "
    "one: let v be the direction of F that moves the keys, and let noise act along v alone. To first order H_p is then "
    "at least one standard deviation of the change of vᵀ Hess f v.",
    left=stretched(3),
    right=lambda: three_components(rate(H_P, PRINTED)),
    place=_PLACE,
    rests_on=(
        "sharpness.hessian.blocks.six",
        "sharpness.perturbed.gradient.printed",
        "sharpness.softmax.change.printed",
    ),
)

floored = with_floor(
    label="sharpness.perturbed.hessian.with-floor",
    statement="For coefficients from T⁻⁴ to 1 in the unit ball let v be the direction of F that moves the keys. Then "
    "H_p is at least a thousand standard deviations of the first-order change of vᵀ Hess f v under noise along v; for "
    "components side by side and even T.",
    left=stretched_by_floor(3),
    right=whole("a thousandth of H_p, over σ", lambda: rate(H_P, COUNTED) / 1000, r"H_p / (1000 \sigma)"),
    place=_PLACE,
    repairs=("sharpness.perturbed.hessian.printed",),
)

second_moment = first_order(
    label="sharpness.perturbed.hessian.first-order",
    statement="To first order noise moves the Hessian by more than H_p in operator norm with probability at most "
    "1/62500. The first-order change has a root mean square of σ‖D³f‖_F in Frobenius norm, which is no smaller than "
    "the operator norm, and this is at most a 250th of H_p. For one or two components side by side with equal "
    "coefficients, T = 4 or 20 and D ≤ 2.",
    left=Quantity(
        "H_p over the first-order change of the Hessian", over(lambda: rate(H_P, COUNTED), one_by_one(_change)),
        r"\frac{H_p}{\sigma \|D^3 f\|_F}", rounding=1e-9,
    ),
    relation=">=",
    right=sp.Integer(250),
    place=_PLACE,
    domain=FOUR_AND_TWENTY,
    improves="sharpness.perturbed.hessian.with-floor",
    limitations=(
        "Components side by side, one or two, with equal coefficients of unit length.",
        COUNTED_WIDTH,
        "The upper end of a 99 % interval from 32 pairs of directions, as |D³f[ε, ε']|² has mean ‖D³f‖_F²; the "
        "probability is Chebyshev's.",
        _BLOCKS,
    ),
)  # fmt: skip
