"""The stacked networks against an ordinary transformer written token by token."""

import math

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import linear, scaled_dot_product_attention

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.trained import Architecture
from boundaudit.numeric.sharpness.trained.family import Masks

SIZE = Architecture(5, extra=4, hidden=7)


def _weights() -> dict[str, Tensor]:
    start = SIZE.start(np.arange(3), seed=1)
    return {name: tensor.double() + 0.1 * torch.randn(tensor.shape).double() for name, tensor in start.items()}


def _ordinary(w: dict[str, Tensor], bits: Tensor) -> Tensor:
    """One network on one input: embed, then attention and MLP twice, then read the last token."""
    values = torch.cat([w["values"][bits.long()], w["values"][2:]])
    x = torch.cat([torch.eye(SIZE.length + 1).double(), values], dim=1)
    for n in (1, 2):
        q = linear(x, w[f"query{n}"].T, w[f"query_bias{n}"])
        k, v = x @ w[f"key{n}"], linear(x, w[f"value{n}"].T, w[f"value_bias{n}"])
        scale = math.log(SIZE.length) / math.sqrt(SIZE.width)
        x = x + linear(scaled_dot_product_attention(q, k, v, scale=scale), w[f"out{n}"].T, w[f"out_bias{n}"])
        hidden = torch.relu(linear(x, w[f"up{n}"].T, w[f"up_bias{n}"]))
        x = x + linear(hidden, w[f"down{n}"].T, w[f"down_bias{n}"])
    return (x[-1] @ w["read"] + w["read_bias"])[0]


def test_a_stack_computes_what_an_ordinary_transformer_computes() -> None:
    weights, bits = _weights(), bit_strings(5, 0, 32)
    ordinary = torch.stack([
        torch.stack([_ordinary({name: tensor[s] for name, tensor in weights.items()}, row) for row in bits])
        for s in range(3)
    ])  # fmt: skip
    torch.testing.assert_close(SIZE.outputs(weights, bits), ordinary)
    own = torch.stack([bits, bits.flip(0), bits.roll(3, 0)])
    expected = torch.stack([ordinary[0], ordinary[1].flip(0), ordinary[2].roll(3, 0)])
    torch.testing.assert_close(SIZE.outputs(weights, own), expected)


def test_the_papers_size() -> None:
    paper = Architecture(20)
    assert (paper.width, paper.count) == (51, sum(t.numel() for t in paper.start(np.arange(1), seed=0).values()))


def test_a_start_depends_on_the_networks_number_alone() -> None:
    several, alone = SIZE.start(np.arange(4), seed=3), SIZE.start(np.array([2]), seed=3)
    for name, tensor in several.items():
        assert torch.equal(tensor[2], alone[name][0])
        assert not torch.equal(tensor[2], tensor[1])


def test_dropout_is_the_same_for_all_networks_and_keeps_the_mean() -> None:
    same = {name: tensor[:1].expand(2, *tensor.shape[1:]) for name, tensor in _weights().items()}
    masks = Masks(0.3, torch.tensor(7, dtype=torch.int32))
    one, other = SIZE.outputs(same, bit_strings(5, 0, 32), masks)
    assert torch.equal(one, other)
    assert not torch.allclose(one, SIZE.outputs(same, bit_strings(5, 0, 32))[0])
    kept = Masks(0.3, torch.tensor(7, dtype=torch.int32))(torch.ones(1, 200_000, dtype=torch.float64))
    assert set(kept.unique().tolist()) == {0.0, 1 / 0.7}
    assert abs(kept.mean().item() - 1) < 5 * math.sqrt(0.3 / 0.7 / 200_000)
