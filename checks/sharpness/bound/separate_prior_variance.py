"""Theorem 2 with a variance of its own for the prior: of all parameters, by groups, and for a clipped loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.bound.deterministic import (
    AT_E3,
    COUNTED,
    EACH,
    MILLION,
    NONNEGATIVE,
    PAIRS,
    POSITIVE,
    PUBLISHED,
    SETTING,
    at_trapezoid,
    best,
    claim,
    measured,
)
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.symbols import N_2, m, p_n, relative, sigma, tau_f
from boundaudit.derivations.sharpness.bound import clipped as clipped_theorem
from boundaudit.derivations.sharpness.bound import groups as groups_theorem
from boundaudit.derivations.sharpness.bound import separate_prior_variance as theorem
from boundaudit.derivations.sharpness.bound.groups import (
    A_first,
    A_g,
    A_second,
    L_g,
    a_g,
    kappa_first,
    kappa_g,
    kappa_second,
    n_v,
    q_first,
    q_g,
    q_second,
)
from boundaudit.derivations.sharpness.bound.separate_prior_variance import k_a, k_e, true_norm, w_d, x_v
from boundaudit.derivations.sharpness.bound.shared_variance import G_s, c_m
from boundaudit.derivations.sharpness.parameters import u
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.clipped import clipped
from boundaudit.numeric.sharpness.bound.separate_prior_variance import separate_prior_variance
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance, truncated_optimum
from boundaudit.numeric.sharpness.bound.value import Bound
from boundaudit.numeric.sharpness.mlp import Trapezoid

_COUNT = Integers(1, tested_to=4000)

# --- against a prior of the posterior's variance ----------------------------------------------------

improved = claim(
    label="sharpness.bound.separate_prior_variance.improved", place=("Theorem 2", "Appendix E"), expected="proved",
    statement="Take a prior of variance σ² + L/p, with σ and L known in advance. Let a learner of p parameters have a "
    "squared norm of at most L and a mean loss on the sample, under noise, of at most σ²G. Its relative entropy is at "
    "most (p/2) ln(1 + w), w = L/(pσ²). With probability at least 1-δ its mean loss under noise is at most σ²G + c√(p "
    "ln(1 + w) + 2 ln(1/δ)), c = S/√m, for all σ, c > 0 and δ ≤ 1.",
    left=theorem.LEARNED, right=theorem.OF_RATIO,
    domain=lambda: Domain({
        w_d: POSITIVE, G_s: POSITIVE, c_m: POSITIVE, sigma: POSITIVE, tau_f: NONNEGATIVE, p_n: _COUNT,
        relative: Reals(0, theorem.RELATIVE_OF_RATIO),
        N_2: Reals(w_d * p_n * sigma**2, w_d * p_n * sigma**2),
    }),
    rests_on=(
        "pac_bayes.change_of_measure.varadhan", "pac_bayes.change_of_measure.markov",
        "pac_bayes.subgaussian_pac_bayes.best", "pac_bayes.gaussian.separate.value",
        "pac_bayes.gaussian.separate.shorter",
    ),
    improves="sharpness.bound.shared_variance.printed",
    limitations=(COUNTED, "It is never above Theorem 2's bound: the relative entropy is compared by itself."),
)  # fmt: skip

below_shared = claim(
    label="sharpness.bound.separate_prior_variance.relative-entropy", expected="proved",
    statement="With the prior's variance σ² + L/p the relative entropy (p/2) ln(1 + L/(pσ²)) is at most the L/(2σ²) of "
    "a prior with the posterior's variance, for all L, σ > 0 and p ≥ 1: at no σ is the bound worse than Theorem 2's.",
    left=theorem.RELATIVE, right=theorem.SHARED_RELATIVE, domain=Domain({N_2: POSITIVE, p_n: _COUNT, sigma: POSITIVE}),
)  # fmt: skip


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
    label="sharpness.bound.separate_prior_variance.values", expected="proved",
    statement="With a prior that has a variance of its own the bound is at most 0.0020125, a 118th of the printed "
    "0.2391. With P = 1.1034 G_u, for which the printed form is 0.327, it is at most 0.0020692. This is at T = 20, D = "
    "2, ω = 10, m = 10⁶, S = 0.01 and δ = 5 %, with the printed G_u and L and no loss at the construction.",
    domain=Domain({m: MILLION, sigma: _BEST}),
    rests_on=(
        "sharpness.bound.separate_prior_variance.improved",
        "sharpness.bound.separate_prior_variance.relative-entropy",
    ),
    improves="sharpness.bound.numbers.printed", limitations=(AT_E3, COUNTED),
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
    label="sharpness.bound.separate_prior_variance.loss-kept", expected="proved",
    statement="With a prior that has a variance of its own, the construction's own squared norm and its own loss "
    "added, the bound is at most 0.00222 (steep) and 0.00218 (wide). This is at T = 20, D = 2, ω = 10, m = 10⁶, S = "
    "0.01 and δ = 5 %, with the printed G_u.",
    domain=Domain({m: MILLION, sigma: _BEST}),
    rests_on=("sharpness.bound.separate_prior_variance.improved", "sharpness.norms.total.closed-form"),
    limitations=(AT_E3, COUNTED),
    cases=(
        Case("steep", left=_complete("steep"), right=sp.Rational("0.00222")),
        Case("wide", left=_complete("wide"), right=sp.Rational("0.00218")),
    ),
)  # fmt: skip


# --- its best choice ------------------------------------------------------------------------------

# --- the best variances ---------------------------------------------------------------------------

_ENTRIES = Vector(n_v, POSITIVE)
_GROUPS: dict[Any, Range] = {n_v: Integers(1, tested_to=5), a_g: _ENTRIES, L_g: _ENTRIES}
_AT_LEAST_ONE = Reals(1)


merge = claim(
    label="sharpness.bound.groups.merge", relation=">=", kind="Tight", expected="proved",
    statement="If X Y ≥ A², with X = Σ a_g σ_g², Y = Σ L_g/σ_g² and A = Σ √(a_g L_g), holds for two sets of groups, it "
    "holds for all of them together: by induction for any number of groups, as one group has X Y = A².",
    left=groups_theorem.MERGED, right=groups_theorem.MERGED_LEAST,
    domain=Domain({
        A_first: POSITIVE, A_second: POSITIVE, kappa_first: POSITIVE, kappa_second: POSITIVE,
        q_first: _AT_LEAST_ONE, q_second: _AT_LEAST_ONE,
    }),
    equality=({"A_g1": 1, "A_g2": 2, "kappa_g1": 3, "kappa_g2": 3, "q_g1": 1, "q_g2": 1},),
)  # fmt: skip

reached = claim(
    label="sharpness.bound.groups.reached", relation="=", expected="proved",
    statement="At the variances σ_g² = κ √(L_g/a_g) of the groups, κ > 0, the noise adds Σ a_g σ_g² = κ A to the loss "
    "and Σ L_g/σ_g² is A/κ, with A = Σ √(a_g L_g).",
    domain=lambda: Domain({**_GROUPS, kappa_g: POSITIVE}),
    cases=(
        Case("rise", left=lambda: groups_theorem.REACHED_RISE, right=lambda: groups_theorem.RISE_OF_KAPPA),
        Case("ratio", left=lambda: groups_theorem.REACHED_RATIO, right=lambda: groups_theorem.RATIO_OF_KAPPA),
    ),
)  # fmt: skip

confidence = claim(
    label="sharpness.bound.groups.confidence", relation=">=", kind="Tight", expected="proved",
    statement="With ln(1/δ), too, the best variances of the groups are κ √(L_g/a_g): at X = Σ a_g σ_g² = κ A and "
    "Y = Σ L_g/σ_g² = q A/κ, q ≥ 1, X + c √(Y + 2 ln(1/δ)) is least for q = 1, and κ is all that is left to choose.",
    left=groups_theorem.WITH_CONFIDENCE, right=groups_theorem.WITH_CONFIDENCE_LEAST,
    domain=Domain({kappa_g: POSITIVE, A_g: POSITIVE, q_g: _AT_LEAST_ONE, c_m: POSITIVE, tau_f: NONNEGATIVE}),
    equality=({"kappa_g": 1, "A_g": 2, "q_g": 1, "c_m": 1, "tau_f": 1},),
    rests_on=("sharpness.bound.groups.merge", "sharpness.bound.groups.reached"),
)  # fmt: skip


# --- no sub-Gaussian constant, and still informative at E.3's million samples ---------------------

_AT_E3 = "At T = 20, D = 2, ω = 10, p = 2014 with δ = 5 %; the prior's variance σ² + L/p and σ are fixed in advance."
_CLIPPED = "Bounds the expected min(loss, M) under noise; the unclipped loss is not bounded by it."
_NOISE = best("0.00012094")
_STEP = ("pac_bayes.binary_kl.moment.maurer", "pac_bayes.gaussian.separate.shorter")


own = claim(
    label="sharpness.bound.clipped.own", expected="proved",
    statement="At T = 20, D = 2, ω = 10 the construction for ten pairs of bits has a mean squared error of at most "
    "0.00020045 (steep) and 0.00017327 (wide), and a squared norm of at most 1492.7 (steep) and 1109.2 (wide).",
    rests_on=("sharpness.norms.total.closed-form",), limitations=(PAIRS,),
    cases=tuple(
        Case(f"{what},{mlp}", left=left, right=right, domain=Domain({u: of}))
        for mlp, (width, of) in EACH.items()
        for what, left, right in (
            ("loss", LOSS[mlp], clipped_theorem.LOSS_CEILING[width]),
            ("norm", lambda: true_norm(), clipped_theorem.NORM_CEILING[width]),
        )
    ),
)  # fmt: skip

clipped_complete = claim(
    label="sharpness.bound.clipped.complete", relation=">=", role="improvement", expected="proved",
    statement="With the printed G_u, the construction's own squared norm and its own loss added, E min(loss, 1) under "
    "noise is with probability at least 0.95 at most 0.01976 (steep) and 0.01935 (wide). This is at T = 20, D = 2, ω = "
    "10 and m = 10⁶.",
    domain=Domain({m: MILLION, sigma: _NOISE}), rests_on=(*_STEP, "sharpness.bound.clipped.own"),
    limitations=(_AT_E3, _CLIPPED, COUNTED),
    cases=tuple(
        Case(
            mlp, left=lambda width=width, level=level: binary_kl(clipped_theorem.own(width)[0], level),
            right=lambda width=width: clipped_theorem.own(width)[1],
        )
        for mlp, width, level in (("steep", 1, sp.Rational("0.01976")), ("wide", 2, sp.Rational("0.01935")))
    ),
)  # fmt: skip


# --- how much of each bound is flatness, and how much is counting parameters ----------------------

COUNTING = (
    "Norm and interpolation alone bound the risk at this number of parameters and samples, too, without any sharpness: "
    "what a variance of its own for the prior gains is no merit of flatness."
)

# --- sharpness under a logarithm ------------------------------------------------------------------

logarithm = claim(
    label="sharpness.bound.attribution.logarithm", kind="Tight", expected="proved",
    statement="A network k times as sharp, k ≥ 1, pays at most p/2 ln k nats more where the prior has a variance of "
    "its own: ln(1 + kx) is at most ln(1 + x) + ln k for x > 0.",
    left=theorem.SHARPER_LOG, right=theorem.SHARPER_CEILING, domain=Domain({x_v: POSITIVE, k_a: Reals(1)}),
    equality=({"x_v": 1, "k_a": 1},),
)  # fmt: skip

sharper = claim(
    label="sharpness.bound.attribution.sharper", expected="proved",
    statement="At T = 20, D = 2, ω = 10, m = 10⁶ with S = 0.01 and δ = 5 % and with 10^k times the printed sharpness, "
    "k from 0 to 30, the bound with a variance of its own for the prior is at most 0.0020125 √(1 + k/8): it doubles "
    "where the printed form grows by 10^10.",
    left=lambda: theorem.sharper(), right=sp.Rational("0.0020125") * sp.sqrt(1 + k_e / 8),
    domain=Domain({k_e: Integers(0, 30)}),
    rests_on=("sharpness.bound.attribution.logarithm", "sharpness.bound.separate_prior_variance.values"),
    limitations=(AT_E3, COUNTING, "The best σ falls with the sharpness, to 6·10⁻²⁰ at k = 30."),
)  # fmt: skip

part = claim(
    label="sharpness.bound.attribution.part", expected="proved",
    statement="Of the bound with a variance of its own for the prior at most 2.56 % is what the noise adds to the "
    "loss, at T = 20, D = 2, ω = 10, m = 10⁶ with S = 0.01 and δ = 5 % and its best σ; of the printed form it is a "
    "third.",
    left=theorem.RISE_PART, right=lambda: sp.Rational("0.0256") * theorem.example(),
    domain=Domain({m: MILLION, sigma: best("0.000057513")}), rests_on=("sharpness.bound.optimum.printed",),
    limitations=(AT_E3,),
)  # fmt: skip


# --- a figure -------------------------------------------------------------------------------------

_SIGMAS = {"own variance": 5.7513e-5, "clipped at 1": 1.2094e-4}


def _sharper(form: str, power: int) -> Bound:
    """A form with 10^power times the printed sharpness, at its σ lowered in proportion."""
    budgets = replace(PUBLISHED, sharpness={"all": PUBLISHED.sharpness_total * 10.0**power})
    if form == "printed":
        sigma, _ = truncated_optimum(budgets, samples=1e6, proxy=0.01)
        return shared_variance(budgets, **SETTING, sigma=sigma)
    sigma = _SIGMAS[form] * 10 ** (-power / 2)
    if form == "own variance":
        return separate_prior_variance(budgets, **SETTING, sigma=sigma)
    return clipped(budgets, samples=1e6, delta=0.05, sigma=sigma)


def _panels(setting: Setting) -> Sequence[Panel]:
    powers = list(range(0, 31, 10 if setting.profile == "smoke" else 2))
    table = {form: [_sharper(form, power) for power in powers] for form in ("printed", *_SIGMAS)}
    values = [Series(form, powers, [found.value for found in row]) for form, row in table.items()]
    shares = [
        Series(form, powers, [found.parts["sharpness"] / found.value for found in row]) for form, row in table.items()
    ]
    ten = "powers of ten by which the network is sharper"
    return [
        Panel("the bound", ten, "bound on the loss under noise", values, log="y"),
        Panel("what noise adds to the loss", ten, "share of the bound", shares),
    ]


study = Study(
    label="sharpness.bound.attribution",
    title="What a bound owes to flatness and to counting parameters",
    caption="E.3's setting with the printed squared norm and 2014 parameters, σ lowered as one over the root of the "
    "sharpness. The printed form grows as the cube root of the sharpness; with a variance of its own for the prior 30 "
    "powers of ten cost a factor of about two, so that what it gains is parameter counting.",
    claims=("sharpness.bound.attribution.sharper", "sharpness.bound.attribution.part"),
    compute=_panels,
    paper=PAPER,
    place=("Appendix E",),
)
