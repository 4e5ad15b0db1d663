"""Layer 1: the weights of its rows, the mass outside a component, and the factors of W1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.attention.shared import (
    AT_REALS,
    FAMILY,
    ROW,
    SCALE,
    SETS,
    claim,
    network_of,
)
from boundaudit.checks.sharpness.exactness.shared import column, scales
from boundaudit.derivations.sharpness import attention as theory
from boundaudit.derivations.sharpness.attention import INACTIVE, OUTSIDE, key, lam, row
from boundaudit.derivations.sharpness.parameters import D, T
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.target import TargetBatch

_DOMAIN = Domain({**SETS, **SCALE, **ROW, **FAMILY})


def _first_keys(of: Callable[[TargetBatch, Tensor], Tensor]) -> Measure:
    """One attention weight of an active row of layer 1: the one of key number ``key`` among those that a mask names."""

    def measure(points: Sequence[Point], device: str) -> Tensor:
        batch, rows = network_of(points, device), column(points, "row", device) - 1
        weights = network.first_weights(batch, scales(points, device), rows)
        chosen = network.nth(of(batch, rows), column(points, "key", device))
        return weights.gather(1, chosen[:, None])[:, 0].cpu()

    return lambda points, device: measure(points, device).numpy()


def _others(batch: TargetBatch, rows: Tensor) -> Tensor:
    return network.real_keys(batch) & ~network.member_keys(batch, rows)


def _first_leak(points: Sequence[Point], device: str) -> Tensor:
    batch, rows = network_of(points, device), column(points, "row", device) - 1
    weights = network.first_weights(batch, scales(points, device), rows)
    return (weights * _others(batch, rows)).sum(-1).cpu()


def _inactive(points: Sequence[Point], device: str) -> Tensor:
    batch = network_of(points, device)
    rows = network.nth(network.unused_rows(batch), column(points, "row", device))
    weights = network.first_weights(batch, scales(points, device), rows)
    chosen = network.nth(network.real_keys(batch), column(points, "key", device))
    return weights.gather(1, chosen[:, None])[:, 0].cpu()


# --- layer 1 --------------------------------------------------------------------------------------

_member = _first_keys(network.member_keys)
_MEMBER = Quantity("weight of a member key", _member, "A_1[t, j]", theory.FIRST["member"])
_MEMBERS = Domain({**SETS, **SCALE, **ROW, key: Integers(1, D), **FAMILY})

first_member = claim(
    label="sharpness.attention.first.member",
    statement="A row of layer 1 that has a component gives each of its D positions the weight T^λ/(D T^λ + T+1-D).",
    left=_MEMBER,
    relation="=",
    right=theory.MEMBER,
    domain=_MEMBERS,
    place=("Appendix B", "Equation 3", "Equation 4"),
    expected="proved",
    repairs=("sharpness.attention.first.published",),
)

first_published = claim(
    label="sharpness.attention.first.published",
    statement="The weight of each position of the component is T²/(D T² + T).",
    left=Quantity("weight of a member key", _member, "A_1[t, j]", theory.FIRST["member"].subs(lam, 2)),
    relation="=",
    right=theory.PUBLISHED_MEMBER,
    domain=Domain({**SETS, **ROW, key: Integers(1, D), **FAMILY}),
    place=("Appendix B", "Equation 3"),
    reading="plausible",
    expected="refuted",
    limitations=("One of two readings of the denominator, right for D = 1 only.",),
)

first_other = claim(
    label="sharpness.attention.first.other",
    statement="The row of a component gives each position outside the component, the output position among them, the "
    "weight 1/(D T^λ + T+1-D).",
    left=Quantity("weight of another key", _first_keys(_others), "A_1[t, j]", theory.FIRST["other"]),
    relation="=",
    right=theory.OTHER,
    domain=Domain({**SETS, **SCALE, **ROW, key: Integers(1, OUTSIDE), **FAMILY}),
    place=("Appendix B", "Equation 4"),
    expected="proved",
)

first_inactive = claim(
    label="sharpness.attention.first.inactive",
    statement="A row of layer 1 without a component, the output position among them, attends to all T+1 positions "
    "alike.",
    left=Quantity(
        "weight in a row without component",
        lambda points, device: _inactive(points, device).numpy(),
        "A_1[t, j]",
        theory.FIRST["inactive"],
    ),
    relation="=",
    right=theory.UNIFORM,
    domain=Domain({**SETS, **SCALE, row: Integers(1, INACTIVE), key: Integers(1, T + 1), **FAMILY}),
    place=("Appendix B",),
    reading="certain",
    expected="proved",
)

_FIRST_LEAK = Quantity(
    "mass outside the component", lambda points, device: _first_leak(points, device).numpy(),
    r"\sum_{j \notin S_t} A_1[t, j]", theory.FIRST["leak"],
)  # fmt: skip

first_leak = claim(
    label="sharpness.attention.first.leak-mass",
    statement="Outside its component such a row leaves the mass (T+1-D)/(D T^λ + T+1-D).",
    left=_FIRST_LEAK,
    relation="=",
    right=theory.FIRST_LEAK,
    domain=_DOMAIN,
    place=("Appendix B", "Equation 5"),
    expected="proved",
    rests_on=("sharpness.attention.first.other",),
)

first_leak_rate = claim(
    label="sharpness.attention.first.leak-rate",
    statement="The mass that a component's row gives to positions outside it is at most T^(1-λ)/D, at the published "
    "scale 1/(D T): it vanishes as T→∞ for every λ above 1.",
    left=_FIRST_LEAK,
    relation="<=",
    right=T ** (1 - lam) / D,
    domain=_DOMAIN.replace(**AT_REALS),
    kind="Rate",
    mode="as T→∞",
    place=("Appendix B", "Equation 5"),
    expected="proved",
    rests_on=("sharpness.attention.first.leak-mass",),
)


def _distance(points: Sequence[Point], device: str) -> Tensor:
    return (torch.as_tensor(_member(points, device)) - 1 / column(points, "D", "cpu").double()).abs()


first_limit = claim(
    label="sharpness.attention.first.limit",
    statement="The weight of each position of the component is within T^(1-λ)/D² of its limit 1/D.",
    left=Quantity(
        "distance of a member key's weight from 1/D",
        lambda points, device: _distance(points, device).numpy(),
        r"\left| A_1[t, j] - \tfrac{1}{D} \right|",
        sp.Abs(theory.FIRST["member"] - 1 / D),
        scale=1.0,
    ),
    relation="<=",
    right=T ** (1 - lam) / D**2,
    domain=_MEMBERS.replace(**AT_REALS),
    kind="Rate",
    mode="as T→∞",
    place=("Appendix B", "Equation 5"),
    reading="certain",
    expected="proved",
    rests_on=("sharpness.attention.first.member",),
    limitations=("The limit is the published one; the rate is derived here.",),
)

factors = claim(
    label="sharpness.attention.factors",
    statement="W1 is the product of the key factor λ log T·I on the positions and a query factor of inclusion "
    "indicators: that product explains all of its squared norm, ω D λ² log²T.",
    left=Quantity(
        "squared norm of W1 less its distance from the product",
        lambda points, device: network.product_share(network_of(points, device), scales(points, device)).cpu().numpy(),
        r"\|W_1\|^2 - \|W_1 - KQ\|^2",
        theory.PRODUCT_BY_ENTRIES,
    ),
    relation="=",
    right=theory.PRODUCT,
    domain=Domain({**SETS, **SCALE, **FAMILY}),
    place=("Appendix B", "Equation 6", "Equation 7"),
    reading="plausible",
    expected="proved",
    rests_on=("sharpness.norms.W1.closed-form",),
    limitations=("Proved of the closed form; that W1 is the product is measured on its entries.",),
)
