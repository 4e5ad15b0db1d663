"""The mean loss of a noisy construction between two closed forms, where its loss without noise is positive.

With r = f - y of the construction, e = f̃ - f what noise changes and x ↦ min(|x|, 1), which changes by no more than x,
min(|f̃ - y|, 1) ≥ min(|r|, 1) - |e|. On the good draws of `noisy_loss` the root mean square of e is at most Δ, its
`change`, as long as active rows stay on their plateaus; others have a probability of at most BAD at every input. As
|r| ≤ 1, Minkowski gives

    √E min(L̃, 1) ≥ √E[r², good] - √E[e², good] ≥ √(L - BAD) - Δ,

beside E min(L̃, 1) ≤ (√L + Δ)² + BAD. So the mean loss tends to L where σ tends to zero, and no multiple of σ² bounds
it where L is positive.
"""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.bound.noisy import CELL
from boundaudit.derivations.sharpness.bound.separate_prior_variance import loss
from boundaudit.derivations.sharpness.exactness import one_loss, r
from boundaudit.derivations.sharpness.noisy_loss import (
    AVERAGE_INPUT,
    BAD,
    BETA,
    FLICKER,
    MARGIN,
    K_nl,
    change,
    kappa_nl,
    l_nl,
)
from boundaudit.derivations.sharpness.parameters import D, T, k, omega, u

_LOGIT = 2 * sp.log(T)
_RARELY = {kappa_nl: 8}
"""Draws that are good but for a chance of about 10⁻¹¹."""
_ONE = {C: 1, omega: 1, K_nl: _LOGIT**2, l_nl: _LOGIT, **_RARELY}
"""One component with coefficient one."""


@functools.cache
def loss_of_one() -> sp.Expr:
    """The mean loss over all inputs for a component of D positions with coefficient one, without noise.

    Returns:
        A sum over the ones among its positions and among the others.
    """
    inputs = sp.binomial(D, k) * sp.binomial(T - D, r)
    return sp.Sum(inputs * one_loss().subs(C, 1), (k, 0, D), (r, 0, T - D)) / 2**T


def _parts(plain: sp.Expr, numbers: dict[sp.Symbol, sp.Expr]) -> dict[str, sp.Expr]:
    found = {"bad": BAD, "change": change(AVERAGE_INPUT), "room": MARGIN - BETA - FLICKER}
    return {"loss": plain, **{name: part.subs(numbers) for name, part in found.items()}}


@functools.cache
def parts_of_one() -> dict[str, sp.Expr]:
    """What these bounds on E min(L, 1) under noise are made of, for that component and all inputs.

    Returns:
        Expressions in T ≥ 4, D, u and σ: the ``loss`` L, BAD as ``bad``, Δ as ``change``, and the ``room`` that good
        draws leave on the plateaus: the bounds hold where it is no less than zero.
    """
    return _parts(loss_of_one(), _ONE)


@functools.cache
def parts_of_pairs(width: int) -> dict[str, sp.Expr]:
    """The same for the published example, ten pairs of bits side by side at T = 20.

    Args:
        width: u.

    Returns:
        Expressions in σ alone.
    """
    return _parts(loss(width), {**CELL, u: width, **_RARELY})
