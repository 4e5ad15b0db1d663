"""Sub-Gaussian constants: of two-valued losses exactly, of one tail alone, and how numbers find them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.derivations.pac_bayes import subgaussian as theorem
from boundaudit.derivations.pac_bayes.subgaussian import a, p, t, v, w, x
from boundaudit.derivations.pac_bayes.symbols import M_c
from boundaudit.numeric.pac_bayes.subgaussian import Side, proxy

_HOEFFDING = "Hoeffding 1963"
_KEARNS_SAUL = "Kearns & Saul 1998"
_OPEN = Reals(0, 1, open_low=True, open_high=True)
_HALF = Reals(0, sp.Rational(1, 2), open_low=True)
_ODDS = Reals(0, open_low=True, tested_to=20)
_SOME_ODDS = Choices(
    even=sp.Rational(1, 50),
    third=sp.Rational(7, 20),
    tenth=1,
    hundredth=sp.Rational(23, 10),
    rare=5,
    rarer=8,
    rarest=12,
)
_SIGN = "For t < 0 exchange the two losses."
_BY_ODDS = "Here p = 1/(1+exp(2a)), that is a = ln((1-p)/p)/2, and t = 2(a+v)."


def _proxy(side: Side) -> Measure:
    """The square of the measured constant of a loss that is 1 with probability 1/(1+e²ᵃ), else 0."""

    def measure(points: Sequence[Point], device: str) -> Array:
        share = torch.special.expit(-2 * torch.tensor([q["a_sg"] for q in points], dtype=torch.float64, device=device))
        values = torch.tensor([0.0, 1.0], dtype=torch.float64, device=device).expand(len(points), 2)
        found = proxy(values, torch.stack([1 - share, share], -1), side=side).value
        return found.square().cpu().numpy()

    return measure


hoeffding = Claim(
    label="pac_bayes.subgaussian.hoeffding",
    statement="A loss in [0, M] has sub-Gaussian constant M/2: ln E exp(t(ℓ-R)) is at most M²t²/8. By convexity the "
    "worst law with mean pM is the one on 0 and M.",
    left=theorem.cumulant(p, M_c * t),
    relation="<=",
    right=theorem.HOEFFDING,
    domain=Domain({p: _OPEN, t: Reals(0, tested_to=2), M_c: Reals(sp.Rational(1, 10), 4)}),
    paper=_HOEFFDING,
    expected="proved",
    limitations=(_SIGN,),
)

odds = Claim(
    label="pac_bayes.subgaussian.odds",
    statement="The cumulant generating function of a two-valued loss is (a+v) tanh a + ln cosh v - ln cosh a.",
    left=theorem.cumulant(theorem.SHARE, 2 * (a + v)),
    relation="=",
    right=theorem.BY_ODDS,
    domain=Domain({a: Reals(0, open_low=True, tested_to=5), v: Reals(tested_to=5)}),
    expected="proved",
    limitations=(_BY_ODDS,),
)

kearns_saul = Claim(
    label="pac_bayes.subgaussian.kearns-saul",
    statement="ln cosh v is at most ln cosh a + tanh(a)(v²-a²)/(2a): a loss that is 1 with probability p and else 0 "
    "has S² = (1-2p)/(2 ln((1-p)/p)) for both tails, attained at t = 2 ln((1-p)/p).",
    left=theorem.log_cosh(v),
    relation="<=",
    right=theorem.TANGENT,
    domain=Domain({a: _SOME_ODDS, v: Reals(0, tested_to=30)}),
    kind="Tight",
    equality=({"a_sg": 1, "v_sg": 1},),
    paper=_KEARNS_SAUL,
    expected="certified",
    rests_on=("pac_bayes.subgaussian.odds", "pac_bayes.subgaussian.sech"),
    repairs=("pac_bayes.subgaussian.deviation",),
    limitations=(
        _BY_ODDS,
        "Certified at seven odds; ln cosh is even. The difference has derivative (a²-v²)(tanh a - a sech² a)/(2a²) "
        "in a.",
    ),
)

sech = Claim(
    label="pac_bayes.subgaussian.sech",
    statement="4a exp(2a) is at most exp(4a) - 1, that is a sech² a ≤ tanh a.",
    left=4 * a * sp.exp(2 * a),
    relation="<=",
    right=sp.exp(4 * a) - 1,
    domain=Domain({a: _ODDS}),
    expected="proved",
)

below_hoeffding = Claim(
    label="pac_bayes.subgaussian.below-hoeffding",
    statement="The constant of a two-valued loss is at most half its range: tanh a ≤ a.",
    left=theorem.KEARNS_SAUL_BY_ODDS,
    relation="<=",
    right=sp.Rational(1, 4),
    domain=Domain({a: Reals(sp.Rational(1, 100), 20)}),
    expected="certified",
    rests_on=("pac_bayes.subgaussian.hoeffding",),
    limitations=("Half the range is reached as p tends to one half.",),
)

deviation = Claim(
    label="pac_bayes.subgaussian.deviation",
    statement="The standard deviation of a loss is its sub-Gaussian constant, for both tails.",
    left=theorem.cumulant(p, t),
    relation="<=",
    right=theorem.VARIANCE * t**2 / 2,
    domain=Domain({p: _HALF, t: Reals(tested_to=30)}),
    expected="refuted",
    limitations=("What a look at small t alone suggests, where 2 ln E exp(t(ℓ-R))/t² tends to the variance.",),
)

lower = Claim(
    label="pac_bayes.subgaussian.lower-tail",
    statement="For E exp(t(R-ℓ)), t ≥ 0, all that an upper bound on the risk needs, the standard deviation serves a "
    "loss that is 1 with probability p ≤ 1/2 and else 0: ln cosh(a+w) ≤ ln cosh a + w tanh a + w² sech²(a)/2.",
    left=theorem.log_cosh(a + w),
    relation="<=",
    right=theorem.PARABOLA,
    domain=Domain({a: _ODDS, w: Reals(0)}),
    expected="proved",
    rests_on=("pac_bayes.subgaussian.odds",),
    improves="pac_bayes.subgaussian.kearns-saul",
    limitations=("Here t = 2w and p = 1/(1+exp(2a)).", "Not for p > 1/2, whose lower tail is the heavy one."),
)

gain = Claim(
    label="pac_bayes.subgaussian.gain",
    statement="The one-sided constant of a loss in {0, 1} with p < 1/2 is below the two-sided one.",
    left=theorem.VARIANCE_BY_ODDS,
    relation="<=",
    right=theorem.KEARNS_SAUL_BY_ODDS,
    domain=Domain({a: _ODDS}),
    expected="proved",
    rests_on=("pac_bayes.subgaussian.sech",),
)

_RARE = Domain({p: Choices(rare=sp.Rational(1, 10000))})

rare = Claim(
    label="pac_bayes.subgaussian.rare",
    statement="For a loss that is 1 once in 10 000 the two-sided constant is 0.232973, to six digits.",
    left=sp.Abs(sp.sqrt(theorem.KEARNS_SAUL) - sp.Rational(232973, 10**6)),
    relation="<=",
    right=sp.Rational(1, 2 * 10**6),
    domain=_RARE,
    expected="certified",
    rests_on=("pac_bayes.subgaussian.kearns-saul",),
)

rare_gain = Claim(
    label="pac_bayes.subgaussian.rare-gain",
    statement="There the two-sided constant is more than 23 times the one-sided one, the standard deviation 0.0099995.",
    left=theorem.KEARNS_SAUL,
    relation=">=",
    right=23**2 * theorem.VARIANCE,
    domain=_RARE,
    expected="certified",
    rests_on=("pac_bayes.subgaussian.rare", "pac_bayes.subgaussian.lower-tail"),
)

_MEASURED = Domain({a: _SOME_ODDS})

measured = Claim(
    label="pac_bayes.subgaussian.measured",
    statement="Branch and bound over all t finds Kearns and Saul's constant of a two-valued loss.",
    left=Quantity(
        "square of the two-sided constant of a two-valued loss", _proxy("both"),
        r"\sup_t 2 \ln \mathbb{E} e^{t(\ell - R)} / t^2", rounding=1e-8,
    ),
    relation="=",
    right=theorem.KEARNS_SAUL_BY_ODDS,
    domain=_MEASURED,
    rests_on=("pac_bayes.subgaussian.kearns-saul",),
)  # fmt: skip

measured_lower = Claim(
    label="pac_bayes.subgaussian.measured-lower",
    statement="The supremum over t < 0 that it finds is the variance.",
    left=Quantity(
        "square of the one-sided constant of a two-valued loss", _proxy("lower"),
        r"\sup_{t < 0} 2 \ln \mathbb{E} e^{t(\ell - R)} / t^2", rounding=1e-8,
    ),
    relation="=",
    right=theorem.VARIANCE_BY_ODDS,
    domain=_MEASURED,
    rests_on=("pac_bayes.subgaussian.lower-tail",),
)  # fmt: skip

# --- losses that are not negative, and tails -------------------------------------------------------

exponential = Claim(
    label="pac_bayes.subgaussian.exponential",
    statement="exp(-x) ≤ 1 - x + x²/2 for x ≥ 0.",
    left=sp.exp(-x),
    relation="<=",
    right=1 - x + x**2 / 2,
    domain=Domain({x: Reals(0)}),
    kind="Tight",
    equality=({"x_sg": 0},),
    expected="proved",
)


def _two_losses(points: Sequence[Point], device: str) -> Array:
    rows = torch.tensor([(q["l_sg"], 1.0, q["p_sg"]) for q in points], dtype=torch.float64, device=device)
    weights = torch.stack([rows[:, 2], 1 - rows[:, 2]], -1)
    return np.asarray(proxy(rows[:, :2], weights, side="lower").value.square().cpu().numpy())


second_moment = Claim(
    label="pac_bayes.subgaussian.second-moment",
    statement="For losses that are not negative the square of the one-sided constant is at most E ℓ².",
    left=Quantity(
        "square of the one-sided constant of two losses", _two_losses,
        r"\sup_{t < 0} 2 \ln \mathbb{E} e^{t(\ell - R)} / t^2", rounding=1e-8,
    ),
    relation="<=",
    right=theorem.MOMENT,
    domain=Domain(
        {
            p: Choices(rare=sp.Rational(1, 100), half=sp.Rational(1, 2), most=sp.Rational(99, 100)),
            theorem.first: Reals(0, tested_to=1000),
        }
    ),
    rests_on=("pac_bayes.subgaussian.exponential",),
    limitations=(
        "Measured for two losses, one of them 1. For every law E exp(-tℓ) ≤ 1 - tR + t² E ℓ²/2 ≤ exp(-tR + t² E ℓ²/2).",
    ),
)  # fmt: skip

line = Claim(
    label="pac_bayes.subgaussian.line",
    statement="ln E exp(t(ℓ-R)) is at most t times the largest loss less the mean.",
    left=theorem.cumulant(p, t),
    relation="<=",
    right=(1 - p) * t,
    domain=Domain({p: _OPEN, t: Reals(0)}),
    expected="proved",
)

tail = Claim(
    label="pac_bayes.subgaussian.tail",
    statement="Beyond t_max the quotient 2 ln E exp(t(ℓ-R))/t² is at most 2(max-R)/t_max: a look as far as 2(max-R)/S² "
    "is a look at all t.",
    left=2 * (1 - p) / t,
    relation="<=",
    right=2 * (1 - p) / theorem.reach,
    domain=Domain({p: _OPEN, theorem.reach: Reals(sp.Rational(1, 100), 100), t: Reals(theorem.reach)}),
    expected="proved",
    rests_on=("pac_bayes.subgaussian.line",),
)

bennett = Claim(
    label="pac_bayes.subgaussian.bennett",
    statement="A look at 0 ≤ t ≤ t_max alone finds at most the variance times 2(exp(t)-1-t)/t² at t_max, which for "
    "t_max ≤ 1 is at most 1.44 times the variance, however large the constant is.",
    left=theorem.cumulant(p, t),
    relation="<=",
    right=theorem.BENNETT,
    domain=Domain({p: _OPEN, t: Reals(0, tested_to=20)}),
    paper="Bennett 1962",
    expected="proved",
)
