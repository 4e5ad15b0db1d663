"""Appendix D at its weakest: T single bits as components, of equal coefficients, in the ideal network.

A rescaling of the MLP by α > 1 lowers the norm, as ‖F‖² exceeds ‖M‖² + ‖Γ‖². It lowers the sharpness E|∇f|² only where
the mean squared gradient of M and Γ exceeds that of F. For bits the latter grows like T² log²T: F writes keys of the
second attention (see `gradients`). Derived here from the construction (Lintilhac & Shaikh 2026, Appendix B).
"""

from __future__ import annotations

import functools

import sympy as sp
from sympy.functions.combinatorial.numbers import stirling

from boundaudit.derivations.sharpness.disjoint_supports import IDEAL, n_e, n_r
from boundaudit.derivations.sharpness.gradients import blocks, output_weights
from boundaudit.derivations.sharpness.parameters import D, T, c, omega


@functools.cache
def mean_square(block: str) -> sp.Expr:
    """The mean squared gradient of a block over all inputs.

    Args:
        block: M, Gamma, F, or "column" for the last column of F alone.

    Returns:
        An expression in T and u.
    """
    found = output_weights(IDEAL)["values"] if block == "column" else blocks(IDEAL)[block]
    at_input = found.subs({D: 1, omega: T, n_r: 0}).doit()
    equal = at_input.replace(
        lambda part: isinstance(part, sp.Indexed) and part.base == c, lambda _: 1 / sp.sqrt(T)
    ).doit()
    powers = sp.Poly(sp.expand(equal), n_e)
    return sp.factor(sp.Add(*(weight * _moment(power) for (power,), weight in powers.terms())))


def _moment(power: int) -> sp.Expr:
    """The mean power of the number of zeros among T fair bits, from factorial moments T(T-1)…(T-j+1)/2^j."""
    return sp.Add(*(stirling(power, j) * sp.ff(T, j) / 2**j for j in range(power + 1)))
