"""Chains of posteriors, each the next prior."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import (
    RecursivePosterior,
    bounded_cross_entropy,
    certified_split_kl,
    fit_recursive,
    zero_one_loss,
)

from .test_fitting import halves

DELTA = 0.05


def chained(data: tuple[Tensor, Tensor], **options: Any) -> RecursivePosterior:
    torch.manual_seed(0)
    chosen = {"steps": 150, "rate": 0.05, "draws": 500, "progress": False, "surrogate": bounded_cross_entropy}
    return fit_recursive(nn.Linear(2, 2), zero_one_loss, data, **{**chosen, **options})


@pytest.mark.slow
def test_a_chain_holds_and_adds_up() -> None:
    found = chained(halves(4000, 1))
    inputs, targets = halves(20_000, 2)
    true = torch.stack([zero_one_loss(found.draw(seed)(inputs), targets).mean() for seed in range(20)]).mean()
    assert 0.09 < float(true) < found.value < 0.25
    assert [link.samples for link in found.links] == [4000, 3000, 2000]
    values = [link.value for link in found.links]
    assert values[0] == found.links[0].excess
    for before, link in zip(values, found.links[1:], strict=False):
        assert link.value == pytest.approx(link.excess + 0.5 * before, rel=1e-12)
    assert found.value == values[-1]
    spent = math.fsum(entry.delta for link in found.links for entry in link.ledger.entries)
    assert spent == pytest.approx(DELTA)
    assert spent <= DELTA
    assert [entry.choices for entry in found.ledger.entries] == [3]


@pytest.mark.slow
def test_a_seed_gives_the_same_chain() -> None:
    one, again, other = (chained(halves(500, 1), seed=seed, steps=20, draws=50) for seed in (4, 4, 5))
    assert one.links == again.links
    assert torch.equal(one.weights.mean, again.weights.mean)
    assert one.value != other.value


@pytest.mark.slow
def test_what_is_certified_covers_and_five_percent_less_does_not() -> None:
    generator = torch.Generator().manual_seed(1)
    coins = torch.randn(100_000, 2, generator=generator), torch.randint(2, (100_000,), generator=generator)
    values = [
        chained(coins, parts=(0.5, 0.5), gamma=0.9, steps=5, rate=1e-3, scale=1e-3, draws=1000, seed=seed).value
        for seed in range(3)
    ]
    # Labels are coin tosses: the true risk is 1/2.
    assert all(0.95 * value < 0.5 <= value for value in values)


@pytest.mark.slow
def test_a_link_is_a_prior_that_knows_nothing_of_the_parts_to_come() -> None:
    inputs, targets = halves(2000, 1)
    last = torch.randperm(2000, generator=torch.Generator().manual_seed(0))[1000:]
    flipped = targets.clone()
    flipped[last] = 1 - flipped[last]
    one, other = (chained((inputs, at), steps=20, draws=20) for at in (targets, flipped))
    assert [link.kl for link in one.links[:2]] == [link.kl for link in other.links[:2]]
    assert one.links[2].kl != other.links[2].kl
    assert one.links[1].value != other.links[1].value


def test_every_sample_has_a_network_of_its_own() -> None:
    """With a prior that guesses, all guesses of one draw would be right or wrong together where labels are alike."""
    from boundaudit.numeric.pac_bayes.posterior.module_sample import ModuleSample
    from boundaudit.numeric.pac_bayes.posterior.stacked import Posterior

    sample = ModuleSample.gathered(nn.Linear(2, 2), zero_one_loss, (torch.ones(4000, 2), torch.zeros(4000).long()))
    guess = Posterior(torch.zeros(1, 6), torch.tensor(1.0))
    errors = sample.own_losses(guess, zero_one_loss, torch.Generator().manual_seed(0))
    assert errors.shape == (4000,)
    assert float(errors.mean()) == pytest.approx(0.5, abs=5 * 0.5 / math.sqrt(4000))
    assert float((errors[1:] == errors[:-1]).double().mean()) == pytest.approx(0.5, abs=5 * 0.5 / math.sqrt(4000))


def test_an_excess_that_is_only_below_is_negative() -> None:
    assert certified_split_kl(0.0, 0.45, 0.0, 10_000, DELTA, low=-0.5) < -0.4


@pytest.mark.parametrize(("field", "options"), [
    ("gamma", {"gamma": 0.0}), ("gamma", {"gamma": 1.1}), ("parts", {"parts": ()}), ("parts", {"parts": (0.5, 0.4)}),
    ("parts", {"parts": (1.5, -0.5)}), ("parts", {"parts": (0.9999, 0.0001)}), ("draws", {"draws": 1}),
    ("delta", {"delta": 2.0}), ("surrogate", {"surrogate": zero_one_loss}),
])  # fmt: skip
def test_what_cannot_be_used_is_refused(field: str, options: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        chained(halves(100, 1), **{"steps": 3, "draws": 5, **options})
    assert caught.value.field == field
