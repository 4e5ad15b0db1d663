"""The bound by the chi-squared divergence: change of measure by Cauchy and Schwarz, then Markov.

(E_ρ x)² ≤ (1 + χ²) E_π x² with x = R_h - r_h, so that E_ρ x reaches √((1 + χ²)V/δ) only on samples with E_π x² ≥ V/δ,
which have a probability of at most δ E_S E_π x²/V. Over m independent losses E_S x² is Var(ℓ)/m.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.bounds import over_posteriors, reached
from boundaudit.derivations.pac_bayes.change_of_measure import drawn, i_a, over_samples, q_sam, s_a, total, w_pi, w_rho
from boundaudit.derivations.pac_bayes.disintegrated import x_all, x_hyp
from boundaudit.derivations.pac_bayes.symbols import delta
from boundaudit.derivations.symbols import symbol

c_h = symbol("c_h", "one plus the chi-squared divergence", positive=True)
V_m = symbol("V_m", "at least the prior's mean of the variance of the risk on the sample", positive=True)


def fails(probability: sp.Expr, gap: sp.Expr, chi: sp.Expr) -> sp.Expr:
    """Whether R - r reaches √((1 + χ²)V/δ).

    Args:
        probability: Of the sample.
        gap: R - r.
        chi: 1 + χ².

    Returns:
        The probability, or 0.
    """
    return reached(probability, gap, sp.sqrt(chi * V_m / delta))


CHI = total(w_rho[i_a] ** 2 / w_pi[i_a])
GAP = total(w_rho[i_a] * x_hyp[i_a])
SQUARES = total(w_pi[i_a] * x_hyp[i_a] ** 2)

FAILURE = over_samples(fails(q_sam[s_a], over_posteriors(x_all[s_a, i_a]), total(drawn(i_a) ** 2 / w_pi[i_a])))
MOMENT = over_samples(q_sam[s_a] * total(w_pi[i_a] * x_all[s_a, i_a] ** 2))
