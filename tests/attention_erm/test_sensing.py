"""Indices and their adjoints against loops, their moments, and draws that do not depend on the batch."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.sensing import (
    Features,
    GaussianFeatures,
    Problem,
    QuadraticForms,
    controls,
    draw,
    expected_controls,
    proportional,
)


def normal(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def symmetric(runs: int, d: int) -> Tensor:
    drawn = normal(runs, d, d, seed=7)
    return drawn + drawn.mT


def features(kind: str, tokens: int) -> Features:
    problem = Problem(d=6, samples=5, noise=0.3, target_rank=2, tokens=tokens, features=kind)  # type: ignore[arg-type]
    return draw(problem, 0, range(3)).features


@pytest.mark.parametrize("tokens", [1, 3])
def test_indices_are_quadratic_forms(tokens: int) -> None:
    x, s = normal(2, 4, tokens, 5), symmetric(2, 5)
    found = QuadraticForms(x).apply(s)
    for run in range(2):
        for sample in range(4):
            for a in range(tokens):
                for b in range(tokens):
                    left, right = x[run, sample, a], x[run, sample, b]
                    expected = (left @ s[run] @ right - (a == b) * s[run].trace()) / math.sqrt(5)
                    assert found[run, sample, a, b].item() == pytest.approx(expected.item(), rel=1e-12)


@pytest.mark.parametrize("kind", ["quadratic", "gaussian"])
@pytest.mark.parametrize("tokens", [1, 3])
def test_the_adjoint_is_one(kind: str, tokens: int) -> None:
    some, s, w = features(kind, tokens), symmetric(3, 6), normal(3, 5, tokens, tokens)
    back = some.adjoint(w)
    torch.testing.assert_close((some.apply(s) * w).sum((1, 2, 3)), (s * back).sum((1, 2)), rtol=1e-12, atol=0)
    torch.testing.assert_close(back, back.mT, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("tokens", [1, 3])
def test_the_indices_of_a_factor(tokens: int) -> None:
    some, w = QuadraticForms(normal(2, 4, tokens, 5)), normal(2, 5, 3, seed=1)
    torch.testing.assert_close(some.apply_factor(w), some.apply(w @ w.mT), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", ["quadratic", "gaussian"])
def test_variances_of_indices(kind: str) -> None:
    """(1 + δ_ab) ‖S‖_F²/d, distinct pairs uncorrelated, in both kinds of features."""
    problem = Problem(d=6, samples=20_000, noise=0.0, target_rank=3, tokens=2, features=kind)  # type: ignore[arg-type]
    data = draw(problem, 1, [0])
    norm = (data.target**2).sum().item() / 6
    pairs = data.indices[0][:, [0, 0, 1], [0, 1, 1]]
    covariance = torch.cov(pairs.T) / norm
    torch.testing.assert_close(covariance, torch.diag(torch.tensor([2.0, 1, 2])).double(), rtol=0.08, atol=0.08)
    torch.testing.assert_close(data.indices, data.indices.mT)


@pytest.mark.parametrize("kind", ["quadratic", "gaussian"])
def test_a_run_is_the_same_alone(kind: str) -> None:
    problem = Problem(d=7, samples=9, noise=0.5, target_rank=3, tokens=2, features=kind)  # type: ignore[arg-type]
    batch, alone = draw(problem, 3, [0, 4, 2]), draw(problem, 3, [4])
    assert torch.equal(batch.target[1:2], alone.target)
    torch.testing.assert_close(batch.indices[1:2], alone.indices, rtol=1e-12, atol=1e-14)
    assert not torch.equal(draw(problem, 4, [4]).target, alone.target)


def test_noise_and_labels() -> None:
    problem = Problem(d=4, samples=40_000, noise=0.5, eigenvalues=[0.0] * 4, tokens=2)
    data = draw(problem, 0, [0])
    assert not data.target.any()
    assert data.indices[..., 0, 0].var().item() == pytest.approx(0.5, rel=0.03)
    assert data.indices[..., 0, 1].var().item() == pytest.approx(0.25, rel=0.03)
    torch.testing.assert_close(data.attention(2.0).sum(-1), torch.ones(1, 40_000, 2, dtype=torch.float64))


def test_given_eigenvalues() -> None:
    data = draw(Problem(d=3, samples=2, noise=0.0, eigenvalues=[0.0, 1.0, 4.0]), 0, range(2))
    assert torch.linalg.eigvalsh(data.target)[1].tolist() == [0, 1, 4]


@pytest.mark.parametrize("tokens", [1, 2])
def test_expectations_of_controls(tokens: int) -> None:
    problem = Problem(d=8, samples=10, noise=0.7, target_rank=3, tokens=tokens)
    found = controls(draw(problem, 0, range(3000)))
    error = found.std(0) / math.sqrt(len(found))
    assert ((found.mean(0) - torch.tensor(expected_controls(problem))).abs() < 4 * error).all()


def test_ratios_are_exact() -> None:
    problem = proportional(20, 0.3, 0.25, 0.5, tokens=2)
    assert (problem.samples, problem.target_rank, problem.tokens, problem.alpha) == (120, 5, 2, 0.3)


@pytest.mark.parametrize(("changed", "words"), [
    ({"d": 0}, "d"), ({"samples": 0}, "samples"), ({"tokens": 0}, "tokens"), ({"noise": -0.1}, "noise"),
    ({"noise": math.nan}, "noise"), ({"target_rank": 5}, "rank"), ({"target_rank": None}, "eigenvalues"),
    ({"eigenvalues": [1.0] * 4}, "eigenvalues"), ({"target_rank": None, "eigenvalues": [1.0]}, "4 numbers"),
    ({"target_rank": None, "eigenvalues": [1.0, 1, 1, -1]}, "at least 0"), ({"features": "other"}, "gaussian"),
])  # fmt: skip
def test_bad_problems(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Problem(**{"d": 4, "samples": 3, "noise": 0.0, "target_rank": 2} | changed)


def test_bad_draws() -> None:
    with pytest.raises(InputError, match="alpha"):
        proportional(7, 0.5, 1, 0.1)
    with pytest.raises(InputError, match="target rank ratio"):
        proportional(10, 0.5, 0.25, 0.1)
    with pytest.raises(InputError, match="runs"):
        draw(proportional(4, 0.5, 0.5, 0.1), 0, [])
    with pytest.raises(InputError, match="Gaussian"):
        expected_controls(Problem(d=2, samples=2, noise=0.0, eigenvalues=[1.0, 1.0]))


def test_selection() -> None:
    for kind in (QuadraticForms, GaussianFeatures):
        some = features("quadratic" if kind is QuadraticForms else "gaussian", 2)
        kept, s = torch.tensor([True, False, True]), symmetric(3, 6)
        torch.testing.assert_close(some.select(kept).apply(s[kept]), some.apply(s)[kept])
