"""The loss under noise: how far the rows of the network move, part by part."""

from __future__ import annotations

from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.sharpness.noisy_loss import passes
from boundaudit.checks.sharpness.noisy_loss.passes import (
    APART,
    AVERAGE_NEAR,
    BITS,
    CLEAR,
    COLUMN,
    COUNTED,
    COVARIED,
    ENERGY,
    FLICKER,
    FLIPS,
    KEPT_ROWS,
    KEYED,
    KEYS,
    LENGTH,
    LOGIT,
    MIDDLE,
    MOST_MOVED,
    NEAREST,
    PARTS,
    POINT,
    QUERY,
    RAMPS,
    REACH,
    READ,
    READ_ROWS,
    READS,
    RISE,
    SEEN,
    SHIFT,
    SPAN,
    STREAM,
    TILTED,
    TOP,
    TOTAL,
    TURN,
    UNUSED,
    VALUE,
    WRITTEN,
    total,
)
from boundaudit.checks.sharpness.noisy_loss.scalars import (
    INPUTS,
    NOISY,
    apart,
    at_once,
    blocks,
    claim,
    components,
    fourth,
    fourth_power,
    grid_mean,
    grid_most,
    growth,
    hypotenuse,
    logits,
    longer,
    odds,
    samples,
    share,
    shifted,
    squares,
    squares_apart,
    turning,
)
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.activations import LENGTH as LONGEST
from boundaudit.derivations.sharpness.activations import SPREAD
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.averages import a_av, e_av, n_av, r_av, s_av, v_av, w_av, x_av
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.noisy_loss import AVERAGE, LESS, MORE, K_nl, g_nl, l_nl, m_nl, p_nl, y_nl, z_nl
from boundaudit.derivations.sharpness.parameters import D, j, k

_SETTING = "for sets of one size, T ≥ 4, any positive coefficients and any σ and κ"
_GOOD = "On draws of noise of size σ on which no variable of the proof exceeds κ of its standard deviations"
SAMPLED = f"Measured at {INPUTS} inputs, all at T = 4, with draws that are the same for all targets of one T and D."
_root = sp.sqrt


def _row_claim(name: str, what: str, start: Quantity, *steps: Step) -> Claim:
    label = f"sharpness.noisy_loss.{name}"
    return claim(
        label=label, statement=f"{_GOOD}, {what}, {_SETTING}.", left=start, right=steps[-1].value, domain=NOISY,
        derivation=proof(label, what, NOISY, Step(start, "measured"), *steps, samples=samples(1)),
        limitations=(SAMPLED,),
    )  # fmt: skip


def _good(name: str) -> str:
    return f"{passes.good.label}[{name}]"


def _size(value: Any, most: Any) -> Instance:
    return Instance("sharpness.averages.size", {v_av: value, e_av: most})


def under_root(value: Any, most: Any) -> Instance:
    """A number of at least 0 is at most the root of what its square is at most."""
    return Instance("sharpness.averages.root", {e_av: value, x_av: most})


NORMALISER = "sharpness.activations.normaliser"
_APART = sp.Abs(APART[1] + NEAREST[1]) - theory.LEAK * sp.Abs(APART[2] - APART[1])

_AVERAGED = {s_av: APART[1], r_av: APART[2], x_av: NEAREST[1], e_av: theory.LEAK}

margin = claim(
    label="sharpness.noisy_loss.margin", relation=">=",
    statement="Without noise the inputs of all hidden units of a row with a component stay at least 1/(4D) - ε from "
    f"their kinks, ε = (T+1-D)/(DT²+T+1-D), {_SETTING}.",
    left=CLEAR, right=theory.MARGIN, domain=NOISY,
    derivation=proof(
        "sharpness.noisy_loss.margin", "Distance to the nearest kink", NOISY,
        Step(theory.MARGIN, "1/(4D) - ε"),
        Step(_APART, "grid points and leak", "kinks lie 1/(4D) from grid points",
             (NORMALISER, passes.kinks.label, _size(APART[2] - APART[1], 1))),
        Step(sp.Abs(AVERAGE_NEAR + NEAREST[1]), "distance of the average", "triangle inequality",
             (NORMALISER, Instance(apart.label, _AVERAGED))),
        Step(CLEAR, "distance", "as it is", (NORMALISER, passes.near.label)),
        samples=samples(1),
    ),
    limitations=(SAMPLED,),
)  # fmt: skip

_TURNED = BITS[2] - BITS[1]


def _odds(before: Any, after: Any) -> Instance:
    return Instance(odds.label, {s_av: before, r_av: after, g_nl: sp.exp(2 * AVERAGE) - 1})


_TURNS = (
    f"{passes.odds.label}[up]", f"{passes.odds.label}[down]", _odds(BITS[1], BITS[2]), _odds(BITS[2], BITS[1]),
    Instance(growth.label, {e_av: AVERAGE}), _size(_TURNED, AVERAGE),
)  # fmt: skip

shift = _row_claim(
    "shift", "a row's average of bits with what noise in V1 adds moves by at most (1+√2) σκ", SHIFT,
    Step(sp.Abs(_TURNED) + sigma * READ.atom, "attention and values apart", "", passes.shifted.label),
    Step(AVERAGE + sigma * READ.atom, "an average turns by a quarter of what logits spread", "odds", _TURNS),
    Step(theory.BETA, "(1+√2) σκ", "good draws", _good("V1")),
)  # fmt: skip

reach = _row_claim(
    "reach", "a row with a component, of grid point k/D, is at most k/D + ε + ζ long, ζ = σκ + √2 σ (√(T+2) + κ)",
    REACH,
    Step(theory.LEAK + sp.Abs(_TURNED) + sigma * READS.atom, "leak, attention and values apart", "",
         (NORMALISER, passes.reach.label)),
    Step(theory.LEAK + AVERAGE + sigma * READS.atom, "an average turns", "odds", (NORMALISER, *_TURNS)),
    Step(theory.LEAK + theory.ROW, "ε + ζ", "good draws", (NORMALISER, _good("V1s"))),
)  # fmt: skip

_SEEN, _READ_WITHIN = _root(1 + SEEN.atom**2), 1 + (1 + sigma * READS.atom) ** 2
_BY_READS = (passes.seen.label, under_root(_SEEN, _READ_WITHIN))
_BY_NOISE = (_good("V1s"), under_root(_root(_READ_WITHIN), 1 + (1 + theory.ROW) ** 2))
SEEN_WITHIN = (*_BY_READS, *_BY_NOISE)
"""The length of a row of layer 1 and a one."""

flicker = _row_claim(
    "flicker", "noise in M and Γ moves a unit's input by at most σκ √(1 + (1+ζ)²), ζ = σκ + √2 σ (√(T+2) + κ)", FLICKER,
    Step(AVERAGE * _SEEN, "κ of its standard deviations", "given layer 1", _good("inputs")),
    Step(AVERAGE * _root(_READ_WITHIN), "an average of bits and noise", "", _BY_READS),
    Step(theory.FLICKER, "its bound", "layer 1 on good draws", _BY_NOISE),
)  # fmt: skip


def _hidden(
    name: str, what: str, size: Quantity, whole: Family, at_rest: sp.Expr, end: sp.Expr, summed: tuple[Any, ...]
) -> Claim:  # fmt: skip
    """From noisy hidden units to a bound: what they are at most without noise, and √n times what moves their inputs."""
    part, move = PARTS[size]
    moved = total((whole[j] + MOST_MOVED) ** 2)
    case = "length" if size is LENGTH else "middle"
    still, root = _root(total(whole[j] ** 2)), _root(UNITS)
    each = Instance(
        share.label, {x_av: whole[j], e_av: MOST_MOVED, p_nl: part[j], m_nl: move[j]}, over=(j, 1, UNITS)
    )  # fmt: skip
    return _row_claim(
        name, what, size,
        Step(_root(moved), "unit by unit", "units are Lipschitz",
             (f"{passes.units.label}[{case}]", each, under_root(size.atom, moved))),
        Step(still + root * MOST_MOVED, "in length", "",
             Instance(longer.label, {n_av: UNITS, a_av: whole, e_av: MOST_MOVED})),
        Step(at_rest + root * MOST_MOVED, "without noise", "summed", (*summed, under_root(still, at_rest**2))),
        Step(at_rest + root * (theory.BETA + FLICKER.atom), "the shift", "", shift.label),
        Step(end, "the noise of inputs", "", flicker.label),
    )  # fmt: skip


length = _hidden(
    "length",
    "the hidden units of a row have a length of at most η, that of their largest without noise plus "
    "2 √(D+1) times how far their inputs move",
    LENGTH, TOP, _root(LONGEST), theory.ETA,
    (f"{passes.units.label}[top]", "sharpness.activations.hidden.length.closed-form"),
)  # fmt: skip

middle = _hidden(
    "middle",
    "the hidden units of a row lie within ρ of the middle between those of averages zero and one, half "
    "their distance plus 2 √(D+1) times how far their inputs move",
    MIDDLE, RISE, _root(SPREAD) / 2, theory.RHO,
    (f"{passes.units.label}[rise]", "sharpness.activations.hidden.spread.closed-form"),
)  # fmt: skip

_WRITTEN = (1 + sigma * WRITTEN.atom, 1 + RAMPS.atom + sigma * COLUMN.atom)
_BY_LENGTH = theory.sides_of_row(LENGTH.atom, FLICKER.atom)
_BY_INPUTS = theory.sides_of_row(theory.ETA, FLICKER.atom)


def _long(sides: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    return _root(sides[0] ** 2 + sides[1] ** 2)


def _longer(before: tuple[sp.Expr, sp.Expr], after: tuple[sp.Expr, sp.Expr]) -> Instance:
    return Instance(hypotenuse.label, dict(zip((e_av, v_av, r_av, x_av), (*before, *after), strict=True)))


stream = _row_claim(
    "stream",
    "a row of the stream that layer 2 reads has a length of at most X, from one position, an output of the MLP of at "
    "most one and what noise in F adds",
    STREAM,
    Step(_long(_WRITTEN), "position and output", "MLP in [0, 1]",
         (passes.rows.label, under_root(STREAM.atom, _long(_WRITTEN) ** 2))),
    Step(_long(_BY_LENGTH), "noise in F within κ", "good draws",
         (passes.ramps.label, _good("positions"), _good("data"), _longer(_WRITTEN, _BY_LENGTH))),
    Step(_long(_BY_INPUTS), "hidden units", "", (length.label, _longer(_BY_LENGTH, _BY_INPUTS))),
    Step(theory.STREAM, "X", "noise of their inputs",
         (flicker.label, _longer(_BY_INPUTS, theory.sides_of_row(theory.ETA, theory.FLICKER)))),
)  # fmt: skip


def _turned(length: sp.Expr, far: sp.Expr, row: sp.Expr) -> sp.Expr:
    return theory.turned(length, far, row, KEYS.atom, SPAN.atom)


_SIZES = (LENGTH.atom, MIDDLE.atom, STREAM.atom)
_BOUNDS = (theory.ETA, theory.RHO, theory.STREAM)
_GROWN = dict(zip((e_av, v_av, s_av, r_av, x_av, w_av), (*_SIZES, *_BOUNDS), strict=True))

turn = _row_claim(
    "turn",
    "noise adds to the logits of layer 2 numbers that differ by at most Ω = 2σκ (η l/2 + √K ρ (1 + σκη) + X²), l the "
    "logits' span and K the sum of their squares",
    TURN,
    Step(theory.parted(QUERY.atom, SPAN.atom, KEYED.atom, TILTED.atom), "query, keys and W2 apart", "",
         passes.logits.label),
    Step(_turned(*_SIZES), "each within κ", "good draws", (_good("query"), _good("keys"), _good("W2"))),
    Step(_turned(*_BOUNDS), "Ω", "hidden units and rows of the stream", (
        Instance(squares.label, dict(zip((e_av, v_av), theory.sides_of_row(theory.ETA, theory.FLICKER), strict=True))),
        length.label, middle.label, stream.label,
        Instance(turning.label, {**_GROWN, K_nl: KEYS.atom, l_nl: SPAN.atom, m_nl: AVERAGE}),
    )),
)  # fmt: skip


# --- mean squares and fourth moments --------------------------------------------------------------

_SAYS = (
    "On draws of noise of size σ on which no variable of the proof exceeds κ of its standard deviations, {0} is at "
    "most {1}, for sets of one size, T ≥ 4, any positive coefficients and any σ and κ."
)
_ROWS = (LENGTH.atom, MIDDLE.atom, STREAM.atom)
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
    domain=NOISY, limitations=(SAMPLED,),
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
    domain=NOISY, limitations=(SAMPLED,),
    cases=(
        _first("average", "(20D³+52D²+8D)", theory.AVERAGE_INPUT),
        _first("sample", "64D²(D+1)", theory.EVERY_INPUT),
    ),
)  # fmt: skip

# --- the other three --------------------------------------------------------------------------------


def _once(less: tuple[Any, Any, Any], more: tuple[Any, Any, Any]) -> Instance:
    return Instance(at_once.label, dict(zip((e_av, v_av, s_av, r_av, x_av, w_av), (*less, *more), strict=True)))


def _logit(length: Any, far: Any, row: Any) -> sp.Expr:
    return theory.logit(length, far, row, KEYS.atom, SPAN.atom)


def _value(length: Any, row: Any, inputs: Any) -> sp.Expr:
    return theory.value(length, row, inputs, TOTAL.atom)


_OMEGA = theory.turned(*_BOUNDS, KEYS.atom, SPAN.atom)
_LOGITS = (_logit(*_ROWS), _logit(*_BOUNDS))
_PARTS_GROWN = dict(zip((e_av, v_av, s_av, r_av, x_av, w_av), (*_ROWS, *_BOUNDS), strict=True))
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
             (*_CLOSED, Instance(logits.label, {**_PARTS_GROWN, K_nl: KEYS.atom, l_nl: SPAN.atom}))),
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
