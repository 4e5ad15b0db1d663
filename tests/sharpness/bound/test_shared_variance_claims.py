"""Claims on Theorem 2: counterexamples checked by hand, and the chain's own numbers."""

from __future__ import annotations

import math

import pytest
import sympy as sp

from boundaudit.checks.evidence.evidence import holds_at
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.bound import chain, shared_variance
from boundaudit.checks.sharpness.bound.numbers import samples
from boundaudit.derivations.pac_bayes.symbols import S, delta, m, sigma
from boundaudit.derivations.sharpness.bound import shared_variance as bound
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, omega


def holds(claim: Claim, point: Point) -> bool | None:
    """Whether a claim holds at a point of its domain, in balls."""
    assert claim.domain.contains(point) is True
    assert claim.statement_form is not None
    return holds_at(claim.statement_form, point)


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


def test_the_two_meanings_of_the_perturbation_term_differ_by_two() -> None:
    point = {"G_s": 3, "P_s": 4, "sigma": 1}
    assert holds(shared_variance.half_printed.members[1], point) is False
    assert holds(shared_variance.half_change, point) is True


def test_the_bound_is_above_one_at_the_experiments_samples() -> None:
    assert holds(samples.non_vacuous.members[1], {"m": 8192}) is False


def test_the_true_norm_takes_the_bound_above_the_risk_of_a_constant() -> None:
    steep, wide = samples.non_vacuous.members[2:]
    assert holds(steep, {"m": 10**6}) is False
    assert holds(wide, {"m": 10**6}) is True
    assert holds(samples.true_value, {"m": 10**6}) is True


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
