"""Theorems 7, 8 and 16: from the bound on one step to a chain of T steps, and to one pass over all T bits.

Lintilhac & Shaikh 2026, Appendix E. A step is a parity of two bits, one component of degree two; one pass is the
parity of all T bits, one component of degree T. `printed` and `printed_chain` are the exponent and the
statement as printed; what follows them is derived here.
"""

import functools

import sympy as sp

from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.symbols import N_2, S, delta, m, relative, sigma
from boundaudit.derivations.sharpness import norms
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.noisy_loss import BAD, EVERY_INPUT, UNUSED, K_nl, change, l_nl
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.derivations.symbols import symbol, vector

G_c = symbol("G_c", "bound on the squared gradient of one step's network", positive=True)
P_c = symbol("P_c", "what noise adds to twice the bound on the squared gradient of one step", nonnegative=True)
A_s = symbol("A_s", "bound on the expected loss of one step under noise", nonnegative=True)
t_e = symbol("t_e", "threshold for the expected loss of a step", positive=True)
epsilon_c = symbol("epsilon_c", "probability that a chain may be wrong", positive=True)

# --- the statement as printed ---------------------------------------------------------------------

EXPONENT = -m * t_e**2 / (2 * S**2) + m * t_e * A_s / S**2 - m * A_s**2 / (2 * S**2) + relative
"""The logarithm of the δ at which the bound of Theorem 2 equals the threshold."""

CORE = -m / (8 * S**2) + m * A_s / (2 * S**2) + relative
"""The logarithm of the printed probability of a step, before the factor 4T."""


@functools.cache
def printed() -> sp.Expr:
    """The same in what bounds the loss under noise, and the relative entropy.

    Returns:
        -m/(8S²) + mσ² (2G + P)/(4S²) + L/(2σ²).
    """
    return CORE.subs({A_s: sigma**2 / 2 * (2 * G_c + P_c), relative: N_2 / (2 * sigma**2)})


@functools.cache
def printed_chain() -> sp.Expr:
    """The printed probability that a chain is wrong.

    Returns:
        4T times the exponential of `printed`.
    """
    return 4 * T * sp.exp(printed())


# --- Markov's step and the union over steps -------------------------------------------------------

p_w = symbol("p_w", "probability that a step is wrong", nonnegative=True)
q_w = symbol("q_w", "mean squared error of a step where it is wrong", real=True)
q_r = symbol("q_r", "mean squared error of a step where it is right", nonnegative=True)
e_w = symbol("e_w", "raw error of a step at one input", nonnegative=True)
MEAN_LOSS = p_w * q_w + (1 - p_w) * q_r
"""A step's expected loss: it is wrong where its raw error is at least 1/2, so that q_w ≥ 1/4."""

f_c = vector("f_c", "probabilities that a step is the first wrong one of its chain")
g_c = vector("g_c", "probabilities that a step is wrong after an earlier one")
_t = sp.Symbol("t", integer=True, positive=True)
CHAIN_WRONG = sp.Sum(f_c[_t], (_t, 1, T))
AVERAGE_WRONG = sp.Sum(f_c[_t] + g_c[_t], (_t, 1, T)) / T
"""Whether drawn by the prompt or by the step, a random step is wrong this often."""

p_f = symbol("p_f", "probability of the samples on which a bound fails", nonnegative=True)
b_c = symbol("b_c", "bound on an error probability", nonnegative=True)
e_q = symbol("e_q", "mean error probability on the samples on which a bound fails", nonnegative=True)
EXPECTED = (1 - p_f) * b_c + p_f * e_q
"""The error averaged over samples where it is b_c on all those on which the bound holds."""

# --- the repaired bound ---------------------------------------------------------------------------

STEP_CUBED = 27 * G_c * S**2 * N_2 / (4 * m)
"""The cube of Theorem 2's bound at the best σ, without P and ln(1/δ): that of 3 (G S² L / (4m))^(1/3)."""

CHAIN_CUBED = (4 * T) ** 3 * STEP_CUBED
"""The cube of the repaired bound on the probability that the chain is wrong."""

n_c = symbol("n_c", "one over the probability with which a chain may be wrong", integer=True, positive=True)
SAMPLES = 432 * S**2 * T**3 * G_c * N_2 * n_c**3
"""Samples for which the repaired bound is ε = 1/n."""


@functools.cache
def gradient(degree: sp.Expr | int) -> sp.Expr:
    """The printed G_u of one component.

    Args:
        degree: D.

    Returns:
        G_u(1, D).
    """
    return sp.expand(G_U.subs({omega: 1, D: degree}))


def norm(degree: sp.Expr | int, terms: dict[str, sp.Expr] = norms.PUBLISHED) -> sp.Expr:
    """A bound L on the squared norm for one component.

    Args:
        degree: D.
        terms: `norms.PUBLISHED`, or `norms.REPAIRED` with its floor and flank.

    Returns:
        L(1, D, T); for the repaired terms in u as well.
    """
    return norms.total({**terms, "W2": norms.PUBLISHED["W2"], "V2": omega}).subs({omega: 1, D: degree})


PARAMETERS = (T + 2) * (3 * (T + 2) + 8 * (D + 1) + 1) + 4 * (D + 1)
"""Parameters of the network: 3 of (T+2)², two of 4(D+1)(T+2), biases and output row."""

r_m = symbol("r_m", "bound on the error of one network of a chain, of a whole chain, or of one pass", positive=True)

# --- whole chains in the sample -------------------------------------------------------------------

l_ct = vector("l_ct", "squared losses of a chain's steps at a prompt")
o_ct = symbol("o_ct", "what the other steps of a prompt add to its loss", nonnegative=True)
PROMPT_WRONG = sp.Min(1, 4 * sp.Min(e_w**2, sp.Rational(1, 4)) + o_ct)
"""The loss of a prompt with a step whose raw error is e_w."""
PROMPT = sp.Sum(4 * sp.Min(l_ct[_t], sp.Rational(1, 4)), (_t, 1, T))
"""What the steps of a prompt lose, each clipped and divided by 1/4: up to one, the loss of the prompt."""
PROMPT_LOSSES = 4 * sp.Sum(l_ct[_t], (_t, 1, T))

lambda_ct = symbol("lambda_ct", "largest error of a step without noise", nonnegative=True)
e_ct = symbol("e_ct", "error of a step without noise, signed", real=True)
move_ct = symbol("move_ct", "what noise adds to a step's output where it is wrong", real=True)
MARGIN = sp.Rational(1, 2) - lambda_ct
"""What noise must add at least for a step to be wrong."""

q_ct = symbol("q_ct", "empirical risk of a step", positive=True)
p_ct = symbol("p_ct", "bound on the risk of a step", positive=True)


def apart(q: sp.Expr, p: sp.Expr, count: sp.Expr) -> sp.Expr:
    """kl(nq ‖ np) as a sum over one step, the other n-1, and none.

    Args:
        q: a probability.
        p: another.
        count: n.

    Returns:
        q ln(q/p) + (n-1) p φ(q/p) + (1-np) φ((1-nq)/(1-np)) with φ(x) = x ln x.
    """
    none, ratio = 1 - count * p, q / p
    share = (1 - count * q) / none
    return q * sp.log(ratio) + (count - 1) * p * (ratio * sp.log(ratio)) + none * (share * sp.log(share))


w_ct = symbol("w_ct", "weight of a logarithm", nonnegative=True)
x_ct = symbol("x_ct", "what a logarithm is taken of", positive=True)
WEIGHED_LOG, WEIGHED_TANGENT = w_ct * sp.log(x_ct), w_ct * (x_ct - 1)

LEFT = sp.Rational(1, 2) - C * UNUSED
"""The same for the construction of a parity: the leak is 1/(T+1)."""


@functools.cache
def moved() -> sp.Expr:
    """What noise adds to the output on good draws, squared and over the margin's square.

    Returns:
        Δ²/(1/2 - leak)², in T, D, ω, u, σ, κ, C, Σ l² and the span of the logits.
    """
    return change(EVERY_INPUT) ** 2 / LEFT**2


@functools.cache
def wrong_under_noise() -> sp.Expr:
    """How often noise makes one network wrong, at any input.

    Returns:
        Δ²/(1/2 - leak)² and the share of draws that are not good.
    """
    return moved() + BAD


def noisy_kl(degree: int, steps: int, cell: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
    """The same with the proved bound on how often noise makes a step wrong.

    Args:
        degree: D.
        steps: of a prompt that are in the sample.
        cell: values of T and u.

    Returns:
        An expression in σ, κ and r.
    """
    logit = 2 * sp.log(cell[T])
    size = {**cell, D: degree, omega: 1, C: 1, K_nl: logit**2, l_nl: logit}
    return binary_kl(steps * wrong_under_noise().subs(size), r_m)


def budget(degree: sp.Expr | int, width: int = 1) -> sp.Expr:
    """Maurer's budget with a prior variance of its own, for the trapezoid's norm.

    Args:
        degree: D.
        width: u.

    Returns:
        An expression in T, σ, m and δ.
    """
    count = PARAMETERS.subs(D, degree)
    relative_entropy = count / 2 * sp.log(1 + norm(degree, norms.REPAIRED).subs(u, width) / (count * sigma**2))
    return (relative_entropy + sp.log(2 * sp.sqrt(m) / delta)) / m


# --- one pass against a chain ---------------------------------------------------------------------


@functools.cache
def exponent(degree: sp.Expr | int) -> sp.Expr:
    """What the bound of one network gives in place of the printed exponent, without P and -m/(8S²).

    Args:
        degree: D, 2 for one step of the chain and T for one pass.

    Returns:
        m σ² G/(2S²) + L/(2σ²).
    """
    return m * sigma**2 / (2 * S**2) * gradient(degree) + norm(degree) / (2 * sigma**2)


# --- two learners on which the inference fails ----------------------------------------------------

UNSEEN = (1 - 1 / m) ** m / m
"""Expected error of a learner that is wrong on a set of mass 1/m just when the sample misses it."""


@functools.cache
def wrong() -> sp.Expr:
    """The same for a chain of T such steps with samples of their own.

    Returns:
        An expression in m and T.
    """
    return 1 - (1 - UNSEEN) ** T


def _printed_at(noise: sp.Expr, entropy: sp.Expr) -> sp.Expr:
    """The printed form for a loss in [0, 1], by its mean under noise and the relative entropy."""
    return 4 * T * sp.exp(CORE.subs({A_s: noise, S: sp.Rational(1, 2), relative: entropy}))


@functools.cache
def two_hypotheses_printed() -> sp.Expr:
    """The printed form with log 2, the relative entropy on two hypotheses, and no loss under noise.

    Returns:
        An expression in m and T.
    """
    return _printed_at(sp.Integer(0), sp.log(2))


CENTRE, DEVIATION = sp.Integer(11), sp.Rational(10, 3)
"""The construction θ* of the Gaussian learner, and σ: a step is right from θ = 1 on, three deviations below."""

NOISE_TAIL = sp.exp(-sp.Rational(9, 2)) / (3 * sp.sqrt(2 * sp.pi))
"""Mills' bound on P(θ* + σ z < 1), z a standard normal variable: no loss under noise exceeds it."""


@functools.cache
def gaussian_printed() -> sp.Expr:
    """The printed form for the Gaussian learner.

    Returns:
        An expression in m and T.
    """
    return _printed_at(NOISE_TAIL, (CENTRE / DEVIATION) ** 2 / 2)


q_x = symbol("q_x", "how often a bit of a parity chain's prompt is one", positive=True)
