"""Formulas of paper 1 as numbers, for those who ask for a bound and not for a proof."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import m, sigma
from boundaudit.derivations.sharpness import covering_baseline
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.taylor import p_restored


def perturbation_terms(length: int, degree: int, sparsity: int) -> list[tuple[int, float]]:
    """Theorem 17's P for a class, with σ restored in G_p and d = T + 2.

    Args:
        length: T.
        degree: D.
        sparsity: ω.

    Returns:
        Powers of σ with their coefficients.
    """
    size = {T: length, D: degree, omega: sparsity, d: length + 2}
    terms = sp.Poly(sp.expand(p_restored().subs(size).evalf(30)), sigma).terms()
    return [(power, float(value)) for (power,), value in terms]


def covering_shape(samples: float) -> float:
    """C √(ln(d m T)/m) through the one printed value of the covering baseline, at T = 20 and d = 22.

    Args:
        samples: m.

    Returns:
        The number: a shape, no bound.
    """
    return float(covering_baseline.WITH_LOG.subs(m, samples).evalf())
