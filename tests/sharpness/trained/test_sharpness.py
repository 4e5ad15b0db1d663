"""Trace and noisy loss of small networks against their whole Hessian; the construction against its own record."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from boundaudit.numeric.enumeration import numbered_bits
from boundaudit.numeric.sharpness.trained import (
    Architecture,
    Tasks,
    loss_trace,
    measure_construction,
    noisy_losses,
    squared_norm,
)

SIZE = Architecture(4, extra=2, hidden=5)
TASKS = Tasks.draw(4, [(1, 2), (2, 2)], 1, 12, seed=0)
WEIGHTS = SIZE.start(np.arange(2), seed=0)
SHAPES = [(name, tensor.shape[1:], tensor[0].numel()) for name, tensor in WEIGHTS.items()]


def _flat(number: int) -> Tensor:
    return torch.cat([WEIGHTS[name][number].flatten() for name, _, _ in SHAPES]).double()


def _outputs(number: int, flat: Tensor) -> Tensor:
    parts = torch.split(flat, [size for _, _, size in SHAPES])
    weights = {name: part.view(1, *shape) for (name, shape, _), part in zip(SHAPES, parts, strict=True)}
    return SIZE.outputs(weights, numbered_bits(TASKS.inputs[number], 4))[0]


def _loss(number: int, flat: Tensor) -> Tensor:
    return (_outputs(number, flat) - TASKS.wanted()[number]).square().mean()


@pytest.mark.slow
def test_the_trace_is_that_of_the_whole_hessian() -> None:
    found = loss_trace(SIZE, WEIGHTS, TASKS.inputs, TASKS.wanted(), probes=100, seed=0)
    for number in range(2):
        hessian = torch.func.hessian(lambda flat, number=number: _loss(number, flat))(_flat(number))
        draws = found.total[:, number]
        error = draws.std() / math.sqrt(len(draws))
        assert abs(draws.mean() - hessian.trace()) < 5 * error
        assert error < 0.2 * hessian.trace().abs()
        flat = _flat(number)
        squares = torch.func.jacrev(lambda flat, number=number: _outputs(number, flat))(flat).square().sum(1)
        torch.testing.assert_close(found.gauss_newton[number], 2 * squares.mean(), rtol=1e-4, atol=0)


@pytest.mark.slow
def test_a_little_noise_adds_half_its_variance_times_the_trace() -> None:
    sigma, kwargs = 0.05, {"draws": 3000, "inputs_per_draw": 4, "seed": 1}
    noisy = noisy_losses(SIZE, WEIGHTS, TASKS.inputs, TASKS.wanted(), sigma, **kwargs)
    plain = noisy_losses(SIZE, WEIGHTS, TASKS.inputs, TASKS.wanted(), 0.0, **kwargs)
    traces = loss_trace(SIZE, WEIGHTS, TASKS.inputs, TASKS.wanted(), probes=100, seed=0).total.mean(0)
    rise = noisy - plain  # on the same inputs
    expected, error = sigma**2 / 2 * traces, rise.std(1) / math.sqrt(rise.shape[1])
    assert bool(((rise.mean(1) - expected).abs() < 3 * error + 0.1 * expected).all())
    assert bool((plain.mean(1) > 0).all())


def test_norms_count_every_weight() -> None:
    expected = torch.stack([_flat(number).square().sum() for number in range(2)])
    torch.testing.assert_close(squared_norm(WEIGHTS), expected)
    assert len(_flat(0)) == SIZE.count


def test_the_construction_is_measured_as_the_suite_measures_it() -> None:
    from boundaudit.numeric.sharpness import measure

    task = Tasks.draw(6, [(2, 3)], 1, 8, seed=2)
    target = task.target(0)
    assert torch.equal(
        torch.tensor([[t + 1 in part for t in range(6)] for part in target.components]), task.members[0]
    )  # fmt: skip
    found = measure_construction(target, 1e-3, draws=2000, seed=0)
    record = measure(target)
    assert found.squared_norm == pytest.approx(record["norms_squared"]["total"], rel=1e-12)
    assert found.noisy.low < found.noisy.middle < found.noisy.high
    quiet = measure_construction(target, 0.0, draws=2000, seed=0).noisy.middle
    assert found.noisy.middle - quiet == pytest.approx(0.5e-6 * found.trace, rel=0.3)
