"""Theorem 14: layer 1, the whole gradient, where its bound loses, and where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.measurements import Columns
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.activations.stream import COUNTS, ONE_COMPONENT
from boundaudit.checks.sharpness.gradients.blocks import H_AND_R, in_sizes, sharp_label
from boundaudit.checks.sharpness.gradients.rows import (
    BEHIND,
    BEHIND_ONE_COLUMN,
    BITS,
    FLANK,
    SEEN_BITS,
    SLOPES,
    added,
    attended_squared,
    logits_squared,
    unused_bits,
)
from boundaudit.checks.sharpness.gradients.shared import (
    BLOCKS,
    EVEN_TILINGS,
    FROM_FOUR,
    GRADIENT,
    IDEAL_NETWORK,
    IN_THE_BALL,
    INPUTS,
    KINDS,
    LONG_TILINGS,
    MEASURED,
    ONE_COLUMN,
    SCALES,
    SQUARED,
    TILINGS,
    by_formula,
    claim,
    defined,
    latex,
    networks,
    proof,
    proofs_of,
)
from boundaudit.checks.sharpness.proofs import AT_LENGTH_20
from boundaudit.checks.sharpness.targets import (
    ALL_OF_F,
    BOTH,
    EXACT,
    KINKED,
    PAPER,
    STEEP,
    TRAPEZOIDS,
    TWO_READINGS,
    WIDE,
    by_trapezoid,
    tiles,
)
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM, C
from boundaudit.derivations.sharpness.disjoint_supports import slope
from boundaudit.derivations.sharpness.exactness import r
from boundaudit.derivations.sharpness.parameters import D, T, k, omega, u
from boundaudit.numeric.sharpness.attention import leading
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mixtures import squared_gradient, two_parts
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.rows import kinds
from boundaudit.numeric.sharpness.target import TargetBatch


@by_trapezoid
def _slope(at: Columns, mlp: Trapezoid) -> Tensor:
    """The MLP's slope at an active row with k ones in its set and r outside; NaN on a kink."""
    inside = at.whole("k")
    batch = leading(at.whole("T"), at.whole("D"), torch.ones_like(inside).double())
    found = kinds(batch, (inside + at.whole("r"))[:, None], mlp=mlp)
    row = torch.arange(len(at), device=at.device)
    return found.slope[row, 0, inside].abs().where(~found.kink[row, 0, inside], torch.nan)


slope_active = claim(
    label="sharpness.gradients.slope.active", relation="=",
    statement="The MLP is flat at every active row of layer 1, whatever the input, so that no derivative reaches layer "
    "1 through active rows.",
    left=Quantity(
        "slope of the MLP at an active row", _slope, r"|g'(s_t)|",
        lambda: sp.Abs(slope((k * T**2 + r) / (D * T**2 + T + 1 - D))), rounding=1e-10, scale=1.0,
    ),
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
    return claim(
        label=f"sharpness.gradients.{block}.printed", role="printed", relation="=",
        statement=f"The gradient of the construction's output in {block} vanishes at every input, as the MLP is flat "
        "at every grid point.",
        right=0, rests_on=("sharpness.gradients.slope.active",),
        cases=(
            *(
                Case(
                    f"{name},finite", left=GRADIENT["finite"][block], domain=TILINGS.replace(u=width),
                    reading="plausible", expected="refuted", limitations=(TWO_READINGS, EXACT),
                )
                for name, width in (("steep", STEEP), ("wide", WIDE))
            ),
            Case(
                "ideal", left=MEASURED["ideal"][block], domain=INPUTS, reading="certain", limitations=(IDEAL_NETWORK,),
            ),
        ),
    )  # fmt: skip


printed = tuple(_vanishes(block) for block in ("V1", "W1"))


# --- for every family and input -------------------------------------------------------------------


_LONG = INPUTS.replace(T=FROM_FOUR)

unused = claim(
    label="sharpness.gradients.unused", expected="proved",
    statement="There are at most as many components as bits, so that some row is unused.",
    left=omega, right=T, domain=_LONG,
    derivation=proof(
        "sharpness.gradients.unused", "finite", _LONG,
        Step(omega, "components"),
        Step(1 + (T - 1) * sp.Min(1, T - D), "distinct sets", "declared"),
        Step(T, "bits", "", Instance("sharpness.averages.least", {"e_av": T - 1, "x_av": T - D})),
    ),
)  # fmt: skip


def _v1(label: str) -> Derivation:
    slope, seen = SLOPES["finite"][T + 1], SEEN_BITS["finite"][T + 1]
    return proof(
        label, "finite", _LONG,
        Step(MEASURED["finite"]["V1"], "measured gradient in V1"),
        Step(attended_squared("finite"), "unused rows alone", "chain rule", "sharpness.gradients.rows.V1"),
        Step((FLANK * slope * INACTIVE) ** 2 * (1 / (T + 1) + 1), "rows average bits", "s ≤ 1",
             (unused.label, Instance("sharpness.averages.below-one", {"m_av": seen}))),
        Step(theorem.UPSTREAM["V1"], "(4D/u · CN/(CT²+N))² (1 + 1/(T+1))", "slopes are at most 4D/u",
             (unused.label, Instance("sharpness.averages.below-one", {"m_av": slope}))),
    )  # fmt: skip


def _w1(label: str) -> Derivation:
    slope, seen, bits = SLOPES["finite"][T + 1], SEEN_BITS["finite"][T + 1], unused_bits("finite")
    room = sp.Rational(1, 16) + 1 / (4 * (T + 1))
    return proof(
        label, "finite", _LONG,
        Step(MEASURED["finite"]["W1"], "measured gradient in W1"),
        Step(logits_squared("finite"), "unused rows alone", "chain rule", "sharpness.gradients.rows.W1"),
        Step((FLANK * slope) ** 2 * room * (INACTIVE + bits**2), "s (1-s) at most 1/4", "s (1-s) ≤ 1/4",
             (unused.label, Instance("sharpness.averages.bends", {"m_av": seen, "x_av": 1 / (T + 1)}))),
        Step(FLANK**2 * room * (INACTIVE + bits**2), "unused rows on flanks", "slopes are at most 4D/u",
             (unused.label, Instance("sharpness.averages.below-one", {"m_av": slope}))),
        Step(theorem.UPSTREAM["W1"], "(4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1)))", "bits are at most one",
             (unused.label, Instance(
                 "sharpness.averages.count", {"n_av": INACTIVE, "g_av": lambda t: BITS["finite"][omega + t]}))),
    )  # fmt: skip


_PROOFS = {"V1": _v1, "W1": _w1}


def _bounded(block: str, what: str) -> Claim:
    label = f"sharpness.gradients.{block}.repaired"
    return claim(
        label=label, expected="proved",
        statement=f"At every input the squared gradient of the construction's output in {block} is at most {what}: "
        f"{block} acts through the N = T+1-ω unused rows alone. For every family of components of D positions, all "
        "positive coefficients, C their sum, and T ≥ 4; u = 1 (steep) or 2 (wide).",
        left=MEASURED["finite"][block], right=theorem.UPSTREAM[block], domain=_LONG, derivation=_PROOFS[block](label),
        repairs=(f"sharpness.gradients.{block}.printed",), limitations=(KINKED,),
    )  # fmt: skip


repaired = (
    _bounded("V1", "(4D/u · CN/(CT²+N))² (1 + 1/(T+1))"),
    _bounded("W1", "(4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1)))"),
)

proofs = proofs_of(*repaired)

simple = claim(
    label="sharpness.gradients.upstream", expected="proved",
    statement="(4D/u · CN/(CT²+N))² (1 + 1/(T+1)) + (4D/u · C/(CT²+N))² N(N+1) (1/16 + 1/(4(T+1))), N = T+1-ω, is at "
    "most 22 D²/(u²T²) for every C > 0 and T ≥ 4: what reaches layer 1 falls like 1/T².",
    left=lambda: sp.Add(*theorem.upstream(C).values()), right=theorem.UPSTREAM_SIMPLE,
    domain=Domain({
        T: Integers(4, tested_to=60), D: Integers(1, T), omega: Integers(1, T), u: BOTH,
        C: Reals(0, open_low=True, tested_to=6),
    }),
)  # fmt: skip


# --- the whole gradient against G_u, what replaces it, and where it is true -----------------------

_PARTS = tuple(f"sharpness.gradients.{block}.printed" for block in theorem.PUBLISHED)
_BEHIND = tuple(f"sharpness.gradients.{block}.printed" for block in ("V2", "W2", "Gamma", "M"))
_DOMAIN = "for components of D positions side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball"
_FROZEN = (
    "Where of F the last column alone has parameters, as if the MLP had a scalar output, the squared gradient of the "
    "output is at most the printed G_u = 4 + 4ω(2 + D + 32D² + 32D³), for every family of components of D positions, "
    "every input, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball."
)

_ALL = IN_THE_BALL.replace(T=FROM_FOUR)
_PAPERS_SIZES = _ALL.replace(T=Integers(20, 20), D=Integers(2, 5), omega=Integers(1, 20))
_SHARP, _REPAIRED = "sharpness.gradients.total.sharp", "sharpness.gradients.total.repaired"
_REGION, _UNUSED = "sharpness.gradients.total.region", "sharpness.gradients.unused"


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


def _one_column(network: str) -> Case:
    """As printed, where of F the last column alone has parameters."""
    left, label = MEASURED[network][ONE_COLUMN], "sharpness.gradients.total.printed.one-column"
    finite = network == "finite"
    upstream = theorem.UPSTREAM if finite else {}
    behind = [*(f"{sharp_label(block)}[{network}]" for block in BEHIND if block != "F"),
              f"sharpness.gradients.F.printed[{ONE_COLUMN}{'' if finite else ',ideal'}]"]  # fmt: skip
    bounds = sp.Add(*(theorem.SHARP[block] for block in BEHIND if block != "F"), theorem.PUBLISHED["F"])
    steps = [
        Step(left, "measured |∇f|², of F the last column"),
        Step(added(network, (*upstream, *BEHIND_ONE_COLUMN)), "block by block", "blocks",
             f"sharpness.gradients.rows.one-column[{network}]"),
        Step(bounds + sp.Add(*upstream.values()), "each by its bound", "",
             (_UNUSED, *behind, *(f"sharpness.gradients.{block}.repaired" for block in upstream))),
    ]  # fmt: skip
    if finite:
        steps.append(Step(bounds + theorem.UPSTREAM_SIMPLE, "W1 and V1 by 22 D²/(u²T²)", "",
                          (_UNUSED, Instance("sharpness.gradients.upstream", {C: SUM}))))  # fmt: skip
    return Case(
        f"{ONE_COLUMN},{network}", statement=_FROZEN, left=left, domain=_ALL, reading="plausible", expected="proved",
        derivation=proof(
            label, network, _ALL, *steps,
            Step(theorem.OTHERS_SHARP + theorem.PUBLISHED["F"], "C² ≤ ω", "", "sharpness.gradients.F.ball"),
            Step(theorem.G_U, "the other blocks simpler", "", (_UNUSED, "sharpness.gradients.total.simple")),
        ),
        rests_on=(*_BEHIND, f"sharpness.gradients.F.printed[{ONE_COLUMN}]"),
        limitations=(SQUARED, EXACT if finite else IDEAL_NETWORK),
    )  # fmt: skip


total_printed = claim(
    label="sharpness.gradients.total.printed", role="printed", expected="refuted",
    statement="The squared gradient of the construction's output in all parameters is at most the printed "
    f"G_u = 4 + 4ω(2 + D + 32D² + 32D³), {_DOMAIN}.",
    right=theorem.G_U, rests_on=_PARTS,
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
        *map(_one_column, MEASURED),
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
    label=_SHARP, role="improvement", expected="proved",
    statement=f"The squared gradient of the construction's output in all parameters is at most {_FORMULA}, "
    f"{_EVERY}. Here {_WHERE}.",
    right=theorem.G_U_SHARP, domain=_ALL, repairs=(total_printed.label,), improves=_REPAIRED,
    cases=networks("total", lambda network: proof(_SHARP, network, _ALL, *_blocks(network))),
)  # fmt: skip

total_simple = claim(
    label="sharpness.gradients.total.simple", expected="proved",
    statement="2 + ω (3/8 + 64 D²(D+1)/u²) + 22 D²/(u²T²) is at most 4 + 4ω(1 + 32D² + 32D³), the terms of G_u but "
    "that in F, T ≥ 4; u = 1 for the steep and 2 for the wide trapezoid.",
    left=theorem.OTHERS_SHARP, right=theorem.OTHERS, domain=_SIZES,
)  # fmt: skip


def _simplified(network: str) -> Derivation:
    return proof(
        _REPAIRED, network, _ALL,
        Step(MEASURED[network]["total"], "measured |∇f|²"),
        Step(theorem.G_U_SHARP, "its sharp bound", "", f"{_SHARP}[{network}]"),
        Step(theorem.OTHERS_SHARP + theorem.F_REPAIRED, "F simpler", "", "sharpness.gradients.F.simple"),
        Step(theorem.G_U_REPAIRED, "the other blocks simpler", "", (_UNUSED, total_simple.label)),
    )  # fmt: skip


total_repaired = claim(
    label=_REPAIRED, expected="proved",
    statement="The squared gradient of the construction's output in all parameters is at most G_u with "
    f"ω(D+1)(4 + (ω+4) log²T) in place of 4ω(D+1), {_EVERY}.",
    right=theorem.G_U_REPAIRED, domain=_ALL, repairs=(total_printed.label,), cases=networks("total", _simplified),
)  # fmt: skip

total_proofs = proofs_of(sharp, total_repaired, total_printed)

# --- where it is true -----------------------------------------------------------------------------

room = claim(
    label="sharpness.gradients.total.room", expected="proved",
    statement="2 + ω (3/8 + 64 D²(D+1)/u² + H) + 22 D²/(u²T²) and ω times 62 D²(D+1)(2 - 1/u²) are together at most "
    f"the printed G_u, T ≥ 4: hidden units that cannot act leave F that much room. Here {_WHERE}.",
    left=theorem.G_U_SHARP - omega * theorem.F_GROWTH, right=theorem.G_U - omega * theorem.SLACK, domain=_SIZES,
)  # fmt: skip

region = claim(
    label=_REGION, expected="proved",
    statement=f"Where (H + ω R/4) log²T ≤ 62 D²(D+1)(2 - 1/u²) the bound {_FORMULA} on the squared gradient is at most "
    f"the printed G_u, which therefore holds there. Here {_WHERE}.",
    left=theorem.G_U_SHARP, right=theorem.G_U,
    domain=lambda: Domain({**_RANGES, u: BOTH}, where=[theorem.F_GROWTH <= theorem.SLACK]),
    rests_on=(sharp.label, room.label),
)  # fmt: skip


# --- from the measured gradient to G_u, one block at a time; where the orders of magnitude go -----


def _root(sparsity: int) -> float:
    """Equal coefficients just inside the unit ball."""
    return float(sparsity**-0.5 * (1 - 2**-50))


_SAMPLES: dict[str, Point] = {
    "T=6, D=1, ω=1": {"T": 6, "D": 1, "omega": 1, "u": 1, "c": (1,), "n_e": 0, "n_r": 0},
    "T=20, D=2, ω=10": {"T": 20, "D": 2, "omega": 10, "u": 1, "c": (_root(10),) * 10, "n_e": 5, "n_r": 0},
    "T=60, D=1, ω=60": {"T": 60, "D": 1, "omega": 60, "u": 1, "c": (_root(60),) * 60, "n_e": 30, "n_r": 0},
}
_LENGTHS = Choices(four=4, six=6, eight=8, ten=10, twelve=12, twenty=20, sixty=60)
_SOME_ODD = EVEN_TILINGS.replace(T=_LENGTHS, n_e=Integers(0, omega - 1))
"""Some component holds a one: else the gradient in M is zero and no factor exists."""

_MIXED = EVEN_TILINGS.replace(
    T=_LENGTHS, D=Integers(1, T / 2), omega=Integers(2, sp.floor(T / D)), n_e=Integers(1, omega - 1)
)
"""Components of both kinds: else the gradient in W2 may be zero."""

_ATTENTION = "attention sums to one, gates are at most one"
_BALL = "Cauchy-Schwarz, Σc² ≤ 1"
_DEAD = "all 4(D+1) units counted at 4D, dead and wide ones included"


def _label(name: str) -> str:
    return f"sharpness.gradients.{name}"


def _block(block: str, *nodes: tuple[sp.Expr, str, str, str | None]) -> Derivation:
    domain = _MIXED if block == "W2" else _SOME_ODD
    closed = by_formula(f"{block} by kinds of rows", latex(block), lambda: defined(block, "finite"))
    steps = [Step(GRADIENT["finite"][block], f"measured gradient in {block}")]
    steps.append(Step(closed, "closed form", "chain rule"))
    steps += [Step(*node) for node in nodes]
    return Derivation(
        label=_label(f"chain-{block}"), title=f"The printed bound on the gradient in {block}", steps=tuple(steps),
        domain=domain, samples={title: point for title, point in _SAMPLES.items() if domain.contains(point)},
        paper=PAPER, place=("Theorem 14", "Appendix F"),
    )  # fmt: skip


def _hidden(block: str) -> Derivation:
    return _block(
        block,
        (theorem.SHARP[block], "32 C² D²(D+1)/u²", _ATTENTION, _label(f"{block}.sharp")),
        (omega * theorem.LIVE, "C² at most ω", _BALL, None),
        (theorem.PUBLISHED[block], "64 ω D²(D+1)", _DEAD, _label(f"{block}.printed")),
    )


_F_VALUES = 4 * (D + 1) * SUM**2

chains = (
    _hidden("M"),
    _hidden("Gamma"),
    _block(
        "W2",
        (theorem.SHARP["W2"], "3C²/8", "a row's share against its variance, at most 1/4", _label("W2.sharp")),
        (sp.Rational(3, 8) * omega, "C² at most ω", _BALL, None),
        (theorem.PUBLISHED["W2"], "4ω", "norm of the softmax Jacobian at most 2, row norm √2", _label("W2.printed")),
    ),
    _block(
        "V2",
        (theorem.SHARP["V2"], "2", "attention sums to one", _label("V2.sharp")),
        (theorem.PUBLISHED["V2"], "4", "row norm √2, squared, doubled", _label("V2.printed")),
    ),
    _block(
        "F",
        (_F_VALUES, "last column alone: 4(D+1) C²", "the other columns' terms dropped", _label("F.last-column-only")),
        (theorem.PUBLISHED["F"], "4ω(D+1)", _BALL, _label("F.printed")),
    ),
)

_ORDER = (
    ("Gamma", _ATTENTION),
    ("M", _ATTENTION),
    ("W2", "variance at most 1/4"),
    ("V2", "attention sums to one"),
)


def _sum(bounded: dict[str, sp.Expr]) -> Quantity:
    """The sum of the blocks' squared gradients, some of them replaced by bounds."""
    shown = " + ".join(sp.latex(bounded[b]) if b in bounded else latex(b) for b in theorem.PUBLISHED)
    return by_formula("sum over blocks", shown, lambda: sp.Add(*(theorem.blocks(KINDS["finite"]) | bounded).values()))


def _total() -> Derivation:
    """The whole gradient as a chain that replaces one block at a time."""
    bounded: dict[str, sp.Expr] = {}
    steps = [
        Step(GRADIENT["finite"]["total"], "measured |∇f|²"),
        Step(_sum(bounded), "closed form", "chain rule"),
    ]
    for block, cites in _ORDER:
        bounded = {**bounded, block: theorem.SHARP[block]}
        steps.append(Step(_sum(bounded), f"{block} by its attained bound", cites, _label(f"{block}.sharp")))
    dropped, last = "the other columns' terms dropped", _label("F.last-column-only")
    steps.append(Step(_sum({**bounded, "F": _F_VALUES}), "F by its last column", dropped, last))
    end = f"{_BALL}; {_DEAD}; W1 and V1 vanish"
    steps.append(Step(theorem.G_U, "G_u", end, _label("total.printed")))
    return Derivation(
        label=_label("chain-printed"), title="The printed bound G_u on the gradient", steps=tuple(steps),
        domain=_SOME_ODD, samples=_SAMPLES, paper=PAPER, place=("Theorem 14", "Appendix F"),
    )  # fmt: skip


total = _total()


# --- where G_u is crossed, what the mean gradient is made of, and where G_u is true ---------------

_PLACE = ("Theorem 14", "Appendix F")
_G_U = to_tree(theorem.G_U)


# --- where it is true -----------------------------------------------------------------------------

_DEGREES = (1, 2, 3, 4, 5)
_LONGEST = 1000


class Worst(NamedTuple):
    """The largest |∇f|²/G_u at ω = T over inputs whose components hold one of two numbers of ones.

    Attributes:
        ratio: its value.
        even: the even number of ones.
        odd: the odd one.
        evens: how many components hold the even number.
    """

    ratio: float
    even: int
    odd: int
    evens: int


def worst_mixture(length: int, degree: int, mlp: Trapezoid, sparsity: int | None = None) -> Worst:
    """The largest |∇f|²/G_u of the ideal network with equal coefficients, over pairs of counts and their shares."""
    components = sparsity or length
    count = torch.arange(components + 1, dtype=torch.float64)
    bound = float(evaluate_float(_G_U, columns([{"D": degree, "omega": components}]))[0])

    def worst(even: int, odd: int) -> Worst:
        shares = torch.zeros(components + 1, degree + 1, dtype=torch.float64)
        shares[:, even], shares[:, odd] = count / components, 1 - count / components
        ratios = squared_gradient(length, components, shares, mlp) / bound
        return Worst(float(ratios.max()), even, odd, int(ratios.argmax()))

    return max(worst(even, odd) for even in range(0, degree + 1, 2) for odd in range(1, degree + 1, 2))


def first_failure(degree: int, mlp: Trapezoid) -> int:
    """The least T at which G_u fails at ω = T, by bisection: the ratio grows with T."""
    holds, fails = degree + 1, _LONGEST
    while fails - holds > 1:
        middle = (holds + fails) // 2
        above = worst_mixture(middle, degree, mlp).ratio > 1
        holds, fails = (holds, middle) if above else (middle, fails)
    return fails


def realised(length: int, degree: int, mlp: Trapezoid) -> float:
    """|∇f|²/G_u of the ideal network on cyclic windows in two parts, next to where `worst_mixture` is taken."""
    best = worst_mixture(length, degree, mlp)
    middle = min(max(best.evens, 2 * degree + 1), length - 2 * degree - 1)
    families = [two_parts(length, degree, middle + step, (best.even, best.odd)) for step in range(-degree, degree + 1)]
    targets, inputs = zip(*families, strict=True)
    members, coefficients = (torch.cat([getattr(t, name) for t in targets]) for name in ("members", "coefficients"))
    batch = TargetBatch.from_tensors(torch.full((len(targets),), length), members, coefficients)
    found = derivatives(batch, torch.stack(inputs)[:, None], mlp=mlp, scale=SCALES["ideal"])
    return float(found.gradient.max() / evaluate_float(_G_U, columns([{"D": degree, "omega": length}]))[0])


def _region_panel(mlp: Trapezoid, lengths: Sequence[int], measured: Sequence[int]) -> Panel:
    series = [Series("G_u", lengths, [1.0] * len(lengths))]
    for degree in _DEGREES:
        worst = [worst_mixture(length, degree, mlp).ratio for length in lengths]
        series.append(Series(f"D = {degree}: above one from T = {first_failure(degree, mlp)} on", lengths, worst))
        points = [realised(length, degree, mlp) for length in measured]
        series.append(Series(f"D = {degree}, cyclic windows in two parts", measured, points, drawn="points"))
    return Panel(f"{mlp} trapezoid, ω = T", "length T", "largest |∇f|² over G_u", series, log="x")


def _region(setting: Setting) -> list[Panel]:
    few = setting.profile == "smoke"
    lengths = [int(length) for length in np.unique(np.geomspace(24, 480, 8 if few else 30).round())]
    measured = [60, 120] if few else [60, 120, 180, 240, 300, 360, 420]
    return [_region_panel(name, lengths, measured) for name in TRAPEZOIDS.values()]


studies_region = Study(
    label="sharpness.gradients.region",
    title="Where the printed G_u is true",
    caption="T components that may overlap, equal coefficients, the ideal network: the gradient depends on the sets "
    "and the input through the shares of components with k ones alone. Lines are the largest ratio over two values of "
    "k and their shares, points networks whose components are cyclic windows in two parts of the positions. Every line "
    "grows like log²T: no degree is safe, and below the length where its line passes one a degree is, with fewer "
    "components, too.",
    claims=("sharpness.gradients.total.region", "sharpness.gradients.total.printed"),
    compute=_region,
    paper=PAPER,
    place=_PLACE,
)
