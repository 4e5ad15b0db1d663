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

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, rate, sigma
from boundaudit.derivations.symbols import symbol

# --- the bound as a sum ---------------------------------------------------------------------------

N_d = symbol("N_d", "squared norm of the learned parameters less the construction's", real=True)
H_c = symbol("H_c", "trace of the training loss's Hessian at the construction, averaged over the noise", positive=True)
H_d = symbol("H_d", "the same trace at the learned parameters less the construction's", real=True)

NORM_WEIGHT = 1 / (2 * sigma**2 * rate)
"""α."""
TRACE_WEIGHT = sigma**2 / 2
"""β."""


DIFFERENCE = sigma**2 / 2 * H_d + N_d / (2 * sigma**2) / rate
"""The learner's bound less the construction's, both at the same λ and σ and with the same training loss."""

LARGEST_NORM = -(sigma**4) * rate * H_d
"""The largest N_d with α N_d + β H_d ≤ 0."""


BALANCED_CONSTANT = sigma**3 * H_c * sp.sqrt(m / N_2)
"""The S for which σ is optimal: σ⁶ = S²N/(4m (H/2)²)."""

BEST_RATE = sp.sqrt(2 * m * N_2 / (2 * sigma**2)) / S
"""λ without the confidence term."""


# --- in thirds of the bound -----------------------------------------------------------------------

x_N = symbol("x_N", "squared norm of the learned parameters over the construction's", nonnegative=True)
y_H = symbol("y_H", "trace at the learned parameters over the construction's", real=True)
w_N = symbol("w_N", "weight of norm over weight of trace, in units of the balanced ratio", positive=True)


BEST_RATE_VALUE = y_H + 2 * sp.sqrt(x_N)


q_N = symbol("q_N", "share of the norm's term in the sum that the learner minimises", nonnegative=True)
TERM_OF_NORM = q_N * (w_N + 1) / w_N
"""x where w x + y = w + 1, the sum that the construction has; or the norm's root with a weight on it."""

x_R = symbol("x_R", "norm of the learned parameters over the construction's", nonnegative=True)
WEIGHED_BEST = BEST_RATE_VALUE.subs({x_N: x_R**2, y_H: w_N + 1 - w_N * x_R**2})
WORST_BEST = w_N + 1 + 1 / w_N
