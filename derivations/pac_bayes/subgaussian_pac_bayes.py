"""The sub-Gaussian PAC-Bayes step: from one loss to m, and the best rate (Alquier 2024).

Independent losses ℓ_i with E exp(t(R - ℓ)) ≤ exp(t²S²/2) for t ≥ 0 have for their mean r

    E exp(λ(R - r)) = Π_i E exp((λ/m)(R - ℓ_i)) ≤ exp(λ²S²/(2m)).

Donsker and Varadhan with φ = λ(R - r), then Markov, give for one λ and all posteriors at once, with probability at
least 1-δ, E R ≤ E r + λS²/(2m) + K/λ with K = KL + ln(1/δ). Only the lower tail of the loss enters. There a loss that
is not negative needs no range: e^{-x} ≤ 1 - x + x²/2 for x ≥ 0 gives E e^{-tℓ} ≤ 1 - tR + t²v/2 ≤ exp(-tR + t²v/2) with
v = E ℓ².

Over λ the sum a λ + b/λ is smallest at √(b/a).
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import S, m, rate
from boundaudit.derivations.symbols import symbol, vector

K_p = symbol("K_p", "relative entropy plus the logarithm of one over δ, in nats", positive=True)
i_s = symbol("i_s", "number of a sample", integer=True, positive=True)
l_s = vector("l_s", "losses of independent samples")
x_s = vector("x_s", "independent numbers, one for each sample")

PENALTY = rate * S**2 / (2 * m) + K_p / rate
BEST_RATE = sp.sqrt(2 * m * K_p) / S
BEST = S * sp.sqrt(2 * K_p / m)


def penalty(at: sp.Expr) -> sp.Expr:
    """What the step adds to the risk on the samples.

    Args:
        at: the rate λ.

    Returns:
        λS²/(2m) + K/λ.
    """
    return PENALTY.subs(rate, at)
