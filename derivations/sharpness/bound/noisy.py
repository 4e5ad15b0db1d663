"""Appendix E.3 with the proved loss under noise in place of σ² (G_u + P): the loss is clipped at one.

T = 20, D = 2, ω = 10, coefficients 1/√10 and pairs of bits side by side; every number below is in σ and κ alone.
"""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, p_n
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.bound.clipped import DELTA, LOSS_CEILING, NORM_CEILING, budget
from boundaudit.derivations.sharpness.bound.numbers import SETTING, SIZES
from boundaudit.derivations.sharpness.bound.separate_prior_variance import COUNT, RELATIVE
from boundaudit.derivations.sharpness.bound.shared_variance import L_PRINTED, complexity
from boundaudit.derivations.sharpness.noisy_loss import AVERAGE_INPUT, EVERY_INPUT, UNUSED, K_nl, clipped, l_nl
from boundaudit.derivations.sharpness.parameters import omega, u

_LOGIT = 2 * sp.log(20) - sp.log(10) / 2
CELL = {**SIZES, C: sp.sqrt(10), K_nl: 10 * _LOGIT**2, l_nl: _LOGIT}
INPUTS = {"average": AVERAGE_INPUT, "sample": EVERY_INPUT}
"""On average over all 2^20 inputs, or over any sample of them."""


@functools.cache
def loss(width: int, inputs: str) -> sp.Expr:
    """A bound on the construction's mean clipped loss under noise.

    Args:
        width: u.
        inputs: a key of `INPUTS`; on average the construction's own loss is known, at a sample its largest error.

    Returns:
        An expression in σ and κ.
    """
    root = sp.sqrt(LOSS_CEILING[width]) if inputs == "average" else C * UNUSED
    return clipped(root, INPUTS[inputs]).subs({**CELL, u: width})


def theorem_2(width: int, inputs: str) -> sp.Expr:
    """Theorem 2's right side with it, the printed squared norm, S = 0.01, m = 10⁶ and δ = 5 %.

    Args:
        width: u.
        inputs: a key of `INPUTS`.

    Returns:
        An expression in σ and κ.
    """
    return loss(width, inputs) + complexity(L_PRINTED, -sp.log(DELTA)).subs(SETTING)


def allowed(width: int) -> sp.Expr:
    """What a million samples allow of the relative entropy between risks, with the construction's own squared norm.

    Args:
        width: u.

    Returns:
        (K + ln(2√m/δ))/m in σ.
    """
    return budget(RELATIVE).subs(
        {N_2: NORM_CEILING[width], p_n: COUNT, m: SETTING[m], omega: SIZES[omega], S: SETTING[S]}
    )
