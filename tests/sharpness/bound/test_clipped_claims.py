"""The clipped kl form: values against an inversion by mpmath."""

from __future__ import annotations

import math

import mpmath
import pytest

from boundaudit.numeric.sharpness.bound import published
from boundaudit.numeric.sharpness.bound.clipped import clipped


def inverse(noise: float, samples: float, largest: float) -> float:
    norm = 227 + 120 * math.log(20) ** 2
    kl = 1007 * math.log1p(norm / (2014 * noise**2))
    budget = (kl + math.log(2 * math.sqrt(samples) / 0.05)) / samples
    q = mpmath.mpf(15524 * noise**2 / largest)
    gap = lambda p: q * mpmath.log(q / p) + (1 - q) * mpmath.log((1 - q) / (1 - p)) - budget  # noqa: E731
    return largest * float(mpmath.findroot(gap, (q + budget / 2, min(0.999, q + 3 * budget)), solver="anderson"))


@pytest.mark.parametrize(
    ("noise", "samples", "largest", "expected"),
    [(1.2094e-4, 1e6, 1.0, 0.0187947352), (3.9015e-4, 1e6, 10.0, 0.164865897), (1.2236e-3, 8192, 1.0, 0.824944)],
)
def test_values(noise: float, samples: float, largest: float, expected: float) -> None:
    exact = inverse(noise, samples, largest)
    assert exact == pytest.approx(expected, rel=1e-5)
    found = clipped(published(20, 2, 10), samples=samples, delta=0.05, clip=largest, sigma=noise)
    assert found.value == pytest.approx(exact, rel=1e-9)
