"""Rank correlations: against SciPy, within groups, and their intervals against chance."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from boundaudit.reports.experiment.shared.ordering import ordering


def _drawn(seed: int, count: int = 30) -> tuple[list[float], list[float], list[int]]:
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=count), 1)  # with ties
    return x.tolist(), np.round(x + rng.normal(size=count), 1).tolist(), [place % 3 for place in range(count)]


def test_values_are_scipys() -> None:
    x, y, groups = _drawn(0)
    found = ordering(x, y, groups, x, (0,))
    assert found.kendall[0] == pytest.approx(kendalltau(x, y).statistic)
    assert found.spearman[0] == pytest.approx(spearmanr(x, y).statistic)
    alone = ordering(x, y, [0] * len(x), x, (0,))
    assert alone.within == alone.kendall
    assert found.ahead == (0, 0, 0)


def test_pairs_of_different_groups_count_for_nothing() -> None:
    x, y, groups = _drawn(1)
    moved = [value + 100 * group for value, group in zip(y, groups, strict=True)]
    first, other = (ordering(x, some, groups, x, (0,)) for some in (y, moved))
    assert first.within == other.within
    assert first.kendall != other.kendall


def test_runs_without_a_value_are_left_out() -> None:
    x, y, groups = _drawn(2)
    some = [None, *x[1:]]
    assert ordering(some, y, groups, x, (0,)) == ordering(x[1:], y[1:], groups[1:], x[1:], (0,))
    assert ordering([None] * 30, y, groups, x, (0,)).kendall == (None, None, None)
    assert ordering([1.0] * 30, y, groups, x, (0,)).spearman == (None, None, None)


def test_a_better_ordering_is_ahead() -> None:
    x, y, groups = _drawn(3, 90)
    low = ordering(y, y, groups, x, (0,)).ahead[1]
    assert low is not None
    assert low > 0
    high = ordering(x, y, groups, y, (0,)).ahead[2]
    assert high is not None
    assert high < 0


@pytest.mark.slow
def test_intervals_miss_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(4)
    missed = 0
    for trial in range(30):
        x, y = rng.normal(size=(2, 45)).tolist()
        _, low, high = ordering(x, y, [place % 5 for place in range(45)], x, (trial,)).within
        assert low is not None
        assert high is not None
        missed += not low <= 0 <= high
    assert missed <= 6  # 1.5 expected at 95 %
