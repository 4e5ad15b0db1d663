"""Bernstein's inequality with moments that are seen in the sample: the steps behind both empirical forms."""

from __future__ import annotations

import functools

import numpy as np
import sympy as sp

from boundaudit.checks.language.abstract.independent import Independent
from boundaudit.checks.language.abstract.laws import Random
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import E
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import bernstein as theory
from boundaudit.derivations.pac_bayes.bernstein import k_b, p_b, u_b
from boundaudit.derivations.pac_bayes.subgaussian_pac_bayes import i_s, l_s
from boundaudit.derivations.pac_bayes.symbols import m

_claim = functools.partial(Claim, paper=PAPER)

unexpected = _claim(
    label="pac_bayes.bernstein.unexpected",
    statement="Losses ℓ in [0, 1] with mean R have E exp(u(R-ℓ) - u² θ(u) ℓ²) ≤ 1 for every rate u in (0, 1), θ(u) = "
    "(-ln(1-u) - u)/u², and so has the sum over independent losses: the square stands inside the exponential, where "
    "the sample shows it.",
    role="printed",
    left=E(sp.exp(sp.Sum(u_b * (E(l_s[i_s]) - l_s[i_s]) - theory.WEIGHT * l_s[i_s] ** 2, (i_s, 1, m)))),
    relation="<=",
    right=sp.S.One,
    domain=Space({
        u_b: Reals(0, 1, open_low=True, open_high=True), m: Integers(1), l_s: Independent(m, Random(Reals(0, 1))),
    }),
    place=("Mhammedi",),
    expected="proved",
)  # fmt: skip


@at_points
def _variance(p: Point) -> float:
    """Over the number of ones, by SciPy's binomial law."""
    from scipy import special, stats  # loaded with the first measurement

    count, mean, rate = p["m"], float(p["p_bern"]), float(p["kappa_v"])
    ones = np.arange(count + 1)
    seen = ones * (count - ones) / (count * (count - 1))
    return float(special.logsumexp(stats.binom.logpmf(ones, count, mean) + rate * (mean * (1 - mean) - seen)))


_MEANS = Choices(hundredth="1/100", tenth="1/10", third="1/3", half="1/2", nine_tenths="9/10")

variance = _claim(
    label="pac_bayes.bernstein.variance",
    statement="The unbiased variance V of m ≥ 2 independent losses of zero or one with mean p has ln E exp(κ(p(1-p) - "
    "V)) "
    "at most κ²p(1-p)/(2(m-1)): it is seldom much below the variance.",
    left=Quantity(
        "log exponential moment of the variance on the sample", _variance,
        r"\ln \mathbb{E}\, e^{\kappa (p (1-p) - V)}", rounding=1e-10, scale=1.0,
    ),
    relation="<=",
    right=theory.VARIANCE_MOST,
    domain=Domain({m: Integers(2, tested_to=400), p_b: _MEANS, k_b: Reals(0, open_low=True, tested_to=400)}),
    place=("Tolstikhin-Seldin",),
    limitations=("For losses of zero or one; for losses in [0, 1] it is Maurer & Pontil's self-bounding variance.",),
)  # fmt: skip
