"""Theorem 18: the part 2 Cov(v', l') of the Hessian, along the direction in which it is largest."""

from __future__ import annotations

import functools
from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    BITS,
    RISE,
    SEEN_BITS,
    SLOPES,
    total,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import (
    COVARIANCE,
    FLANKED,
    RANGE,
    Moves,
    half,
    reach_squared,
    risen_at,
    rises,
)
from boundaudit.checks.sharpness.hessian.families import ANY, NETWORKS, measured_as
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.gradients import live_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND, rise_by_units
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSED
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, j, t
from boundaudit.numeric.sharpness.hessian_directions import Direction, levels

NORM = {which: measured_as("norm of 2 Cov(v', l')", theorem.covariance_n, which) for which in NETWORKS}
_LABEL, _ROWS_OF, _VECTORS = "sharpness.hessian.covariance", "sharpness.gradients.rows", "sharpness.hessian.vectors"
_ROWS, _UNIT = T + 1, Reals(0, 1)

# --- measured -------------------------------------------------------------------------------------


class _Values:
    """How values change along the direction.

    Attributes:
        of: How logits change.
        reach: By how much the flat part p of a value's change is larger in one row than in another, at most.
        level: Of the rows' flat parts: how far each lies from the least to the most.
        risen: The parts of their rises that hidden units of those two rows have made.
        seen: Their averages of bits.
        outputs: The outputs of the MLP there.
        off: Which units that are off at zero are off there.
        weights: φ, of units that are on at one.
        passed: Which of them are off at zero.
        inputs: M_data.
        biases: Gamma.
        written: F_d.
        entries: V2's, three of them.
        farthest: The largest move of an average of bits of a row that no component uses.
        moves: The moves of those rows' averages over it, in the direction of their values.
        idle: Which rows those are.
        bit: The bit of the row that moves farthest.
        own: W1's column of that row.
        shared: W1's column of the bits.
        read: V1's column of the data.
    """

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
        self.farthest = of.number("farthest move of an unused row", r"\mu", lambda d: d.farthest_move[:, 0].abs())
        self.moves = of.vector("moves of unused rows over the farthest", r"\eta", _ROWS, _moves, Reals(-1, 1))
        self.idle = of.vector("rows that no component uses", r"\iota", _ROWS, lambda d: d.idle.double(), _UNIT)
        self.bit = two("bit of the row that moves farthest", "z", 1, lambda d: d.rows.z.take_along_dim(d.farthest, -1))
        column = functools.partial(of.vector, length=_ROWS + 1)
        self.own = column("W1's column of the row that moves farthest", "u", of=lambda d: _signed(d, _own(d)))
        self.shared = column("W1's column of the bits", "b", of=lambda d: _signed(d, d.along.W1[..., -1]))
        self.read = column("V1's column of the data", r"\nu", of=lambda d: _signed(d, d.along.V1[..., -1]))


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
    farthest = d.farthest_move.abs()
    share = d.moved * d.rows.slope.sign() / farthest.where(farthest > 0, 1.0)
    return share.where(d.idle, 0.0)


def _own(d: Direction) -> Tensor:
    return d.along.W1.take_along_dim(d.farthest[..., None], -1)[..., 0]


def _signed(d: Direction, column: Tensor) -> Tensor:
    return column * d.farthest_move.sign()


VALUES = {which: _Values(of) for which, of in COVARIANCE.items()}
_FINITE = {which: found for which, found in VALUES.items() if which != "ideal"}


# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(claim, role="axiom", relation="=", domain=ANY, expected="supported")
_lemma = functools.partial(claim, domain=ANY, expected="proved")
_STEEPEST = SUM * SLOPE


def _idle_mass(found: _Values) -> sp.Expr:
    """Attention to the rows that no component uses."""
    return total(ATTENTION[found.of.network][t] * found.idle[t])


def _turn(of: Moves) -> Callable[[sp.Symbol], sp.Expr]:
    """Q - Σ a q, row by row."""
    a, q = ATTENTION[of.network], of.share
    return lambda t: q[t] - total(a[t] * q[t])


def _flat_covariance(found: _Values) -> sp.Expr:
    """Σ a y (q - Σ a q)."""
    return total(ATTENTION[found.of.network][t] * found.level[t] * _turn(found.of)(t))


def _idle_covariance(found: _Values) -> sp.Expr:
    """Σ a ι η (q - Σ a q)."""
    return total(ATTENTION[found.of.network][t] * found.idle[t] * found.moves[t] * _turn(found.of)(t))


def _worth(found: _Values) -> sp.Expr:
    """C λ k: what a move of an unused row's average of bits is worth."""
    return _STEEPEST * SLOPES[found.of.network][_ROWS]


def _covaried(found: _Values) -> sp.Expr:
    flat = found.reach.atom * _flat_covariance(found)
    if found.of.which == "ideal":
        return flat
    return flat + found.farthest.atom * (_worth(found) * _idle_covariance(found))


def _on(found: _Values, n: int) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda j: 1 - found.passed[j] * found.off[n, j]


def _by_inputs(found: _Values) -> sp.Expr:
    (one, other), s = (_on(found, n) for n in (1, 2)), found.seen
    return units_total(found.weights[j] * (one(j) * s[1] - other(j) * s[2]) * found.inputs[j])


def _by_biases(found: _Values) -> sp.Expr:
    return units_total(found.weights[j] * found.passed[j] * (found.off[2, j] - found.off[1, j]) * found.biases[j])


def _by_written(found: _Values) -> sp.Expr:
    return units_total(RISE[found.of.network][j] * (found.risen[1, j] - found.risen[2, j]) * found.written[j])


def _by_hidden(found: _Values) -> sp.Expr:
    return _by_inputs(found) + _by_biases(found) + _by_written(found)


def _by_read(found: _Values) -> sp.Expr:
    v, g = found.entries, found.outputs
    return v[1] - v[2] + (g[1] - g[2]) * v[3]


def _moved(found: _Values) -> sp.Expr:
    """What W1 and V1 move the average of bits of the farthest unused row by."""
    return _by_w1(found) + _by_v1(found)


def _keyed(found: _Values) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda t: found.own[t] + found.bit[1] * found.shared[t]


def _s(found: _Values) -> sp.Expr:
    return SEEN_BITS[found.of.network][_ROWS]


def _about(found: _Values) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda t: (BITS[found.of.network][t] - _s(found)) / (T + 1)


def _by_w1(found: _Values) -> sp.Expr:
    s, key, about = _s(found), _keyed(found), _about(found)
    return total(about(t) * key(t)) + s * (1 - s) * key(_ROWS + 1)


def _by_v1(found: _Values) -> sp.Expr:
    return total(found.read[t]) / (T + 1) + _s(found) * found.read[_ROWS + 1]


def _cases(case: Callable[[str, _Values], Case], among: dict[str, _Values] = VALUES) -> tuple[Case, ...]:
    return tuple(case(which, found) for which, found in among.items())


form = _axiom(
    label=f"{_LABEL}.form",
    statement="The operator norm of the part 2 Cov(v', l') is what its form is along the direction in which it is "
    "largest: 2 r |Σ a (S y + n)(q - Σ a q)|, q and y how far the changes of logits and the flat changes of values lie "
    "from the least to the most, r and S apart, and n what unused rows on flanks add; components rest on plateaus.",
    cases=_cases(lambda which, found: Case(
        which, left=NORM[which], right=lambda: 2 * found.of.reach.atom * sp.Abs(_covaried(found))
    )),
)  # fmt: skip
flat = _axiom(
    label=f"{_LABEL}.flat",
    statement="Along that direction the flat changes of two rows' values, the most and the least, are "
    "C ((φ on - φ on')·Gamma + (φ on s - φ on' s')·M_d + (h - h')·F_d) + (x - x')·V2 apart: the chain rule.",
    cases=_cases(lambda which, found: Case(which, left=found.reach, right=lambda: _flat_moves(found))),
)


def _flat_moves(found: _Values) -> sp.Expr:
    return SUM * _by_hidden(found) + _by_read(found)


farthest = _axiom(
    label=f"{_LABEL}.farthest",
    statement="W1 and V1 move the average of bits of an unused row by Σ (z - s)/(T+1) xᵀ W1 x_t + Σ xᵀ V1/(T+1) along "
    "that direction: the chain rule, written out.",
    cases=_cases(lambda which, found: Case(which, left=found.farthest, right=lambda: _moved(found)), _FINITE),
)
seen = _axiom(
    label=f"{_LABEL}.seen",
    statement="An unused row averages all bits.",
    left=lambda: SEEN_BITS["finite"][_ROWS],
    right=lambda: total(BITS["finite"][t]) / (T + 1),
)
unused = _axiom(
    label=f"{_LABEL}.unused",
    statement="T+1-ω rows are used by no component.",
    right=INACTIVE,
    cases=_cases(lambda which, found: Case(which, left=lambda: total(found.idle[t])), _FINITE),
)
idle = _axiom(
    label=f"{_LABEL}.idle",
    statement="The attention of layer 2 to the N = T+1-ω rows that no component uses is N of C T² + N.",
    right=INACTIVE,
    cases=_cases(lambda which, found: Case(
        which, left=lambda: _idle_mass(found) * (SUM * T**2 + INACTIVE)
    ), _FINITE),
)  # fmt: skip
weights = _axiom(
    label=f"{_LABEL}.weights",
    statement="The squared output weights of hidden units that are on at one, each as it is written down.",
    right=live_by_units,
    cases=_cases(lambda which, found: Case(which, left=lambda: _gates(found))),
)
passed = _axiom(
    label=f"{_LABEL}.passed",
    statement="Those of hidden units that are on at one and off at zero, each as it is written down.",
    right=rise_by_units,
    cases=_cases(lambda which, found: Case(which, left=lambda: _passing(found))),
)
unit = _axiom(
    label=f"{_LABEL}.unit",
    statement="The squared lengths of parts and entries of a direction of unit length add up to at most one.",
    relation="<=",
    right=1,
    cases=_cases(lambda which, found: Case(which, left=lambda: half(found.of) + _rest(found))),
)

# --- lengths --------------------------------------------------------------------------------------


def _gates(found: _Values) -> sp.Expr:
    return units_total(found.weights[j] ** 2)


def _passing(found: _Values) -> sp.Expr:
    return units_total(found.weights[j] ** 2 * found.passed[j] ** 2)


def _inputs_share(found: _Values) -> sp.Expr:
    return units_total(found.inputs[j] ** 2)


def _biases_share(found: _Values) -> sp.Expr:
    return units_total(found.biases[j] ** 2)


def _written_share(found: _Values) -> sp.Expr:
    return units_total(found.written[j] ** 2)


def _read_share(found: _Values) -> sp.Expr:
    return sp.Add(*(found.entries[n] ** 2 for n in (1, 2, 3)))


def _hidden_share(found: _Values) -> sp.Expr:
    return _inputs_share(found) + _biases_share(found) + _written_share(found)


def _flat_share(found: _Values) -> sp.Expr:
    return _hidden_share(found) + _read_share(found)


def _w1_share(found: _Values) -> sp.Expr:
    last = _ROWS + 1
    columns = total(found.own[t] ** 2) + total(found.shared[t] ** 2)
    return columns + found.own[last] ** 2 + found.shared[last] ** 2


def _v1_share(found: _Values) -> sp.Expr:
    return total(found.read[t] ** 2) + found.read[_ROWS + 1] ** 2


def _rest(found: _Values) -> sp.Expr:
    if found.of.which == "ideal":
        return _flat_share(found)
    return _flat_share(found) + _w1_share(found) + _v1_share(found)


def _stated(which: str, name: str, *steps: Step) -> Case:
    chain = Derivation(
        label=f"{_LABEL}.{name}.{which}", title=f"{name}, {which} network", steps=steps, domain=ANY, samples=FLANKED,
        paper=PAPER, place=("Theorem 18",),
    )  # fmt: skip
    return Case(which, left=steps[0].value, right=steps[-1].value, derivation=chain)


def _both(a: sp.Expr, p: sp.Expr, e: sp.Expr, b: sp.Expr, q: sp.Expr, f: sp.Expr, *scales: sp.Expr) -> Instance:
    """From a² ≤ p e and b² ≤ q f to a bound on (s a + t b)²."""
    s, r = scales or (sp.S.One, sp.S.One)
    names = ("a_ve", "p_ve", "e_ve", "b_ve", "q_ve", "f_ve", "s_ve", "t_ve")
    return Instance(f"{_VECTORS}.both", dict(zip(names, (a, p, e, b, q, f, s, r), strict=True)))


def _through_inputs(which: str, found: _Values) -> Case:
    one, other = (_on(found, n) for n in (1, 2))
    phi, s = found.weights, found.seen
    shifts = units_total(phi[j] ** 2 * (one(j) * s[1] - other(j) * s[2]) ** 2)
    return _stated(
        which, "inputs",
        Step(_by_inputs(found) ** 2, "by M"),
        Step(shifts * _inputs_share(found), "Cauchy-Schwarz", "unit by unit", Instance(f"{_VECTORS}.cauchy", {
            "n_av": UNITS, "x_ve": lambda t: phi[t] * (one(t) * s[1] - other(t) * s[2]), "y_ve": found.inputs,
        })),
        Step(_gates(found) * _inputs_share(found), "Σ φ²", "averages are at most one", Instance(
            f"{_VECTORS}.apart", {"g_ve": one(j) * s[1], "h_ve": other(j) * s[2]}, over=(j, 1, UNITS),
            weight=phi[j] ** 2,
        )),
    )  # fmt: skip


def _through_biases(which: str, found: _Values) -> Case:
    phi, pi, off = found.weights, found.passed, found.off
    flips = units_total(phi[j] ** 2 * pi[j] ** 2 * (off[2, j] - off[1, j]) ** 2)
    return _stated(
        which, "biases",
        Step(_by_biases(found) ** 2, "by Gamma"),
        Step(flips * _biases_share(found), "Cauchy-Schwarz", "unit by unit", Instance(f"{_VECTORS}.cauchy", {
            "n_av": UNITS, "x_ve": lambda t: phi[t] * pi[t] * (off[2, t] - off[1, t]), "y_ve": found.biases,
        })),
        Step(_passing(found) * _biases_share(found), "Σ π φ²", "units on in one row alone", Instance(
            f"{_VECTORS}.apart", {"g_ve": off[2, j], "h_ve": off[1, j]}, over=(j, 1, UNITS),
            weight=phi[j] ** 2 * pi[j] ** 2,
        )),
    )  # fmt: skip


def _through_gates(which: str, found: _Values) -> Case:
    m, gamma = _by_inputs(found), _by_biases(found)
    return _stated(
        which, "gates",
        Step((m + gamma) ** 2, "by M and Gamma"),
        Step((_gates(found) + _passing(found)) * (_inputs_share(found) + _biases_share(found)), "both", "", (
            f"{_LABEL}.inputs[{which}]", f"{_LABEL}.biases[{which}]",
            _both(m, _gates(found), _inputs_share(found), gamma, _passing(found), _biases_share(found)),
        )),
    )  # fmt: skip


def _through_written(which: str, found: _Values) -> Case:
    rise, risen = RISE[found.of.network], found.risen
    apart = units_total(rise[j] ** 2 * (risen[1, j] - risen[2, j]) ** 2)
    return _stated(
        which, "written",
        Step(_by_written(found) ** 2, "((h - h')·F_d)²"),
        Step(apart * _written_share(found), "|h - h'|² |F_d|²", "Cauchy-Schwarz", Instance(f"{_VECTORS}.cauchy", {
            "n_av": UNITS, "x_ve": lambda t: rise[t] * (risen[1, t] - risen[2, t]), "y_ve": found.written,
        })),
        Step(rises(found.of) * _written_share(found), "|h(1) - h(0)|² |F_d|²", "units rise with s", Instance(
            f"{_VECTORS}.apart", {"g_ve": risen[1, j], "h_ve": risen[2, j]}, over=(j, 1, UNITS), weight=rise[j] ** 2,
        )),
    )  # fmt: skip


def _unit_sums(found: _Values) -> sp.Expr:
    return _gates(found) + _passing(found) + rises(found.of)


def _spread_squared(found: _Values) -> sp.Expr:
    """C² (A + B + Δ) + 3, summed over units."""
    return SUM**2 * _unit_sums(found) + 3


def _through_hidden(which: str, found: _Values) -> Case:
    gated, by_gates = _by_inputs(found) + _by_biases(found), _gates(found) + _passing(found)
    share = _inputs_share(found) + _biases_share(found)
    return _stated(
        which, "hidden",
        Step(_by_hidden(found) ** 2, "by M, Gamma and F"),
        Step(_unit_sums(found) * _hidden_share(found), "both", "", (
            f"{_LABEL}.gates[{which}]", f"{_LABEL}.written[{which}]",
            _both(gated, by_gates, share, _by_written(found), rises(found.of), _written_share(found)),
        )),
    )  # fmt: skip


def _through_all(which: str, found: _Values) -> Case:
    v, g = found.entries, found.outputs
    return _stated(
        which, "spread",
        Step(found.reach.atom**2, "S²"),
        Step(_flat_moves(found) ** 2, "part by part", "chain rule", (
            f"{flat.label}[{which}]",
            Instance("sharpness.averages.squared", {"e_av": found.reach.atom, "x_av": _flat_moves(found)}),
        )),
        Step(_spread_squared(found) * _flat_share(found), "by lengths", "Cauchy-Schwarz", (
            f"{_LABEL}.hidden[{which}]",
            Instance(f"{_VECTORS}.three", {"a_ve": v[1], "b_ve": v[2], "c_ve": v[3], "g_ve": g[1], "h_ve": g[2]}),
            _both(_by_hidden(found), _unit_sums(found), _hidden_share(found), _by_read(found), sp.Integer(3),
                  _read_share(found), SUM, sp.S.One),
        )),
    )  # fmt: skip


inputs, biases = (
    _lemma(
        label=f"{_LABEL}.{name}",
        statement=f"What {block} makes of two rows' hidden units that are on, seen by output weights φ, is in squares "
        f"at most {size} times its squared length.",
        cases=_cases(case),
    )
    for name, block, size, case in (
        ("inputs", "M", "Σ φ²", _through_inputs),
        ("biases", "Gamma", "Σ π φ², π of units that are off at zero,", _through_biases),
    )
)
gates = _lemma(
    label=f"{_LABEL}.gates",
    statement="What M and Gamma make of two rows' hidden units that are on, seen by output weights φ, is in squares "
    "at most (Σ φ² + Σ π φ²)(|M_d|² + |Gamma|²), π of those that are off at zero.",
    cases=_cases(_through_gates),
)
written = _lemma(
    label=f"{_LABEL}.written",
    statement="((h - h')·F_d)² is at most |h(1) - h(0)|² |F_d|², as every hidden unit rises with s.",
    cases=_cases(_through_written),
)
hidden = _lemma(
    label=f"{_LABEL}.hidden",
    statement="What M, Gamma and F_d make of two rows' hidden units is in squares at most A + B + Δ times their "
    "squared length.",
    cases=_cases(_through_hidden),
)
spread = _lemma(
    label=f"{_LABEL}.spread",
    statement="Flat changes of two rows' values differ in squares by at most C² (A + B + Δ) + 3 times the squared "
    "length of what moves values, A and B the squared output weights of units that are on at one, and of those "
    "that are off at zero, Δ = |h(1) - h(0)|².",
    cases=_cases(_through_all),
)

# --- unused rows on flanks ------------------------------------------------------------------------


def _key_squares(found: _Values) -> sp.Expr:
    key = _keyed(found)
    return total(key(t) ** 2) + key(_ROWS + 1) ** 2


def _through_keys(which: str, found: _Values) -> Case:
    entry = f"{_VECTORS}.entry"
    at = [{"a_ve": found.own[n], "b_ve": found.shared[n], "g_ve": found.bit[1]} for n in (t, _ROWS + 1)]
    return _stated(
        which, "keyed",
        Step(_key_squares(found), "|W1 x_t|²"),
        Step(2 * _w1_share(found), "2 |W1|²", "channel by channel",
             (Instance(entry, at[0], over=(t, 1, _ROWS)), Instance(entry, at[1]))),
    )  # fmt: skip


keyed = _lemma(
    label=f"{_LABEL}.keyed",
    statement="A key's change W1 x_t, x_t a position and a bit, has at most twice the squared length of two columns "
    "of W1 that enter.",
    cases=_cases(_through_keys, _FINITE),
)


def _w1_size(found: _Values) -> sp.Expr:
    s = _s(found)
    return s * (1 - s) / (T + 1) + s**2 * (1 - s) ** 2


def _v1_size(found: _Values) -> sp.Expr:
    return 1 / (T + 1) + _s(found) ** 2


def _weighted(e: sp.Expr, v: sp.Expr, x: sp.Expr) -> Instance:
    """From v ≤ x to e v ≤ e x."""
    return Instance("sharpness.averages.weighted", {"e_av": e, "v_av": v, "x_av": x})


def _through_w1(which: str, found: _Values) -> Case:
    s, about, keys = _s(found), _about(found), _keyed(found)
    about_squares, last = total(about(t) ** 2), keys(_ROWS + 1)
    names = {"n_av": T + 1}
    return _stated(
        which, "w1",
        Step(_by_w1(found) ** 2, "by W1"),
        Step((about_squares + s**2 * (1 - s) ** 2) * _key_squares(found), "Cauchy-Schwarz", "key by key", (
            Instance(f"{_VECTORS}.cauchy", {**names, "x_ve": about, "y_ve": keys}),
            _both(total(about(t) * keys(t)), about_squares, total(keys(t) ** 2), s * (1 - s) * last,
                  s**2 * (1 - s) ** 2, last**2),
        )),
        Step((about_squares + s**2 * (1 - s) ** 2) * (2 * _w1_share(found)), "2 |W1|²", "channel by channel", (
            f"{_LABEL}.keyed[{which}]",
            _weighted(about_squares + s**2 * (1 - s) ** 2, _key_squares(found), 2 * _w1_share(found)),
        )),
        Step(2 * _w1_size(found) * _w1_share(found), "a variance", "of bits", (f"{_LABEL}.bits", _weighted(
            2 * _w1_share(found), about_squares + s**2 * (1 - s) ** 2, _w1_size(found),
        ))),
    )  # fmt: skip


def _through_v1(which: str, found: _Values) -> Case:
    last, read = found.read[_ROWS + 1], total(found.read[t])
    return _stated(
        which, "v1",
        Step(_by_v1(found) ** 2, "by V1"),
        Step(_v1_size(found) * _v1_share(found), "Cauchy-Schwarz", "channel by channel", (
            Instance(f"{_VECTORS}.cauchy", {"n_av": T + 1, "x_ve": lambda t: 1 / (T + 1), "y_ve": found.read}),
            _both(read / (T + 1), 1 / (T + 1), total(found.read[t] ** 2), _s(found) * last, _s(found) ** 2, last**2),
        )),
    )  # fmt: skip


def _through_rows(which: str, found: _Values) -> Case:
    w1, v1 = _w1_share(found), _v1_share(found)
    size = 2 * _w1_size(found) + _v1_size(found)
    return _stated(
        which, "moved",
        Step(found.farthest.atom**2, "μ²"),
        Step(_moved(found) ** 2, "by W1 and V1", "chain rule", (
            f"{farthest.label}[{which}]",
            Instance("sharpness.averages.squared", {"e_av": found.farthest.atom, "x_av": _moved(found)}),
        )),
        Step(size * (w1 + v1), "by lengths", "Cauchy-Schwarz", (
            Instance(f"{_VECTORS}.bent", {"g_ve": _s(found), "a_ve": T + 1}), f"{_LABEL}.w1[{which}]",
            f"{_LABEL}.v1[{which}]", _both(_by_w1(found), 2 * _w1_size(found), w1, _by_v1(found), _v1_size(found), v1),
        )),
        Step(TOKEN_BOUND * (w1 + v1), "Z²", "no weight beyond 1/D",
             Instance("sharpness.hessian.lemmas.token", {"s_av": _s(found), "D": T + 1})),
    )  # fmt: skip


def _of_bits() -> Derivation:
    found = VALUES["finite"]
    s, about = _s(found), total(_about(found)(t) ** 2)
    return Derivation(
        label=f"{_LABEL}.bits.steps", title="The variance of all bits", domain=ANY, samples=FLANKED, paper=PAPER,
        place=("Theorem 18",), steps=(
            Step(about + s**2 * (1 - s) ** 2, "about the average"),
            Step(_w1_size(found), "s (1-s)", "of bits", (f"{_LABEL}.seen", Instance(
                "sharpness.averages.variance",
                {"n_av": T + 1, "a_av": lambda t: 1 / (T + 1) ** 2, "g_av": BITS["finite"], "m_av": s},
            ))),
        ),
    )  # fmt: skip


_BITS = _of_bits()
bits = _lemma(
    label=f"{_LABEL}.bits",
    statement="Σ (z - s)²/(T+1)² is at most s (1-s)/(T+1) where s is the average of bits z of all rows.",
    left=_BITS.steps[0].value,
    right=_BITS.steps[-1].value,
    derivation=_BITS,
)
by_w1, by_v1 = (
    _lemma(
        label=f"{_LABEL}.{name}",
        statement=f"What {block} moves the average s of bits of an unused row by is in squares at most {size} times "
        "its squared length.",
        cases=_cases(case, _FINITE),
    )
    for name, block, size, case in (
        ("w1", "W1", "2 (s(1-s)/(T+1) + s²(1-s)²)", _through_w1), ("v1", "V1", "1/(T+1) + s²", _through_v1),
    )
)  # fmt: skip
moved = _lemma(
    label=f"{_LABEL}.moved",
    statement="W1 and V1 move the average of bits of an unused row in squares by at most 1 + 65/(64 D) times their "
    "squared length.",
    cases=_cases(_through_rows, _FINITE),
)

# --- covariances ----------------------------------------------------------------------------------


def _worth_covaried(found: _Values) -> sp.Expr:
    return _worth(found) * _idle_covariance(found)


def _through_idle(which: str, found: _Values) -> Case:
    a, turn = ATTENTION[found.of.network], _turn(found.of)
    spread, own = total(a[t] * turn(t) ** 2), _idle_covariance(found) ** 2
    squares = total(a[t] * found.idle[t] ** 2 * found.moves[t] ** 2)
    scale, slope = _STEEPEST**2, SLOPES[found.of.network][_ROWS]
    return _stated(
        which, "idle-covariance",
        Step(_worth_covaried(found) ** 2, "(C λ k)² Cov(ι η, q)²"),
        Step(scale * own, "k ≤ 1", "", (
            Instance("sharpness.averages.below-one", {"m_av": slope}), _weighted(scale * own, slope**2, sp.S.One),
        )),
        Step(scale * (squares * spread), "Cauchy-Schwarz", "weighed by attention", (
            Instance(f"{_VECTORS}.cauchy", {
                "n_av": T + 1, "x_ve": lambda t: sp.sqrt(a[t]) * (found.idle[t] * found.moves[t]),
                "y_ve": lambda t: sp.sqrt(a[t]) * turn(t),
            }),
            _weighted(scale, own, squares * spread),
        )),
        Step(scale * (squares / 4), "a variance", "of numbers from 0 to 1", (
            f"{_ROWS_OF}.weights[{found.of.network}]",
            Instance(f"{_VECTORS}.varied", {"n_av": T + 1, "a_av": a, "q_av": found.of.share}),
            _weighted(scale * squares, spread, sp.Rational(1, 4)),
        )),
        Step(scale * (_idle_mass(found) / 4), "attention to unused rows", "η between -1 and 1", (
            Instance(f"{_VECTORS}.within", {"g_ve": found.idle[t], "c_ve": found.moves[t]}, over=(t, 1, T + 1),
                     weight=a[t]),
            _weighted(scale / 4, squares, _idle_mass(found)),
        )),
    )  # fmt: skip


idle_covariance = _lemma(
    label=f"{_LABEL}.idle-covariance",
    statement="What unused rows alone move covaries with how far the changes of logits lie from the least to the most "
    "in squares by at most a quarter of the attention to those rows, times (C λ)², λ the steepest slope.",
    cases=_cases(_through_idle, _FINITE),
)


def _size(found: _Values) -> sp.Expr:
    """(C² (A + B + Δ) + 3)/16 + Z² (C λ)² leak/4."""
    flat = _spread_squared(found) / 16
    if found.of.which == "ideal":
        return flat
    return flat + _STEEPEST**2 * (_idle_mass(found) / 4) * TOKEN_BOUND


def _through_both(which: str, found: _Values) -> Case:
    network = found.of.network
    about = {"n_av": T + 1, "a_av": ATTENTION[network], "g_av": found.level, "q_av": found.of.share}
    known = (
        f"{_ROWS_OF}.weights[{network}]", f"{_LABEL}.spread[{which}]", Instance(f"{_VECTORS}.covaried", about),
    )  # fmt: skip
    flat = _spread_squared(found), _flat_share(found), found.reach.atom, _flat_covariance(found)
    start = Step(_covaried(found) ** 2, "(Σ a (S y + n)(q - Σ a q))²")
    if which == "ideal":
        size, share, reach, cov = flat
        return _stated(which, "squared", start, Step(_size(found) * share, "Cov² ≤ 1/16", "", (
            *known, _weighted(reach**2, cov**2, sp.Rational(1, 16)),
        )))  # fmt: skip
    size, share, reach, cov = flat
    parts = {
        "a_ve": reach, "p_ve": size, "e_ve": share, "s_ve": cov, "g_ve": sp.Rational(1, 16),
        "b_ve": found.farthest.atom, "q_ve": TOKEN_BOUND, "f_ve": _w1_share(found) + _v1_share(found),
        "t_ve": _worth_covaried(found), "h_ve": _STEEPEST**2 * (_idle_mass(found) / 4),
    }  # fmt: skip
    return _stated(which, "squared", start, Step(_size(found) * _rest(found), "flat changes, and unused rows", "", (
        *known, f"{_LABEL}.moved[{which}]", f"{_LABEL}.idle-covariance[{which}]",
        Instance(f"{_VECTORS}.bounded", parts),
    )))  # fmt: skip


squared = _lemma(
    label=f"{_LABEL}.squared",
    statement="The covariance of the changes of values with how far those of logits lie from the least to the most is "
    "in squares at most ((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused rows)/4 times the squared "
    "length of what moves values.",
    cases=_cases(_through_both),
)

# --- in closed form -------------------------------------------------------------------------------


def _leak(which: str, found: _Values) -> Case:
    rows, mass = INACTIVE, _idle_mass(found)
    return _stated(
        which, "leak",
        Step(SUM * mass, "C times the attention to unused rows"),
        Step(1 / T, "1/T", "N/(C T² + N)", (
            f"{_LABEL}.idle[{which}]", f"{_LABEL}.unused[{which}]",
            Instance(f"{_VECTORS}.leaked", {"c_ve": SUM, "e_ve": mass, "a_ve": T, "n_ve": rows}),
        )),
    )  # fmt: skip


leak = _lemma(
    label=f"{_LABEL}.leak",
    statement="C times the attention of layer 2 to unused rows is at most 1/T.",
    cases=_cases(_leak, _FINITE),
)
_FLAT = SUM**2 * (GATES + PASSED + SPREAD) + 3
_CLOSED = _FLAT + 4 * TOKEN_BOUND * SLOPE**2 * SUM / T


def _through_units(which: str, found: _Values) -> Case:
    passing, rising = _passing(found), rises(found.of)
    return _stated(
        which, "units", Step(_unit_sums(found), "summed"),
        Step(GATES + passing + rising, "A", "on at one", (f"{_LABEL}.weights[{which}]", "sharpness.gradients.live")),
        Step(GATES + PASSED + rising, "B", "off at zero",
             (f"{_LABEL}.passed[{which}]", "sharpness.hessian.gates.rise.closed-form")),
        Step(GATES + PASSED + SPREAD, "Δ", "rises", (
            f"{_ROWS_OF}.rise[{found.of.network}]", "sharpness.activations.hidden.spread.closed-form",
        )),
    )  # fmt: skip


units = _lemma(
    label=f"{_LABEL}.units",
    statement="The squared output weights of hidden units that are on at one, those of them that are off at zero once "
    "more, and the squared rises from zero to one add up to 32 D²(D+1)/u² + 32 D³/u² + Δ.",
    cases=_cases(_through_units),
)


def _through_closed(which: str, found: _Values) -> Case:
    own = _size(found) - _spread_squared(found) / 16
    start = Step(_size(found), "summed")
    flat = Step(_FLAT / 16 + own, "over hidden units", "as written down", (
        f"{_LABEL}.units[{which}]", _weighted(SUM**2 / 16, _unit_sums(found), GATES + PASSED + SPREAD),
    ))  # fmt: skip
    uses = () if which == "ideal" else (
        f"{_LABEL}.leak[{which}]", _weighted(TOKEN_BOUND * SLOPE**2 * SUM / 4, SUM * _idle_mass(found), 1 / T),
    )  # fmt: skip
    return _stated(which, "size", start, flat, Step(_CLOSED / 16, "with the leak", "C leak ≤ 1/T", uses))


size = _lemma(
    label=f"{_LABEL}.size",
    statement="((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused rows)/4 is at most "
    "(C² (A + B + Δ) + 3 + 4 Z² λ² C/T)/16 with A = 32 D²(D+1)/u², B = 32 D³/u² and Δ in closed form.",
    cases=_cases(_through_closed),
)


def _reach_closed(which: str, found: _Values) -> Case:
    of = found.of
    return _stated(
        which, "reach", Step(reach_squared(of), "R², summed"),
        Step(KEYS * SPREAD + RANGE[of.network].atom ** 2 * LENGTH + 6, "R²", "as written down", (
            f"{_ROWS_OF}.rise[{of.network}]", "sharpness.activations.hidden.spread.closed-form",
            f"{_ROWS_OF}.top[{of.network}]", "sharpness.activations.hidden.length.closed-form",
            f"{_ROWS_OF}.keys[{of.network}]",
        )),
    )  # fmt: skip


reach = _lemma(
    label=f"{_LABEL}.reach",
    statement="R² = |w2|² Δ + ρ² L² + 6, with Δ and L² in closed form.",
    cases=_cases(_reach_closed, {which: found for which, found in VALUES.items() if which != "one-column"}),
)

# --- the norm -------------------------------------------------------------------------------------


def _left(which: str, found: _Values) -> Case:
    size, moving = _size(found), half(found.of)
    return _stated(
        which, "left",
        Step(_covaried(found) ** 2, "Cov²"),
        Step(size * _rest(found), "by lengths", "", f"{_LABEL}.squared[{which}]"),
        Step(size * (1 - moving), "what the logits' share leaves", "at unit length",
             (f"{unit.label}[{which}]", _weighted(size, _rest(found), 1 - moving))),
    )  # fmt: skip


left = _lemma(
    label=f"{_LABEL}.left",
    statement="That covariance is in squares at most ((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused "
    "rows)/4 times what the squared length of what moves logits leaves of one.",
    cases=_cases(_left),
)


def _gathered(which: str, found: _Values) -> Case:
    of, covaried = found.of, _covaried(found)
    parts = {
        "a_ve": of.reach.atom, "p_ve": reach_squared(of), "e_ve": half(of), "b_ve": covaried, "q_ve": _size(found),
    }  # fmt: skip
    return _stated(
        which, "gathered",
        Step((2 * of.reach.atom * covaried) ** 2, "(2 r Cov)²"),
        Step(reach_squared(of) * _size(found), "R² times a size", "two shares of a unit direction", (
            f"sharpness.hessian.directions.reach[{of.name}]", f"{_LABEL}.left[{which}]",
            Instance(f"{_VECTORS}.crossed", parts),
        )),
    )  # fmt: skip


gathered = _lemma(
    label=f"{_LABEL}.gathered",
    statement="2 r |Cov|, r the reach of the logits' changes, is in squares at most R² times "
    "((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused rows)/4.",
    cases=_cases(_gathered),
)


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound.

    Args:
        which: One of `NETWORKS`.

    Returns:
        The steps of a chain.
    """
    found = VALUES[which]
    of, covaried = found.of, _covaried(found)
    alone = which == "one-column"
    closed = sp.Integer(6) if alone else KEYS * SPREAD + RANGE[of.network].atom ** 2 * LENGTH + 6
    parts = {
        "a_ve": of.reach.atom, "b_ve": covaried, "p_ve": reach_squared(of), "q_ve": _size(found), "e_ve": closed,
        "f_ve": _CLOSED,
    }  # fmt: skip
    return (
        Step(NORM[which], "‖2 Cov(v', l')‖"),
        Step(2 * of.reach.atom * sp.Abs(covaried), "along its leading direction", "an operator norm is attained",
             f"{form.label}[{which}]"),
        Step(sp.sqrt(closed * _CLOSED) / 4, "two standard deviations", "half of each range", (
            f"{_LABEL}.gathered[{which}]", f"{_LABEL}.size[{which}]",
            *(() if alone else (f"{_LABEL}.reach[{which}]",)), Instance(f"{_VECTORS}.roots", parts),
        )),
    )  # fmt: skip
