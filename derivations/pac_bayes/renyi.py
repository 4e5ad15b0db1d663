"""One hypothesis that is drawn from the posterior, by Rényi's divergence, which does not depend on the draw.

Let t = α - 1 > 0, S = E_π (ρ/π)^α = exp(t D_α(ρ‖π)) and M = E_π e^φ. By Young's inequality, hypothesis by hypothesis,
A = E_ρ e^(tφ/α) has α ln A ≤ ln S + t ln M, which is Hölder's inequality. Where

    φ ≥ D_α + ln ξ + (2α-1)/(α-1) ln(2/δ),

e^(tφ/α)/A reaches 2/δ, or M reaches 2ξ/δ. By Markov's inequality the first happens with probability at most δ/2 over
the hypothesis, on every sample, and the second with probability at most δ/2 over the sample.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.bounds import reached
from boundaudit.derivations.pac_bayes.change_of_measure import (
    Exponents,
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
    xi_m,
)
from boundaudit.derivations.pac_bayes.disintegrated import x_all
from boundaudit.derivations.pac_bayes.symbols import delta
from boundaudit.derivations.symbols import symbol, vector

t_o = symbol("t_o", "order of Rényi's divergence less one", positive=True)
u_o = symbol("u_o", "a number, or the logarithm of a ratio of densities", real=True)
v_o = symbol("v_o", "a number, or a logarithm", real=True)
g_o = symbol("g_o", "ratio of the posterior's density to the prior's", positive=True)
a_o = symbol("a_o", "at least ln S/α", real=True)
b_o = symbol("b_o", "at least ln M/α", real=True)
x_o = symbol("x_o", "φ of a hypothesis", real=True)
y_o = symbol("y_o", "φ of a hypothesis over the order α", real=True)
z_o = symbol("z_o", "what φ may not reach", real=True)
A_o = symbol("A_o", "logarithm of A", real=True)
l_o = symbol("l_o", "ln(2/δ)", real=True)
y_hyp = vector("y_hyp", "φ of each hypothesis over the order α")

ALPHA = 1 + t_o

# --- Hölder's inequality ----------------------------------------------------------------------------

YOUNG = (sp.exp(ALPHA * u_o) + t_o * sp.exp(ALPHA * v_o)) / ALPHA
"""At least e^(u + tv)."""


def young(ratio: sp.Expr, exponent: sp.Expr, weight: sp.Expr) -> sp.Expr:
    """What a hypothesis adds to A at most.

    Args:
        ratio: α ln(ρ/π).
        exponent: φ.
        weight: π.

    Returns:
        π (e^(ratio - αa) + t e^(exponent - αb)) e^(a + tb)/α.
    """
    terms = sp.exp(ratio - ALPHA * a_o) + t_o * sp.exp(exponent - ALPHA * b_o)
    return sp.exp(a_o + t_o * b_o) * weight * terms / ALPHA


A = total(w_rho[i_a] * sp.exp(t_o * y_hyp[i_a]))
M = prior_mean(lambda i: ALPHA * y_hyp[i])
S = prior_mean(lambda i: ALPHA * sp.log(w_rho[i] / w_pi[i]))

# --- failure ----------------------------------------------------------------------------------------


def threshold(divergence: sp.Expr, more: sp.Expr) -> sp.Expr:
    """What φ may not reach.

    Args:
        divergence: D_α + ln ξ.
        more: ln(2/δ).

    Returns:
        divergence + (2α-1)/(α-1) more.
    """
    return divergence + (1 + 2 * t_o) / t_o * more


def fails(probability: sp.Expr, number: sp.Expr, sum_of_powers: sp.Expr) -> sp.Expr:
    """Whether φ reaches it.

    Args:
        probability: Of sample and hypothesis.
        number: φ.
        sum_of_powers: S.

    Returns:
        The probability, or 0.
    """
    return reached(probability, number, threshold(sp.log(sum_of_powers) / t_o + sp.log(xi_m), sp.log(2 / delta)))


ON_ONE_SAMPLE = total(fails(p_sam * w_rho[i_a], ALPHA * y_hyp[i_a], S))
TWICE = total(p_sam * w_rho[i_a] * delta / 2 * (sp.exp(t_o * y_hyp[i_a]) / A + M / xi_m))


def half(probability: sp.Expr, exponents: Exponents) -> sp.Expr:
    """What it is at most on one sample.

    Args:
        probability: Of the sample.
        exponents: From the number of a hypothesis to φ.

    Returns:
        A probability times δ/2 (1 + M/ξ).
    """
    return probability * delta / 2 * (1 + prior_mean(exponents) / xi_m)


# The sample's probability stands inside the branches: before a sum of branches SymPy moves it there, and the sum too.
_POWERS = prior_mean(lambda i: ALPHA * sp.log(drawn(i) / w_pi[i]))
FAILURE = over_samples(total(fails(q_sam[s_a] * drawn(i_a), x_all[s_a, i_a], _POWERS)))
