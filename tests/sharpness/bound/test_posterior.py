"""Posteriors around the construction: prices, frozen entries, and the same function without dead units."""

import math

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound.posterior import by_block, frozen, sub_blocks, without_dead_units
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.target import Target, TargetBatch

PAIRS = Target(20, tuple((2 * t + 1, 2 * t + 2) for t in range(10)), (10**-0.5,) * 10)
BY_BLOCK = {"W1": 0.12, "V1": 0.025, "M": 2.3e-4, "Gamma": 3e-5, "F": 8.4e-4, "W2": 0.01, "V2": 0.003}
FROZEN = {"W1": 0.25, "V1": 0.02, "M": 5e-5, "Gamma": 3e-5, "F": 3.9e-4, "W2": 0.0047, "V2": 9.5e-4}
SUB_BLOCKS = {
    "W1": 0.2, "W1 other": 0.9, "W1 prior": 2.0, "W2": 0.005, "W2 other": 0.4, "W2 prior": 3.5, "V1": 0.022, "M": 6e-5,
    "Gamma": 3.5e-5, "F": 4.5e-4, "V2": 1e-3, "rest": 1e-4,
}  # fmt: skip


def test_price_by_block_is_the_closed_form():
    # Squared norms by hand: D = 2, ω = 10, T = 20, steep, c = 1/√10.
    log = math.log(20)
    norms = {"W1": 80 * log**2, "V1": 1, "M": 12, "Gamma": 175 / 32, "F": 512,
             "W2": 10 * (2 * log - math.log(10) / 2) ** 2, "V2": 10}  # fmt: skip
    counts = {"W1": 484, "V1": 484, "M": 264, "Gamma": 12, "F": 264, "W2": 484, "V2": 22}
    found = by_block(PAIRS, BY_BLOCK)
    assert found.count == 2014
    for block, kl in found.kl.items():
        p = counts[block]
        assert kl == pytest.approx(p / 2 * math.log1p(norms[block] / (p * BY_BLOCK[block] ** 2)), rel=1e-9)
    assert found.total_kl == pytest.approx(7530.758, abs=5e-4)


def test_frozen_entries_cost_nothing():
    found = frozen(PAIRS, FROZEN)
    assert found.count == 400 + 1 + 8 + 8 + 8 + 20 + 1
    assert found.total_kl == pytest.approx(1061.687, abs=5e-4)
    zero = [sigma == 0 for _, sigma in found.sigma.named()]
    assert all((weight[free] == 0).all() for (_, weight), free in zip(found.mean.named(), zero, strict=True))


def test_sub_blocks_price_entry_by_entry():
    found = sub_blocks(PAIRS, SUB_BLOCKS)
    assert found.count == 2014
    total = 0.0
    for (_, mean), (_, sigma), (_, tau) in zip(found.mean.named(), found.sigma.named(), found.tau.named(), strict=True):
        for t, s, r in zip(mean.flatten().tolist(), sigma.flatten().tolist(), tau.flatten().tolist(), strict=True):
            total += ((t * t + s * s) / r**2 - 1 - 2 * math.log(s / r)) / 2
    assert found.total_kl == pytest.approx(total, rel=1e-12)
    assert total == pytest.approx(532.222, abs=1e-3)


def test_one_prior_serves_all_noises():
    colder = {
        name: value if name in ("W1 prior", "W2 prior", "rest") else value / 3 for name, value in SUB_BLOCKS.items()
    }
    first, second = (sub_blocks(PAIRS, noise).tau.named() for noise in (SUB_BLOCKS, colder))
    assert all(torch.equal(a, b) for (_, a), (_, b) in zip(first, second, strict=True))


def test_dead_units_do_not_matter():
    target = Target(5, ((1, 2, 3), (2, 4, 5)), (0.6, 0.8))
    batch = TargetBatch.stack([target])
    bits = torch.rand(20, 5, generator=torch.Generator().manual_seed(1)) < 0.5
    built = build(batch)
    assert torch.equal(forward(without_dead_units(built), batch, bits), forward(built, batch, bits))


def test_a_missing_noise_is_named():
    with pytest.raises(InputError, match="noise of V2"):
        by_block(PAIRS, {**BY_BLOCK, "V2": 0.0})
    with pytest.raises(InputError, match="noise of rest"):
        sub_blocks(PAIRS, {name: value for name, value in SUB_BLOCKS.items() if name != "rest"})
