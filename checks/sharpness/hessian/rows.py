"""Theorem 18: what W1 and V1 move a row by along a unit vector of channels, whatever its attention in layer 1."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.gradients.rows import (
    AT_ONE,
    ATTENTION,
    BITS,
    IDLE,
    OFF_AT_ZERO,
    RISE,
    TOP,
    WEIGHTS,
    total,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import COVARIANCE, FLANKED, Along, stated
from boundaudit.checks.sharpness.hessian.families import ANY, NETWORKS
from boundaudit.checks.sharpness.hessian.shared import SCALES, claim
from boundaudit.checks.sharpness.hessian.sums import both, scaled
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.gradients import live_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND, count_by_units, rise_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSED
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as UNITS_ON
from boundaudit.derivations.sharpness.parameters import D, T, j, t
from boundaudit.numeric.sharpness.hessian_directions import Direction, Seen

_LAST = T + 2
_LABEL, _VECTORS = "sharpness.hessian.rows", "sharpness.hessian.vectors"


class Row:
    """One row along a direction, whose attention 1 moves.

    Attributes:
        along: The direction.
        name: Of its case.
        length: How far it moves along the vector.
        attention: Its weights in layer 1.
        average: The average s of bits that it sees.
        keys: W1 x, x the row's own token, by channels.
        read: V1 along the vector.
        data: The vector's entry of the data.
    """

    def __init__(self, along: Along, name: str, of: Callable[[Direction], Seen]) -> None:
        self.along, self.name = along, f"{along.name}-{name}"
        number, vector = along.number, along.vector
        self.length = number(f"move of the {name} row", r"\epsilon", lambda d: of(d).length)
        self.attention = vector(f"attention of the {name} row in layer 1", "A", T + 1, lambda d: of(d).attention,
                                Reals(0, 1 / D))  # fmt: skip
        self.average = vector(f"average of bits of the {name} row", "s", 1, lambda d: of(d).average, Reals(0, 1))
        self.keys = vector(f"W1 x of the {name} row", "k", _LAST, lambda d: of(d).keys)
        self.read = vector(f"V1 along a unit vector, {name} row", r"\nu", _LAST, lambda d: of(d).read)
        self.data = vector(f"data in that vector, {name} row", "e", 1, lambda d: of(d).data, Reals(-1, 1))

    @property
    def moving(self) -> sp.Expr:
        """|W1|² + |V1|²."""
        return self.along.share("W1").atom + self.along.share("V1").atom

    @property
    def seen(self) -> sp.Expr:
        """s, the average of bits that it sees."""
        return self.average[1]

    def about(self, t: sp.Symbol) -> sp.Expr:
        """A (z - s), of a key."""
        return self.attention[t] * (BITS[self.along.network][t] - self.seen)

    @property
    def by_keys(self) -> sp.Expr:
        """Σ A (z - s) xᵀ W1 x."""
        return total(self.about(t) * self.keys[t]) + self.seen * (1 - self.seen) * self.keys[_LAST]

    @property
    def by_values(self) -> sp.Expr:
        """Σ A xᵀ V1."""
        return total(self.attention[t] * self.read[t]) + self.seen * self.read[_LAST]


def most_moved(d: Direction) -> Seen:
    """The row that no component uses whose average of bits is moved most."""
    return d.seen(d.farthest, d.towards_data(d.farthest_move.sign()))


def one(d: Direction) -> Tensor:
    """A one for each network, shape (B, 1)."""
    return d.rows.z.new_ones(len(d.rows.z), 1)


FARTHEST = {which: Row(COVARIANCE[which], "farthest", most_moved) for which in NETWORKS if which != "ideal"}
VALUES = {
    which: Row(Along("values", which), "largest", lambda d: d.seen(d.largest, d.along_largest)) for which in NETWORKS
}
"""Where values change most, along their own move."""
BENT = {
    which: Row(VALUES[which].along, "most bent", lambda d: d.seen(d.most_bent, d.towards_data(one(d))))
    for which in FARTHEST
}
LOGITS = {which: Along("logits", which) for which in NETWORKS}


def _logits(name: str, of: Callable[[Direction], Tensor], networks: Iterable[str] = NETWORKS) -> dict[str, Row]:
    """A row of the directions in which logits change most in second order, along its move of bits."""

    def seen(d: Direction) -> Seen:
        row = of(d)
        return d.seen(row, d.towards_data(d.moved.take_along_dim(row, -1).sign()))

    return {which: Row(LOGITS[which], name, seen) for which in networks}


FIRST = _logits("first", lambda d: d.logit_ends[:, :1])
SECOND = _logits("second", lambda d: d.logit_ends[:, 1:])
OUTPUT = _logits("output", lambda d: torch.full_like(d.farthest, d.rows.z.shape[-1] - 1))
UNUSED = _logits("unused", lambda d: d.farthest, FARTHEST)
_ROWS = tuple(
    row for found in (FARTHEST, VALUES, BENT, FIRST, SECOND, OUTPUT, UNUSED) for row in found.values()
)  # fmt: skip

_axiom = functools.partial(claim, role="axiom", relation="=", domain=ANY, expected="supported")
_lemma = functools.partial(claim, domain=ANY, expected="proved")


def _cases(case: Callable[[Row], Case]) -> tuple[Case, ...]:
    return tuple(case(row) for row in _ROWS)


length = _axiom(
    label=f"{_LABEL}.length",
    statement="W1 and V1 move a row's average of tokens, along a unit vector e of channels, by e_data Σ A (z - s) xᵀ "
    "W1 x_t + Σ A xᵀ V1 e with A its attention, z bits and s = Σ A z: the chain rule, written out.",
    cases=_cases(lambda row: Case(
        row.name, left=row.length, right=lambda: row.data[1] * row.by_keys + row.by_values
    )),
)  # fmt: skip
attention = _axiom(
    label=f"{_LABEL}.attention",
    statement="The attention of a row in layer 1 adds up to one: a softmax.",
    right=1,
    cases=_cases(lambda row: Case(row.name, left=lambda: total(row.attention[t]))),
)
seen = _axiom(
    label=f"{_LABEL}.seen",
    statement="A row averages bits by its attention in layer 1.",
    cases=_cases(lambda row: Case(
        row.name, left=lambda: row.seen, right=lambda: total(row.attention[t] * BITS[row.along.network][t])
    )),
)  # fmt: skip
keyed = _axiom(
    label=f"{_LABEL}.keyed",
    statement="W1 x has at most twice the squared length of W1, x a position and a bit: Cauchy-Schwarz, row by row.",
    relation="<=",
    cases=_cases(lambda row: Case(
        row.name, left=lambda: _squares(row.keys), right=lambda: 2 * row.along.share("W1").atom
    )),
)  # fmt: skip
read = _axiom(
    label=f"{_LABEL}.read",
    statement="Along a unit vector V1 has at most its squared length: Cauchy-Schwarz, row by row.",
    relation="<=",
    cases=_cases(lambda row: Case(row.name, left=lambda: _squares(row.read), right=row.along.share("V1"))),
)


def _squares(column: object) -> sp.Expr:
    return total(column[t] ** 2) + column[_LAST] ** 2  # type: ignore[index]


_THIRDS: dict[str, Point] = {
    "one and two of three bits": {"T": 5, "D": 3, "omega": 2, "u": 1, "c": (0.8, 0.5), "S": ((1, 2, 3), (3, 4, 5)),
                                  "x_n": 19},
}  # fmt: skip
"""Where no row of the ideal network sees bits that are all alike."""


def _stated(row: Row, name: str, *steps: Step) -> Case:
    samples = _THIRDS if row.along.which == "ideal" else FLANKED
    return stated(f"{_LABEL}.{name}", row.name, *steps, samples=samples)


def _varied(row: Row) -> Case:
    s, of = row.seen, {"n_av": T + 1, "a_av": row.attention}
    about = total(row.attention[t] * (BITS[row.along.network][t] - s) ** 2)
    known = f"{attention.label}[{row.name}]", f"{seen.label}[{row.name}]"
    return _stated(
        row, "varied",
        Step(total(row.about(t) ** 2), "Σ A² (z - s)²"),
        Step(about / D, "Σ A (z - s)²/D", "A ≤ 1/D", Instance(
            f"{_VECTORS}.thin", {**of, "g_av": lambda t: (BITS[row.along.network][t] - s) ** 2, "p_ve": 1 / D},
        )),
        Step(s * (1 - s) / D, "s (1-s)/D", "bits", (*known, Instance(
            "sharpness.averages.variance", {**of, "g_av": BITS[row.along.network], "m_av": s},
        ))),
    )  # fmt: skip


def _keys_size(row: Row) -> sp.Expr:
    s = row.seen
    return s * (1 - s) / D + s**2 * (1 - s) ** 2


def _values_size(row: Row) -> sp.Expr:
    return 1 / D + row.seen**2


def _by_keys(row: Row) -> Case:
    s, about, last = row.seen, total(row.about(t) ** 2), row.keys[_LAST]
    keys, size, w1 = total(row.keys[t] ** 2), _keys_size(row), row.along.share("W1").atom
    return _stated(
        row, "by-keys",
        Step(row.by_keys**2, "by W1"),
        Step(size * _squares(row.keys), "Cauchy-Schwarz", "key by key", (
            Instance(f"{_VECTORS}.cauchy", {"n_av": T + 1, "x_ve": row.about, "y_ve": row.keys}),
            f"{_LABEL}.varied[{row.name}]", scaled(keys, about, s * (1 - s) / D),
            both(total(row.about(t) * row.keys[t]), s * (1 - s) / D, keys, s * (1 - s) * last, s**2 * (1 - s) ** 2,
                  last**2),
        )),
        Step(2 * size * w1, "2 |W1|²", "channel by channel",
             (f"{keyed.label}[{row.name}]", scaled(size, _squares(row.keys), 2 * w1))),
    )  # fmt: skip


def _by_values(row: Row) -> Case:
    s, last, v1 = row.seen, row.read[_LAST], row.along.share("V1").atom
    weights = total(row.attention[t] ** 2)
    return _stated(
        row, "by-values",
        Step(row.by_values**2, "by V1"),
        Step((weights + s**2) * _squares(row.read), "Cauchy-Schwarz", "channel by channel", (
            Instance(f"{_VECTORS}.cauchy", {"n_av": T + 1, "x_ve": row.attention, "y_ve": row.read}),
            both(total(row.attention[t] * row.read[t]), weights, total(row.read[t] ** 2), s * last, s**2, last**2),
        )),
        Step((weights + s**2) * v1, "|V1|²", "", (
            f"{read.label}[{row.name}]", scaled(weights + s**2, _squares(row.read), v1),
        )),
        Step(_values_size(row) * v1, "1/D + s²", "A ≤ 1/D", (
            f"{attention.label}[{row.name}]",
            Instance(f"{_VECTORS}.thin", {
                "n_av": T + 1, "a_av": row.attention, "g_av": lambda t: sp.S.One, "p_ve": 1 / D,
            }),
            scaled(v1, weights + s**2, _values_size(row)),
        )),
    )  # fmt: skip


def _moved(row: Row) -> Case:
    w1, v1 = row.along.share("W1").atom, row.along.share("V1").atom
    keys, by_keys, values = 2 * _keys_size(row), row.data[1] * row.by_keys, row.by_values
    return _stated(
        row, "moved",
        Step(row.length.atom**2, "ε²"),
        Step((by_keys + values) ** 2, "by W1 and V1", "chain rule", (
            f"{length.label}[{row.name}]",
            Instance("sharpness.averages.squared", {"e_av": row.length.atom, "x_av": by_keys + values}),
        )),
        Step((keys + _values_size(row)) * (w1 + v1), "by lengths", "Cauchy-Schwarz", (
            Instance(f"{_VECTORS}.bent", {"g_ve": row.seen, "a_ve": D}),
            f"{_LABEL}.by-keys[{row.name}]", f"{_LABEL}.by-values[{row.name}]",
            Instance(f"{_VECTORS}.shrunk", {"c_ve": row.data[1], "a_ve": row.by_keys, "p_ve": keys * w1}),
            both(by_keys, keys, w1, values, _values_size(row), v1),
        )),
        Step(TOKEN_BOUND * row.moving, "Z²", "no weight beyond 1/D", (
            Instance("sharpness.hessian.lemmas.token", {"s_av": row.seen}),
            scaled(row.moving, keys + _values_size(row), TOKEN_BOUND),
        )),
    )  # fmt: skip


varied = _lemma(
    label=f"{_LABEL}.varied",
    statement="Σ A² (z - s)² is at most s (1-s)/D where s = Σ A z, no weight A of layer 1 exceeds 1/D and z are bits.",
    cases=_cases(_varied),
)
by_keys, by_values = (
    _lemma(
        label=f"{_LABEL}.{name}",
        statement=f"What {block} moves a row's average of tokens by, s of bits, is in squares at most {size} times its "
        "squared length.",
        cases=_cases(case),
    )
    for name, block, size, case in (
        ("by-keys", "W1", "2 (s(1-s)/D + s²(1-s)²)", _by_keys), ("by-values", "V1", "1/D + s²", _by_values),
    )
)  # fmt: skip
moved = _lemma(
    label=f"{_LABEL}.moved",
    statement="W1 and V1 move a row's average of tokens in squares by at most Z² = 1 + 65/(64 D) times their squared "
    "length.",
    cases=_cases(_moved),
)

# --- rows that no component uses, and units that are on ---------------------------------------------


def idle_mass(network: str) -> sp.Expr:
    """Attention of layer 2 to the rows that no component uses."""
    return total(ATTENTION[network][t] * IDLE[network][t])


unused = _axiom(
    label=f"{_LABEL}.unused",
    statement="T+1-ω rows are used by no component.",
    left=lambda: total(IDLE["finite"][t]),
    right=INACTIVE,
)
idle = _axiom(
    label=f"{_LABEL}.idle",
    statement="The attention of layer 2 to the N = T+1-ω rows that no component uses is N of C T² + N.",
    left=lambda: idle_mass("finite") * (SUM * T**2 + INACTIVE),
    right=INACTIVE,
)
_LEAK = stated(
    f"{_LABEL}.leak", "finite",
    Step(SUM * idle_mass("finite"), "C times the attention to unused rows"),
    Step(1 / T, "1/T", "N/(C T² + N)", (
        idle.label, unused.label,
        Instance(f"{_VECTORS}.leaked", {"c_ve": SUM, "e_ve": idle_mass("finite"), "a_ve": T, "n_ve": INACTIVE}),
    )),
)  # fmt: skip
leak = _lemma(
    label=f"{_LABEL}.leak",
    statement="C times the attention of layer 2 to unused rows is at most 1/T.",
    **_LEAK.changes,
)


def gates(network: str) -> sp.Expr:
    """Σ φ², φ the output weights of units that are on at one."""
    return units_total(WEIGHTS[network][j] ** 2)


def passing(network: str) -> sp.Expr:
    """Those of units that are off at zero."""
    return units_total(WEIGHTS[network][j] ** 2 * OFF_AT_ZERO[network][j] ** 2)


def _written(name: str, what: str, left: Callable[[str], sp.Expr], right: Any) -> Claim:
    return _axiom(
        label=f"{_LABEL}.{name}", statement=f"{what}, each as it is written down.", right=right,
        cases=tuple(Case(network, left=lambda network=network: left(network)) for network in SCALES),
    )  # fmt: skip


weights = _written("weights", "The squared output weights of hidden units that are on at one", gates, live_by_units)
passed = _written(
    "passed", "Those of hidden units that are on at one and off at zero", passing, rise_by_units
)  # fmt: skip
counted = _written(
    "counted", "The number of hidden units that are on at one", lambda n: units_total(AT_ONE[n][j] ** 2), count_by_units
)
_SIZES = {
    "gates": ("The squared output weights of hidden units that are on at one add up to at most 32 D²(D+1)/u².", gates,
              GATES, "sharpness.hessian.rows.weights", "sharpness.gradients.live"),
    "counted": ("At most 4D+2 hidden units are on at one.", lambda n: units_total(AT_ONE[n][j] ** 2), UNITS_ON,
                "sharpness.hessian.rows.counted", "sharpness.hessian.gates.units.closed-form"),
    "tops": ("The squares of hidden units at one add up to at most L².", lambda n: units_total(TOP[n][j] ** 2), LENGTH,
             "sharpness.gradients.rows.top", "sharpness.activations.hidden.length.closed-form"),
    "passing": ("The squared output weights of units that are on at one and off at zero add up to at most 32 D³/u².",
                passing, PASSED, "sharpness.hessian.rows.passed", "sharpness.hessian.gates.rise.closed-form"),
    "rises": ("The squares of what hidden units rise by from zero to one add up to at most Δ.",
              lambda n: units_total(RISE[n][j] ** 2), SPREAD, "sharpness.gradients.rows.rise",
              "sharpness.activations.hidden.spread.closed-form"),
}  # fmt: skip


def _closed(name: str) -> Claim:
    told, size, closed, axiom, counted = _SIZES[name]
    return _lemma(
        label=f"{_LABEL}.closed.{name}", statement=told,
        cases=tuple(stated(
            f"{_LABEL}.closed.{name}", network,
            Step(size(network), "unit by unit"),
            Step(closed, "closed form", "as written down", (f"{axiom}[{network}]", counted)),
        ) for network in SCALES),
    )  # fmt: skip


closed = tuple(_closed(name) for name in _SIZES)
