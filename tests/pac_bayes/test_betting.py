"""The betting limit: against a plain loop, exact coverage over all sequences, and its form as an interval."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from boundaudit.numeric.pac_bayes.betting import betting_limit, largest_capital
from boundaudit.numeric.pac_bayes.confidence import maurer_pontil


def capital_by_loop(draws: Sequence[float], mean: float, delta: float) -> float:
    """The logarithm of max_t K_t, one draw after the other."""
    n, capital, best = len(draws), 1.0, 0.0
    total, squares, variance = 0.5, 0.25, 0.25
    for i, x in enumerate(draws, start=1):
        bet = min(math.sqrt(2 * math.log(1 / delta) / (n * variance)), 1 / (1 - mean) if mean < 1 else math.inf)
        capital *= max(0.0, 1 + bet * (mean - x))
        best = max(best, capital) if i > 1 else capital
        total += x
        squares += (x - total / (i + 1)) ** 2
        variance = squares / (i + 1)
    return math.log(best) if best > 0 else -math.inf


@pytest.mark.parametrize("mean", [0.05, 0.4, 0.93])
def test_capital_is_that_of_a_plain_loop(mean: float) -> None:
    draws = np.random.default_rng(1).random((5, 30)) ** 2
    found = largest_capital(torch.from_numpy(draws), mean, 0.05)
    assert found.tolist() == pytest.approx([capital_by_loop(row.tolist(), mean, 0.05) for row in draws], rel=1e-10)


@pytest.mark.parametrize(("n", "delta"), [(6, 0.2), (10, 0.1), (12, 0.05)])
@pytest.mark.slow
def test_coverage_is_exact_over_all_sequences(n: int, delta: float) -> None:
    sequences = torch.tensor(list(itertools.product([0.0, 1.0], repeat=n)), dtype=torch.float64)
    limits, ones = betting_limit(sequences, delta), sequences.sum(-1)
    failures = []
    for mean in np.linspace(0.01, 0.99, 99).tolist():
        probability = mean**ones * (1 - mean) ** (n - ones)
        failures.append(float(probability[limits < mean].sum()))
    assert max(failures) <= delta
    assert max(failures) > delta / 2


def test_limit_is_where_the_capital_reaches_its_level() -> None:
    draws = torch.from_numpy(np.random.default_rng(2).random((4, 200)) ** 3)
    limit = betting_limit(draws, 0.01)
    assert bool((largest_capital(draws, limit + 1e-9, 0.01) >= math.log(100)).all())
    assert bool((largest_capital(draws, limit - 1e-9, 0.01) < math.log(100)).all())
    assert betting_limit(5 * draws, 0.01, largest=5.0).tolist() == pytest.approx((5 * limit).tolist(), rel=1e-12)


def test_capital_rises_with_the_mean() -> None:
    draws = torch.from_numpy((np.random.default_rng(3).random((20, 1, 50)) < 0.3).astype(float))
    capital = largest_capital(draws, torch.linspace(0, 1, 400, dtype=torch.float64), 0.05)
    assert bool((capital[:, 1:] >= capital[:, :-1] - 1e-12).all())


@pytest.mark.slow
def test_tighter_than_the_empirical_bernstein_limit() -> None:
    draws = torch.from_numpy((np.random.default_rng(4).random((50, 1000)) < 0.02).astype(float))
    assert float(betting_limit(draws, 0.05).mean()) < 0.9 * float(maurer_pontil(draws, 0.05).mean())


@pytest.mark.parametrize(("delta", "limit"), [(0.5, 0.5), (0.3, (1 / 0.3 - 1) / math.sqrt(8 * math.log(1 / 0.3)))])
def test_a_single_draw_says_what_one_bet_can(delta: float, limit: float) -> None:
    # The largest bet, 1/(1-μ), makes 1/(1-μ) of a draw of 0; a smaller one, b, makes 1 + bμ.
    assert float(betting_limit(torch.zeros(1, dtype=torch.float64), delta)) == pytest.approx(limit, rel=1e-12)
