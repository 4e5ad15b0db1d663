"""Theorem 17: the change of the trace that the printed allowance P stands for, and networks under noise."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.measurements import combined, evaluated
from boundaudit.checks.sharpness.taylor.shared import SMALL, claim, of_perturbed
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
    statement="Where the gradient's norm is √G_u and changes by at most G_p, and the residual, zero before, times the "
    "trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change, the trace of (f-y)²'s Hessian, or half of it, "
    "rises by at most 2 G_p (2 √G_u + G_p) + T_p (H_u + H_p) |Θ|.",
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
    statement="Where the gradient's norm is √G_u and changes by at most G_p, and the residual, zero before, times the "
    "trace of Hess f is at most T_p (H_u + H_p) |Θ| after the change, the trace of (f-y)²'s Hessian rises by at most 2 "
    "G_p (2 √G_u + G_p) + 2 T_p (H_u + H_p) |Θ|.",
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

_ONE_DRAW = (
    "At the input 10…0 and for one draw of the noise, so that exceptions of small probability may go unseen; the "
    "Hessian is taken almost everywhere, without the kinks' mass."
)


def _share(bound: Callable[[], sp.Expr], name: str, latex: str) -> Quantity:
    """The measured trace over a bound, d = T+1."""
    trace = of_perturbed(lambda record: float(record.loss_trace[1]))
    return Quantity(
        f"trace of the loss Hessian after one draw of noise, over {name}",
        combined(lambda found, most: found / most, trace, evaluated(lambda: bound().subs(d, T + 1))),
        rf"\mathrm{{tr}}\,\mathrm{{Hess}}\,L(\Theta + \varepsilon) / ({latex})",
    )


printed = claim(
    label="sharpness.taylor.trace.printed",
    statement="For T = 4 or 5, D, ω ≤ 2 and σ = 10⁻⁶, 10⁻⁴ or 10⁻² the trace of the loss Hessian at the input 10…0 "
    "after one draw of the noise is at most 2 G_u + P, with the P of the authors' notebook or with σ restored in its "
    "G_p.",
    right=sp.Integer(1),
    domain=SMALL,
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
    limitations=(_ONE_DRAW, "d = T+1, the smaller of two readings."),
    cases=(
        Case("notebook", left=_share(lambda: 2 * G_U + theorem.p_printed(), "2 G_u + P", "2 G_u + P")),
        Case(
            "restored",
            left=_share(lambda: 2 * G_U + theorem.p_restored(), "2 G_u + P with σ restored", r"2 G_u + P_\sigma"),
            limitations=(
                _ONE_DRAW,
                "d = T+1, the smaller of two readings.",
                "Over all inputs, the same draws, the quotient reaches 0.449: T = 5, D = 1, ω = 2, steep, input 11111.",
            ),
        ),
    ),
)  # fmt: skip

unmoved = claim(
    label="sharpness.taylor.trace.unmoved",
    statement="For T = 4 or 5, D, ω ≤ 2 and σ = 10⁻⁶, 10⁻⁴ or 10⁻² one draw of the noise changes the trace of the loss "
    "Hessian at the input 10…0 by at most 5 %.",
    left=Quantity(
        "relative change of the trace after one draw of noise",
        of_perturbed(lambda record: abs(float(record.loss_trace[1] / record.loss_trace[0]) - 1)),
        r"|\mathrm{tr}\,\mathrm{Hess}\,L(\Theta + \varepsilon) / \mathrm{tr}\,\mathrm{Hess}\,L(\Theta) - 1|",
    ),
    right=sp.Rational(1, 20),
    domain=SMALL,
    place=_PLACE,
    limitations=(
        _ONE_DRAW,
        "At T = 5, D = ω = 1, steep, σ = 10⁻² and the input 11010 the same draw changes it by 6 %.",
    ),
)
