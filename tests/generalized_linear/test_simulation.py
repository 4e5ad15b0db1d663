"""Finite sizes: the solver against another one, and the same draws for the same seed."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from boundaudit.numeric.generalized_linear import Deadline, Model, gaussian, simulate, simulation, sparse


def thresholded(inputs: Tensor, y: Tensor, penalty: float) -> Tensor:
    """LASSO of each run by plain thresholded gradient steps (ISTA)."""
    step = 0.5 / torch.linalg.matrix_norm(inputs, 2)[:, None, None] ** 2
    w = torch.zeros_like(inputs[:, :1].mT)
    for _ in range(30_000):
        w = w + 2 * step * inputs.mT @ (y[..., None] - inputs @ w)
        w = w.sign() * (w.abs() - step * penalty).clamp_min(0)
    return w[..., 0]


@pytest.mark.slow
def test_the_solver_is_that_of_thresholded_gradients() -> None:
    generator = torch.Generator().manual_seed(1)
    inputs = torch.randn(3, 40, 30, generator=generator, dtype=torch.float64) / 30**0.5
    y = torch.randn(3, 40, generator=generator, dtype=torch.float64)
    model = Model(teacher=sparse(0.1), noise=0.05, penalty="lasso", strength=0.3)
    found = simulation._fitted(model, inputs, y, (1.0, 1.0), Deadline())
    assert torch.allclose(found, thresholded(inputs, y, 0.3), atol=1e-4)


def test_scales_change_nothing_and_seeds_do() -> None:
    model = Model(teacher=gaussian(), noise=0.5, channel="sign", loss="logistic", penalty="ridge", strength=0.1)
    one, other = (simulate(model, 1.0, 20, 12, 0, scales, Deadline()) for scales in ((1.0, 1.0), (4.0, 0.5)))
    assert torch.allclose(one.error, other.error, atol=1e-3)
    assert not torch.allclose(one.error, simulate(model, 1.0, 20, 12, 1, (1.0, 1.0), Deadline()).error, atol=1e-2)
