"""Hutchinson's estimate: its interval holds the trace as often as it says."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from boundaudit.numeric.curvature import hessian_trace
from boundaudit.numeric.curvature.estimate import estimate, interval
from boundaudit.numeric.curvature.problem import Problem

from .cases import Attention, case, classes, mlp, whole


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(7)


def test_coverage() -> None:
    module, *data = classes(mlp(nn.Tanh(), widths=(3, 8, 3)))
    exact = hessian_trace(module, *data).value
    _, values = estimate(Problem.checked(module, *data, memory=2**30), 8000, seed=0)
    ends = [interval(few, 0.9) for few in values.split(20)]
    assert 340 <= sum(low <= exact <= high for low, high in ends) <= 380, "360 expected, standard deviation 6"


@pytest.mark.slow
def test_estimate_is_near_and_says_so() -> None:
    problem = case(Attention(4), F.cross_entropy, torch.randn(3, 3, 4), torch.randint(2, (3,)))
    exact = hessian_trace(*problem, method="exact").value
    found = hessian_trace(*problem, method="estimate", probes=2000)
    assert found.method == "estimate"
    assert found.probes == 2000
    assert found.interval is not None
    low, high = found.interval
    assert low < found.value < high
    # the variance of vᵀHv over signs is twice the sum of the squares off the diagonal
    off = (hessian := whole(*problem)) - hessian.diagonal().diag()
    error = float((2 * off.square().sum() / 2000) ** 0.5)
    assert abs(found.value - exact) < 3 * error
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.1)
    assert sum(found.by_parameter.values()) == pytest.approx(found.value, rel=1e-12)


def test_the_interval_is_students() -> None:
    problem = classes(mlp(nn.Tanh()))
    values = [hessian_trace(*problem, method="estimate", probes=2, seed=seed).interval for seed in range(3)]
    for seed, ends in enumerate(values):
        value = hessian_trace(*problem, method="estimate", probes=2, seed=seed).value
        assert ends is not None
        wide = hessian_trace(*problem, method="estimate", probes=2, seed=seed, confidence=0.99).interval
        assert wide is not None
        assert (ends[0] + ends[1]) / 2 == pytest.approx(value, abs=1e-12)
        # Student's quantiles with one degree of freedom: tan(π(q - 1/2)) at q = 0.975 and 0.995
        assert (wide[1] - wide[0]) / (ends[1] - ends[0]) == pytest.approx(63.65674116 / 12.70620474, rel=1e-8)


def test_seed_decides_and_memory_does_not() -> None:
    problem = classes(mlp(nn.Tanh()), count=40)
    same = [hessian_trace(*problem, method="estimate", memory=memory).value for memory in (2**30, 2**17)]
    assert same[0] == pytest.approx(same[1], rel=1e-12)
    assert hessian_trace(*problem, method="estimate", seed=1).value != same[0]


def test_a_diagonal_hessian_needs_no_luck() -> None:
    module, _, inputs, targets = classes(nn.Linear(3, 3))
    found = hessian_trace(
        module, lambda output, _: 0 * output.sum() + module.weight.pow(4).sum() / 12, inputs, targets, method="estimate"
    )
    expected = float(module.weight.detach().square().sum())
    assert found.value == pytest.approx(expected, rel=1e-12)
    assert found.interval == pytest.approx((expected, expected), rel=1e-12)


def test_many_parameters_are_estimated() -> None:
    module = nn.Sequential(nn.Linear(3, 500), nn.LayerNorm(500), nn.Linear(500, 3))
    assert hessian_trace(*classes(module), probes=3).method == "estimate"
