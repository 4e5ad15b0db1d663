"""The bound by the variance on the sample, for any finite number of hypotheses and samples."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Matrix, Range, Reals, Vector
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.change_of_measure import given_moments, prior_mean
from boundaudit.checks.pac_bayes.finite import ANY_LOSSES, CONFIDENCE, LAW, POSITIVE, PRIOR, SIZE, WEIGHTS
from boundaudit.derivations.pac_bayes import empirical_bernstein as theory
from boundaudit.derivations.pac_bayes.bernstein import k_b
from boundaudit.derivations.pac_bayes.bounds import RISK, R_hyp, r_all, r_hyp, reached
from boundaudit.derivations.pac_bayes.change_of_measure import (
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
from boundaudit.derivations.pac_bayes.empirical_bernstein import (
    C_v,
    V_all,
    u_hyp,
    v_seen,
    x_1e,
    x_2e,
    x_ev,
    y_1e,
    y_2e,
    y_ev,
)
from boundaudit.derivations.pac_bayes.symbols import delta, rate

_claim = functools.partial(Claim, paper=PAPER, expected="proved", relation="<=", place=("Tolstikhin-Seldin",))
_HERE = "pac_bayes.empirical_bernstein"
_LINEAR = "pac_bayes.bounds.linear.one-sample"
_ANY = Reals(tested_to=4)
_EACH = Vector(n_a, _ANY)
_KNOWN: dict[Any, Range] = {
    **CONFIDENCE, rate: POSITIVE, k_b: POSITIVE, C_v: Reals(0, tested_to=2),
    n_a: SIZE, R_hyp: _EACH, u_hyp: _EACH, w_pi: WEIGHTS,
}  # fmt: skip
_POINT = {"delta": "1/2", "lambda_n": 3, "kappa_v": 3, "C_v": 1, "n_a": 1, "w_pi": (1,), "u_hyp": (0,)}

either = _claim(
    label=f"{_HERE}.either",
    statement="Where x - y is at most x' - y' plus a multiple, not below zero, of x'' - y'', x reaches y only where x' "
    "reaches y' or x'' reaches y''; each side times a probability.",
    left=reached(p_sam, x_ev, y_ev),
    right=reached(p_sam, x_1e, y_1e) + reached(p_sam, x_2e, y_2e),
    domain=Domain(
        {p_sam: Reals(0, 1), C_v: Reals(0), x_ev: _ANY, y_ev: _ANY, x_1e: _ANY, y_1e: _ANY, x_2e: _ANY, y_2e: _ANY},
        where=[x_ev - y_ev <= x_1e - y_1e + C_v * (x_2e - y_2e)],
    ),
)

_SAMPLE = Domain(
    {p_sam: Reals(0, 1), **_KNOWN, r_hyp: _EACH, v_seen: _EACH, w_rho: WEIGHTS},
    where=[LAW, PRIOR],
)

one_sample = _claim(
    label=f"{_HERE}.one-sample",
    statement="Whether the bound fails for a posterior on one sample, as one or zero, is at most δ/2 times the prior's "
    "means of both exponentials; all times the sample's probability.",
    left=theory.ON_ONE_SAMPLE,
    right=sum(theory.SHARES),
    domain=_SAMPLE,
    derivation=Derivation(
        label=f"{_HERE}.one-sample.steps", title="One of two bounds fails", domain=_SAMPLE,
        samples={"one": {**_POINT, "p_sam": 1, "R_hyp": (3,), "r_hyp": (0,), "v_seen": (0,), "w_rho": (1,)}},
        steps=(
            Step(theory.ON_ONE_SAMPLE, "failure"),
            Step(theory.TWO_EVENTS, "either", "a union", Instance(either.label, {
                x_ev: RISK, y_ev: theory.LIMIT, x_1e: RISK, y_1e: theory.BY_VARIANCE, x_2e: theory.VARIANCE,
                y_2e: theory.OF_VARIANCE,
            })),
            Step(sum(theory.SHARES), "prior's means", "the linear bound, twice", (
                Instance(_LINEAR, {xi_m: 2, r_hyp: lambda i: r_hyp[i] + C_v * u_hyp[i]}),
                Instance(_LINEAR, {xi_m: 2, rate: k_b, R_hyp: lambda i: u_hyp[i], r_hyp: lambda i: v_seen[i]}),
            )),
        ),
    ),
)  # fmt: skip


def _of_risks(i: sp.Expr) -> sp.Expr:
    return theory.of_risks(r_all[s_a, i], i)


def _of_variances(i: sp.Expr) -> sp.Expr:
    return theory.of_variances(V_all[s_a, i], i)


_SAMPLES = Domain(
    {**_KNOWN, n_sam: SIZE, r_all: Matrix(n_sam, n_a, _ANY), V_all: Matrix(n_sam, n_a, _ANY),
     r_sam: Matrix(n_sam, n_a, POSITIVE), q_sam: Vector(n_sam, Reals(0, 1))},
    where=[*given_moments(_of_risks), *given_moments(_of_variances)[1:]],
)  # fmt: skip
_HALVES = delta / 2 * prior_moment(_of_risks) + delta / 2 * prior_moment(_of_variances)

theorem = _claim(
    label=f"{_HERE}.theorem",
    statement="Let E_S exp(λ(R_h - r_h - C u_h)) ≤ 1 and E_S exp(κ(u_h - V_h)) ≤ 1 for every hypothesis. With "
    "probability at least 1-δ over the sample every posterior, chosen after it was seen, has R < r + C (V + (K + "
    "ln(2/δ))/κ) + (K + ln(2/δ))/λ. For losses in [0, 1] with variances σ_h² and unbiased variances V_h on the sample "
    "u_h = (1 - κ/(2(m-1))) σ_h² and C = (λ/m) φ(λ/m)/(1 - κ/(2(m-1))) will do.",
    role="printed",
    left=theory.FAILURE,
    right=delta,
    domain=_SAMPLES,
    derivation=Derivation(
        label=f"{_HERE}.theorem.steps", title="From exponential moments to δ", domain=_SAMPLES,
        samples={"two samples": {
            **_POINT, "n_sam": 2, "q_sam": ("1/40", "39/40"), "R_hyp": (1,), "r_all": ((0,), (3,)),
            "V_all": ((0,), (0,)), "C_v": "1/10", "kappa_v": 30, "lambda_n": "7/2", "r_sam": ((1,), (1,)),
        }},
        steps=(
            Step(theory.FAILURE, "failure"),
            Step(_HALVES, "exponential moments", "on each sample", Instance(
                one_sample.label,
                {p_sam: q_sam[s_a], w_rho: drawn, r_hyp: lambda i: r_all[s_a, i], v_seen: lambda i: V_all[s_a, i]},
                over=(s_a, 1, n_sam),
            )),
            Step(delta, "δ", "each hypothesis's moments", tuple(
                Instance(prior_mean.label, {xi_m: 1, c_hyp: functools.partial(moment, exponents)})
                for exponents in (_of_risks, _of_variances)
            )),
        ),
    ),
    limitations=(ANY_LOSSES,),
)  # fmt: skip
