"""A bound on E min(loss, M) in the kl form, which needs no sub-Gaussian constant. Derived here, with Maurer's lemma.

With probability 1-δ kl(r/M ‖ R/M) ≤ (K + ln(2√m/δ))/m. So a number R is a bound where kl(σ²G/M ‖ R/M) is at least the
right side, and a σ gives no bound below R where it is at most that.
"""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, m, p_n, sigma
from boundaudit.derivations.sharpness.bound.separate_prior_variance import COUNT, RELATIVE, SHARPNESS

DELTA = sp.Rational(1, 20)


def budget(relative: sp.Expr) -> sp.Expr:
    """What the sample allows of the relative entropy between the risks.

    Args:
        relative: K.

    Returns:
        (K + ln(2√m/δ))/m at δ = 5 %.
    """
    return (relative + sp.log(2 * sp.sqrt(m) / DELTA)) / m


def _at_example(norm: sp.Expr) -> sp.Expr:
    return budget(RELATIVE).subs({N_2: norm, p_n: COUNT})


LOSS_CEILING = {1: sp.Rational("0.00020045"), 2: sp.Rational("0.00017327")}
NORM_CEILING = {1: sp.Rational("1492.7"), 2: sp.Rational("1109.2")}
"""Above the construction's own loss and squared norm at E.3, by u: short numbers keep proofs short."""
RISK = sigma**2 * SHARPNESS


def own(width: int) -> tuple[sp.Expr, sp.Expr]:
    """The construction's risk under noise with its own loss, and what the sample allows with its own norm.

    Args:
        width: u, 1 (steep) or 2 (wide).

    Returns:
        Both, in σ and m.
    """
    return RISK + LOSS_CEILING[width], _at_example(NORM_CEILING[width])
