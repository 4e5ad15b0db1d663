"""The sub-Gaussian PAC-Bayes step: one loss, m losses, and the rate."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp
from scipy import special, stats

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes import subgaussian_pac_bayes as theory
from boundaudit.derivations.pac_bayes.change_of_measure import n_a, w_rho, x_a0
from boundaudit.derivations.pac_bayes.subgaussian_pac_bayes import K_p, c_r, lambda_2, n_g, o_s, p_s, s_r, x_s
from boundaudit.derivations.pac_bayes.symbols import S, m, rate

_POSITIVE = Reals(0, open_low=True, tested_to=10)

# --- one loss -------------------------------------------------------------------------------------

exponential = Claim(
    label="pac_bayes.subgaussian_pac_bayes.exponential",
    statement="For x ≥ 0 the exponential of -x is at most 1 - x + x²/2.",
    left=sp.exp(-x_s),
    relation="<=",
    right=theory.EXPONENTIAL_MOST,
    domain=Domain({x_s: Reals(0)}),
    kind="Tight",
    equality=({"x_s": 0},),
    expected="proved",
)

_LOSSES: dict[Any, Range] = {
    n_a: Integers(1, tested_to=4), w_rho: Vector(n_a, _POSITIVE), x_a0: Vector(n_a, Reals(0, tested_to=4))
}  # fmt: skip

mean_exponential = Claim(
    label="pac_bayes.subgaussian_pac_bayes.mean-exponential",
    statement="The mean of exp(-x) over nonnegative x is at most 1 - E x + E x²/2; here times the sum of the weights.",
    left=theory.MEAN_EXPONENTIAL,
    relation="<=",
    right=theory.MEAN_EXPONENTIAL_MOST,
    domain=Domain(_LOSSES),
    kind="Tight",
    equality=({"n_a": 1, "w_rho": (1,), "x_a0": (0,)},),
    expected="proved",
    rests_on=("pac_bayes.subgaussian_pac_bayes.exponential",),
)

one_sided = Claim(
    label="pac_bayes.subgaussian_pac_bayes.one-sided",
    statement="A loss that is not negative has a lower tail of variance factor E ℓ²: ln E exp(t(R - ℓ)) ≤ t² E ℓ²/2 "
    "for t ≥ 0; here x = tℓ.",
    left=theory.LOWER_TAIL,
    relation="<=",
    right=theory.SECOND_MOMENT,
    domain=Domain(_LOSSES),
    kind="Tight",
    equality=({"n_a": 1, "w_rho": (1,), "x_a0": (0,)},),
    expected="certified",
    rests_on=("pac_bayes.subgaussian_pac_bayes.mean-exponential",),
    limitations=(
        "Only this tail enters an upper bound on the risk. Certified for losses with up to four values; the mean of "
        "the exponential is proved for any number, and ln x ≤ x - 1 is the rest.",
    ),
)

hoeffding = Claim(
    label="pac_bayes.subgaussian_pac_bayes.hoeffding",
    statement="A loss of zero with probability p, else one, has ln E exp(x(R - ℓ)) ≤ x²/8 for x ≥ 0: the lower tail "
    "of Hoeffding's lemma with the constant 1/2; here in the odds of p.",
    left=theory.HOEFFDING,
    relation="<=",
    right=x_s**2 / 8,
    domain=Domain({o_s: _POSITIVE, x_s: Reals(0)}),
    paper="Hoeffding 1963",
    expected="proved",
    limitations=("Two values; losses between 0 and 1 lie below the chord, so that these are the worst.",),
)

_RISKS = Choices(hundredth="1/100", tenth="1/10", third="1/3", half="1/2", nine_tenths="9/10")

# --- m losses -------------------------------------------------------------------------------------


def _samples(points: Sequence[Point], device: str) -> Array:
    """Over the number of ones, by SciPy's binomial law."""

    def one(p: Point) -> float:
        count, risk, speed = p["m"], float(p["p_s"]), float(p["lambda_n"])
        ones = np.arange(count + 1)
        return float(special.logsumexp(stats.binom.logpmf(ones, count, risk) + speed * (risk - ones / count)))

    return np.array([one(p) for p in points])


samples = Claim(
    label="pac_bayes.subgaussian_pac_bayes.samples",
    statement="The mean r of m independent losses of zero or one has ln E exp(λ(R - r)) ≤ λ²/(8m): the exponential "
    "moments multiply.",
    left=Quantity(
        "log exponential moment of m losses", _samples, r"\ln \mathbb{E}\, e^{\lambda (R - r)}", theory.SAMPLES,
        rounding=1e-10, scale=1.0,
    ),
    relation="<=",
    right=theory.SAMPLES_MOST,
    domain=Domain({m: Integers(1, tested_to=12), p_s: _RISKS,
                   rate: Choices(half="1/2", one=1, five=5, twenty=20)}),
    paper="Hoeffding 1963",
    expected="certified",
    rests_on=("pac_bayes.subgaussian_pac_bayes.hoeffding",),
)  # fmt: skip

# --- the rate -------------------------------------------------------------------------------------

_step = functools.partial(Claim, paper=PAPER, place=("Appendix E",))
_RATES: dict[Any, Range] = {m: Integers(1), S: _POSITIVE, K_p: _POSITIVE}
_FIXED = "λ is fixed before the samples are seen, and so is the K that it is built from."

best = _step(
    label="pac_bayes.subgaussian_pac_bayes.best",
    statement="λS²/(2m) + K/λ is at least S√(2K/m), with equality at λ = √(2mK)/S.",
    left=theory.PENALTY,
    relation=">=",
    right=theory.BEST,
    domain=Domain({**_RATES, rate: _POSITIVE}),
    kind="Tight",
    equality=({"m": 2, "S": 1, "K_p": 1, "lambda_n": theory.BEST_RATE.subs({m: 2, S: 1, K_p: 1})},),
    reading="certain",
    expected="proved",
    limitations=(_FIXED, "A λ chosen after the relative entropy that is seen makes another statement; see the grid."),
)

best_value = _step(
    label="pac_bayes.subgaussian_pac_bayes.best-value",
    statement="At λ = √(2mK)/S the step adds S√(2K/m), half of it for each of its two terms.",
    left=theory.penalty(theory.BEST_RATE),
    relation="=",
    right=theory.BEST,
    domain=Domain(_RATES),
    reading="certain",
    expected="proved",
    limitations=(_FIXED,),
)

convex = _step(
    label="pac_bayes.subgaussian_pac_bayes.convex",
    statement="What the step adds is convex in λ: at the middle of two rates it is at most the mean.",
    left=theory.penalty((rate + lambda_2) / 2),
    relation="<=",
    right=(theory.PENALTY + theory.penalty(lambda_2)) / 2,
    domain=Domain({**_RATES, rate: _POSITIVE, lambda_2: _POSITIVE}),
    kind="Tight",
    equality=({"m": 1, "S": 1, "K_p": 1, "lambda_n": 2, "lambda_2n": 2},),
    expected="proved",
)

wrong_rate = Claim(
    label="pac_bayes.subgaussian_pac_bayes.wrong-rate",
    statement="At c times the best rate the step adds exactly (c + 1/c)/2 times as much.",
    left=theory.penalty(c_r * theory.BEST_RATE),
    relation="=",
    right=theory.FACTOR * theory.BEST,
    domain=Domain({**_RATES, c_r: _POSITIVE}),
    expected="proved",
)

on_grid = Claim(
    label="pac_bayes.subgaussian_pac_bayes.grid.factor",
    statement="A grid of rates with ratio s² has one within a factor s of the best, which costs at most (s + 1/s)/2.",
    left=theory.FACTOR,
    relation="<=",
    right=theory.GRID_FACTOR,
    domain=Domain({s_r: Reals(1, tested_to=8), c_r: Reals(1, s_r)}),
    kind="Tight",
    equality=({"s_r": 2, "c_r": 2},),
    expected="proved",
    rests_on=("pac_bayes.subgaussian_pac_bayes.wrong-rate",),
    limitations=("For rates above the best one; (c + 1/c)/2 is the same for 1/c.",),
)

weights = Claim(
    label="pac_bayes.subgaussian_pac_bayes.grid.weights",
    statement="The shares 6/(π²k²) of δ for the rates k = 1, 2, … of a grid add up to at most one, however many there "
    "are: the k-th rate costs ln(π²k²/6) nats.",
    left=theory.WEIGHTS,
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({n_g: Integers(1, tested_to=200)}),
    expected="certified",
    limitations=("The sum over all k is exactly one; certified for the sizes of a grid.",),
)
