"""Theorem 17: the printed allowance P, the change of the trace that it stands for, and networks under noise."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.sharpness.taylor.shared import NOISE, ONE_DRAW, SMALL, claim, of_perturbed
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.perturbed_gradient import G_P, G_P_PRINTED
from boundaudit.derivations.sharpness.taylor import G_0, G_1, R_1, f_1, g_1

_PLACE = ("Theorem 17",)

# --- the change of the trace, as algebra ----------------------------------------------------------

_NONNEGATIVE = Reals(0, tested_to=10)
_CHANGES = Domain({
    G_0: _NONNEGATIVE, G_1: _NONNEGATIVE, R_1: _NONNEGATIVE, g_1: Reals(0, G_0 + G_1), f_1: Reals(-R_1, R_1)
})  # fmt: skip
_UNITS = {"G_0": 1, "G_1": 1, "R_1": 1, "g_1": 2, "f_1": 1}

change_printed = claim(
    label="sharpness.taylor.trace.change-printed",
    statement="From the bounds on the changes of output and gradient and on the Hessian, the trace of (f-y)²'s Hessian "
    "rises by at most 2 G_p (2 √G_u + G_p) + T_p (H_u + H_p) |Θ|.",
    left=theorem.TRACE_CHANGE,
    relation="<=",
    right=theorem.CHANGE_PRINTED,
    domain=_CHANGES,
    place=_PLACE,
    reading="plausible",
    expected="refuted",
    limitations=(
        "The step as algebra in its bounds, from zero residual; no network attains all of them. Whether the text "
        "bounds the trace or half of it by G_u + P is not known: of half the trace the printed sum is right.",
    ),
)

change = claim(
    label="sharpness.taylor.trace.change",
    statement="With the factor 2 of the residual's part the trace rises by at most 2 G_p (2 √G_u + G_p) + "
    "2 T_p (H_u + H_p) |Θ|.",
    left=theorem.TRACE_CHANGE,
    relation="<=",
    right=theorem.CHANGE,
    domain=_CHANGES,
    kind="Tight",
    equality=(_UNITS,),
    place=_PLACE,
    expected="proved",
    repairs=("sharpness.taylor.trace.change-printed",),
)

half_change = claim(
    label="sharpness.taylor.trace.half",
    statement="Half of the trace, which the loss under noise needs, rises by at most the printed P: its part of the "
    "gradient is twice what is needed, that of the residual exact.",
    left=theorem.TRACE_CHANGE / 2,
    relation="<=",
    right=theorem.CHANGE_PRINTED,
    domain=_CHANGES,
    kind="Tight",
    equality=({**_UNITS, "G_1": 0, "g_1": 1},),
    place=_PLACE,
    expected="proved",
    rests_on=("sharpness.taylor.trace.change",),
)

# --- P itself -------------------------------------------------------------------------------------

_PUBLISHED = {T: 50, D: 1, omega: 1, d: 52}
_AT_PUBLISHED = "At T = 50, D = ω = 1, d = T+2 = 52, the sizes of the printed number 0.0733."
_printed, _restored = G_P_PRINTED.subs(_PUBLISHED), G_P.subs(_PUBLISHED)
_ANY_NOISE = Domain({sigma: NOISE})

vanishes_printed = claim(
    label="sharpness.taylor.allowance.vanishes-printed",
    statement="The printed G_p, of which P is made, is a bound to first order in σ: half the noise gives at "
    "most half of it.",
    left=_printed.subs(sigma, sigma / 2),
    relation="<=",
    right=_printed / 2,
    domain=_ANY_NOISE,
    place=("Theorem 17", "Theorem 30"),
    reading="plausible",
    expected="refuted",
    limitations=(
        _AT_PUBLISHED,
        "Two terms of G_p carry no σ in the formula that reproduces the printed number 0.0733; the theorem's own "
        "display may have it.",
    ),
)

vanishes = claim(
    label="sharpness.taylor.allowance.vanishes",
    statement="With σ restored in its two terms, half the noise gives at most half of G_p.",
    left=_restored.subs(sigma, sigma / 2),
    relation="<=",
    right=_restored / 2,
    domain=_ANY_NOISE,
    place=("Theorem 17", "Theorem 30"),
    expected="proved",
    repairs=("sharpness.taylor.allowance.vanishes-printed",),
    limitations=(_AT_PUBLISHED,),
)

# --- networks -------------------------------------------------------------------------------------


def _share(bound: sp.Expr, latex: str) -> Quantity:
    """The measured trace over a bound, d = T+1."""
    tree, measure = to_tree(bound.subs(d, T + 1)), of_perturbed(lambda record: float(record.loss_trace[1]))

    def share(points: Sequence[Point], device: str) -> Array:
        return measure(points, device) / evaluate_float(tree, columns(points))

    return Quantity(
        "trace of the loss Hessian after one draw of noise, over its bound", share,
        rf"\mathrm{{tr}}\,\mathrm{{Hess}}\,L(\Theta + \varepsilon) / ({latex})",
    )  # fmt: skip


_ON_NETWORKS = (
    ONE_DRAW,
    "d = T+1, the smaller of two readings; the Hessian is taken almost everywhere, without the kinks' mass.",
)

published = claim(
    label="sharpness.taylor.trace.published",
    statement="On small networks the trace of the loss Hessian after noise is below 2 G_u + P with the printed P, by a "
    "factor of at least 8000.",
    left=_share(2 * G_U + theorem.P_PRINTED, "2 G_u + P"),
    relation="<=",
    right=sp.Rational(1, 8000),
    domain=SMALL,
    place=_PLACE,
    mode="with probability at least 1-δ",
    reading="plausible",
    expected="supported",
    limitations=_ON_NETWORKS,
)

restored = claim(
    label="sharpness.taylor.trace.restored",
    statement="The trace is below 2 G_u + P with σ restored in P, by a factor of at least three.",
    left=_share(2 * G_U + theorem.P, "2 G_u + P_\\sigma"),
    relation="<=",
    right=sp.Rational(1, 3),
    domain=SMALL,
    place=_PLACE,
    mode="with probability at least 1-δ",
    expected="supported",
    improves="sharpness.taylor.trace.published",
    limitations=_ON_NETWORKS,
)

unmoved = claim(
    label="sharpness.taylor.trace.unmoved",
    statement="On small networks noise up to σ = 0.01 changes the trace by at most 5 %: neither P is needed.",
    left=Quantity(
        "relative change of the trace after one draw of noise",
        of_perturbed(lambda record: abs(float(record.loss_trace[1] / record.loss_trace[0]) - 1)),
        r"|\mathrm{tr}\,\mathrm{Hess}\,L(\Theta + \varepsilon) / \mathrm{tr}\,\mathrm{Hess}\,L(\Theta) - 1|",
    ),
    relation="<=",
    right=sp.Rational(1, 20),
    domain=SMALL,
    place=_PLACE,
    expected="supported",
    limitations=(ONE_DRAW,),
)
