"""The small network with a linear read-out, scores of rows against all sets, and turns of a function."""

import math

import numpy as np
import pytest
import torch

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.trained import (
    Readout,
    Tasks,
    component_scores,
    learned_function,
    mean_attention,
    turns,
)

SIZE = Readout(5, hidden=6)
WEIGHTS = {name: tensor.double() for name, tensor in SIZE.start(np.arange(3), seed=0).items()}


def test_a_network_token_by_token() -> None:
    bits = bit_strings(5, 0, 32)
    found = SIZE.outputs(WEIGHTS, bits)
    for number in range(3):
        w = {name: tensor[number] for name, tensor in WEIGHTS.items()}
        for row, output in zip(bits, found[number], strict=True):
            x = torch.cat([torch.eye(6), torch.tensor([[*row.tolist(), 0]]).T], dim=1).double()
            logits = math.log(5) / math.sqrt(7) * (x @ w["query"]) @ (x @ w["key"]).T
            s = torch.softmax(logits, dim=1) @ x @ w["value"]
            g = torch.relu(s[:, None] * w["up"] + w["up_bias"]) @ w["down"]
            torch.testing.assert_close(output, g @ w["read"] + w["read_bias"][0])


def test_the_papers_size_has_just_over_a_thousand_weights() -> None:
    paper = Readout(20)
    assert 1000 < paper.count < 1150
    assert paper.count == sum(tensor.numel() for tensor in paper.start(np.arange(1), seed=0).values())


def test_scores_against_all_sets() -> None:
    tasks = Tasks.draw(8, [(3, 2)], 2, 4, seed=1)
    attention = torch.full((2, 9, 8), 1 / 9)
    attention[0, 4] = 0.9 * tasks.members[0, 0] / 3 + 0.01  # one row of one network shows one component
    (shown, hidden), blind = component_scores(attention, tasks)
    assert shown.share == 1 / math.comb(8, 3)
    assert shown.score > 0.99
    assert hidden.share > shown.share
    assert [each.share for each in blind] == [1.0, 1.0]
    assert blind[0].score == pytest.approx(math.sqrt(3 / 8), rel=1e-6)


def test_attention_and_the_learned_function() -> None:
    attention = mean_attention(SIZE, WEIGHTS, seed=0)
    expected = SIZE.attention(WEIGHTS, bit_strings(5, 0, 32)).mean(1)
    torch.testing.assert_close(attention, expected[..., :-1])
    grid, values = learned_function(SIZE, WEIGHTS, seed=0)
    averages = SIZE.averages(WEIGHTS, bit_strings(5, 0, 32)).flatten(1)
    torch.testing.assert_close(grid[:, 0], averages.amin(1))
    torch.testing.assert_close(grid[:, -1], averages.amax(1))
    torch.testing.assert_close(values, SIZE.function(WEIGHTS, grid))


@pytest.mark.parametrize(("waves", "expected"), [(0.5, 0), (1, 1), (2, 3), (3.5, 6)])
def test_turns_of_a_wave(waves: float, expected: int) -> None:
    x = torch.linspace(0, 1, 1001)
    wave = torch.cos(2 * math.pi * waves * x)
    assert turns(wave) == expected
    assert turns(-wave) == expected
    assert turns(wave + 0.01 * torch.cos(300 * x)) == expected  # what is small is none
