"""What the claims measure: perturbed networks and a head's derivative, against plainer computation."""

import torch
from torch import Tensor

from boundaudit.numeric.schatten import composition as nets


def _moved(first: nets.Weights, second: nets.Weights, tokens: Tensor, often: float = 0.0) -> Tensor:
    """How far the farthest token of each network moves."""
    copies = torch.full(tokens.shape[:2], often, dtype=torch.float64)
    return (nets.outputs(second, tokens, copies) - nets.outputs(first, tokens, copies)).norm(dim=-1).amax(-1)


def test_copies_of_a_token_are_so_many_tokens() -> None:
    size = torch.ones(1, dtype=torch.float64)
    weights = nets.random_weights(torch.arange(1), 2, 2, 3, size, size)
    tokens = nets.project(torch.randn(1, 3, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64))
    times = torch.tensor([1, 4, 2])
    written_out = nets.outputs(weights, tokens.repeat_interleave(times, 1), torch.zeros(1, 7))
    counted = nets.outputs(weights, tokens, times.double().log()[None])
    assert torch.allclose(written_out, counted.repeat_interleave(times, 1), rtol=1e-12)


def test_perturbations_have_their_size_and_stay_below_the_bound() -> None:
    seeds, size = torch.arange(8), torch.full((8,), 1.5, dtype=torch.float64)
    weights = nets.random_weights(seeds, 2, 2, 3, size, size / 2)
    assert torch.allclose(nets.operator(weights["Q"]), size[:, None, None])
    assert torch.allclose(nets.operator(weights["M_out"]), size[:, None] / 2)
    tokens = nets.project(torch.randn(8, 4, 3, generator=torch.Generator().manual_seed(0), dtype=torch.float64))
    step = torch.full((8,), 1e-3, dtype=torch.float64)
    after, tokens = nets.moved(weights, tokens, torch.full((8, 4), 10.0).double(), step, 6)
    moved = _moved(weights, after, tokens, 10.0)
    assert all(torch.allclose(nets.operator(after[k] - weights[k]), torch.tensor(1e-3).double()) for k in weights)
    cap = {name: nets.operator(matrix) for name, matrix in weights.items()}
    sharp, published = (nets.later(cap, constant) for constant in (nets.sharp, nets.published))
    mlp = cap["M_in"] * cap["M_out"]
    added = step[:, None] * (mlp * (cap["V"] + 1).sum(-1) + cap["M_out"] + 1)
    assert (moved <= (sharp[:, 1:] * added).sum(-1)).all()
    assert (sharp[:, :-1] < published[:, :-1]).all()
    assert (sharp[:, -1] == 1).all()


def test_ascent_finds_more_than_chance() -> None:
    seeds, size = torch.arange(16), torch.ones(16, dtype=torch.float64)
    weights = nets.random_weights(seeds, 1, 1, 2, size, size)
    tokens = nets.project(torch.randn(16, 3, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64))
    step = torch.full((16,), 1e-3, dtype=torch.float64)
    often = torch.zeros(16, 3, dtype=torch.float64)
    first, last = (_moved(weights, *nets.moved(weights, tokens, often, step, rounds)) for rounds in (0, 6))
    assert float(last.mean()) > 1.2 * float(first.mean())
