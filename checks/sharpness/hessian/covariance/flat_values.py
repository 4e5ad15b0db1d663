"""By how much the flat changes of two rows' values differ along that direction."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import RISE, units_total
from boundaudit.checks.sharpness.hessian.covariance.values import (
    LABEL,
    ROWS_OF,
    Values,
    cases,
)
from boundaudit.checks.sharpness.hessian.directions import rises, unit_by_unit
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, both, lemma, stated
from boundaudit.derivations.sharpness.activations import SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.gradients import live_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, rise_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSED
from boundaudit.derivations.sharpness.parameters import j


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


def _read_share(found: Values) -> sp.Expr:
    return sp.Add(*(found.entries[n] ** 2 for n in (1, 2, 3)))


def _hidden_share(found: Values) -> sp.Expr:
    return _squares(found.inputs) + _squares(found.biases) + _squares(found.written)


def flat_share(found: Values) -> sp.Expr:
    """The squared length of what moves the flat parts of values."""
    return _hidden_share(found) + _read_share(found)


def unit_sums(found: Values) -> sp.Expr:
    """A + B + Δ, summed over units."""
    return _gates(found) + _passing(found) + rises(found.of)


def spread_squared(found: Values) -> sp.Expr:
    """C² (A + B + Δ) + 3, summed over units."""
    return SUM**2 * unit_sums(found) + 3


def _through_inputs(which: str, found: Values) -> Case:
    (one, other), s = (_on(found, n) for n in (1, 2)), found.seen
    return stated(
        f"{LABEL}.inputs", which, Step(_by_inputs(found) ** 2, "by M"), *unit_by_unit(
            lambda j: found.weights[j], lambda j: one(j) * s[1], lambda j: other(j) * s[2], found.inputs,
            Step(_gates(found) * _squares(found.inputs), "Σ φ²", "averages are at most one"),
        ),
    )  # fmt: skip


def _through_biases(which: str, found: Values) -> Case:
    off = found.off
    return stated(
        f"{LABEL}.biases", which, Step(_by_biases(found) ** 2, "by Gamma"), *unit_by_unit(
            lambda j: found.weights[j] * found.passed[j], lambda j: off[2, j], lambda j: off[1, j], found.biases,
            Step(_passing(found) * _squares(found.biases), "Σ π φ²", "units on in one row alone"),
        ),
    )  # fmt: skip


def _through_gates(which: str, found: Values) -> Case:
    m, gamma = _by_inputs(found), _by_biases(found)
    return stated(
        f"{LABEL}.gates", which,
        Step((m + gamma) ** 2, "by M and Gamma"),
        Step((_gates(found) + _passing(found)) * (_squares(found.inputs) + _squares(found.biases)), "both", "", (
            f"{LABEL}.inputs[{which}]", f"{LABEL}.biases[{which}]",
            both(m, _gates(found), _squares(found.inputs), gamma, _passing(found), _squares(found.biases)),
        )),
    )  # fmt: skip


def _through_written(which: str, found: Values) -> Case:
    rise, risen = RISE[found.of.network], found.risen
    return stated(
        f"{LABEL}.written", which, Step(_by_written(found) ** 2, "((h - h')·F_d)²"), *unit_by_unit(
            lambda j: rise[j], lambda j: risen[1, j], lambda j: risen[2, j], found.written,
            Step(rises(found.of) * _squares(found.written), "|h(1) - h(0)|² |F_d|²", "units rise with s"),
            ("|h - h'|² |F_d|²", "Cauchy-Schwarz"),
        ),
    )  # fmt: skip


def _through_hidden(which: str, found: Values) -> Case:
    gated, by_gates = _by_inputs(found) + _by_biases(found), _gates(found) + _passing(found)
    share = _squares(found.inputs) + _squares(found.biases)
    return stated(
        f"{LABEL}.hidden", which,
        Step(_by_hidden(found) ** 2, "by M, Gamma and F"),
        Step(unit_sums(found) * _hidden_share(found), "both", "", (
            f"{LABEL}.gates[{which}]", f"{LABEL}.written[{which}]",
            both(gated, by_gates, share, _by_written(found), rises(found.of), _squares(found.written)),
        )),
    )  # fmt: skip


def _through_all(which: str, found: Values) -> Case:
    v, g = found.entries, found.outputs
    return stated(
        f"{LABEL}.spread", which,
        Step(found.reach.atom**2, "S²"),
        Step(_flat_moves(found) ** 2, "part by part", "chain rule", (
            f"{flat.label}[{which}]",
            Instance("sharpness.averages.squared", {"e_av": found.reach.atom, "x_av": _flat_moves(found)}),
        )),
        Step(spread_squared(found) * flat_share(found), "by lengths", "Cauchy-Schwarz", (
            f"{LABEL}.hidden[{which}]",
            Instance(f"{VECTORS}.three", {"a_ve": v[1], "b_ve": v[2], "c_ve": v[3], "g_ve": g[1], "h_ve": g[2]}),
            both(_by_hidden(found), unit_sums(found), _hidden_share(found), _by_read(found), sp.Integer(3),
                 _read_share(found), SUM, sp.S.One),
        )),
    )  # fmt: skip


inputs, biases = (
    lemma(
        label=f"{LABEL}.{name}",
        statement=f"What {block} makes of two rows' hidden units that are on, seen by output weights φ, is in squares "
        f"at most {size} times its squared length.",
        cases=cases(case),
    )
    for name, block, size, case in (
        ("inputs", "M", "Σ φ²", _through_inputs),
        ("biases", "Gamma", "Σ π φ², π of units that are off at zero,", _through_biases),
    )
)
gates = lemma(
    label=f"{LABEL}.gates",
    statement="What M and Gamma make of two rows' hidden units that are on, seen by output weights φ, is in squares "
    "at most (Σ φ² + Σ π φ²)(|M_d|² + |Gamma|²), π of those that are off at zero.",
    cases=cases(_through_gates),
)
written = lemma(
    label=f"{LABEL}.written",
    statement="((h - h')·F_d)² is at most |h(1) - h(0)|² |F_d|², as every hidden unit rises with s.",
    cases=cases(_through_written),
)
hidden = lemma(
    label=f"{LABEL}.hidden",
    statement="What M, Gamma and F_d make of two rows' hidden units is in squares at most A + B + Δ times their "
    "squared length.",
    cases=cases(_through_hidden),
)
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
