"""Solutions of nuclear-norm regression against their optimality conditions and a plain solver."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.fista import Learned, learn, rank_ratio
from boundaudit.numeric.attention_erm.sensing import Data, GaussianFeatures, Problem, QuadraticForms, draw, proportional

PENALTY, NOISE = 0.2, 0.5


@pytest.fixture(scope="module")
def data() -> Data:
    return draw(proportional(12, 0.5, 0.5, NOISE), 0, range(5))


@pytest.fixture(scope="module")
def learned(data: Data) -> Learned:
    return learn(data, PENALTY, NOISE, tolerance=1e-13)


def gradient(data: Data, matrix: Tensor, penalty: float) -> Tensor:
    """Of the whole objective, by S."""
    residual = data.indices - data.features.apply(matrix)
    unit = torch.eye(data.features.d, dtype=torch.float64)
    return data.features.d * penalty * unit - 2 * data.features.adjoint(residual)


def optimal(data: Data, found: Learned, penalty: float) -> bool:
    """S ≥ 0, ∇ ≥ 0 and ⟨∇, S⟩ = 0: sufficient, as the problem is convex."""
    slope, scale = gradient(data, found.matrix, penalty), data.features.d * penalty
    least = torch.linalg.eigvalsh(slope)[:, 0] / scale
    product = (slope @ found.matrix).norm(dim=(1, 2)) / (scale * found.matrix.norm(dim=(1, 2)))
    positive = torch.linalg.eigvalsh(found.matrix)[:, 0] > -1e-12
    return bool(((least > -1e-8) & (product < 1e-8) & positive).all())


def test_optimality_conditions(data: Data, learned: Learned) -> None:
    assert learned.converged.all()
    assert optimal(data, learned, PENALTY)


def test_optimality_with_gaussian_features() -> None:
    problem = Problem(d=8, samples=40, noise=0.2, target_rank=3, features="gaussian")
    data = draw(problem, 0, range(3))
    assert isinstance(data.features, GaussianFeatures)
    found = learn(data, 0.1, 0.2, tolerance=1e-13)
    assert found.converged.all()
    assert optimal(data, found, 0.1)


def test_agrees_with_plain_projected_gradients() -> None:
    data = draw(proportional(8, 0.75, 0.5, NOISE), 1, [0])
    found = learn(data, PENALTY, NOISE, tolerance=1e-13)
    assert isinstance(data.features, QuadraticForms)
    x, y = data.features.tokens[0, :, 0].numpy(), data.indices[0, :, 0, 0].numpy()
    stored = (x[:, :, None] * x[:, None] - np.eye(8)) / math.sqrt(8)
    step = 0.5 / np.linalg.norm(stored.reshape(len(y), -1), 2) ** 2
    s = np.zeros((8, 8))
    for _ in range(20_000):
        slope = 8 * PENALTY * np.eye(8) - 2 * np.tensordot(y - np.tensordot(stored, s, 2), stored, 1)
        values, vectors = np.linalg.eigh(s - step * slope)
        s, before = (vectors * values.clip(0)) @ vectors.T, s
        if np.abs(s - before).max() < 1e-14:
            break
    np.testing.assert_allclose(found.matrix[0].numpy(), s, atol=1e-8)


def test_what_is_reported(data: Data, learned: Learned) -> None:
    d, samples = 12, 72
    residual = (data.indices - data.features.apply(learned.matrix)) ** 2
    torch.testing.assert_close(learned.train, residual.mean((1, 2, 3)))
    error = ((learned.matrix - data.target) ** 2).sum((1, 2)) / d
    torch.testing.assert_close(learned.error, error)
    torch.testing.assert_close(learned.test, NOISE + 2 * error)
    nuclear = torch.linalg.svdvals(learned.matrix).sum(-1)
    torch.testing.assert_close(learned.objective, (samples * learned.train + PENALTY * d * nuclear) / d**2)
    torch.testing.assert_close(learned.eigenvalues, torch.linalg.eigvalsh(learned.matrix), rtol=1e-9, atol=1e-9)
    assert (learned.rank * d).round().tolist() == torch.linalg.matrix_rank(learned.matrix, rtol=1e-6).tolist()


def test_test_error_on_fresh_samples(data: Data, learned: Learned) -> None:
    x = torch.randn((5, 20_000, 1, 12), generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    losses = QuadraticForms(x).apply(learned.matrix - data.target).flatten(1) ** 2
    error = losses.std(-1) / math.sqrt(20_000)
    assert ((losses.mean(-1) + NOISE - learned.test).abs() < 4 * error).all()


def test_the_gap_bounds_the_objective(data: Data, learned: Learned) -> None:
    for tolerance in (1e-1, 1e-2, 1e-4):
        rough = learn(data, PENALTY, NOISE, tolerance=tolerance)
        assert (rough.gap <= tolerance).all()
        assert (rough.objective * (1 - rough.gap) <= learned.objective * (1 + 1e-12)).all()
        assert (rough.objective >= learned.objective * (1 - 1e-12)).all()


def test_a_run_is_the_same_alone(data: Data, learned: Learned) -> None:
    alone = learn(draw(proportional(12, 0.5, 0.5, NOISE), 0, [3]), PENALTY, NOISE, tolerance=1e-13)
    torch.testing.assert_close(alone.matrix[0], learned.matrix[3], rtol=1e-7, atol=1e-8)
    torch.testing.assert_close(alone.objective[0], learned.objective[3], rtol=1e-11, atol=0)


def test_a_large_penalty_leaves_nothing(data: Data) -> None:
    found = learn(data, 100.0, NOISE)
    assert not found.matrix.any()
    assert not found.rank.any()
    assert not found.iterations.any()
    assert found.converged.all()


def test_too_few_steps_are_said(data: Data) -> None:
    found = learn(data, PENALTY, NOISE, tolerance=1e-10, cap=3)
    assert not found.converged.any()
    assert (found.iterations == 3).all()
    assert (found.gap > 1e-10).all()


def test_rank_ratio() -> None:
    values = torch.tensor([[0, 1e-9, 1, 2], [0, 0, 0, 0]], dtype=torch.float64)
    assert rank_ratio(values, 1e-6).tolist() == [0.5, 0]


@pytest.mark.parametrize("changed", [{"penalty": 0.0}, {"penalty": math.nan}, {"tolerance": 0.0}, {"cap": 0}])
def test_bad_numbers(data: Data, changed: dict[str, float]) -> None:
    arguments = {"penalty": 0.1, "noise": 0.5} | changed
    with pytest.raises(InputError, match=next(iter(changed))):
        learn(data, **arguments)  # type: ignore[arg-type]


def test_several_tokens_are_refused() -> None:
    with pytest.raises(InputError, match="tokens"):
        learn(draw(proportional(4, 0.5, 0.5, 0.1, tokens=2), 0, [0]), 0.1, 0.1)
