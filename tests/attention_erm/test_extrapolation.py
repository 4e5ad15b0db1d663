"""Intervals of extrapolated limits: their coverage on synthetic data, exact fits, verdicts."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from boundaudit import InputError
from boundaudit.numeric.attention_erm.extrapolation import adjusted_mean, extrapolate

DRAWS = 1000
DIMS = (20, 28, 40, 60)


def coverage(dims: Sequence[int], runs: Sequence[int], curved: float, exact: bool) -> float:
    """How often an interval of runs of standard deviation 3/d holds the limit 1 of 1 + 3/d + c/d²."""
    rng, d = np.random.default_rng(0), np.asarray(dims, float)
    means, deviations = 1 + 3 / d + curved / d**2, 3 / d
    hits = 0
    for _ in range(DRAWS):
        drawn = [rng.normal(m, s, n) for m, s, n in zip(means, deviations, runs, strict=True)]
        errors = (
            deviations / np.sqrt(runs) if exact else [values.std(ddof=1) / math.sqrt(len(values)) for values in drawn]
        )
        found = extrapolate(dims, [v.mean() for v in drawn], errors, 1.0, runs=None if exact else runs)
        hits += found.low <= 1 <= found.high
    return hits / DRAWS


@pytest.mark.slow
@pytest.mark.parametrize(("dims", "runs", "curved", "exact"), [
    (DIMS, (200, 60, 30, 12), 12.0, True), (DIMS, (6, 6, 6, 6), 12.0, False),
    ((20, 30, 40, 60, 80), (60, 40, 20, 12, 8), 12.0, False), ((20, 40, 60), (12, 12, 12), 0.0, False),
])  # fmt: skip
def test_coverage(dims: Sequence[int], runs: Sequence[int], curved: float, exact: bool) -> None:
    assert 0.93 <= coverage(dims, runs, curved, exact) <= 0.97


def test_an_exact_curve() -> None:
    means = [2 + 3 / d - 5 / d**2 for d in DIMS]
    found = extrapolate(DIMS, means, [0.01 / d for d in DIMS], 2.0)
    assert (found.powers, found.verdict) == (2, "supported")
    assert found.intercept == pytest.approx(2, rel=1e-12)
    assert found.coefficients == pytest.approx((3, -5), rel=1e-9)
    assert found.misfit == pytest.approx(1)
    assert found.half_width == pytest.approx((found.high - found.low) / 4)
    line = extrapolate((10, 20, 40), [2 + 3 / d for d in (10, 20, 40)], [0.01] * 3, 2.0)
    assert (line.powers, line.coefficients) == (1, pytest.approx((3,), rel=1e-9))


def test_the_intercept_agrees_with_least_squares() -> None:
    means, errors = [1.2, 1.1, 1.06, 1.05], [0.01, 0.02, 0.01, 0.03]
    found = extrapolate(DIMS, means, errors, 1.0)
    columns = np.asarray([[1, 1 / d, 1 / d**2] for d in DIMS]) / np.asarray(errors)[:, None]
    covariance = np.linalg.inv(columns.T @ columns)
    solution = covariance @ columns.T @ (np.asarray(means) / np.asarray(errors))
    assert found.intercept == pytest.approx(solution[0], rel=1e-9)
    assert found.standard_error == pytest.approx(math.sqrt(covariance[0, 0]), rel=1e-9)
    rest = columns @ solution - np.asarray(means) / np.asarray(errors)
    assert found.misfit == pytest.approx(math.erfc(math.sqrt(rest @ rest / 2)), rel=1e-6)


def test_verdicts() -> None:
    means = [1 + 3 / d for d in DIMS]

    def verdict(predicted: float, error: float, comparisons: int = 1) -> str:
        errors = [error / d for d in DIMS]
        return extrapolate(DIMS, means, errors, predicted, comparisons=comparisons).verdict

    assert verdict(1.0, 0.1) == "supported"
    assert verdict(1.0, 1.0) == "undecided"
    assert verdict(1.05, 0.1) == "refuted"
    reach = extrapolate(DIMS, means, [0.1 / d for d in DIMS], 1.0).high - 1
    assert (verdict(1 + 1.2 * reach, 0.1), verdict(1 + 1.2 * reach, 0.1, 100)) == ("refuted", "undecided")


def test_a_fit_that_is_not_right_decides_nothing() -> None:
    dims = (10, 14, 20, 40, 80)
    means = [1 + 3 / d + 0.01 * (d == 20) for d in dims]
    for predicted in (1.0, 2.0):
        found = extrapolate(dims, means, [0.001] * 5, predicted)
        assert found.misfit < 0.01
        assert found.verdict == "undecided"


@pytest.mark.slow
def test_adjusted_means() -> None:
    rng, hits, shorter = np.random.default_rng(1), 0, 0
    for _ in range(DRAWS):
        controls = rng.normal((2, 5, 7), (1, 3, 0), (20, 3))
        values = 4 + controls[:, 0] + rng.normal(0, 0.5, 20)
        found = adjusted_mean(values, controls, np.asarray((2.0, 5.0, 7.0)))
        assert found.freedom == 17
        hits += abs(found.mean - 6) <= 2.1098 * found.standard_error  # Student's 97.5 % for 17
        shorter += found.standard_error < values.std(ddof=1) / math.sqrt(20)
    assert 0.93 <= hits / DRAWS <= 0.97
    assert shorter > 0.95 * DRAWS


@pytest.mark.parametrize(("changed", "words"), [
    ({"dims": (20, 30)}, "dims"), ({"dims": (20, 20, 40, 60)}, "no two the same"), ({"means": (1.0, 1.0)}, "means"),
    ({"means": (1.0, 1.0, math.nan, 1.0)}, "finite"), ({"standard_errors": (0.1, 0.1, 0.1, 0.0)}, "standard errors"),
    ({"runs": (5, 5, 5, 1)}, "runs"), ({"predicted": 0.0}, "predicted"), ({"level": 1.0}, "level"),
    ({"comparisons": 0}, "comparisons"),
])  # fmt: skip
def test_bad_input(changed: dict[str, Any], words: str) -> None:
    arguments: dict[str, Any] = {"dims": DIMS, "means": (1.0,) * 4, "standard_errors": (0.1,) * 4, "predicted": 1.0}
    with pytest.raises(InputError, match=words):
        extrapolate(**arguments | changed)
    with pytest.raises(InputError, match="runs"):
        adjusted_mean([1.0, 2.0], np.asarray([[1.0], [2.0]]), np.asarray([1.0]))
