"""The four parts of what noise adds to the construction's output, given layer 1: mean squares and fourth moments."""

from __future__ import annotations

from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.sharpness.noisy_loss import passes
from boundaudit.checks.sharpness.noisy_loss.measured import (
    COUNTED,
    COVARIED,
    ENERGY,
    FLIPS,
    KEPT_ROWS,
    KEYS,
    LENGTH,
    LOGIT,
    MIDDLE,
    POINT,
    REACH,
    READ_ROWS,
    SEEN,
    SHIFT,
    SPAN,
    STREAM,
    TOTAL,
    TURN,
    UNUSED,
    VALUE,
)
from boundaudit.checks.sharpness.noisy_loss.rows import (
    NORMALISER,
    SAMPLED,
    SEEN_WITHIN,
    length,
    middle,
    reach,
    shift,
    stream,
    turn,
    under_root,
)
from boundaudit.checks.sharpness.noisy_loss.scalars import (
    at_once,
    blocks,
    components,
    fourth,
    fourth_power,
    grid_mean,
    grid_most,
    logits,
    shifted,
    squares,
    squares_apart,
)
from boundaudit.checks.sharpness.noisy_loss.shared import NOISY, claim, samples
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.averages import e_av, r_av, s_av, v_av, w_av, x_av
from boundaudit.derivations.sharpness.noisy_loss import LESS, MORE, K_nl, g_nl, l_nl, y_nl, z_nl
from boundaudit.derivations.sharpness.parameters import D, k

_SAYS = (
    "On draws of noise of size σ on which no variable of the proof exceeds κ of its standard deviations, {0} is at "
    "most {1}, for sets of one size, T ≥ 4, any positive coefficients and any σ and κ."
)
_ROWS = (LENGTH.atom, MIDDLE.atom, STREAM.atom)
_BOUNDS = (theory.ETA, theory.RHO, theory.STREAM)
WITH_ROOTS = (
    NORMALISER,
    Instance(squares.label, dict(zip((e_av, v_av), theory.sides_of_row(theory.ETA, theory.FLICKER), strict=True))),
)  # fmt: skip
"""Bounds have values."""
_CLOSED = (*WITH_ROOTS, length.label, middle.label, stream.label)
"""Lengths of hidden units and rows by their bounds."""


def _case(part: str, name: str, *steps: Step) -> dict[str, Any]:
    """The sides of a claim and the chain between them."""
    label = f"sharpness.noisy_loss.{part}{'.' + name if name else ''}"
    chain = proof(label, f"{part} {name}".strip(), NOISY, *steps, samples=samples(1))
    return {"left": steps[0].value, "right": steps[-1].value, "derivation": chain}


# --- first order ------------------------------------------------------------------------------------

_SCALE = 2 * theory.FLANK**2
_FAR = theory.LEAK + theory.ROW


def _shifted(moved: sp.Expr) -> sp.Expr:
    return 1 + moved + moved**2


def _energy(name: str, spread: sp.Expr, still: sp.Expr, by_shift: Instance, most: sp.Expr, *summed: Any) -> Case:
    """From a mean square to grid points, and from these to their mean or their largest."""
    moved = _shifted(REACH.atom)
    return Case(name, **_case(
        "energy", name,
        Step(ENERGY[name], "mean square given layer 1"),
        Step(_SCALE * spread, "row by row", "normal moments", f"{passes.energy.label}[{name}]"),
        Step(_SCALE * moved * still, "at grid points", "layer 1 on good draws", by_shift),
        Step(_SCALE * moved * most, "over grid points", "", summed),
        Step(_SCALE * most * _shifted(_FAR), "its bound", "how far rows reach",
             (NORMALISER, reach.label, Instance("sharpness.averages.squared", {e_av: REACH.atom, x_av: _FAR}),
              Instance("sharpness.averages.weighted", {e_av: _SCALE * most, v_av: moved, x_av: _shifted(_FAR)}))),
    ))  # fmt: skip


_SHARE = theory.GRID_ENERGY
energy = claim(
    label="sharpness.noisy_loss.energy",
    statement=_SAYS.format(
        "the mean square, given layer 1 and over σ², of what noise in M and Γ adds to the average output of active "
        "rows whose units stay on or off",
        "1+z+z² times (20D³+52D²+8D)/u² on average over all inputs and 64D²(D+1)/u² at any, z = ε + ζ",
    ),
    domain=NOISY,
    limitations=(SAMPLED,),
    cases=(
        _energy(
            "average", passes.over_grid(passes.on_at(k / D, REACH.atom)), passes.over_grid(_SHARE),
            Instance(shifted.label, {y_nl: k / D, z_nl: REACH.atom}, over=(k, 0, D), weight=passes.FAIR * (k + 1)),
            theory.GRID_MEAN, passes.ones.label, grid_mean.label,
        ),
        _energy(
            "sample", passes.on_at(POINT[1], REACH.atom), (D * POINT[1] + 1) * (1 + POINT[1] ** 2),
            Instance(shifted.label, {y_nl: POINT[1], z_nl: REACH.atom}),
            theory.GRID_MOST, Instance(grid_most.label, {y_nl: POINT[1]}),
        ),
    ),
)  # fmt: skip


def _blocks(less: tuple[Any, ...], more: tuple[Any, ...]) -> Instance:
    return Instance(blocks.label, dict(zip((*LESS, *MORE, g_nl), (*less, *more, TOTAL.atom), strict=True)))


def _from_rows(energy: sp.Expr, length: sp.Expr, far: sp.Expr, row: sp.Expr) -> tuple[sp.Expr, ...]:
    return theory.blocks(energy, length, far, row, TOTAL.atom, KEYS.atom, SPAN.atom)


def _first(name: str, factor: str, bound: sp.Expr) -> Case:
    by_logits, by_units, by_rows = (found.atom for found in COVARIED)
    measured = (
        ENERGY[name].atom, READ_ROWS.atom, KEPT_ROWS.atom, LENGTH.atom * by_logits, sp.sqrt(KEYS.atom) * by_units,
        STREAM.atom * by_rows, LENGTH.atom,
    )  # fmt: skip
    largest = _from_rows(ENERGY[name].atom, *_ROWS)
    closed = _from_rows(bound * theory.SHIFTED, *_BOUNDS)
    pooled = tuple(case.label for case in passes.pooled.members)
    return Case(
        name, statement=_SAYS.format(
            "the root mean square of what is of first order in the change of the output, given what each block of "
            f"noise follows on, {'over all inputs' if name == 'average' else 'at any input'}",
            f"σ √(C² {factor}/u² (1+z+z²) + C² η² + X² + …), a sum over blocks, z = ε + ζ",
        ), **_case(
            "first", name,
            Step(theory.first_order(*measured, total=TOTAL.atom), "block by block"),
            Step(theory.first_order(*largest, total=TOTAL.atom), "largest rows", "averages and covariances",
                 (*pooled, _blocks(measured, largest))),
            Step(theory.first_order(*closed, total=TOTAL.atom), "its bound", "largest rows, energy at grid points",
                 (*_CLOSED, f"{energy.label}[{name}]", _blocks(largest, closed))),
        ),
    )  # fmt: skip


first = claim(
    label="sharpness.noisy_loss.first",
    statement="The first-order part of the output's change under noise is bounded.",
    domain=NOISY,
    limitations=(SAMPLED,),
    cases=(
        _first("average", "(20D³+52D²+8D)", theory.AVERAGE_INPUT),
        _first("sample", "64D²(D+1)", theory.EVERY_INPUT),
    ),
)

# --- the other three --------------------------------------------------------------------------------


def _once(less: tuple[Any, Any, Any], more: tuple[Any, Any, Any]) -> Instance:
    return Instance(at_once.label, dict(zip((e_av, v_av, s_av, r_av, x_av, w_av), (*less, *more), strict=True)))


def _logit(length: Any, far: Any, row: Any) -> sp.Expr:
    return theory.logit(length, far, row, KEYS.atom, SPAN.atom)


def _value(length: Any, row: Any, inputs: Any) -> sp.Expr:
    return theory.value(length, row, inputs, TOTAL.atom)


_OMEGA = theory.turned(*_BOUNDS, KEYS.atom, SPAN.atom)
_LOGITS = (_logit(*_ROWS), _logit(*_BOUNDS))
_GROWN = dict(zip((e_av, v_av, s_av, r_av, x_av, w_av), (*_ROWS, *_BOUNDS), strict=True))
_MOMENT = dict(zip((e_av, v_av, s_av, w_av), passes.LOGIT_SIZES, strict=True))

logit = claim(
    label="sharpness.noisy_loss.logit",
    statement=_SAYS.format(
        "the root of the fourth moment of what noise in F and W2 adds to a logit of layer 2, given layer 1 and the "
        "lengths of rows, less what it adds in the middle",
        "L = 3^¼ σ (η l/2 + √K ρ (1 + 3^¼ σ η) + X²)",
    ),
    domain=NOISY, limitations=(SAMPLED,),
    **_case(
        "logit", "",
        Step(LOGIT, "measured"),
        Step(_LOGITS[0], "query, keys and W2", "normal moments", (
            f"{passes.moments.label}[logit]", Instance(fourth.label, _MOMENT),
            Instance(fourth_power.label, {e_av: LOGIT.atom, x_av: _LOGITS[0]}),
        )),
        Step(_LOGITS[1], "L", "largest rows",
             (*_CLOSED, Instance(logits.label, {**_GROWN, K_nl: KEYS.atom, l_nl: SPAN.atom}))),
    ),
)  # fmt: skip

_ON, _ON_MOST = sp.sqrt(COUNTED.atom), sp.sqrt(theory.ON_MOST)
_INPUT = sp.sqrt(1 + SEEN.atom**2)
_VALUES = tuple(
    _value(length, row, inputs) for length, row, inputs in (
        (LENGTH.atom, STREAM.atom, _ON * _INPUT), (LENGTH.atom, STREAM.atom, _ON_MOST * _INPUT),
        (LENGTH.atom, STREAM.atom, _ON_MOST * theory.INPUT), (theory.ETA, theory.STREAM, _ON_MOST * theory.INPUT),
    )
)  # fmt: skip
_SQUARES = TOTAL.atom**2 * (COUNTED.atom * _INPUT**2 + LENGTH.atom**2) + STREAM.atom**2
_SUM = TOTAL.atom * _ON * _INPUT + TOTAL.atom * LENGTH.atom + STREAM.atom


def _weighted(by: Any, less: Any, more: Any) -> Instance:
    return Instance("sharpness.averages.weighted", {e_av: by, v_av: less, x_av: more})


value = claim(
    label="sharpness.noisy_loss.value",
    statement=_SAYS.format(
        "the root of the fourth moment of what noise of units' inputs, in F and in V2 adds to a value, given layer 1 "
        "and the lengths of rows",
        "V = 3^¼ σ (C √(1+(1+ζ)²) √(32D²(D+1))/u + C η + X)",
    ),
    domain=NOISY, limitations=(SAMPLED,),
    **_case(
        "value", "",
        Step(VALUE, "measured"),
        Step(_VALUES[0], "units' inputs, F and V2", "normal moments", (
            f"{passes.moments.label}[value]",
            Instance(squares_apart.label, {g_nl: TOTAL.atom, e_av: _ON * _INPUT, v_av: LENGTH.atom, s_av: STREAM.atom}),
            Instance("sharpness.averages.squared", {e_av: _SQUARES, x_av: _SUM**2}),
            _weighted(3 * sigma**4, _SQUARES**2, _SUM**4),
            Instance(fourth_power.label, {e_av: VALUE.atom, x_av: _VALUES[0]}),
        )),
        Step(_VALUES[1], "2(k+1) units", "at most 2(D+1)", (
            passes.counted.label, under_root(_ON, theory.ON_MOST), _weighted(_INPUT, _ON, _ON_MOST),
        )),
        Step(_VALUES[2], "layer 1", "good draws", (*SEEN_WITHIN, _weighted(_ON_MOST, _INPUT, theory.INPUT))),
        Step(_VALUES[3], "V", "largest rows", _CLOSED),
    ),
)  # fmt: skip


def _part(name: str, what: str, by: str, *steps: Step) -> Claim:
    return claim(
        label=f"sharpness.noisy_loss.{name}", statement=_SAYS.format(what, by), domain=NOISY, limitations=(SAMPLED,),
        **_case(name, "", *steps),
    )  # fmt: skip


def _product(name: str, what: str, by: str, sizes: tuple[Any, Any], bounds: tuple[Any, Any], *uses: Any) -> Claim:
    """e^Ω times two numbers, each by its bound."""
    less, more = (TURN.atom, *sizes), (_OMEGA, *bounds)
    return _part(
        name, what, by, Step(theory.at_once(*less), "measured"),
        Step(theory.at_once(*more), "its bound", "each factor", (*uses, turn.label, _once(less, more))),
    )  # fmt: skip


bend = _product(
    "bend", "how far the softmax of layer 2 bends, C/2 e^Ω times the mean square of what noise adds to logits",
    "C e^Ω L²/2, L the root of the fourth moment of a logit's noise",
    (TOTAL.atom * LOGIT.atom / 2, LOGIT.atom), (TOTAL.atom * _LOGITS[1] / 2, _LOGITS[1]),
    *WITH_ROOTS, logit.label, _weighted(TOTAL.atom / 2, LOGIT.atom, _LOGITS[1]),
)  # fmt: skip
cross = _product(
    "cross", "what values and attention add when both move, e^Ω times the roots of both fourth moments",
    "e^Ω V L, V and L the roots of the fourth moments of the noise of a value and of a logit",
    (VALUE.atom, LOGIT.atom), (_VALUES[3], _LOGITS[1]), *WITH_ROOTS, value.label, logit.label,
)  # fmt: skip

_WEIGHT = theory.UNUSED.subs(C, TOTAL.atom)
_MOVED = _WEIGHT * (theory.FLANK * theory.BETA + theory.OUTPUT_SUM * sigma * theory.INPUT)
unused = _product(
    "unused",
    "the root mean square, given layer 1, of what unused rows add to the output, through how their averages and their "
    "units move",
    "N/(CT²+N) e^Ω C (4D/u β + Σ|F| σ √(1+(1+ζ)²)), N = T+1-ω",
    (TOTAL.atom, UNUSED.atom), (TOTAL.atom, _MOVED),
    *SEEN_WITHIN, *WITH_ROOTS, components.label, passes.unused.label, passes.flips.label, shift.label,
    _weighted(theory.OUTPUT_SUM * sigma, _INPUT, theory.INPUT), _weighted(theory.FLANK, SHIFT.atom, theory.BETA),
    _weighted(_WEIGHT, FLIPS.atom + theory.OUTPUT_SUM * sigma * _INPUT,
              theory.FLANK * theory.BETA + theory.OUTPUT_SUM * sigma * theory.INPUT),
)  # fmt: skip
