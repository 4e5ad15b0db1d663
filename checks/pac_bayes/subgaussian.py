"""Sub-Gaussian constants: of two-valued losses exactly, of one tail alone, and where they are attained."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.abstract.laws import Random
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import E, Var
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import subgaussian as theorem
from boundaudit.derivations.pac_bayes.subgaussian import a, loss, p, t, v, w
from boundaudit.derivations.pac_bayes.symbols import M_c

_claim = functools.partial(Claim, paper=PAPER)
_OPEN = Reals(0, 1, open_low=True, open_high=True)
_HALF = Reals(0, sp.Rational(1, 2), open_low=True)
_ODDS = Reals(0, open_low=True, tested_to=20)
_BY_ODDS = "p = 1/(1+exp(2a)), that is a = ln((1-p)/p)/2, and t = 2(a+v)."

_MOMENT = E(sp.exp(t * (loss - E(loss))))

hoeffding = _claim(
    label="pac_bayes.subgaussian.hoeffding",
    statement="A loss ℓ in [0, M] with mean R has the sub-Gaussian constant M/2: E exp(t(ℓ-R)) is at most "
    "exp(M²t²/8), for every t and every law with finitely many values.",
    left=_MOMENT,
    relation="<=",
    right=theorem.HOEFFDING,
    domain=Space({t: Reals(tested_to=10), M_c: Reals(0, open_low=True, tested_to=4), loss: Random(Reals(0, M_c))}),
    role="printed",
    place=("Hoeffding",),
    expected="proved",
)

odds = _claim(
    label="pac_bayes.subgaussian.odds",
    statement="A loss ℓ that is 1 with probability R = 1/(1+exp(2a)), a > 0, and else 0 has, at t = 2(a+v), the "
    "cumulant generating function ln E exp(t(ℓ-R)) = (a+v) tanh a + ln cosh v - ln cosh a.",
    left=theorem.cumulant(theorem.SHARE, 2 * (a + v)),
    relation="=",
    right=theorem.BY_ODDS,
    domain=Domain({a: Reals(0, open_low=True, tested_to=5), v: Reals(tested_to=5)}),
    place=("Kearns-Saul",),
    expected="proved",
)

kearns_saul = _claim(
    label="pac_bayes.subgaussian.kearns-saul",
    statement="A loss that is 1 with probability p and else 0 has, for both tails, the sub-Gaussian constant S with "
    "S² = (1-2p)/(2 ln((1-p)/p)), attained at t = 2 ln((1-p)/p). The formula says that ln cosh v ≤ ln cosh a + "
    "tanh(a)(v²-a²)/(2a) for a > 0 and v ≥ 0.",
    left=theorem.log_cosh(v),
    relation="<=",
    right=theorem.TANGENT,
    domain=Domain({a: _ODDS, v: Reals(0, tested_to=30)}),
    kind="Tight",
    equality=({"a_sg": 1, "v_sg": 1},),
    role="printed",
    place=("Kearns-Saul",),
    rests_on=("pac_bayes.subgaussian.odds", "pac_bayes.subgaussian.sech"),
    repairs=("pac_bayes.subgaussian.deviation",),
    limitations=(
        _BY_ODDS,
        "ln cosh is even. The difference has derivative (a²-v²)(tanh a - a sech² a)/(2a²) in a.",
    ),
)

sech = _claim(
    label="pac_bayes.subgaussian.sech",
    statement="For a > 0, 4a exp(2a) is at most exp(4a) - 1, that is a sech² a ≤ tanh a.",
    left=4 * a * sp.exp(2 * a),
    relation="<=",
    right=sp.exp(4 * a) - 1,
    domain=Domain({a: _ODDS}),
    place=("Kearns-Saul",),
    expected="proved",
)

deviation = _claim(
    label="pac_bayes.subgaussian.deviation",
    statement="The standard deviation of a loss that is 1 with probability p ≤ 1/2 and else 0 is its sub-Gaussian "
    "constant, for both tails.",
    role="control",
    left=theorem.cumulant(p, t),
    relation="<=",
    right=theorem.VARIANCE * t**2 / 2,
    place=("Kearns-Saul",),
    domain=Domain({p: _HALF, t: Reals(tested_to=30)}),
    expected="refuted",
    limitations=("What a look at small t alone suggests, where 2 ln E exp(t(ℓ-R))/t² tends to the variance.",),
)

lower = _claim(
    label="pac_bayes.subgaussian.lower-tail",
    statement="Let a loss ℓ be 1 with probability p = R ≤ 1/2 and else 0. Its standard deviation serves as "
    "sub-Gaussian constant for E exp(t(R-ℓ)), t ≥ 0, which is all that an upper bound on the risk needs. The "
    "formula says that ln cosh(a+w) ≤ ln cosh a + w tanh a + w² sech²(a)/2 for a > 0 and w ≥ 0.",
    left=theorem.log_cosh(a + w),
    relation="<=",
    right=theorem.PARABOLA,
    domain=Domain({a: _ODDS, w: Reals(0)}),
    place=("Kearns-Saul",),
    expected="proved",
    rests_on=("pac_bayes.subgaussian.odds",),
    improves="pac_bayes.subgaussian.kearns-saul",
    limitations=("t = 2w and p = 1/(1+exp(2a)).", "Not for p > 1/2, whose lower tail is the heavy one."),
)


# --- how far a cumulant generating function has to be looked at ------------------------------------

line = _claim(
    label="pac_bayes.subgaussian.line",
    statement="For a loss ℓ that is 1 with probability R and else 0, and t ≥ 0, ln E exp(t(ℓ-R)) is at most t times "
    "the largest loss less the mean, t(1-R).",
    left=theorem.cumulant(p, t),
    relation="<=",
    right=(1 - p) * t,
    place=("Kearns-Saul",),
    domain=Domain({p: _OPEN, t: Reals(0)}),
    expected="proved",
)

tail = _claim(
    label="pac_bayes.subgaussian.tail",
    statement="For a loss ℓ that is 1 with probability R and else 0, the bound 2(1-R)/t on the quotient "
    "2 ln E exp(t(ℓ-R))/t² is at most 2(1-R)/t_max beyond t_max: a look as far as 2(1-R)/S² is a look at all t.",
    left=2 * (1 - p) / t,
    relation="<=",
    right=2 * (1 - p) / theorem.reach,
    place=("Kearns-Saul",),
    domain=Domain({p: _OPEN, theorem.reach: Reals(sp.Rational(1, 100), 100), t: Reals(theorem.reach)}),
    expected="proved",
    rests_on=("pac_bayes.subgaussian.line",),
)

bennett = _claim(
    label="pac_bayes.subgaussian.bennett",
    statement="For a loss ℓ of at most 1 above its mean R and t ≥ 0, E exp(t(ℓ-R)) is at most the exponential of the "
    "variance times exp(t)-1-t, for every law with finitely many values. So 0 ≤ t ≤ 1 alone shows a squared "
    "sub-Gaussian constant of at most 1.44 times the variance, however large the true one is.",
    left=_MOMENT,
    relation="<=",
    right=sp.exp(Var(loss) * (sp.exp(t) - 1 - t)),
    domain=Space({t: Reals(0, tested_to=20), loss: Random(Reals())}, where=[loss - E(loss) <= 1]),
    role="printed",
    place=("Bennett",),
    expected="proved",
)
