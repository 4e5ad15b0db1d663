"""Theorem 14: the closed forms of the gradient are those of automatic differentiation, and of the tilings' formulas."""

from __future__ import annotations

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.sharpness.disjoint_supports import tiled
from boundaudit.checks.sharpness.gradients.shared import (
    ANY_TILINGS,
    BLOCKS,
    IDEAL_NETWORK,
    INPUTS,
    KINKED,
    ONE_TILE,
    Inputs,
    anywhere,
    claim,
    closed,
    differentiated,
    formula,
    latex,
    numbered,
    squared,
)


def _agreement(block: str) -> Claim:
    return claim(
        label=f"sharpness.gradients.{block}.agreement",
        statement=f"The closed form of the squared gradient in {block} is what automatic differentiation of the whole "
        "network gives, for any target, input and trapezoid.",
        left=anywhere(block),
        relation="=",
        right=Quantity(
            f"squared gradient in {block} by automatic differentiation",
            differentiated(squared(block), inputs=numbered), latex(block), rounding=1e-9, scale=1.0,
        ),
        domain=INPUTS,
        expected="supported",
        limitations=(KINKED,),
    )  # fmt: skip


agreements = tuple(_agreement(block) for block in BLOCKS)


def _by_differentiation(*blocks: str, network: str = "ideal", inputs: Inputs = numbered) -> Quantity:
    shown = "\\Theta" if len(blocks) == len(BLOCKS) else ",".join(blocks)
    return Quantity(
        f"squared gradient in {', '.join(blocks)} by automatic differentiation, {network} network",
        differentiated(squared(*blocks), network, inputs), latex(shown), rounding=1e-9, scale=1.0,
    )  # fmt: skip


ideal = claim(
    label="sharpness.gradients.total.agreement-ideal",
    statement="In the ideal network, too, the closed form of the squared gradient is that of automatic "
    "differentiation.",
    left=Quantity(
        "squared gradient, ideal network", closed("total", "ideal", numbered), latex("total"), rounding=1e-9, scale=1.0
    ),
    relation="=",
    right=_by_differentiation(*BLOCKS),
    domain=INPUTS,
    expected="supported",
    limitations=(IDEAL_NETWORK,),
)

upstream_ideal = claim(
    label="sharpness.gradients.upstream.ideal",
    statement="In the ideal network the whole gradient is that in M, Gamma, F, W2 and V2: none reaches W1 and V1, as "
    "the MLP is flat at every grid point.",
    left=_by_differentiation(*BLOCKS),
    relation="=",
    right=_by_differentiation("M", "Gamma", "F", "W2", "V2"),
    domain=INPUTS,
    reading="certain",
    expected="supported",
    rests_on=("sharpness.gradients.slope.active",),
    repairs=tuple(
        f"sharpness.gradients.{block}.printed-{name}" for block in ("V1", "W1") for name in ("steep", "wide")
    ),
    limitations=(IDEAL_NETWORK,),
)


def _tilings(network: str) -> Claim:
    return claim(
        label=f"sharpness.gradients.total.tilings-{network}",
        statement=f"On tilings the squared gradient of the {network} network by automatic differentiation is a sum "
        "over kinds of rows.",
        left=_by_differentiation(*BLOCKS, network=network, inputs=tiled),
        relation="=",
        right=formula("total", network),
        domain=ANY_TILINGS,
        expected="supported",
        limitations=(KINKED, ONE_TILE),
    )


by_kinds = (_tilings("finite"), _tilings("ideal"))
