"""What proofs take from noisy passes: the rows in which something is largest, and what good draws say of them.

Draws that are not good count for nothing: what is largest over good draws is 0 where there are none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.noisy_loss.scalars import unit
from boundaudit.checks.sharpness.noisy_loss.shared import (
    FEW,
    NOISY,
    Values,
    claim,
    formula,
    largest_in,
    largest_row,
    most,
    node,
    over_draws,
)
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.activations import length_by_units, spread_by_units
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.noisy_loss import K_nl, kappa_nl, l_nl
from boundaudit.derivations.sharpness.parameters import D, T, j
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass

_RATIO = Reals(-1, 1)


def _number(name: str, latex: str, measure: Measure) -> Quantity:
    return node(name, latex, measure, nonnegative=True)


def _row(name: str, latex: str, of: Values) -> Quantity:
    return _number(name, latex, largest_row(of))


SHIFT = node(
    "shift of a row's average",
    r"|\tilde B - s|",
    largest_row(lambda one: one.shift.abs()),
    scale=1e-6,
    nonnegative=True,
)
"""A difference of averages, sums of some twenty numbers at most one: it is known to 1e-15, its budget at its scale."""
FLICKER = _row("noise of a unit's input", r"|\delta|", lambda one: one.flicker.abs().amax(-1))
LENGTH = _row("length of the hidden units", r"|\tilde h|", lambda one: one.new.hidden.norm(dim=-1))
MIDDLE = _row("distance of the hidden units from the middle", r"|\tilde h - h_m|", lambda one: one.apart.norm(dim=-1))
STREAM = _row("length of a row", r"|\tilde x|", lambda one: one.new.stream.norm(dim=-1))
TURN = _number("spread of what noise adds to logits", r"\mathrm{osc}\,\Delta l", most(lambda one: one.turn))

READ = _row("noise of V1 in the data channel", r"|N_{V_1}^\top \bar x|_d", lambda one: one.read[..., -1].abs())
READS = _row("noise of V1 in all channels", r"|N_{V_1}^\top \bar x|", lambda one: one.read.norm(dim=-1))
SEEN = _row("length of a row of layer 1", r"|\tilde b|", lambda one: one.new.averaged.norm(dim=-1))
RAMPS = _row("what noise of inputs adds to an output", "|R|", lambda one: one.ramps.abs())
WRITTEN = _row(
    "noise of F in positions' channels", r"|N_F^\top \tilde h|_p",
    lambda one: one.written[..., : one.channels.output + 1].norm(dim=-1),
)  # fmt: skip
COLUMN = _row(
    "noise of F in the data channel", r"|N_F^\top \tilde h|_d", lambda one: one.written[..., one.channels.data].abs()
)
KEYED = _row("noise of F in a key", r"|q|", lambda one: one.keyed.abs())
QUERY = _number("noise of F in the query", r"|o|", most(lambda one: one.queried.abs()))
TILTED = _row("noise of W2 in a logit", r"|\tilde x^\top N_{W_2} \tilde x|", lambda one: one.tilted.abs())
CLEAR = _number(
    "distance to the nearest kink", r"\min |s + \gamma_j|",
    over_draws(lambda one: one.clearance.where(one.active, torch.inf).amin(-1), lambda values: values.amin(1), FEW),
)  # fmt: skip
KEYS = _number("squared length of the logits of layer 2", "K", formula(lambda: K_nl))
SPAN = _number("span of the logits of layer 2", "l", formula(lambda: l_nl))

# --- the rows in which something is largest -------------------------------------------------------


def _in_row(
    name: str, latex: str, length: int | sp.Expr, entries: Reals, rank: Values, of: Callable[[NoisyPass], Tensor]
) -> Family:
    """Numbers of the row in which another is largest; zero where none is above zero."""

    def measure(points: Sequence[Point], device: str) -> Array:
        shapes = [(point["u"], point["T"], point["D"]) for point in points]
        found: list[Array] = [np.zeros(0)] * len(points)
        for shape in set(shapes):
            chosen = [n for n, other in enumerate(shapes) if other == shape]
            for n, values in zip(chosen, largest_in(rank, of, [points[n] for n in chosen], device), strict=True):
                found[n] = values
        padded = np.zeros((len(points), max(map(len, found))))
        for row, values in zip(padded, found, strict=True):
            row[: len(values)] = values
        return padded

    return Family(name, measure, latex, sp.Integer(length) if isinstance(length, int) else length, entries)


def _good(of: Values) -> Values:
    return lambda one: of(one) * one.good[..., None]


def _share(part: Tensor, whole: Tensor) -> Tensor:
    """Zero where there is no whole; beyond it by rounding alone."""
    return torch.where(whole > 0, part / torch.where(whole > 0, whole, 1.0), 0.0).clamp(-1, 1)


def _moved(one: NoisyPass) -> Tensor:
    """How far a unit moves, over the most that any input of the point's units moves on good draws."""
    shift, noise = (
        (of * one.good[..., None]).reshape(-1, FEW.inputs * FEW.draws, of.shape[-1]).amax((1, 2))
        for of in (one.shift.abs(), one.flicker.abs().amax(-1))
    )
    most = (shift + noise).repeat_interleave(FEW.inputs * FEW.draws)
    return _share(one.new.hidden - one.old.hidden, most[:, None, None, None].expand_as(one.new.hidden))


def _of_top(one: NoisyPass) -> Tensor:
    return _share(one.old.hidden, one.at_ends[1].expand_as(one.old.hidden))


def _from_middle(one: NoisyPass) -> Tensor:
    zero, top = one.at_ends
    return _share(2 * one.old.hidden - zero - top, (top - zero).expand_as(one.old.hidden))


def _length(one: NoisyPass) -> Tensor:
    found: Tensor = one.new.hidden.norm(dim=-1)
    return found


def _apart(one: NoisyPass) -> Tensor:
    found: Tensor = one.apart.norm(dim=-1)
    return found


def _crowded(one: NoisyPass) -> Tensor:
    """Largest in the active row that is nearest to a kink."""
    return (2 - one.clearance) * one.active


def _by_turn(one: NoisyPass) -> Tensor:
    bits = one.turned_bits
    return (bits[..., 1] - bits[..., 0]).abs()


def _units(name: str, latex: str, entries: Reals, rank: Values, of: Callable[[NoisyPass], Tensor]) -> Family:
    return _in_row(name, latex, UNITS, entries, rank, of)


APART = _in_row(
    "averages of a component's bits and of others, next to a kink", "b", 2, Reals(0, 1), _crowded,
    lambda one: one.seen_apart,
)  # fmt: skip
NEAREST = _in_row("bias of the nearest kink", r"\gamma", 1, Reals(), _crowded, lambda one: one.nearest[..., None])
BITS = _in_row(
    "average of bits that attention turns most, before and after", "s", 2, Reals(0, 1), _good(_by_turn),
    lambda one: one.turned_bits.clamp(0, 1),
)  # fmt: skip
TOP = _units(
    "hidden units of an average of one", "h(1)", Reals(0), _length, lambda one: one.at_ends[1].expand_as(one.new.hidden)
)
RISE = _units(
    "half of what hidden units rise by", r"\tfrac r2", Reals(0), _length,
    lambda one: ((one.at_ends[1] - one.at_ends[0]) / 2).expand_as(one.new.hidden),
)  # fmt: skip
PARTS = {
    LENGTH: (
        _units("units of the longest row over their largest", "p", _RATIO, _good(_length), _of_top),
        _units("moves of the longest row's units", "m", _RATIO, _good(_length), _moved),
    ),
    MIDDLE: (
        _units("units of the outermost row from the middle", "q", _RATIO, _good(_apart), _from_middle),
        _units("moves of the outermost row's units", "n", _RATIO, _good(_apart), _moved),
    ),
}  # fmt: skip
"""In the row that is longest, or farthest from the middle: units without noise over their largest, and moves."""

MOST_MOVED = SHIFT.atom + FLICKER.atom


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the hidden units."""
    return sp.Sum(body, (j, 1, UNITS))


def units_squared(size: Quantity, whole: Family) -> sp.Expr:
    """Σ (p h + m e)², e the most that an input moves."""
    part, move = PARTS[size]
    return total((part[j] * whole[j] + move[j] * MOST_MOVED) ** 2)


# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(claim, role="axiom", domain=NOISY, expected="supported")
_LABEL = "sharpness.noisy_loss.passes"
_BEFORE, _AFTER = BITS[1], BITS[2]
AVERAGE_NEAR = (1 - theory.LEAK) * APART[1] + theory.LEAK * APART[2]
"""(1-ε) g + ε o."""
_ODDS = sp.exp(4 * theory.AVERAGE)

near = _axiom(
    label=f"{_LABEL}.near",
    statement="The distance of a row's average s from the nearest kink -γ is |s + γ|, s = (1-ε) g + ε o, g and o the "
    "averages of bits in a row's component and outside of it, where it leaves ε of its attention, to all alike.",
    relation="=",
    left=CLEAR,
    right=lambda: sp.Abs(AVERAGE_NEAR + NEAREST[1]),
)
kinks = _axiom(
    label=f"{_LABEL}.kinks",
    statement="Kinks lie at least 1/(4D) from the grid points k/D: they lie 1, 2 or 3 over 4D from some grid point.",
    left=lambda: 1 / (4 * D),
    right=lambda: sp.Abs(APART[1] + NEAREST[1]),
)
shifted = _axiom(
    label=f"{_LABEL}.shifted",
    statement="A row's average of bits moves by what attention turns and by what noise in V1 adds.",
    left=SHIFT,
    right=lambda: sp.Abs(_AFTER - _BEFORE) + sigma * READ.atom,
)
odds = _axiom(
    label=f"{_LABEL}.odds",
    statement="On good draws noise adds at most 2σκ to each logit of layer 1, so that the odds of a set bit under its "
    "softmax change at most e^(4σκ)-fold.",
    cases=(
        Case("up", left=lambda: _AFTER * (1 - _BEFORE), right=lambda: _ODDS * _BEFORE * (1 - _AFTER)),
        Case("down", left=lambda: _BEFORE * (1 - _AFTER), right=lambda: _ODDS * _AFTER * (1 - _BEFORE)),
    ),
)
seen = _axiom(
    label=f"{_LABEL}.seen",
    statement="A row of layer 1 is an average of bits, at most one, and what noise in V1 adds.",
    left=SEEN,
    right=lambda: 1 + sigma * READS.atom,
)
units = _axiom(
    label=f"{_LABEL}.units",
    statement="The squares of the hidden units in a row, each a part of its largest, and moved by no more than its "
    "input: by parts of the largest shift of an average and noise of an input.",
    relation="=",
    rests_on=(unit.label,),
    cases=(
        Case("length", left=lambda: LENGTH.atom**2, right=lambda: units_squared(LENGTH, TOP)),
        Case("middle", left=lambda: MIDDLE.atom**2, right=lambda: units_squared(MIDDLE, RISE)),
        Case("top", left=lambda: total(TOP[j] ** 2), right=length_by_units),
        Case("rise", left=lambda: 4 * total(RISE[j] ** 2), right=spread_by_units),
    ),
)
rows = _axiom(
    label=f"{_LABEL}.rows",
    statement="A row of the stream is one position with what noise in F adds to it and, in the data channel, an output "
    "of the trapezoids between zero and one with what noise of units' inputs and in F adds.",
    left=lambda: STREAM.atom**2,
    right=lambda: (1 + sigma * WRITTEN.atom) ** 2 + (1 + RAMPS.atom + sigma * COLUMN.atom) ** 2,
)
ramps = _axiom(
    label=f"{_LABEL}.ramps",
    statement="An output moves by at most Σ |F| times what noise adds to inputs of units.",
    left=RAMPS,
    right=lambda: theory.OUTPUT_SUM * FLICKER.atom,
)
logits = _axiom(
    label=f"{_LABEL}.logits",
    statement="Two logits of layer 2 move apart by at most σ (|o| l + 2 |q| (1 + σ |o|) + 2 |w|): by noise o in the "
    "query times their difference, noise q in F of each key times the query, and noise w in W2.",
    left=TURN,
    right=lambda: theory.parted(QUERY.atom, SPAN.atom, KEYED.atom, TILTED.atom),
)
_GOOD = {
    "V1": (READ, lambda: sp.sqrt(2) * kappa_nl),
    "V1s": (READS, lambda: sp.sqrt(2) * (sp.sqrt(T + 2) + kappa_nl)),
    "inputs": (FLICKER, lambda: theory.AVERAGE * sp.sqrt(1 + SEEN.atom**2)),
    "positions": (WRITTEN, lambda: LENGTH.atom * (sp.sqrt(T + 1) + kappa_nl)),
    "data": (COLUMN, lambda: LENGTH.atom * kappa_nl),
    "query": (QUERY, lambda: LENGTH.atom * kappa_nl),
    "keys": (KEYED, lambda: kappa_nl * MIDDLE.atom * sp.sqrt(KEYS.atom)),
    "W2": (TILTED, lambda: kappa_nl * STREAM.atom**2),
}
good = _axiom(
    label=f"{_LABEL}.good",
    statement="On good draws no variable of the proof exceeds κ of its standard deviations, and no length of k of them "
    "√k + κ of those of each: what they are given layer by layer.",
    cases=tuple(Case(name, left=left, right=right) for name, (left, right) in _GOOD.items()),
)
