"""Split-kl: the relative-entropy form for what losses are above a middle value and below it, each at δ/2.

A loss in [a, b] with the middle μ is μ + (b-μ) ℓ₊ - (μ-a) (1-ℓ₋) with the parts ℓ₊ = (ℓ-μ)₊/(b-μ) and ℓ₋ = 1 -
(μ-ℓ)₊/(μ-a) in [0, 1]. The Gibbs risk rises in both of their risks, so that bounds on these, each at δ/2, bound it.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.bounds import FORMS, a_all, failure, o_hyp, on_sample, r_all
from boundaudit.derivations.pac_bayes.change_of_measure import s_a, xi_m
from boundaudit.derivations.symbols import vector

o_below = vector("o_below", "odds R/(1-R) of the risks of the hypotheses, by the part of the losses below the middle")
r_below = vector("r_below", "risks of the hypotheses on each sample, by the part of the losses below the middle")
a_below = vector("a_below", "what a bound's user chooses as y on each sample for the part below the middle")

_FORM = FORMS["relative-entropy"]
_BELOW = {r_all: r_below, o_hyp: o_below, a_all: a_below}

ABOVE = failure(_FORM, 2 * xi_m, a_all[s_a])
"""The probability that the bound fails for the part above, at δ/2."""

FAILURE = ABOVE + ABOVE.subs(_BELOW)


def above(i: sp.Expr) -> sp.Expr:
    """φ of the part above the middle, on the sample s_a.

    Args:
        i: The number of a hypothesis.

    Returns:
        m (r ln y - ln(1 - R + R y)).
    """
    return on_sample(_FORM, a_all[s_a], i)


def below(i: sp.Expr) -> sp.Expr:
    """The same of the part below it.

    Args:
        i: The number of a hypothesis.

    Returns:
        As for ``above``.
    """
    return above(i).subs(_BELOW)
