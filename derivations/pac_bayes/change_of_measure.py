"""Change of measure on finite sets: Donsker and Varadhan, Markov, priors on a part, truncated posteriors.

With weights w of a posterior, b of a prior and g = e^φ, all positive, and z > 0, the tangent ln x ≤ x - 1 gives
term by term w ln(z b g / w) ≤ z b g - w, hence

    Σ w ln g ≤ Σ w ln(w/b) - W ln z + (z Σ b g - W),        W = Σ w.

Any z with z Σ b g ≤ W drops the last bracket, and z = W/Σ b g is the best of them: with ρ = w/W and π = b/Σ b this is
Σ ρφ ≤ KL(ρ‖π) + ln Σ π e^φ. Scaling a measure moves ln of the scale out of the relative entropy: for π restricted to
H, KL(ρ‖π|H) = KL(ρ‖π) + ln π(H). For a posterior that is cut down to H, where it has mass 1-η and the prior mass 1-α,

    KL(ρ‖π) = kl(η‖α) + (1-η) KL(ρ|H ‖ π|H) + η KL(ρ|rest ‖ π|rest) ≥ (1-η) KL(ρ|H ‖ π|H).
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

i_a = symbol("i_a", "number of an atom, counted from 1", integer=True, positive=True)
n_a = symbol("n_a", "atoms of a finite set", integer=True, positive=True)
w_rho = vector("w_rho", "weights of a posterior on a finite set")
w_pi = vector("w_pi", "weights of a prior on a finite set")
g_a = vector("g_a", "exponentials of a function on a finite set")
x_a0 = vector("x_a0", "values of a random variable on a finite set that reach a threshold, or losses")
z_a = symbol("z_a", "one over a normalising constant, or an upper bound on a mean", real=True)
c_a = symbol("c_a", "a threshold", positive=True)
r_a = symbol("r_a", "sum of a nonnegative random variable over the atoms below a threshold", nonnegative=True)


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the atoms.

    Args:
        body: an expression in i_a.

    Returns:
        Σ_i body.
    """
    return sp.Sum(body, (i_a, 1, n_a))


POSTERIOR = total(w_rho[i_a])
"""W."""

MEAN = total(w_rho[i_a] * sp.log(g_a[i_a]))
"""W times the posterior mean of φ = ln g."""

PARTITION = total(w_pi[i_a] * g_a[i_a])

TANGENT = total(w_rho[i_a] * (sp.log(g_a[i_a]) + sp.log(w_pi[i_a]) - sp.log(w_rho[i_a]) + sp.log(z_a)))
TANGENT_MOST = z_a * PARTITION - POSTERIOR
BY_NORMALISER = total(w_rho[i_a] * (sp.log(w_rho[i_a]) - sp.log(w_pi[i_a]) - sp.log(z_a)))
"""W times (KL - ln z), for weights that are not normalised."""

# --- Markov ---------------------------------------------------------------------------------------

BEYOND = c_a * POSTERIOR
EXPECTATION = total(w_rho[i_a] * x_a0[i_a]) + r_a
"""The atoms at or beyond the threshold have weights w; the others add what is not negative."""
