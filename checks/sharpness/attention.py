"""Appendix B: the weights of both attention layers at finite length, and the mass off their support."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Subsets, Vector
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.targets import PAPER, SPARSITY, batch_of
from boundaudit.derivations.sharpness import attention as theory
from boundaudit.derivations.sharpness.attention import INACTIVE, OUTSIDE, SUM, key, lam, row
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))

SETS: dict[Any, Range] = {T: Integers(2, tested_to=24), D: Integers(1, T), omega: SPARSITY}
SCALE: dict[Any, Range] = {lam: Reals(0, open_low=True, tested_to=6)}
FAMILY: dict[Any, Range] = {sp.Symbol("S"): Subsets(omega, D, T)}
ROW: dict[Any, Range] = {row: Integers(1, omega)}


def scales(at: Columns) -> Tensor:
    """The scale λ of each point; 2 as published where it has none."""
    return at.real("lambda", 2)


def nth_key(weights: Tensor, keys: Tensor, at: Columns) -> Tensor:
    """The weight of key number ``key`` of each point among those that a mask names."""
    return weights.gather(1, network.nth(keys, at.whole("key"))[:, None])[:, 0]


# --- the weights of its rows, and the mass outside a component ------------------------------------


def _seen(at: Columns) -> tuple[TargetBatch, Tensor, Tensor]:
    """Networks, a row of each that has a component, and its weights."""
    batch, rows = batch_of(at), at.whole("row") - 1
    return batch, rows, network.first_weights(batch, scales(at), rows)


def _others(batch: TargetBatch, rows: Tensor) -> Tensor:
    return network.real_keys(batch) & ~network.member_keys(batch, rows)


def _active(of: Callable[[TargetBatch, Tensor], Tensor]) -> Callable[[Columns], Tensor]:
    """The weight of one key of a row that has a component, among the keys that a mask names."""

    def weight(at: Columns) -> Tensor:
        batch, rows, weights = _seen(at)
        return nth_key(weights, of(batch, rows), at)

    return weight


def _inactive(at: Columns) -> Tensor:
    batch = batch_of(at)
    rows = network.nth(network.unused_rows(batch), at.whole("row"))
    return nth_key(network.first_weights(batch, scales(at), rows), network.real_keys(batch), at)


def _outside(at: Columns) -> Tensor:
    batch, rows, weights = _seen(at)
    return (weights * _others(batch, rows)).sum(-1)


_member = _active(network.member_keys)
_MEMBER = Quantity("weight of a member key", measured(_member), "A_1[t, j]", theory.FIRST["member"])
_MEMBERS = Domain({**SETS, **SCALE, **ROW, key: Integers(1, D), **FAMILY})

weights = claim(
    label="sharpness.attention.first.weights", relation="=", place=("Appendix B", "Equation 3", "Equation 4"),
    role="printed", reading="plausible", expected="proved",
    statement="In layer 1 the row of a component of D positions gives each of these the weight T^λ/(D T^λ + T+1-D). "
    "Each of the T+1-D other positions, the output position among them, gets 1/(D T^λ + T+1-D). A row without a "
    "component attends to all T+1 positions alike. The published scale is λ = 2.",
    cases=(
        Case("member", left=_MEMBER, right=theory.MEMBER, domain=_MEMBERS),
        Case(
            "other",
            left=Quantity("weight of another key", measured(_active(_others)), "A_1[t, j]", theory.FIRST["other"]),
            right=theory.OTHER,
            domain=Domain({**SETS, **SCALE, **ROW, key: Integers(1, OUTSIDE), **FAMILY}),
        ),
        Case(
            "inactive",
            left=Quantity("weight in a row without component", measured(_inactive), "A_1[t, j]",
                          theory.FIRST["inactive"]),
            right=theory.UNIFORM,
            domain=Domain({**SETS, **SCALE, row: Integers(1, INACTIVE), key: Integers(1, T + 1), **FAMILY}),
            reading="certain",
        ),
        Case(
            "member,T",
            statement="In layer 1 the row of a component of D positions gives each of these the weight T²/(D T² + T), "
            "as if there were T other positions.",
            left=lambda: Quantity("weight of a member key", _MEMBER.measure, "A_1[t, j]",
                                  theory.FIRST["member"].subs(lam, 2)),
            right=theory.PUBLISHED_MEMBER,
            domain=Domain({**SETS, **ROW, key: Integers(1, D), **FAMILY}),
            expected="refuted",
            limitations=("The other reading of the denominator, right for D = 1 only.",),
        ),
    ),
    limitations=("T^λ/(D T^λ + T+1-D) is one of two readings of the published denominator.",),
)  # fmt: skip

_LEAK = Quantity(
    "mass outside the component", measured(_outside), r"\sum_{j \notin S_t} A_1[t, j]", theory.FIRST["leak"]
)
_ROWS = Domain({**SETS, **SCALE, **ROW, **FAMILY})

leak_mass = claim(
    label="sharpness.attention.first.leak-mass", relation="=", place=("Appendix B", "Equation 5"), expected="proved",
    statement="A row of layer 1 that has a component of D positions leaves the mass (T+1-D)/(D T^λ + T+1-D) on the "
    "positions outside it.",
    left=_LEAK, right=theory.FIRST_LEAK, domain=_ROWS, rests_on=("sharpness.attention.first.weights[other]",),
)  # fmt: skip

limit = claim(
    label="sharpness.attention.first.limit", kind="Rate", mode="as T→∞", place=("Appendix B", "Equation 5"),
    role="printed", reading="certain", expected="proved",
    statement="For large T the row of a component of D positions in layer 1 attends to these alone, with weight 1/D "
    "each. At scale λ, published as 2, each of these weights is within T^(1-λ)/D² of 1/D, and the mass on other "
    "positions is at most T^(1-λ)/D.",
    cases=(
        Case(
            "member",
            left=lambda: Quantity(
                "distance of a member key's weight from 1/D",
                measured(lambda at: (_member(at) - 1 / at.real("D")).abs()),
                r"\left| A_1[t, j] - \tfrac{1}{D} \right|", sp.Abs(theory.FIRST["member"] - 1 / D), scale=1.0,
            ),
            right=T ** (1 - lam) / D**2,
            domain=_MEMBERS,
            rests_on=("sharpness.attention.first.weights[member]",),
        ),
        Case(
            "others",
            left=_LEAK,
            right=T ** (1 - lam) / D,
            domain=_ROWS,
            rests_on=("sharpness.attention.first.leak-mass",),
        ),
    ),
    limitations=("The limit is the published one; the rates are derived here.",),
)  # fmt: skip


# --- the weights of the output position, and the mass on rows without a component -----------------

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


def _active_weight(batch: TargetBatch, second_weights: Tensor, at: Columns) -> Tensor:
    return second_weights.gather(1, at.whole("row")[:, None] - 1)[:, 0]


def _inactive_weight(batch: TargetBatch, second_weights: Tensor, at: Columns) -> Tensor:
    return nth_key(second_weights, network.unused_rows(batch), at)


def _inactive_mass(batch: TargetBatch, second_weights: Tensor, at: Columns) -> Tensor:
    return (second_weights * network.unused_rows(batch)).sum(-1)


second_weights = claim(
    label="sharpness.attention.second.weights", relation="=", reading="certain", expected="proved",
    statement="In layer 2 the output position gives the row of component t the weight c_t T^λ/(C T^λ + T+1-ω), C the "
    "sum of the coefficients, and each of the T+1-ω rows without a component the weight 1/(C T^λ + T+1-ω).",
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
)  # fmt: skip

zero = claim(
    label="sharpness.attention.second.zero", relation="=", place=("Appendix B", "Theorem 14"), role="printed",
    reading="plausible", expected="proved",
    statement="The second layer zeroes out the rows without a component: it puts zero weight on them.",
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
                _second(lambda batch, second_weights, at: (
                    batch.coefficients.sum(-1) * _inactive_mass(batch, second_weights, at))),
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
    limitations=("True of the network whose softmaxes are restricted to their support, by definition.",),
)  # fmt: skip

mass = claim(
    label="sharpness.attention.second.inactive-mass", relation="=", expected="proved",
    statement="The second layer gives the rows without a component the total weight (T+1-ω)/(C T^λ + T+1-ω), C the sum "
    "of the coefficients. That is half or more where C T^λ is at most T+1-ω.",
    left=Quantity("mass of rows without component", _second(_inactive_mass), _MASS, theory.SECOND["leak"]),
    right=theory.SECOND_LEAK, domain=_DOMAIN, rests_on=("sharpness.attention.second.weights[inactive]",),
    repairs=("sharpness.attention.second.zero[finite]",),
)  # fmt: skip
