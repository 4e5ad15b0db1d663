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

from boundaudit.derivations.pac_bayes.change_of_measure import i_a, total, w_rho, x_a0
from boundaudit.derivations.pac_bayes.symbols import S, m, rate
from boundaudit.derivations.symbols import symbol

K_p = symbol("K_p", "relative entropy plus the logarithm of one over δ, in nats", positive=True)
x_s = symbol("x_s", "rate times loss, for one sample", nonnegative=True)
p_s = symbol("p_s", "probability of a loss of one", positive=True)
k_s = symbol("k_s", "losses of one among the samples", integer=True, nonnegative=True)
i_s = symbol("i_s", "number of a factor in a binomial coefficient, counted from 0", integer=True, nonnegative=True)

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


# --- one loss -------------------------------------------------------------------------------------

EXPONENTIAL_MOST = 1 - x_s + x_s**2 / 2

MEAN_EXPONENTIAL = total(w_rho[i_a] * sp.exp(-x_a0[i_a]))
MEAN_EXPONENTIAL_MOST = total(w_rho[i_a]) - total(w_rho[i_a] * x_a0[i_a]) + total(w_rho[i_a] * x_a0[i_a] ** 2) / 2

LOWER_TAIL = sp.log(MEAN_EXPONENTIAL / total(w_rho[i_a])) + total(w_rho[i_a] * x_a0[i_a]) / total(w_rho[i_a])
"""ln E exp(t(R - ℓ)) with x = tℓ, entry by entry."""

SECOND_MOMENT = total(w_rho[i_a] * x_a0[i_a] ** 2) / total(w_rho[i_a]) / 2

# --- m losses -------------------------------------------------------------------------------------


def samples() -> sp.Expr:
    """The log exponential moment of m independent losses of zero or one, by the number of ones.

    Returns:
        ln E exp(λ(R - r)).
    """
    choices = sp.exp(sp.Sum(sp.log((m - i_s) / (i_s + 1)), (i_s, 0, k_s - 1)))
    law = choices * p_s**k_s * (1 - p_s) ** (m - k_s)
    return sp.log(sp.Sum(law * sp.exp(rate * (p_s - k_s / m)), (k_s, 0, m)))


SAMPLES_MOST = rate**2 / (8 * m)
