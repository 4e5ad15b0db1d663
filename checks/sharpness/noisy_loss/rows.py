"""What no row of a noisy network exceeds on a good draw: the steps of the bound on the loss under noise."""

from __future__ import annotations

from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.sharpness.noisy_loss import passes
from boundaudit.checks.sharpness.noisy_loss.measured import (
    APART,
    BITS,
    CLEAR,
    COLUMN,
    FLICKER,
    KEYED,
    KEYS,
    LENGTH,
    MIDDLE,
    NEAREST,
    PARTS,
    QUERY,
    RAMPS,
    REACH,
    READ,
    READS,
    RISE,
    SEEN,
    SHIFT,
    SPAN,
    STREAM,
    TILTED,
    TOP,
    TURN,
    WRITTEN,
)
from boundaudit.checks.sharpness.noisy_loss.passes import AVERAGE_NEAR, MOST_MOVED, total
from boundaudit.checks.sharpness.noisy_loss.scalars import (
    apart,
    growth,
    hypotenuse,
    longer,
    odds,
    share,
    squares,
    turning,
)
from boundaudit.checks.sharpness.noisy_loss.shared import INPUTS, NOISY, claim, samples
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.activations import LENGTH as LONGEST
from boundaudit.derivations.sharpness.activations import SPREAD
from boundaudit.derivations.sharpness.averages import a_av, e_av, n_av, r_av, s_av, v_av, w_av, x_av
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.noisy_loss import AVERAGE, K_nl, g_nl, l_nl, m_nl, p_nl
from boundaudit.derivations.sharpness.parameters import j

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
    """A number of at least 0 is at most the root of what its square is at most.

    Args:
        value: The number.
        most: What is at least its square.

    Returns:
        The lemma there.
    """
    return Instance("sharpness.averages.root", {e_av: value, x_av: most})


NORMALISER = "sharpness.activations.normaliser"
_APART = sp.Abs(APART[1] + NEAREST[1]) - theory.LEAK * sp.Abs(APART[2] - APART[1])

_AVERAGED = {s_av: APART[1], r_av: APART[2], x_av: NEAREST[1], e_av: theory.LEAK}

margin = claim(
    label="sharpness.noisy_loss.margin",
    statement="Without noise the inputs of all hidden units of a row with a component stay at least 1/(4D) - ε from "
    f"their kinks, ε = (T+1-D)/(DT²+T+1-D), {_SETTING}.",
    left=CLEAR,
    relation=">=",
    right=theory.MARGIN,
    domain=NOISY,
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
