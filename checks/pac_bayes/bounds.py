"""The named PAC-Bayes bounds, for any finite number of hypotheses and samples and posteriors that follow these."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.abstract.independent import Independent
from boundaudit.checks.language.abstract.laws import Random
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import E
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Range, Reals, Vector
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.change_of_measure import from_moments, given_moments, step, varadhan
from boundaudit.checks.pac_bayes.finite import ANY_LOSSES, CONFIDENCE, LAW, POSITIVE, PRIOR, SIZE, UNIT, WEIGHTS
from boundaudit.derivations.pac_bayes import bounds as theory
from boundaudit.derivations.pac_bayes.bounds import (
    FORMS,
    Form,
    R_h,
    R_hyp,
    R_max,
    a_all,
    a_h,
    b_h,
    o_hyp,
    r_all,
    r_h,
    r_hyp,
    v_hyp,
    z_h,
)
from boundaudit.derivations.pac_bayes.change_of_measure import (
    drawn,
    g_a,
    i_a,
    n_a,
    n_sam,
    p_sam,
    prior_mean,
    q_sam,
    r_sam,
    s_a,
    total,
    w_pi,
    w_rho,
    x_gain,
    xi_m,
)
from boundaudit.derivations.pac_bayes.subgaussian import loss
from boundaudit.derivations.pac_bayes.subgaussian_pac_bayes import i_s, x_s
from boundaudit.derivations.pac_bayes.symbols import delta, m, rate

_claim = functools.partial(Claim, paper=PAPER, expected="proved", relation="<=")
_ANY = Reals()
_INSIDE = Reals(0, 1, open_low=True, open_high=True)
_BELOW_ONE = Reals(0, 1, open_high=True)
_SETS: dict[Any, Range] = {n_sam: SIZE, n_a: SIZE, w_pi: WEIGHTS}
_CHANCES: dict[Any, Range] = {q_sam: Vector(n_sam, UNIT)}  # last, so that points are moved along these
_HERE = "pac_bayes.bounds"

# --- Jensen's inequality ----------------------------------------------------------------------------

_RISKS: dict[Any, Range] = {n_a: SIZE, w_rho: WEIGHTS, R_max: _BELOW_ONE, R_hyp: Vector(n_a, Reals(0, R_max))}
_MIXED = Domain({**_RISKS, a_h: POSITIVE}, where=[LAW])

below_most = _claim(
    label=f"{_HERE}.below-most",
    statement="A posterior's mean risk is at most the largest risk.",
    left=theory.RISK,
    right=R_max,
    domain=Domain(_RISKS, where=[LAW]),
    place=("Maurer", "Catoni"),
)

mean_of_logarithms = _claim(
    label=f"{_HERE}.mean-of-logarithms",
    statement="The mean of logarithms is at most the logarithm of the mean.",
    left=total(w_rho[i_a] * sp.log(v_hyp[i_a])),
    right=sp.log(total(w_rho[i_a] * v_hyp[i_a])),
    domain=Domain({n_a: SIZE, w_rho: WEIGHTS, v_hyp: WEIGHTS}, where=[LAW]),
    place=("Maurer", "Catoni"),
)

mixed = _claim(
    label=f"{_HERE}.mixed",
    statement="The mean of 1 - R_h + R_h y is 1 - R + R y for the mean R.",
    left=theory.MIXED,
    relation="=",
    right=theory.remaining(theory.RISK, a_h),
    domain=_MIXED,
    place=("Maurer", "Catoni"),
)

logarithms = _claim(
    label=f"{_HERE}.logarithms",
    statement="The mean of ln(1 - R_h + R_h y) is at most ln(1 - R + R y).",
    left=theory.MIXED_LOGS,
    right=sp.log(theory.remaining(theory.RISK, a_h)),
    domain=_MIXED,
    place=("Maurer", "Catoni"),
    derivation=Derivation(
        label=f"{_HERE}.logarithms.steps", title="Jensen's inequality", domain=_MIXED,
        samples={"two": {"n_a": 2, "w_rho": ("1/2", "1/2"), "R_max": "1/2", "R_hyp": ("1/4", "1/2"), "a_h": 3}},
        steps=(
            Step(theory.MIXED_LOGS, "mean of logarithms"),
            Step(sp.log(theory.MIXED), "logarithm of the mean", "Jensen",
                 Instance(mean_of_logarithms.label, {v_hyp: lambda i: theory.remaining(R_hyp[i], a_h)})),
            Step(sp.log(theory.remaining(theory.RISK, a_h)), "by the mean risk", "a law adds up to one",
                 (below_most.label, mixed.label)),
        ),
    ),
)  # fmt: skip

# --- the bounds ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Bound:
    """A bound: its name, its words, where it is claimed, and numbers with which it may fail.

    What is chosen on each sample ranges over ``choice``, or is ``fixed`` in advance, with ξ = 1. Markov's inequality
    and Jensen's use the claims of ``markov`` and ``jensen``. The numbers are those of a hypothesis with r = 0 on a
    first sample of probability ``rare`` and r = 1 on a second. Where φ is linear Jensen's inequality is none.
    """

    name: str
    title: str
    places: tuple[str, ...]
    says: str
    over: Mapping[Any, Range]
    numbers: Mapping[str, Any]
    rare: sp.Rational
    risks: Mapping[Any, Range]
    seen: Reals = UNIT
    choice: Reals | None = None
    chosen: str = ""
    fixed: bool = False
    markov: tuple[Any, ...] = ()
    jensen: tuple[Any, ...] | None = None

    @property
    def label(self) -> str:
        """Of the theorem."""
        return f"{_HERE}.{self.name}"

    @property
    def form(self) -> Form:
        """Its formulas."""
        return FORMS[self.name]

    @property
    def xi(self) -> Any:
        """ξ."""
        return sp.S.One if self.fixed else xi_m

    @property
    def known(self) -> dict[Any, Range]:
        """δ, and ξ where it is not one."""
        return {**CONFIDENCE, **({} if self.fixed else {xi_m: POSITIVE})}

    @property
    def chosen_on_one(self) -> dict[Any, Range]:
        """What is chosen on a sample."""
        return {a_h: self.choice} if self.choice else {}

    @property
    def chosen_on_all(self) -> dict[Any, Range]:
        """The same on each."""
        return {a_all: Vector(n_sam, self.choice)} if self.choice and not self.fixed else self.chosen_on_one

    def point(self, domain: Domain, **others: Any) -> dict[str, Any]:
        """The numbers of a domain's parameters."""
        first = {"p_sam": 1, "w_rho": (1,), "r_hyp": (0,), "a_h": self.chosen, "r_h": 0, "R_h": "1/2", "b_h": 0}
        point = {"delta": "1/2", "n_a": 1, "w_pi": (1,), **first, **self.numbers, **others}
        return {name: value for name, value in point.items() if name in map(str, domain.ranges)}


def _event(bound: _Bound, by: Instance | None = None) -> Claim:
    start = bound.form.fails(p_sam, r_h, R_h, b_h, a_h)
    end = p_sam * sp.exp(bound.form.excess(r_h, R_h, a_h) - b_h)
    risk = bound.risks.get(R_max, bound.seen)
    domain = Domain({p_sam: UNIT, r_h: bound.seen, R_h: risk, b_h: _ANY, **bound.over, **bound.chosen_on_one})
    chain = by and Derivation(
        label=f"{bound.label}.event.steps", title="In z = 1 - R + R y", domain=domain,
        samples={"one": bound.point(domain)},
        steps=(Step(start, "failure"), Step(end, "exponential", "z = 1 - R + R y", by)),
    )  # fmt: skip
    return _claim(
        label=f"{bound.label}.event",
        statement=f"Whether {bound.title} fails on a sample, as one or zero, is at most e to the power of φ(r, R) less "
        "the relative entropy and ln(ξ/δ); both sides times the sample's probability.",
        left=start,
        right=end,
        domain=domain,
        place=bound.places,
        derivation=chain,
    )


def _mean(bound: _Bound) -> Claim:
    start, end = bound.form.excess(theory.SEEN, theory.mean_risk(bound.form), a_h), theory.posterior_mean(bound.form)
    domain = Domain(
        {
            n_a: SIZE,
            **bound.risks,
            w_rho: WEIGHTS,
            r_hyp: Vector(n_a, bound.seen),
            **bound.over,
            **bound.chosen_on_one,
        },
        where=[LAW],
    )
    chain = bound.jensen and Derivation(
        label=f"{bound.label}.mean.steps", title="Jensen's inequality", domain=domain,
        samples={"first": bound.point(domain)},
        steps=(Step(start, "φ of means"), Step(end, "mean of φ", "Jensen", bound.jensen)),
    )  # fmt: skip
    return _claim(
        label=f"{bound.label}.mean",
        statement=f"φ of {bound.title} at a posterior's mean risks is at most the posterior's mean of φ.",
        left=start,
        right=end,
        domain=domain,
        place=bound.places,
        derivation=chain or None,
    )


def _one_sample(bound: _Bound) -> Claim:
    form, budget = bound.form, theory.ENTROPY + sp.log(bound.xi / delta)
    risk = theory.mean_risk(form)
    start, reached = form.fails(p_sam, theory.SEEN, risk, budget, a_h), form.excess(theory.SEEN, risk, a_h)
    end = p_sam * delta / bound.xi * prior_mean(lambda i: theory.each(form, i))
    domain = Domain(
        {p_sam: UNIT, **bound.known, n_a: SIZE, **bound.risks, r_hyp: Vector(n_a, bound.seen), w_rho: WEIGHTS,
         w_pi: WEIGHTS, **bound.over, **bound.chosen_on_one},
        where=[LAW, PRIOR],
    )  # fmt: skip
    if form.at_least is form.excess:
        markov = Instance(step.label, {x_gain: reached - theory.ENTROPY - sp.log(bound.xi)})
    else:
        markov = Instance(f"{bound.label}.event", {r_h: theory.SEEN, R_h: risk, b_h: budget})
    steps = (
        Step(start, "failure"),
        Step(p_sam * sp.exp(reached - budget), "exponential", "Markov", (*bound.markov, markov)),
        Step(p_sam * sp.exp(theory.posterior_mean(form) - budget), "mean of φ", "Jensen",
             () if bound.jensen is None else (*bound.markov, f"{bound.label}.mean")),
        Step(end, "prior's mean", "change of measure",
             Instance(varadhan.label, {g_a: lambda i: sp.exp(theory.each(form, i))})),
    )  # fmt: skip
    return _claim(
        label=f"{bound.label}.one-sample",
        statement=f"Whether {bound.title} fails for a posterior on one sample, as one or zero, is at most δ/ξ times "
        "the prior's mean of e^φ; both sides times the sample's probability.",
        left=start,
        right=end,
        domain=domain,
        place=bound.places,
        derivation=Derivation(
            label=f"{bound.label}.one-sample.steps", title="Markov, Jensen and change of measure", domain=domain,
            samples={"first": bound.point(domain)}, steps=steps,
        ),
    )  # fmt: skip


def _theorem(bound: _Bound) -> Claim:
    choice = bound.chosen_on_all
    choosing = a_all[s_a] if a_all in choice else a_h
    failure = theory.failure(bound.form, bound.xi, choosing)
    exponent = functools.partial(theory.on_sample, bound.form, choosing)
    domain = Domain(
        {**bound.known, **_SETS, **bound.risks, r_all: Matrix(n_sam, n_a, bound.seen),
         r_sam: Matrix(n_sam, n_a, POSITIVE), **bound.over, **choice, **_CHANCES},
        where=given_moments(exponent, bound.xi),
    )  # fmt: skip
    put = {p_sam: q_sam[s_a], w_rho: drawn, r_hyp: lambda i: r_all[s_a, i], **({a_h: choosing} if choice else {})}
    two = {"n_sam": 2, "q_sam": (bound.rare, 1 - bound.rare), "r_all": ((0,), (1,)), "r_sam": ((1,), (1,))}
    point = bound.point(domain, **two, a_all=(bound.chosen,) * 2)
    return _claim(
        label=bound.label,
        statement=bound.says,
        role="printed",
        left=failure,
        right=delta,
        domain=domain,
        place=bound.places,
        derivation=from_moments(
            failure, exponent, Instance(f"{bound.label}.one-sample", put, over=(s_a, 1, n_sam)), bound.xi,
            label=f"{bound.label}.steps", domain=domain, samples={"two samples": point},
        ),
        limitations=(ANY_LOSSES,),
    )  # fmt: skip


_WITH = "With probability at least 1-δ over the sample every posterior, chosen after it was seen, has"
_LOSSES: dict[Any, Range] = {m: Integers(1, tested_to=8)}

_LINEAR = _Bound(
    name="linear",
    title="the bound linear in R - r",
    places=("Alquier", "Haddouche-Guedj", "Mhammedi"),
    says=f"Let E_S exp(λ(R_h - r_h)) ≤ ξ for every hypothesis. {_WITH} R < r + (K + ln(ξ/δ))/λ. For losses with the "
    "sub-Gaussian constant S ln ξ is λ²S²/(2m); with mean squares of at most v it is λ²v/(2m); and for losses in "
    "[0, 1] it is 0 where r has (λ/m) θ(λ/m) times the mean square on the sample added.",
    over={rate: POSITIVE},
    risks={R_hyp: Vector(n_a, _ANY)},
    seen=_ANY,
    numbers={"lambda_n": 3, "xi_m": "3/2", "R_hyp": (1,)},
    rare=sp.Rational(1, 40),
)

_RELATIVE_ENTROPY = _Bound(
    name="relative-entropy",
    title="the relative-entropy form",
    places=("Maurer", "Seeger"),
    says="kl(r‖R) is the supremum of r ln y - ln(1 - R + R y) over y > 0. Let E_S of the exponential of m times that "
    f"be at most ξ for every hypothesis, for which E_S exp(m kl(r_h‖R_h)) ≤ ξ is enough. {_WITH} m (r ln y - ln(1 - R "
    "+ R y)) < K + ln(ξ/δ) for any y, also one chosen after the sample. ξ = 2√m is Maurer's bound, m + 1 Seeger's. The "
    "formula has the odds o_h of R_h, with which 1 - R_h + R_h y is (1 + o_h y)/(1 + o_h).",
    over=_LOSSES,
    risks={o_hyp: Vector(n_a, Reals(0, tested_to=10))},
    choice=POSITIVE,
    jensen=(Instance(mean_of_logarithms.label, {v_hyp: lambda i: FORMS["relative-entropy"].of_risk(o_hyp[i], a_h)}),),
    numbers={"m": 8, "xi_m": 1, "o_hyp": (1,)},
    chosen="1/4",
    rare=sp.Rational(1, 100),
)

_SQUARE_ROOT = _Bound(
    name="square-root",
    title="McAllester's bound",
    places=("McAllester",),
    says=f"Let E_S exp(2m(R_h - r_h)²) ≤ ξ for every hypothesis. {_WITH} 2m(R - r)² < K + ln(ξ/δ), so that R < r + "
    "√((K + ln(ξ/δ))/(2m)). For losses in [0, 1] ξ = 2√m will do, as 2(R - r)² ≤ kl(r‖R).",
    over=_LOSSES,
    risks={R_hyp: Vector(n_a, UNIT)},
    jensen=(),
    numbers={"m": 4, "xi_m": 2, "R_hyp": (1,)},
    rare=sp.Rational(1, 5000),
)

_TRADE_OFF = _Bound(
    name="trade-off",
    title="PAC-Bayes-λ",
    places=("Thiemann", "Rivasplata"),
    says="Let E_S exp(m(λ(R_h - r_h) - λ²R_h/2)) ≤ ξ for every hypothesis and a λ in (0, 2) that may be chosen after "
    f"the sample. {_WITH} R < (r + (K + ln(ξ/δ))/(mλ))/(1 - λ/2). For losses in [0, 1] ξ = 2√m will do, as λ(R - r) - "
    "λ²R/2 ≤ kl(r‖R); the best λ gives the quadratic form.",
    over=_LOSSES,
    risks={R_hyp: Vector(n_a, UNIT)},
    choice=Reals(0, 2, open_low=True, open_high=True),
    numbers={"m": 8, "xi_m": 1, "R_hyp": (1,)},
    chosen="1",
    rare=sp.Rational(1, 100),
)

_TEMPERATURE = _Bound(
    name="temperature",
    title="Catoni's form",
    places=("Catoni",),
    says="Let y = e^-C, 0 < y < 1, be fixed in advance, and let E_S y^(m r_h) ≤ (1 - R_h + R_h y)^m for every "
    "hypothesis, as holds for m independent losses in [0, 1]. "
    f"{_WITH} R < (1 - exp(-C r - (K + ln(1/δ))/m))/(1 - e^-C).",
    over=_LOSSES,
    risks={R_max: _BELOW_ONE, R_hyp: Vector(n_a, Reals(0, R_max))},
    choice=_INSIDE,
    fixed=True,
    markov=(below_most.label,),
    jensen=(below_most.label, logarithms.label),
    numbers={"m": 8, "R_hyp": ("1/2",), "R_max": "1/2"},
    chosen="1/4",
    rare=sp.Rational(1, 100),
)

_OF_Z = f"{_HERE}.temperature.event-of-z"

event_of_z = _claim(
    label=_OF_Z,
    statement="Whether Catoni's bound fails, in z = 1 - R + R y, which makes R = (1 - z)/(1 - y).",
    left=_TEMPERATURE.form.fails(p_sam, r_h, (1 - z_h) / (1 - a_h), b_h, a_h),
    right=p_sam * sp.exp(m * (r_h * sp.log(a_h) - sp.log(z_h)) - b_h),
    domain=Domain({p_sam: UNIT, r_h: UNIT, z_h: POSITIVE, b_h: _ANY, **_LOSSES, a_h: _INSIDE}),
    place=_TEMPERATURE.places,
)

events = (
    _event(_LINEAR),
    _event(_TRADE_OFF),
    _event(_TEMPERATURE, by=Instance(_OF_Z, {z_h: theory.remaining(R_h, a_h)})),
)
_BOUNDS = (_LINEAR, _RELATIVE_ENTROPY, _SQUARE_ROOT, _TRADE_OFF, _TEMPERATURE)
means = tuple(_mean(bound) for bound in _BOUNDS if bound.jensen is not None)
on_one_sample = tuple(map(_one_sample, _BOUNDS))
theorems = tuple(map(_theorem, _BOUNDS))

# --- what the exponential moments are -----------------------------------------------------------------

_CLOSED = {r_h: UNIT, R_h: _INSIDE}
_TRADE = Domain({**_CLOSED, a_h: Reals(0, 2, open_low=True, open_high=True)})
_BELOW = f"{_HERE}.below-kl"
_TRADED, _KL = theory.traded(r_h, R_h, a_h), theory.closed_kl(r_h, R_h)
_AT_LEAST = theory.tilted(r_h, R_h, sp.exp(-a_h))

slope = _claim(
    label=f"{_HERE}.slope",
    statement="λ(R - r) - λ²R/2 is at most -λr - ln(1 - R + R e^-λ).",
    left=_TRADED,
    right=_AT_LEAST,
    domain=_TRADE,
    place=("Thiemann",),
)

below_kl = _claim(
    label=_BELOW,
    statement="r ln y - ln(1 - R + R y) for every y > 0 and 2(R - r)² are at most kl(r‖R), also where r is zero or "
    "one, so that the exponential moments of these bounds are at most that of m kl.",
    right=_KL,
    place=("Maurer", "Seeger", "McAllester"),
    cases=(
        Case("relative-entropy", left=theory.tilted(r_h, R_h, a_h), domain=Domain({**_CLOSED, a_h: POSITIVE})),
        Case("square-root", left=2 * (R_h - r_h) ** 2, domain=Domain(_CLOSED)),
    ),
)

traded_below_kl = _claim(
    label=f"{_HERE}.traded-below-kl",
    statement="λ(R - r) - λ²R/2 is at most kl(r‖R) for every λ in (0, 2), also where r is zero or one.",
    left=_TRADED,
    right=_KL,
    domain=_TRADE,
    place=("Thiemann", "Rivasplata"),
    derivation=Derivation(
        label=f"{_HERE}.traded-below-kl.steps", title="At y = e^-λ", domain=_TRADE,
        samples={"one": {"r_h": "1/4", "R_h": "1/2", "a_h": "1/2"}},
        steps=(
            Step(_TRADED, "trade-off"),
            Step(_AT_LEAST, "y = e^-λ", "e^-λ ≤ 1 - λ + λ²/2", slope.label),
            Step(_KL, "kl", "any y", Instance(f"{_BELOW}[relative-entropy]", {a_h: sp.exp(-a_h)})),
        ),
    ),
)  # fmt: skip

one_loss = _claim(
    label=f"{_HERE}.temperature.loss",
    statement="A loss in [0, 1] with mean R has E y^ℓ ≤ 1 - R + R y, for 0 < y < 1.",
    left=E(sp.exp(loss * sp.log(a_h))),
    right=theory.remaining(E(loss), a_h),
    domain=Space({a_h: _INSIDE, loss: Random(UNIT)}),
    place=("Catoni",),
)

independent = _claim(
    label=f"{_HERE}.independent",
    statement="The exponential moments of m independent numbers multiply: where each has E e^x ≤ z, E e^(Σ x) is at "
    "most z^m. With x = ℓ ln y and z = 1 - R + R y that is what Catoni's form asks of m losses; with x = (λ/m)(R - ℓ) "
    "and the one-sided sub-Gaussian constant S of each, z = exp(λ²S²/(2m²)), what the linear bound does.",
    role="printed",
    left=E(sp.exp(sp.Sum(x_s[i_s], (i_s, 1, m)))),
    right=z_h**m,
    domain=Space(
        {z_h: POSITIVE, m: Integers(1, tested_to=3), x_s: Independent(m, Random())},
        where=[ForAll(E(sp.exp(x_s[i_s])) <= z_h, (i_s, 1, m))],
    ),
    place=("Catoni", "Alquier", "Tolstikhin-Seldin"),
)
