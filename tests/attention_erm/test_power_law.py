"""Power laws: the constants by quadrature, the rate and the parts of the error."""

from __future__ import annotations

import mpmath
import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.attention_erm import (
    decompose,
    mode_error,
    profile,
    rate_constant,
)


@pytest.mark.parametrize(("gamma", "constant"), [(0.75, 4.62857), (1.0, 4.0), (1.5, 4.05), (2.0, 64 / 15)])
def test_the_constant_is_an_integral_in_30_digits(gamma: float, constant: float) -> None:
    with mpmath.workdps(30):
        density = lambda x: x ** (-1 / mpmath.mpf(gamma) - 1) / gamma  # noqa: E731
        learned = mpmath.quad(lambda x: (6 - 8 / x + 3 / x**2) * density(x), [1, 10, 1000, mpmath.inf])
        missed = mpmath.quad(lambda x: x**2 * density(x), [0, 1])
    assert rate_constant(gamma) == pytest.approx(constant, abs=6e-6)
    assert rate_constant(gamma) == pytest.approx(float(learned + missed), rel=1e-6)


@pytest.mark.parametrize(("ratio", "share"), [(10, 0.816516), (100, 0.955267), (1000, 0.987425), (10000, 0.996179)])
def test_the_sum_over_modes_approaches_the_rate(ratio: float, share: float) -> None:
    found = mode_error(1.0, ratio, 1.0)
    assert found.error / (4 * found.scale**0.5) == pytest.approx(share, abs=1e-6)
    assert 4 * ratio * found.scale == pytest.approx(1 + 2 * found.error, rel=1e-12)


def test_parts_of_the_error() -> None:
    spectrum = torch.zeros(1000, dtype=torch.float64)
    spectrum[:3] = torch.tensor([5.0, 8.0, 0.5])
    parts = decompose(spectrum, 1.0, 2.0)
    assert parts.over == pytest.approx(0.0, abs=1e-15)
    assert parts.total == pytest.approx(float(profile(spectrum).sum()) / 1000, rel=1e-12)
    x = torch.linspace(1, 2, 200001, dtype=torch.float64)
    bulk = torch.trapezoid((x - 1) ** 2 * (4 - x**2).sqrt(), x) / (2 * torch.pi)
    assert decompose(spectrum, 1.0, 1.0).over == pytest.approx(float(bulk), rel=1e-6)


def test_refusals() -> None:
    with pytest.raises(InputError, match="gamma"):
        rate_constant(0.5)
