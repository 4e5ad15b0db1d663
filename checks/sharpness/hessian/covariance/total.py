"""The norm of 2 Cov(v', l'), from its leading direction to a closed form."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, IDLE, SLOPES, total
from boundaudit.checks.sharpness.hessian.covariance.flat_values import (
    LABEL,
    ROWS_OF,
    VALUES,
    Values,
    cases,
    flat_share,
    spread_squared,
    unit_sums,
)
from boundaudit.checks.sharpness.hessian.directions import RANGE, Moves, half, own_bound, reach_squared
from boundaudit.checks.sharpness.hessian.families import norm_of
from boundaudit.checks.sharpness.hessian.idle_rows import MASS, leak
from boundaudit.checks.sharpness.hessian.moved_rows import FARTHEST, moved, share
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, lemma, stated, weighted
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSED
from boundaudit.derivations.sharpness.mlp import SLOPE
from boundaudit.derivations.sharpness.parameters import T, t

_ROWS = T + 1
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
    cases=cases(_through_idle, "ideal"),
)


def _flat_covariance(found: Values) -> sp.Expr:
    """Σ a y (q - Σ a q)."""
    return total(ATTENTION[found.of.network][t] * found.level[t] * _turn(found.of)(t))


def _covaried(found: Values) -> sp.Expr:
    flat = found.reach.atom * _flat_covariance(found)
    if found.of.which == "ideal":
        return flat
    return flat + FARTHEST[found.of.which].move * _worth_covaried(found)


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
    if found.of.which == "ideal":
        return flat_share(found)
    return flat_share(found) + share(FARTHEST[found.of.which])


unit = axiom(
    label=f"{LABEL}.unit",
    statement="The squared lengths of parts and entries of a direction of unit length add up to at most one.",
    relation="<=",
    right=1,
    cases=cases(lambda which, found: Case(which, left=lambda: half(found.of) + _rest(found))),
)


def _size(found: Values) -> sp.Expr:
    """(C² (A + B + Δ) + 3)/16 + Z² (C λ)² leak/4."""
    flat = spread_squared(found) / 16
    return flat if found.of.which == "ideal" else flat + _STEEPEST**2 * (MASS / 4) * TOKEN_BOUND


def _left(which: str, found: Values) -> Case:
    network, size, moving = found.of.network, _size(found), half(found.of)
    reach, cov = found.reach.atom, _flat_covariance(found)
    known: tuple[str | Instance, ...] = (
        f"{ROWS_OF}.weights[{network}]", f"{LABEL}.spread[{which}]", Instance(f"{VECTORS}.covaried", {
            "n_av": _ROWS, "a_av": ATTENTION[network], "g_av": found.level, "q_av": found.of.share,
        }),
    )  # fmt: skip
    if which == "ideal":
        known += (weighted(reach**2, cov**2, sp.Rational(1, 16)),)
    else:
        row = FARTHEST[which]
        known += (f"{moved.label}[{row.name}]", f"{LABEL}.idle-covariance[{which}]", Instance(f"{VECTORS}.bounded", {
            "a_ve": reach, "p_ve": spread_squared(found), "e_ve": flat_share(found), "s_ve": cov,
            "g_ve": sp.Rational(1, 16), "b_ve": row.move, "q_ve": TOKEN_BOUND, "f_ve": share(row),
            "t_ve": _worth_covaried(found), "h_ve": _STEEPEST**2 * (MASS / 4),
        }))  # fmt: skip
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
    uses = () if which == "ideal" else (
        leak.label, weighted(TOKEN_BOUND * SLOPE**2 * SUM / 4, SUM * MASS, 1 / T),
    )  # fmt: skip
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
        Step(KEYS * SPREAD + RANGE[of.network].atom ** 2 * LENGTH + 6, "R²", "as written down", (
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
    closed = sp.Integer(6) if alone else KEYS * SPREAD + RANGE[of.network].atom ** 2 * LENGTH + 6
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
