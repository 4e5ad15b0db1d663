"""The bound by the chi-squared divergence, for any finite number of hypotheses and samples."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.abstract.independent import Independent
from boundaudit.checks.language.abstract.laws import Random
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import Var
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Range, Reals, Vector
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.finite import ANY_LOSSES, CONFIDENCE, POSITIVE, SIZE, WEIGHTS
from boundaudit.derivations.pac_bayes import chi_squared as theory
from boundaudit.derivations.pac_bayes.change_of_measure import drawn, n_a, n_sam, p_sam, q_sam, r_sam, s_a, w_pi, w_rho
from boundaudit.derivations.pac_bayes.chi_squared import V_m, c_h
from boundaudit.derivations.pac_bayes.disintegrated import x_all, x_h, x_hyp
from boundaudit.derivations.pac_bayes.subgaussian import v
from boundaudit.derivations.pac_bayes.subgaussian_pac_bayes import i_s, l_s
from boundaudit.derivations.pac_bayes.symbols import delta, m

_claim = functools.partial(Claim, paper=PAPER, expected="proved", relation="<=", place=("Alquier-Guedj",))
_KNOWN = {**CONFIDENCE, V_m: POSITIVE}
_SETS: dict[Any, Range] = {n_a: SIZE, w_rho: WEIGHTS, w_pi: WEIGHTS, x_hyp: Vector(n_a, Reals())}

schwarz = _claim(
    label="pac_bayes.chi_squared.schwarz",
    statement="The square of a posterior's mean is at most 1 + χ² times the prior's mean of squares.",
    left=theory.GAP**2,
    right=theory.CHI * theory.SQUARES,
    domain=Domain(_SETS),
)

event = _claim(
    label="pac_bayes.chi_squared.event",
    statement="Whether a number x reaches √((1 + χ²)V/δ), as one or zero, is at most δx²/((1 + χ²)V); both sides times "
    "a probability.",
    left=theory.fails(p_sam, x_h, c_h),
    right=p_sam * delta * x_h**2 / (c_h * V_m),
    domain=Domain({p_sam: Reals(0, 1), **_KNOWN, c_h: POSITIVE, x_h: Reals()}),
)

_ONE = Domain({p_sam: Reals(0, 1), **_KNOWN, **_SETS})
_SHARE = delta / V_m

one_sample = _claim(
    label="pac_bayes.chi_squared.one-sample",
    statement="Whether the bound fails for a posterior on one sample, as one or zero, is at most δ/V times the prior's "
    "mean of (R_h - r_h)²; both sides times the sample's probability.",
    left=theory.fails(p_sam, theory.GAP, theory.CHI),
    right=p_sam * _SHARE * theory.SQUARES,
    domain=_ONE,
    derivation=Derivation(
        label="pac_bayes.chi_squared.one-sample.steps", title="Markov, Cauchy and Schwarz", domain=_ONE,
        samples={"one": {"p_sam": 1, "delta": "1/2", "V_m": 1, "n_a": 1, "w_rho": (1,), "w_pi": (1,), "x_hyp": (2,)}},
        steps=(
            Step(theory.fails(p_sam, theory.GAP, theory.CHI), "failure"),
            Step(p_sam * delta * theory.GAP**2 / (theory.CHI * V_m), "square", "Markov",
                 Instance(event.label, {x_h: theory.GAP, c_h: theory.CHI})),
            Step(p_sam * _SHARE * theory.SQUARES, "prior's mean", "Cauchy-Schwarz", schwarz.label),
        ),
    ),
)  # fmt: skip

_SAMPLES = Domain(
    {**_KNOWN, n_sam: SIZE, n_a: SIZE, q_sam: Vector(n_sam, Reals(0, 1)), w_pi: WEIGHTS,
     x_all: Matrix(n_sam, n_a, Reals()), r_sam: Matrix(n_sam, n_a, POSITIVE)},
    where=[V_m >= theory.MOMENT],
)  # fmt: skip

theorem = _claim(
    label="pac_bayes.chi_squared.theorem",
    statement="Let V be at least the prior's mean of E_S (R_h - r_h)². With probability at least 1-δ over the sample "
    "every posterior, chosen after it was seen, has R < r + √((1 + χ²)V/δ). For m independent losses V = v/m.",
    role="printed",
    left=theory.FAILURE,
    right=delta,
    domain=_SAMPLES,
    derivation=Derivation(
        label="pac_bayes.chi_squared.theorem.steps", title="One sample after another", domain=_SAMPLES,
        samples={"two samples": {
            "delta": "1/2", "V_m": 1, "n_sam": 2, "n_a": 1, "q_sam": ("1/10", "9/10"), "w_pi": (1,),
            "x_all": ((2,), (0,)), "r_sam": ((1,), (1,)),
        }},
        steps=(
            Step(theory.FAILURE, "failure"),
            Step(_SHARE * theory.MOMENT, "mean square", "on each sample", Instance(
                one_sample.label, {p_sam: q_sam[s_a], w_rho: drawn, x_hyp: lambda i: x_all[s_a, i]},
                over=(s_a, 1, n_sam),
            )),
            Step(delta, "δ", "what V is", ()),
        ),
    ),
    limitations=(ANY_LOSSES,),
)  # fmt: skip

variance = _claim(
    label="pac_bayes.chi_squared.variance",
    statement="The mean of m independent losses with variances of at most v has a variance of at most v/m.",
    role="printed",
    left=Var(sp.Sum(l_s[i_s], (i_s, 1, m)) / m),
    right=v / m,
    domain=Space(
        {v: POSITIVE, m: Integers(1, tested_to=3), l_s: Independent(m, Random())},
        where=[ForAll(Var(l_s[i_s]) <= v, (i_s, 1, m))],
    ),
)
