"""Theorem 18: the part E (v - f)(l' - E l')² of the Hessian, along the direction in which it is largest."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, OUTPUTS, mean, total
from boundaudit.checks.sharpness.hessian.directions import RANGE, SKEW, Moves, half, reach_squared
from boundaudit.checks.sharpness.hessian.shared import ANY, claim, norm_of
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import THIRD
from boundaudit.derivations.sharpness.parameters import T, t

_LABEL, _ROWS = "sharpness.hessian", "sharpness.gradients.rows"


def _moment(of: Moves) -> sp.Expr:
    """|Σ a (g - Σ a g)(q - Σ a q)²|."""
    a, g, q = ATTENTION[of.network], OUTPUTS[of.network], of.share
    return sp.Abs(total(a[t] * (g[t] - mean(of.network)) * (q[t] - total(a[t] * q[t])) ** 2))


form = claim(
    label=f"{_LABEL}.skew.form",
    statement="The operator norm of the part E (v - f)(l' - E l')² is what its form is along the direction in which it "
    "is largest: C r² |Σ a (g - Σ a g)(q - Σ a q)²|, g the values over C and q how far changes of logits lie from the "
    "least to the most, r apart.",
    role="axiom",
    relation="=",
    domain=ANY,
    cases=tuple(
        Case(which, left=norm_of("skew", which), right=lambda of=of: SUM * of.reach.atom**2 * _moment(of))
        for which, of in SKEW.items()
    ),
)


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound."""
    of = SKEW[which]
    about = {"n_av": T + 1, "a_av": ATTENTION[of.network], "g_av": OUTPUTS[of.network], "q_hl": of.share}
    begun = (
        Step(norm_of("skew", which), "‖E (v - f)(l' - E l')²‖"),
        Step(SUM * of.reach.atom**2 * _moment(of), "along its leading direction", "an operator norm is attained",
             f"{form.label}[{which}]"),
        Step(SUM * of.reach.atom**2 * THIRD, "a third moment on an interval of length r", "at most r³/(6√3)",
             (f"{_ROWS}.weights[{of.network}]", Instance(f"{_LABEL}.moments.third", about))),
        Step(SUM * THIRD * reach_squared(of) * half(of), "R²", "the reach of the logits' changes",
             f"{_LABEL}.directions.reach[{of.name}]"),
    )  # fmt: skip
    unit = f"{_LABEL}.directions.unit[{of.name}]"
    if which == "one-column":
        return (*begun, Step(6 * SUM * THIRD, "at unit length", "", unit))
    end = SUM * THIRD * (KEYS * SPREAD + RANGE.atom**2 * LENGTH + 6)
    return (
        *begun,
        Step(SUM * THIRD * reach_squared(of), "at unit length", "", unit),
        Step(end, "R² summed", "as written down", (
            f"{_ROWS}.rise[{of.network}]", "sharpness.activations.hidden.spread.closed-form",
            f"{_ROWS}.top[{of.network}]", "sharpness.activations.hidden.length.closed-form",
            f"{_ROWS}.keys[{of.network}]",
        )),
    )  # fmt: skip
