"""Theorem 2: the norm's root gives less than the printed bound, and the chain's own numbers."""

from __future__ import annotations

import math

import pytest
import sympy as sp

from boundaudit.checks.sharpness.bound import chain
from boundaudit.derivations.pac_bayes.symbols import S, delta, m, sigma
from boundaudit.derivations.sharpness.bound import shared_variance as bound
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, omega


@pytest.mark.slow
def test_the_root_of_the_norm_gives_less_than_the_printed_bound() -> None:
    formula = bound.value(G_U, sp.sqrt(bound.L_PRINTED), bound.LOG) / bound.printed()
    at = {
        T: 20,
        D: 2,
        omega: 2,
        S: sp.Rational(1, 100),
        m: 10**6,
        delta: sp.Rational(1, 5),
        sigma: sp.Rational(1, 1000),
    }
    assert float(formula.subs(at)) < 1 / 3


def test_the_chain_ends_in_the_printed_bound() -> None:
    found = chain.chain.measure(points=2, seed=0, device="cpu")
    wide, steep = found.samples
    assert wide.values[6] == pytest.approx(0.2390674784, abs=1e-10)
    assert steep.values[6] == wide.values[6]
    norm_part = 0.01 * math.sqrt(2 * (1492.69434834 / (2 * 2.265676e-3**2) + math.log(20)) / 10**6)
    assert steep.values[1] - steep.values[0] == pytest.approx(norm_part, rel=1e-6)
    assert found.holds[2], "the second-order term is the mean loss under noise within the draws' error"
    assert not found.holds[4], "the printed L is not above the steep construction's norm"
    assert not found.holds[5], "the loss at the construction is not zero"
