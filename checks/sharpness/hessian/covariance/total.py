"""The norm of 2 Cov(v', l'), from its leading direction to a closed form."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, total
from boundaudit.checks.sharpness.hessian.covariance.flat_values import flat_share, spread_squared, unit_sums
from boundaudit.checks.sharpness.hessian.covariance.unused_rows import (
    STEEPEST,
    turn,
    worth_covaried,
)
from boundaudit.checks.sharpness.hessian.covariance.values import (
    LABEL,
    ROWS_OF,
    VALUES,
    Values,
    cases,
)
from boundaudit.checks.sharpness.hessian.directions import RANGE, half, own_bound, reach_squared
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


def _flat_covariance(found: Values) -> sp.Expr:
    """Σ a y (q - Σ a q)."""
    return total(ATTENTION[found.of.network][t] * found.level[t] * turn(found.of)(t))


def _covaried(found: Values) -> sp.Expr:
    flat = found.reach.atom * _flat_covariance(found)
    if found.of.which == "ideal":
        return flat
    return flat + FARTHEST[found.of.which].move * worth_covaried(found)


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
    if found.of.which == "ideal":
        return flat
    return flat + STEEPEST**2 * (MASS / 4) * TOKEN_BOUND


def _through_both(which: str, found: Values) -> Case:
    network = found.of.network
    about = {"n_av": T + 1, "a_av": ATTENTION[network], "g_av": found.level, "q_av": found.of.share}
    known = (
        f"{ROWS_OF}.weights[{network}]", f"{LABEL}.spread[{which}]", Instance(f"{VECTORS}.covaried", about),
    )  # fmt: skip
    size, flat, reach, cov = spread_squared(found), flat_share(found), found.reach.atom, _flat_covariance(found)
    start = Step(_covaried(found) ** 2, "(Σ a (S y + n)(q - Σ a q))²")
    if which == "ideal":
        least = weighted(reach**2, cov**2, sp.Rational(1, 16))
        return stated(f"{LABEL}.squared", which, start, Step(_size(found) * flat, "Cov² ≤ 1/16", "", (*known, least)))
    row = FARTHEST[which]
    parts = {
        "a_ve": reach, "p_ve": size, "e_ve": flat, "s_ve": cov, "g_ve": sp.Rational(1, 16),
        "b_ve": row.move, "q_ve": TOKEN_BOUND, "f_ve": share(row),
        "t_ve": worth_covaried(found), "h_ve": STEEPEST**2 * (MASS / 4),
    }  # fmt: skip
    end = _size(found) * _rest(found)
    return stated(f"{LABEL}.squared", which, start, Step(end, "flat changes, and unused rows", "", (
        *known, f"{moved.label}[{row.name}]", f"{LABEL}.idle-covariance[{which}]",
        Instance(f"{VECTORS}.bounded", parts),
    )))  # fmt: skip


squared = lemma(
    label=f"{LABEL}.squared",
    statement="The covariance of the changes of values with how far those of logits lie from the least to the most is "
    "in squares at most ((C² (A + B + Δ) + 3)/4 + Z² (C λ)² times the attention to unused rows)/4 times the squared "
    "length of what moves values.",
    cases=cases(_through_both),
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
    cases=cases(_reach_closed, {which: found for which, found in VALUES.items() if which != "one-column"}),
)


# --- the norm --------------------------------------------------------------------------------------


def _left(which: str, found: Values) -> Case:
    size, moving = _size(found), half(found.of)
    return stated(
        f"{LABEL}.left", which,
        Step(_covaried(found) ** 2, "Cov²"),
        Step(size * _rest(found), "by lengths", "", f"{LABEL}.squared[{which}]"),
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
        Step(norm_of("covariance", which), "‖2 Cov(v', l')‖"),
        Step(2 * of.reach.atom * sp.Abs(covaried), "along its leading direction", "an operator norm is attained",
             f"{form.label}[{which}]"),
        Step(own_bound("covariance", which), "two standard deviations", "half of each range", (
            f"{LABEL}.gathered[{which}]", f"{LABEL}.size[{which}]",
            *(() if alone else (f"{LABEL}.reach[{which}]",)), Instance(f"{VECTORS}.roots", parts),
        )),
    )  # fmt: skip
