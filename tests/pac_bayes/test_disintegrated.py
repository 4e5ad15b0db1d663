"""Logarithms of densities and Rényi's divergence of Gaussians against SciPy."""

import math

import pytest
import torch
from scipy import integrate, stats

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import gaussian_kl, gaussian_log_ratio, gaussian_renyi


def test_log_ratio_is_that_of_densities() -> None:
    draw, mean = torch.tensor([[0.3, -1.0], [2.0, 0.1]]), torch.tensor([0.5, -0.5])
    found = gaussian_log_ratio(draw, mean, torch.tensor([0.5, 2.0]), 0.25, 1.5)
    for row, value in zip(draw.tolist(), found.tolist(), strict=True):
        wanted = sum(
            stats.norm.logpdf(h, mu, s) - stats.norm.logpdf(h, 0.25, 1.5)
            for h, mu, s in zip(row, (0.5, -0.5), (0.5, 2.0), strict=True)
        )
        assert value == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize("order", [1.5, 2.0, 3.0])
def test_renyi_is_its_integral(order: float) -> None:
    mean, deviation, prior_mean, prior_deviation = 0.7, 0.8, -0.2, 1.0
    found = float(
        gaussian_renyi(torch.tensor([mean], dtype=torch.float64), deviation, prior_mean, prior_deviation, order)
    )

    def body(x: float) -> float:
        log = stats.norm.logpdf(x, mean, deviation) * order + stats.norm.logpdf(x, prior_mean, prior_deviation) * (
            1 - order
        )
        return math.exp(log)

    wanted = math.log(integrate.quad(body, -15, 15, epsabs=1e-13)[0]) / (order - 1)
    assert found == pytest.approx(wanted, rel=1e-8)


def test_renyi_falls_to_the_relative_entropy_and_may_be_infinite() -> None:
    near = gaussian_renyi(torch.tensor([1.0], dtype=torch.float64), 0.5, 0.0, 1.0, 1 + 1e-7)
    exact = gaussian_kl(torch.tensor([1.0], dtype=torch.float64), 0.5, 1.0)
    assert float(near) == pytest.approx(float(exact.sum()), rel=1e-5)
    assert math.isinf(float(gaussian_renyi(torch.zeros(1), 2.0, 0.0, 1.0)))


def test_mean_of_the_ratio_is_the_relative_entropy() -> None:
    mean = torch.tensor([0.5, -1.0], dtype=torch.float64)
    draws = mean + 0.5 * torch.randn(200_000, 2, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    found = gaussian_log_ratio(draws, mean, 0.5, 0.0, 1.0).mean()
    assert float(found) == pytest.approx(float(gaussian_kl(mean**2, 0.5, 1.0).sum()), abs=0.01)


def test_gradients() -> None:
    mean = torch.tensor([0.5, -1.0], dtype=torch.float64, requires_grad=True)
    deviation = torch.tensor([0.5, 0.7], dtype=torch.float64, requires_grad=True)
    draw = torch.tensor([0.2, 0.3], dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda m, s: gaussian_log_ratio(draw, m, s, 0.0, 1.0), (mean, deviation))
    assert torch.autograd.gradcheck(lambda m, s: gaussian_renyi(m, s, 0.0, 1.0), (mean, deviation))


def test_bad_input_names_its_field() -> None:
    for deviation, prior, order, field in ((0.0, 1.0, 2.0, "deviation"), (1.0, -1.0, 2.0, "prior_deviation"),
                                           (1.0, 1.0, 1.0, "order")):  # fmt: skip
        with pytest.raises(InputError) as caught:
            gaussian_renyi(torch.zeros(2), deviation, 0.0, prior, order)
        assert caught.value.args[0] == field
