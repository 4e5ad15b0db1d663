"""The norm of Cov(v, l'') (Theorem 18): each pair of blocks, and all of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    IDLE,
    KEYS_SQUARED,
    LAST,
    OUTPUTS,
    RISE,
    SLOPES,
    TOP,
    mean,
    moved,
    total,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import RANGE, keys_share, own_bound, query_share, rises, tops
from boundaudit.checks.sharpness.hessian.lemmas import MASS
from boundaudit.checks.sharpness.hessian.logits import bends
from boundaudit.checks.sharpness.hessian.logits.bends import BENDS, LABEL, LAST_CHANNEL, Bends, cases
from boundaudit.checks.sharpness.hessian.shared import VECTORS, axiom, both, lemma, norm_of, stated, weighted
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSING
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as COUNT
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, i, j, t

_ROWS_OF, _LAST_ROW = "sharpness.gradients.rows", T + 1
_Of = Callable[[sp.Symbol], sp.Expr] | Family

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
    cases=cases(_idle),
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


def _same(a: sp.Expr, b: sp.Expr) -> Instance:
    """From a = b to a² ≤ b²."""
    return Instance(f"{VECTORS}.same", {"a_ve": a, "b_ve": b})


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
    keys, furthest = bends.keys_length(found), RANGE.atom
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
    """What the largest move is worth to the norm, over 2."""
    return _QUARTER * bends.by_move(found) + sp.Abs(unused(found))


def unused(found: Bends) -> sp.Expr:
    """What it is worth on slopes of unused rows."""
    return found.written * idle_worth(found)


def _scaled_by_f(found: Bends) -> sp.Expr:
    scales = _scaled(found, sp.S.One)
    return (4 * scales["g_ve"] + scales["h_ve"]) * _ready(found)


def moves_size(found: Bends) -> sp.Expr:
    """C²/16 (4 |w2|² + ρ²) U + λ² (√3 C/4 + √2/T)², U the units that are on at one."""
    return _QUARTER**2 * _scaled_by_f(found) + (_OUTPUT + _UNUSED) ** 2


def _by_f(which: str, found: Bends) -> Case:
    (keys, query), count, scales = _f_shares(found), _ready(found), _scaled(found, sp.S.One)
    f_w, f_o, on, moves = found.of.keys, found.of.query, found.on, found.moves
    return stated(
        f"{LABEL}.by-f", which,
        Step(found.by_moves**2, "moves"),
        Step(bends.move_by_blocks(found) ** 2, "by F_w and F_o", "chain rule",
             (f"{bends.moves.label}[{which}]", _same(found.by_moves, bends.move_by_blocks(found)))),
        Step(_scaled_by_f(found) * (keys + query), "by lengths", "Cauchy-Schwarz", (
            *_known_scales(found, sp.S.One),
            _gated(found.ready, lambda t: moves[1] * on[1, t], f_w, found.ready, lambda t: -moves[2] * on[2, t], f_w),
            _seen(found.ready, lambda t: moves[3] * on[3, t], f_o),
            Instance(f"{VECTORS}.bounded", {
                **scales, "a_ve": sp.Add(*bends.moved_keys(found)), "p_ve": 4 * count, "e_ve": keys,
                "b_ve": bends.moved_query(found), "q_ve": count, "f_ve": query,
            }),
        )),
    )  # fmt: skip


by_f = lemma(
    label=f"{LABEL}.by-f",
    statement="What moves of averages of bits make with F_w and F_o is in squares at most (4 |w2|² + ρ²) U times their "
    "squared length, U the units that are on at one.",
    cases=cases(_by_f, "one-column"),
)


def _moves(which: str, found: Bends) -> Case:
    entries, worth, slopes = bends.entries_share(found), (_QUARTER * SLOPE) ** 2, _QUARTER * bends.by_slope(found)
    slope, own, read = SLOPES[found.of.network][_LAST_ROW], found.idle[_LAST_ROW], found.read
    idle, by_f = sp.Abs(unused(found)), _QUARTER**2 * _scaled_by_f(found)
    w, written = idle_worth(found), found.written
    known: list[Any] = [
        _read(found, LAST_CHANNEL, _shared(found)), Instance("sharpness.averages.below-one", {"m_av": slope}),
        Instance(f"{VECTORS}.inside", {"c_ve": own}), weighted(worth * own**2 * read**2, slope**2, sp.S.One),
        weighted(worth * read**2, own**2, sp.S.One), weighted(worth, read**2, 3 * entries),
        _written(found, LAST_CHANNEL), f"{LABEL}.idle[{which}]", weighted(written**2, w**2, (SLOPE / T) ** 2),
        weighted((SLOPE / T) ** 2, written**2, 2 * entries),
        Instance(f"{VECTORS}.alike", {"a_ve": slopes, "p_ve": _OUTPUT, "b_ve": idle, "q_ve": _UNUSED, "e_ve": entries}),
    ]  # fmt: skip
    if not found.one_column:
        f = sp.Add(*_f_shares(found))
        known += [
            f"{LABEL}.by-f[{which}]", weighted(_QUARTER**2, found.by_moves**2, _scaled_by_f(found) * f),
            both(_QUARTER * found.by_moves, by_f, f, slopes + idle, (_OUTPUT + _UNUSED) ** 2, entries),
        ]  # fmt: skip
    return stated(
        f"{LABEL}.by-moves", which,
        Step(by_moves(found) ** 2, "by F_w, F_o and W2"),
        Step(moves_size(found) * bends.outputs_share(found), "by lengths", "Cauchy-Schwarz", tuple(known)),
        Step(moves_size(found) * found.writing.atom, "by lengths", "entry by entry",
             f"{bends.shares.label}[writing-{which}]"),
    )  # fmt: skip


by_moves_size = lemma(
    label=f"{LABEL}.by-moves",
    statement="What the largest move of an average of bits is worth to the bends of two rows' logits and on slopes is "
    "in squares at most C²/16 (4 |w2|² + ρ²) U + λ² (√3 C/4 + √2/T)² times the squared lengths of F_w, F_o and four "
    "entries of W2, U the units that are on at one.",
    cases=cases(_moves),
)


def _weights(found: Bends) -> tuple[sp.Expr, sp.Expr]:
    """Squared output weights of units that are on at one, and of those of them that are off at zero."""
    return units_total(found.weight(j) ** 2), units_total(found.passed(j) ** 2)


def _roots(weights: sp.Expr, passed: sp.Expr) -> sp.Expr:
    """√(2(A + B)) + √(6A)."""
    return sp.sqrt(2 * (weights + passed)) + sp.sqrt(6 * weights)


def rising(p: sp.Expr, q: sp.Expr) -> Instance:
    """From 0 ≤ p ≤ q to √p ≤ √q."""
    return Instance(f"{VECTORS}.rising", {"p_ve": p, "q_ve": q})


def _units_size(found: Bends, weights: sp.Expr, passed: sp.Expr) -> sp.Expr:
    scales = _scaled(found, sp.S.One)
    return 2 * scales["g_ve"] + 2 * scales["h_ve"] + _roots(weights, passed) ** 2


def units_size(found: Bends) -> sp.Expr:
    """2 |w2|² + 2 ρ² + (√(2(A + B)) + √(6A))²."""
    return _units_size(found, GATES, PASSING)


def _units(which: str, found: Bends) -> Case:
    n, gates, entries = found.of.network, bends.gates_share(found), bends.entries_share(found)
    keys, query = _f_shares(found)
    m, gamma, on, seen = found.inputs, found.biases, found.on, found.seen
    rows, output = (sp.Add(*pair) for pair in (bends.gated_rows(found), bends.gated_output(found)))
    weights, passed = _weights(found)

    summed, shares = _units_size(found, weights, passed), found.gating.atom * found.writing.atom

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
        "c_ve": found.written * rows, "d_ve": found.read * output, "u_ve": sp.sqrt(2 * (weights + passed)),
        "v_ve": sp.sqrt(6 * weights),
    }  # fmt: skip
    return stated(
        f"{LABEL}.by-units", which,
        Step(found.by_units**2, "units"),
        Step(bends.units_by_blocks(found) ** 2, "by F_w, F_o and W2", "chain rule",
             (f"{bends.units.label}[{which}]", _same(found.by_units, bends.units_by_blocks(found)))),
        Step(summed * (gates * bends.outputs_share(found)), "by lengths", "Cauchy-Schwarz",
             (*known, _pairs(**_scaled(found, sp.S.One), **parts))),
        Step(summed * shares, "by lengths", "entry by entry",
             (f"{bends.shares.label}[gating-{which}]", f"{bends.shares.label}[writing-{which}]")),
        Step(units_size(found) * shares, "A and B", "as written down", (
            f"{_ROWS_OF}.output[{n}]", "sharpness.gradients.live",
            f"{_ROWS_OF}.passed[{n}]", "sharpness.hessian.gates.rise.closed-form",
            rising(2 * (weights + passed), 2 * (GATES + PASSING)), rising(6 * weights, 6 * GATES),
            Instance("sharpness.averages.squared", {
                "e_av": _roots(weights, passed), "x_av": _roots(GATES, PASSING),
            }),
            weighted(shares, _roots(weights, passed) ** 2, _roots(GATES, PASSING) ** 2),
        )),
    )  # fmt: skip


by_units_size = lemma(
    label=f"{LABEL}.by-units",
    statement="What M and Gamma are worth to the bends of two rows' logits is in squares at most "
    "2 |w2|² + 2 ρ² + (√(2(A+B)) + √(6A))² times their squared length and times that of F_w, F_o and four entries of "
    "W2, A and B the squared output weights of units that are on at one, and of those that are off at zero.",
    cases=cases(_units),
)

# --- F against W2 and against itself --------------------------------------------------------------


BY_W2 = sp.sqrt(2 * SPREAD) + sp.sqrt(3 * LENGTH)
"""√(2Δ) + √3 L."""
ITSELF = sp.sqrt(SPREAD * LENGTH)
"""√Δ L."""


def _closed(network: str) -> tuple[str, ...]:
    """What hidden units rise by, and what they are at one, squared and summed."""
    return (
        f"{_ROWS_OF}.rise[{network}]", "sharpness.activations.hidden.spread.closed-form",
        f"{_ROWS_OF}.top[{network}]", "sharpness.activations.hidden.length.closed-form",
    )  # fmt: skip


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
        Step(sp.sqrt(2 * spread) + sp.sqrt(3 * length), "summed", "two shares of a unit direction", (
            f"{LABEL}.unit[columns-{which}]", f"{LABEL}.unit[rows-{which}]",
            _written(found, i, **over), _read(found, i, found.rows[3, i], **over),
            _apart(found, found.by_columns), _last(found, found.by_rows),
            weighted(spread, units_total(found.by_columns[j] ** 2), 1 - w_columns),
            weighted(length, units_total(found.by_rows[j] ** 2), 1 - w_rows),
            _rooted(columns, sp.Integer(2), w_columns, apart, spread),
            _rooted(rows, sp.Integer(3), w_rows, last, length),
        )),
        Step(BY_W2, "√(2Δ) + √3 L", "as written down", (
            *_closed(found.of.network), rising(2 * spread, 2 * SPREAD), rising(3 * length, 3 * LENGTH),
        )),
    )  # fmt: skip


def _by_itself(which: str, found: Bends) -> Case:
    keys, query = _f_shares(found)
    apart, last = bends.hidden_apart(found, found.of.keys), bends.hidden_last(found, found.of.query)
    spread, length = rises(found.of), tops(found.of)
    return stated(
        f"{LABEL}.itself", which,
        Step(2 * apart * last, "by F"),
        Step(ITSELF, "√Δ L", "two shares of a unit direction", (
            *_closed(found.of.network),
            f"{LABEL}.unit[entries-{which}]", f"{bends.shares.label}[writing-{which}]",
            _apart(found, found.of.keys), _last(found, found.of.query),
            weighted(keys, spread, SPREAD), weighted(length, query, 1 - keys), weighted(1 - keys, length, LENGTH),
            Instance(f"{VECTORS}.crossed", {
                "a_ve": apart, "p_ve": SPREAD, "e_ve": keys, "b_ve": last, "q_ve": LENGTH,
            }),
            Instance(f"{VECTORS}.root", {"a_ve": 2 * apart * last, "p_ve": SPREAD * LENGTH}),
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


def rest_size(found: Bends) -> sp.Expr:
    """√(2Δ) + √3 L, and √Δ |w2| L where F writes positions."""
    return BY_W2 if found.one_column else BY_W2 + bends.keys_length(found) * ITSELF


def _by_outputs(which: str, found: Bends) -> Case:
    known: list[Any] = [f"{LABEL}.by-w2[{which}]"]
    if not found.one_column:
        length = bends.keys_length(found)
        known += [f"{LABEL}.itself[{which}]", weighted(length, 2 * bends.by_itself(found) / length, ITSELF)]
    return stated(
        f"{LABEL}.by-outputs", which,
        Step(found.by_outputs, "F"),
        Step(bends.outputs_by_blocks(found), "block by block", "chain rule", f"{bends.outputs.label}[{which}]"),
        Step(rest_size(found) / 2, "√(2Δ) + √3 L + √Δ |w2| L, over 2", "two shares of a unit direction", tuple(known)),
    )  # fmt: skip


by_outputs = lemma(
    label=f"{LABEL}.by-outputs",
    statement="What F makes with W2 and with itself is at most (√(2Δ) + √3 L + √Δ |w2| L)/2; without the last "
    "where F's last column alone counts.",
    cases=cases(_by_outputs),
)


# --- the norm of Cov(v, l''), from its leading direction to a closed form -------------------------


def _flat(found: Bends) -> sp.Expr:
    """Σ a (g - Σ a g) y."""
    return moved(found.of.network, lambda t: found.level[t])


def _covaried(found: Bends) -> sp.Expr:
    return SUM * found.reach.atom * _flat(found) + 2 * bends.size(found) * unused(found)


form = axiom(
    label=f"{LABEL}.form",
    statement="The operator norm of the part Cov(v, l'') is what its form is along the direction in which it is "
    "largest: C |Σ a (g - Σ a g)(S y + n)|, g the values over C, y how far the logits' bends lie from the least to the "
    "most, S apart, and n what slopes of unused rows add; components rest on plateaus.",
    cases=cases(
        lambda which, found: Case(which, left=norm_of("logits", which), right=lambda: sp.Abs(_covaried(found)))
    ),
)


def _root_size(found: Bends) -> sp.Expr:
    return TOKEN_BOUND * moves_size(found) + _QUARTER**2 * units_size(found)


def _closed_root(found: Bends) -> sp.Expr:
    """With U, A and B in closed form."""
    return _root_size(found).xreplace({_counted(found): COUNT})


def _counted(found: Bends) -> sp.Expr:
    return units_total(found.ready(j) ** 2)


def _closing(found: Bends) -> Iterator[Step]:
    if not found.one_column:
        n = found.of.network
        yield Step(_closed_root(found), "U", "as written down", (
            f"{_ROWS_OF}.ready[{n}]", "sharpness.hessian.gates.units.closed-form",
            Instance("sharpness.averages.squares", {"n_av": UNITS, "a_av": found.ready}),
        ))  # fmt: skip


def _in_root(found: Bends) -> sp.Expr:
    return bends.size(found) * by_moves(found) + _QUARTER * found.by_units


def _root(which: str, found: Bends) -> Case:
    moving, gates, outputs = found.moving.atom, found.gating.atom, found.writing.atom
    halves = 4 * outputs * (moving + gates)
    return stated(
        f"{LABEL}.root", which,
        Step((2 * _in_root(found)) ** 2, "moves, and units"),
        Step(_root_size(found) * halves, "by lengths", "two shares of a direction", (
            f"{LABEL}.by-moves[{which}]", f"{LABEL}.by-units[{which}]",
            f"sharpness.hessian.moved-rows.moved[{found.row.name}]", f"{bends.shares.label}[moving-{which}]",
            weighted(_QUARTER**2, found.by_units ** 2, units_size(found) * (gates * outputs)),
            Instance(f"{VECTORS}.across", {
                "s_ve": bends.size(found), "u_ve": TOKEN_BOUND, "e_ve": moving, "a_ve": by_moves(found),
                "p_ve": moves_size(found), "b_ve": _QUARTER * found.by_units, "q_ve": _QUARTER**2 * units_size(found),
                "f_ve": gates, "o_ve": outputs,
            }),
        )),
        Step(_root_size(found), "at most halves", "at unit length", (
            f"{LABEL}.unit[entries-{which}]", Instance(f"{VECTORS}.whole", {"e_ve": outputs, "f_ve": moving + gates}),
            weighted(_root_size(found), halves, sp.S.One),
        )),
        *_closing(found),
    )  # fmt: skip


root = lemma(
    label=f"{LABEL}.root",
    statement="What moves of averages of bits, M and Gamma are worth to the bends of two rows' logits, times C/4, and "
    "on slopes is in squares at most Z² (C²/16 (4 |w2|² + ρ²) U + λ² (√3 C/4 + √2/T)²) "
    "+ C²/16 (2 |w2|² + 2 ρ² + (√(2(A+B)) + √(6A))²), U, A and B of units that are on at one.",
    cases=cases(_root),
)


def _sizes(found: Bends) -> sp.Expr:
    return sp.sqrt(_closed_root(found)) + _QUARTER * rest_size(found)


def _gathered(found: Bends) -> Iterator[Step]:
    if not found.one_column:
        keys, root = KEYS_SQUARED[found.of.network].atom, _closed_root(found)
        yield Step(_sizes(found).xreplace({keys: KEYS}), "|w2|²", "as written down", (
            f"{_ROWS_OF}.keys[{found.of.network}]", rising(root, root.xreplace({keys: KEYS})), rising(keys, KEYS),
            weighted(_QUARTER * ITSELF, sp.sqrt(keys), sp.sqrt(KEYS)),
        ))  # fmt: skip
    yield Step(own_bound("logits", found.of.which), "gathered")


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound."""
    found = BENDS[which]
    network = found.of.network
    reach, idle, size = found.reach.atom, unused(found), bends.size(found)
    about = {"n_av": T + 1, "a_av": ATTENTION[network], "g_av": OUTPUTS[network], "q_av": found.level}
    spread = _QUARTER * reach + 2 * size * sp.Abs(idle)
    rest = _QUARTER * 2 * found.by_outputs
    root_size = sp.sqrt(_closed_root(found))
    return (
        Step(norm_of("logits", which), "‖Cov(v, l'')‖"),
        Step(sp.Abs(_covaried(found)), "along its leading direction", "an operator norm is attained",
             f"{form.label}[{which}]"),
        Step(spread, "half of a range", "of values from 0 to C", (
            f"{_ROWS_OF}.weights[{network}]", Instance(f"{VECTORS}.covaried", about),
            Instance(f"{VECTORS}.beside", {"s_ve": SUM * reach, "p_ve": _flat(found), "a_ve": size, "b_ve": idle}),
        )),
        Step(2 * _in_root(found) + rest, "block by block", "chain rule", f"{LABEL}.bend[{which}]"),
        Step(root_size + rest, "moves, and units", "by lengths", (
            f"{LABEL}.root[{which}]",
            Instance(f"{VECTORS}.root", {"a_ve": 2 * _in_root(found), "p_ve": _closed_root(found)}),
        )),
        Step(_sizes(found), "F against W2 and itself", "two shares of a unit direction",
             (f"{LABEL}.by-outputs[{which}]", weighted(2 * _QUARTER, found.by_outputs, rest_size(found) / 2))),
        *_gathered(found),
    )  # fmt: skip
