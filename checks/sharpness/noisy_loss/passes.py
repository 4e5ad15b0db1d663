"""The loss under noise: what a pass computes, the rows in which something is largest, and what good draws say."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, Shared, padded
from boundaudit.checks.sharpness.noisy_loss.scalars import (
    INPUTS,
    NOISY,
    Values,
    claim,
    formula,
    inputs_of,
    node,
    on,
    unit,
)
from boundaudit.checks.sharpness.targets import batch_of, trapezoid
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.activations import length_by_units, spread_by_units
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.noisy_loss import K_nl, kappa_nl, l_nl, n_nl
from boundaudit.derivations.sharpness.parameters import D, T, j, k
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass

_MOST: dict[str, Values] = {
    "shift": lambda one: one.shift.abs(),
    "flicker": lambda one: one.flicker.abs().amax(-1),
    "length": lambda one: _length(one),
    "middle": lambda one: _apart(one),
    "stream": lambda one: one.new.stream.norm(dim=-1),
    "turn": lambda one: one.turn,
    "read": lambda one: one.read[..., -1].abs(),
    "reads": lambda one: one.read.norm(dim=-1),
    "seen": lambda one: one.new.averaged.norm(dim=-1),
    "reach": lambda one: one.reach,
    "ramps": lambda one: one.ramps.abs(),
    "written": lambda one: one.written[..., : one.channels.output + 1].norm(dim=-1),
    "column": lambda one: one.written[..., one.channels.data].abs(),
    "keyed": lambda one: one.keyed.abs(),
    "query": lambda one: one.queried.abs(),
    "tilted": lambda one: one.tilted.abs(),
    "counted": lambda one: one.counted,
    "point": lambda one: one.grid,
    "every energy": lambda one: one.energy,
    "read rows": lambda one: one.read_rows,
    "kept rows": lambda one: one.kept_rows,
    "covaried logits": lambda one: one.covaried[0],
    "covaried units": lambda one: one.covaried[1],
    "covaried rows": lambda one: one.covaried[2],
    "flips": lambda one: one.flips.abs() * ~one.active,
    "unused": lambda one: one.unused_given.sqrt(),
    "logit": lambda one: one.logit_fourth,
    "value": lambda one: one.value_fourth,
}
"""What is largest over good draws, inputs and rows."""

_BY_ROW: dict[str, tuple[Values, Callable[[NoisyPass], Tensor]]] = {
    "apart": (lambda one: _crowded(one), lambda one: one.seen_apart),
    "nearest": (lambda one: _crowded(one), lambda one: one.nearest[..., None]),
    "bits": (lambda one: _good(one, _by_turn(one)), lambda one: one.turned_bits.clamp(0, 1)),
    "top": (lambda one: _length(one), lambda one: one.at_ends[1].expand_as(one.new.hidden)),
    "rise": (
        lambda one: _length(one), lambda one: ((one.at_ends[1] - one.at_ends[0]) / 2).expand_as(one.new.hidden),
    ),
    "length parts": (
        lambda one: _good(one, _length(one)),
        lambda one: _share(one.old.hidden, one.at_ends[1].expand_as(one.old.hidden)),
    ),
    "middle parts": (lambda one: _good(one, _apart(one)), lambda one: _from_middle(one)),
    "length moves": (lambda one: _good(one, _length(one)), lambda one: one.new.hidden - one.old.hidden),
    "middle moves": (lambda one: _good(one, _apart(one)), lambda one: one.new.hidden - one.old.hidden),
}  # fmt: skip
"""What is largest in a row, and numbers of that row; zero where nothing is above zero."""


def _length(one: NoisyPass) -> Tensor:
    found: Tensor = one.new.hidden.norm(dim=-1)
    return found


def _apart(one: NoisyPass) -> Tensor:
    found: Tensor = one.apart.norm(dim=-1)
    return found


def _good(one: NoisyPass, values: Tensor) -> Tensor:
    return values * one.good[..., None]


def _crowded(one: NoisyPass) -> Tensor:
    """Largest in the active row that is nearest to a kink."""
    return (2 - one.clearance) * one.active


def _by_turn(one: NoisyPass) -> Tensor:
    bits = one.turned_bits
    return (bits[..., 1] - bits[..., 0]).abs()


def _from_middle(one: NoisyPass) -> Tensor:
    zero, top = one.at_ends
    return _share(2 * one.old.hidden - zero - top, (top - zero).expand_as(one.old.hidden))


def _share(part: Tensor, whole: Tensor) -> Tensor:
    """Zero where there is no whole; beyond it by rounding alone."""
    return torch.where(whole > 0, part / torch.where(whole > 0, whole, 1.0), 0.0).clamp(-1, 1)


_DRAWN: dict[str, Values] = {
    "clipped": lambda one: (one.new.output - one.target).square().clamp(max=1),
    "residual": lambda one: one.old.output - one.target,
    "change": lambda one: one.change,
    "bad": lambda one: (~one.good).double(),
    "first": lambda one: one.first * one.good,
    "unused rows": lambda one: one.unused * one.good,
    "bend": lambda one: one.bend * one.good,
    "cross": lambda one: one.cross * one.good,
    "unused size": lambda one: one.unused_size * one.good,
    "turned squares": lambda one: one.turned_squares * one.good,
    "value squares": lambda one: one.value_squares * one.good,
}
"""A number for each draw and input."""

_AT_ONCE = 2**12
"""Networks held at once."""


def _all(at: Columns) -> dict[str, Tensor]:
    """Everything that is measured, one row a point, of points that agree in T, D, u and the number of draws."""
    draws, bits = at.points[0]["n_nl"], inputs_of(at.points[0]["T"])
    step = max(1, _AT_ONCE // (len(bits) * draws))
    runs = [at[range(start, min(start + step, len(at)))] for start in range(0, len(at), step)]
    found = []
    for run in runs:
        batch, noise = batch_of(run), (run.real("sigma"), run.real("kappa_nl"))
        found.append(_of(NoisyPass.drawn(batch, bits, *noise, mlp=trapezoid(at), draws=draws), len(run)))
    return {name: torch.cat([one[name] for one in found]) for name in found[0]}


def _of(one: NoisyPass, count: int) -> dict[str, Tensor]:
    """Of so many points."""
    numbers = {name: (of(one).flatten(1) * one.good).reshape(count, -1).amax(1) for name, of in _MOST.items()}
    numbers["clear"] = one.clearance.where(one.active, torch.inf).reshape(count, -1).amin(1)
    numbers["average energy"] = (one.energy * one.good).reshape(count, -1).mean(1)
    numbers["points"] = numbers.pop("point")[:, None]
    rows = {name: _in_row(rank(one), of(one), count) for name, (rank, of) in _BY_ROW.items()}
    most = (numbers["shift"] + numbers["flicker"])[:, None]
    for name in ("length moves", "middle moves"):
        rows[name] = _share(rows[name], most.expand_as(rows[name]))
    drawn = {name: of(one).reshape(count, -1) for name, of in _DRAWN.items()}
    return numbers | rows | drawn


def _in_row(ranks: Tensor, values: Tensor, count: int) -> Tensor:
    """Numbers of the row of each point that ranks first."""
    best, where = ranks.reshape(count, -1).max(-1)
    each = values.reshape(count, -1, values.shape[-1])
    return each[torch.arange(count, device=each.device), where] * (best > 0)[:, None]


_PASSES = Shared(_all, ("T", "D", "u", "n_nl"), "omega", "c", "S", "sigma", "kappa_nl")


def _number(part: str, name: str, latex: str, *, scale: float = 1e-9) -> Quantity:
    return node(name, latex, lambda points, _: np.array(_PASSES.rows(points, part)), scale=scale)


def _family(part: str, name: str, latex: str, length: int | sp.Expr, entries: Reals) -> Family:
    return Family(name, lambda points, _: padded(_PASSES.rows(points, part)), latex, sp.sympify(length), entries)


# --- in rows, largest over good draws -------------------------------------------------------------

SHIFT = _number("shift", "shift of a row's average", r"|\tilde B - s|", scale=1e-6)
"""A difference of averages, sums of some twenty numbers at most one: it is known to 1e-15, its budget at its scale."""
FLICKER = _number("flicker", "noise of a unit's input", r"|\delta|")
LENGTH = _number("length", "length of the hidden units", r"|\tilde h|")
MIDDLE = _number("middle", "distance of the hidden units from the middle", r"|\tilde h - h_m|")
STREAM = _number("stream", "length of a row", r"|\tilde x|")
TURN = _number("turn", "spread of what noise adds to logits", r"\mathrm{osc}\,\Delta l")
READ = _number("read", "noise of V1 in the data channel", r"|N_{V_1}^\top \bar x|_d")
READS = _number("reads", "noise of V1 in all channels", r"|N_{V_1}^\top \bar x|")
SEEN = _number("seen", "length of a row of layer 1", r"|\tilde b|")
REACH = _number("reach", "how much longer than k/D it is", r"|\tilde b| - k/D", scale=1e-6)
RAMPS = _number("ramps", "what noise of inputs adds to an output", "|R|")
WRITTEN = _number("written", "noise of F in positions' channels", r"|N_F^\top \tilde h|_p")
COLUMN = _number("column", "noise of F in the data channel", r"|N_F^\top \tilde h|_d")
KEYED = _number("keyed", "noise of F in a key", r"|q|")
QUERY = _number("query", "noise of F in the query", r"|o|")
TILTED = _number("tilted", "noise of W2 in a logit", r"|\tilde x^\top N_{W_2} \tilde x|")
CLEAR = _number("clear", "distance to the nearest kink", r"\min |s + \gamma_j|")
TOTAL = node("sum of the coefficients", "C", formula(lambda: C))
KEYS = node("squared length of the logits of layer 2", "K", formula(lambda: K_nl))
SPAN = node("span of the logits of layer 2", "l", formula(lambda: l_nl))

# --- given layer 1 --------------------------------------------------------------------------------

COUNTED = _number("counted", "squared output weights of the units that are on", r"\sum F^2")
POINT = _family("points", "largest grid point of a row", "k/D", 1, Reals(0, 1))
ENERGY = {
    "average": _number("average energy", "mean square of what noise of inputs adds, over all inputs", "E"),
    "sample": _number("every energy", "mean square of what noise of inputs adds, at an input", "E_x"),
}
READ_ROWS = _number("read rows", "length of the average of hidden units", r"|\sum a \tilde h|")
KEPT_ROWS = _number("kept rows", "length of the average row", r"|\sum a \tilde x|")
COVARIED = tuple(
    _number(f"covaried {name}", f"covariance of values and {name}", rf"|\mathrm{{Cov}}_a(v, {latex})|")
    for name, latex in (("logits", "l"), ("units", r"\tilde h"), ("rows", r"\tilde x"))
)
FLIPS = _number("flips", "how far the output of an unused row moves with its average", "|G - g|", scale=1e-5)
UNUSED = _number("unused", "root mean square of how far unused rows may move", "U")
LOGIT = _number("logit", "root of the fourth moment of what noise adds to a logit", "L")
VALUE = _number("value", "root of the fourth moment of how far a value moves", "V")

# --- the rows in which something is largest -------------------------------------------------------

_RATIO = Reals(-1, 1)
APART = _family("apart", "averages of a component's bits and of others, next to a kink", "b", 2, Reals(0, 1))
NEAREST = _family("nearest", "bias of the nearest kink", r"\gamma", 1, Reals())
BITS = _family("bits", "average of bits that attention turns most, before and after", "s", 2, Reals(0, 1))
TOP = _family("top", "hidden units of an average of one", "h(1)", UNITS, Reals(0))
RISE = _family("rise", "half of what hidden units rise by", r"\tfrac r2", UNITS, Reals(0))
PARTS = {
    LENGTH: (
        _family("length parts", "units of the longest row over their largest", "p", UNITS, _RATIO),
        _family("length moves", "moves of the longest row's units", "m", UNITS, _RATIO),
    ),
    MIDDLE: (
        _family("middle parts", "units of the outermost row from the middle", "q", UNITS, _RATIO),
        _family("middle moves", "moves of the outermost row's units", "n", UNITS, _RATIO),
    ),
}
"""In the row that is longest, or farthest from the middle: units without noise over their largest, and moves."""

# --- draw by draw ---------------------------------------------------------------------------------

SAMPLING = 0.4
"""Three standard errors of a mean square over 128 draws: what a mean over draws may differ by from that over noise."""
COUNT = INPUTS * n_nl
"""How many there are."""


def _drawn(part: str, name: str, latex: str, rounding: float = 1e-9, entries: Reals | None = None) -> Family:
    """A number for each draw; a budget is for what stands for a mean over noise with no room beside its bound."""
    found = _family(part, name, latex, COUNT, entries or Reals())
    return replace(found, rounding=rounding, scale=1e-9)


def of_draws(part: str) -> Callable[[Sequence[Point], str], list[Array]]:
    """A number for each draw and input, as means are made of."""
    return lambda points, _: _PASSES.rows(points, part)


RESIDUAL = _drawn("residual", "error without noise", "r")
FIRST_ORDER = _drawn("first", "first-order part", r"\Delta_1", SAMPLING)
BY_UNUSED = _drawn("unused rows", "part of unused rows", r"\Delta_2")
BENT = _drawn("bend", "part by which the softmax bends", r"\Delta_3")
CROSSED = _drawn("cross", "part by values and attention", r"\Delta_4")
UNUSED_SIZE = _drawn("unused size", "how far unused rows may move", "U_n", SAMPLING, Reals(0))
TURNED = _drawn("turned squares", "variance of what noise adds to logits", "L_n", entries=Reals(0))
VALUES = _drawn("value squares", "mean square of how far values move", "V_n", SAMPLING, Reals(0))


# --- what a pass computes, what good draws say, and normal moments given layer 1 ------------------

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
    label=f"{_LABEL}.near", relation="=",
    statement="The distance of a row's average s from the nearest kink -γ is |s + γ|, s = (1-ε) g + ε o, g and o the "
    "averages of bits in a row's component and outside of it, where it leaves ε of its attention, to all alike.",
    left=CLEAR, right=lambda: sp.Abs(AVERAGE_NEAR + NEAREST[1]),
)  # fmt: skip
kinks = _axiom(
    label=f"{_LABEL}.kinks",
    statement="Kinks lie at least 1/(4D) from the grid points k/D: they lie 1, 2 or 3 over 4D from some grid point.",
    left=lambda: 1 / (4 * D), right=lambda: sp.Abs(APART[1] + NEAREST[1]),
)  # fmt: skip
shifted = _axiom(
    label=f"{_LABEL}.shifted",
    statement="A row's average of bits moves by what attention turns and by what noise in V1 adds.",
    left=SHIFT, right=lambda: sp.Abs(_AFTER - _BEFORE) + sigma * READ.atom,
)  # fmt: skip
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
    left=SEEN, right=lambda: 1 + sigma * READS.atom,
)  # fmt: skip
units = _axiom(
    label=f"{_LABEL}.units", relation="=",
    statement="The squares of the hidden units in a row, each a part of its largest, and moved by no more than its "
    "input: by parts of the largest shift of an average and noise of an input.",
    rests_on=(unit.label,),
    cases=(
        Case("length", left=lambda: LENGTH.atom**2, right=lambda: units_squared(LENGTH, TOP)),
        Case("middle", left=lambda: MIDDLE.atom**2, right=lambda: units_squared(MIDDLE, RISE)),
        Case("top", left=lambda: total(TOP[j] ** 2), right=length_by_units),
        Case("rise", left=lambda: 4 * total(RISE[j] ** 2), right=spread_by_units),
    ),
)  # fmt: skip
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
    left=RAMPS, right=lambda: theory.OUTPUT_SUM * FLICKER.atom,
)  # fmt: skip
logits = _axiom(
    label=f"{_LABEL}.logits",
    statement="Two logits of layer 2 move apart by at most σ (|o| l + 2 |q| (1 + σ |o|) + 2 |w|): by noise o in the "
    "query times their difference, noise q in F of each key times the query, and noise w in W2.",
    left=TURN, right=lambda: theory.parted(QUERY.atom, SPAN.atom, KEYED.atom, TILTED.atom),
)  # fmt: skip
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

# --- means over noise, given layer 1 --------------------------------------------------------------

_TURNED = sp.Abs(_AFTER - _BEFORE)
FAIR = sp.binomial(D, k) / 2**D
"""The probability of k ones among D fair bits."""


def on_at(place: sp.Expr, moved: sp.Expr) -> sp.Expr:
    """(k+1) (1 + (k/D + z)²)."""
    return (D * place + 1) * (1 + (place + moved) ** 2)


def over_grid(body: sp.Expr) -> sp.Expr:
    """A mean over the ones among D fair bits."""
    return sp.Sum(FAIR * body, (k, 0, D))


reach = _axiom(
    label=f"{_LABEL}.reach",
    statement="A row with a component, k/D its grid point, is no longer than k/D, what the attention it leaves to "
    "other bits adds, what noise turns, and what noise in V1 adds.",
    left=REACH, right=lambda: theory.LEAK + _TURNED + sigma * READS.atom,
)  # fmt: skip
_ENERGIES = {
    "average": lambda: over_grid(on_at(k / D, REACH.atom)),
    "sample": lambda: on_at(POINT[1], REACH.atom),
}
energy = _axiom(
    label=f"{_LABEL}.energy",
    statement="Given layer 1, noise of the inputs of units is normal, in one row independent for two units and of "
    "variance σ² (1 + |b̃|²): the mean square of Σ a Σ F δ over units that are on is at most σ² Σ a Σ F² (1 + |b̃|²), "
    "2(k+1) of F² = (4D/u)² in a row of at most k/D and what it is moved by.",
    rests_on=(on.label,),
    cases=tuple(
        Case(name, left=ENERGY[name], right=lambda build=build: 2 * theory.FLANK**2 * build())
        for name, build in _ENERGIES.items()
    ),
)
ones = _axiom(
    label=f"{_LABEL}.ones", relation="=",
    statement="Over the ones k among D fair bits, of which j given ones are all set with probability 2⁻ʲ, k, k (k-1) "
    "and k (k-1) (k-2) have the means D/2, D (D-1)/4 and D (D-1) (D-2)/8.",
    left=lambda: over_grid((k + 1) * (1 + k**2 / D**2)), right=lambda: theory.GRID_MEAN_BY_MOMENTS,
    domain=Domain({D: Integers(1, tested_to=40)}),
)  # fmt: skip
_COVARIED = dict(zip(("logits", "units", "rows"), COVARIED, strict=True))
_HALF = TOTAL.atom / 2
_POOLED = {
    "units": (READ_ROWS, lambda: LENGTH.atom),
    "rows": (KEPT_ROWS, lambda: STREAM.atom),
    "logits with values": (_COVARIED["logits"], lambda: _HALF * SPAN.atom / 2),
    "units with values": (_COVARIED["units"], lambda: _HALF * MIDDLE.atom),
    "rows with values": (_COVARIED["rows"], lambda: _HALF * STREAM.atom),
}
pooled = _axiom(
    label=f"{_LABEL}.pooled",
    statement="An average of vectors is at most as long as the longest, and its covariance with values from 0 to C, "
    "which lie C/2 from their mean on average at most, as long as C/2 times what lies farthest from any middle; with "
    "numbers a span l apart it is at most C l/4.",
    cases=tuple(Case(name, left=left, right=right) for name, (left, right) in _POOLED.items()),
)
counted = _axiom(
    label=f"{_LABEL}.counted",
    statement="At k/D 2(k+1) live units are on, each with F² = (4D/u)².",
    left=COUNTED, right=lambda: theory.ON_MOST, rests_on=(on.label,),
)  # fmt: skip
flips = _axiom(
    label=f"{_LABEL}.flips",
    statement="The output of a row without a component moves by at most the slope 4D/u times its average's shift.",
    left=FLIPS, right=lambda: theory.FLANK * SHIFT.atom,
)  # fmt: skip
unused = _axiom(
    label=f"{_LABEL}.unused",
    statement="The mean square over M and Γ, given layer 1, of the attention on unused rows times |G - g| + Σ |F δ| is "
    "at most the square of that attention times the largest |G - g| and Σ |F| standard deviations: by Minkowski.",
    left=UNUSED,
    right=lambda: theory.UNUSED.subs(C, TOTAL.atom)
    * (FLIPS.atom + theory.OUTPUT_SUM * sigma * sp.sqrt(1 + SEEN.atom**2)),
)  # fmt: skip
LOGIT_SIZES = (
    LENGTH.atom * SPAN.atom / 2, sp.sqrt(KEYS.atom) * MIDDLE.atom, sigma * LENGTH.atom, STREAM.atom**2,
)  # fmt: skip
"""Standard deviations of the three, and how far the query's noise stretches a key's."""
moments = _axiom(
    label=f"{_LABEL}.moments",
    statement="Fourth moments of what noise adds, given layer 1. To a logit it adds σ o l in the query, σ q (1 + σ o) "
    "in a key and σ w in W2, with independent normal o, q and w of the lengths of units, of units from their middle "
    "and of rows; to a value three of them, with units' inputs, F and V2.",
    cases=(
        Case("logit", left=lambda: LOGIT.atom**4, right=sigma**4 * theory.fourth_moment(*LOGIT_SIZES)),
        Case("value", left=lambda: VALUE.atom**4, right=lambda: 3 * sigma**4 * (
            TOTAL.atom**2 * (COUNTED.atom * (1 + SEEN.atom**2) + LENGTH.atom**2) + STREAM.atom**2
        ) ** 2),
    ),
)  # fmt: skip
