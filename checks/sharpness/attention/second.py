"""Layer 2: the weights of the output position, and the mass on rows without a component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.attention.shared import FAMILY, ROW, SCALE, claim, nth_key, scales
from boundaudit.checks.sharpness.targets import batch_of
from boundaudit.derivations.sharpness import attention as theory
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM, key, lam
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.target import TargetBatch

# Below D = T there are at least T subsets, so that ω ranges to T.
_BELOW: dict[Any, Range] = {
    T: Integers(2, tested_to=24),
    D: Integers(1, T - 1),
    omega: Integers(1, T),
    c: Vector(omega, Reals(0, open_low=True, tested_to=2)),
}
_DOMAIN = Domain({**_BELOW, **SCALE, **FAMILY})
_MASS = r"\sum_{t > \omega} a_2[t]"


def _second(pick: Callable[[TargetBatch, Tensor, Columns], Tensor]) -> Measure:
    """A number from the output position's weights in layer 2."""

    def of(at: Columns) -> Tensor:
        batch = batch_of(at)
        return pick(batch, network.second_weights(batch, scales(at)), at)

    return measured(of)


def _active_weight(batch: TargetBatch, weights: Tensor, at: Columns) -> Tensor:
    return weights.gather(1, at.whole("row")[:, None] - 1)[:, 0]


def _inactive_weight(batch: TargetBatch, weights: Tensor, at: Columns) -> Tensor:
    return nth_key(weights, network.unused_rows(batch), at)


def _inactive_mass(batch: TargetBatch, weights: Tensor, at: Columns) -> Tensor:
    return (weights * network.unused_rows(batch)).sum(-1)


weights = claim(
    label="sharpness.attention.second.weights",
    statement="In layer 2 the output position gives the row of component t the weight c_t T^λ/(C T^λ + T+1-ω), C the "
    "sum of the coefficients, and each of the T+1-ω rows without a component the weight 1/(C T^λ + T+1-ω).",
    relation="=",
    cases=(
        Case(
            "active",
            left=Quantity("weight of a component", _second(_active_weight), "a_2[t]", theory.SECOND["active"]),
            right=theory.ACTIVE,
            domain=Domain({**_BELOW, **SCALE, **ROW, **FAMILY}),
        ),
        Case(
            "inactive",
            left=Quantity("weight of a row without component", _second(_inactive_weight), "a_2[t]",
                          theory.SECOND["inactive"]),
            right=theory.INACTIVE_WEIGHT,
            domain=Domain({**_BELOW, **SCALE, key: Integers(1, INACTIVE), **FAMILY}),
        ),
    ),
    reading="certain",
    expected="proved",
)  # fmt: skip

zero = claim(
    label="sharpness.attention.second.zero",
    statement="The second layer zeroes out the rows without a component: it puts zero weight on them.",
    relation="=",
    cases=(
        Case(
            "finite",
            left=lambda: Quantity("mass of rows without component", _second(_inactive_mass), _MASS,
                                  theory.SECOND["leak"].subs(lam, 2)),
            right=sp.Integer(0),
            domain=Domain({**_BELOW, **FAMILY}),
            expected="refuted",
        ),
        Case(
            "limit",
            statement="For large T the second layer puts no weight on the rows without a component. Their weight times "
            "C, the sum of the coefficients, is at most T^(1-λ), which is 1/T at the published scale λ = 2, for all "
            "coefficients and all ω.",
            left=lambda: Quantity(
                "C times the mass of rows without component",
                _second(lambda batch, weights, at: (
                    batch.coefficients.sum(-1) * _inactive_mass(batch, weights, at))),
                rf"C\,{_MASS}", SUM * theory.SECOND["leak"],
            ),
            relation="<=",
            right=T ** (1 - lam),
            domain=_DOMAIN,
            kind="Rate",
            mode="as T→∞",
            rests_on=("sharpness.attention.second.inactive-mass",),
        ),
    ),
    place=("Appendix B", "Theorem 14"),
    role="printed",
    reading="plausible",
    expected="proved",
    limitations=("True of the network whose softmaxes are restricted to their support, by definition.",),
)  # fmt: skip

mass = claim(
    label="sharpness.attention.second.inactive-mass",
    statement="The second layer gives the rows without a component the total weight (T+1-ω)/(C T^λ + T+1-ω), C the sum "
    "of the coefficients. That is half or more where C T^λ is at most T+1-ω.",
    left=Quantity("mass of rows without component", _second(_inactive_mass), _MASS, theory.SECOND["leak"]),
    relation="=",
    right=theory.SECOND_LEAK,
    domain=_DOMAIN,
    expected="proved",
    rests_on=("sharpness.attention.second.weights[inactive]",),
    repairs=("sharpness.attention.second.zero[finite]",),
)
