"""Networks whose weights are free: their shape is the construction's, and their pass is the general one."""

import pytest
import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.autodiff import flatten
from boundaudit.numeric.sharpness.bound import random_target
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.learner import Network, Shape
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import TargetBatch

SHAPES: tuple[Shape, ...] = ("compact", "full")


def test_the_shape_of_the_construction_has_2014_weights() -> None:
    one = TargetBatch.stack([random_target(20, 2, 10)])
    assert Network(20, 12, "full").count == flatten(build(one)).shape[1] == 2014
    assert Network(20, 12).count == 400 + 20 + 2 + 3 * 12


@pytest.mark.parametrize("shape", SHAPES)
def test_the_pass_is_the_general_one(shape: Shape) -> None:
    network, generator = Network(6, 12, shape), torch.Generator().manual_seed(0)
    weights = network.start(3, generator)
    batch = TargetBatch.stack([random_target(6, 2, 3)]).repeat(3)
    shared, own = torch.rand(9, 6, generator=generator) < 0.5, torch.rand(3, 9, 6, generator=generator) < 0.5
    for bits in (shared, own):
        expected = forward(network.blocks(weights), batch, bits)
        torch.testing.assert_close(network.outputs(weights, bits), expected, rtol=1e-12, atol=1e-12)
        torch.testing.assert_close(network.outputs(weights.float(), bits).double(), expected, rtol=1e-4, atol=1e-4)
    assert network.outputs(weights, shared).std() > 0.01


@pytest.mark.parametrize("shape", SHAPES)
def test_the_construction_is_such_a_network(shape: Shape) -> None:
    target, network = random_target(8, 2, 4), Network(8, 12, shape)
    blocks = build(TargetBatch.stack([target]))
    parts = [blocks.W1[:, :8, :8], blocks.W2[:, :8, 8], blocks.V1[:, -1, -1], blocks.M[:, -1], blocks.Gamma,
             blocks.F[:, :, -1], blocks.V2[:, -1]]  # fmt: skip
    weights = flatten(blocks) if shape == "full" else torch.cat([part.reshape(1, -1) for part in parts], dim=1)
    bits, leak = bit_strings(8, 0, 2**8), 2 * 5 / (2 * 8**2 + 5)  # C N/(C T² + N), N = T+1-ω
    torch.testing.assert_close(network.outputs(weights, bits)[0], evaluate(target, bits), rtol=0, atol=leak + 1e-9)
    written = zip(network.blocks(weights).named(), blocks.named(), strict=True)
    assert all(torch.equal(mine, theirs) for (_, mine), (_, theirs) in written)


@pytest.mark.parametrize("shape", SHAPES)
def test_groups_share_out_the_weights_and_starts_are_random(shape: Shape) -> None:
    network = Network(5, 8, shape)
    assert sum(network.groups) == sum(network.sizes) == network.count

    def start(seed: int) -> Tensor:
        return network.start(2, torch.Generator().manual_seed(seed))

    assert start(0).shape == (2, network.count)
    assert torch.equal(start(0), start(0))
    assert not torch.equal(start(0), start(1))
    assert not torch.equal(start(0)[0], start(0)[1])


@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_reach_every_weight(shape: Shape) -> None:
    network, generator = Network(5, 8, shape), torch.Generator().manual_seed(1)
    weights = network.start(1, generator).requires_grad_()
    bits = bit_strings(5, 0, 2**5)
    network.outputs(weights, bits).square().sum().backward()
    assert weights.grad is not None
    assert float((weights.grad != 0).double().mean()) > 0.8
