"""How logits bend along the direction in which Cov(v, l'') is largest, as vectors that proofs speak of."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import (
    KEYS_SQUARED,
    LAST,
    OUTPUTS,
    PASSED,
    READY,
    RISE,
    SLOPES,
    TOP,
    WEIGHTS,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import (
    LOGITS,
    MOVED_MOST,
    RANGE,
    keys_share,
    query_share,
    real,
    risen_at,
    share,
)
from boundaudit.checks.sharpness.hessian.shared import NETWORKS, axiom
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, i, j
from boundaudit.numeric.sharpness.hessian_directions import Direction, levels
from boundaudit.numeric.sharpness.hessian_logits import bends

LABEL = "sharpness.hessian.logits"
LAST_CHANNEL = T + 2
_ROWS, _UNIT, _SIGNED = T + 1, Reals(0, 1), Reals(-1, 1)
Pair = tuple[sp.Expr, sp.Expr]


class Bends:
    """Two rows whose logits bend most and least, and the output position as a third; each attribute names itself."""

    def __init__(self, which: str) -> None:
        self.of, self.row = LOGITS[which], MOVED_MOST[which]
        vector = self.of.vector
        self.reach = self.of.number("reach of the logits' bends", "S", lambda d: bends(d).reach)
        self.by_moves = real(self.of, "what the largest move makes of F", "a", lambda d: bends(d).by_moves[:, None])
        self.by_units = real(self.of, "what M and Gamma are worth", "b", lambda d: bends(d).by_units[:, None])
        self.by_outputs = real(self.of, "what F is worth", "r", lambda d: bends(d).by_outputs[:, None])
        self.moving = self.of.number("squared length of what moves a row", "e", lambda d: bends(d).moving)
        self.gating = self.of.number("squared length of M_d and Gamma", "f", lambda d: bends(d).gating)
        self.writing = self.of.number("squared length of what moves write into", "o", lambda d: bends(d).writing)
        self.level = vector("part of their range that logits' bends have made", "y", _ROWS,
                            lambda d: bends(d).part_of_range, _UNIT)  # fmt: skip
        self.idle = vector("moves of unused rows on slopes", r"\eta", _ROWS, _idle, _SIGNED)
        self.moves = vector("moves of three rows over the farthest", r"\mu", 3, _at(lambda d: bends(d).shares), _SIGNED)
        self.seen = vector("bits seen by three rows", "s", 3, _at(lambda d: d.rows.s), _UNIT)
        self.on = vector("units on in three rows", "o", (3, UNITS),
                         lambda d: d.rows.on.take_along_dim(bends(d).seen[..., None], 1), _UNIT)  # fmt: skip
        two = functools.partial(vector, entries=_UNIT)
        self.risen = two("part of its rise that a unit has made", "z", (2, UNITS), lambda d: risen_at(d, bends(d).ends))
        self.outputs = two("outputs of two rows that bend", "g", 2, lambda d: _ends(d, d.rows.g))
        self.levels = two("levels of two logits that bend", "l", 2,
                          lambda d: _ends(d, levels(d.rows.logits, d.rows.a > 0)))  # fmt: skip
        self.inputs = vector("M's direction", "M_d", UNITS, lambda d: d.along.M[:, -1])
        self.biases = vector("Gamma's direction", r"\Gamma", UNITS, lambda d: d.along.Gamma)
        self.columns = vector("W2's columns", "w", (LAST_CHANNEL, 2), lambda d: bends(d).read_columns)
        self.rows = vector("W2's rows", "r", (3, LAST_CHANNEL), lambda d: bends(d).key_rows)
        self.by_columns = vector("F's direction along W2 x_o", "F_q", UNITS, lambda d: bends(d).written_query)
        self.by_rows = vector("F's direction along the keys' change", "F_k", UNITS, lambda d: bends(d).written_keys)

    @property
    def one_column(self) -> bool:
        """Whether F's last column alone counts."""
        return self.of.which == "one-column"

    @property
    def slope(self) -> sp.Expr:
        """What an unused row's move is worth in its output: λ k."""
        return SLOPE * SLOPES[self.of.network][_ROWS]

    def ready(self, unit: sp.Symbol) -> sp.Expr:
        """Whether a unit is on at one."""
        return READY[self.of.network][unit]

    def weight(self, unit: sp.Symbol) -> sp.Expr:
        """A unit's output weight, where it is on at one."""
        return WEIGHTS[self.of.network][unit]

    def passed(self, unit: sp.Symbol) -> sp.Expr:
        """The same where it is off at zero."""
        return self.weight(unit) * PASSED[self.of.network][unit]

    def column(self, channel: sp.Expr) -> sp.Expr:
        """W2 x_o."""
        return self.columns[channel, 1] + OUTPUTS[self.of.network][_ROWS] * self.columns[channel, 2]

    def key(self, channel: sp.Expr) -> sp.Expr:
        """W2ᵀ (x - x')."""
        return self._apart(channel, self.rows[3, channel])

    @property
    def written(self) -> sp.Expr:
        """W2 x_o in the data channel."""
        return self.column(LAST_CHANNEL)

    @property
    def read(self) -> sp.Expr:
        """W2ᵀ (x - x') in the data channel, by the entry that it shares with W2 x_o."""
        return self._apart(LAST_CHANNEL, self.columns[LAST_CHANNEL, 2])

    def _apart(self, channel: sp.Expr, of_data: sp.Expr) -> sp.Expr:
        return self.rows[1, channel] - self.rows[2, channel] + (self.outputs[1] - self.outputs[2]) * of_data


def _at(numbers: Callable[[Direction], Tensor]) -> Callable[[Direction], Tensor]:
    return lambda d: numbers(d).take_along_dim(bends(d).seen, -1)


def _ends(d: Direction, numbers: Tensor) -> Tensor:
    return numbers.take_along_dim(bends(d).ends, -1)


def _idle(d: Direction) -> Tensor:
    return (bends(d).shares * d.rows.slope.sign()).where(d.idle, 0.0)


BENDS = {which: Bends(which) for which in NETWORKS}


def cases(case: Callable[[str, Bends], Case], *without: str) -> tuple[Case, ...]:
    """A case for each network."""
    return tuple(case(which, found) for which, found in BENDS.items() if which not in without)


def channels_total(body: sp.Expr) -> sp.Expr:
    """A sum over the channels."""
    return sp.Sum(body, (i, 1, LAST_CHANNEL))


# --- sums over hidden units that a bend is made of ------------------------------------------------


def by_inputs(found: Bends, unit: sp.Symbol) -> sp.Expr:
    """What two rows make of M: on s - on' s'."""
    return found.on[1, unit] * found.seen[1] - found.on[2, unit] * found.seen[2]


def by_biases(found: Bends, unit: sp.Symbol) -> sp.Expr:
    """What they make of Gamma: on - on'."""
    return found.on[1, unit] - found.on[2, unit]


def moved_keys(found: Bends) -> Pair:
    """(on μ)·F_w and -(on' μ')·F_w."""
    at, f = found.ready, found.of.keys
    one, other = found.moves[1] * found.on[1, j], -found.moves[2] * found.on[2, j]
    return units_total(at(j) * one * f[j]), units_total(at(j) * other * f[j])


def moved_query(found: Bends) -> sp.Expr:
    """(on_o μ_o)·F_o."""
    return units_total(found.ready(j) * (found.moves[3] * found.on[3, j]) * found.of.query[j])


def gated_keys(found: Bends) -> Pair:
    """M and Gamma with F_w."""
    f = found.of.keys
    return (
        units_total(f[j] * by_inputs(found, j) * found.inputs[j]),
        units_total(f[j] * by_biases(found, j) * found.biases[j]),
    )


def gated_query(found: Bends) -> Pair:
    """M and Gamma with F_o."""
    f = found.of.query
    return (
        units_total(f[j] * (found.on[3, j] * found.seen[3]) * found.inputs[j]),
        units_total(f[j] * found.on[3, j] * found.biases[j]),
    )


def gated_rows(found: Bends) -> Pair:
    """M and Gamma with the output weights, of two rows."""
    return (
        units_total(found.weight(j) * by_inputs(found, j) * found.inputs[j]),
        units_total(found.passed(j) * by_biases(found, j) * found.biases[j]),
    )


def gated_output(found: Bends) -> Pair:
    """M and Gamma with the output weights, of the output position."""
    return (
        units_total(found.weight(j) * (found.on[3, j] * found.seen[3]) * found.inputs[j]),
        units_total(found.weight(j) * found.on[3, j] * found.biases[j]),
    )


def hidden_apart(found: Bends, f: Family) -> sp.Expr:
    """(h - h')·f."""
    return units_total(RISE[found.of.network][j] * (found.risen[1, j] - found.risen[2, j]) * f[j])


def hidden_last(found: Bends, f: Family) -> sp.Expr:
    """h_o·f."""
    return units_total(TOP[found.of.network][j] * LAST[found.of.network][j] * f[j])


# --- the chain rule -------------------------------------------------------------------------------


def keys_length(found: Bends) -> sp.Expr:
    """|w2|."""
    return sp.sqrt(KEYS_SQUARED[found.of.network].atom)


def range_apart(found: Bends) -> sp.Expr:
    """What the two logits differ by."""
    return RANGE.atom * (found.levels[1] - found.levels[2])


def size(found: Bends) -> sp.Expr:
    """|m|, m the largest move."""
    return sp.Abs(found.row.move)


def by_slope(found: Bends) -> sp.Expr:
    """The output position's slope, seen by two rows."""
    return found.slope * found.idle[_ROWS] * found.read


def move_by_blocks(found: Bends) -> sp.Expr:
    """What the largest move is worth by F_w and F_o."""
    return keys_length(found) * sp.Add(*moved_keys(found)) + range_apart(found) * moved_query(found)


def by_move(found: Bends) -> sp.Expr:
    """What it is worth by F_w, F_o and W2."""
    return by_slope(found) if found.one_column else found.by_moves + by_slope(found)


def by_gates(found: Bends) -> Pair:
    """M and Gamma with W2."""
    return (
        found.written * sp.Add(*gated_rows(found)),
        found.read * sp.Add(*gated_output(found)),
    )


def units_by_blocks(found: Bends) -> sp.Expr:
    """What M and Gamma are worth by F_w, F_o and W2."""
    gates = sp.Add(*by_gates(found))
    if found.one_column:
        return gates
    return keys_length(found) * sp.Add(*gated_keys(found)) + range_apart(found) * sp.Add(*gated_query(found)) + gates


def lengths(found: Bends) -> Pair:
    """|W2 x_o| and |W2ᵀ (x - x')|."""
    return sp.sqrt(channels_total(found.column(i) ** 2)), sp.sqrt(channels_total(found.key(i) ** 2))


def by_w2(found: Bends) -> Pair:
    """F with W2, by its columns and its rows."""
    columns, rows = lengths(found)
    return columns * hidden_apart(found, found.by_columns), rows * hidden_last(found, found.by_rows)


def by_itself(found: Bends) -> sp.Expr:
    """F with itself."""
    if found.one_column:
        return sp.S.Zero
    return keys_length(found) * hidden_apart(found, found.of.keys) * hidden_last(found, found.of.query)


def outputs_by_blocks(found: Bends) -> sp.Expr:
    """What F is worth with W2 and with itself."""
    return sp.Add(*by_w2(found)) + by_itself(found)


def written(found: Bends) -> sp.Expr:
    """How far both bends lie apart, by the chain rule."""
    return 2 * (size(found) * by_move(found) + found.by_units + found.by_outputs)


bend = axiom(
    label=f"{LABEL}.bend",
    statement="Along that direction the logits of two rows, those that bend most and least but for slopes of unused "
    "rows, bend 2 (|m| (a + g_o' μ_o (x - x')ᵀ W2_d) + b + r) apart, m the largest move of an average of bits, μ moves "
    "over its size, a what moves make with F_w and F_o, b what M and Gamma make with F_w, F_o and W2, and r what F "
    "makes with W2 and with itself: the chain rule, written out.",
    cases=cases(lambda which, found: Case(which, left=found.reach, right=lambda: written(found))),
)
moves = axiom(
    label=f"{LABEL}.moves",
    statement="What moves of averages of bits make with F_w and F_o is |w2| (μ on - μ' on')·F_w "
    "+ (l - l') μ_o on_o·F_o times the size of the largest: the chain rule, written out.",
    cases=cases(
        lambda which, found: Case(which, left=found.by_moves, right=lambda: move_by_blocks(found)), "one-column"
    ),
)
units = axiom(
    label=f"{LABEL}.units",
    statement="What M and Gamma make with F_w, F_o and W2 is |w2| (p - p')·F_w + (l - l') p_o·F_o "
    "+ φ·(p - p') W2_d x_o + (x - x')ᵀ W2_d φ·p_o, p = on (s M_d + Gamma) and φ output weights: the chain rule, "
    "written out.",
    cases=cases(lambda which, found: Case(which, left=found.by_units, right=lambda: units_by_blocks(found))),
)

outputs = axiom(
    label=f"{LABEL}.outputs",
    statement="What F makes with W2 and with itself is (h - h')·F W2 x_o + (x - x')ᵀ W2 Fᵀh_o "
    "+ |w2| (h - h')·F_w h_o·F_o: the chain rule, written out.",
    cases=cases(lambda which, found: Case(which, left=found.by_outputs, right=lambda: outputs_by_blocks(found))),
)

# --- a direction of unit length -------------------------------------------------------------------


def _squares(f: Family) -> sp.Expr:
    return units_total(f[j] ** 2)


def gates_share(found: Bends) -> sp.Expr:
    """|M_d|² + |Gamma|²."""
    return _squares(found.inputs) + _squares(found.biases)


def entries_share(found: Bends) -> sp.Expr:
    """Four squared entries of W2."""
    last = LAST_CHANNEL
    seen = (found.columns[last, 1], found.columns[last, 2], found.rows[1, last], found.rows[2, last])
    return sp.Add(*(entry**2 for entry in seen))


def outputs_share(found: Bends) -> sp.Expr:
    """What F_w, F_o and those entries have of a direction."""
    if found.one_column:
        return entries_share(found)
    return keys_share(found.of) + query_share(found.of) + entries_share(found)


def columns_share(found: Bends) -> sp.Expr:
    """W2's two columns."""
    return channels_total(found.columns[i, 1] ** 2 + found.columns[i, 2] ** 2)


def rows_share(found: Bends) -> sp.Expr:
    """W2's three rows."""
    return channels_total(sp.Add(*(found.rows[n, i] ** 2 for n in (1, 2, 3))))


_SHARES: dict[str, tuple[Callable[[Bends], Quantity], Callable[[Bends], sp.Expr]]] = {
    "moving": (lambda found: found.moving, lambda found: share(found.row)),
    "gating": (lambda found: found.gating, gates_share),
    "writing": (lambda found: found.writing, outputs_share),
}
shares = axiom(
    label=f"{LABEL}.shares",
    statement="Squared lengths of parts of that direction, entry by entry: what moves the row that is moved most; M_d "
    "and Gamma; F_w, F_o and four entries of W2.",
    cases=tuple(
        Case(f"{name}-{which}", left=left(found), right=lambda found=found, right=right: right(found))
        for which, found in BENDS.items() for name, (left, right) in _SHARES.items()
    ),
)  # fmt: skip


def _unit(found: Bends) -> dict[str, sp.Expr]:
    return {
        "entries": found.moving.atom + found.gating.atom + found.writing.atom,
        "columns": columns_share(found) + _squares(found.by_columns),
        "rows": rows_share(found) + _squares(found.by_rows),
    }


unit = axiom(
    label=f"{LABEL}.unit", relation="<=",
    statement="The squared lengths of parts of a direction of unit length add up to at most one: what moves averages "
    "of bits, M_d, Gamma, F_w, F_o and four entries of W2; two columns of W2 and F along W2 x_o; three rows of W2 and "
    "F along W2ᵀ (x - x').",
    right=1,
    cases=tuple(
        Case(f"{name}-{which}", left=lambda found=found, name=name: _unit(found)[name])
        for which, found in BENDS.items() for name in ("entries", "columns", "rows")
    ),
)  # fmt: skip
