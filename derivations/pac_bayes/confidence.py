"""Confidence limits for the mean of m draws in [0, 1], from exponential moments of their mean r and variance V.

**Chernoff.** For a mean R, a number x below it and the tilt y = x(1-R)/(R(1-x)) < 1, r ≤ x makes y^(m(r-x)) at least 1,
and E y^(mr) ≤ (1 - R + Ry)^m, so that P(r ≤ x) ≤ ((1 - R + Ry) y^-x)^m = exp(-m kl(x‖R)).

**Maurer and Pontil** (2009). Let L = ln(2/δ), s = √(2L/m) and a = √(2L/(m-1)), and σ² the variance of a draw. Of

    R ≥ r + σ s + s²/6,    σ ≥ √V + a

each happens with probability at most δ/2: the first by E exp(mu(R-r)) ≤ exp(mσ²(e^u-1-u)) at u = s/(σ + s/3), where
e^u - 1 - u ≤ u²/(2(1-u/3)); the second by E exp(κ(σ²-V)) ≤ exp(κ²σ²/(2(m-1))) at κ = (m-1)a/σ, as σ² - V ≥ 2σa - a² ≥
σa there. R ≥ r + s√V + 7a²/6 happens only with one of them, as s ≤ a.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.bounds import reached
from boundaudit.derivations.pac_bayes.change_of_measure import over_samples, p_sam, q_sam, s_a
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.symbols import symbol, vector

r_ci = symbol("r_ci", "mean of the draws", real=True)
r_cis = vector("r_cis", "means of the draws on each sample")

# --- Chernoff ---------------------------------------------------------------------------------------

o_R = symbol("o_R", "odds R/(1-R) of the mean", positive=True)
o_ci = symbol("o_ci", "odds x/(1-x) of what the mean of the draws may be at most", positive=True)

R, X = o_R / (1 + o_R), o_ci / (1 + o_ci)
_TILT = sp.log(o_ci / o_R)
LOG_MEAN = sp.log((1 + o_ci) / (1 + o_R))
"""Logarithm of 1 - R + R y."""

BY_TILT = sp.exp(m * (LOG_MEAN - X * _TILT))
KL = X * sp.log(X / R) + (1 - X) * sp.log((1 - X) / (1 - R))
AT_MOST = reached(p_sam, X, r_ci)
TILTED = p_sam * sp.exp(m * (r_ci - X) * _TILT)
"""At least that."""

CHERNOFF_FAILURE = over_samples(reached(q_sam[s_a], X, r_cis[s_a]))
TILTED_MOMENT = over_samples(q_sam[s_a] * sp.exp(m * r_cis[s_a] * _TILT))
OVER_SAMPLES = over_samples(q_sam[s_a] * sp.exp(m * (r_cis[s_a] - X) * _TILT))

# --- Maurer and Pontil ------------------------------------------------------------------------------

mu_ci = symbol("mu_ci", "mean of a draw", real=True)
sigma_ci = symbol("sigma_ci", "standard deviation of a draw", positive=True)
s_ci = symbol("s_ci", "√(2 ln(2/δ)/m)", positive=True)
a_ci = symbol("a_ci", "√(2 ln(2/δ)/(m-1))", positive=True)
u_ci = symbol("u_ci", "rate of a draw", nonnegative=True)
v_ci = symbol("v_ci", "standard deviation √V of the draws", nonnegative=True)
v_cis = vector("v_cis", "standard deviations of the draws on each sample")

BERNSTEIN = u_ci**2 / (2 * (1 - u_ci / 3))
"""At least e^u - 1 - u."""

RATE = s_ci / (sigma_ci + s_ci / 3)
BEYOND = sigma_ci * s_ci + s_ci**2 / 6
LEAST = m * RATE * BEYOND
OF_BENNETT = m * sigma_ci**2 * (sp.exp(RATE) - 1 - RATE)
OF_BERNSTEIN = m * sigma_ci**2 * BERNSTEIN.subs(u_ci, RATE)


def limit(mean: sp.Expr, deviation: sp.Expr) -> sp.Expr:
    """What the mean of a law is below.

    Args:
        mean: r.
        deviation: √V.

    Returns:
        r + √(2V ln(2/δ)/m) + 7 ln(2/δ)/(3(m-1)).
    """
    return mean + s_ci * deviation + sp.Rational(7, 6) * a_ci**2


MEAN_FAILS, DEVIATION_FAILS = reached(p_sam, mu_ci - r_ci, BEYOND), reached(p_sam, sigma_ci, v_ci + a_ci)
BOTH = s_ci * a_ci + s_ci**2 / 6
BY_MEAN_LEAST = p_sam * sp.exp(m * RATE * (mu_ci - r_ci) - LEAST)
BY_MEAN = p_sam * sp.exp(m * RATE * (mu_ci - r_ci) - OF_BENNETT - m * s_ci**2 / 2)
BY_DEVIATION = p_sam * sp.exp((m - 1) * (a_ci / sigma_ci * (sigma_ci**2 - v_ci**2) - a_ci**2))

FAILURE = over_samples(reached(q_sam[s_a], mu_ci, limit(r_cis[s_a], v_cis[s_a])))
OF_MEAN = over_samples(q_sam[s_a] * sp.exp(m * RATE * (mu_ci - r_cis[s_a])))
OF_DEVIATION = over_samples(q_sam[s_a] * sp.exp((m - 1) * a_ci / sigma_ci * (sigma_ci**2 - v_cis[s_a] ** 2)))
DELTA = 2 * sp.exp(-m * s_ci**2 / 2)
"""δ."""
