"""Confidence limits for a mean: hand-computed values, and how often they fail."""

import math

import mpmath
import pytest
import torch

from boundaudit.numeric.pac_bayes import kl_limit, maurer_pontil


def test_maurer_pontil_by_hand() -> None:
    draws = torch.tensor([0.0, 0.2, 0.4, 1.0], dtype=torch.float64)
    variance, log = (0.16 + 0.04 + 0.0 + 0.36) / 3, math.log(2 / 0.05)
    expected = 0.4 + math.sqrt(2 * variance * log / 4) + 7 * log / 9
    assert float(maurer_pontil(draws, 0.05)) == pytest.approx(expected, rel=1e-14)
    assert float(maurer_pontil(10 * draws, 0.05, largest=10.0)) == pytest.approx(10 * expected, rel=1e-14)


def test_kl_limit_is_chernoffs() -> None:
    draws = torch.tensor([0.0] * 30 + [1.0] * 10, dtype=torch.float64)
    limit = mpmath.mpf(float(kl_limit(draws, 0.1)))
    entropy = 0.25 * mpmath.log(0.25 / limit) + 0.75 * mpmath.log(0.75 / (1 - limit))
    assert float(entropy) == pytest.approx(math.log(10) / 40, rel=1e-12)
    assert float(kl_limit(4 * draws, 0.1, largest=4.0)) == pytest.approx(4 * float(limit), rel=1e-13)


def test_no_error_seen_gives_the_exact_limit() -> None:
    draws = torch.zeros(100, dtype=torch.float64)
    assert float(kl_limit(draws, 0.05)) == pytest.approx(1 - 0.05 ** (1 / 100), rel=1e-14)
    assert float(kl_limit(torch.ones(100, dtype=torch.float64), 0.05)) == 1.0


def test_limits_fail_no_more_often_than_stated() -> None:
    generator = torch.Generator().manual_seed(0)
    draws = (torch.rand(20000, 60, generator=generator, dtype=torch.float64) < 0.3).double()
    for limit in (maurer_pontil(draws, 0.2), kl_limit(draws, 0.2)):
        assert float((limit < 0.3).double().mean()) <= 0.2
    # The sample mean itself, without an allowance, fails about half the time.
    assert float((draws.mean(-1) < 0.3).double().mean()) > 0.4
