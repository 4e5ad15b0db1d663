"""Change of measure on finite sets: Donsker and Varadhan, Markov, and the general PAC-Bayes theorem.

The tangent ln x ≤ x - 1, term by term at x = π g/(ρ z), g = e^φ and z = Σ π g, gives for every posterior ρ that adds up
to one

    Σ ρ φ ≤ KL(ρ‖π) + ln Σ π e^φ,

with equality where ρ is proportional to π e^φ.

The general theorem: exp(E_ρ φ - KL) ≤ E_π e^φ for every ρ, so that E_ρ φ - KL is ln(1/δ) or more for some ρ only on
samples with δ E_π e^φ ≥ 1, which have a probability of at most δ E_S E_π e^φ.
"""

from collections.abc import Callable

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import delta
from boundaudit.derivations.symbols import symbol, vector

i_a = symbol("i_a", "number of an atom, counted from 1", integer=True, positive=True)
n_a = symbol("n_a", "atoms of a finite set", integer=True, positive=True)
w_rho = vector("w_rho", "weights of a posterior on a finite set")
w_pi = vector("w_pi", "weights of a prior on a finite set")
g_a = vector("g_a", "exponentials of a function on a finite set")
x_a0 = vector("x_a0", "values of a random variable on a finite set that reach a threshold, or losses")
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

PARTITION = total(w_pi[i_a] * g_a[i_a])

# --- Markov ---------------------------------------------------------------------------------------

BEYOND = c_a * POSTERIOR
EXPECTATION = total(w_rho[i_a] * x_a0[i_a]) + r_a
"""The atoms at or beyond the threshold have weights w; the others add what is not negative."""

# --- the general theorem: with probability at least 1-δ over the sample, for all posteriors ---------

x_gain = symbol("x_gain", "what a posterior gains: its mean of φ less its relative entropy", real=True)
s_a = symbol("s_a", "number of a possible sample, counted from 1", integer=True, positive=True)
p_sam = symbol("p_sam", "probability of a sample", nonnegative=True)
n_sam = symbol("n_sam", "possible samples", integer=True, positive=True)
q_sam = vector("q_sam", "probabilities of the possible samples")
xi_m = symbol("xi_m", "ξ, at least the exponential moment of every hypothesis", positive=True)
c_hyp = vector("c_hyp", "exponential moments of the hypotheses")
g_sam = vector("g_sam", "exponentials of a function of sample and hypothesis")
r_sam = vector("r_sam", "weights that a posterior gives to hypotheses on each sample")


def gain(posterior: Callable[[sp.Expr], sp.Expr], exponentials: Callable[[sp.Expr], sp.Expr]) -> sp.Expr:
    """A posterior's mean of φ = ln g, less its relative entropy to the prior.

    Args:
        posterior: ρ, by the number of a hypothesis; it adds up to 1.
        exponentials: g, likewise.

    Returns:
        E_ρ φ - KL(ρ‖π).
    """
    mean = total(posterior(i_a) * sp.log(exponentials(i_a)))
    return mean - total(posterior(i_a) * sp.log(posterior(i_a) / w_pi[i_a]))


def failure(probability: sp.Expr, gained: sp.Expr) -> sp.Expr:
    """The probability of a sample where that is ln(1/δ) or more.

    Args:
        probability: q.
        gained: E_ρ φ - KL(ρ‖π).

    Returns:
        q or 0.
    """
    return sp.Piecewise((probability, gained >= sp.log(1 / delta)), (0, True))


def drawn(hypothesis: sp.Expr) -> sp.Expr:
    """The share of a hypothesis in the posterior of a sample.

    Args:
        hypothesis: Its number.

    Returns:
        r_si / Σ_j r_sj.
    """
    other = sp.Symbol("j_a", integer=True, positive=True)
    return r_sam[s_a, hypothesis] / sp.Sum(r_sam[s_a, other], (other, 1, n_a))


GAIN = gain(lambda i: w_rho[i], lambda i: g_a[i])


def over_samples(body: sp.Expr) -> sp.Expr:
    """A sum over the possible samples.

    Args:
        body: What it is on the sample s_a.

    Returns:
        Σ_s body.
    """
    return sp.Sum(body, (s_a, 1, n_sam))


FAILURE = over_samples(failure(q_sam[s_a], gain(drawn, lambda i: g_sam[s_a, i])))
"""The probability that some posterior, one for each sample, gains ln(1/δ) or more."""

Exponents = Callable[[sp.Expr], sp.Expr]
"""From the number of a hypothesis to φ."""


def prior_mean(exponents: Exponents) -> sp.Expr:
    """A prior's mean of exponentials.

    Args:
        exponents: From the number of a hypothesis.

    Returns:
        E_π e^φ.
    """
    return total(w_pi[i_a] * sp.exp(exponents(i_a)))


def moment(exponents: Exponents, i: sp.Expr) -> sp.Expr:
    """A hypothesis's exponential moment.

    Args:
        exponents: From the number of a hypothesis to φ on the sample s_a.
        i: The number of the hypothesis.

    Returns:
        E_S e^φ.
    """
    return over_samples(q_sam[s_a] * sp.exp(exponents(i)))


def prior_moment(exponents: Exponents) -> sp.Expr:
    """The prior's mean of that.

    Args:
        exponents: As for ``moment``.

    Returns:
        E_S E_π e^φ.
    """
    return over_samples(q_sam[s_a] * prior_mean(exponents))


def log_g(i: sp.Expr) -> sp.Expr:
    """φ = ln g of a hypothesis on the sample s_a.

    Args:
        i: The number of the hypothesis.

    Returns:
        ln g_si.
    """
    return sp.log(g_sam[s_a, i])


MOMENT = prior_moment(log_g)
"""E_S E_π e^φ."""
