"""Layer 2: the weights of the output position, and the mass on rows without a component."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.attention.shared import (
    AT_REALS,
    BELOW,
    FAMILY,
    ROW,
    SCALE,
    WEIGHTS,
    claim,
    network_of,
)
from boundaudit.checks.sharpness.exactness.shared import column, scales
from boundaudit.derivations.sharpness import attention as theory
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM, key, lam
from boundaudit.derivations.sharpness.parameters import T, c, omega
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.target import TargetBatch

_DOMAIN = Domain({**BELOW, **SCALE, **WEIGHTS, **FAMILY})


def _second(pick: Callable[[TargetBatch, Tensor, Sequence[Point]], Tensor]) -> Measure:
    """A number from the output position's weights in layer 2."""

    def measure(points: Sequence[Point], device: str) -> Tensor:
        batch = network_of(points, device)
        return pick(batch, network.second_weights(batch, scales(points, device)), points).cpu()

    return lambda points, device: measure(points, device).numpy()


def _active_weight(batch: TargetBatch, weights: Tensor, points: Sequence[Point]) -> Tensor:
    return weights.gather(1, column(points, "row", str(weights.device))[:, None] - 1)[:, 0]


def _inactive_weight(batch: TargetBatch, weights: Tensor, points: Sequence[Point]) -> Tensor:
    chosen = network.nth(network.unused_rows(batch), column(points, "key", str(weights.device)))
    return weights.gather(1, chosen[:, None])[:, 0]


def _inactive_mass(batch: TargetBatch, weights: Tensor, points: Sequence[Point]) -> Tensor:
    return (weights * network.unused_rows(batch)).sum(-1)


def _weighted_mass(batch: TargetBatch, weights: Tensor, points: Sequence[Point]) -> Tensor:
    return batch.coefficients.sum(-1) * _inactive_mass(batch, weights, points)


second_active = claim(
    label="sharpness.attention.second.active",
    statement="In layer 2 the output position gives row t of component t the weight c_t T^λ/(C T^λ + T+1-ω).",
    left=Quantity("weight of a component", _second(_active_weight), "a_2[t]", theory.SECOND["active"]),
    relation="=",
    right=theory.ACTIVE,
    domain=Domain({**BELOW, **SCALE, **ROW, **WEIGHTS, **FAMILY}),
    place=("Appendix B",),
    reading="certain",
    expected="proved",
)

second_inactive = claim(
    label="sharpness.attention.second.inactive",
    statement="The second layer gives each of the T+1-ω rows without a component the weight 1/(C T^λ + T+1-ω).",
    left=Quantity("weight of a row without component", _second(_inactive_weight), "a_2[t]", theory.SECOND["inactive"]),
    relation="=",
    right=theory.INACTIVE_WEIGHT,
    domain=Domain({**BELOW, **SCALE, key: Integers(1, INACTIVE), **WEIGHTS, **FAMILY}),
    place=("Appendix B",),
    expected="proved",
)

_MASS = r"\sum_{t > \omega} a_2[t]"


def _mass_at_two() -> Quantity:
    return Quantity(
        "mass of rows without component", _second(_inactive_mass), _MASS, theory.SECOND["leak"].subs(lam, 2)
    )


second_zero = claim(
    label="sharpness.attention.second.zero",
    statement="The second layer puts zero weight on the rows without a component.",
    left=_mass_at_two(),
    relation="=",
    right=sp.Integer(0),
    domain=Domain({**BELOW, **WEIGHTS, **FAMILY}),
    place=("Appendix B", "Theorem 14"),
    reading="plausible",
    expected="refuted",
    limitations=("True in the limit T→∞, and of the network whose softmaxes are restricted to their support.",),
)

second_mass = claim(
    label="sharpness.attention.second.inactive-mass",
    statement="On the rows without a component the second layer leaves the mass (T+1-ω)/(C T^λ + T+1-ω).",
    left=Quantity("mass of rows without component", _second(_inactive_mass), _MASS, theory.SECOND["leak"]),
    relation="=",
    right=theory.SECOND_LEAK,
    domain=_DOMAIN,
    place=("Appendix B",),
    expected="proved",
    rests_on=("sharpness.attention.second.inactive",),
    repairs=("sharpness.attention.second.zero",),
)

second_rate = claim(
    label="sharpness.attention.second.inactive-rate",
    statement="C times that mass is at most T^(1-λ), at the published scale 1/T, for all coefficients and all ω.",
    left=Quantity(
        "C times the mass of rows without component", _second(_weighted_mass), rf"C\,{_MASS}",
        SUM * theory.SECOND["leak"],
    ),
    relation="<=",
    right=T ** (1 - lam),
    domain=_DOMAIN.replace(**AT_REALS),
    kind="Rate",
    mode="as T→∞",
    place=("Appendix B",),
    expected="proved",
    rests_on=("sharpness.attention.second.inactive-mass",),
)  # fmt: skip

_FEW = {c: Vector(omega, Reals(0, INACTIVE / (omega * T**2), open_low=True))}
_SMALL = Domain({**BELOW, **_FEW, **FAMILY})

second_small_sum = claim(
    label="sharpness.attention.second.small-sum",
    statement="Coefficients of at most (T+1-ω)/(ω T²) each have C T² at most T+1-ω.",
    left=SUM * T**2,
    relation="<=",
    right=INACTIVE,
    domain=_SMALL,
    kind="Tight",
    equality=({"T": 2, "D": 1, "omega": 1, "c": (sp.Rational(1, 2),), "S": ((1,),)},),
    place=("Appendix B",),
    expected="proved",
)

second_small = claim(
    label="sharpness.attention.second.small-coefficients",
    statement="With coefficients as small as these at least half of the second layer's weight lies on rows without a "
    "component: the construction needs C T² well above T.",
    left=_mass_at_two(),
    relation=">=",
    right=sp.Rational(1, 2),
    domain=_SMALL,
    kind="Tight",
    equality=({"T": 2, "D": 1, "omega": 1, "c": (sp.Rational(1, 2),), "S": ((1,),)},),
    place=("Appendix B",),
    expected="proved",
    rests_on=("sharpness.attention.second.small-sum",),
)
