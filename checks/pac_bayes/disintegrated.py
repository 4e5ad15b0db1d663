"""One hypothesis drawn from the posterior, for any finite number of hypotheses and samples."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Matrix, Reals, Vector
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.change_of_measure import from_moments, given_moments
from boundaudit.checks.pac_bayes.finite import ANY_LOSSES, CONFIDENCE, POSITIVE, SIZE, WEIGHTS
from boundaudit.derivations.pac_bayes import disintegrated as theory
from boundaudit.derivations.pac_bayes.change_of_measure import (
    drawn,
    i_a,
    n_a,
    n_sam,
    p_sam,
    prior_mean,
    q_sam,
    r_sam,
    s_a,
    w_pi,
    w_rho,
    xi_m,
)
from boundaudit.derivations.pac_bayes.disintegrated import pi_h, w_h, x_all, x_h, x_hyp
from boundaudit.derivations.pac_bayes.symbols import delta

_claim = functools.partial(Claim, paper=PAPER, expected="proved", relation="<=", place=("Rivasplata-Kuzborskij",))
_KNOWN = {**CONFIDENCE, xi_m: POSITIVE}

hypothesis = _claim(
    label="pac_bayes.disintegrated.hypothesis",
    statement="Whether φ reaches ln(ρ(h)/π(h)) + ln(ξ/δ), as one or zero and times ρ(h), is at most π(h) e^φ "
    "δ/ξ; both sides times the sample's probability.",
    left=theory.fails(p_sam * w_h, x_h, w_h / pi_h),
    right=p_sam * theory.SHARE * pi_h * sp.exp(x_h),
    domain=Domain({p_sam: Reals(0, 1), **_KNOWN, w_h: POSITIVE, pi_h: POSITIVE, x_h: Reals()}),
)

_ONE = Domain({p_sam: Reals(0, 1), **_KNOWN, n_a: SIZE, w_rho: WEIGHTS, w_pi: WEIGHTS, x_hyp: Vector(n_a, Reals())})
_MEAN = p_sam * theory.SHARE * prior_mean(lambda i: x_hyp[i])

one_sample = _claim(
    label="pac_bayes.disintegrated.one-sample",
    statement="Summed over the hypotheses of one sample that is at most δ/ξ times the prior's mean of e^φ.",
    left=theory.ON_ONE_SAMPLE,
    right=_MEAN,
    domain=_ONE,
    derivation=Derivation(
        label="pac_bayes.disintegrated.one-sample.steps", title="Hypothesis by hypothesis", domain=_ONE,
        samples={"one": {"p_sam": 1, "delta": "1/2", "xi_m": 1, "n_a": 1, "w_rho": (1,), "w_pi": (1,), "x_hyp": (3,)}},
        steps=(
            Step(theory.ON_ONE_SAMPLE, "failure"),
            Step(_MEAN, "prior's mean", "Markov", Instance(
                hypothesis.label, {w_h: w_rho[i_a], pi_h: w_pi[i_a], x_h: x_hyp[i_a]}, over=(i_a, 1, n_a)
            )),
        ),
    ),
)  # fmt: skip

_SAMPLES = Domain(
    {**_KNOWN, n_sam: SIZE, n_a: SIZE, w_pi: WEIGHTS,
     x_all: Matrix(n_sam, n_a, Reals()), r_sam: Matrix(n_sam, n_a, POSITIVE),
     q_sam: Vector(n_sam, Reals(0, 1))},
    where=given_moments(lambda i: x_all[s_a, i], xi_m),
)  # fmt: skip

theorem = _claim(
    label="pac_bayes.disintegrated.theorem",
    statement="Let φ depend on sample and hypothesis, with E_S e^φ ≤ ξ for every hypothesis. With probability at least "
    "1-δ over the sample and one hypothesis h drawn from the posterior, chosen after it was seen, φ < ln(ρ(h)/π(h)) + "
    "ln(ξ/δ). With φ = m kl(r(h)‖R(h)) and ξ = 2√m that is the bound.",
    role="printed",
    left=theory.FAILURE,
    right=delta,
    domain=_SAMPLES,
    derivation=from_moments(
        theory.FAILURE, lambda i: x_all[s_a, i],
        Instance(one_sample.label, {p_sam: q_sam[s_a], w_rho: drawn, x_hyp: lambda i: x_all[s_a, i]},
                 over=(s_a, 1, n_sam)),
        xi_m,
        label="pac_bayes.disintegrated.theorem.steps", domain=_SAMPLES,
        samples={"two samples": {
            "delta": "1/2", "xi_m": 1, "n_sam": 2, "n_a": 1, "q_sam": ("1/40", "39/40"), "w_pi": (1,),
            "x_all": ((3,), (-1,)), "r_sam": ((1,), (1,)),
        }},
    ),
    limitations=(ANY_LOSSES,),
)  # fmt: skip
