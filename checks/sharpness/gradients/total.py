"""Theorem 14: the whole gradient against G_u, what replaces it, and where it is true."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, EXACT, ONE_TILE, TWO_READINGS, tiles
from boundaudit.checks.sharpness.gradients.shared import (
    EVEN_TILINGS,
    GRADIENT,
    IDEAL_NETWORK,
    LONG_TILINGS,
    ONE_COLUMN,
    SQUARED,
    TILINGS,
    claim,
)
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

_PARTS = tuple(f"sharpness.gradients.{block}.printed" for block in theorem.PUBLISHED)
_BEHIND = tuple(f"sharpness.gradients.{block}.printed" for block in ("V2", "W2", "Gamma", "M"))
_DOMAIN = "for components of D positions side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball"
_FROZEN = (
    "The printed G_u holds for a network whose MLP has a scalar output: with the other columns of F left out of the "
    f"parameters the squared gradient is at most G_u = 4 + 4ω(2 + D + 32D² + 32D³), {_DOMAIN}."
)

printed = claim(
    label="sharpness.gradients.total.printed",
    statement="The squared gradient of the construction's output in all parameters is at most the printed "
    f"G_u = 4 + 4ω(2 + D + 32D² + 32D³), {_DOMAIN}.",
    role="printed",
    right=theorem.G_U,
    expected="refuted",
    rests_on=_PARTS,
    cases=(
        *(
            Case(
                f"{name},finite", left=GRADIENT["finite"]["total"], domain=LONG_TILINGS.replace(u=width),
                reading="plausible", limitations=(SQUARED, TWO_READINGS, EXACT, ALL_OF_F),
            )
            for name, width in (("steep", STEEP), ("wide", WIDE))
        ),
        *(
            Case(
                f"{name},ideal", left=GRADIENT["ideal"]["total"], domain=LONG_TILINGS.replace(u=width),
                reading="certain", limitations=(SQUARED, TWO_READINGS, IDEAL_NETWORK, ALL_OF_F),
            )
            for name, width in (("steep", STEEP), ("wide", WIDE))
        ),
        Case(
            "no-floor",
            statement="The squared gradient of the construction's output in all parameters is at most the printed G_u "
            "at lengths from 4 to 8 for all positive coefficients in the unit ball.",
            left=GRADIENT["finite"]["total"],
            domain=tiles(8, entries=Reals(0, 1, open_low=True)).replace(T=Integers(4, 8)),
            reading="plausible",
            rests_on=(*_PARTS, "sharpness.norms.W2.printed"),
            limitations=(
                SQUARED, EXACT,
                "Read without the floor T⁻⁴ on coefficients: logits log c_t make keys arbitrarily long.",
            ),
        ),
        *(
            Case(
                f"{ONE_COLUMN},{network}", statement=_FROZEN, left=GRADIENT[network][ONE_COLUMN], domain=domain,
                reading="plausible", expected="supported",
                rests_on=(*_BEHIND, f"sharpness.gradients.F.printed[{ONE_COLUMN}]"),
                limitations=(SQUARED, ONE_TILE, EXACT if network == "finite" else IDEAL_NETWORK),
            )
            for network, domain in (("finite", EVEN_TILINGS), ("ideal", LONG_TILINGS))
        ),
    ),
)  # fmt: skip

# --- what replaces it -----------------------------------------------------------------------------

_FINITE_REPAIRS = tuple(f"sharpness.gradients.{block}.repaired" for block in ("V1", "W1"))
_NETWORKS = (
    Case(
        "finite", left=GRADIENT["finite"]["total"], domain=EVEN_TILINGS,
        rests_on=(*_BEHIND, "sharpness.gradients.F.repaired", *_FINITE_REPAIRS), limitations=(SQUARED, ONE_TILE),
    ),
    Case(
        "ideal", left=GRADIENT["ideal"]["total"], domain=TILINGS,
        rests_on=(
            *_BEHIND, "sharpness.gradients.F.repaired[ideal]",
            *(f"sharpness.gradients.{block}.printed[ideal]" for block in ("V1", "W1")),
        ),
        limitations=(SQUARED, ONE_TILE, IDEAL_NETWORK),
    ),
)  # fmt: skip

repaired = claim(
    label="sharpness.gradients.total.repaired",
    statement="The squared gradient of the construction's output in all parameters is at most G_u with "
    f"ω(D+1)(4 + (ω+4) log²T) in place of 4ω(D+1), {_DOMAIN}.",
    right=theorem.G_U_REPAIRED,
    repairs=(printed.label,),
    cases=_NETWORKS,
)

sharp = claim(
    label="sharpness.gradients.total.sharp",
    statement="The squared gradient of the construction's output in all parameters is at most "
    "ω (4 + 128 D²(⌊D/2⌋+1)/u² + (D+1)(4 + (ω+4) log²T)), u = 1 for the steep and 2 for the wide trapezoid, "
    f"{_DOMAIN}.",
    role="improvement",
    right=theorem.G_U_SHARP,
    repairs=(printed.label,),
    improves=repaired.label,
    cases=_NETWORKS,
)

# --- where it is true -----------------------------------------------------------------------------

region = claim(
    label="sharpness.gradients.total.region",
    statement="Where (ω+4)(D+1) log²T ≤ 128 D²(D-⌊D/2⌋) the bound ω (4 + 128 D²(⌊D/2⌋+1)/u² + (D+1)(4 + (ω+4) "
    "log²T)) on the squared gradient is at most the printed G_u, which therefore holds there: dead hidden units leave "
    "it that much room.",
    left=theorem.G_U_SHARP,
    right=theorem.G_U,
    domain=lambda: Domain(
        {T: Integers(4, tested_to=200), D: Integers(1, T), omega: Integers(1, T), u: BOTH},
        where=[(omega + 4) * (D + 1) * sp.log(T) ** 2 <= 128 * D**2 * (D - sp.floor(D / 2))],
    ),
    expected="proved",
    rests_on=(sharp.label,),
)
