"""Theorem 14: the whole gradient against G_u, what replaces it, and where it is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, EXACT, ONE_TILE, TWO_READINGS, tiles
from boundaudit.checks.sharpness.gradients.blocks import sharp_label
from boundaudit.checks.sharpness.gradients.output_weights import H_AND_R, in_sizes
from boundaudit.checks.sharpness.gradients.rows import BEHIND, added
from boundaudit.checks.sharpness.gradients.shared import (
    BLOCKS,
    EVEN_TILINGS,
    FROM_FOUR,
    GRADIENT,
    IDEAL_NETWORK,
    IN_THE_BALL,
    LONG_TILINGS,
    MEASURED,
    ONE_COLUMN,
    SQUARED,
    claim,
    networks,
    proof,
    proofs_of,
)
from boundaudit.checks.sharpness.proofs import AT_LENGTH_20
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.attention import SUM, C
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

_PARTS = tuple(f"sharpness.gradients.{block}.printed" for block in theorem.PUBLISHED)
_BEHIND = tuple(f"sharpness.gradients.{block}.printed" for block in ("V2", "W2", "Gamma", "M"))
_DOMAIN = "for components of D positions side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball"
_FROZEN = (
    "Where of F the last column alone has parameters, as if the MLP had a scalar output, the squared gradient of the "
    f"output is at most the printed G_u = 4 + 4ω(2 + D + 32D² + 32D³), {_DOMAIN}."
)

_ALL = IN_THE_BALL.replace(T=FROM_FOUR)
_PAPERS_SIZES = _ALL.replace(T=Integers(20, 20), D=Integers(2, 5), omega=Integers(1, 20))
_SHARP, _REPAIRED = "sharpness.gradients.total.sharp", "sharpness.gradients.total.repaired"
_REGION = "sharpness.gradients.total.region"


def _at_length_20(network: str) -> Case:
    """As printed, at sizes of the experiments."""
    chain = proof(
        "sharpness.gradients.total.printed.length-20", network, _PAPERS_SIZES,
        Step(MEASURED[network]["total"], "measured |∇f|²"),
        Step(theorem.G_U_SHARP, "its sharp bound", "", f"{_SHARP}[{network}]"),
        Step(theorem.G_U, "within G_u at these sizes", "", _REGION),
    )  # fmt: skip
    return Case(
        f"length-20,{network}", left=MEASURED[network]["total"], domain=_PAPERS_SIZES,
        derivation=replace(chain, samples=AT_LENGTH_20),
        statement="At T = 20, D from 2 to 5 and ω up to 20 the squared gradient of the construction's output in all "
        "parameters is at most the printed G_u. For every family of components, every input and coefficients from T⁻⁴ "
        "to 1 in the unit ball.",
        reading="certain", expected="proved", rests_on=(f"{_SHARP}[{network}]", _REGION),
        limitations=(SQUARED, EXACT if network == "finite" else IDEAL_NETWORK),
    )  # fmt: skip


printed = claim(
    label="sharpness.gradients.total.printed",
    statement="The squared gradient of the construction's output in all parameters is at most the printed "
    f"G_u = 4 + 4ω(2 + D + 32D² + 32D³), {_DOMAIN}.",
    role="printed",
    right=theorem.G_U,
    expected="refuted",
    rests_on=_PARTS,
    cases=(
        *map(_at_length_20, MEASURED),
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
            "at lengths from 4 to 8, for components side by side and all positive coefficients in the unit ball.",
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

# --- for every family and input -------------------------------------------------------------------

_EVERY = (
    "for every family of components of D positions, coefficients from T⁻⁴ to 1 in the unit ball, every input and T ≥ 4"
)
_RANGES: dict[Any, Range] = {T: Integers(4, tested_to=200), D: Integers(1, T), omega: Integers(1, T)}
_SIZES = Domain({**_RANGES, u: BOTH})
_FORMULA = "2 + ω (3/8 + 64 D²(D+1)/u² + H (1 + log²T) + ω R log²T/4) + 22 D²/(u²T²)"
_WHERE = (
    f"{H_AND_R} are the largest squared length of a row's hidden units and the largest squared distance of two rows', "
    "and u = 1 for the steep and 2 for the wide trapezoid"
)


_UNUSED = "sharpness.gradients.unused"


def _blocks(network: str) -> Iterator[Step]:
    """From the measured gradient to the sum of bounds."""
    behind = tuple(Instance(f"{sharp_label(block)}[{network}]") for block in BEHIND)
    upstream = tuple(f"sharpness.gradients.{block}.repaired" for block in theorem.UPSTREAM)
    bounds = sp.Add(*theorem.SHARP.values())
    yield Step(MEASURED[network]["total"], "measured |∇f|²")
    if network == "finite":
        yield Step(added(network, BLOCKS), "block by block", "blocks", "sharpness.gradients.rows.blocks[finite]")
        yield Step(bounds + sp.Add(*theorem.UPSTREAM.values()), "each by its bound", "", (_UNUSED, *behind, *upstream))
        bounds += theorem.UPSTREAM_SIMPLE
        yield Step(
            bounds, "W1 and V1 by 22 D²/(u²T²)", "", (_UNUSED, Instance("sharpness.gradients.upstream", {C: SUM}))
        )
    else:
        yield Step(added(network, BEHIND), "block by block", "blocks", "sharpness.gradients.rows.blocks[ideal]")
        yield Step(bounds, "each by its bound", "", behind)
        bounds += theorem.UPSTREAM_SIMPLE
        yield Step(bounds, "with the finite network's room", "it is not negative")
    yield from in_sizes(bounds - theorem.SHARP["F"])
    yield Step(theorem.G_U_SHARP, "put together", "")


sharp = claim(
    label=_SHARP,
    statement=f"The squared gradient of the construction's output in all parameters is at most {_FORMULA}, "
    f"{_EVERY}. Here {_WHERE}.",
    role="improvement",
    right=theorem.G_U_SHARP,
    domain=_ALL,
    expected="proved",
    repairs=(printed.label,),
    improves=_REPAIRED,
    cases=networks("total", lambda network: proof(_SHARP, network, _ALL, *_blocks(network))),
)

simple = claim(
    label="sharpness.gradients.total.simple",
    statement="2 + ω (3/8 + 64 D²(D+1)/u²) + 22 D²/(u²T²) is at most 4 + 4ω(1 + 32D² + 32D³), the terms of G_u but "
    "that in F, T ≥ 4; u = 1 for the steep and 2 for the wide trapezoid.",
    left=theorem.OTHERS_SHARP,
    right=theorem.OTHERS,
    domain=_SIZES,
    expected="proved",
)


def _simplified(network: str) -> Derivation:
    return proof(
        _REPAIRED, network, _ALL,
        Step(MEASURED[network]["total"], "measured |∇f|²"),
        Step(theorem.G_U_SHARP, "its sharp bound", "", f"{_SHARP}[{network}]"),
        Step(theorem.OTHERS_SHARP + theorem.F_REPAIRED, "F simpler", "", "sharpness.gradients.F.simple"),
        Step(theorem.G_U_REPAIRED, "the other blocks simpler", "", (_UNUSED, simple.label)),
    )  # fmt: skip


repaired = claim(
    label=_REPAIRED,
    statement="The squared gradient of the construction's output in all parameters is at most G_u with "
    f"ω(D+1)(4 + (ω+4) log²T) in place of 4ω(D+1), {_EVERY}.",
    right=theorem.G_U_REPAIRED,
    domain=_ALL,
    expected="proved",
    repairs=(printed.label,),
    cases=networks("total", _simplified),
)

proofs = proofs_of(sharp, repaired, printed)

# --- where it is true -----------------------------------------------------------------------------

room = claim(
    label="sharpness.gradients.total.room",
    statement="2 + ω (3/8 + 64 D²(D+1)/u² + H) + 22 D²/(u²T²) and ω times 62 D²(D+1)(2 - 1/u²) are together at most "
    f"the printed G_u, T ≥ 4: hidden units that cannot act leave F that much room. Here {_WHERE}.",
    left=theorem.G_U_SHARP - omega * theorem.F_GROWTH,
    right=theorem.G_U - omega * theorem.SLACK,
    domain=_SIZES,
    expected="proved",
)

region = claim(
    label=_REGION,
    statement=f"Where (H + ω R/4) log²T ≤ 62 D²(D+1)(2 - 1/u²) the bound {_FORMULA} on the squared gradient is at most "
    f"the printed G_u, which therefore holds there. Here {_WHERE}.",
    left=theorem.G_U_SHARP,
    right=theorem.G_U,
    domain=lambda: Domain({**_RANGES, u: BOTH}, where=[theorem.F_GROWTH <= theorem.SLACK]),
    expected="proved",
    rests_on=(sharp.label, room.label),
)
