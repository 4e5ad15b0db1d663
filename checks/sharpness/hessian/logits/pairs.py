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
    OUTPUTS,
    SLOPES,
    mean,
    total,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import RANGE, keys_share, query_share
from boundaudit.checks.sharpness.hessian.idle_rows import MASS
from boundaudit.checks.sharpness.hessian.logits.bends import (
    LABEL,
    LAST_CHANNEL,
    Bends,
    by_slope,
    cases,
    entries_share,
    keys_length,
    moved_keys,
    moved_query,
    outputs_share,
    range_apart,
)
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, lemma, stated, weighted
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import GATES
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSING
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as COUNT
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, j, t

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
_ROWS_GATED, _OUTPUT_GATED = sp.sqrt(2 * (GATES + PASSING)) * _QUARTER, sp.sqrt(6 * GATES) * _QUARTER


def _gated(x: _Of, q: _Of, y: _Of, w: _Of, g: _Of, z: _Of) -> Instance:
    return Instance(f"{VECTORS}.gated", {
        "n_av": UNITS, "x_ve": x, "q_av": q, "y_ve": y, "w_ve": w, "g_av": g, "z_ve": z,
    })  # fmt: skip


def _seen(x: _Of, q: _Of, y: _Of) -> Instance:
    return Instance(f"{VECTORS}.seen", {"n_av": UNITS, "x_ve": x, "q_av": q, "y_ve": y})


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


def _scales(found: Bends) -> dict[str, Any]:
    """What F_w and F_o are multiplied by, and bounds on their squares."""
    if found.one_column:
        return dict.fromkeys(("s_ve", "t_ve", "g_ve", "h_ve"), sp.S.Zero)
    return {
        "s_ve": _QUARTER * keys_length(found), "t_ve": _QUARTER * range_apart(found),
        "g_ve": _QUARTER**2 * KEYS, "h_ve": (_QUARTER * RANGE[found.of.network].atom) ** 2,
    }  # fmt: skip


def _known_scales(found: Bends) -> tuple[Any, ...]:
    if found.one_column:
        return ()
    levels = {"g_ve": found.levels[1], "h_ve": found.levels[2]}
    return (
        f"{_ROWS_OF}.keys[{found.of.network}]", Instance(f"{VECTORS}.apart", levels),
        weighted(_scales(found)["h_ve"], (found.levels[1] - found.levels[2]) ** 2, sp.S.One),
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
        return _QUARTER * by_slope(found) + unused
    scales = _scales(found)
    f = scales["s_ve"] * sp.Add(*moved_keys(found)) + scales["t_ve"] * moved_query(found)
    return f + _QUARTER * by_slope(found) + unused


def _moves_size(found: Bends, count: sp.Expr) -> sp.Expr:
    scales = _scales(found)
    return (4 * scales["g_ve"] + scales["h_ve"]) * count + (_OUTPUT + _UNUSED) ** 2


def moves_size(found: Bends) -> sp.Expr:
    """C²/16 (4 |w2|² + ρ²)(4D+2) + λ² (√3 C/4 + √2/T)²."""
    return _moves_size(found, COUNT)


def _moves(which: str, found: Bends) -> Case:
    n, one_column, moves = found.of.network, found.one_column, found.moves
    keys, query = _f_shares(found)
    entries, count, worth = entries_share(found), _ready(found), (_QUARTER * SLOPE) ** 2
    slope, own, read = SLOPES[n][_LAST_ROW], found.idle[_LAST_ROW], found.read
    known: list[Any] = [
        *_known_scales(found), _read(found, LAST_CHANNEL, _shared(found)), Instance("sharpness.averages.below-one", {"m_av": slope}),
        Instance(f"{VECTORS}.inside", {"c_ve": own}), weighted(worth * own**2 * read**2, slope**2, sp.S.One),
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
        "a_ve": sp.S.Zero if one_column else sp.Add(*moved_keys(found)),
        "b_ve": sp.S.Zero if one_column else moved_query(found),
        "p_ve": 4 * count, "q_ve": count, "e_ve": keys, "f_ve": query, "c_ve": _QUARTER * by_slope(found),
        "d_ve": unused, "u_ve": _OUTPUT, "v_ve": _UNUSED, "o_ve": entries,
    }  # fmt: skip
    steps = [
        Step(by_moves(found) ** 2, "by F_w, F_o and W2"),
        Step(_moves_size(found, count) * outputs_share(found), "by lengths", "Cauchy-Schwarz",
             (*known, _pairs(**_scales(found), **parts))),
    ]  # fmt: skip
    if not one_column:
        steps.append(Step(moves_size(found) * outputs_share(found), "4D+2 units", "on at one", (
            Instance("sharpness.averages.squares", {"n_av": UNITS, "a_av": found.ready}), f"{_ROWS_OF}.ready[{n}]",
            "sharpness.hessian.gates.units.closed-form",
            weighted((4 * _scales(found)["g_ve"] + _scales(found)["h_ve"]) * outputs_share(found), count, COUNT),
        )))  # fmt: skip
    return stated(f"{LABEL}.moves", which, *steps)


moves = lemma(
    label=f"{LABEL}.moves",
    statement="What the move that is largest of all averages of bits is worth to the bends of two rows' logits and to "
    "those on slopes is in squares at most C²/16 (4 |w2|² + ρ²)(4D+2) + λ² (√3 C/4 + √2/T)² times the squared lengths of "
    "F_w, F_o and four entries of W2.",
    cases=cases(_moves),
)
