"""Sub-Gaussian constants: against closed forms, mpmath and dense grids, and how the search is bounded."""

import math

import mpmath as mp
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.subgaussian import RELATIVE, proxy


def law(share: float) -> tuple[Tensor, Tensor]:
    return torch.tensor([0.0, 1.0], dtype=torch.float64), torch.tensor([1 - share, share], dtype=torch.float64)


@pytest.mark.parametrize("share", [1e-30, 1e-9, 1e-4, 0.01, 0.3, 0.4999])
def test_two_valued_losses_have_the_constants_of_kearns_and_saul(share: float) -> None:
    odds = math.log((1 - share) / share)
    both = proxy(*law(share))
    assert float(both.value) == pytest.approx(math.sqrt((1 - 2 * share) / (2 * odds)), rel=2e-9)
    # The quotient is flat there.
    assert float(both.at) == pytest.approx(2 * odds, rel=2e-2)
    lower = proxy(*law(share), side="lower")
    assert float(lower.value) == pytest.approx(math.sqrt(share * (1 - share)), rel=2e-9)
    assert float(lower.at) == 0


def test_the_printed_example_to_six_digits() -> None:
    assert round(float(proxy(*law(1e-4)).value), 6) == 0.232973
    assert round(float(proxy(*law(1e-4), side="lower").value), 7) == 0.0099995


def test_the_lower_tail_is_the_heavy_one_where_large_losses_are_likely() -> None:
    found = proxy(*law(0.99), side="lower")
    assert float(found.value) == pytest.approx(float(proxy(*law(0.01)).value), rel=2e-9)
    assert float(found.at) == pytest.approx(-2 * math.log(99), rel=1e-3)


def test_a_fair_coin_attains_half_the_range_as_t_tends_to_zero() -> None:
    found = proxy(torch.tensor([-3.0, 5.0]))
    assert float(found.value) == pytest.approx(4.0, rel=2e-9)
    assert float(found.at) == 0


def test_constants_have_none() -> None:
    found = proxy(torch.full((3, 7), 0.1))
    assert found.value.tolist() == found.at.tolist() == [0.0] * 3


def test_values_of_weight_zero_do_not_count() -> None:
    values = torch.tensor([0.0, 1.0, 1e6], dtype=torch.float64)
    weights = torch.tensor([0.7, 0.3, 0.0], dtype=torch.float64)
    assert float(proxy(values, weights).value) == pytest.approx(float(proxy(*law(0.3)).value), rel=1e-8)


@pytest.mark.parametrize("scale", [1e-80, 1e-6, 1e6])
def test_the_constant_scales_with_the_loss(scale: float) -> None:
    values = torch.tensor([0.0, 0.2, 0.9, 5.0], dtype=torch.float64)
    one, other = proxy(values), proxy(scale * values)
    assert float(other.value) == pytest.approx(scale * float(one.value), rel=1e-8)
    assert float(other.at) == pytest.approx(float(one.at) / scale, rel=1e-3)


def test_the_square_of_a_binomial_against_mpmath() -> None:
    count = torch.arange(11, dtype=torch.float64)
    weights = torch.tensor([math.comb(10, n) / 1024 for n in range(11)], dtype=torch.float64)

    def quotient(t: mp.mpf) -> mp.mpf:
        total = mp.fsum(math.comb(10, n) * mp.exp(t * (mp.mpf(n * n) / 10 - mp.mpf("2.75"))) for n in range(11)) / 1024
        return 2 * mp.log(total) / t**2

    with mp.workdps(30):
        best = mp.findroot(lambda t: mp.diff(quotient, t), 1.474)
        expected = float(mp.sqrt(quotient(best)))
    found = proxy(count**2 / 10, weights)
    assert float(found.value) == pytest.approx(expected, rel=1e-9)
    assert float(found.at) == pytest.approx(1.47423, rel=1e-3)


def test_random_laws_lie_just_above_a_dense_grid() -> None:
    generator = torch.Generator().manual_seed(0)
    values = torch.rand(16, 6, generator=generator, dtype=torch.float64) ** 5
    weights = torch.rand(16, 6, generator=generator, dtype=torch.float64) ** 6
    weights = weights / weights.sum(-1, keepdim=True)
    found = proxy(values, weights).value.square()
    centred = values - (weights * values).sum(-1, keepdim=True)
    t = torch.cat([torch.logspace(-3, 4, 10000, dtype=torch.float64)] * 2)
    t[:10000] *= -1
    x = t[:, None] * centred[:, None]
    top = x.amax(-1)
    cumulant = top + ((x - top[..., None]).exp() * weights[:, None]).sum(-1).log()
    seen = torch.maximum((2 * cumulant / t.square())[:, t.abs() > 1e-2].amax(-1), (weights * centred.square()).sum(-1))
    assert (found >= seen * (1 - 1e-11)).all()
    assert (found <= seen * (1 + 1e-5)).all()


def test_the_search_stays_within_its_tolerance_of_what_it_saw() -> None:
    generator = torch.Generator().manual_seed(1)
    values = torch.randn(30, 200, generator=generator, dtype=torch.float64).square()
    found = proxy(values)
    centred = values - values.mean(-1, keepdim=True)
    seen = 2 * (found.at[:, None] * centred).exp().mean(-1).log() / found.at.square()
    assert (found.at != 0).all()
    assert (found.value.square() <= seen * (1 + 2 * RELATIVE)).all()
    assert (found.value.square() >= seen).all()


def test_leading_dimensions_are_kept() -> None:
    values = torch.rand(2, 3, 5, dtype=torch.float64)
    found = proxy(values, side="lower")
    assert found.value.shape == found.at.shape == (2, 3)
    assert torch.equal(found.value[1, 2], proxy(values[1, 2], side="lower").value)


@pytest.mark.parametrize(("values", "weights", "side", "field"), [
    (torch.tensor([1.0, math.nan]), None, "both", "values"), (torch.tensor([]), None, "both", "values"),
    (torch.tensor([0.0, 1.0]), torch.tensor([0.5, 0.6]), "both", "weights"),
    (torch.tensor([0.0, 1.0]), torch.tensor([-0.5, 1.5]), "both", "weights"),
    (torch.tensor([0.0, 1.0]), None, "upper", "side"),
])  # fmt: skip
def test_bad_input_is_named(values: Tensor, weights: Tensor | None, side: str, field: str) -> None:
    with pytest.raises(InputError, match=field):
        proxy(values, weights, side=side)  # type: ignore[arg-type]
