"""Rows that are chosen by what a part's leading direction does there, and how W1 and V1 move their averages of bits."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import BITS, filled, total
from boundaudit.checks.sharpness.hessian.directions import COVARIANCE, LOGITS, VALUES, Moves
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, both, lemma, stated, weighted
from boundaudit.derivations.sharpness.hessian_lemmas import TOKEN_BOUND
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, t
from boundaudit.numeric.sharpness import hessian_logits
from boundaudit.numeric.sharpness.hessian_directions import Direction
from boundaudit.numeric.sharpness.hessian_values import bends

_ROWS, _LAST, _UNIT = T + 1, T + 2, Reals(0, 1)
_LABEL = "sharpness.hessian.moved-rows"


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
    {which: Row(of, "farthest", lambda d: d.farthest) for which, of in part.items() if which != "ideal"}
    for part in (COVARIANCE, VALUES)
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


def keys_share(row: Row) -> sp.Expr:
    """The squared length of W1's two columns."""
    return _squares(lambda n: row.own[n]) + _squares(lambda n: row.shared[n])


def read_share(row: Row) -> sp.Expr:
    """The squared length of V1's column of the data."""
    return _squares(lambda n: row.read[n])


def share(row: Row) -> sp.Expr:
    """The squared length of what moves the row."""
    return keys_share(row) + read_share(row)


_A_ROW = "Of a row that is chosen by what the leading direction of a part of the Hessian does there"


def _cases(case: Callable[[Row], Case]) -> tuple[Case, ...]:
    return tuple(case(row) for row in ROWS)


weights = axiom(
    label=f"{_LABEL}.weights",
    statement=f"{_A_ROW}, the attention of layer 1, none of it beyond 1/D, adds up to one.",
    right=1,
    cases=_cases(lambda row: Case(row.name, left=lambda: total(row.weight(t)))),
)
seen = axiom(
    label=f"{_LABEL}.seen",
    statement=f"{_A_ROW}, s is the average of bits under that attention.",
    cases=_cases(lambda row: Case(
        row.name, left=row.seen, right=lambda: total(row.weight(t) * BITS[row.of.network][t])
    )),
)  # fmt: skip
move = axiom(
    label=f"{_LABEL}.move",
    statement=f"{_A_ROW}, the average of bits is moved by Σ A (z - s) xᵀ W1 x_t + Σ A xᵀ V1, A the attention of layer "
    "1 and x_t the row's position and bit: the chain rule, written out.",
    cases=_cases(lambda row: Case(row.name, left=row.move, right=lambda: _by_w1(row) + _by_v1(row))),
)


def _moved(row: Row) -> Case:
    s, about, bits = row.seen, _about(row), BITS[row.of.network]
    keys, last, read = _squares(row.keyed), row.keyed(_LAST), row.read[_LAST]
    abouts, weights_squared = total(about(t) ** 2), total(row.weight(t) ** 2)
    by_keys, by_read, bend = abouts + (s * (1 - s)) ** 2, weights_squared + s**2, s * (1 - s)
    w1, v1 = keys_share(row), read_share(row)
    longer, entry, part = f"{VECTORS}.longer", f"{VECTORS}.entry", "sharpness.averages.part"
    return stated(
        f"{_LABEL}.moved", row.name,
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
    label=f"{_LABEL}.moved",
    statement=f"{_A_ROW}, W1 and V1 move the average of bits in squares by at most Z² = 1 + 65/(64 D) times their "
    "squared length.",
    cases=_cases(_moved),
)
