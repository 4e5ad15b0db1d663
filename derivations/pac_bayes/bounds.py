"""The named PAC-Bayes bounds on the Gibbs risk, from one exponential moment each.

Let φ(r, R) be jointly convex, and let E_S exp φ(r_h, R_h) ≤ ξ for every hypothesis h with risk R_h and risk r_h on the
sample. By change of measure and Markov's inequality every posterior has, with probability at least 1-δ, E_ρ φ(r_h, R_h)
< K + ln(ξ/δ), and by Jensen's inequality φ(r, R) < K + ln(ξ/δ) for its Gibbs risks r and R, where K = KL(ρ‖π). Each
bound solves this for R:

    φ = λ(R - r)                                 R < r + (K + ln(ξ/δ))/λ
    φ = m (r ln y - ln(1 - R + R y))             the supremum of φ/m over y > 0 is kl(r‖R); y = e^-C is Catoni's form
    φ = 2m (R - r)²                              |R - r| < √((K + ln(ξ/δ))/(2m))
    φ = m (λ(R - r) - λ²R/2)                     R < (r + (K + ln(ξ/δ))/(mλ))/(1 - λ/2)

The last three are at most m kl(r‖R), whose exponential moment over m losses in [0, 1] is ξ(m) ≤ 2√m; there y and λ may
be chosen after the sample was seen.
"""

from collections.abc import Callable
from typing import NamedTuple

import sympy as sp

from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.change_of_measure import (
    drawn,
    i_a,
    over_samples,
    q_sam,
    s_a,
    total,
    w_pi,
    w_rho,
)
from boundaudit.derivations.pac_bayes.symbols import delta, m, rate
from boundaudit.derivations.symbols import symbol, vector

r_h = symbol("r_h", "risk of a hypothesis on the sample", real=True)
R_h = symbol("R_h", "risk of a hypothesis", real=True)
b_h = symbol("b_h", "relative entropy plus ln(ξ/δ)", real=True)
a_h = symbol("a_h", "what a bound's user chooses on a sample: y, or the trade-off λ", positive=True)
z_h = symbol("z_h", "mean of 1 - R + R y over a posterior", positive=True)
R_max = symbol("R_max", "at least the risk of every hypothesis", nonnegative=True)
r_hyp = vector("r_hyp", "risks of the hypotheses on one sample")
R_hyp = vector("R_hyp", "risks of the hypotheses")
o_hyp = vector("o_hyp", "odds R/(1-R) of the risks of the hypotheses")
r_all = vector("r_all", "risks of the hypotheses on each sample")
a_all = vector("a_all", "what a bound's user chooses on each sample: y, or the trade-off λ")
v_hyp = vector("v_hyp", "a positive number for each hypothesis")

Formula = Callable[..., sp.Expr]


class Form(NamedTuple):
    """A bound.

    Attributes:
        excess: φ, from r, the mean of ``of_risk`` and what is chosen.
        at_least: What reaches ``threshold`` where the bound fails, from the same.
        threshold: From r, K + ln(ξ/δ) and what is chosen.
        of_risk: What of R_h a posterior takes the mean of, from what stands for R_h and what is chosen.
        risks: What stands for the R_h.
    """

    excess: Formula
    at_least: Formula
    threshold: Formula
    of_risk: Formula = lambda risk, choice: risk
    risks: sp.IndexedBase = R_hyp

    def fails(self, probability: sp.Expr, r: sp.Expr, risk: sp.Expr, budget: sp.Expr, choice: sp.Expr) -> sp.Expr:
        """The probability of a sample where the bound fails.

        Args:
            probability: Of the sample.
            r: The Gibbs risk on it.
            risk: The Gibbs risk.
            budget: K + ln(ξ/δ).
            choice: y or λ.

        Returns:
            That probability, or 0.
        """
        return reached(probability, self.at_least(r, risk, choice), self.threshold(r, budget, choice))


def reached(probability: sp.Expr, number: sp.Expr, threshold: sp.Expr) -> sp.Expr:
    """A probability where a number reaches a threshold.

    Args:
        probability: The probability.
        number: The number.
        threshold: The threshold.

    Returns:
        The probability, or 0.
    """
    return sp.Piecewise((probability, number >= threshold), (0, True))


def remaining(risk: sp.Expr, y: sp.Expr) -> sp.Expr:
    """The mean of y^ℓ for a loss of zero or one.

    Args:
        risk: Its mean R.
        y: The tilt.

    Returns:
        1 - R + R y.
    """
    return 1 - risk + risk * y


def tilted(r: sp.Expr, risk: sp.Expr, y: sp.Expr) -> sp.Expr:
    """What kl(r‖R) is at least, for any y > 0.

    Args:
        r: The risk on the sample.
        risk: The risk.
        y: The tilt.

    Returns:
        r ln y - ln(1 - R + R y).
    """
    return r * sp.log(y) - sp.log(remaining(risk, y))


def traded(r: sp.Expr, risk: sp.Expr, trade_off: sp.Expr) -> sp.Expr:
    """The same for any λ in (0, 2).

    Args:
        r: The risk on the sample.
        risk: The risk.
        trade_off: λ.

    Returns:
        λ(R - r) - λ²R/2.
    """
    return trade_off * (risk - r) - trade_off**2 * risk / 2


def _risk(r: sp.Expr, risk: sp.Expr, choice: sp.Expr) -> sp.Expr:
    return risk


def _of_odds(odds: sp.Expr, y: sp.Expr) -> sp.Expr:
    return (1 + odds * y) / (1 + odds)


def _two_sided(r: sp.Expr, risk: sp.Expr, choice: sp.Expr) -> sp.Expr:
    return 2 * m * (risk - r) ** 2


def _by_remaining(r: sp.Expr, mean: sp.Expr, y: sp.Expr) -> sp.Expr:
    return m * (r * sp.log(y) - sp.log(mean))


FORMS = {
    "linear": Form(lambda r, R, _: rate * (R - r), _risk, lambda r, b, _: r + b / rate),
    "relative-entropy": Form(_by_remaining, _by_remaining, lambda r, b, y: b, _of_odds, o_hyp),
    "temperature": Form(
        lambda r, R, y: m * tilted(r, R, y), _risk, lambda r, b, y: (1 - sp.exp(r * sp.log(y) - b / m)) / (1 - y)
    ),
    "square-root": Form(_two_sided, _two_sided, lambda r, b, _: b),
    "trade-off": Form(lambda r, R, t: m * traded(r, R, t), _risk, lambda r, b, t: (r + b / (m * t)) / (1 - t / 2)),
}


def closed_kl(r: sp.Expr, risk: sp.Expr) -> sp.Expr:
    """kl(r‖R), also where r is zero or one.

    Args:
        r: Between 0 and 1.
        risk: Strictly between 0 and 1.

    Returns:
        The relative entropy in nats.
    """
    ends = (-sp.log(1 - risk), r <= 0), (-sp.log(risk), r >= 1)
    return sp.Piecewise(*ends, (binary_kl(r, risk), True))


# --- on one sample ----------------------------------------------------------------------------------

ENTROPY = total(w_rho[i_a] * sp.log(w_rho[i_a] / w_pi[i_a]))
"""K."""

SEEN, RISK = total(w_rho[i_a] * r_hyp[i_a]), total(w_rho[i_a] * R_hyp[i_a])
"""r and R."""


def mean_risk(form: Form) -> sp.Expr:
    """A posterior's mean of what a bound takes the mean of.

    Args:
        form: The bound.

    Returns:
        R, or E_ρ(1 - R + R y).
    """
    return total(w_rho[i_a] * form.of_risk(form.risks[i_a], a_h))


MIXED = total(w_rho[i_a] * remaining(R_hyp[i_a], a_h))
MIXED_LOGS = total(w_rho[i_a] * sp.log(remaining(R_hyp[i_a], a_h)))


def each(form: Form, i: sp.Expr) -> sp.Expr:
    """A hypothesis's φ on one sample.

    Args:
        form: The bound.
        i: The number of the hypothesis.

    Returns:
        φ(r_i, R_i).
    """
    return form.excess(r_hyp[i], form.of_risk(form.risks[i], a_h), a_h)


def posterior_mean(form: Form) -> sp.Expr:
    """A posterior's mean of φ on one sample.

    Args:
        form: The bound.

    Returns:
        E_ρ φ.
    """
    return total(w_rho[i_a] * each(form, i_a))


# --- over the samples -------------------------------------------------------------------------------


def over_posteriors(body: sp.Expr) -> sp.Expr:
    """The mean over the posterior of the sample s_a.

    Args:
        body: What it is for the hypothesis i_a.

    Returns:
        E_ρ body.
    """
    return total(drawn(i_a) * body)


def failure(form: Form, xi: sp.Expr, choice: sp.Expr) -> sp.Expr:
    """The probability of samples on which the bound fails for the posterior that was chosen there.

    Args:
        form: The bound.
        xi: ξ.
        choice: y or λ on the sample s_a.

    Returns:
        Σ_s q_s [the bound fails on s].
    """
    entropy = over_posteriors(sp.log(drawn(i_a) / w_pi[i_a]))
    r, risk = over_posteriors(r_all[s_a, i_a]), over_posteriors(form.of_risk(form.risks[i_a], choice))
    return over_samples(form.fails(q_sam[s_a], r, risk, entropy + sp.log(xi / delta), choice))


def on_sample(form: Form, choice: sp.Expr, i: sp.Expr) -> sp.Expr:
    """A hypothesis's φ on the sample s_a.

    Args:
        form: The bound.
        choice: y or λ on it.
        i: The number of the hypothesis.

    Returns:
        φ(r_si, R_i).
    """
    return form.excess(r_all[s_a, i], form.of_risk(form.risks[i], choice), choice)
