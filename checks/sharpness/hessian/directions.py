"""Theorem 18: the unit direction in which a part of the Hessian is largest, and rows chosen by what it does there."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.rows import (
    BITS,
    KEYS_SQUARED,
    LAST,
    OUTPUTS,
    RISE,
    TOP,
    filled,
    total,
    units_total,
)
from boundaudit.checks.sharpness.gradients.shared import by_rows, numbered
from boundaudit.checks.sharpness.hessian.shared import NETWORKS, VECTORS, axiom, both, lemma, stated, weighted
from boundaudit.checks.sharpness.targets import by_trapezoid, trapezoid
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_parts import Sizes
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, j, t
from boundaudit.numeric.sharpness import hessian_logits
from boundaudit.numeric.sharpness.hessian_directions import Direction, direction, extremes, levels
from boundaudit.numeric.sharpness.hessian_values import bends
from boundaudit.numeric.sharpness.mlp import Trapezoid

_ROWS = T + 1
_UNIT = Reals(0, 1)

# --- measured -------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=512)
def _direction(points: tuple[tuple[tuple[str, Any], ...], ...], device: str, part: str, which: str) -> Direction:
    at = Columns([dict(point) for point in points], device)
    batch, bits = numbered(at)
    return direction(part, batch, bits.double(), mlp=trapezoid(at), one_column=which == "one-column")


def _at(at: Columns, part: str, which: str) -> Direction:
    return _direction(tuple(tuple(point.items()) for point in at.points), at.device, part, which)


@functools.cache
def _lengths(along: tuple[Any, ...], size: int, degree: int) -> tuple[int, ...]:
    """How long a vector or matrix is at T and D."""
    return tuple(int(sp.sympify(end, strict=True).subs({T: size, D: degree})) for end in along)


class Moves:
    """What the leading direction of one part does in one network; each attribute names itself."""

    def __init__(self, part: str, which: str) -> None:
        self.part, self.which, self.network = part, which, "finite"
        self.reach = self.number("reach of the logits' changes", r"r", lambda d: d.at_ends[:, 0] - d.at_ends[:, 1])
        self.share = self.vector("part of their range that logits' changes have made", "q", _ROWS,
                                 lambda d: d.part_of_range, _UNIT)  # fmt: skip
        self.risen = self.vector("part of its rise that a unit of two rows has made", "z", (2, UNITS),
                                 lambda d: risen_at(d, d.ends), _UNIT)  # fmt: skip
        self.outputs = self.vector("outputs of two rows", "g", 2, lambda d: d.rows.g.take_along_dim(d.ends, -1), _UNIT)
        self.levels = self.vector("levels of the logits of two rows", "y", 2, _levels, _UNIT)
        self.keys = self.vector("F's direction along the keys", "F_w", UNITS, lambda d: d.keys)
        self.query = self.vector("F's direction into the query", "F_o", UNITS, lambda d: d.query)
        self.entries = self.vector("entries of W2's direction", "w", 6, lambda d: d.entries)

    @property
    def name(self) -> str:
        """Of its case."""
        return f"{self.part}-{self.which}"

    def number(self, name: str, latex: str, of: Callable[[Direction], Tensor]) -> Quantity:
        """A number of at least 0 of the direction."""

        def measure(at: Columns, mlp: Trapezoid) -> Tensor:
            return of(_at(at, self.part, self.which))

        return Quantity(f"{name}, {self.part}, {self.which} network", by_trapezoid(measure, "T", "D"), latex,
                        rounding=1e-9, scale=1.0, nonnegative=True)  # fmt: skip

    def vector(
        self, name: str, latex: str, length: Any, of: Callable[[Direction], Tensor], entries: Reals | None = None
    ) -> Family:
        """A vector or matrix of the direction."""
        along = length if isinstance(length, tuple) else (length,)

        def measure(points: Sequence[Point], device: str) -> Array:
            shapes = [(point["u"], point["T"], point["D"]) for point in points]
            counts = [_lengths(along, size, degree) for _, size, degree in shapes]
            found = np.zeros((len(points), *map(max, zip(*counts, strict=True))))
            for shape in set(shapes):
                chosen = [n for n, other in enumerate(shapes) if other == shape]
                values = of(_at(Columns([points[n] for n in chosen], device), self.part, self.which))
                found[(chosen, *map(slice, counts[chosen[0]]))] = values.cpu().numpy()  # type: ignore[index]
            return found

        return Family(f"{name}, {self.part}, {self.which} network", measure, latex, length, entries or Reals())


def risen_at(d: Direction, ends: Tensor) -> Tensor:
    """The parts of their rises from zero to one that hidden units of some rows have made, shape (B, k, H)."""
    low, high = (at + d.rows.units.bias for at in (0, 1))
    rise = (high.relu() - low.relu())[:, None]
    made = d.rows.hidden.take_along_dim(ends[..., None], 1) - low.relu()[:, None]
    return (made / rise.where(rise > 0, 1.0)).where(d.rows.units.real[:, None], 0.0)


def _levels(d: Direction) -> Tensor:
    return levels(d.rows.logits, d.rows.a > 0).take_along_dim(d.ends, -1)


SKEW = {which: Moves("skew", which) for which in NETWORKS}
COVARIANCE = {which: Moves("covariance", which) for which in NETWORKS}
VALUES = {which: Moves("values", which) for which in NETWORKS}
LOGITS = {which: Moves("logits", which) for which in NETWORKS}
MOVES = (*SKEW.values(), *COVARIANCE.values())
RANGE = by_rows(
    "range of layer 2's logits", "finite", lambda r: _range(r.logits, r.a > 0), r"\rho", nonnegative=True
)  # fmt: skip


def _range(logits: Tensor, counts: Tensor) -> Tensor:
    most, least = logits.take_along_dim(extremes(logits, counts), -1).unbind(-1)
    return most - least


def own_sizes(which: str) -> Sizes:
    """The target's own C, |w2|² and range of logits."""
    known = {theorem.total_h: SUM, theorem.keys_h: KEYS, theorem.range_h: RANGE.atom}
    return known | theorem.NO_LOGITS if which == "one-column" else known


def own_bound(part: str, which: str) -> sp.Expr:
    """The bound on a part by these."""
    return theorem.put(theorem.PARTS[part], own_sizes(which))


# --- what logits change by ------------------------------------------------------------------------


def by_keys(of: Moves) -> sp.Expr:
    """(h - h')·F_w, of the two rows."""
    risen = of.risen
    return units_total(RISE[of.network][j] * (risen[1, j] - risen[2, j]) * of.keys[j])


def by_query(of: Moves) -> sp.Expr:
    """h_o·F_o."""
    return units_total(TOP[of.network][j] * LAST[of.network][j] * of.query[j])


def by_entries(of: Moves) -> sp.Expr:
    """(x - x')ᵀ W2 x_o."""
    last, w, g = OUTPUTS[of.network][T + 1], of.entries, of.outputs
    return (w[1] + last * w[2]) - (w[3] + last * w[4]) + (g[1] - g[2]) * (w[5] + last * w[6])


def through_f(of: Moves) -> sp.Expr:
    """What the logits' changes owe to F."""
    if of.which == "one-column":
        return sp.S.Zero
    level = of.levels[1] - of.levels[2]
    return sp.sqrt(KEYS_SQUARED[of.network].atom) * by_keys(of) + RANGE.atom * level * by_query(of)


def keys_share(of: Moves) -> sp.Expr:
    """|F_w|²."""
    return units_total(of.keys[j] ** 2)


def query_share(of: Moves) -> sp.Expr:
    """|F_o|²."""
    return units_total(of.query[j] ** 2)


def entries_share(of: Moves) -> sp.Expr:
    """The six squared entries of W2."""
    return sp.Add(*(of.entries[n] ** 2 for n in range(1, 7)))


def rises(of: Moves) -> sp.Expr:
    """|h(1) - h(0)|²."""
    return units_total(RISE[of.network][j] ** 2)


def tops(of: Moves) -> sp.Expr:
    """|h(1)|²."""
    return units_total(TOP[of.network][j] ** 2)


def half(of: Moves) -> sp.Expr:
    """The squared length of what moves logits."""
    f = sp.S.Zero if of.which == "one-column" else keys_share(of) + query_share(of)
    return f + entries_share(of)


def reach_squared(of: Moves) -> sp.Expr:
    """R²: |w2|² |h(1) - h(0)|² + ρ² |h(1)|² + 6, or 6 where F's last column alone counts."""
    if of.which == "one-column":
        return sp.Integer(6)
    return KEYS_SQUARED[of.network].atom * rises(of) + RANGE.atom**2 * tops(of) + 6


_LABEL = "sharpness.hessian.directions"
_TWO = (
    "Along the direction in which a part of the Hessian is largest, between the rows whose logits change most and least"
)


def _cases(case: Callable[[Moves], Case], moves: Sequence[Moves] = MOVES) -> tuple[Case, ...]:
    return tuple(case(of) for of in moves)


logits = axiom(
    label=f"{_LABEL}.logits",
    statement=f"{_TWO}, logits of layer 2 change by |w2| (h - h')·F_w + (l - l') h_o·F_o + (x - x')ᵀ W2 x_o apart, h "
    "the hidden units of rows x of the stream, o the output position: the chain rule, written out.",
    cases=_cases(lambda of: Case(of.name, left=of.reach, right=lambda: through_f(of) + by_entries(of))),
)


def _entries(of: Moves) -> Case:
    last, w, g = OUTPUTS[of.network][T + 1], of.entries, of.outputs
    seen = [w[n] + last * w[n + 1] for n in (1, 3, 5)]
    return stated(
        f"{_LABEL}.entries", of.name,
        Step(by_entries(of) ** 2, "((x - x')ᵀ W2 x_o)²"),
        Step(3 * sp.Add(*(part**2 for part in seen)), "|x - x'|² |W2 x_o|²", "Cauchy-Schwarz", Instance(
            f"{VECTORS}.three", dict(zip(("a_ve", "b_ve", "c_ve", "g_ve", "h_ve"), (*seen, g[1], g[2]), strict=True)),
        )),
        Step(6 * entries_share(of), "3 · 2 |W2|²", "|x_o|² ≤ 2", tuple(
            Instance(f"{VECTORS}.entry", {"a_ve": w[n], "b_ve": w[n + 1], "g_ve": last}) for n in (1, 3, 5)
        )),
    )  # fmt: skip


entries = lemma(
    label=f"{_LABEL}.entries",
    statement="((x - x')ᵀ W2 x_o)² is at most six times the squared entries of W2 that enter.",
    cases=_cases(_entries),
)


def _reach(of: Moves) -> Case:
    w, share, moved = by_entries(of), entries_share(of), through_f(of) + by_entries(of)
    known: tuple[str | Instance, ...] = (f"{_LABEL}.entries[{of.name}]",)
    if of.which != "one-column":
        n, risen, level, rho = of.network, of.risen, of.levels[1] - of.levels[2], RANGE.atom
        known += (
            Instance(f"{VECTORS}.seen", {
                "n_av": UNITS, "x_ve": RISE[n], "q_av": lambda j: risen[1, j] - risen[2, j], "y_ve": of.keys,
            }),
            Instance(f"{VECTORS}.seen", {"n_av": UNITS, "x_ve": TOP[n], "q_av": LAST[n], "y_ve": of.query}),
            Instance(f"{VECTORS}.apart", {"g_ve": of.levels[1], "h_ve": of.levels[2]}),
            weighted(rho**2, level**2, sp.S.One),
            Instance(f"{VECTORS}.bounded", {
                "a_ve": by_keys(of), "p_ve": rises(of), "e_ve": keys_share(of), "b_ve": by_query(of), "q_ve": tops(of),
                "f_ve": query_share(of), "s_ve": sp.sqrt(KEYS_SQUARED[n].atom), "g_ve": KEYS_SQUARED[n].atom,
                "t_ve": rho * level, "h_ve": rho**2,
            }),
            both(through_f(of), reach_squared(of) - 6, half(of) - share, w, sp.Integer(6), share),
        )  # fmt: skip
    return stated(
        f"{_LABEL}.reach", of.name,
        Step(of.reach.atom**2, "r²"),
        Step(moved**2, "by F and W2", "chain rule", (
            f"{_LABEL}.logits[{of.name}]",
            Instance("sharpness.averages.squared", {"e_av": of.reach.atom, "x_av": moved}),
        )),
        Step(reach_squared(of) * half(of), "R²", "part by part, by Cauchy-Schwarz", known),
    )  # fmt: skip


reach = lemma(
    label=f"{_LABEL}.reach",
    statement=f"{_TWO}, these differ in squares by at most R² = |w2|² |h(1) - h(0)|² + ρ² |h(1)|² + 6 "
    "times the squared length of what moves logits, F_w, F_o and W2; by at most 6 where F's last column alone counts.",
    cases=_cases(_reach),
)

unit = axiom(
    label=f"{_LABEL}.unit", relation="<=",
    statement="The squared lengths of F_w and F_o and six squared entries of W2 of a unit direction add up to "
    "at most one: w2 has no entry in channel o.",
    right=1, cases=_cases(lambda of: Case(of.name, left=lambda: half(of)), tuple(SKEW.values())),
)  # fmt: skip


# --- rows that are chosen by what a direction does there -------------------------------------------

_LAST = T + 2
_MOVED_ROWS = "sharpness.hessian.moved-rows"


def real(of: Moves, name: str, latex: str, numbers: Callable[[Direction], Tensor]) -> sp.Expr:
    """A number of either sign of a direction, of shape (B, 1) where it is measured."""
    return replace(of.number(name, latex, lambda d: numbers(d)[:, 0]), nonnegative=False).atom


class Row:
    """A row of layer 1, chosen by what a direction does there; each attribute names itself."""

    def __init__(self, of: Moves, which: str, pick: Callable[[Direction], Tensor]) -> None:
        """Choose a row."""
        self.of, self.name = of, f"{of.name}-{which}"
        row = f"of the {which} row"

        def at(numbers: Callable[[Direction], Tensor]) -> Callable[[Direction], Tensor]:
            return lambda d: numbers(d).take_along_dim(pick(d), -1)

        self.move = real(of, f"move {row}", "m", at(lambda d: d.moved))
        self.seen = of.vector(f"average of bits {row}", "s", 1, at(lambda d: d.rows.s), _UNIT)[1]
        self.bit = of.vector(f"bit {row}", "z", 1, at(lambda d: d.rows.z), _UNIT)[1]
        self.attention = of.vector(f"attention over 1/D {row}", r"\alpha", _ROWS, lambda d: _over(d, pick(d)), _UNIT)
        self.own = of.vector(f"W1's column {row}", "u", _LAST, lambda d: _column(d.along.W1, pick(d)))
        self.shared, self.read = _of_all_rows(of)
        self.on = of.vector(f"units on {row}", "o", UNITS, lambda d: _units(d.rows.on, pick(d)), _UNIT)
        self.gates = of.vector(f"signs of units on {row}", r"\sigma", UNITS,
                               lambda d: _units(d.rows.gated.sign(), pick(d)), Reals(-1, 1))  # fmt: skip
        self.full = of.vector(f"units {row} over those at one", "p", UNITS,
                              lambda d: _units(filled(d.rows), pick(d)), _UNIT)  # fmt: skip

    def weight(self, key: sp.Symbol) -> sp.Expr:
        """Its attention to a key."""
        return self.attention[key] / D

    def keyed(self, channel: sp.Expr) -> sp.Expr:
        """W1 x_t, x_t the row's position and bit."""
        return self.own[channel] + self.bit * self.shared[channel]


@functools.cache
def _of_all_rows(of: Moves) -> tuple[Family, Family]:
    """W1's column of the bits and V1's of the data, the same for every row."""
    return (
        of.vector("W1's column of the bits", "b", _LAST, lambda d: d.along.W1[..., -1]),
        of.vector("V1's column of the data", r"\nu", _LAST, lambda d: d.along.V1[..., -1]),
    )


def _over(d: Direction, row: Tensor) -> Tensor:
    attention = d.rows.batch.degree[:, None] * d.rows.first.take_along_dim(row[..., None], 1)[:, 0]
    return attention.clamp(max=1)


def _units(numbers: Tensor, row: Tensor) -> Tensor:
    return numbers.take_along_dim(row[..., None], 1)[:, 0]


def _column(matrix: Tensor, column: Tensor) -> Tensor:
    return matrix.take_along_dim(column[..., None], -1)[..., 0]


FARTHEST, VALUES_FARTHEST = (
    {which: Row(of, "farthest", lambda d: d.farthest) for which, of in part.items()} for part in (COVARIANCE, VALUES)
)
"""Of the rows that no component uses the one that is moved most."""
LARGEST = {which: Row(of, "largest", lambda d: bends(d).largest) for which, of in VALUES.items()}
"""The row where values bend most but for the MLP's slope."""
MOVED_MOST = {which: Row(of, "farthest", lambda d: hessian_logits.bends(d).farthest) for which, of in LOGITS.items()}
"""Of all rows the one that is moved most."""
ROWS = (*FARTHEST.values(), *VALUES_FARTHEST.values(), *LARGEST.values(), *MOVED_MOST.values())
"""All rows that parts of the Hessian are bounded through."""


def _about(row: Row) -> Callable[[sp.Symbol], sp.Expr]:
    """Σ A (z - s), key by key."""
    return lambda key: row.weight(key) * (BITS[row.of.network][key] - row.seen)


def _by_w1(row: Row) -> sp.Expr:
    return total(_about(row)(t) * row.keyed(t)) + row.seen * (1 - row.seen) * row.keyed(_LAST)


def _by_v1(row: Row) -> sp.Expr:
    return total(row.weight(t) * row.read[t]) + row.seen * row.read[_LAST]


def _squares(column: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    return total(column(t) ** 2) + column(_LAST) ** 2


def keys_of_row(row: Row) -> sp.Expr:
    """The squared length of W1's two columns."""
    return _squares(lambda n: row.own[n]) + _squares(lambda n: row.shared[n])


def read_share(row: Row) -> sp.Expr:
    """The squared length of V1's column of the data."""
    return _squares(lambda n: row.read[n])


def share(row: Row) -> sp.Expr:
    """The squared length of what moves the row."""
    return keys_of_row(row) + read_share(row)


_A_ROW = "Of a row that is chosen by what the leading direction of a part of the Hessian does there"


def _of_rows(case: Callable[[Row], Case]) -> tuple[Case, ...]:
    return tuple(case(row) for row in ROWS)


weights = axiom(
    label=f"{_MOVED_ROWS}.weights",
    statement=f"{_A_ROW}, the attention of layer 1, none of it beyond 1/D, adds up to one.",
    right=1, cases=_of_rows(lambda row: Case(row.name, left=lambda: total(row.weight(t)))),
)  # fmt: skip
seen = axiom(
    label=f"{_MOVED_ROWS}.seen",
    statement=f"{_A_ROW}, s is the average of bits under that attention.",
    cases=_of_rows(lambda row: Case(
        row.name, left=row.seen, right=lambda: total(row.weight(t) * BITS[row.of.network][t])
    )),
)  # fmt: skip
move = axiom(
    label=f"{_MOVED_ROWS}.move",
    statement=f"{_A_ROW}, the average of bits is moved by Σ A (z - s) xᵀ W1 x_t + Σ A xᵀ V1, A the attention of layer "
    "1 and x_t the row's position and bit: the chain rule, written out.",
    cases=_of_rows(lambda row: Case(row.name, left=row.move, right=lambda: _by_w1(row) + _by_v1(row))),
)


def _moved(row: Row) -> Case:
    s, about, bits = row.seen, _about(row), BITS[row.of.network]
    keys, last, read = _squares(row.keyed), row.keyed(_LAST), row.read[_LAST]
    abouts, weights_squared = total(about(t) ** 2), total(row.weight(t) ** 2)
    by_keys, by_read, bend = abouts + (s * (1 - s)) ** 2, weights_squared + s**2, s * (1 - s)
    w1, v1 = keys_of_row(row), read_share(row)
    longer, entry, part = f"{VECTORS}.longer", f"{VECTORS}.entry", "sharpness.averages.part"
    return stated(
        f"{_MOVED_ROWS}.moved", row.name,
        Step(row.move**2, "m²"),
        Step((_by_w1(row) + _by_v1(row)) ** 2, "by W1 and V1", "chain rule", f"{move.label}[{row.name}]"),
        Step((2 * by_keys + by_read) * (keys / 2 + v1), "by lengths", "Cauchy-Schwarz", (
            Instance(longer, {"n_av": _ROWS, "x_ve": about, "y_ve": row.keyed, "a_ve": bend, "b_ve": last}),
            Instance(longer, {"n_av": _ROWS, "x_ve": row.weight, "y_ve": row.read, "a_ve": s, "b_ve": read}),
            Instance("sharpness.averages.deviations", {
                "n_av": _ROWS, "a_av": lambda t: row.weight(t) ** 2, "g_av": bits, "m_av": s,
            }),
            both(_by_w1(row), by_keys, keys, _by_v1(row), by_read / 2, 2 * v1),
        )),
        Step((2 * by_keys + by_read) * (w1 + v1), "|W1 x_t|² ≤ 2 |W1|²", "channel by channel", (
            *(Instance(entry, {"a_ve": row.own[n], "b_ve": row.shared[n], "g_ve": row.bit}, **over)
              for n, over in ((t, {"over": (t, 1, _ROWS)}), (_LAST, {}))),
            weighted(2 * by_keys + by_read, keys / 2 + v1, w1 + v1),
        )),
        Step((2 * (bend / D + bend**2) + 1 / D + s**2) * (w1 + v1), "a variance of bits", "no weight beyond 1/D", (
            f"{weights.label}[{row.name}]", f"{seen.label}[{row.name}]",
            Instance(part, {"m_av": row.attention[t], "e_av": row.attention[t] / D**2}, over=(t, 1, _ROWS)),
            Instance(part, {"m_av": row.attention[t], "e_av": row.attention[t] * (bits[t] - s) ** 2 / D**2},
                     over=(t, 1, _ROWS)),
            Instance("sharpness.averages.variance", {
                "n_av": _ROWS, "a_av": lambda t: row.attention[t] / D**2, "g_av": bits, "m_av": s,
            }),
            weighted(w1 + v1, 2 * by_keys + by_read, 2 * (bend / D + bend**2) + 1 / D + s**2),
        )),
        Step(TOKEN_BOUND * (w1 + v1), "Z²", "s from 0 to 1", Instance("sharpness.hessian.lemmas.token", {"s_av": s})),
    )  # fmt: skip


moved = lemma(
    label=f"{_MOVED_ROWS}.moved",
    statement=f"{_A_ROW}, W1 and V1 move the average of bits in squares by at most Z² = 1 + 65/(64 D) times their "
    "squared length.",
    cases=_of_rows(_moved),
)
