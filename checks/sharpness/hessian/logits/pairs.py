"""What pairs of blocks make of the bends of logits: each at most a size times the shares that both have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    IDLE,
    LAST,
    OUTPUTS,
    RISE,
    SLOPES,
    TOP,
    mean,
    total,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import RANGE, keys_share, query_share, rises, tops
from boundaudit.checks.sharpness.hessian.idle_rows import MASS
from boundaudit.checks.sharpness.hessian.logits import bends
from boundaudit.checks.sharpness.hessian.logits.bends import LABEL, LAST_CHANNEL, Bends, cases
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, lemma, stated, weighted
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, i, j, t

_ROWS_OF, _LAST_ROW = "sharpness.gradients.rows", T + 1
_Of = Callable[[sp.Symbol], sp.Expr]

# --- rows that no component uses ------------------------------------------------------------------


def idle_covaried(found: Bends) -> sp.Expr:
    """Σ a (g - Σ a g) η over unused rows."""
    n = found.of.network
    return total(ATTENTION[n][t] * IDLE[t] * ((OUTPUTS[n][t] - mean(n)) * found.idle[t]))


def idle_worth(found: Bends) -> sp.Expr:
    """C λ k Σ a (g - Σ a g) η: what unused rows' moves are worth."""
    return SUM * found.slope * idle_covaried(found)


def _idle(which: str, found: Bends) -> Case:
    n, covaried, k = found.of.network, idle_covaried(found), SLOPES[found.of.network][_LAST_ROW]
    scale = (SUM * SLOPE) ** 2
    signed = [
        Instance(f"{VECTORS}.turned", {"g_ve": OUTPUTS[n][t], "h_ve": mean(n), "c_ve": sign * found.idle[t]},
                 over=(t, 1, _LAST_ROW), weight=ATTENTION[n][t] * IDLE[t]) for sign in (1, -1)
    ]  # fmt: skip
    return stated(
        f"{LABEL}.idle", which,
        Step(idle_worth(found) ** 2, "(C λ k Cov)²"),
        Step(scale * covaried**2, "k ≤ 1", "", (
            Instance("sharpness.averages.below-one", {"m_av": k}), weighted(scale * covaried**2, k**2, sp.S.One),
        )),
        Step(scale * MASS**2, "attention to unused rows", "outputs from 0 to 1", (
            f"{_ROWS_OF}.weights[{n}]", Instance("sharpness.averages.mean", {
                "n_av": _LAST_ROW, "a_av": ATTENTION[n], "g_av": OUTPUTS[n],
            }),
            *signed, Instance("sharpness.averages.size", {"v_av": covaried, "e_av": MASS}),
            Instance("sharpness.averages.squared", {"e_av": sp.Abs(covaried), "x_av": MASS}),
            weighted(scale, covaried**2, MASS**2),
        )),
        Step((SLOPE / T) ** 2, "(λ/T)²", "C leak ≤ 1/T", (
            "sharpness.hessian.idle-rows.leak",
            Instance("sharpness.averages.squared", {"e_av": SUM * MASS, "x_av": 1 / T}),
            weighted(SLOPE**2, SUM**2 * MASS**2, 1 / T**2),
        )),
    )  # fmt: skip


idle = lemma(
    label=f"{LABEL}.idle",
    statement="What moves of unused rows are worth to the covariance of values with their logits' bends is at most λ/T "
    "in size, λ the steepest slope.",
    cases=cases(_idle, "ideal"),
)

# --- W1, V1, M and Gamma against F and W2 ---------------------------------------------------------

_QUARTER = SUM / 4
_OUTPUT, _UNUSED = sp.sqrt(3) * SLOPE * _QUARTER, sp.sqrt(2) * SLOPE / T


def _gated(x: _Of, q: _Of, y: _Of, w: _Of, g: _Of, z: _Of) -> Instance:
    return Instance(f"{VECTORS}.gated", {
        "n_av": UNITS, "x_ve": x, "q_av": q, "y_ve": y, "w_ve": w, "g_av": g, "z_ve": z,
    })  # fmt: skip


def _seen(x: _Of, q: _Of, y: _Of) -> Instance:
    return Instance(f"{VECTORS}.seen", {"n_av": UNITS, "x_ve": x, "q_av": q, "y_ve": y})


def _product(a: sp.Expr, p: Any, e: sp.Expr, b: sp.Expr, q: sp.Expr, f: sp.Expr) -> Instance:
    """From a² ≤ p e and b² ≤ q f to a bound on (a b)²."""
    return Instance(f"{VECTORS}.product", {"a_ve": a, "p_ve": p, "e_ve": e, "b_ve": b, "q_ve": q, "f_ve": f})


def _written(found: Bends, channel: sp.Expr, **over: Any) -> Instance:
    """(W2 x_o)² by entries."""
    c, g = found.columns, OUTPUTS[found.of.network][_LAST_ROW]
    return Instance(f"{VECTORS}.entry", {"a_ve": c[channel, 1], "b_ve": c[channel, 2], "g_ve": g}, **over)


def _read(found: Bends, channel: sp.Expr, of_data: sp.Expr, **over: Any) -> Instance:
    """(W2ᵀ (x - x'))² by entries."""
    r, g = found.rows, found.outputs
    return Instance(f"{VECTORS}.three", {
        "a_ve": r[1, channel], "b_ve": r[2, channel], "c_ve": of_data, "g_ve": g[1], "h_ve": g[2],
    }, **over)  # fmt: skip


def _shared(found: Bends) -> sp.Expr:
    """W2's entry of the data channel and the data channel."""
    return found.columns[LAST_CHANNEL, 2]


def _scaled(found: Bends, by: sp.Expr) -> dict[str, Any]:
    """What F_w and F_o are multiplied by, and bounds on their squares."""
    if found.one_column:
        return dict.fromkeys(("s_ve", "t_ve", "g_ve", "h_ve"), sp.S.Zero)
    keys, furthest = bends.keys_length(found), RANGE[found.of.network].atom
    return {
        "s_ve": by * keys, "g_ve": (by * keys) ** 2,
        "t_ve": by * bends.range_apart(found), "h_ve": (by * furthest) ** 2,
    }  # fmt: skip


def _known_scales(found: Bends, by: sp.Expr) -> tuple[Any, ...]:
    if found.one_column:
        return ()
    one, other = found.levels[1], found.levels[2]
    return (
        Instance(f"{VECTORS}.apart", {"g_ve": one, "h_ve": other}),
        weighted(_scaled(found, by)["h_ve"], (one - other) ** 2, sp.S.One),
    )  # fmt: skip


def _f_shares(found: Bends) -> tuple[sp.Expr, sp.Expr]:
    if found.one_column:
        return sp.S.Zero, sp.S.Zero
    return keys_share(found.of), query_share(found.of)


def _pairs(**parts: Any) -> Instance:
    return Instance(f"{VECTORS}.pairs", parts)


def _ready(found: Bends) -> sp.Expr:
    return sp.S.Zero if found.one_column else units_total(found.ready(j) ** 2)


def by_moves(found: Bends) -> sp.Expr:
    """What the largest move is worth, by F_w, F_o and W2."""
    unused = sp.S.Zero if found.of.which == "ideal" else sp.Abs(found.written * idle_worth(found))
    if found.one_column:
        return _QUARTER * bends.by_slope(found) + unused
    scales = _scaled(found, _QUARTER)
    f = scales["s_ve"] * sp.Add(*bends.moved_keys(found)) + scales["t_ve"] * bends.moved_query(found)
    return f + _QUARTER * bends.by_slope(found) + unused


def moves_size(found: Bends) -> sp.Expr:
    """C²/16 (4 |w2|² + ρ²) U + λ² (√3 C/4 + √2/T)², U the units that are on at one."""
    scales = _scaled(found, _QUARTER)
    return (4 * scales["g_ve"] + scales["h_ve"]) * _ready(found) + (_OUTPUT + _UNUSED) ** 2


def _moves(which: str, found: Bends) -> Case:
    n, one_column, moves = found.of.network, found.one_column, found.moves
    keys, query = _f_shares(found)
    entries, count, worth = bends.entries_share(found), _ready(found), (_QUARTER * SLOPE) ** 2
    slope, own, read = SLOPES[n][_LAST_ROW], found.idle[_LAST_ROW], found.read
    known: list[Any] = [
        *_known_scales(found, _QUARTER), _read(found, LAST_CHANNEL, _shared(found)),
        Instance("sharpness.averages.below-one", {"m_av": slope}), Instance(f"{VECTORS}.inside", {"c_ve": own}),
        weighted(worth * own**2 * read**2, slope**2, sp.S.One),
        weighted(worth * read**2, own**2, sp.S.One), weighted(worth, read**2, 3 * entries),
    ]  # fmt: skip
    unused = sp.S.Zero
    if which != "ideal":
        w, written = idle_worth(found), found.written
        unused = sp.Abs(written * w)
        known += [
            _written(found, LAST_CHANNEL), f"{LABEL}.idle[{which}]", weighted(written**2, w**2, (SLOPE / T) ** 2),
            weighted((SLOPE / T) ** 2, written**2, 2 * entries),
        ]  # fmt: skip
    if not one_column:
        f_w, f_o, on = found.of.keys, found.of.query, found.on
        known += [
            _gated(found.ready, lambda t: moves[1] * on[1, t], f_w, found.ready, lambda t: -moves[2] * on[2, t], f_w),
            _seen(found.ready, lambda t: moves[3] * on[3, t], f_o),
        ]  # fmt: skip
    parts = {
        "a_ve": sp.S.Zero if one_column else sp.Add(*bends.moved_keys(found)),
        "b_ve": sp.S.Zero if one_column else bends.moved_query(found),
        "p_ve": 4 * count, "q_ve": count, "e_ve": keys, "f_ve": query, "c_ve": _QUARTER * bends.by_slope(found),
        "d_ve": unused, "u_ve": _OUTPUT, "v_ve": _UNUSED, "o_ve": entries,
    }  # fmt: skip
    return stated(
        f"{LABEL}.moves", which,
        Step(by_moves(found) ** 2, "by F_w, F_o and W2"),
        Step(moves_size(found) * bends.outputs_share(found), "by lengths", "Cauchy-Schwarz",
             (*known, _pairs(**_scaled(found, _QUARTER), **parts))),
    )  # fmt: skip


moves = lemma(
    label=f"{LABEL}.moves",
    statement="What the largest move of an average of bits is worth to the bends of two rows' logits and on slopes is "
    "in squares at most C²/16 (4 |w2|² + ρ²) U + λ² (√3 C/4 + √2/T)² times the squared lengths of F_w, F_o and four "
    "entries of W2, U the units that are on at one.",
    cases=cases(_moves),
)


def by_units(found: Bends) -> sp.Expr:
    """What M and Gamma are worth, by F_w, F_o and W2."""
    gates = sp.Add(*bends.by_gates(found))
    if found.one_column:
        return gates
    f = bends.keys_length(found) * sp.Add(*bends.gated_keys(found))
    return f + bends.range_apart(found) * sp.Add(*bends.gated_query(found)) + gates


def _weights(found: Bends) -> tuple[sp.Expr, sp.Expr]:
    """Squared output weights of units that are on at one, and of those that are off at zero."""
    return units_total(found.weight(j) ** 2), units_total(found.passed(j) ** 2)


def _roots(found: Bends) -> tuple[sp.Expr, sp.Expr]:
    weights, passed = _weights(found)
    return sp.sqrt(2 * (weights + passed)), sp.sqrt(6 * weights)


def units_size(found: Bends) -> sp.Expr:
    """2 |w2|² + 2 ρ² + (√(2(A + B)) + √(6A))²."""
    scales = _scaled(found, sp.S.One)
    return 2 * scales["g_ve"] + 2 * scales["h_ve"] + sp.Add(*_roots(found)) ** 2


def _units(which: str, found: Bends) -> Case:
    gates, entries = bends.gates_share(found), bends.entries_share(found)
    keys, query = _f_shares(found)
    m, gamma, on, seen = found.inputs, found.biases, found.on, found.seen
    rows, output = (sp.Add(*pair) for pair in (bends.gated_rows(found), bends.gated_output(found)))
    weights, passed = _weights(found)
    root, other_root = _roots(found)

    def by_inputs(t: sp.Symbol) -> sp.Expr:
        return bends.by_inputs(found, t)

    def by_biases(t: sp.Symbol) -> sp.Expr:
        return bends.by_biases(found, t)

    def last(t: sp.Symbol) -> sp.Expr:
        return on[3, t] * seen[3]

    def last_on(t: sp.Symbol) -> sp.Expr:
        return on[3, t]

    known: list[Any] = [
        *_known_scales(found, sp.S.One), _written(found, LAST_CHANNEL), _read(found, LAST_CHANNEL, _shared(found)),
        _gated(found.weight, by_inputs, m, found.passed, by_biases, gamma),
        _gated(found.weight, last, m, found.weight, last_on, gamma),
        _product(found.written, 2, entries, rows, weights + passed, gates),
        _product(found.read, 3, entries, output, 2 * weights, gates),
    ]  # fmt: skip
    if not found.one_column:
        known += [_gated(f, q, m, f, g, gamma) for f, q, g in (
            (found.of.keys, by_inputs, by_biases), (found.of.query, last, last_on),
        )]  # fmt: skip
    parts = {
        "a_ve": sp.S.Zero if found.one_column else sp.Add(*bends.gated_keys(found)),
        "b_ve": sp.S.Zero if found.one_column else sp.Add(*bends.gated_query(found)),
        "p_ve": 2, "q_ve": 2, "e_ve": gates * keys, "f_ve": gates * query, "o_ve": gates * entries,
        "c_ve": found.written * rows, "d_ve": found.read * output, "u_ve": root, "v_ve": other_root,
    }  # fmt: skip
    return stated(
        f"{LABEL}.units", which,
        Step(by_units(found) ** 2, "by F_w, F_o and W2"),
        Step(units_size(found) * (gates * bends.outputs_share(found)), "by lengths", "Cauchy-Schwarz",
             (*known, _pairs(**_scaled(found, sp.S.One), **parts))),
    )  # fmt: skip


units = lemma(
    label=f"{LABEL}.units",
    statement="What M and Gamma are worth to the bends of two rows' logits is in squares at most "
    "2 |w2|² + 2 ρ² + (√(2(A+B)) + √(6A))² times their squared length and times that of F_w, F_o and four entries of "
    "W2, A and B the squared output weights of units that are on at one, and of those that are off at zero.",
    cases=cases(_units),
)

# --- F against W2 and against itself --------------------------------------------------------------


def by_w2_size(found: Bends) -> sp.Expr:
    """√(2Δ) + √3 L."""
    return sp.sqrt(2 * rises(found.of)) + sp.sqrt(3 * tops(found.of))


def itself_size(found: Bends) -> sp.Expr:
    """√Δ |w2| L."""
    return bends.keys_length(found) * sp.sqrt(rises(found.of) * tops(found.of))


def _rooted(c: sp.Expr, p: sp.Expr, e: sp.Expr, b: sp.Expr, q: sp.Expr) -> Instance:
    """From c ≤ p e and b² ≤ q (1 - e) to 2 √c b ≤ √(p q)."""
    return Instance(f"{VECTORS}.rooted", {"c_ve": c, "p_ve": p, "e_ve": e, "b_ve": b, "q_ve": q})


def _apart(found: Bends, f: _Of) -> Instance:
    """From ((h - h')·f)² to |h(1) - h(0)|² |f|²."""
    return _seen(RISE[found.of.network], lambda t: found.risen[1, t] - found.risen[2, t], f)


def _last(found: Bends, f: _Of) -> Instance:
    """From (h_o·f)² to |h(1)|² |f|²."""
    return _seen(TOP[found.of.network], LAST[found.of.network], f)


def _by_w2(which: str, found: Bends) -> Case:
    columns, rows = (length**2 for length in bends.lengths(found))
    apart, last = (bends.hidden_apart(found, found.by_columns), bends.hidden_last(found, found.by_rows))
    w_columns, w_rows, over = bends.columns_share(found), bends.rows_share(found), {"over": (i, 1, LAST_CHANNEL)}
    spread, length = rises(found.of), tops(found.of)
    return stated(
        f"{LABEL}.by-w2", which,
        Step(2 * sp.Add(*bends.by_w2(found)), "by F and W2"),
        Step(by_w2_size(found), "√(2Δ) + √3 L", "two shares of a unit direction", (
            f"{LABEL}.unit[columns-{which}]", f"{LABEL}.unit[rows-{which}]",
            _written(found, i, **over), _read(found, i, found.rows[3, i], **over),
            _apart(found, found.by_columns), _last(found, found.by_rows),
            weighted(spread, units_total(found.by_columns[j] ** 2), 1 - w_columns),
            weighted(length, units_total(found.by_rows[j] ** 2), 1 - w_rows),
            _rooted(columns, sp.Integer(2), w_columns, apart, spread),
            _rooted(rows, sp.Integer(3), w_rows, last, length),
        )),
    )  # fmt: skip


def _by_itself(which: str, found: Bends) -> Case:
    keys, query = _f_shares(found)
    apart, last = bends.hidden_apart(found, found.of.keys), bends.hidden_last(found, found.of.query)
    spread, length = rises(found.of), tops(found.of)
    return stated(
        f"{LABEL}.itself", which,
        Step(2 * apart * last, "by F"),
        Step(sp.sqrt(spread * length), "√Δ L", "two shares of a unit direction", (
            f"{LABEL}.unit[entries-{which}]", _apart(found, found.of.keys), _last(found, found.of.query),
            weighted(length, query, 1 - keys),
            Instance(f"{VECTORS}.crossed", {"a_ve": apart, "p_ve": spread, "e_ve": keys, "b_ve": last, "q_ve": length}),
            Instance(f"{VECTORS}.below", {"a_ve": 2 * apart * last, "p_ve": sp.sqrt(spread * length)}),
        )),
    )  # fmt: skip


by_w2 = lemma(
    label=f"{LABEL}.by-w2",
    statement="What F and W2 are worth together to the bends of two rows' logits is at most √(2Δ) + √3 L, "
    "Δ = |h(1) - h(0)|² and L = |h(1)|.",
    cases=cases(_by_w2),
)
by_itself = lemma(
    label=f"{LABEL}.itself",
    statement="2 (h - h')·F_w h_o·F_o is at most √Δ L, Δ = |h(1) - h(0)|² and L = |h(1)|.",
    cases=cases(_by_itself, "one-column"),
)
