"""What the claims measure: perturbed networks and a head's derivative, against plainer computation."""

import math

import pytest
import torch

from boundaudit.numeric.schatten import composition as nets


def test_derivative_of_a_head_is_the_sharp_constant_at_two_opposite_tokens() -> None:
    angles = torch.tensor([[0.0, math.pi]], dtype=torch.float64)
    query, turn, norm = (torch.tensor([value], dtype=torch.float64) for value in (math.pi / 2, 0.0, 2.0))
    assert float(nets.attention_slope(angles, query, turn, norm)) == pytest.approx(2 + math.sqrt(5))


def test_derivative_of_a_head_against_finite_differences() -> None:
    """No perturbation of tokens and query moves the output faster than the derivative says."""
    generator = torch.Generator().manual_seed(1)
    angles = 6 * torch.rand(1, 3, generator=generator, dtype=torch.float64)
    query, turn, norm = (torch.tensor([value], dtype=torch.float64) for value in (0.3, 1.1, 3.0))
    limit = float(nets.attention_slope(angles, query, turn, norm))

    def unit(angle: torch.Tensor) -> torch.Tensor:
        return torch.stack([angle.cos(), angle.sin()], dim=-1)

    rotation = 3 * torch.stack([unit(turn[0]), unit(turn[0] + math.pi / 2)], dim=1)

    def head(tokens: torch.Tensor, asked: torch.Tensor) -> torch.Tensor:
        weights = torch.softmax((tokens @ (rotation @ asked[..., None]))[..., 0], dim=-1)
        return (weights[..., None] * tokens).sum(-2)

    moves = unit(6.3 * torch.rand(20_000, 4, generator=generator, dtype=torch.float64))
    tokens, asked = unit(angles[0]), unit(query[0])
    moved = head(tokens + 1e-6 * moves[:, :3], asked + 1e-6 * moves[:, 3]) - head(tokens[None], asked[None])
    fastest = float(moved.norm(dim=-1).max()) / 1e-6
    assert 0.9 * limit < fastest < limit * (1 + 1e-3)


def test_perturbations_have_their_size_and_stay_below_the_bound() -> None:
    seeds, size = torch.arange(8), torch.full((8,), 1.5, dtype=torch.float64)
    weights = nets.random_weights(seeds, 2, 2, 3, size, size / 2)
    assert torch.allclose(nets.operator(weights["Q"]), size[:, None, None])
    assert torch.allclose(nets.operator(weights["M_out"]), size[:, None] / 2)
    tokens = nets.project(torch.randn(8, 4, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64))
    step = torch.full((8,), 1e-3, dtype=torch.float64)
    after, moved = nets.moved(weights, tokens, step, 6)
    assert all(torch.allclose(nets.operator(after[k] - weights[k]), torch.tensor(1e-3).double()) for k in weights)
    sharp, published = (nets.layerwise_bound(weights, after, published=given) for given in (False, True))
    assert (moved <= sharp).all()
    assert (sharp < published).all()


def test_ascent_finds_more_than_chance() -> None:
    seeds, size = torch.arange(16), torch.ones(16, dtype=torch.float64)
    weights = nets.random_weights(seeds, 1, 1, 2, size, size)
    tokens = nets.project(torch.randn(16, 3, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64))
    step = torch.full((16,), 1e-3, dtype=torch.float64)
    first, last = (nets.moved(weights, tokens, step, rounds)[1] for rounds in (0, 6))
    assert float(last.mean()) > 1.2 * float(first.mean())
