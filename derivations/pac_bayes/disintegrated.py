"""One hypothesis that is drawn from the posterior: the general theorem without a mean over it.

Where ρ(h) > 0, that φ reaches ln(ρ(h)/π(h)) + ln(ξ/δ) is, as one or zero and times ρ(h), at most (δ/ξ) π(h) e^φ. Summed
over hypotheses and samples that is (δ/ξ) E_S E_π e^φ, which is at most δ where ξ is at least every hypothesis's
exponential moment.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.bounds import reached
from boundaudit.derivations.pac_bayes.change_of_measure import (
    drawn,
    i_a,
    over_samples,
    p_sam,
    q_sam,
    s_a,
    total,
    w_pi,
    w_rho,
    xi_m,
)
from boundaudit.derivations.pac_bayes.symbols import delta
from boundaudit.derivations.symbols import symbol, vector

x_h = symbol("x_h", "φ of a hypothesis, or by how much its risk is above that on the sample", real=True)
w_h = symbol("w_h", "weight of a hypothesis in the posterior", positive=True)
pi_h = symbol("pi_h", "weight of a hypothesis in the prior", positive=True)
x_hyp = vector("x_hyp", "φ of each hypothesis, or by how much its risk is above that on the sample")
x_all = vector("x_all", "the same on each sample")


def fails(probability: sp.Expr, number: sp.Expr, ratio: sp.Expr) -> sp.Expr:
    """Whether φ reaches ln(ρ(h)/π(h)) + ln(ξ/δ).

    Args:
        probability: Of the hypothesis.
        number: φ.
        ratio: ρ(h)/π(h).

    Returns:
        The probability, or 0.
    """
    return reached(probability, number, sp.log(ratio) + sp.log(xi_m / delta))


SHARE = delta / xi_m
ON_ONE_SAMPLE = total(fails(p_sam * w_rho[i_a], x_hyp[i_a], w_rho[i_a] / w_pi[i_a]))

# The sample's probability stands inside the branches: before a sum of branches SymPy moves it there, and the sum too.
FAILURE = over_samples(total(fails(q_sam[s_a] * drawn(i_a), x_all[s_a, i_a], drawn(i_a) / w_pi[i_a])))
