"""The weighted sum at the paper's own numbers, and its worst cases by random search."""

import math
import random

import pytest

from boundaudit.derivations.pac_bayes.symbols import N_2, S, m, rate, sigma
from boundaudit.derivations.sharpness import learner as theorem
from boundaudit.derivations.sharpness.learner import H_c, w_N


def test_weights_at_the_printed_numbers() -> None:
    """G_u = 15524, L = 1303.929…, S = 0.01, m = 10⁶: both terms a third of 0.239067."""
    norm, trace, samples, proxy = 1303.929422577556, 2 * 15524, 10**6, 0.01
    best = (proxy**2 * norm / (4 * samples * 15524**2)) ** (1 / 6)
    found = float(theorem.BEST_RATE.subs({m: samples, N_2: norm, sigma: best, S: proxy}))
    assert best == pytest.approx(2.265676e-3, rel=1e-6)
    assert found == pytest.approx(1.593783e9, rel=1e-6)
    alpha = float(theorem.NORM_WEIGHT.subs({sigma: best, rate: found}))
    beta = float(theorem.TRACE_WEIGHT.subs(sigma, best))
    assert alpha == pytest.approx(6.111463e-5, rel=1e-6)
    assert beta == pytest.approx(2.566644e-6, rel=1e-6)
    assert alpha * norm == pytest.approx(beta * trace, rel=1e-12)
    assert 3 * beta * trace == pytest.approx(0.2390674765, rel=1e-9)
    balanced = float(theorem.BALANCED_CONSTANT.subs({m: samples, N_2: norm, sigma: best, H_c: trace}))
    assert balanced == pytest.approx(proxy, rel=1e-12)


@pytest.mark.parametrize("weight", [0.25, 1.0, 2.0, 5.0])
def test_worst_cases_by_search(weight: float) -> None:
    """Random learners whose sum is that of the construction never pass the worst case and come close to it."""
    rng = random.Random(1)
    best = 0.0
    for _ in range(20_000):
        share = rng.choice([0.0, 1.0, rng.random()])
        norm, trace = share * (weight + 1) / weight, (1 - share) * (weight + 1)
        best = max(best, trace + 2 * math.sqrt(norm))
    limit = float(theorem.WORST_BEST.subs(w_N, weight))
    assert best <= limit + 1e-12
    if weight**2 + weight >= 1:
        assert best == pytest.approx(limit, rel=1e-4)
