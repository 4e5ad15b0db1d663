"""A prior with a variance of its own: what it gains, where its best σ is, how it falls with m, and what it counts."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.sharpness.bound.example import (
    AT_E3,
    COUNTED,
    EACH,
    MILLION,
    NONNEGATIVE,
    POSITIVE,
    PUBLISHED,
    SETTING,
    at_trapezoid,
    best,
    claim,
    measured,
)
from boundaudit.derivations.pac_bayes.symbols import N_2, m, p_n, relative, sigma, tau_f
from boundaudit.derivations.sharpness.bound import separate_prior_variance as theorem
from boundaudit.derivations.sharpness.bound.separate_prior_variance import w_d
from boundaudit.derivations.sharpness.bound.shared_variance import G_s, c_m
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.separate_prior_variance import separate_prior_variance
from boundaudit.numeric.sharpness.mlp import Trapezoid

_COUNT = Integers(1, tested_to=4000)

# --- against a prior of the posterior's variance ----------------------------------------------------

improved = claim(
    label="sharpness.bound.separate_prior_variance.improved",
    statement="Take a prior of variance σ² + L/p, with σ and L known in advance. Let a learner of p parameters have a "
    "squared norm of at most L and a mean loss on the sample, under noise, of at most σ²G. Its relative entropy is at "
    "most (p/2) ln(1 + w), w = L/(pσ²). With probability at least 1-δ its mean loss under noise is at most σ²G + c√(p "
    "ln(1 + w) + 2 ln(1/δ)), c = S/√m, for all σ, c > 0 and δ ≤ 1.",
    left=theorem.LEARNED,
    relation="<=",
    right=theorem.OF_RATIO,
    domain=lambda: Domain({
        w_d: POSITIVE, G_s: POSITIVE, c_m: POSITIVE, sigma: POSITIVE, tau_f: NONNEGATIVE, p_n: _COUNT,
        relative: Reals(0, theorem.RELATIVE_OF_RATIO),
        N_2: Reals(w_d * p_n * sigma**2, w_d * p_n * sigma**2),
    }),
    place=("Theorem 2", "Appendix E"),
    expected="proved",
    rests_on=(
        "pac_bayes.change_of_measure.normalised", "pac_bayes.change_of_measure.markov",
        "pac_bayes.subgaussian_pac_bayes.best", "pac_bayes.gaussian.separate.value",
        "pac_bayes.gaussian.separate.shorter",
    ),
    improves="sharpness.bound.shared_variance.printed",
    limitations=(COUNTED, "It is never above Theorem 2's bound: the relative entropy is compared by itself."),
)  # fmt: skip

below_shared = claim(
    label="sharpness.bound.separate_prior_variance.relative-entropy",
    statement="With the prior's variance σ² + L/p the relative entropy (p/2) ln(1 + L/(pσ²)) is at most the L/(2σ²) of "
    "a prior with the posterior's variance, for all L, σ > 0 and p ≥ 1: at no σ is the bound worse than Theorem 2's.",
    left=theorem.RELATIVE,
    relation="<=",
    right=theorem.SHARED_RELATIVE,
    domain=Domain({N_2: POSITIVE, p_n: _COUNT, sigma: POSITIVE}),
    expected="proved",
)


# --- values at E.3 --------------------------------------------------------------------------------

_BEST = best("0.000057513")


def _measure(budgets: Budgets, perturbation: float = 0.0) -> Measure:
    return at_points(
        lambda p: (
            separate_prior_variance(
                budgets, samples=p["m"], delta=0.05, proxy=0.01, perturbation=perturbation, sigma=float(p["sigma"])
            ).value
        )
    )


_PRINTED = Quantity(
    "bound at E.3, own variance for the prior", _measure(PUBLISHED), r"V(\sigma)", theorem.example, rounding=1e-11
)

values = claim(
    label="sharpness.bound.separate_prior_variance.values",
    statement="With a prior that has a variance of its own the bound is at most 0.0020125, a 118th of the printed "
    "0.2391. With P = 1.1034 G_u, for which the printed form is 0.327, it is at most 0.0020692. This is at T = 20, D = "
    "2, ω = 10, m = 10⁶, S = 0.01 and δ = 5 %, with the printed G_u and L and no loss at the construction.",
    relation="<=",
    domain=Domain({m: MILLION, sigma: _BEST}),
    expected="proved",
    rests_on=(
        "sharpness.bound.separate_prior_variance.improved",
        "sharpness.bound.separate_prior_variance.relative-entropy",
    ),
    improves="sharpness.bound.numbers.printed",
    limitations=(AT_E3, COUNTED),
    cases=(
        Case("value", left=_PRINTED, right=sp.Rational("0.0020125")),
        Case("with-P", left=Quantity(
            "bound with P at E.3, own variance for the prior", _measure(PUBLISHED, float(theorem.SEMI_ANALYTIC)),
            r"V_P(\sigma)", lambda: theorem.at_example(theorem.SHARPNESS + theorem.SEMI_ANALYTIC, theorem.PRINTED_NORM),
            rounding=1e-11,
        ), right=sp.Rational("0.0020692")),
    ),
)  # fmt: skip

# --- the loss at the construction -----------------------------------------------------------------

LOSS = {
    mlp: Quantity(
        "mean squared error of the construction at E.3", at_trapezoid(lambda one: measured(one).budgets.residual),
        r"\hat L(\Theta^*)", lambda width=width: theorem.loss(width), rounding=1e-9,
    )
    for mlp, (width, _) in EACH.items()
}  # fmt: skip


def _complete(mlp: Trapezoid) -> Quantity:
    """With the construction's own squared norm and loss, and the printed sharpness."""

    def value(point: Point) -> float:
        own = measured(mlp).budgets
        whole = Budgets({"all": PUBLISHED.sharpness_total}, {"all": own.norm_total}, {"all": own.count}, own.residual)
        return separate_prior_variance(whole, **{**SETTING, "samples": point["m"]}, sigma=float(point["sigma"])).value

    width, _ = EACH[mlp]
    return Quantity(
        "bound with a variance of its own for the prior, own norm and own loss", at_points(value),
        r"V(\sigma) + \hat L(\Theta^*)", lambda: theorem.complete(width), rounding=1e-9,
    )  # fmt: skip


complete = claim(
    label="sharpness.bound.separate_prior_variance.loss-kept",
    statement="With a prior that has a variance of its own, the construction's own squared norm and its own loss "
    "added, the bound is at most 0.00222 (steep) and 0.00218 (wide). This is at T = 20, D = 2, ω = 10, m = 10⁶, S = "
    "0.01 and δ = 5 %, with the printed G_u.",
    domain=Domain({m: MILLION, sigma: _BEST}),
    expected="proved",
    rests_on=("sharpness.bound.separate_prior_variance.improved", "sharpness.norms.total.closed-form"),
    limitations=(AT_E3, COUNTED),
    cases=(
        Case("steep", left=_complete("steep"), right=sp.Rational("0.00222")),
        Case("wide", left=_complete("wide"), right=sp.Rational("0.00218")),
    ),
)
