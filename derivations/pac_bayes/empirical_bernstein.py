"""The bound by the variance on the sample: two bounds that are linear in R - r, each at δ/2.

Let u_h = (1 - κ/(2(m-1))) σ_h² for the variance σ_h² of a hypothesis's loss, V_h its unbiased variance on the sample
and C = (λ/m) φ(λ/m)/(1 - κ/(2(m-1))). Of

    R ≥ r + C u + (K + ln(2/δ))/λ,    u ≥ V + (K + ln(2/δ))/κ

each happens with probability at most δ/2, and R ≥ r + C (V + (K + ln(2/δ))/κ) + (K + ln(2/δ))/λ only with one of them.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.bernstein import k_b
from boundaudit.derivations.pac_bayes.bounds import ENTROPY, RISK, SEEN, R_hyp, over_posteriors, r_all, r_hyp, reached
from boundaudit.derivations.pac_bayes.change_of_measure import (
    drawn,
    i_a,
    over_samples,
    p_sam,
    prior_mean,
    q_sam,
    s_a,
    total,
    w_pi,
    w_rho,
)
from boundaudit.derivations.pac_bayes.symbols import delta, rate
from boundaudit.derivations.symbols import symbol, vector

C_v = symbol("C_v", "weight of the variance in a bound", nonnegative=True)
u_hyp = vector("u_hyp", "variances of the losses of the hypotheses, times 1 - κ/(2(m-1))")
v_seen = vector("v_seen", "variances of the losses of the hypotheses on one sample")
V_all = vector("V_all", "variances of the losses of the hypotheses on each sample")

# --- two events -------------------------------------------------------------------------------------

x_ev = symbol("x_ev", "a number that reaches another where a bound fails", real=True)
y_ev = symbol("y_ev", "the other", real=True)
x_1e = symbol("x_1e", "a number that reaches another where a first bound fails", real=True)
y_1e = symbol("y_1e", "the other of the first bound", real=True)
x_2e = symbol("x_2e", "a number that reaches another where a second bound fails", real=True)
y_2e = symbol("y_2e", "the other of the second bound", real=True)

# --- on one sample ----------------------------------------------------------------------------------


def threshold(risk: sp.Expr, variance: sp.Expr, entropy: sp.Expr) -> sp.Expr:
    """What the Gibbs risk is below.

    Args:
        risk: r.
        variance: V.
        entropy: K.

    Returns:
        r + C (V + (K + ln(2/δ))/κ) + (K + ln(2/δ))/λ.
    """
    budget = entropy + sp.log(2 / delta)
    return risk + C_v * (variance + budget / k_b) + budget / rate


VARIANCE, SEEN_VARIANCE = total(w_rho[i_a] * u_hyp[i_a]), total(w_rho[i_a] * v_seen[i_a])
LIMIT = threshold(SEEN, SEEN_VARIANCE, ENTROPY)
BY_VARIANCE = total(w_rho[i_a] * (r_hyp[i_a] + C_v * u_hyp[i_a])) + (ENTROPY + sp.log(2 / delta)) / rate
OF_VARIANCE = SEEN_VARIANCE + (ENTROPY + sp.log(2 / delta)) / k_b

ON_ONE_SAMPLE = reached(p_sam, RISK, LIMIT)
TWO_EVENTS = reached(p_sam, RISK, BY_VARIANCE) + reached(p_sam, VARIANCE, OF_VARIANCE)


def of_risks(seen: sp.Expr, i: sp.Expr) -> sp.Expr:
    """φ of the first bound.

    Args:
        seen: The risk of the hypothesis on the sample.
        i: The number of the hypothesis.

    Returns:
        λ(R_i - r_i - C u_i).
    """
    return rate * (R_hyp[i] - seen - C_v * u_hyp[i])


def of_variances(seen: sp.Expr, i: sp.Expr) -> sp.Expr:
    """φ of the second bound.

    Args:
        seen: The variance of the losses of the hypothesis on the sample.
        i: The number of the hypothesis.

    Returns:
        κ(u_i - V_i).
    """
    return k_b * (u_hyp[i] - seen)


SHARES = (
    p_sam * delta / 2 * prior_mean(lambda i: of_risks(r_hyp[i], i)),
    p_sam * delta / 2 * prior_mean(lambda i: of_variances(v_seen[i], i)),
)

# --- over the samples -------------------------------------------------------------------------------

FAILURE = over_samples(
    reached(
        q_sam[s_a],
        over_posteriors(R_hyp[i_a]),
        threshold(
            over_posteriors(r_all[s_a, i_a]),
            over_posteriors(V_all[s_a, i_a]),
            over_posteriors(sp.log(drawn(i_a) / w_pi[i_a])),
        ),
    )
)
