"""Theorem 17: the change of the trace that the allowance P stands for, and networks under noise at every input."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.language.claim import Case, Probability
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.measurements import evaluated
from boundaudit.checks.sharpness.taylor.shared import ANY_INPUT, chance, claim
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import T, d
from boundaudit.derivations.sharpness.taylor import G_0, G_1, R_1, f_1, g_1

_PLACE = ("Theorem 17",)

# --- the change of the trace, as algebra ----------------------------------------------------------

_NONNEGATIVE = Reals(0, tested_to=10)
_CHANGES = Domain({
    G_0: _NONNEGATIVE, G_1: _NONNEGATIVE, R_1: _NONNEGATIVE, g_1: Reals(0, G_0 + G_1), f_1: Reals(-R_1, R_1)
})  # fmt: skip
_UNITS = {"G_0": 1, "G_1": 1, "R_1": 1, "g_1": 2, "f_1": 1}

change_printed = claim(
    label="sharpness.taylor.trace.change.printed",
    statement="Half of the trace of (f-y)²'s Hessian, or the trace itself, rises by at most 2 G_p (2 √G_u + G_p) + T_p "
    "(H_u + H_p) |Θ|. This supposes that the gradient has norm √G_u and changes by at most G_p. It also supposes that "
    "the residual, zero before, times the trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change.",
    right=theorem.CHANGE_PRINTED,
    domain=_CHANGES,
    role="printed",
    place=_PLACE,
    reading="plausible",
    rests_on=("sharpness.loss_hessian.identity",),
    limitations=(
        "The step as algebra in its bounds; no network attains all of them. Whether the text bounds the trace or half "
        "of it by G_u + P is not known.",
    ),
    cases=(
        Case("trace", left=theorem.TRACE_CHANGE, expected="refuted"),
        Case(
            "half",
            left=theorem.TRACE_CHANGE / 2,
            kind="Tight",
            equality=({**_UNITS, "G_1": 0, "g_1": 1},),
            expected="proved",
        ),
    ),
)

change = claim(
    label="sharpness.taylor.trace.change",
    statement="The trace of (f-y)²'s Hessian rises by at most 2 G_p (2 √G_u + G_p) + 2 T_p (H_u + H_p) |Θ|. This "
    "supposes that the gradient has norm √G_u and changes by at most G_p. It also supposes that the residual, zero "
    "before, times the trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change.",
    left=theorem.TRACE_CHANGE,
    right=theorem.CHANGE,
    domain=_CHANGES,
    kind="Tight",
    equality=(_UNITS,),
    place=_PLACE,
    expected="proved",
    rests_on=("sharpness.loss_hessian.identity",),
    repairs=("sharpness.taylor.trace.change.printed[trace]",),
)

# --- networks -------------------------------------------------------------------------------------

_EACH_INPUT = "At each input by itself; the Hessian is taken almost everywhere, without the kinks' mass."
_WINDOWS = "Components are windows of D positions from 1, 2, … on, with equal coefficients of unit length."
_WIDTH = "d = T+1, the smaller of two readings."


def _above(bound: Callable[[], sp.Expr], name: str, latex: str) -> Probability:
    """The probability that the trace under noise is above a bound, d = T+1."""
    limit = evaluated(lambda: bound().subs(d, T + 1))
    return chance(
        f"the trace of the loss Hessian after noise is above {name}",
        lambda _, noisy, point: noisy > float(limit([point], "cpu")[0]),
        rf"\mathbb{{P}}[\mathrm{{tr}}\,\mathrm{{Hess}}\,L(\Theta + \varepsilon) > {latex}]",
    )


printed = claim(
    label="sharpness.taylor.trace.printed",
    statement="After noise of standard deviation σ from 10⁻⁶ to 1/100 the trace of the loss Hessian is above 2 G_u + P "
    "with probability at most 1/20 at every input. P is that of the authors' notebook, or has σ restored in its G_p. "
    "For T from 4 to 20 and windows of D < T positions as components.",
    right=sp.Rational(1, 20),
    domain=ANY_INPUT,
    role="printed",
    place=_PLACE,
    mode="with probability at least 1-δ",
    reading="plausible",
    rests_on=(
        "sharpness.taylor.expansion.printed", "sharpness.taylor.lagrange.trace",
        "sharpness.taylor.trace.change.printed", "sharpness.perturbed.output.printed",
        "sharpness.perturbed.gradient.printed", "sharpness.perturbed.hessian.printed",
        "sharpness.gradients.total.printed", "sharpness.hessian.bound.printed",
    ),
    limitations=(_EACH_INPUT, _WINDOWS, _WIDTH),
    cases=(
        Case("notebook", left=_above(lambda: 2 * G_U + theorem.p_printed(), "2 G_u + P", "2 G_u + P")),
        Case(
            "restored",
            left=_above(lambda: 2 * G_U + theorem.p_restored(), "2 G_u + P with σ restored", r"2 G_u + P_\sigma"),
        ),
    ),
)  # fmt: skip
