"""Betting against a mean: bounds for all sample sizes at once, and from the law of the losses.

A gambler with capital 1 bets on losses ℓ_1, ℓ_2, … in [0, 1] against their mean R. In the odds of a coin with chance
b he multiplies his capital by b ℓ/R + (1-b)(1-ℓ)/(1-R) ≥ 0, whose mean is 1, so that the capital of every mixture of
b is a martingale; so is its mean over a prior on hypotheses, which ever reaches 1/δ with probability at most δ
(Ville). The change of measure makes it, for all m and all posteriors at once, with C_m(h) the mixture's capital,

    E_ρ ln C_m(h) ≤ K + ln(1/δ).

**What the mixture loses.** Multiply out Π (b ℓ_i/R + (1-b)(1-ℓ_i)/(1-R)): a sum of b^k (1-b)^(m-k) with weights that
are not negative. So the capital at the best b is at most the largest, over k, of (k/m)^k (1-k/m)^(m-k) over the
mixture's mean of b^k (1-b)^(m-k), times that of the mixture. For the Beta(½, ½) law (Krichevsky & Trofimov 1981) that
mean is B(k+½, m-k+½)/π. Its logarithm less that of (k/m)^k (1-k/m)^(m-k) is h(k) + h(m-k) + const with h(x) = ln
Γ(x+½) - x ln x, whose second derivative ψ'(x+½) - 1/x = Σ_n 1/(x+n+½)² - 1/x is not positive as 1/(x+½)² ≤ 1/x -
1/(x+1). It is concave and symmetric, thus least at k = 0, where it is C(2m, m)/4^m ≥ 1/(2√m): the left side times 2√m
is 1 at m = 1, and from m to m + 1 it is multiplied by (2m+1)/(2m+2) · √((m+1)/m) ≥ 1. The mixture loses a factor of
at most 2√m.

**All sizes at once.** As Σ_i ln(b ℓ_i/R + (1-b)(1-ℓ_i)/(1-R)) ≥ m (r ln(b/R) + (1-r) ln((1-b)/(1-R))) by concavity,
the best b gives at least m kl(r‖R): kl(r‖R) ≤ (K + ln(2√m/δ))/m holds for all m at once. Maurer's bound, and all that
follows from it, is time-uniform as it stands. So are Catoni's, whose exponential moments are martingales for a fixed
temperature, and Seeger's, whose m + 1 is at least 2√m.

**The law of the losses.** The best b need not be a coin's. With β = b/R - (1-b)/(1-R) the factor is 1 + β(ℓ - R), and
β = -1/(ν-R) with ν ≥ 1 makes it (ν-ℓ)/(ν-R). So with B = (K + ln(2√m/δ))/m, for all ν ≥ 1

    E_ρ[mean ln((ν - ℓ)/(ν - R(h)))] ≤ B,    and by concavity    R ≤ ν - exp(E_ρ[mean ln(ν - ℓ)] - B).

(ν may depend on all but h; R is the Gibbs risk.) As ln(ν-x) ≥ (1-x) ln ν + x ln(ν-1) on [0, 1], this is at most what
losses 0 and 1 with the same mean give, which at the best ν is Maurer's bound.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.change_of_measure import i_a, total, w_rho
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.symbols import symbol, vector

k_t = symbol("k_t", "successes among m bets", integer=True, nonnegative=True)
x_t = symbol("x_t", "a positive number", positive=True)
nu_t = symbol("nu_t", "by how much the ν of the coin-betting bound is above 1", positive=True)
w_t = symbol("w_t", "share of the losses that lie between 0 and 1", nonnegative=True)
l_t = symbol("l_t", "a loss between 0 and 1", nonnegative=True)

GROWTH_STEP = ((2 * m + 1) / (2 * m + 2)) ** 2 * (m + 1) / m
"""The square of what 2√m C(2m, m)/4^m is multiplied by from m to m + 1."""

MIDPOINT = 1 / (x_t + sp.Rational(1, 2)) ** 2
TELESCOPE = 1 / x_t - 1 / (x_t + 1)

CHORD = (1 - l_t) * sp.log(1 + nu_t) + l_t * sp.log(nu_t)
CURVE = sp.log(1 + nu_t - l_t)

# --- coin-betting below Maurer ---------------------------------------------------------------------

l_law = vector("l_law", "values of a loss on a finite set")
LOSS = total(w_rho[i_a] * l_law[i_a])
"""r, the mean of the losses on posterior and sample."""


NU = 1 + nu_t


def maurer_at(risk: sp.Expr) -> sp.Expr:
    """Maurer's bound p at whose budget kl(r‖p) this ν is best: r/(ν-1) and (1-r)/ν are in the ratio of p and 1-p.

    Args:
        risk: r; from there to 1 as ν falls to 1.

    Returns:
        νr/(ν-1+r).
    """
    return NU * risk / (nu_t + risk)


def coin_at(risk: sp.Expr, logarithm: sp.Expr) -> sp.Expr:
    """The coin-betting bound at ν and that budget.

    Args:
        risk: r.
        logarithm: The mean of ln(ν - ℓ).

    Returns:
        ν - exp(mean - kl(r‖p)).
    """
    return NU - sp.exp(logarithm - binary_kl(risk, maurer_at(risk)))


def of_coins(risk: sp.Expr) -> sp.Expr:
    """The mean of ln(ν - ℓ) of losses of zero and one.

    Args:
        risk: r.

    Returns:
        r ln(ν-1) + (1-r) ln ν.
    """
    return risk * sp.log(nu_t) + (1 - risk) * sp.log(NU)


MEAN_LOGARITHM = total(w_rho[i_a] * sp.log(NU - l_law[i_a]))
