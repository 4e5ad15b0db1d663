"""The heat-flow identity in place of a Taylor expansion: exact, without Lagrange's point, kinks included."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.taylor.expansion import polynomial
from boundaudit.checks.sharpness.taylor.shared import NOISE, claim
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.taylor import L_COEFFICIENTS, L_k
from boundaudit.numeric import heat

sixth = claim(
    label="sharpness.taylor.heat.polynomial",
    statement="For a polynomial loss L_1 u + L_2 u² + L_4 u⁴ + L_6 u⁶ of one parameter, E L(σZ) - L(0) is half "
    "the integral of E L''(√v Z) over v from 0 to σ².",
    left=Quantity(
        "mean of a polynomial", polynomial, r"\mathbb{E} \sum_n L_n (\sigma Z)^n", theorem.SIXTH_MEAN,
        rounding=1e-11, scale=1e3,
    ),
    relation="=",
    right=theorem.SIXTH_FLOW,
    domain=Domain({**{L_COEFFICIENTS[n]: Reals() for n in theorem.POWERS}, sigma: NOISE}),
    expected="proved",
)  # fmt: skip


def _columns(points: Sequence[Point], device: str, *names: str) -> list[Tensor]:
    return [torch.tensor([float(p[n]) for p in points], dtype=torch.float64, device=device) for n in names]


def _kinked(points: Sequence[Point], device: str) -> Array:
    found: Array = heat.kinked_mean(*_columns(points, device, "L_2", "L_k", "sigma")).cpu().numpy()
    return found


_KINKED = Quantity(
    "mean of a parabola with a kink", _kinked, r"\mathbb{E}\,(L_2 u^2 + L_k |u|)", theorem.KINKED_MEAN, rounding=1e-11,
    scale=1.0,
)  # fmt: skip
_WITH_KINK = Domain({L_COEFFICIENTS[2]: Reals(tested_to=4), L_k: Reals(0, tested_to=4), sigma: NOISE})

almost_everywhere = claim(
    label="sharpness.taylor.heat.almost-everywhere",
    statement="The second derivative where it exists tells the mean loss under noise, kinks having no mass.",
    left=_KINKED,
    relation="=",
    right=theorem.KINKED_ALMOST_EVERYWHERE,
    domain=_WITH_KINK,
    reading="plausible",
    expected="refuted",
    limitations=(
        "One parameter, L = L_2 u² + L_k |u|. The text does not speak of kinks; it takes the loss as twice "
        "differentiable.",
    ),
)

with_kink = claim(
    label="sharpness.taylor.heat.kink",
    statement="With the jump of the slope at the kink, weighed by the density of the noise there, the heat-flow "
    "identity holds for L = L_2 u² + L_k |u|.",
    left=_KINKED,
    relation="=",
    right=theorem.KINKED_FLOW,
    domain=_WITH_KINK,
    expected="proved",
    repairs=("sharpness.taylor.heat.almost-everywhere",),
)


def _clipped(of: Callable[[Tensor, Tensor, Tensor], Tensor]) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        (deviation,) = _columns(points, device, "sigma")
        found: Array = of(torch.full_like(deviation, 4), torch.full_like(deviation, 0.25), deviation).cpu().numpy()
        return found

    return measure


clipped = claim(
    label="sharpness.taylor.heat.clipped",
    statement="The identity holds for the loss along a bias that flips its unit, L = (4 clip(u, -1/4, 1/4))²: the part "
    "inside and the two kinks add up to the mean.",
    left=Quantity(
        "mean of a clipped parabola", _clipped(heat.clipped_mean), r"\mathbb{E}\,L(\sigma Z)", rounding=1e-10
    ),
    relation="=",
    right=Quantity(
        "flow of its Laplacian, inside and at both kinks",
        _clipped(lambda *loss: torch.stack(heat.clipped_flow(*loss)).sum(0)),
        r"\tfrac{1}{2} \int_0^{\sigma^2} \mathbb{E}\,\Delta L(\sqrt{v} Z)\,dv", rounding=1e-10,
    ),
    domain=Domain({sigma: Choices(tenth="1/10", quarter="1/4", half="1/2", one=1, two=2)}),
    expected="supported",
    rests_on=("sharpness.taylor.heat.kink",),
    limitations=("Both sides by quadrature; at σ = 1/4 they are 0.849320433 - 0.333261882 = 0.516058551.",),
)  # fmt: skip
