"""Definition 1, Remark 3: what a learner that minimises a weighted sum of training loss, norm and trace guarantees.

At fixed λ and σ the bound of Theorem 2 is linear in the squared norm N and in the trace H, here with the training loss
r,

    r + σ²/2 H + λS²/(2m) + (N/(2σ²) + log 1/δ)/λ,

so that the weights α = 1/(2σ²λ) and β = σ²/2 make the sum that Definition 1 minimises equal to the bound up to what
does not depend on the parameters: no norm and no trace needs to be dominated. At the optimal σ the construction's
trace, norm and λS²/(2m) each give a third of the bound. Measured in these thirds the learner's trace is y, its squared
norm x, and α N + β H ≤ α N* + β H* reads w x + y ≤ w + 1 for weights whose ratio is off by w. The value is y + x + 1
at the λ that the construction fixes, and y + 2√x at the best λ for x. Derived here.

The last part compares the risk of the parameters themselves with the Gibbs risk, the mean over the posterior.
"""

import functools

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, rate, sigma
from boundaudit.derivations.symbols import symbol, vector

# --- the bound as a sum ---------------------------------------------------------------------------

N_d = symbol("N_d", "squared norm of the learned parameters less the construction's", real=True)
H_c = symbol("H_c", "trace of the training loss's Hessian at the construction, averaged over the noise", positive=True)
H_d = symbol("H_d", "the same trace at the learned parameters less the construction's", real=True)
r_c = symbol("r_c", "training loss of the construction", nonnegative=True)
r_l = symbol("r_l", "training loss of the learned parameters", nonnegative=True)
K_d = symbol("K_d", "relative entropy to the prior of the learned posterior less the construction's", real=True)

NORM_WEIGHT = 1 / (2 * sigma**2 * rate)
"""α."""
TRACE_WEIGHT = sigma**2 / 2
"""β."""


DIFFERENCE = sigma**2 / 2 * H_d + N_d / (2 * sigma**2) / rate
"""The learner's bound less the construction's, both at the same λ and σ and with the same training loss."""

LARGEST_NORM = -(sigma**4) * rate * H_d
"""The largest N_d with α N_d + β H_d ≤ 0."""

POSTERIOR_DIFFERENCE = r_l - r_c + K_d / rate
"""The bound for the learner's posterior less that for the construction's."""

LARGEST_ENTROPY = rate * (r_c - r_l)
"""The largest K_d with which r + KL/λ is at most the construction's."""

BALANCED_CONSTANT = sigma**3 * H_c * sp.sqrt(m / N_2)
"""The S for which σ is optimal: σ⁶ = S²N/(4m (H/2)²)."""

BEST_RATE = sp.sqrt(2 * m * N_2 / (2 * sigma**2)) / S
"""λ without the confidence term."""


# --- in thirds of the bound -----------------------------------------------------------------------

x_N = symbol("x_N", "squared norm of the learned parameters over the construction's", nonnegative=True)
y_H = symbol("y_H", "trace at the learned parameters over the construction's", real=True)
w_N = symbol("w_N", "weight of norm over weight of trace, in units of the balanced ratio", positive=True)

z_c = symbol("z_c", "training loss of the construction in thirds of its bound", nonnegative=True)
z_l = symbol("z_l", "training loss of the learned parameters in thirds of the construction's bound", nonnegative=True)

FIXED_RATE = x_N + y_H + 1
BEST_RATE_VALUE = y_H + 2 * sp.sqrt(x_N)
WITH_LOSS = z_l + FIXED_RATE
LARGEST_RATIO_WITH_LOSS = z_c + 2 - z_l - x_N
"""The largest y with which a balanced sum, with the training loss, is at most the construction's."""

z_h = symbol(
    "z_h", "training loss of the learned parameters less the construction's, in thirds of its bound", real=True
)
LESS_LOSS = z_h + FIXED_RATE
LARGEST_RATIO_LESS_LOSS = 2 - z_h - x_N
"""The same, for what the learner's loss exceeds the construction's by."""

q_N = symbol("q_N", "share of the norm's term in the sum that the learner minimises", nonnegative=True)
TERM_OF_NORM = q_N * (w_N + 1) / w_N
"""x where w x + y = w + 1, the sum that the construction has; or the norm's root with a weight on it."""

_TERM_OF_TRACE = (1 - q_N) * (w_N + 1)
WEIGHED_FIXED = FIXED_RATE.subs({x_N: TERM_OF_NORM, y_H: _TERM_OF_TRACE})
x_R = symbol("x_R", "norm of the learned parameters over the construction's", nonnegative=True)
WEIGHED_BEST = BEST_RATE_VALUE.subs({x_N: x_R**2, y_H: w_N + 1 - w_N * x_R**2})
WEIGHED_UNSQUARED = FIXED_RATE.subs({x_N: TERM_OF_NORM**2, y_H: _TERM_OF_TRACE})
WORST_BEST = w_N + 1 + 1 / w_N


@functools.cache
def worst_fixed() -> sp.Expr:
    """The largest of `WEIGHED_FIXED` over the share of the norm's term.

    Returns:
        An expression in w.
    """
    return 2 + sp.Max(w_N, 1 / w_N)


@functools.cache
def worst_unsquared() -> sp.Expr:
    """The largest of `WEIGHED_UNSQUARED`, at one of two ends: no norm and all trace, no trace and all norm.

    Returns:
        An expression in w.
    """
    return sp.Max(w_N + 2, 1 + ((w_N + 1) / w_N) ** 2)


# --- the risk of the parameters themselves --------------------------------------------------------

kappa_p = symbol("kappa_p", "steepness κ of a peak exp(-κu²) of the loss", nonnegative=True)
PEAK_GIBBS = 1 / sp.sqrt(1 + 2 * kappa_p * sigma**2)
"""The mean of a loss exp(-κu²) that is 1 at the parameters themselves."""

f_n = vector("f_n", "residual of the network at the n-th pair of an input and a draw of the noise")
e_n = vector("e_n", "change of the output by the noise at the same pair")
nu_n = symbol("nu_n", "which pair of an input and a draw", integer=True, positive=True)
n_pr = symbol("n_pr", "pairs of an input and a draw", integer=True, positive=True)
a_y = symbol("a_y", "weight of Young's inequality", positive=True)

PARAMETERS_LOSS = sp.Sum((f_n[nu_n] - e_n[nu_n]) ** 2, (nu_n, 1, n_pr))
YOUNG = sp.Sum((1 + a_y) * f_n[nu_n] ** 2 + (1 + 1 / a_y) * e_n[nu_n] ** 2, (nu_n, 1, n_pr))


q_1 = symbol("q_1", "weight of the first of two networks of a posterior", nonnegative=True)
u_1 = symbol("u_1", "residual of the first of two networks", real=True)
u_2 = symbol("u_2", "residual of the second of two networks", real=True)
AVERAGED = (q_1 * u_1 + (1 - q_1) * u_2) ** 2
GIBBS = q_1 * u_1**2 + (1 - q_1) * u_2**2
SPREAD = q_1 * (1 - q_1) * (u_1 - u_2) ** 2
"""The variance of the outputs over the posterior."""
