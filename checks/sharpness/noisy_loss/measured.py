"""What is measured of noisy passes, all of it at once for a point: largest numbers, and the rows that they stand in.

Draws that are not good count for nothing: what is largest over good draws is 0 where there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, Shared, padded
from boundaudit.checks.sharpness.noisy_loss.shared import INPUTS, Values, formula, inputs_of, node
from boundaudit.checks.sharpness.targets import batch_of, trapezoid
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.noisy_loss import K_nl, l_nl, n_nl
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
    """A number for each draw and input, as means are made of.

    Args:
        part: Which one.

    Returns:
        A measurement of a vector for each point.
    """
    return lambda points, _: _PASSES.rows(points, part)


RESIDUAL = _drawn("residual", "error without noise", "r")
FIRST_ORDER = _drawn("first", "first-order part", r"\Delta_1", SAMPLING)
BY_UNUSED = _drawn("unused rows", "part of unused rows", r"\Delta_2")
BENT = _drawn("bend", "part by which the softmax bends", r"\Delta_3")
CROSSED = _drawn("cross", "part by values and attention", r"\Delta_4")
UNUSED_SIZE = _drawn("unused size", "how far unused rows may move", "U_n", SAMPLING, Reals(0))
TURNED = _drawn("turned squares", "variance of what noise adds to logits", "L_n", entries=Reals(0))
VALUES = _drawn("value squares", "mean square of how far values move", "V_n", SAMPLING, Reals(0))
