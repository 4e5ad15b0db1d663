"""Bernstein's inequality with moments that are seen in the sample: the steps behind both empirical forms."""

from __future__ import annotations

import functools

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.abstract.independent import Independent
from boundaudit.checks.language.abstract.laws import Random
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import E, Var
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Matrix, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.measurements import at_points
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.checks.pac_bayes.change_of_measure import prior_mean
from boundaudit.checks.pac_bayes.finite import SIZE
from boundaudit.derivations.pac_bayes import bernstein as theory
from boundaudit.derivations.pac_bayes.bernstein import k_b, p_b, u_b
from boundaudit.derivations.pac_bayes.change_of_measure import (
    c_hyp,
    i_a,
    moment,
    n_a,
    n_sam,
    over_samples,
    p_sam,
    q_sam,
    s_a,
    w_pi,
    xi_m,
)
from boundaudit.derivations.pac_bayes.disintegrated import x_all, x_hyp
from boundaudit.derivations.pac_bayes.subgaussian import loss, t
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


# --- the variance, and that on the sample -----------------------------------------------------------

lower = _claim(
    label="pac_bayes.bernstein.lower",
    statement="A loss ℓ ≥ 0 with mean R ≤ 1 has E exp(u(R-ℓ)) ≤ exp(Var(ℓ)(exp(u)-1-u)) for u ≥ 0, for every law with "
    "finitely many values. With m independent ones and u = λ/m that is exp(λ (λ/m) φ(λ/m) Var(ℓ)) for their sum.",
    role="printed",
    left=E(sp.exp(t * (E(loss) - loss))),
    relation="<=",
    right=sp.exp(Var(loss) * (sp.exp(t) - 1 - t)),
    domain=Space({t: Reals(0, tested_to=20), loss: Random(Reals(0))}, where=[E(loss) <= 1]),
    place=("Tolstikhin-Seldin",),
    expected="proved",
)

ordered = _claim(
    label="pac_bayes.bernstein.ordered",
    statement="The unbiased variance V of m losses is the mean of (ℓ_i-ℓ_j)²/2 over all i and j that differ. So it is "
    "the mean over all ways to take k = ⌊m/2⌋ pairs of the sample, of the mean over the k pairs.",
    role="printed",
    left=theory.OVER_PAIRS,
    relation="=",
    right=theory.UNBIASED,
    domain=Domain({m: Integers(2, tested_to=8), l_s: Vector(m, Reals())}),
    place=("Tolstikhin-Seldin",),
    expected="proved",
    limitations=("That all pairs stand in equally many pairings is said, not checked.",),
)

half = _claim(
    label="pac_bayes.bernstein.half",
    statement="Half of the squared difference of two independent losses in [0, 1] with the same law is a number Z in "
    "[0, 1/2] with mean σ², their variance, and such numbers have E exp(t(σ²-Z)) ≤ exp(t²σ²/4) for t ≥ 0. With k "
    "independent ones and t = κ/k that is exp(κ²σ²/(4k)) for κ times their mean, and 4⌊m/2⌋ ≥ 2(m-1).",
    role="printed",
    left=E(sp.exp(t * (E(loss) - loss))),
    relation="<=",
    right=sp.exp(t**2 * E(loss) / 4),
    domain=Space({t: Reals(0, tested_to=20), loss: Random(Reals(0, sp.Rational(1, 2)))}),
    place=("Tolstikhin-Seldin",),
    expected="proved",
)

mean_in_exponent = _claim(
    label="pac_bayes.bernstein.mean-in-exponent",
    statement="The exponential of a mean is at most the mean of exponentials; both sides times a probability.",
    left=theory.mean_in_exponent(p_sam, lambda i: x_hyp[i]),
    relation="<=",
    right=theory.mean_of_exponentials(p_sam, lambda i: x_hyp[i]),
    domain=Domain({p_sam: Reals(0, 1), n_a: SIZE, x_hyp: Vector(n_a, Reals())}),
    place=("Tolstikhin-Seldin",),
    expected="proved",
)


def _each(i: sp.Expr) -> sp.Expr:
    return x_all[s_a, i]


_WAYS = Domain(
    {xi_m: Reals(0, open_low=True, tested_to=10), n_sam: SIZE, n_a: SIZE, x_all: Matrix(n_sam, n_a, Reals()),
     q_sam: Vector(n_sam, Reals(0, 1))},
    where=[ForAll(moment(_each, i_a) <= xi_m, (i_a, 1, n_a))],
)  # fmt: skip
_OF_MEAN = over_samples(theory.mean_in_exponent(q_sam[s_a], _each))
_MEAN_OF_EXPONENTIALS = over_samples(theory.mean_of_exponentials(q_sam[s_a], _each))

pairings = _claim(
    label="pac_bayes.bernstein.pairings",
    statement="Where each of finitely many numbers that depend on the sample has E_S e^x ≤ ξ, so has their mean. With "
    "x = κ(σ² - the mean over one way to pair the sample), their mean over all ways is κ(σ² - V).",
    role="printed",
    left=_OF_MEAN,
    relation="<=",
    right=xi_m,
    domain=_WAYS,
    place=("Tolstikhin-Seldin",),
    expected="proved",
    derivation=Derivation(
        label="pac_bayes.bernstein.pairings.steps", title="Jensen's inequality on each sample", domain=_WAYS,
        samples={"one": {"xi_m": 8, "n_sam": 1, "n_a": 2, "x_all": ((0, 2),), "q_sam": (1,)}},
        steps=(
            Step(_OF_MEAN, "exponential of the mean"),
            Step(_MEAN_OF_EXPONENTIALS, "mean of exponentials", "Jensen", Instance(
                mean_in_exponent.label, {p_sam: q_sam[s_a], x_hyp: _each}, over=(s_a, 1, n_sam)
            )),
            Step(xi_m, "ξ", "each one's moment", Instance(
                prior_mean.label, {w_pi: lambda i: 1 / n_a, c_hyp: lambda i: moment(_each, i)}
            )),
        ),
    ),
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
    "V)) at most κ²p(1-p)/(2(m-1)): it is seldom much below the variance.",
    left=Quantity(
        "log exponential moment of the variance on the sample", _variance,
        r"\ln \mathbb{E}\, e^{\kappa (p (1-p) - V)}", rounding=1e-10, scale=1.0,
    ),
    relation="<=",
    right=theory.VARIANCE_MOST,
    domain=Domain({m: Integers(2, tested_to=400), p_b: _MEANS, k_b: Reals(0, open_low=True, tested_to=400)}),
    place=("Tolstikhin-Seldin",),
    limitations=("For losses of zero or one.",),
    rests_on=tuple(f"pac_bayes.bernstein.{name}" for name in ("ordered", "half", "pairings")),
)  # fmt: skip
