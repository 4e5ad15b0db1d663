"""Confidence limits for the mean of draws in [0, 1], for any finite number of possible samples."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.finite import ANY_SAMPLE, POSITIVE, UNIT
from boundaudit.derivations.pac_bayes import confidence as theory
from boundaudit.derivations.pac_bayes.bounds import reached
from boundaudit.derivations.pac_bayes.change_of_measure import n_sam, p_sam, q_sam, s_a
from boundaudit.derivations.pac_bayes.confidence import (
    a_ci,
    mu_ci,
    o_ci,
    o_R,
    r_ci,
    r_cis,
    s_ci,
    sigma_ci,
    u_ci,
    v_ci,
    v_cis,
)
from boundaudit.derivations.pac_bayes.empirical_bernstein import C_v, x_1e, x_2e, x_ev, y_1e, y_2e, y_ev
from boundaudit.derivations.pac_bayes.symbols import m

_claim = functools.partial(Claim, paper=PAPER, expected="proved", relation="<=")
_HERE = "pac_bayes.confidence"
_ANY = Reals()
_LIKELY: dict[Any, Range] = {p_sam: UNIT}
_SAMPLES: dict[Any, Range] = {n_sam: Integers(1, tested_to=4), q_sam: Vector(n_sam, UNIT)}

# --- Chernoff ---------------------------------------------------------------------------------------

_chernoff = functools.partial(_claim, place=("Chernoff",))
_ODDS: dict[Any, Range] = {m: Integers(1, tested_to=8), o_R: POSITIVE, o_ci: Reals(0, o_R, open_low=True)}

tilted = _chernoff(
    label=f"{_HERE}.tilted",
    statement="Whether r ≤ x < R, as one or zero, is at most y^(m(r-x)) at y = x(1-R)/(R(1-x)); both sides times a "
    "probability.",
    left=theory.AT_MOST,
    right=theory.TILTED,
    domain=Domain({**_LIKELY, **_ODDS, r_ci: UNIT}),
)

_MEANS = Domain(
    {**_ODDS, **_SAMPLES, r_cis: Vector(n_sam, UNIT)}, where=[sp.exp(m * theory.LOG_MEAN) >= theory.TILTED_MOMENT]
)

chernoff = _chernoff(
    label=f"{_HERE}.chernoff",
    statement="Let E y^(mr) ≤ (1 - R + Ry)^m at y = x(1-R)/(R(1-x)), as for the mean r of m independent draws in [0, "
    "1] with mean R. For x ≤ R the probability of r ≤ x is at most exp(-m kl(x‖R)). So R is above kl⁻¹(r, ln(1/δ)/m) "
    "with probability at most δ: where r ≤ R, kl(r‖R) reaches ln(1/δ)/m = kl(x‖R) for r ≤ x alone.",
    role="printed",
    left=theory.CHERNOFF_FAILURE,
    right=sp.exp(-m * theory.KL),
    domain=_MEANS,
    derivation=Derivation(
        label=f"{_HERE}.chernoff.steps", title="Markov's inequality for y^(mr)", domain=_MEANS,
        samples={"two samples": {"m": 2, "o_R": 1, "o_ci": "1/3", "n_sam": 2, "q_sam": ("1/4", "3/4"),
                                 "r_cis": (0, "7/10")}},
        steps=(
            Step(theory.CHERNOFF_FAILURE, "failure"),
            Step(theory.OVER_SAMPLES, "exponential", "Markov",
                 Instance(tilted.label, {p_sam: q_sam[s_a], r_ci: r_cis[s_a]}, over=(s_a, 1, n_sam))),
            Step(theory.BY_TILT, "its moment", "what is asked of it", ()),
            Step(sp.exp(-m * theory.KL), "kl", "at the tilt", ()),
        ),
    ),
    limitations=(ANY_SAMPLE,),
)  # fmt: skip

# --- Maurer and Pontil ------------------------------------------------------------------------------

_pontil = functools.partial(_claim, place=("Maurer-Pontil",))
_DRAWS: dict[Any, Range] = {m: Integers(2, tested_to=8), s_ci: POSITIVE, sigma_ci: POSITIVE}

bernstein = _pontil(
    label=f"{_HERE}.bernstein",
    statement="e^u - 1 - u is at most u²/(2(1-u/3)) for 0 ≤ u < 3.",
    left=sp.exp(u_ci) - 1 - u_ci,
    right=theory.BERNSTEIN,
    domain=Domain({u_ci: Reals(0, 3, open_high=True)}),
)

_EXPONENT = theory.OF_BENNETT + m * s_ci**2 / 2

exponent = _pontil(
    label=f"{_HERE}.exponent",
    statement="mσ²(e^u - 1 - u) + ms²/2 is at most mu(σs + s²/6) at u = s/(σ + s/3).",
    left=_EXPONENT,
    right=theory.LEAST,
    domain=Domain(_DRAWS),
    derivation=Derivation(
        label=f"{_HERE}.exponent.steps", title="Bernstein's form", domain=Domain(_DRAWS),
        samples={"one": {"m": 2, "s_ci": 1, "sigma_ci": 1}},
        steps=(
            Step(_EXPONENT, "Bennett's"),
            Step(theory.OF_BERNSTEIN + m * s_ci**2 / 2, "Bernstein's", "the series",
                 Instance(bernstein.label, {u_ci: theory.RATE})),
            Step(theory.LEAST, "at the rate", "an identity", ()),
        ),
    ),
)  # fmt: skip

_MEAN = Domain({**_LIKELY, **_DRAWS, mu_ci: _ANY, r_ci: _ANY})

beyond = _pontil(
    label=f"{_HERE}.beyond",
    statement="Whether R - r reaches σs + s²/6, as one or zero, is at most exp(mu(R - r - σs - s²/6)) at u = s/(σ + "
    "s/3); both sides times a probability.",
    left=theory.MEAN_FAILS,
    right=theory.BY_MEAN_LEAST,
    domain=_MEAN,
)

by_mean = _pontil(
    label=f"{_HERE}.by-mean",
    statement="So it is at most exp(mu(R - r) - mσ²(e^u - 1 - u) - ms²/2).",
    left=theory.MEAN_FAILS,
    right=theory.BY_MEAN,
    domain=_MEAN,
    derivation=Derivation(
        label=f"{_HERE}.by-mean.steps", title="Markov's inequality for the mean", domain=_MEAN,
        samples={"one": {"p_sam": 1, "m": 2, "s_ci": 1, "sigma_ci": 1, "mu_ci": 3, "r_ci": 0}},
        steps=(
            Step(theory.MEAN_FAILS, "failure"),
            Step(theory.BY_MEAN_LEAST, "exponential", "Markov", beyond.label),
            Step(theory.BY_MEAN, "Bennett's", "Bernstein's form", exponent.label),
        ),
    ),
)  # fmt: skip

by_deviation = _pontil(
    label=f"{_HERE}.by-deviation",
    statement="Whether σ reaches √V + a, as one or zero, is at most exp((m-1)(a(σ² - V)/σ - a²)); both sides times a "
    "probability.",
    left=theory.DEVIATION_FAILS,
    right=theory.BY_DEVIATION,
    domain=Domain({**_LIKELY, m: _DRAWS[m], a_ci: POSITIVE, sigma_ci: POSITIVE, v_ci: Reals(0)}),
)

_AT_LEAST = [(m - 1) * a_ci**2 >= m * s_ci**2]

both = _pontil(
    label=f"{_HERE}.both",
    statement="sa + s²/6 is at most 7a²/6 where ms² ≤ (m-1)a².",
    left=theory.BOTH,
    right=sp.Rational(7, 6) * a_ci**2,
    domain=Domain({m: _DRAWS[m], s_ci: POSITIVE, a_ci: POSITIVE}, where=_AT_LEAST),
)

_SAMPLE = Domain({**_MEAN.ranges, a_ci: POSITIVE, v_ci: Reals(0)}, where=_AT_LEAST)
_FAILS = reached(p_sam, mu_ci, theory.limit(r_ci, v_ci))

one_sample = _pontil(
    label=f"{_HERE}.one-sample",
    statement="Whether R reaches r + s√V + 7a²/6, as one or zero, is at most the sum of both exponentials; all times "
    "the sample's probability.",
    left=_FAILS,
    right=theory.BY_MEAN + theory.BY_DEVIATION,
    domain=_SAMPLE,
    derivation=Derivation(
        label=f"{_HERE}.one-sample.steps", title="The mean is off, or the variance", domain=_SAMPLE,
        samples={"one": {"p_sam": 1, "m": 2, "s_ci": 1, "a_ci": 2, "sigma_ci": 1, "mu_ci": 9, "r_ci": 0, "v_ci": 0}},
        steps=(
            Step(_FAILS, "failure"),
            Step(theory.MEAN_FAILS + theory.DEVIATION_FAILS, "either", "a union", (
                both.label,
                Instance("pac_bayes.empirical_bernstein.either", {
                    C_v: s_ci, x_ev: mu_ci, y_ev: theory.limit(r_ci, v_ci), x_1e: mu_ci - r_ci, y_1e: theory.BEYOND,
                    x_2e: sigma_ci, y_2e: v_ci + a_ci,
                }),
            )),
            Step(theory.BY_MEAN + theory.BY_DEVIATION, "exponentials", "Markov, twice",
                 (by_mean.label, by_deviation.label)),
        ),
    ),
)  # fmt: skip

_HALF = sp.exp(-m * s_ci**2 / 2)
_LAWS = Domain(
    {**_DRAWS, a_ci: POSITIVE, mu_ci: _ANY, **_SAMPLES, r_cis: Vector(n_sam, _ANY), v_cis: Vector(n_sam, Reals(0))},
    where=[
        *_AT_LEAST,
        sp.exp(theory.OF_BENNETT) >= theory.OF_MEAN,
        sp.exp((m - 1) * a_ci**2 / 2) >= theory.OF_DEVIATION,
    ],
)

maurer_pontil = _pontil(
    label=f"{_HERE}.maurer-pontil",
    statement="Let r be the mean of m draws in [0, 1] and V their unbiased variance, with E exp(mu(R - r)) ≤ "
    "exp(mσ²(e^u - 1 - u)) at u = s/(σ + s/3) and E exp(κ(σ² - V)) ≤ exp(κ²σ²/(2(m-1))) at κ = (m-1)a/σ, as for "
    "independent ones with mean R and variance σ². With s = √(2 ln(2/δ)/m) and a = √(2 ln(2/δ)/(m-1)), for which δ = 2 "
    "exp(-ms²/2), R reaches r + s√V + 7a²/6 with probability at most δ.",
    role="printed",
    left=theory.FAILURE,
    right=theory.DELTA,
    domain=_LAWS,
    derivation=Derivation(
        label=f"{_HERE}.maurer-pontil.steps", title="From exponential moments to δ", domain=_LAWS,
        samples={"two samples": {
            "m": 2, "s_ci": 1, "a_ci": "3/2", "sigma_ci": 1, "mu_ci": 3, "n_sam": 2, "q_sam": ("1/100", "99/100"),
            "r_cis": (0, 3), "v_cis": (0, 1),
        }},
        steps=(
            Step(theory.FAILURE, "failure"),
            Step(theory.OF_MEAN * sp.exp(-_EXPONENT) + theory.OF_DEVIATION * sp.exp(-(m - 1) * a_ci**2),
                 "exponential moments", "on each sample", Instance(
                     one_sample.label, {p_sam: q_sam[s_a], r_ci: r_cis[s_a], v_ci: v_cis[s_a]}, over=(s_a, 1, n_sam)
                 )),
            Step(_HALF + sp.exp(-(m - 1) * a_ci**2 / 2), "two shares", "what is asked of them", ()),
            Step(theory.DELTA, "δ", "what a is", ()),
        ),
    ),
    limitations=(ANY_SAMPLE, "Any a of at least √(2 ln(2/δ)/(m-1)) will do."),
)  # fmt: skip
