"""Theorem 24: how far noise moves the output."""

from __future__ import annotations

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import tiled
from boundaudit.checks.sharpness.perturbed.networks import (
    COUNTED_WIDTH,
    EVEN_LENGTHS,
    LONGER,
    along_f,
    first_order,
    stretched,
)
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.gradients import blocks as gradient_blocks
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, PRINTED, T_P, rate, three_components
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid

_PLACE = ("Theorem 24",)


@by_trapezoid
def _slope(at: Columns, mlp: Trapezoid) -> Tensor:
    """|∇f|² in closed form."""
    batch, bits = tiled(at)
    return derivatives(batch, bits[:, None], mlp=mlp).gradient[:, 0]


printed = along_f(
    label="sharpness.perturbed.output.printed",
    statement="For any positive coefficients noise of standard deviation σ on all parameters moves the output with "
    "high probability by at most T_p. The check, for coefficients 1/2, 1/4 and a third one: let noise act along one "
    "direction of F alone, the one that moves the keys. To first order T_p is then at least one standard deviation of "
    "the output's change.",
    left=stretched(1),
    right=lambda: three_components(rate(T_P, PRINTED)),
    place=_PLACE,
    rests_on=(
        "sharpness.noise.chi.tail", "sharpness.noise.phi.dropped", "sharpness.noise.averages.printed",
        "sharpness.noise.rows.printed", "sharpness.noise.rows.idle", "sharpness.perturbed.weights.printed",
    ),
)  # fmt: skip

deviation = first_order(
    label="sharpness.perturbed.output.deviation",
    statement="For coefficients from T⁻⁴ to 1 in the unit ball T_p is at least sixteen standard deviations σ|∇f| of "
    "the output's first-order change under noise on all parameters; for components side by side and even T.",
    left=Quantity(
        "squared norm of the output's gradient", _slope, r"\|\nabla f\|^2",
        lambda: sp.Add(*gradient_blocks(FINITE).values()), rounding=1e-9, scale=1e-9,
    ),
    right=lambda: (rate(T_P, COUNTED) / 16) ** 2,
    place=_PLACE,
    domain=LONGER,
    repairs=("sharpness.perturbed.output.printed",),
    limitations=(
        EVEN_LENGTHS, COUNTED_WIDTH,
        "The factor that turns standard deviations into a probability 1-δ is not in the printed T_p.",
    ),
)  # fmt: skip
