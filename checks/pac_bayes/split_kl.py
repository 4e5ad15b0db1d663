"""Split-kl, for any finite number of hypotheses and samples."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Reals, Vector
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.change_of_measure import given_moments, prior_mean
from boundaudit.checks.pac_bayes.finite import ANY_LOSSES, CONFIDENCE, POSITIVE, SIZE, UNIT, WEIGHTS
from boundaudit.derivations.pac_bayes import split_kl as theory
from boundaudit.derivations.pac_bayes.bounds import a_all, a_h, o_hyp, r_all, r_hyp
from boundaudit.derivations.pac_bayes.change_of_measure import (
    Exponents,
    c_hyp,
    drawn,
    moment,
    n_a,
    n_sam,
    p_sam,
    prior_moment,
    q_sam,
    r_sam,
    s_a,
    w_pi,
    w_rho,
    xi_m,
)
from boundaudit.derivations.pac_bayes.split_kl import a_below, o_below, r_below
from boundaudit.derivations.pac_bayes.symbols import delta, m

_HERE = "pac_bayes.split_kl"
_ODDS, _CHOSEN, _RISKS = Vector(n_a, Reals(0, tested_to=10)), Vector(n_sam, POSITIVE), Matrix(n_sam, n_a, UNIT)
_SAMPLES = Domain(
    {**CONFIDENCE, xi_m: POSITIVE, m: Integers(1, tested_to=8), n_sam: SIZE, n_a: SIZE,
     w_pi: WEIGHTS, o_hyp: _ODDS, o_below: _ODDS, r_all: _RISKS, r_below: _RISKS,
     r_sam: Matrix(n_sam, n_a, POSITIVE), a_all: _CHOSEN, a_below: _CHOSEN, q_sam: Vector(n_sam, UNIT)},
    where=[*given_moments(theory.above, xi_m), *given_moments(theory.below, xi_m)[1:]],
)  # fmt: skip


def _on_samples(risks: sp.IndexedBase, odds: sp.IndexedBase, chosen: sp.IndexedBase) -> Instance:
    put = {p_sam: q_sam[s_a], w_rho: drawn, r_hyp: lambda i: risks[s_a, i], o_hyp: lambda i: odds[i],
           a_h: chosen[s_a], xi_m: 2 * xi_m}  # fmt: skip
    return Instance("pac_bayes.bounds.relative-entropy.one-sample", put, over=(s_a, 1, n_sam))


def _moments(exponents: Exponents) -> Instance:
    return Instance(prior_mean.label, {c_hyp: lambda i: moment(exponents, i)})


_ABOVE, _BELOW = prior_moment(theory.above), prior_moment(theory.below)

theorem = Claim(
    label=f"{_HERE}.theorem",
    statement="Let the parts of the losses above a middle value and below it, in [0, 1], have risks R₊ and R₋ with E_S "
    "of the exponential of m (r ln y - ln(1 - R + R y)) at most ξ for every hypothesis, as with ξ = 2√m. The "
    "probabilities that some posterior, chosen after the sample was seen, has m (r ln y - ln(1 - R + R y)) ≥ K + "
    "ln(2ξ/δ) for the one part and for the other, at any y, add up to at most δ. Where neither has, R₊ < kl⁻¹(r₊, B) "
    "and R₋ < kl⁻¹(r₋, B) with B = (K + ln(2ξ/δ))/m, and the Gibbs risk μ + (b-μ) R₊ - (μ-a)(1-R₋) is below the bound.",
    paper=PAPER,
    expected="proved",
    role="printed",
    left=theory.FAILURE,
    relation="<=",
    right=delta,
    domain=_SAMPLES,
    place=("Wu-Seldin",),
    derivation=Derivation(
        label=f"{_HERE}.theorem.steps", title="Two bounds", domain=_SAMPLES,
        samples={"two samples": {
            "delta": "1/2", "xi_m": 1, "m": 8, "n_sam": 2, "n_a": 1, "w_pi": (1,), "o_hyp": (1,), "o_below": (1,),
            "r_all": ((0,), (1,)), "r_below": ((1,), (1,)), "r_sam": ((1,), (1,)), "a_all": ("1/4", "1/4"),
            "a_below": ("1/4", "1/4"), "q_sam": ("1/100", "99/100"),
        }},
        steps=(
            Step(theory.FAILURE, "failure"),
            Step(delta / (2 * xi_m) * (_ABOVE + _BELOW), "exponential moments", "on each sample",
                 (_on_samples(r_all, o_hyp, a_all), _on_samples(r_below, o_below, a_below))),
            Step(delta / 2 + delta / (2 * xi_m) * _BELOW, "the moment below", "each hypothesis's moment",
                 _moments(theory.above)),
            Step(delta, "δ", "each hypothesis's moment", _moments(theory.below)),
        ),
    ),
    limitations=(ANY_LOSSES,),
)  # fmt: skip
