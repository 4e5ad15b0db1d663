"""Theorem 18 for arbitrary families of sets: where its claims speak, and how norms are measured."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Integers, Reals, Vector
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import ON_A_KINK
from boundaudit.checks.sharpness.gradients.shared import numbered
from boundaudit.checks.sharpness.hessian.shared import SCALES
from boundaudit.checks.sharpness.targets import FLOOR, WITH_INPUT, by_trapezoid, trapezoid
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.parameters import omega
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.hessian_parts import norm, real_parameters
from boundaudit.numeric.sharpness.hessian_rows import kinks
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

SEEN = WITH_INPUT.replace(T=Integers(4, tested_to=5), c=Vector(omega, Reals(0, 1, open_low=True), square_sum=1))
"""Targets of equal degree with positive coefficients in the unit ball, each with one input, from length 4 on."""

ANY = SEEN.replace(c=Vector(omega, Reals(0, open_low=True, tested_to=2)))
"""Those with any positive coefficients."""

FLOORED = SEEN.replace(c=Vector(omega, Reals(FLOOR, 1), square_sum=1))
"""Those with coefficients from T⁻⁴ to 1."""

OFF_KINKS = (
    "Where a live hidden unit of a row with weight, or of the output position, sits on its kink there is no Hessian; "
    "where a dead one does, each of the one-sided matrices obeys the bound."
)
NETWORKS = ("finite", "ideal", "one-column")
"""The construction, the ideal network, and the construction where F's last column alone counts as parameters."""

WHAT = {
    "whole": "Hess f", "values": "E v''", "covariance": "2 Cov(v', l')", "logits": "Cov(v, l'')",
    "skew": "E (v - f)(l' - E l')²",
}  # fmt: skip
"""Hess f, and its four parts."""

_SQUARED_LOGIT = 16 * math.log(5) ** 2
"""At the greatest length that is measured: products with such squares cancel where the skew's norm is small."""


class Setting(NamedTuple):
    """Networks at points, one input each.

    Attributes:
        blocks: The weights.
        batch: The targets.
        bits: The inputs.
        kept: Which parameters count.
        scale: λ, or infinity for the ideal network.
        smooth: Where there is a Hessian.
    """

    blocks: Blocks
    batch: TargetBatch
    bits: Tensor
    kept: Tensor
    scale: float
    smooth: Tensor


def setting(at: Columns, which: str) -> Setting:
    """The networks at points that agree in the trapezoid."""
    batch, bits = numbered(at)
    mlp, scale = trapezoid(at), SCALES["ideal" if which == "ideal" else "finite"]
    blocks = build(batch, mlp=mlp, scale=scale)
    kept = real_parameters(blocks, batch, mlp=mlp, one_column=which == "one-column")
    smooth = ~kinks(blocks, batch, bits.double(), scale=scale)
    return Setting(blocks, batch, bits.double(), kept, scale, smooth)


@functools.cache
def norm_of(part: str, which: str) -> Quantity:
    """The operator norm of Hess f or of a part of it; NaN on a kink."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        *networks, scale, smooth = setting(at, which)
        return norm(part, *networks, scale=scale).where(smooth, torch.nan)  # type: ignore[arg-type]

    symbol = theorem.whole_n if part == "whole" else theorem.NORMS[part]
    return Quantity(
        f"norm of {WHAT[part]}, {which} network", by_trapezoid(of), sp.latex(symbol), rounding=1e-9,
        scale=_SQUARED_LOGIT if part == "skew" else 1.0, except_at=ON_A_KINK, nonnegative=True,
    )  # fmt: skip
