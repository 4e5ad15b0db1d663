"""Theorem 14: the whole gradient against G_u, what replaces it, and where it is true."""

from __future__ import annotations

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.sharpness.disjoint_supports import tiles
from boundaudit.checks.sharpness.gradients.shared import (
    BLOCKS,
    DEFINITIONS,
    EVEN_TILINGS,
    GRADIENT,
    IDEAL_NETWORK,
    KINDS,
    ONE_TILE,
    SQUARED,
    TILINGS,
    TWO_READINGS,
    claim,
    differentiated,
    squared,
)
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.sharpness.construction import Blocks

_LONG = tiles(60).replace(T=Integers(4, tested_to=60))
_PLACE = ("Theorem 14", "Theorem 5", "Theorem 13")
_BLOCKWISE = ("V2.printed", "W2.printed", "Gamma.printed", "M.printed")
_PRINTED = tuple(f"sharpness.gradients.{name}" for name in _BLOCKWISE)


def _printed(name: str, width: Choices, network: str) -> Claim:
    suffix = name if network == "finite" else f"ideal-{name}"
    return claim(
        label=f"sharpness.gradients.total.printed-{suffix}",
        statement=f"With the {name} trapezoid the squared gradient of the {network} network is at most the printed "
        "G_u.",
        left=GRADIENT[network]["total"],
        relation="<=",
        right=theorem.G_U,
        domain=_LONG.replace(u=width),
        reading="certain",
        expected="refuted",
        rests_on=(*_PRINTED, f"sharpness.gradients.F.printed-{suffix}"),
        limitations=(SQUARED, TWO_READINGS, *((IDEAL_NETWORK,) if network == "ideal" else ())),
    )


printed = tuple(
    _printed(name, width, network)
    for network in ("finite", "ideal")
    for name, width in (("steep", STEEP), ("wide", WIDE))
)
_REFUTED = tuple(found.label for found in printed)


without_floor = claim(
    label="sharpness.gradients.total.without-floor",
    statement="At lengths up to 8 the squared gradient is at most the printed G_u for all positive coefficients in the "
    "unit ball.",
    left=GRADIENT["finite"]["total"],
    relation="<=",
    right=theorem.G_U,
    domain=tiles(8, entries=Reals(0, 1, open_low=True)).replace(T=Integers(4, 8)),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.norms.W2.printed",),
    limitations=(SQUARED, "Read without the floor T⁻⁴ on coefficients: logits log c_t make keys arbitrarily long."),
)

# --- what replaces it -----------------------------------------------------------------------------

repaired = claim(
    label="sharpness.gradients.total.repaired",
    statement="The squared gradient is at most G_u with ω(D+1)(4 + (ω+4) log²T) in place of 4ω(D+1), for coefficients "
    "from T⁻⁴ to 1 in the unit ball.",
    left=GRADIENT["finite"]["total"],
    relation="<=",
    right=theorem.G_U_REPAIRED,
    domain=EVEN_TILINGS,
    expected="certified",
    rests_on=(*_PRINTED, "sharpness.gradients.F.repaired", "sharpness.gradients.V1.repaired",
              "sharpness.gradients.W1.repaired"),
    repairs=(*_REFUTED[:2], "sharpness.gradients.total.without-floor"),
    limitations=(SQUARED, ONE_TILE),
)  # fmt: skip

repaired_ideal = claim(
    label="sharpness.gradients.total.repaired-ideal",
    statement="In the ideal network, too, the squared gradient is at most G_u with ω(D+1)(4 + (ω+4) log²T) in place of "
    "4ω(D+1).",
    left=GRADIENT["ideal"]["total"],
    relation="<=",
    right=theorem.G_U_REPAIRED,
    domain=TILINGS,
    expected="certified",
    rests_on=("sharpness.gradients.F.repaired-ideal", "sharpness.gradients.upstream.ideal"),
    repairs=_REFUTED[2:],
    limitations=(SQUARED, ONE_TILE, IDEAL_NETWORK),
)

sharp = claim(
    label="sharpness.gradients.total.sharp",
    statement="The squared gradient is at most ω (4 + 128 D²(⌊D/2⌋+1)/u² + (D+1)(4 + (ω+4) log²T)).",
    left=GRADIENT["finite"]["total"],
    relation="<=",
    right=theorem.G_U_SHARP,
    domain=EVEN_TILINGS,
    expected="certified",
    rests_on=tuple(f"sharpness.gradients.{block}.agreement" for block in BLOCKS),
    repairs=_REFUTED[:2],
    improves="sharpness.gradients.total.repaired",
    limitations=(SQUARED, ONE_TILE),
)

_FREE = DEFINITIONS["finite"]
_PARTS = theorem.output_weights(KINDS["finite"])


def _scalar_output(found: Blocks) -> Tensor:
    """All parameters but the columns of F that write positions."""
    return squared(*(block for block in BLOCKS if block != "F"))(found) + found.F[..., -1].square().sum(-1)


scalar_output = claim(
    label="sharpness.gradients.total.scalar-output",
    statement="The printed G_u holds for a network whose MLP has a scalar output: with the other columns of F frozen "
    "at zero the squared gradient is at most G_u.",
    left=Quantity(
        "squared gradient without F's other columns, by automatic differentiation",
        differentiated(_scalar_output),
        r"\|\partial f / \partial \Theta\|^2 - \sum_{k < d+1} \|\partial f / \partial F_{\cdot k}\|^2",
        sp.Add(*(_FREE[block] for block in BLOCKS if block != "F"), _PARTS["values"]),
        rounding=1e-9,
        scale=1.0,
    ),
    relation="<=",
    right=theorem.G_U,
    domain=EVEN_TILINGS,
    expected="certified",
    rests_on=("sharpness.gradients.F.last-column", *_PRINTED),
    repairs=_REFUTED[:2],
    limitations=(SQUARED, ONE_TILE),
)

# --- where it is true -----------------------------------------------------------------------------

_SLACK = 128 * D**2 * (D - sp.floor(D / 2)) / (D + 1)

region = claim(
    label="sharpness.gradients.total.region",
    statement="Where (ω+4) log²T ≤ 128 D²(D-⌊D/2⌋)/(D+1) the repaired bound is at most the printed one, which "
    "therefore holds there: dead units leave it that much room.",
    left=theorem.G_U_SHARP,
    relation="<=",
    right=theorem.G_U,
    domain=Domain(
        {T: Integers(4, tested_to=200), D: Integers(1, T), omega: Integers(1, T), u: BOTH},
        where=[(omega + 4) * sp.log(T) ** 2 <= _SLACK],
    ),
    expected="certified",
    rests_on=("sharpness.gradients.total.sharp",),
)
