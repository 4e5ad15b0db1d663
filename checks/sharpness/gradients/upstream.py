"""Theorem 14: what reaches layer 1. Active rows rest on plateaus; at finite length unused rows need not."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.activations.shared import COUNTS, ONE_COMPONENT
from boundaudit.checks.sharpness.gradients.shared import (
    EVEN_TILINGS,
    GRADIENT,
    KINKED,
    ONE_TILE,
    TILINGS,
    TWO_READINGS,
    claim,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE, batch_of, by_trapezoid
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.disjoint_supports import slope
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, k
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.rows import kinds


def _slope(points: Sequence[Point], device: str) -> Array:
    """The MLP's slope at an active row with k ones in its set and r outside; NaN on a kink."""

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        sets = [{**p, "c": (1.0,), "S": (tuple(range(1, p["D"] + 1)),)} for p in chosen]
        inside = torch.tensor([p["k"] for p in chosen], device=device)
        ones = inside + torch.tensor([p["r"] for p in chosen], device=device)
        found = kinds(batch_of(sets, device), ones[:, None], mlp=mlp)
        at = torch.arange(len(chosen), device=device)
        return found.slope[at, 0, inside].abs().where(~found.kink[at, 0, inside], torch.nan)

    return by_trapezoid(points, of)


_SLOPE = Quantity(
    "slope of the MLP at an active row", _slope, r"|g'(s_t)|",
    sp.Abs(slope((k * T**2 + r) / (D * T**2 + T + 1 - D))), rounding=1e-10, scale=1.0,
)  # fmt: skip

slope_active = claim(
    label="sharpness.gradients.slope.active",
    statement="From T = 4 on the MLP is flat at every active row, whatever the input, so no derivative reaches layer 1 "
    "through active rows.",
    left=_SLOPE,
    relation="=",
    right=0,
    domain=COUNTS.replace(T=Integers(4, tested_to=10)),
    reading="certain",
    expected="certified",
    rests_on=("sharpness.exactness.plateau.from-three",),
    repairs=("sharpness.gradients.slope.every-length",),
    limitations=(ONE_COMPONENT,),
)

slope_every = claim(
    label="sharpness.gradients.slope.every-length",
    statement="The MLP is flat at every active row, for every length.",
    left=_SLOPE,
    relation="=",
    right=0,
    domain=COUNTS,
    reading="plausible",
    expected="refuted",
    limitations=("Exact in the limit T → ∞; read here for every length.",),
)


def _vanishes(block: str, name: str, domain: Domain) -> Claim:
    return claim(
        label=f"sharpness.gradients.{block}.printed-{name}",
        statement=f"With the {name} trapezoid the gradient in {block} vanishes at finite length.",
        left=GRADIENT["finite"][block],
        relation="=",
        right=0,
        domain=domain,
        reading="plausible",
        expected="refuted",
        limitations=(TWO_READINGS, "True of the ideal network, which the printed proof has in mind."),
    )


printed = tuple(
    _vanishes(block, name, TILINGS.replace(u=width))
    for block in ("V1", "W1")
    for name, width in (("steep", STEEP), ("wide", WIDE))
)


def _bounded(block: str, what: str) -> Claim:
    return claim(
        label=f"sharpness.gradients.{block}.repaired",
        statement=f"The squared gradient in {block} is at most {what}, N = T+1-ω: it enters through unused rows alone.",
        left=GRADIENT["finite"][block],
        relation="<=",
        right=theorem.UPSTREAM[block],
        domain=EVEN_TILINGS,
        expected="certified",
        rests_on=("sharpness.gradients.slope.active",),
        repairs=(f"sharpness.gradients.{block}.printed-steep", f"sharpness.gradients.{block}.printed-wide"),
        limitations=(KINKED, ONE_TILE),
    )


repaired = (
    _bounded("V1", "(4D/u · CN/(CT²+N))² (1 + 1/(T+1))"),
    _bounded("W1", "(4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1)))"),
)
