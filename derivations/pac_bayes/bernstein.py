"""Bernstein's inequality with moments that are seen in the sample.

**Unexpected** (Mhammedi, Grünwald & Guedj 2019). With θ(u) = (-ln(1-u) - u)/u², which rises on (0, 1), -ln(1-x) - x ≤
θ(u) x² for x ≤ u < 1. With x = ηℓ and ℓ ≤ 1, u = η: exp(-ηℓ - θ(η)η²ℓ²) ≤ 1 - ηℓ, of which the mean is 1 - ηR ≤
exp(-ηR). So E exp(η(R-ℓ) - θ(η)η²ℓ²) ≤ 1 with the square inside the exponential, where the sample shows it; over m
samples, with λ = ηm, change of measure and Markov's inequality give the form.

**Empirical** (in the manner of Tolstikhin & Seldin 2013). For losses in [0, 1] and t > 0, Bennett's E exp(t(R-ℓ)) ≤
exp(Var(ℓ)(e^t - 1 - t)) bounds the risk by the posterior mean of the variance σ², and the unbiased variance V of m
losses has ln E exp(κ(σ² - V)) ≤ κ²σ²/(2(m-1)), as a self-bounding function (Maurer & Pontil 2009) or thus: half of the
squared difference of two losses is a number Z in [0, 1/2] with mean σ², and as e^-x ≤ 1 - x + x²/2 and Z² ≤ Z/2, ln E
exp(t(σ² - Z)) ≤ t²σ²/4. V is a mean over ways to take k = ⌊m/2⌋ pairs of the sample, which are independent, so that by
Jensen's inequality ln E exp(κ(σ² - V)) ≤ κ²σ²/(4k), and 4k ≥ 2(m-1). So each of

    R ≤ r + (λ/m) φ(λ/m) W + (K + ln(2/δ))/λ,    W (1 - κ/(2(m-1))) ≤ E_ρ V + (K + ln(2/δ))/κ,    φ(u) = (e^u-1-u)/u²,

fails with probability at most δ/2, W being the posterior mean of σ², for λ and κ < 2(m-1) fixed in advance.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.change_of_measure import Exponents, i_a, n_a, total
from boundaudit.derivations.pac_bayes.subgaussian_pac_bayes import i_s, l_s
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.symbols import symbol

u_b = symbol("u_b", "rate of a loss, between 0 and 1", positive=True)
p_b = symbol("p_bern", "mean of a loss of zero or one", nonnegative=True)
k_b = symbol("kappa_v", "rate of the variance on the sample", positive=True)

WEIGHT = -sp.log(1 - u_b) - u_b
"""u² θ(u)."""

VARIANCE_MOST = k_b**2 * p_b * (1 - p_b) / (2 * (m - 1))

_OTHER = sp.Symbol("j_s", integer=True, positive=True)
_MEAN = sp.Sum(l_s[_OTHER], (_OTHER, 1, m)) / m
UNBIASED = sp.Sum((l_s[i_s] - _MEAN) ** 2, (i_s, 1, m)) / (m - 1)
OVER_PAIRS = sp.Sum(sp.Sum((l_s[i_s] - l_s[_OTHER]) ** 2 / 2, (_OTHER, 1, m)), (i_s, 1, m)) / (m * (m - 1))


def mean_in_exponent(probability: sp.Expr, exponents: Exponents) -> sp.Expr:
    """The exponential of a mean.

    Args:
        probability: Of the sample.
        exponents: From a number to what it is the number of.

    Returns:
        The probability times e^(mean).
    """
    return probability * sp.exp(total(exponents(i_a)) / n_a)


def mean_of_exponentials(probability: sp.Expr, exponents: Exponents) -> sp.Expr:
    """The mean of exponentials.

    Args:
        probability: As before.
        exponents: As before.

    Returns:
        The probability times their mean.
    """
    return probability * total(sp.exp(exponents(i_a))) / n_a
