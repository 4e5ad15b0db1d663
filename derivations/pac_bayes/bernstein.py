"""Bernstein's inequality with moments that are seen in the sample.

**Unexpected** (Mhammedi, Grünwald & Guedj 2019). With θ(u) = (-ln(1-u) - u)/u², which rises on (0, 1), -ln(1-x) - x ≤
θ(u) x² for x ≤ u < 1. With x = ηℓ and ℓ ≤ 1, u = η: exp(-ηℓ - θ(η)η²ℓ²) ≤ 1 - ηℓ, of which the mean is 1 - ηR ≤
exp(-ηR). So E exp(η(R-ℓ) - θ(η)η²ℓ²) ≤ 1 with the square inside the exponential, where the sample shows it; over m
samples, with λ = ηm, change of measure and Markov's inequality give the form.

**Empirical** (in the manner of Tolstikhin & Seldin 2013). For losses in [0, 1] and t > 0, Bennett's E exp(t(R-ℓ)) ≤
exp(Var(ℓ)(e^t - 1 - t)) bounds the risk by the posterior mean of the variance, and the unbiased variance V of m
losses is self-bounding (Maurer & Pontil 2009): ln E exp(κ(Var(ℓ) - V)) ≤ κ² Var(ℓ)/(2(m-1)). So each of

    R ≤ r + (λ/m) φ(λ/m) W + (K + ln(2/δ))/λ,    W (1 - κ/(2(m-1))) ≤ E_ρ V + (K + ln(2/δ))/κ,    φ(u) = (e^u-1-u)/u²,

fails with probability at most δ/2, W being the posterior mean of Var(ℓ), for λ and κ < 2(m-1) fixed in advance.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.symbols import symbol

u_b = symbol("u_b", "rate of a loss, between 0 and 1", positive=True)
p_b = symbol("p_bern", "mean of a loss of zero or one", nonnegative=True)
k_b = symbol("kappa_v", "rate of the variance on the sample", positive=True)

WEIGHT = -sp.log(1 - u_b) - u_b
"""u² θ(u)."""

VARIANCE_MOST = k_b**2 * p_b * (1 - p_b) / (2 * (m - 1))
