"""Priors whose scale is chosen from a grid, and what a posterior pays for them."""

import math

import mpmath
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import SCALES, Posterior, Prior


def drawn(seed: int, *shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def by_hand(posterior: Posterior, prior: Prior, tau: Tensor) -> list[mpmath.mpf]:
    """Relative entropies in 50 digits."""
    with mpmath.workdps(50):
        rows = []
        for row in range(len(posterior.mean)):
            total = mpmath.mpf(0)
            for p in range(posterior.mean.shape[1]):
                at, width, scale = (mpmath.mpf(float(t[row, p])) for t in (posterior.mean, posterior.scale, tau))
                centre = mpmath.mpf(float(prior.mean.expand_as(posterior.mean)[row, p]))
                ratio = (width / scale) ** 2
                total += ((at - centre) ** 2 / scale**2 + ratio - 1 - mpmath.log(ratio)) / 2
            rows.append(total)
        return rows


def test_each_block_of_each_network_takes_the_best_factor_of_the_grid() -> None:
    posterior = Posterior(drawn(1, 3, 6), drawn(2, 3, 6).exp())
    grid, base = (0.1, 0.5, 1.0, 3.0), drawn(3, 6).exp()
    prior = Prior(drawn(4, 6), base, grid=grid, blocks=(2, 4))
    assert prior.choices == 16
    single = [Prior(prior.mean, base * torch.tensor([f] * 2 + [g] * 4)) for f in grid for g in grid]
    every = torch.stack([posterior.kl(one) for one in single])
    assert torch.equal(posterior.kl(prior), every.amin(0))
    assert len({int(k) for k in every.argmin(0)}) > 1


def test_relative_entropy_and_its_upper_end_against_fifty_digits() -> None:
    posterior = Posterior(drawn(5, 2, 40), (0.01 * drawn(6, 2, 40)).exp())
    for prior in (Prior(posterior.mean[0], torch.ones(1)), Prior(drawn(7, 40), torch.tensor(0.3), grid=SCALES)):
        exact = by_hand(posterior, prior, prior.chosen(posterior))
        for value, upper, wanted in zip(
            posterior.kl(prior).tolist(), posterior.certified_kl(prior), exact, strict=True
        ):
            assert value == pytest.approx(float(wanted), rel=1e-10)
            assert wanted <= upper <= wanted * (1 + mpmath.mpf(10) ** -9) + mpmath.mpf(10) ** -11


def test_the_prior_itself_costs_nothing_and_its_upper_end_next_to_nothing() -> None:
    posterior = Posterior(drawn(8, 1, 100), torch.tensor(0.2))
    prior = Prior(posterior.mean[0], torch.tensor(0.2))
    assert posterior.kl(prior).tolist() == [0.0]
    assert 0 <= posterior.certified_kl(prior)[0] < 1e-11


def test_the_grid_is_as_fine_as_it_says() -> None:
    count = 5000
    for exponent in (-3.03, 0.0, 1.97, 3.4):
        scale = 2.0**exponent
        posterior = Posterior(torch.zeros(1, count), torch.tensor(scale, dtype=torch.float64))
        lost = float(posterior.kl(Prior(torch.zeros(count), torch.ones(1), grid=SCALES)))
        assert lost <= 1.02 * count * (math.log(2) / 32) ** 2


def test_gradients_reach_mean_and_scale() -> None:
    prior = Prior(drawn(9, 5), torch.ones(5), grid=(0.3, 1.0, 2.0), blocks=(2, 3))

    def found(mean: Tensor, logs: Tensor) -> tuple[Tensor, Tensor]:
        posterior = Posterior(mean, logs.exp())
        return posterior.kl(prior), posterior.sample(torch.Generator().manual_seed(1))

    at = (drawn(10, 2, 5).requires_grad_(), drawn(11, 2, 5).requires_grad_())
    assert torch.autograd.gradcheck(found, at)


def test_draws_have_the_posteriors_mean_and_scale() -> None:
    posterior, generator = Posterior(drawn(12, 1, 3), drawn(13, 1, 3).exp()), torch.Generator().manual_seed(2)
    many = torch.cat([posterior.sample(generator) for _ in range(20_000)])
    assert torch.allclose(many.mean(0), posterior.mean[0], atol=5 * float(posterior.scale.max()) / math.sqrt(20_000))
    assert torch.allclose(many.std(0) / posterior.scale[0], torch.ones(3, dtype=torch.float64), atol=0.03)


@pytest.mark.parametrize(("field", "make"), [
    ("mean", lambda: Posterior(torch.zeros(3), torch.ones(3))),
    ("scale", lambda: Posterior(torch.zeros(1, 3), torch.zeros(3))),
    ("scale", lambda: Prior(torch.zeros(3), torch.tensor(math.nan))),
    ("grid", lambda: Prior(torch.zeros(3), torch.ones(1), grid=())),
    ("grid", lambda: Prior(torch.zeros(3), torch.ones(1), grid=(1.0, 0.0))),
    ("blocks", lambda: Prior(torch.zeros(3), torch.ones(1), blocks=(1, 1))),
    ("blocks", lambda: Prior(torch.zeros(300), torch.ones(1), grid=SCALES, blocks=(1,) * 300)),
])  # fmt: skip
def test_what_cannot_be_is_refused(field: str, make: object) -> None:
    with pytest.raises(InputError) as caught:
        make()  # type: ignore[operator]
    assert caught.value.field == field
