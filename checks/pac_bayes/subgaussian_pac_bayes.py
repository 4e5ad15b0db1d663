"""The sub-Gaussian PAC-Bayes step: one loss, m losses, and the rate."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import subgaussian_pac_bayes as theory
from boundaudit.derivations.pac_bayes.change_of_measure import n_a, w_rho, x_a0
from boundaudit.derivations.pac_bayes.subgaussian_pac_bayes import K_p, p_s, x_s
from boundaudit.derivations.pac_bayes.symbols import S, m, rate

_claim = functools.partial(Claim, paper=PAPER, place=("Alquier",))
_POSITIVE = Reals(0, open_low=True, tested_to=10)

# --- one loss -------------------------------------------------------------------------------------

exponential = _claim(
    label="pac_bayes.subgaussian_pac_bayes.exponential",
    statement="For x ≥ 0 the exponential of -x is at most 1 - x + x²/2.",
    left=sp.exp(-x_s),
    relation="<=",
    right=theory.EXPONENTIAL_MOST,
    domain=Domain({x_s: Reals(0)}),
    kind="Tight",
    equality=({"x_s": 0},),
    place=("Haddouche-Guedj",),
    expected="proved",
)

_LOSSES: dict[Any, Range] = {
    n_a: Integers(1, tested_to=4), w_rho: Vector(n_a, _POSITIVE), x_a0: Vector(n_a, Reals(0, tested_to=4))
}  # fmt: skip

mean_exponential = _claim(
    label="pac_bayes.subgaussian_pac_bayes.mean-exponential",
    statement="The mean of exp(-x) over finitely many x ≥ 0 with positive weights is at most 1 - E x + E x²/2; both "
    "sides times the sum of the weights.",
    left=theory.MEAN_EXPONENTIAL,
    relation="<=",
    right=theory.MEAN_EXPONENTIAL_MOST,
    domain=Domain(_LOSSES),
    kind="Tight",
    equality=({"n_a": 1, "w_rho": (1,), "x_a0": (0,)},),
    place=("Haddouche-Guedj",),
    expected="proved",
    rests_on=("pac_bayes.subgaussian_pac_bayes.exponential",),
)

one_sided = _claim(
    label="pac_bayes.subgaussian_pac_bayes.one-sided",
    statement="A loss ℓ ≥ 0 with mean R has a one-sided sub-Gaussian constant of at most √(E ℓ²): ln E exp(t(R - ℓ)) "
    "≤ t² E ℓ²/2 for t ≥ 0. The formula has x = tℓ, which takes finitely many values with positive weights.",
    role="printed",
    left=theory.LOWER_TAIL,
    relation="<=",
    right=theory.SECOND_MOMENT,
    domain=Domain(_LOSSES),
    kind="Tight",
    equality=({"n_a": 1, "w_rho": (1,), "x_a0": (0,)},),
    place=("Haddouche-Guedj",),
    rests_on=("pac_bayes.subgaussian_pac_bayes.mean-exponential",),
    limitations=(
        "Only this tail enters an upper bound on the risk. The bound on the mean of the exponential is proved for any "
        "number of values, and ln x ≤ x - 1 is the rest.",
    ),
)

_RISKS = Choices(hundredth="1/100", tenth="1/10", third="1/3", half="1/2", nine_tenths="9/10")

# --- m losses -------------------------------------------------------------------------------------


@at_points
def _samples(p: Point) -> float:
    """Over the number of ones, by SciPy's binomial law."""
    from scipy import special, stats  # loaded with the first measurement

    count, risk, speed = p["m"], float(p["p_s"]), float(p["lambda_n"])
    ones = np.arange(count + 1)
    return float(special.logsumexp(stats.binom.logpmf(ones, count, risk) + speed * (risk - ones / count)))


samples = _claim(
    label="pac_bayes.subgaussian_pac_bayes.samples",
    statement="The mean r of m ≤ 12 independent losses of zero or one, with mean R, has ln E exp(λ(R - r)) ≤ λ²/(8m): "
    "the exponential moments multiply; for five R and four λ.",
    left=Quantity(
        "log exponential moment of m losses", _samples, r"\ln \mathbb{E}\, e^{\lambda (R - r)}", theory.samples,
        rounding=1e-10, scale=1.0,
    ),
    relation="<=",
    right=theory.SAMPLES_MOST,
    domain=Domain({m: Integers(1, 12), p_s: _RISKS,
                   rate: Choices(half="1/2", one=1, five=5, twenty=20)}),
    place=("Hoeffding", "Alquier"),
    expected="certified",
    rests_on=("pac_bayes.subgaussian.hoeffding",),
)  # fmt: skip

# --- the rate -------------------------------------------------------------------------------------

_RATES: dict[Any, Range] = {m: Integers(1), S: _POSITIVE, K_p: _POSITIVE}
_FIXED = "λ is fixed before the samples are seen, and so is the K that it is built from."

best = _claim(
    label="pac_bayes.subgaussian_pac_bayes.best",
    statement="What a rate λ adds to the risk on m samples, λS²/(2m) + K/λ, is at least S√(2K/m), with equality at "
    "λ = √(2mK)/S; S is the sub-Gaussian constant and K the relative entropy plus ln(1/δ).",
    left=theory.PENALTY,
    relation=">=",
    right=theory.BEST,
    domain=Domain({**_RATES, rate: _POSITIVE}),
    kind="Tight",
    equality=({"m": 2, "S": 1, "K_p": 1, "lambda_n": theory.BEST_RATE.subs({m: 2, S: 1, K_p: 1})},),
    expected="proved",
    limitations=(_FIXED, "A λ chosen after the relative entropy that is seen makes another statement."),
)

best_value = _claim(
    label="pac_bayes.subgaussian_pac_bayes.best-value",
    statement="At λ = √(2mK)/S a rate adds λS²/(2m) + K/λ = S√(2K/m), half of it for each of its two terms.",
    left=theory.penalty(theory.BEST_RATE),
    relation="=",
    right=theory.BEST,
    domain=Domain(_RATES),
    expected="proved",
    rests_on=("pac_bayes.subgaussian_pac_bayes.best",),
    limitations=(_FIXED,),
)
