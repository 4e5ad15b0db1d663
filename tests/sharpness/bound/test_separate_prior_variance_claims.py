"""A prior with a variance of its own: its value, and the loss at the construction in closed form."""

import math

import pytest

from boundaudit.derivations.pac_bayes.symbols import m, sigma
from boundaudit.derivations.sharpness.bound import separate_prior_variance as theorem
from boundaudit.numeric.sharpness.bound import published
from boundaudit.numeric.sharpness.bound.separate_prior_variance import separate_prior_variance


def value(noise: float, samples: float, sharpness: float = 15524.0) -> float:
    log = math.log(20)
    norm = 16 * 4 * 3 + 24 + 1 + 10 + 4 * log**2 * 10 * 3
    kl = 1007 * math.log1p(norm / (2014 * noise**2))
    return sharpness * noise**2 + 0.01 * math.sqrt(2 * (kl + math.log(20)) / samples)


@pytest.mark.parametrize(("noise", "samples"), [(5.7513e-5, 10**6), (1.9791e-4, 8192), (2e-3, 10**9)])
def test_value(noise: float, samples: int) -> None:
    expected = value(noise, samples)
    assert float(theorem.example().subs({sigma: noise, m: samples})) == pytest.approx(expected, rel=1e-12)
    found = separate_prior_variance(published(20, 2, 10), samples=samples, delta=0.05, proxy=0.01, sigma=noise)
    assert found.value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("width", "expected"), [(1, 2.00442589818e-4), (2, 1.73268317702e-4)])
def test_the_loss_at_the_construction(width: int, expected: float) -> None:
    assert float(theorem.loss(width)) == pytest.approx(expected, rel=1e-10)
