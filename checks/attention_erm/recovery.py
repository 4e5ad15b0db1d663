"""Corollary 3.2, perfect recovery: how many noiseless samples determine a target of rank κ₀ d under weight decay."""

from __future__ import annotations

import functools

import sympy as sp
import torch

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import small
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.derivations.attention_erm import recovery as theory
from boundaudit.derivations.attention_erm.symbols import kappa_0, y_erm
from boundaudit.numeric.attention_erm.targets import gaussian_target
from boundaudit.numeric.attention_erm.thresholds import interpolation, recovery

_SETTING = "one token, a linear read-out, no noise, λ → 0, a target of rank κ₀ d, κ₀ = 2^(-y/2), y = 0, …, 40"

_RANK = sp.sqrt(2) ** -y_erm
_claim = functools.partial(
    Claim,
    paper=PAPER,
    place=("Corollary 3.2, recovery",),
    left=Quantity(
        "recovery threshold",
        small(lambda at: recovery(2 ** (-at.real("y_erm") / 2))),
        r"\alpha_{\mathrm{perf}}",
    ),
    domain=Domain({y_erm: Integers(0, 40)}),
    limitations=("The printed formula was not seen; the threshold is derived here as the size of a descent cone.",),
)
_FULL = ({"y_erm": 0},)

parameters = _claim(
    label="attention_erm.recovery.parameters",
    statement="Perfect recovery by weight decay needs at least n = (κ₀ - κ₀²/2) d² samples, the free parameters of "
    f"the target: {_SETTING}.",
    relation=">=",
    right=theory.PARAMETERS.subs(kappa_0, _RANK),
    kind="Tight",
    equality=_FULL,
)

enough = _claim(
    label="attention_erm.recovery.three",
    statement="Perfect recovery needs no more than n = (3κ₀ - 5κ₀²/2) d² samples, less than three times the free "
    f"parameters of the target. For {_SETTING}.",
    right=theory.AT_THE_EDGE.subs(kappa_0, _RANK),
    kind="Tight",
    equality=_FULL,
)


direct = _claim(
    label="attention_erm.recovery.direct",
    statement="Weight decay on the factors recovers with at most n = (1/2 - (1 - κ₀)²/4) d² samples, where a map "
    f"trained directly with a Frobenius penalty needs n = d²/2: {_SETTING}.",
    place=("Corollary 3.2, recovery", "Figure 2"),
    right=theory.WITHOUT_PENALTY.subs(kappa_0, _RANK),
    kind="Tight",
    equality=_FULL,
)

# --- the figure -----------------------------------------------------------------------------------


def _panels(setting: Setting) -> list[Panel]:
    ranks = torch.linspace(0.02, 1, 13 if setting.profile == "smoke" else 49, dtype=torch.float64)
    grid = ranks.tolist()

    def curve(expression: sp.Expr) -> list[float]:
        return [float(expression.subs(kappa_0, value)) for value in grid]

    few = grid[:: 3 if setting.profile == "smoke" else 4]
    fitted = [interpolation(gaussian_target(rank), 0.5).alpha for rank in few]
    return [
        Panel(
            "Thresholds of one token", "rank of the target over the dimension, κ₀", "α = n/d²",
            [
                Series("weight decay recovers, no noise", grid, recovery(ranks).tolist()),
                Series("free parameters: any learner", grid, curve(theory.PARAMETERS)),
                Series("3κ₀ - 5κ₀²/2", grid, curve(theory.AT_THE_EDGE)),
                Series("positive semidefinite maps alone", grid, curve(theory.WITHOUT_PENALTY)),
                Series("direct training recovers", grid, [float(theory.DIRECT)] * len(grid)),
                Series("noisy data are interpolated, Δ = 0.5", few, fitted),
            ],
        )
    ]  # fmt: skip


study = Study(
    label="attention_erm.recovery.study",
    title="Thresholds against the rank of the target",
    caption="Weight decay recovers a target of low rank from far fewer samples than direct training, at most three "
    "times "
    "its parameters. Noisy data are interpolated up to a quarter of d² and a little more, so that recovery of a target "
    "of low rank comes before interpolation.",
    claims=(parameters.label, direct.label),
    compute=_panels,
    paper=PAPER,
    place=("Corollary 3.2, recovery", "Corollary 3.2, interpolation"),
)
