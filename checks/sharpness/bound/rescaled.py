"""Appendix D inside the bound: the rescaled construction and the one without dead units."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.bound import example
from boundaudit.checks.sharpness.bound.example import NONNEGATIVE, PAIRS, POSITIVE, at_trapezoid, measured
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness.bound import rescaled as theorem
from boundaudit.derivations.sharpness.bound.rescaled import (
    beta_r,
    gamma_r,
    h_0,
    h_1,
    h_2,
    j_1,
    j_2,
    j_3,
    j_4,
    l_0,
    l_1,
    l_2,
)
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.sharpness.mlp import Trapezoid

claim = functools.partial(example.claim, place=("Appendix D",))
_SMALL = sp.Rational(1, 100)
_ONE = sp.Integer(1)

# --- when a rescaling helps -----------------------------------------------------------------------

printed = claim(
    label="sharpness.bound.rescaled.heavier-in-both",
    statement="Let the MLP's output weights have a larger squared gradient than its input weights, g₂ ≥ g₁, as they "
    "have a larger norm. Then moving weight away from them does not raise the sharpness: for input weights times α and "
    "output weights over α, 1 ≤ α² ≤ 1.1, g₀ + g₁/α² + g₂α² is at most g₀ + g₁ + g₂.",
    left=theorem.sharpness(beta_r),
    relation="<=",
    right=theorem.sharpness(_ONE),
    domain=lambda: Domain({
        h_0: NONNEGATIVE, h_2: POSITIVE, h_1: Reals(0, h_2, open_low=True), beta_r: Reals(1, sp.Rational(11, 10))
    }),
    role="printed",
    reading="plausible",
    expected="refuted",
    limitations=(
        "One reading of the reason that the text gives. Gradients scale inversely to weights, so that the sharpness "
        "falls only if the input weights have the larger gradient. The conclusion is true of the construction.",
    ),
)  # fmt: skip

trade = claim(
    label="sharpness.bound.rescaled.trade",
    statement="A rescaling of the MLP multiplies its input weights by α ≥ 1 and divides its output weights by α. It "
    "does not raise the squared norm while that of the output weights is at least α² times that of the input weights. "
    "It does not raise the sharpness while that of the input weights is at least α² times that of the output weights.",
    relation="<=",
    kind="Tight",
    expected="proved",
    repairs=("sharpness.bound.rescaled.heavier-in-both",),
    cases=(
        Case(
            "sharpness", left=theorem.sharpness(beta_r), right=theorem.sharpness(_ONE),
            domain=lambda: Domain({beta_r: Reals(1), h_0: NONNEGATIVE, h_2: POSITIVE, h_1: Reals(h_2 * beta_r)}),
            equality=({"h_0": 1, "h_2": 1, "h_1": 2, "beta_r": 2},),
        ),
        Case(
            "norm", left=theorem.norm(beta_r), right=theorem.norm(_ONE),
            domain=lambda: Domain({beta_r: Reals(1), l_0: NONNEGATIVE, l_1: POSITIVE, l_2: Reals(l_1 * beta_r)}),
            equality=({"l_0": 1, "l_1": 1, "l_2": 2, "beta_r": 2},),
        ),
    ),
)  # fmt: skip

derivative = claim(
    label="sharpness.bound.rescaled.derivative",
    statement="Squared norm l₀ + l₁β + l₂/β times sharpness g₀ + g₁/β + g₂β of the MLP rescaled by α = √β > 0, on "
    "which the bound's optimum depends, has the derivative 2 l₁g₂β² + (l₀g₂ + l₁g₀)β - (l₀g₁ + l₂g₀)/β - 2 l₂g₁/β² by "
    "ln β.",
    left=lambda: theorem.derivative(),
    relation="=",
    right=theorem.slope(beta_r),
    domain=Domain({
        l_0: NONNEGATIVE, l_1: POSITIVE, l_2: POSITIVE, h_0: NONNEGATIVE, h_2: POSITIVE, h_1: POSITIVE, beta_r: POSITIVE
    }),
    expected="proved",
)  # fmt: skip

one_best = claim(
    label="sharpness.bound.rescaled.one-best",
    statement="The derivative j₁β² + j₂β - j₃/β - j₄/β² by ln β of squared norm times sharpness of the MLP rescaled by "
    "√β, whose coefficients are not negative, rises with β ≥ 1/100: one factor is best, the root of a quartic.",
    left=theorem.quartic(beta_r),
    relation="<=",
    right=theorem.quartic(gamma_r),
    domain=lambda: Domain({
        j_1: POSITIVE, j_2: NONNEGATIVE, j_3: NONNEGATIVE, j_4: POSITIVE,
        beta_r: Reals(_SMALL), gamma_r: Reals(beta_r),
    }),
    kind="Tight",
    equality=({"j_1": 1, "j_2": 1, "j_3": 1, "j_4": 1, "beta_r": 1, "gamma_r": 1},),
    expected="proved",
    rests_on=("sharpness.bound.rescaled.derivative",),
)  # fmt: skip

# --- the construction at E.3 ----------------------------------------------------------------------

_BEST: dict[Trapezoid, float] = {"steep": 6.81, "wide": 3.333}
"""α² near the best."""


def _share(mlp: Trapezoid, factor: float) -> float:
    """What a rescaling leaves of the bound's optimum."""
    return float((measured(mlp, factor).isotropic / measured(mlp).isotropic) ** (2 / 3))


@by_trapezoid
def _any_share(at: Columns, mlp: Trapezoid) -> Tensor:
    """The same from the blocks of the network that is not rescaled."""
    square = at.real("beta_r")
    budgets = measured(mlp).budgets
    powers = {"M": 1, "Gamma": 1, "F": -1}
    norm = sum(value * square ** powers.get(block, 0) for block, value in budgets.norms_squared.items())
    rise = sum(value * square ** -powers.get(block, 0) for block, value in budgets.sharpness.items())
    found: Tensor = (norm / budgets.norm_total * (rise / budgets.sharpness_total)) ** (1 / 3)
    return found


def _by_width(steep: Any, wide: Any) -> sp.Expr:
    return sp.Rational(steep) * (2 - u) + sp.Rational(wide) * (u - 1)


_MEASURED = ("With the construction's own norms and its mean squared gradients.", PAIRS)

better = claim(
    label="sharpness.bound.rescaled.best",
    statement="At T = 20, D = 2, ω = 10 the best rescaling of the construction's MLP leaves at most 0.5997 (steep, α² "
    "= 6.81) and 0.8035 (wide, α² = 3.333) of the least bound with one variance. No rescaling leaves less than 0.5996 "
    "and 0.8034 of it.",
    role="improvement",
    rests_on=(
        "sharpness.bound.rescaled.one-best", "sharpness.bound.optimum.printed", "sharpness.bound.rescaled.trade",
        "sharpness.bound.rescaled.construction",
    ),
    limitations=(*_MEASURED, "A variance per block does better and needs no rescaling."),
    cases=(
        Case(
            "reached", left=Quantity(
                "share of the bound's optimum that the best rescaling leaves",
                at_trapezoid(lambda mlp: _share(mlp, _BEST[mlp] ** 0.5)), r"B_\alpha / B_1", rounding=1e-9,
            ), right=_by_width("0.5997", "0.8035"), domain=Domain({u: BOTH}),
        ),
        Case(
            "least", relation=">=", kind="Lower", left=Quantity(
                "share of the bound's optimum that a rescaling leaves", _any_share, r"B_\alpha / B_1", rounding=1e-9
            ), right=_by_width("0.5996", "0.8034"), domain=Domain({u: BOTH, beta_r: POSITIVE}),
        ),
    ),
)  # fmt: skip


def _inner(sharpness: Mapping[str, float]) -> float:
    return (sharpness["M"] + sharpness["Gamma"]) / sharpness["F"]


inverse = claim(
    label="sharpness.bound.rescaled.construction",
    statement="At T = 20, D = 2, ω = 10 the sharpness of the construction's input weights M and Γ is at least 49 "
    "(steep) and 11 (wide) times that of its output weights F.",
    left=Quantity(
        "sharpness of M and Gamma over that of F",
        at_trapezoid(lambda mlp: _inner(measured(mlp).budgets.sharpness)), r"g_1/g_2", rounding=1e-9,
    ),
    relation=">=",
    right=_by_width(49, 11),
    domain=Domain({u: BOTH}),
    limitations=_MEASURED,
)  # fmt: skip

# --- without dead units ---------------------------------------------------------------------------

pruned = claim(
    label="sharpness.bound.rescaled.pruned",
    statement="Without the MLP's dead units the construction's own norm is smaller. The least bound, without ln(1/δ), "
    "is then at most 0.24980 (steep), below the best constant's 0.25, and at most 0.22616 (wide). This is at T = 20, D "
    "= 2, ω = 10, S = 0.01 and m = 10⁶ with the printed sharpness.",
    left=lambda: theorem.optimum(theorem.pruned_norm()),
    relation="<=",
    place=("Appendix E", "Theorem 10"),
    role="improvement",
    expected="proved",
    rests_on=("sharpness.pruning.norms.total", "sharpness.bound.optimum.printed"),
    limitations=("Without the loss at the construction.", PAIRS),
    cases=(
        Case("steep", right=sp.Rational("0.24980"), domain=Domain({u: STEEP})),
        Case("wide", right=sp.Rational("0.22616"), domain=Domain({u: WIDE})),
    ),
)
