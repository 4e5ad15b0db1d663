"""The heat-flow identity in place of a Taylor expansion: exact, without Lagrange's point, kinks included."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.sharpness.taylor.expansion import polynomial
from boundaudit.checks.sharpness.taylor.shared import NOISE, claim
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.taylor import L_COEFFICIENTS, L_k
from boundaudit.numeric import heat


def _clipped(of: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Measure:
    return by_columns(lambda noise: of(torch.full_like(noise, 4), torch.full_like(noise, 0.25), noise), "sigma")


_KINKED = Quantity(
    "mean of a parabola with a kink", by_columns(heat.kinked_mean, "L_2", "L_k", "sigma"),
    r"\mathbb{E}\,(L_2 u^2 + L_k |u|)", theorem.KINKED_MEAN, rounding=1e-11, scale=1.0,
)  # fmt: skip
_WITH_KINK = Domain({L_COEFFICIENTS[2]: Reals(tested_to=4), L_k: Reals(0, tested_to=4), sigma: NOISE})

flow = claim(
    label="sharpness.taylor.heat.flow",
    statement="For noise σZ on one parameter E L(σZ) - L(0) is half the integral, over v from 0 to σ², of the mean of "
    "L'' at √v Z. A kink of L counts with the jump of its slope times the density of the noise there. This is checked "
    "for L = L_1 u + L_2 u² + L_4 u⁴ + L_6 u⁶, for L = L_2 u² + L_k |u|, and for the loss along a bias that flips its "
    "unit, (4 clip(u, -1/4, 1/4))².",
    relation="=",
    repairs=("sharpness.taylor.lagrange.printed[with-flips]",),
    cases=(
        Case(
            "polynomial",
            left=Quantity(
                "mean of a polynomial", polynomial, r"\mathbb{E} \sum_n L_n (\sigma Z)^n", theorem.SIXTH_MEAN,
                rounding=1e-11, scale=1e3,
            ),
            right=theorem.sixth_flow,
            domain=lambda: Domain({**{L_COEFFICIENTS[n]: Reals() for n in theorem.POWERS}, sigma: NOISE}),
            expected="proved",
        ),
        Case("kink", left=_KINKED, right=lambda: theorem.kinked_flow(), domain=_WITH_KINK, expected="proved"),
        Case(
            "clipped",
            left=Quantity(
                "mean of a clipped parabola", _clipped(heat.clipped_mean), r"\mathbb{E}\,L(\sigma Z)", rounding=1e-10
            ),
            right=Quantity(
                "flow of its Laplacian, inside and at both kinks",
                _clipped(lambda *loss: torch.stack(heat.clipped_flow(*loss)).sum(0)),
                r"\tfrac{1}{2} \int_0^{\sigma^2} \mathbb{E}\,\Delta L(\sqrt{v} Z)\,dv", rounding=1e-10,
            ),
            domain=Domain({sigma: Choices(tenth="1/10", quarter="1/4", half="1/2", one=1, two=2)}),
            limitations=("Both sides by quadrature; at σ = 1/4 they are 0.849320433 - 0.333261882 = 0.516058551.",),
        ),
    ),
)  # fmt: skip
