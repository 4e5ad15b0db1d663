"""One hypothesis drawn from the posterior, by Rényi's divergence: any finite number of hypotheses and samples."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Matrix, Range, Reals, Vector
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.change_of_measure import given_moments, prior_mean
from boundaudit.checks.pac_bayes.finite import ANY_LOSSES, CONFIDENCE, LAW, POSITIVE, SIZE, WEIGHTS
from boundaudit.derivations.pac_bayes import renyi as theory
from boundaudit.derivations.pac_bayes.bounds import reached
from boundaudit.derivations.pac_bayes.change_of_measure import (
    c_hyp,
    drawn,
    i_a,
    moment,
    n_a,
    n_sam,
    over_samples,
    p_sam,
    prior_moment,
    q_sam,
    r_sam,
    s_a,
    w_pi,
    w_rho,
    xi_m,
)
from boundaudit.derivations.pac_bayes.disintegrated import pi_h, x_all
from boundaudit.derivations.pac_bayes.renyi import (
    ALPHA,
    A_o,
    a_o,
    b_o,
    g_o,
    l_o,
    t_o,
    u_o,
    v_o,
    x_o,
    y_hyp,
    y_o,
    z_o,
)
from boundaudit.derivations.pac_bayes.symbols import delta

_claim = functools.partial(Claim, paper=PAPER, expected="proved", relation="<=", place=("Viallard",))
_HERE = "pac_bayes.renyi"
_ANY = Reals()
_ORDER: dict[Any, Range] = {t_o: POSITIVE}
_SETS: dict[Any, Range] = {**_ORDER, n_a: SIZE, w_rho: WEIGHTS, w_pi: WEIGHTS, y_hyp: Vector(n_a, _ANY)}
_KNOWN = {**CONFIDENCE, xi_m: POSITIVE}
_POINT = {"t_o": 1, "n_a": 1, "w_rho": (1,), "w_pi": (1,), "y_hyp": (0,)}

# --- Hölder's inequality ----------------------------------------------------------------------------

young = _claim(
    label=f"{_HERE}.young",
    statement="e^(u + tv) is at most (e^((1+t)u) + t e^((1+t)v))/(1+t).",
    left=sp.exp(u_o + t_o * v_o),
    right=theory.YOUNG,
    domain=Domain({**_ORDER, u_o: _ANY, v_o: _ANY}),
)

_ONE = Domain({**_ORDER, pi_h: POSITIVE, g_o: POSITIVE, y_o: _ANY, a_o: _ANY, b_o: _ANY})
_TERM = pi_h * g_o * sp.exp(t_o * y_o)
_AT_MOST = theory.young(ALPHA * sp.log(g_o), ALPHA * y_o, pi_h)

term = _claim(
    label=f"{_HERE}.term",
    statement="What one hypothesis adds to E_ρ e^(tφ/α) is at most a mean of what it adds to E_π (ρ/π)^α and E_π e^φ.",
    left=_TERM,
    right=_AT_MOST,
    domain=_ONE,
    derivation=Derivation(
        label=f"{_HERE}.term.steps", title="Young's inequality", domain=_ONE,
        samples={"one": {"t_o": 1, "pi_h": 1, "g_o": 1, "y_o": 0, "a_o": 0, "b_o": 0}},
        steps=(
            Step(_TERM, "term"),
            Step(_AT_MOST, "mean", "Young", Instance(young.label, {u_o: sp.log(g_o) - a_o, v_o: y_o - b_o})),
        ),
    ),
)  # fmt: skip

_BOUNDED = Domain(
    {**_SETS, a_o: _ANY, b_o: _ANY}, where=[sp.exp(ALPHA * a_o) >= theory.S, sp.exp(ALPHA * b_o) >= theory.M]
)
_PRODUCT = sp.exp(a_o + t_o * b_o)
_MEANS = _PRODUCT * (theory.S * sp.exp(-ALPHA * a_o) + t_o * theory.M * sp.exp(-ALPHA * b_o)) / ALPHA

product = _claim(
    label=f"{_HERE}.product",
    statement="E_ρ e^(tφ/α) is at most e^(a + tb) where E_π (ρ/π)^α is at most e^(αa) and E_π e^φ at most e^(αb).",
    left=theory.A,
    right=_PRODUCT,
    domain=_BOUNDED,
    derivation=Derivation(
        label=f"{_HERE}.product.steps", title="Hypothesis by hypothesis", domain=_BOUNDED,
        samples={"one": {**_POINT, "a_o": 0, "b_o": 0}},
        steps=(
            Step(theory.A, "mean"),
            Step(_MEANS, "means", "Young", Instance(
                term.label, {pi_h: w_pi[i_a], g_o: w_rho[i_a] / w_pi[i_a], y_o: y_hyp[i_a]}, over=(i_a, 1, n_a)
            )),
            Step(_PRODUCT, "product", "what a and b are", ()),
        ),
    ),
)  # fmt: skip

_LOGARITHM, _LOGARITHMS = ALPHA * sp.log(theory.A), sp.log(theory.S) + t_o * sp.log(theory.M)

hoelder = _claim(
    label=f"{_HERE}.hoelder",
    statement="Hölder's inequality: α ln E_ρ e^(tφ/α) is at most ln E_π (ρ/π)^α + t ln E_π e^φ, with t = α - 1.",
    left=_LOGARITHM,
    right=_LOGARITHMS,
    domain=Domain(_SETS),
    derivation=Derivation(
        label=f"{_HERE}.hoelder.steps", title="At the means", domain=Domain(_SETS),
        samples={"one": {**_POINT, "y_hyp": (1,)}},
        steps=(
            Step(_LOGARITHM, "logarithm"),
            Step(_LOGARITHMS, "logarithms", "Young",
                 Instance(product.label, {a_o: sp.log(theory.S) / ALPHA, b_o: sp.log(theory.M) / ALPHA})),
        ),
    ),
)  # fmt: skip

# --- the bound --------------------------------------------------------------------------------------

_LIKELY = {p_sam: Reals(0)}

either = _claim(
    label=f"{_HERE}.either",
    statement="Where t(x - z) is at most (1+t)u + tv, x reaches z only where u or v reaches 0: whether it does, as one "
    "or zero, is at most e^u + e^v; both sides times a probability.",
    left=reached(p_sam, x_o, z_o),
    right=p_sam * (sp.exp(u_o) + sp.exp(v_o)),
    domain=Domain(
        {**_LIKELY, **_ORDER, x_o: _ANY, z_o: _ANY, u_o: _ANY, v_o: _ANY},
        where=[ALPHA * u_o + t_o * v_o >= t_o * (x_o - z_o)],
    ),
)

_DRAWN = Domain(
    {**_LIKELY, **_ORDER, y_o: _ANY, z_o: _ANY, v_o: _ANY, A_o: _ANY, l_o: _ANY},
    where=[ALPHA * A_o <= t_o * z_o + t_o * v_o],
)
_REACHED = reached(p_sam, ALPHA * y_o, theory.threshold(z_o, l_o))
_SHARES = p_sam * (sp.exp(t_o * y_o - A_o - l_o) + sp.exp(v_o - l_o))

hypothesis = _claim(
    label=f"{_HERE}.hypothesis",
    statement="Let α ln A be at most t z + t v. Whether φ reaches z + (2α-1)/(α-1) l, as one or zero, is at most "
    "e^(tφ/α - l)/A + e^(v-l); both sides times a probability.",
    left=_REACHED,
    right=_SHARES,
    domain=_DRAWN,
    derivation=Derivation(
        label=f"{_HERE}.hypothesis.steps", title="One of two", domain=_DRAWN,
        samples={"one": {"p_sam": 1, "t_o": 1, "y_o": 3, "z_o": 0, "v_o": 0, "A_o": 0, "l_o": 1}},
        steps=(
            Step(_REACHED, "failure"),
            Step(_SHARES, "shares", "Markov, twice", Instance(either.label, {
                x_o: ALPHA * y_o, z_o: theory.threshold(z_o, l_o), u_o: t_o * y_o - A_o - l_o, v_o: v_o - l_o,
            })),
        ),
    ),
)  # fmt: skip

_SAMPLE = Domain({p_sam: Reals(0, 1), **_KNOWN, **_SETS}, where=[LAW])
_HALF = theory.half(p_sam, lambda i: ALPHA * y_hyp[i])

one_sample = _claim(
    label=f"{_HERE}.one-sample",
    statement="On one sample the posterior's weight of the hypotheses with φ ≥ D_α + ln ξ + (2α-1)/(α-1) ln(2/δ) is at "
    "most δ/2 (1 + E_π e^φ/ξ); both sides times the sample's probability.",
    left=theory.ON_ONE_SAMPLE,
    right=_HALF,
    domain=_SAMPLE,
    derivation=Derivation(
        label=f"{_HERE}.one-sample.steps", title="Hölder's inequality, then Markov's twice", domain=_SAMPLE,
        samples={"one": {**_POINT, "p_sam": 1, "delta": "1/2", "xi_m": 1, "y_hyp": (4,)}},
        steps=(
            Step(theory.ON_ONE_SAMPLE, "failure"),
            Step(theory.TWICE, "two shares", "Markov, twice", (hoelder.label, Instance(hypothesis.label, {
                p_sam: p_sam * w_rho[i_a], y_o: y_hyp[i_a], z_o: sp.log(theory.S) / t_o + sp.log(xi_m),
                A_o: sp.log(theory.A), v_o: sp.log(theory.M / xi_m), l_o: sp.log(2 / delta),
            }, over=(i_a, 1, n_a)))),
            Step(_HALF, "on one sample", "a posterior adds up to one", ()),
        ),
    ),
)  # fmt: skip


def _exponent(i: sp.Expr) -> sp.Expr:
    return x_all[s_a, i]


_SAMPLES = Domain(
    {**_KNOWN, **_ORDER, n_sam: SIZE, n_a: SIZE, w_pi: WEIGHTS, x_all: Matrix(n_sam, n_a, _ANY),
     r_sam: Matrix(n_sam, n_a, POSITIVE), q_sam: Vector(n_sam, Reals(0, 1))},
    where=[sp.Eq(over_samples(q_sam[s_a]), 1), *given_moments(_exponent, xi_m)],
)  # fmt: skip

theorem = _claim(
    label=f"{_HERE}.theorem",
    statement="Let φ depend on sample and hypothesis, with E_S e^φ ≤ ξ for every hypothesis, and α > 1. With "
    "probability at least 1-δ over the sample and one hypothesis drawn from the posterior ρ, chosen after it was seen, "
    "φ < D_α(ρ‖π) + ln ξ + (2α-1)/(α-1) ln(2/δ). With φ = m kl(r(h)‖R(h)) and ξ = 2√m that is the bound. The formula "
    "has t = α - 1, and ln E_π (ρ/π)^α is t D_α.",
    role="printed",
    left=theory.FAILURE,
    right=delta,
    domain=_SAMPLES,
    derivation=Derivation(
        label=f"{_HERE}.theorem.steps", title="One sample after another", domain=_SAMPLES,
        samples={"two samples": {
            "delta": "1/2", "xi_m": 1, "t_o": 1, "n_sam": 2, "n_a": 1, "q_sam": ("1/200", "199/200"), "w_pi": (1,),
            "x_all": ((5,), (-2,)), "r_sam": ((1,), (1,)),
        }},
        steps=(
            Step(theory.FAILURE, "failure"),
            Step(over_samples(theory.half(q_sam[s_a], _exponent)), "two shares", "on each sample", Instance(
                one_sample.label, {p_sam: q_sam[s_a], w_rho: drawn, y_hyp: lambda i: _exponent(i) / ALPHA},
                over=(s_a, 1, n_sam),
            )),
            Step(delta / 2 + delta / (2 * xi_m) * prior_moment(_exponent), "moment", "samples add up to one", ()),
            Step(delta, "δ", "each hypothesis's moment",
                 Instance(prior_mean.label, {c_hyp: lambda i: moment(_exponent, i)})),
        ),
    ),
    limitations=(ANY_LOSSES,),
)  # fmt: skip
