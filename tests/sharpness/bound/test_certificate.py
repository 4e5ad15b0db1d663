"""Certificates: the quick forward pass, the limits, the same draws however many, and cells of the grid."""

import math

import pytest
import torch
from flint import arb, ctx

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import certified_bound, pac_bayes_bound
from boundaudit.numeric.pac_bayes.certified import certified_kl
from boundaudit.numeric.sharpness.autodiff import repeat
from boundaudit.numeric.sharpness.bound.certificate import (
    Certificate,
    certificate,
    certified_value,
    enough_draws,
    losses,
    outputs,
    sampling_surplus,
    upper_limit,
)
from boundaudit.numeric.sharpness.bound.examples import random_target
from boundaudit.numeric.sharpness.bound.grid import best, cell, first_informative
from boundaudit.numeric.sharpness.bound.path import Path, best_noise
from boundaudit.numeric.sharpness.bound.posterior import by_block
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SMALL = Target(5, ((1, 2), (3, 5)), (0.6, 0.8))
NOISE = {"W1": 0.3, "V1": 0.05, "M": 0.01, "Gamma": 0.01, "F": 0.05, "W2": 0.05, "V2": 0.05}


def test_quick_outputs_are_those_of_the_network():
    stream = torch.Generator().manual_seed(0)
    batch, built = TargetBatch.stack([SMALL]), build(TargetBatch.stack([SMALL]))
    noisy = repeat(built, 6)
    noisy = noisy.with_weights(
        [w + 0.3 * torch.randn(w.shape, generator=stream, dtype=torch.float64) for _, w in noisy.named()]
    )
    bits = torch.rand(6, 4, 5, generator=stream) < 0.5
    assert outputs(noisy, bits) == pytest.approx(forward(noisy, batch.repeat(6), bits), abs=1e-12)


def test_mean_of_draws_is_the_risk_without_noise():
    tiny = dict.fromkeys(NOISE, 1e-12)
    bits = ((torch.arange(32)[:, None] >> torch.arange(4, -1, -1)) & 1).bool()
    batch = TargetBatch.stack([SMALL])
    wanted = torch.tensor([
        0.6 * (1 - (row[0] ^ row[1]).item()) + 0.8 * (1 - (row[2] ^ row[4]).item()) for row in bits
    ], dtype=torch.float64)  # fmt: skip
    errors = (forward(build(batch), batch, bits)[0] - wanted).square()
    found = losses(SMALL, by_block(SMALL, tiny), samples=100_000, draws=4000, inputs_per_draw=4)
    assert float(found.mean()) == pytest.approx(float(errors.mean()), rel=0.05)
    assert float(found.max()) <= float(errors.max()) + 1e-9


def test_a_longer_certificate_begins_with_a_shorter_one():
    posterior = by_block(SMALL, NOISE)
    short, long = (losses(SMALL, posterior, samples=50, draws=n, seed=3) for n in (7, 60))
    assert torch.equal(short, long[:7])
    assert not torch.equal(short, losses(SMALL, posterior, samples=50, draws=7, seed=4))


def test_clip_is_the_largest_draw():
    found = losses(
        SMALL, by_block(SMALL, dict.fromkeys(NOISE, 1.0)), samples=50, draws=200, inputs_per_draw=1, clip=0.3
    )
    assert float(found.max()) == pytest.approx(0.3)


def test_value_by_hand():
    # kl(0 ‖ p) = -ln(1 - p): the inverse is 1 - exp(-budget).
    found = Certificate(0.0, 0.0, 10, 0.005, 2.0, "kl")
    budget = (50 + math.log(2 * math.sqrt(1000) / 0.05)) / 1000
    assert certified_value(found, 50.0, samples=1000, delta=0.05) == pytest.approx(-2 * math.expm1(-budget), rel=1e-12)


@pytest.mark.parametrize("clip", [1 / 3, 0.1, 0.7, 3.0, 1e-3])
def test_products_with_the_clip_are_rounded_up(clip):
    for upper in (0.0, clip / 3, clip / 7, 0.9 * clip):
        value = certified_value(Certificate(0.0, upper, 10, 0.005, clip, "kl"), 50.0, samples=1000, delta=0.05)
        with ctx.workprec(300):
            budget = (50 + (2 * arb(1000).sqrt() / arb(0.05)).log()) / 1000
            assert certified_kl(arb(upper) / arb(clip), arb(value) / arb(clip)) >= budget
        assert value == pytest.approx(clip * certified_bound(upper / clip, 50.0, 1000, 0.05), rel=1e-14)


def test_value_is_at_most_the_clip():
    assert certified_value(Certificate(0.3, 0.3, 10, 0.005, 0.3, "kl"), 50.0, samples=1000, delta=0.05) == 0.3


def test_surplus_is_what_more_draws_would_take_away():
    found = Certificate(0.001, 0.002, 10, 0.005, 1.0, "kl")
    above, endless = (pac_bayes_bound(risk, 50.0, 1000, 0.05) for risk in (0.002, 0.001))
    assert sampling_surplus(found, 50.0, samples=1000, delta=0.05) == pytest.approx(float(above / endless) - 1)
    assert sampling_surplus(Certificate(0.001, 0.001, 10, 0.005, 1.0, "kl"), 50.0, samples=1000, delta=0.05) == 0


@pytest.mark.parametrize("samples", [8192, 10**6])
@pytest.mark.parametrize("spread", [1, 8])
def test_enough_draws_keep_the_surplus_that_is_asked_for(samples, spread):
    # Losses with the mean of the construction's, all alike or rare and large.
    stream = torch.Generator().manual_seed(0)
    drawn = 1e-4 * spread * (torch.rand(2**18, generator=stream, dtype=torch.float64) < 1 / spread)
    setting = {"samples": samples, "delta": 0.025}
    count = enough_draws(drawn[:2000], 500.0, **setting, eta=0.025, surplus=0.05)
    few, many = (
        sampling_surplus(
            Certificate(float(part.mean()), float(upper_limit(part, 0.025, 1.0, "betting")), len(part), 0.025, 1.0,
                        "betting"), 500.0, **setting,
        )
        for part in (drawn[2000:][: count // 4], drawn[2000:][:count])
    )  # fmt: skip
    assert count < 2**18
    assert many < 0.06 < few
    assert enough_draws(drawn[:2000], 500.0, **setting, eta=0.025, surplus=0.02, most=2**24) > 2 * count
    assert enough_draws(drawn[:2000], 500.0, **setting, eta=0.025, surplus=0.05, most=count // 2) == count // 2


@pytest.mark.slow
def test_the_best_says_what_its_draws_cost():
    path = Path.of(random_target(8, 2, 2))
    few, enough = best(path, samples=20_000, draws=4000, pilot=20), best(path, samples=20_000, pilot=20)
    assert enough.certificate.draws > few.certificate.draws
    assert enough.surplus < 0.03 < 0.05 < few.surplus
    assert enough.value < 0.97 * few.value


def test_draws_above_the_clip_are_no_draws():
    with pytest.raises(InputError, match="draws"):
        upper_limit(torch.tensor([0.1, 0.4]), 0.1, 0.3, "betting")


def test_bad_numbers_are_named():
    posterior = by_block(SMALL, NOISE)
    for field, wrong in (("samples", 0), ("draws", 1), ("inputs_per_draw", 0), ("clip", 0.0)):
        with pytest.raises(InputError, match=field):
            certificate(SMALL, posterior, **{"samples": 9, "draws": 9, field: wrong})
    with pytest.raises(InputError, match="limit"):
        upper_limit(torch.zeros(3), 0.1, 1.0, "none")


def test_best_noise_is_the_minimum():
    a, norm, count, nats = 3.0, 12.0, 8, 5000.0
    at = best_noise(a, norm, count, nats) ** 2

    def objective(v):
        return nats * a * v + count / 2 * math.log1p(norm / (count * v))

    assert all(objective(at) < objective(at * factor) for factor in (0.9, 0.99, 1.01, 1.1))


def test_random_targets_are_distinct_and_repeat():
    target = random_target(6, 2, 6, seed=1)
    assert len(set(target.components)) == 6
    assert target == random_target(6, 2, 6, seed=1) != random_target(6, 2, 6, seed=2)


@pytest.mark.slow
def test_first_informative_is_where_it_says():
    path = Path.of(random_target(8, 2, 2))
    found = best(path, samples=4000, draws=300, pilot=20)
    assert [entry.delta for entry in found.union.entries] == pytest.approx([0.025, 0.025])
    first = first_informative(path, found, 0.25, draws=300)
    assert 100 < first < 4000


@pytest.mark.slow
def test_the_search_for_an_informative_sample_ends_on_both_sides():
    path = Path.of(random_target(4, 1, 1))
    found = best(path, samples=100, draws=2, pilot=2)
    assert first_informative(path, found, 0.0, draws=2, largest=300) is None
    assert first_informative(path, found, 2.0, draws=2) == 1


@pytest.mark.slow
def test_a_cell_takes_its_delta(monkeypatch):
    monkeypatch.setattr("boundaudit.numeric.sharpness.bound.grid.first_informative", lambda *_, **__: None)
    usual, strict = (
        cell(random_target(4, 1, 1), samples=[500], draws=20, pilot=2, delta=delta).best[500] for delta in (0.05, 1e-6)
    )
    assert strict.value > usual.value
    assert [entry.delta for entry in strict.union.entries] == pytest.approx([5e-7, 5e-7])
