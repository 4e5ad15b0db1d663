"""Theorem 18: the part 2 Cov(v', l') of the Hessian, along the direction in which it is largest."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, IDLE, RISE, SLOPES, total, units_total
from boundaudit.checks.sharpness.hessian.directions import (
    COVARIANCE,
    FARTHEST,
    RANGE,
    Moves,
    half,
    moved,
    own_bound,
    reach_squared,
    risen_at,
    rises,
    share,
)
from boundaudit.checks.sharpness.hessian.lemmas import MASS, leak
from boundaudit.checks.sharpness.hessian.shared import VECTORS, axiom, both, lemma, norm_of, stated, weighted
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.gradients import live_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND, rise_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSED
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, j, t
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
    right=live_by_units, cases=cases(lambda which, found: Case(which, left=lambda: _gates(found))),
)  # fmt: skip
passed = axiom(
    label=f"{LABEL}.passed",
    statement="Those of hidden units that are on at one and off at zero, each as it is written down.",
    right=rise_by_units, cases=cases(lambda which, found: Case(which, left=lambda: _passing(found))),
)  # fmt: skip


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


# --- the norm of 2 Cov(v', l'), from its leading direction to a closed form -----------------------

_STEEPEST = SUM * SLOPE


def _turn(of: Moves) -> Callable[[sp.Symbol], sp.Expr]:
    """Q - Σ a q, row by row."""
    a, q = ATTENTION[of.network], of.share
    return lambda t: q[t] - total(a[t] * q[t])


def _idle_covaried(found: Values) -> sp.Expr:
    """Σ a ι η (q - Σ a q): of rows that no component uses, which alone lie on flanks."""
    return total(ATTENTION[found.of.network][t] * IDLE[t] * found.moves[t] * _turn(found.of)(t))


def _worth_covaried(found: Values) -> sp.Expr:
    """C λ k times that: what a move of an unused row's average of bits is worth."""
    return _STEEPEST * SLOPES[found.of.network][_ROWS] * _idle_covaried(found)


def _through_idle(which: str, found: Values) -> Case:
    a, about = ATTENTION[found.of.network], _turn(found.of)
    spread, own = total(a[t] * about(t) ** 2), _idle_covaried(found) ** 2
    squares = total(a[t] * IDLE[t] ** 2 * found.moves[t] ** 2)
    scale, slope = _STEEPEST**2, SLOPES[found.of.network][_ROWS]
    return stated(
        f"{LABEL}.idle-covariance", which,
        Step(_worth_covaried(found) ** 2, "(C λ k)² Cov(ι η, q)²"),
        Step(scale * own, "k ≤ 1", "", (
            Instance("sharpness.averages.below-one", {"m_av": slope}), weighted(scale * own, slope**2, sp.S.One),
        )),
        Step(scale * (squares * spread), "Cauchy-Schwarz", "weighed by attention", (
            Instance(f"{VECTORS}.cauchy", {
                "n_av": _ROWS, "x_ve": lambda t: sp.sqrt(a[t]) * (IDLE[t] * found.moves[t]),
                "y_ve": lambda t: sp.sqrt(a[t]) * about(t),
            }),
            weighted(scale, own, squares * spread),
        )),
        Step(scale * (squares / 4), "a variance", "of numbers from 0 to 1", (
            f"{ROWS_OF}.weights[{found.of.network}]",
            Instance(f"{VECTORS}.varied", {"n_av": _ROWS, "a_av": a, "q_av": found.of.share}),
            weighted(scale * squares, spread, sp.Rational(1, 4)),
        )),
        Step(scale * (MASS / 4), "attention to unused rows", "η between -1 and 1", (
            Instance(f"{VECTORS}.within", {"g_ve": IDLE[t], "c_ve": found.moves[t]}, over=(t, 1, _ROWS),
                     weight=a[t]),
            weighted(scale / 4, squares, MASS),
        )),
    )  # fmt: skip


idle_covariance = lemma(
    label=f"{LABEL}.idle-covariance",
    statement="What unused rows alone move covaries with how far the changes of logits lie from the least to the most "
    "in squares by at most a quarter of the attention to those rows, times (C λ)², λ the steepest slope.",
    cases=cases(_through_idle),
)


def _flat_covariance(found: Values) -> sp.Expr:
    """Σ a y (q - Σ a q)."""
    return total(ATTENTION[found.of.network][t] * found.level[t] * _turn(found.of)(t))


def _covaried(found: Values) -> sp.Expr:
    return found.reach.atom * _flat_covariance(found) + FARTHEST[found.of.which].move * _worth_covaried(found)


form = axiom(
    label=f"{LABEL}.form",
    statement="The operator norm of the part 2 Cov(v', l') is what its form is along the direction in which it is "
    "largest: 2 r |Σ a (S y + n)(q - Σ a q)|, q and y how far the changes of logits and the flat changes of values lie "
    "from the least to the most, r and S apart, and n what unused rows on flanks add; components rest on plateaus.",
    cases=cases(lambda which, found: Case(
        which, left=norm_of("covariance", which), right=lambda: 2 * found.of.reach.atom * sp.Abs(_covaried(found))
    )),
)  # fmt: skip


def _rest(found: Values) -> sp.Expr:
    return flat_share(found) + share(FARTHEST[found.of.which])


unit = axiom(
    label=f"{LABEL}.unit", relation="<=",
    statement="The squared lengths of parts and entries of a direction of unit length add up to at most one.",
    right=1, cases=cases(lambda which, found: Case(which, left=lambda: half(found.of) + _rest(found))),
)  # fmt: skip


def _size(found: Values) -> sp.Expr:
    """(C² (A + B + Δ) + 3)/16 + Z² (C λ)² leak/4."""
    return spread_squared(found) / 16 + _STEEPEST**2 * (MASS / 4) * TOKEN_BOUND


def _left(which: str, found: Values) -> Case:
    network, size, moving = found.of.network, _size(found), half(found.of)
    reach, cov = found.reach.atom, _flat_covariance(found)
    row = FARTHEST[which]
    known = (
        f"{ROWS_OF}.weights[{network}]", f"{LABEL}.spread[{which}]", Instance(f"{VECTORS}.covaried", {
            "n_av": _ROWS, "a_av": ATTENTION[network], "g_av": found.level, "q_av": found.of.share,
        }),
        f"{moved.label}[{row.name}]", f"{LABEL}.idle-covariance[{which}]", Instance(f"{VECTORS}.bounded", {
            "a_ve": reach, "p_ve": spread_squared(found), "e_ve": flat_share(found), "s_ve": cov,
            "g_ve": sp.Rational(1, 16), "b_ve": row.move, "q_ve": TOKEN_BOUND, "f_ve": share(row),
            "t_ve": _worth_covaried(found), "h_ve": _STEEPEST**2 * (MASS / 4),
        }),
    )  # fmt: skip
    return stated(
        f"{LABEL}.left", which,
        Step(_covaried(found) ** 2, "(Σ a (S y + n)(q - Σ a q))²"),
        Step(size * _rest(found), "by lengths", "flat changes, and unused rows", known),
        Step(size * (1 - moving), "what the logits' share leaves", "at unit length",
             (f"{unit.label}[{which}]", weighted(size, _rest(found), 1 - moving))),
    )  # fmt: skip


left = lemma(
    label=f"{LABEL}.left",
    statement="That covariance is in squares at most ((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused "
    "rows)/4 times what the squared length of what moves logits leaves of one.",
    cases=cases(_left),
)


def _gathered(which: str, found: Values) -> Case:
    of, covaried = found.of, _covaried(found)
    parts = {
        "a_ve": of.reach.atom, "p_ve": reach_squared(of), "e_ve": half(of), "b_ve": covaried, "q_ve": _size(found),
    }  # fmt: skip
    return stated(
        f"{LABEL}.gathered", which,
        Step((2 * of.reach.atom * covaried) ** 2, "(2 r Cov)²"),
        Step(reach_squared(of) * _size(found), "R² times a size", "two shares of a unit direction", (
            f"sharpness.hessian.directions.reach[{of.name}]", f"{LABEL}.left[{which}]",
            Instance(f"{VECTORS}.crossed", parts),
        )),
    )  # fmt: skip


gathered = lemma(
    label=f"{LABEL}.gathered",
    statement="2 r |Cov|, r the reach of the logits' changes, is in squares at most R² times "
    "((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused rows)/4.",
    cases=cases(_gathered),
)


# --- in closed form --------------------------------------------------------------------------------

_FLAT = SUM**2 * (GATES + PASSED + SPREAD) + 3
_CLOSED = _FLAT + 4 * TOKEN_BOUND * SLOPE**2 * SUM / T


def _through_closed(which: str, found: Values) -> Case:
    own = _size(found) - spread_squared(found) / 16
    start = Step(_size(found), "summed")
    flat = Step(_FLAT / 16 + own, "over hidden units", "as written down", (
        f"{LABEL}.units[{which}]", weighted(SUM**2 / 16, unit_sums(found), GATES + PASSED + SPREAD),
    ))  # fmt: skip
    uses = (leak.label, weighted(TOKEN_BOUND * SLOPE**2 * SUM / 4, SUM * MASS, 1 / T))
    return stated(f"{LABEL}.size", which, start, flat, Step(_CLOSED / 16, "with the leak", "C leak ≤ 1/T", uses))


size = lemma(
    label=f"{LABEL}.size",
    statement="((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused rows)/4 is at most "
    "(C² (A + B + Δ) + 3 + 4 Z² λ² C/T)/16 with A = 32 D²(D+1)/u², B = 32 D³/u² and Δ in closed form.",
    cases=cases(_through_closed),
)


def _reach_closed(which: str, found: Values) -> Case:
    of = found.of
    return stated(
        f"{LABEL}.reach", which, Step(reach_squared(of), "R², summed"),
        Step(KEYS * SPREAD + RANGE.atom ** 2 * LENGTH + 6, "R²", "as written down", (
            f"{ROWS_OF}.rise[{of.network}]", "sharpness.activations.hidden.spread.closed-form",
            f"{ROWS_OF}.top[{of.network}]", "sharpness.activations.hidden.length.closed-form",
            f"{ROWS_OF}.keys[{of.network}]",
        )),
    )  # fmt: skip


reach = lemma(
    label=f"{LABEL}.reach",
    statement="R² = |w2|² Δ + ρ² L² + 6, with Δ and L² in closed form.",
    cases=cases(_reach_closed, "one-column"),
)


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound."""
    found = VALUES[which]
    of, covaried = found.of, _covaried(found)
    alone = which == "one-column"
    closed = sp.Integer(6) if alone else KEYS * SPREAD + RANGE.atom**2 * LENGTH + 6
    parts = {
        "a_ve": of.reach.atom, "b_ve": covaried, "p_ve": reach_squared(of), "q_ve": _size(found), "e_ve": closed,
        "f_ve": _CLOSED,
    }  # fmt: skip
    return (
        Step(norm_of("covariance", which), "‖2 Cov(v', l')‖"),
        Step(2 * of.reach.atom * sp.Abs(covaried), "along its leading direction", "an operator norm is attained",
             f"{form.label}[{which}]"),
        Step(own_bound("covariance", which), "two standard deviations", "half of each range", (
            f"{LABEL}.gathered[{which}]", f"{LABEL}.size[{which}]",
            *(() if alone else (f"{LABEL}.reach[{which}]",)), Instance(f"{VECTORS}.roots", parts),
        )),
    )  # fmt: skip
