"""Sub-Gaussian constants of perturbed constructions, and the closed forms of the example."""

import itertools

import pytest
import torch
from torch import Tensor

from boundaudit.derivations.sharpness import subgaussian as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.subgaussian import constants, exceeds, losses, perturbed_losses
from boundaudit.numeric.sharpness.target import Target, TargetBatch

TARGET = Target(4, ((1, 2), (3, 4)), (0.6, 0.8))
BITS = bit_strings(4, 0, 16)


def draws(count: int, sigma: float) -> Tensor:
    batch = TargetBatch.stack([TARGET])
    return torch.cat(list(perturbed_losses(build(batch), batch, BITS, sigma, count, 3)))


def test_losses_are_squared_errors_input_by_input() -> None:
    batch = TargetBatch.stack([TARGET])
    blocks = moved(build(batch), gaussian(batch, build(batch), 5), 0.01)
    found = losses(blocks, batch, BITS)[0]
    for x, loss in zip(itertools.product((0, 1), repeat=4), found.tolist(), strict=True):
        value = 0.6 * ((x[0] + x[1]) % 2 == 0) + 0.8 * ((x[2] + x[3]) % 2 == 0)
        output = float(forward(blocks, batch, torch.tensor([x]))[0, 0])
        assert loss == pytest.approx((output - value) ** 2, rel=1e-12)


def test_draws_differ_and_repeat() -> None:
    found = draws(5, 0.01)
    assert found.shape == (5, 16)
    assert len({float(row[0]) for row in found}) == 5
    assert torch.equal(found, draws(5, 0.01))


def test_no_noise_gives_the_construction() -> None:
    batch = TargetBatch.stack([TARGET])
    assert torch.equal(draws(2, 0.0)[1], losses(build(batch), batch, BITS)[0])


def test_constants_are_ordered() -> None:
    found = constants(draws(20, 0.02))
    assert (found.lower <= found.two_sided * (1 + 1e-9)).all()
    assert (found.lower.square() <= found.second_moment).all()
    assert (found.two_sided <= found.largest / 2 * (1 + 1e-9)).all()
    assert (found.mean > 0).all()


def test_exceeds_agrees_with_the_constant() -> None:
    found = draws(60, 0.02)
    value = constants(found).two_sided
    limit = float(value.median()) * 1.01
    assert torch.equal(exceeds(found, limit), value > limit)
    assert 0 < int(exceeds(found, limit).sum()) < 60


def test_the_printed_optimum_of_sigma() -> None:
    example = {T: 20, D: 2, omega: 10}
    assert float(theorem.optimal_sigma().subs(example)) == pytest.approx(2.265676e-3, rel=1e-6)
