"""Two stacks of layers whose maps differ, layer by layer: how far a layer's output moves, and what all layers add."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import PAPER, lengths, path
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim, Measure
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import ROUNDING, Columns, Shared, padded
from boundaudit.derivations.covering import lengths as vectors
from boundaudit.derivations.covering.layer import SHARP
from boundaudit.derivations.covering.lengths import (
    L_len,
    a_len,
    b_len,
    d_len,
    i_len,
    l_len,
    r_len,
    s_len,
    u_len,
    v_len,
    y_len,
)
from boundaudit.derivations.covering.path import Motion
from boundaudit.derivations.covering.symbols import B_cov, L_cov, T_cov, seed_cov
from boundaudit.derivations.covering.transformer import d_lay, e_lay, i_lay, k_lay, nu_lay
from boundaudit.numeric.covering import head as attention
from boundaudit.numeric.covering import path as motions

_PLACE = ("Multi-layer",)
_claim = functools.partial(Claim, paper=PAPER, place=_PLACE)


def _stacked(at: Columns) -> Mapping[str, Tensor]:
    """Errors of stacks of L layers, and what moves the row of each layer that moves farthest."""
    draws = torch.Generator().manual_seed(int(at.whole("seed_cov")[0]))
    key, size, noise = (at.real(name) for name in ("B_cov", "e_lay", "nu_lay"))
    depth, kinds, width = (int(at.whole(name)[0]) for name in ("L_cov", "k_lay", "d_lay"))
    found = attention.stacks((depth, kinds, width), at.whole("T_cov"), key, size, noise, draws)
    layers = [_layer(found, layer) for layer in range(len(found.key))]
    return {
        "apart": found.distances[-1], "errors": found.distances.mT, "turned": found.turned.mT,
        "changed": found.changed.mT, **{part: torch.stack([of[part] for of in layers], 1) for part in layers[0]},
    }  # fmt: skip


def _layer(stacks: attention.Stacks, layer: int) -> dict[str, Tensor]:
    """What moves the row of a layer that moves farthest, n of each."""
    first, second = stacks.first[layer], stacks.second[layer]
    farthest = (stacks.first[layer + 1] - stacks.second[layer + 1]).norm(dim=-1).argmax(-1)
    here = torch.arange(len(farthest)), farthest
    key, turned = stacks.key[layer], stacks.key[layer] + stacks.turn[layer]
    asked, asked_last = _through(first[here], key), _through(second[here], turned)
    longest = stacks.distances[layer]
    largest = torch.linalg.matrix_norm(key, 2) * longest + stacks.turned[layer]
    motion = motions.Motion(first, second, asked, asked_last, stacks.often[:, 0], longest, largest)
    before, after = motion.pooled
    along, across = motion.steps
    values, by_tokens = _through(before, stacks.value[layer]), _through(after - before, stacks.value[layer])
    by_maps = _through(after, stacks.change[layer])
    return {
        "weights": motion.weights, "parts": motion.parts, "along": along, "across": across, "turns": motion.turns,
        "query": torch.stack([motion.ahead, motion.aside], -1), "distance": motion.distance,
        "values": values, "by tokens": by_tokens, "by maps": by_maps, "first": values.relu(),
        "second": (values + by_tokens + by_maps).relu(),
    }  # fmt: skip


def _through(rows: Tensor, matrix: Tensor) -> Tensor:
    return (rows[:, None] @ matrix)[:, 0]


_SIZE = 1.0
"""Of the numbers that errors are computed from."""
STACKS = Shared(_stacked, ("L_cov", "k_lay", "d_lay", "seed_cov"), "T_cov", "B_cov", "e_lay", "nu_lay")
"""Pairs of stacks that ascent leads far apart."""
APART = STACKS.quantity("apart", "error of a stack of layers", r"\delta_L")
ERRORS = STACKS.family("errors", "errors before each layer and after the last", r"\delta", L_cov + 1, Reals(0), _SIZE)
TURNED = STACKS.family("turned", "errors of W_QK", r"\epsilon_{QK}", L_cov, Reals(0), _SIZE)
CHANGED = STACKS.family("changed", "errors of the values", r"\epsilon_V", L_cov, Reals(0), _SIZE)

STACKED = Domain({
    L_cov: Integers(1, tested_to=4), k_lay: Integers(1, tested_to=4),
    T_cov: Integers(k_lay, tested_to=10**6),
    d_lay: Integers(1, tested_to=3), B_cov: Reals(0, tested_to=4),
    e_lay: Reals(0, open_low=True, tested_to=1), nu_lay: Reals(0, tested_to=1), seed_cov: Integers(0, 1),
})  # fmt: skip
_IN_LAYER = Domain({**STACKED.ranges, i_lay: Integers(1, L_cov)})

# --- one layer -----------------------------------------------------------------------------------------


def _in_layer(part: str, name: str, latex: str, length: Any, entries: Reals) -> Family:
    """What is measured at layer i of a pair of stacks."""

    def measure(points: Sequence[Point], device: str) -> Array:
        del device
        found = STACKS.rows(points, part)
        return padded([np.atleast_1d(rows[int(point["i_lay"]) - 1]) for rows, point in zip(found, points, strict=True)])

    return Family(name, measure, latex, length, entries, rounding=ROUNDING, scale=_SIZE)


_UNIT = Reals(-1, 1)
_WEIGHTS = _in_layer("weights", "weights of rows", "p", k_lay, Reals(0, 1, open_low=True))
_PARTS = _in_layer("parts", "parts of rows along the way that their mean moves", "g", k_lay, _UNIT)
_ALONG = _in_layer("along", "their motions along that way, in units of the error before", "h", k_lay, _UNIT)
_ACROSS = _in_layer("across", "their motions along the rest of the query", "r", k_lay, _UNIT)
_TURNS = _in_layer("turns", "changes of their scores by the query's turn, in units of the most", "k", k_lay, _UNIT)
_QUERY = _in_layer("query", "the query's part along that way, and its rest", "a", 2, Reals())
_DISTANCE = _in_layer("distance", "how far the mean moves", "y", 1, Reals(0))[1]
_VALUES = _in_layer("values", "values of the first stack", "m", d_lay, Reals())
_BY_TOKENS = _in_layer("by tokens", "their change as the mean moves", "c", d_lay, Reals())
_BY_MAPS = _in_layer("by maps", "their change as W_V does", "b", d_lay, Reals())

_FIRST = _in_layer("first", "positive parts of values of the first stack", "f", d_lay, Reals(0))
_SECOND = _in_layer("second", "positive parts of values of the second stack", "f'", d_lay, Reals(0))

_BEFORE, _AFTER = ERRORS[i_lay], ERRORS[i_lay + 1]
_MOTION = Motion(
    k_lay, _WEIGHTS, _PARTS, _ALONG, _ACROSS, _TURNS, _QUERY[1], _QUERY[2], _BEFORE, B_cov * _BEFORE + TURNED[i_lay]
)


def _second(i: Any) -> Any:
    return _VALUES[i] + (_BY_TOKENS[i] + _BY_MAPS[i])


def _squared(entry: vectors.Entries) -> sp.Expr:
    return vectors.squared(entry, d_lay)


_OUTPUTS = vectors.apart(
    vectors.projected(lambda i: _FIRST[i], d_lay), vectors.projected(lambda i: _SECOND[i], d_lay)
)  # fmt: skip
_axiom = functools.partial(_claim, role="axiom", domain=_IN_LAYER)

written = _axiom(
    label="covering.stack.written",
    statement="The two outputs of the row that moves farthest are the projections of positive parts on the unit ball.",
    left=_AFTER**2,
    relation="=",
    right=_squared(_OUTPUTS),
)

positive = _axiom(
    label="covering.stack.positive",
    statement="Those are the positive parts of the first stack's values and of those plus their changes, as rows and "
    "as W_V differ.",
    left=_squared(lambda i: _FIRST[i] - _SECOND[i]),
    relation="=",
    right=_squared(lambda i: sp.Max(_VALUES[i], 0) - sp.Max(_second(i), 0)),
)

by_tokens = _axiom(
    label="covering.stack.by-tokens",
    statement="W_V of operator norm one makes no vector longer.",
    left=_squared(lambda i: _BY_TOKENS[i]),
    right=_DISTANCE**2,
)

by_maps = _axiom(
    label="covering.stack.by-maps",
    statement="W_V errs by at most ε_V on a vector in the unit ball.",
    left=_squared(lambda i: _BY_MAPS[i]),
    right=CHANGED[i_lay] ** 2,
)

pooled = _axiom(
    label="covering.stack.pooled",
    statement="How far the mean moves is by how much its part along that way rises: rows of the first stack with the "
    "weights of its softmax, rows of the second with weights whose logarithms changed as the scores did.",
    left=_DISTANCE,
    relation="=",
    right=_MOTION.after - _MOTION.before,
)

moved = _axiom(
    label="covering.stack.moved",
    statement="The parts of a row's motion along two directions at right angles are together at most as long as the "
    "motion, and no row moves by more than the error before the layer.",
    left=_MOTION.lengths,
    right=k_lay,
)

within = _axiom(
    label="covering.stack.within",
    statement="Rows of the second stack are in the unit ball.",
    left=_MOTION.reached,
    right=k_lay,
)

asked = _axiom(
    label="covering.stack.asked",
    statement="In each of the layers the query of a row in the unit ball has a length of at most B = ‖W_QK‖.",
    left=_QUERY[1] ** 2 + _QUERY[2] ** 2,
    right=B_cov**2,
)

start = _axiom(
    label="covering.stack.start",
    statement="Both stacks begin with the same rows.",
    left=ERRORS[1],
    relation="=",
    right=sp.S.Zero,
    domain=STACKED,
)

_CHANGES = {a_len: _BY_TOKENS, b_len: _BY_MAPS, d_len: d_lay}
_RISE = _BEFORE * sp.sqrt(1 + B_cov**2) + B_cov * _BEFORE + TURNED[i_lay]
_POINT: Point = {
    "L_cov": 3,
    "T_cov": 10**6,
    "k_lay": 4,
    "d_lay": 3,
    "B_cov": 1,
    "e_lay": 0.1,
    "nu_lay": 0.5,
    "seed_cov": 0,
}


def _proof(label: str, title: str, domain: Domain, sample: Point, *steps: Step) -> Derivation:
    return Derivation(
        label=f"{label}.steps", title=title, steps=steps, domain=domain, samples={"a million rows, B = 1": sample},
        paper=PAPER, place=_PLACE,
    )  # fmt: skip


_ADDED = TURNED[i_lay] + CHANGED[i_lay]

_BOTH = _DISTANCE + CHANGED[i_lay]

output = _claim(
    label="covering.stack.output",
    statement="The output of a layer errs by at most as much as the mean that attention pools and W_V together, in "
    "squares.",
    left=_AFTER**2,
    right=_BOTH**2,
    domain=_IN_LAYER,
    expected="proved",
    derivation=_proof(
        "covering.stack.output", "From the mean to the layer's output", _IN_LAYER, {**_POINT, "i_lay": 2},
        Step(_AFTER**2, "error after the layer, squared"),
        Step(_squared(_OUTPUTS), "of the farthest row", "written out", written.label),
        Step(_squared(lambda i: _FIRST[i] - _SECOND[i]), "positive parts", "the projection", Instance(
            lengths.projected.label, {a_len: _FIRST, b_len: _SECOND, d_len: d_lay})),
        Step(_squared(lambda i: _VALUES[i] - _second(i)), "values", "ReLU", (
            positive.label,
            Instance(lengths.relu.label, {u_len: _VALUES[i_len], v_len: _second(i_len)}, over=(i_len, 1, d_lay)),
        )),
        Step(_squared(lambda i: _BY_TOKENS[i] + _BY_MAPS[i]), "rows and maps"),
        Step(_BOTH**2, "norms of maps", "triangle inequality", (
            by_tokens.label, by_maps.label,
            Instance(lengths.together.label, {**_CHANGES, r_len: _DISTANCE, s_len: CHANGED[i_lay]}),
        )),
    ),
)  # fmt: skip

step = _claim(
    label="covering.stack.step",
    statement="Take a layer with ReLU, ‖W_QK‖ = B, a value map of norm one and rows projected on the unit ball. In the "
    "largest length of a row its output errs by at most B + √(1 + B²) times what its rows err by, and by ε_V + ε_QK "
    "more, what its maps err by, whatever the number of rows.",
    left=_AFTER,
    right=SHARP * _BEFORE + _ADDED,
    domain=_IN_LAYER,
    expected="proved",
    derivation=_proof(
        "covering.stack.step", "How far a layer's output moves", _IN_LAYER, {**_POINT, "i_lay": 2},
        Step(_AFTER, "error after the layer"),
        Step(_BOTH, "mean and W_V", "", (
            output.label, Instance(lengths.smaller.label, {r_len: _AFTER, s_len: _BOTH}),
        )),
        Step(_MOTION.after - _MOTION.before + CHANGED[i_lay], "mean at last less mean at first", "", pooled.label),
        Step(_RISE + CHANGED[i_lay], "δ √(1 + B²) + B δ + ε_QK", "all along the way",
             (moved.label, within.label, asked.label, Instance(path.whole.label, _MOTION.instance))),
        Step(SHARP * _BEFORE + _ADDED, "λ δ + ε_QK + ε_V"),
    ),
)  # fmt: skip

# --- all layers ----------------------------------------------------------------------------------------

_LAYERS = (i_lay, 1, L_cov)
_LATER = SHARP ** (L_cov - i_lay)
ADDED_UP = sp.Sum(_LATER * _ADDED, _LAYERS)
"""What the layers' maps err by, enlarged by every later layer."""


def recursion() -> Derivation:
    """From the distance of the outputs to the sum over layers."""
    return _proof(
        "covering.transformer.layers.recursion", "What the errors of layers add up to", STACKED, _POINT,
        Step(ERRORS[L_cov + 1], "error after the last layer"),
        Step(sp.Sum(_LATER * (_AFTER - SHARP * _BEFORE), _LAYERS), "what layers add", "the first error is zero",
             (start.label, Instance(lengths.grown.label, {L_len: L_cov, y_len: ERRORS, l_len: SHARP}))),
        Step(ADDED_UP, "errors of maps", "layer by layer", Instance(step.label, over=_LAYERS, weight=_LATER)),
    )  # fmt: skip


def added(growth: Callable[[float], float], softmax: float, every: bool = False) -> Measure:
    """Errors of the layers of a pair of stacks added up.

    Args:
        growth: By how much a layer enlarges an error, from B.
        softmax: What an error of W_QK is multiplied by.
        every: Whether every layer's error is taken for the largest.

    Returns:
        Σ λ^{L-i} ε_i as a measurement.
    """

    def measure(points: Sequence[Point], device: str) -> Array:
        del device
        found = []
        parts = (STACKS.rows(points, part) for part in ("turned", "changed"))
        for point, turned, changed in zip(points, *parts, strict=True):
            errors = softmax * turned + changed
            errors = np.full_like(errors, errors.max()) if every else errors
            factor = growth(float(point["B_cov"])) ** np.arange(len(errors))[::-1]
            found.append(float(errors @ factor))
        return np.array(found)

    return measure


def sharp_growth(key: float) -> float:
    """B + √(1 + B²)."""
    return key + math.hypot(1.0, key)


PROVED = (output, step)
proofs = tuple(stated.derivation for stated in PROVED)
