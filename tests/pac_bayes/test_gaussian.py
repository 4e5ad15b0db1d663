"""Relative entropies between Gaussians against quadrature and hand-computed values."""

import math

import numpy as np
import pytest
import torch
from scipy import integrate, stats

from boundaudit.numeric.pac_bayes import decoupled_kl, gaussian_kl, tied_kl


@pytest.mark.parametrize(
    ("shift", "sigma", "tau"), [(0.0, 1.0, 1.0), (1.5, 0.5, 2.0), (-2.0, 2.0, 0.7), (3.0, 0.1, 0.1)]
)
def test_one_coordinate_against_an_integral_of_the_densities(shift: float, sigma: float, tau: float) -> None:
    rho, pi = stats.norm(shift, sigma), stats.norm(0, tau)
    ends = (shift - 15 * sigma, shift + 15 * sigma)
    expected, _ = integrate.quad(lambda x: rho.pdf(x) * (rho.logpdf(x) - pi.logpdf(x)), *ends, epsabs=1e-12, limit=200)
    assert float(gaussian_kl(shift**2, sigma, tau)) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_tied_is_the_sum_over_coordinates_with_one_variance() -> None:
    theta = torch.tensor([0.3, -1.2, 2.0], dtype=torch.float64)
    expected = float(gaussian_kl(theta.square(), 0.25, 0.25).sum())
    assert float(tied_kl(float(theta.square().sum()), 0.25)) == pytest.approx(expected, rel=1e-14)
    assert float(tied_kl(8.0, 2.0)) == 1.0


def test_decoupled_is_the_smallest_over_prior_variances() -> None:
    count, norm, sigma = 50, 12.0, 0.1
    taus = np.sqrt(np.geomspace(sigma**2, 10.0, 4001))
    sums = count * gaussian_kl(norm / count, sigma, torch.from_numpy(taus)).numpy()
    found = float(decoupled_kl(norm, sigma, count))
    assert found == pytest.approx(25 * math.log(1 + 12 / 0.5), rel=1e-14)
    assert found <= sums.min() <= found * (1 + 1e-6)
    assert taus[sums.argmin()] ** 2 == pytest.approx(sigma**2 + norm / count, rel=1e-2)


def test_decoupled_nears_the_tied_one_where_the_noise_is_wide_and_keeps_its_digits() -> None:
    assert float(decoupled_kl(1e-9, 10.0, 7)) == pytest.approx(float(tied_kl(1e-9, 10.0)), rel=1e-9)


def test_arguments_broadcast() -> None:
    assert gaussian_kl(torch.ones(3, 1), torch.full((4,), 0.5), 1.0).shape == (3, 4)
    assert decoupled_kl(torch.ones(2, 1), torch.full((5,), 0.1), 10).shape == (2, 5)
