"""Theorem 14: what reaches layer 1. Active rows rest on plateaus; at finite length unused rows need not."""

from __future__ import annotations

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Integers
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.activations.shared import COUNTS, ONE_COMPONENT
from boundaudit.checks.sharpness.disjoint_supports import EXACT, KINKED, ONE_TILE, TWO_READINGS
from boundaudit.checks.sharpness.gradients.shared import (
    EVEN_TILINGS,
    GRADIENT,
    IDEAL_NETWORK,
    INPUTS,
    TILINGS,
    claim,
    differentiated,
    latex,
    numbered,
    squared,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.disjoint_supports import slope
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, k
from boundaudit.numeric.sharpness.attention import leading
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.rows import kinds


@by_trapezoid
def _slope(at: Columns, mlp: Trapezoid) -> Tensor:
    """The MLP's slope at an active row with k ones in its set and r outside; NaN on a kink."""
    inside = at.whole("k")
    batch = leading(at.whole("T"), at.whole("D"), torch.ones_like(inside).double())
    found = kinds(batch, (inside + at.whole("r"))[:, None], mlp=mlp)
    row = torch.arange(len(at), device=at.device)
    return found.slope[row, 0, inside].abs().where(~found.kink[row, 0, inside], torch.nan)


slope_active = claim(
    label="sharpness.gradients.slope.active",
    statement="The MLP is flat at every active row of layer 1, whatever the input, so that no derivative reaches layer "
    "1 through active rows.",
    left=Quantity(
        "slope of the MLP at an active row", _slope, r"|g'(s_t)|",
        lambda: sp.Abs(slope((k * T**2 + r) / (D * T**2 + T + 1 - D))), rounding=1e-10, scale=1.0,
    ),
    relation="=",
    right=0,
    cases=(
        Case(
            "from-four", domain=COUNTS.replace(T=Integers(4, tested_to=10)), reading="certain",
            rests_on=("sharpness.exactness.plateau.margin[three]",), limitations=(ONE_COMPONENT,),
        ),
        Case(
            "every-length", domain=COUNTS, reading="plausible", expected="refuted",
            limitations=("Exact in the limit T → ∞; read for every length, it fails at T = 2, D = 1 alone.",),
        ),
    ),
)  # fmt: skip


def _vanishes(block: str) -> Claim:
    """The finite network by its closed form on tilings, the ideal one by differentiating it at any input."""
    ideal = Quantity(
        f"squared gradient in {block} by automatic differentiation, ideal network",
        differentiated(squared(block), "ideal", numbered), latex(block), rounding=1e-9, scale=1.0,
    )  # fmt: skip
    return claim(
        label=f"sharpness.gradients.{block}.printed",
        statement=f"The gradient of the construction's output in {block} vanishes at every input, as the MLP is flat "
        "at every grid point.",
        role="printed",
        relation="=",
        right=0,
        rests_on=("sharpness.gradients.slope.active",),
        cases=(
            *(
                Case(
                    f"{name},finite", left=GRADIENT["finite"][block], domain=TILINGS.replace(u=width),
                    reading="plausible", expected="refuted", limitations=(TWO_READINGS, EXACT),
                )
                for name, width in (("steep", STEEP), ("wide", WIDE))
            ),
            Case("ideal", left=ideal, domain=INPUTS, reading="certain", limitations=(IDEAL_NETWORK,)),
        ),
    )  # fmt: skip


printed = tuple(_vanishes(block) for block in ("V1", "W1"))


def _bounded(block: str, what: str) -> Claim:
    return claim(
        label=f"sharpness.gradients.{block}.repaired",
        statement=f"The squared gradient of the construction's output in {block} is at most {what}, where "
        "N = T+1-ω rows are unused, C is the sum of the coefficients, and u is 1 for the steep and 2 for the wide "
        "trapezoid: it enters through unused rows alone; for components side by side and T ≥ 4.",
        left=GRADIENT["finite"][block],
        right=theorem.UPSTREAM[block],
        domain=EVEN_TILINGS,
        rests_on=("sharpness.gradients.slope.active[from-four]",),
        repairs=(f"sharpness.gradients.{block}.printed",),
        limitations=(KINKED, ONE_TILE),
    )


repaired = (
    _bounded("V1", "(4D/u · CN/(CT²+N))² (1 + 1/(T+1))"),
    _bounded("W1", "(4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1)))"),
)
