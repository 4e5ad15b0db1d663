"""How values change along that direction, and by how much their flat changes differ in two rows."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import RISE, units_total
from boundaudit.checks.sharpness.hessian.directions import COVARIANCE, Moves, risen_at, rises
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, both, lemma, stated
from boundaudit.derivations.sharpness.activations import SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.gradients import live_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, rise_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSED
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T, j
from boundaudit.numeric.sharpness.hessian_directions import Direction, levels, over

LABEL, ROWS_OF = "sharpness.hessian.covariance", "sharpness.gradients.rows"
_ROWS, _UNIT = T + 1, Reals(0, 1)


class _Values:
    """How values change along the direction; each attribute names itself."""

    def __init__(self, of: Moves) -> None:
        self.of = of
        self.reach = of.number("reach of the values' flat changes", "S", lambda d: _spread(d))
        self.level = of.vector("part of their range that values' flat changes have made", "y", _ROWS,
                               lambda d: levels(d.flat, d.rows.a > 0), _UNIT)  # fmt: skip
        two = functools.partial(of.vector, entries=_UNIT)
        self.risen = two("part of its rise that a unit of two rows of values has made", "z", (2, UNITS),
                         lambda d: risen_at(d, d.value_ends))  # fmt: skip
        self.seen = two("bits seen by two rows of values", "s", 2, lambda d: d.rows.s.take_along_dim(d.value_ends, -1))
        self.outputs = two("outputs of two rows of values", "g", 2,
                           lambda d: d.rows.g.take_along_dim(d.value_ends, -1))  # fmt: skip
        self.off = two("units that are off in two rows of values", "o", (2, UNITS), _off)
        self.weights = of.vector("output weights of units on at one", r"\phi", UNITS, _weights)
        self.passed = of.vector("units that are off at zero", r"\pi", UNITS, _passed, _UNIT)
        self.inputs = of.vector("M's direction", "M_d", UNITS, lambda d: d.along.M[:, -1])
        self.biases = of.vector("Gamma's direction", r"\Gamma", UNITS, lambda d: d.along.Gamma)
        self.written = of.vector("F's direction into the data", "F_d", UNITS, lambda d: d.along.F[..., -1])
        self.entries = of.vector("entries of V2's direction", "V_2", 3, lambda d: d.value_entries)
        self.moves = of.vector("moves of unused rows over the farthest", r"\eta", _ROWS, _moves, Reals(-1, 1))


def _spread(d: Direction) -> Tensor:
    most, least = d.flat.take_along_dim(d.value_ends, -1).unbind(-1)
    return most - least


def _weights(d: Direction) -> Tensor:
    return d.rows.units.output.where(d.rows.units.real & (1 + d.rows.units.bias > 0), 0.0)


def _passed(d: Direction) -> Tensor:
    return (d.rows.units.bias <= 0).double()


def _off(d: Direction) -> Tensor:
    return 1 - d.rows.on.take_along_dim(d.value_ends[..., None], 1)


def _moves(d: Direction) -> Tensor:
    return over(d.moved, d.farthest, d.idle) * d.rows.slope.sign()


VALUES = {which: _Values(of) for which, of in COVARIANCE.items()}
Values = _Values
"""What one network's values do."""


def cases(case: Callable[[str, Values], Case], *without: str) -> tuple[Case, ...]:
    """A case for each network."""
    return tuple(case(which, found) for which, found in VALUES.items() if which not in without)


def _on(found: Values, n: int) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda j: 1 - found.passed[j] * found.off[n, j]


def _by_inputs(found: Values) -> sp.Expr:
    (one, other), s = (_on(found, n) for n in (1, 2)), found.seen
    return units_total(found.weights[j] * (one(j) * s[1] - other(j) * s[2]) * found.inputs[j])


def _by_biases(found: Values) -> sp.Expr:
    return units_total(found.weights[j] * found.passed[j] * (found.off[2, j] - found.off[1, j]) * found.biases[j])


def _by_written(found: Values) -> sp.Expr:
    return units_total(RISE[found.of.network][j] * (found.risen[1, j] - found.risen[2, j]) * found.written[j])


def _by_hidden(found: Values) -> sp.Expr:
    return _by_inputs(found) + _by_biases(found) + _by_written(found)


def _by_read(found: Values) -> sp.Expr:
    v, g = found.entries, found.outputs
    return v[1] - v[2] + (g[1] - g[2]) * v[3]


def _flat_moves(found: Values) -> sp.Expr:
    return SUM * _by_hidden(found) + _by_read(found)


flat = axiom(
    label=f"{LABEL}.flat",
    statement="Along that direction the flat changes of two rows' values, the most and the least, are "
    "C ((φ on - φ on')·Gamma + (φ on s - φ on' s')·M_d + (h - h')·F_d) + (x - x')·V2 apart: the chain rule.",
    cases=cases(lambda which, found: Case(which, left=found.reach, right=lambda: _flat_moves(found))),
)


def _gates(found: Values) -> sp.Expr:
    return units_total(found.weights[j] ** 2)


def _passing(found: Values) -> sp.Expr:
    return units_total(found.weights[j] ** 2 * found.passed[j] ** 2)


weights = axiom(
    label=f"{LABEL}.weights",
    statement="The squared output weights of hidden units that are on at one, φ of the covariance, as written down.",
    right=live_by_units,
    cases=cases(lambda which, found: Case(which, left=lambda: _gates(found))),
)
passed = axiom(
    label=f"{LABEL}.passed",
    statement="Those of hidden units that are on at one and off at zero, each as it is written down.",
    right=rise_by_units,
    cases=cases(lambda which, found: Case(which, left=lambda: _passing(found))),
)


def _squares(moves: Family) -> sp.Expr:
    return units_total(moves[j] ** 2)


def _hidden_share(found: Values) -> sp.Expr:
    return _squares(found.inputs) + _squares(found.biases) + _squares(found.written)


def flat_share(found: Values) -> sp.Expr:
    """The squared length of what moves the flat parts of values."""
    return _hidden_share(found) + sp.Add(*(found.entries[n] ** 2 for n in (1, 2, 3)))


def unit_sums(found: Values) -> sp.Expr:
    """A + B + Δ, summed over units."""
    return _gates(found) + _passing(found) + rises(found.of)


def spread_squared(found: Values) -> sp.Expr:
    """C² (A + B + Δ) + 3, summed over units."""
    return SUM**2 * unit_sums(found) + 3


def _through_all(which: str, found: Values) -> Case:
    v, g, network, share = found.entries, found.outputs, found.of.network, flat_share(found)
    (one, other), s, off, risen = (_on(found, n) for n in (1, 2)), found.seen, found.off, found.risen
    gates, rise, by_gates = _gates(found) + _passing(found), rises(found.of), _by_inputs(found) + _by_biases(found)
    return stated(
        f"{LABEL}.spread", which,
        Step(found.reach.atom**2, "S²"),
        Step(_flat_moves(found) ** 2, "part by part", "chain rule", (
            f"{flat.label}[{which}]",
            Instance("sharpness.averages.squared", {"e_av": found.reach.atom, "x_av": _flat_moves(found)}),
        )),
        Step(spread_squared(found) * share, "by lengths", "Cauchy-Schwarz", (
            Instance(f"{VECTORS}.gated", {
                "n_av": UNITS, "x_ve": found.weights, "q_av": lambda j: one(j) * s[1] - other(j) * s[2],
                "y_ve": found.inputs, "w_ve": lambda j: found.weights[j] * found.passed[j],
                "g_av": lambda j: off[2, j] - off[1, j], "z_ve": found.biases,
            }),
            Instance(f"{VECTORS}.seen", {
                "n_av": UNITS, "x_ve": RISE[network], "q_av": lambda j: risen[1, j] - risen[2, j],
                "y_ve": found.written,
            }),
            Instance(f"{VECTORS}.three", {"a_ve": v[1], "b_ve": v[2], "c_ve": v[3], "g_ve": g[1], "h_ve": g[2]}),
            both(by_gates, gates, _squares(found.inputs) + _squares(found.biases), _by_written(found), rise,
                 _squares(found.written)),
            both(_by_hidden(found), unit_sums(found), _hidden_share(found), _by_read(found), sp.Integer(3),
                 share - _hidden_share(found), SUM, sp.S.One),
        )),
    )  # fmt: skip


spread = lemma(
    label=f"{LABEL}.spread",
    statement="Flat changes of two rows' values differ in squares by at most C² (A + B + Δ) + 3 times the squared "
    "length of what moves values, A and B the squared output weights of units that are on at one, and of those "
    "that are off at zero, Δ = |h(1) - h(0)|².",
    cases=cases(_through_all),
)


def _through_units(which: str, found: Values) -> Case:
    passing, rising = _passing(found), rises(found.of)
    return stated(
        f"{LABEL}.units", which, Step(unit_sums(found), "summed"),
        Step(GATES + passing + rising, "A", "on at one", (f"{LABEL}.weights[{which}]", "sharpness.gradients.live")),
        Step(GATES + PASSED + rising, "B", "off at zero",
             (f"{LABEL}.passed[{which}]", "sharpness.hessian.gates.rise.closed-form")),
        Step(GATES + PASSED + SPREAD, "Δ", "rises", (
            f"{ROWS_OF}.rise[{found.of.network}]", "sharpness.activations.hidden.spread.closed-form",
        )),
    )  # fmt: skip


units = lemma(
    label=f"{LABEL}.units",
    statement="The squared output weights of hidden units that are on at one, those of them that are off at zero once "
    "more, and the squared rises from zero to one add up to 32 D²(D+1)/u² + 32 D³/u² + Δ.",
    cases=cases(_through_units),
)
