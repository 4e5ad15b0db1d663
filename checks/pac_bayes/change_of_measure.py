"""Change of measure on finite sets: Donsker and Varadhan, Markov, and the general PAC-Bayes theorem."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Matrix, Range, Reals, Vector
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.finite import ANY_NUMBER, CONFIDENCE, LAW, POSITIVE, PRIOR, SIZE, WEIGHTS
from boundaudit.derivations.pac_bayes import change_of_measure as theory
from boundaudit.derivations.pac_bayes.change_of_measure import (
    c_a,
    c_hyp,
    g_a,
    g_sam,
    i_a,
    n_a,
    n_sam,
    p_sam,
    q_sam,
    r_a,
    r_sam,
    s_a,
    w_pi,
    w_rho,
    x_a0,
    x_gain,
    xi_m,
)
from boundaudit.derivations.pac_bayes.symbols import delta

_SETS: dict[Any, Range] = {n_a: SIZE, w_rho: WEIGHTS, w_pi: WEIGHTS}
_claim = functools.partial(Claim, paper=PAPER, place=("Donsker-Varadhan",))
_FINITE = "On finite sets, with every weight positive."

_POSTERIORS = Domain({**_SETS, g_a: WEIGHTS}, where=[LAW])

_SHARES = {n: (sp.Rational(1, n), 1 - sp.Rational(1, n)) for n in (3, 5)}

varadhan = _claim(
    label="pac_bayes.change_of_measure.varadhan",
    statement="A posterior's mean of φ is at most its relative entropy to the prior plus the logarithm of the prior's "
    "mean of e^φ. The formula has g = e^φ.",
    role="printed",
    left=theory.GAIN,
    relation="<=",
    right=sp.log(theory.PARTITION),
    domain=_POSTERIORS,
    kind="Tight",
    equality=({"n_a": 2, "w_rho": _SHARES[5], "w_pi": _SHARES[3], "g_a": (1, 2)},),
    expected="proved",
    limitations=(_FINITE,),
)

markov = _claim(
    label="pac_bayes.change_of_measure.markov",
    statement="Markov's inequality: a threshold times the weight of the atoms at which a nonnegative variable reaches "
    "it is at most the variable's sum, so that the probability of E/δ or more is at most δ.",
    left=theory.BEYOND,
    relation="<=",
    right=theory.EXPECTATION,
    domain=Domain({
        n_a: SIZE, c_a: POSITIVE, w_rho: WEIGHTS, x_a0: Vector(n_a, Reals(c_a, tested_to=20)),
        r_a: Reals(0, tested_to=10),
    }),
    kind="Tight",
    equality=({"n_a": 1, "c_a": 2, "w_rho": (1,), "x_a0": (2,), "r_a": 0},),
    expected="proved",
    limitations=("Finitely many values.",),
)  # fmt: skip

# --- the general theorem ----------------------------------------------------------------------------


step = _claim(
    label="pac_bayes.change_of_measure.step",
    statement="Whether a number is ln(1/δ) or more, as one or zero, is at most δ times its exponential; both sides "
    "times a probability.",
    left=theory.failure(p_sam, x_gain),
    relation="<=",
    right=p_sam * delta * sp.exp(x_gain),
    domain=Domain({**CONFIDENCE, p_sam: Reals(0, 1), x_gain: Reals()}),
    expected="proved",
)

_ONE = Domain({**CONFIDENCE, p_sam: Reals(0, 1), **_POSTERIORS.ranges}, where=[LAW])
one_sample = _claim(
    label="pac_bayes.change_of_measure.one-sample",
    statement="Whether on one sample a posterior's mean of φ less its relative entropy is ln(1/δ) or more, as one or "
    "zero, is at most δ times the prior's mean of e^φ; both sides times the sample's probability.",
    left=theory.failure(p_sam, theory.GAIN),
    relation="<=",
    right=p_sam * delta * theory.PARTITION,
    domain=_ONE,
    expected="proved",
    derivation=Derivation(
        label="pac_bayes.change_of_measure.one-sample.steps", title="Change of measure and Markov's inequality",
        domain=_ONE,
        samples={"two": {"delta": "1/2", "p_sam": 1, "n_a": 2, "w_rho": ("1/2", "1/2"), "w_pi": ("1/2", "1/2"),
                         "g_a": (4, 4)}},
        steps=(
            Step(theory.failure(p_sam, theory.GAIN), "failure"),
            Step(p_sam * delta * sp.exp(theory.GAIN), "exponential", "Markov",
                 Instance(step.label, {x_gain: theory.GAIN})),
            Step(p_sam * delta * theory.PARTITION, "prior's mean", "change of measure", varadhan.label),
        ),
    ),
)  # fmt: skip

_LAWS: dict[Any, Range] = {
    n_sam: SIZE, n_a: SIZE, q_sam: Vector(n_sam, Reals(0, 1)), w_pi: WEIGHTS,
    g_sam: Matrix(n_sam, n_a, POSITIVE),
}  # fmt: skip
_DRAWN: dict[Any, Range] = {**CONFIDENCE, **_LAWS, r_sam: Matrix(n_sam, n_a, POSITIVE)}
_SAMPLES = Domain(_DRAWN)
_ON_SAMPLE = {p_sam: q_sam[s_a], w_rho: theory.drawn, g_a: lambda i: g_sam[s_a, i]}
_EXAMPLE = {
    "two samples": {
        "delta": "1/2", "n_sam": 2, "n_a": 1, "q_sam": ("1/4", "3/4"), "w_pi": (1,), "g_sam": ((3,), ("1/100",)),
        "r_sam": ((1,), (1,)),
    }
}  # fmt: skip

theorem = _claim(
    label="pac_bayes.change_of_measure.theorem",
    statement="Let φ depend on sample and hypothesis in any way. With probability at least 1 - δ E_S E_π e^φ over the "
    "sample every posterior ρ, chosen after it was seen, has E_ρ φ < KL(ρ‖π) + ln(1/δ).",
    role="printed",
    place=("Germain",),
    left=theory.FAILURE,
    relation="<=",
    right=delta * theory.MOMENT,
    domain=_SAMPLES,
    expected="proved",
    derivation=Derivation(
        label="pac_bayes.change_of_measure.theorem.steps", title="One sample after another", domain=_SAMPLES,
        samples=_EXAMPLE,
        steps=(
            Step(theory.FAILURE, "failure"),
            Step(delta * theory.MOMENT, "moment", "on each sample",
                 Instance(one_sample.label, _ON_SAMPLE, over=(s_a, 1, n_sam))),
        ),
    ),
    limitations=(ANY_NUMBER,),
)  # fmt: skip

prior_mean = _claim(
    label="pac_bayes.change_of_measure.prior-mean",
    statement="Where every hypothesis's exponential moment is at most ξ, so is the prior's mean of them.",
    left=theory.total(w_pi[i_a] * c_hyp[i_a]),
    relation="<=",
    right=xi_m,
    domain=Domain(
        {n_a: SIZE, w_pi: WEIGHTS, xi_m: POSITIVE, c_hyp: Vector(n_a, Reals(0, xi_m))},
        where=[PRIOR],
    ),
    place=("Germain",),
    expected="proved",
)


def given_moments(exponents: theory.Exponents, xi: Any = sp.S.One) -> list[Any]:
    """That the prior is a law, and every hypothesis's exponential moment at most ξ.

    Args:
        exponents: From the number of a hypothesis to φ on the sample s_a.
        xi: ξ.

    Returns:
        Relations for a domain.
    """
    return [PRIOR, ForAll(theory.moment(exponents, i_a) <= xi, (i_a, 1, n_a))]


def from_moments(
    failure: Any, exponents: theory.Exponents, on_samples: str | Instance, xi: Any = sp.S.One, **others: Any
) -> Derivation:
    """The chain from a failure to δ.

    Args:
        failure: The probability of failing.
        exponents: As for ``given_moments``.
        on_samples: That it is at most δ/ξ times the prior's mean of all exponential moments.
        xi: ξ.
        **others: What a derivation has beside its steps and title.

    Returns:
        The chain.
    """
    each = Instance(prior_mean.label, {xi_m: xi, c_hyp: lambda i: theory.moment(exponents, i)})
    steps = (
        Step(failure, "failure"),
        Step(delta / xi * theory.prior_moment(exponents), "exponential moment", "on each sample", on_samples),
        Step(delta, "δ", "each hypothesis's moment", each),
    )
    return Derivation(steps=steps, title="From exponential moments to δ", **others)


_SURE = Domain(_DRAWN, where=given_moments(theory.log_g))
corollary = _claim(
    label="pac_bayes.change_of_measure.corollary",
    statement="Let E_S e^φ be at most 1 for every hypothesis. With probability at least 1-δ over the sample every "
    "posterior ρ, chosen after it was seen, has E_ρ φ < KL(ρ‖π) + ln(1/δ): with φ the excess of m kl(r‖R) over "
    "ln(2√m), of λ(R - r) over λ²S²/(2m), …, these are the bounds.",
    role="printed",
    place=("Germain",),
    left=theory.FAILURE,
    relation="<=",
    right=delta,
    domain=_SURE,
    expected="proved",
    derivation=from_moments(
        theory.FAILURE, theory.log_g, theorem.label,
        label="pac_bayes.change_of_measure.corollary.steps", domain=_SURE, samples=_EXAMPLE,
    ),
    limitations=(ANY_NUMBER,),
)  # fmt: skip
