"""What rows that no component uses add to the covariance where they lie on flanks."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, IDLE, SLOPES, total
from boundaudit.checks.sharpness.hessian.covariance.values import (
    FINITE,
    LABEL,
    ROWS_OF,
    Values,
    cases,
)
from boundaudit.checks.sharpness.hessian.directions import Moves
from boundaudit.checks.sharpness.hessian.idle_rows import MASS
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, lemma, stated, weighted
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.mlp import SLOPE
from boundaudit.derivations.sharpness.parameters import T, t

_ROWS = T + 1
STEEPEST = SUM * SLOPE


def turn(of: Moves) -> Callable[[sp.Symbol], sp.Expr]:
    """Q - Σ a q, row by row."""
    a, q = ATTENTION[of.network], of.share
    return lambda t: q[t] - total(a[t] * q[t])


def _idle_covaried(found: Values) -> sp.Expr:
    """Σ a ι η (q - Σ a q)."""
    return total(ATTENTION[found.of.network][t] * IDLE[t] * found.moves[t] * turn(found.of)(t))


def _worth(found: Values) -> sp.Expr:
    """C λ k: what a move of an unused row's average of bits is worth."""
    return STEEPEST * SLOPES[found.of.network][_ROWS]


def worth_covaried(found: Values) -> sp.Expr:
    """C λ k Σ a ι η (q - Σ a q)."""
    return _worth(found) * _idle_covaried(found)


def _through_idle(which: str, found: Values) -> Case:
    a, about = ATTENTION[found.of.network], turn(found.of)
    spread, own = total(a[t] * about(t) ** 2), _idle_covaried(found) ** 2
    squares = total(a[t] * IDLE[t] ** 2 * found.moves[t] ** 2)
    scale, slope = STEEPEST**2, SLOPES[found.of.network][_ROWS]
    return stated(
        f"{LABEL}.idle-covariance", which,
        Step(worth_covaried(found) ** 2, "(C λ k)² Cov(ι η, q)²"),
        Step(scale * own, "k ≤ 1", "", (
            Instance("sharpness.averages.below-one", {"m_av": slope}), weighted(scale * own, slope**2, sp.S.One),
        )),
        Step(scale * (squares * spread), "Cauchy-Schwarz", "weighed by attention", (
            Instance(f"{VECTORS}.cauchy", {
                "n_av": T + 1, "x_ve": lambda t: sp.sqrt(a[t]) * (IDLE[t] * found.moves[t]),
                "y_ve": lambda t: sp.sqrt(a[t]) * about(t),
            }),
            weighted(scale, own, squares * spread),
        )),
        Step(scale * (squares / 4), "a variance", "of numbers from 0 to 1", (
            f"{ROWS_OF}.weights[{found.of.network}]",
            Instance(f"{VECTORS}.varied", {"n_av": T + 1, "a_av": a, "q_av": found.of.share}),
            weighted(scale * squares, spread, sp.Rational(1, 4)),
        )),
        Step(scale * (MASS / 4), "attention to unused rows", "η between -1 and 1", (
            Instance(f"{VECTORS}.within", {"g_ve": IDLE[t], "c_ve": found.moves[t]}, over=(t, 1, T + 1),
                     weight=a[t]),
            weighted(scale / 4, squares, MASS),
        )),
    )  # fmt: skip


idle_covariance = lemma(
    label=f"{LABEL}.idle-covariance",
    statement="What unused rows alone move covaries with how far the changes of logits lie from the least to the most "
    "in squares by at most a quarter of the attention to those rows, times (C λ)², λ the steepest slope.",
    cases=cases(_through_idle, FINITE),
)
