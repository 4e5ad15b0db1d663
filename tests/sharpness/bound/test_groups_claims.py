"""Forms with one variance a group, or clipped: against a minimiser, an inversion by mpmath, and all inputs."""

import math

import mpmath
import pytest
import torch

from boundaudit.checks.sharpness.bound.deterministic import TARGET, kinds_of_inputs, measured
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.bound import published
from boundaudit.numeric.sharpness.bound.clipped import clipped
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.target import TargetBatch


@pytest.mark.slow
def test_kinds_of_inputs_stand_for_all_of_them() -> None:
    bits, share = kinds_of_inputs()
    assert share.sum() == 1
    exact = (share * 2**20).tolist()
    assert all(count == int(count) for count in exact)
    some = torch.randint(0, 2, (1024, 20), generator=torch.Generator().manual_seed(0))
    sample = derivatives(TargetBatch.stack([TARGET]), some).gradient.mean()
    whole = derivatives(TargetBatch.stack([TARGET]), bits).gradient[0] @ share
    assert float(whole) == pytest.approx(float(sample), rel=0.04)
    assert measured("steep").budgets.sharpness_total == pytest.approx(float(whole), rel=1e-10)


@pytest.mark.slow
def test_means_over_all_inputs() -> None:
    """Of the wide trapezoid; of the steep one the kinds of inputs stand for them, as above."""
    found = derivatives(TargetBatch.stack([TARGET]), bit_strings(20, 0, 2**20), mlp="wide")
    for block, squares in found.squared.items():
        assert measured("wide").budgets.sharpness[block] == pytest.approx(float(squares.mean()), rel=1e-9)


@pytest.mark.parametrize(
    ("mlp", "loss", "norm"),
    [("steep", 2.00442589818e-4, 1492.69434834002), ("wide", 1.73268317702e-4, 1109.16309834002)],
)
def test_loss_and_norm(mlp: str, loss: float, norm: float) -> None:
    budgets = measured(mlp).budgets
    assert budgets.residual == pytest.approx(loss, rel=1e-10)
    assert budgets.norm_total == pytest.approx(norm, rel=1e-12)
    assert budgets.count == 2014


def test_a_rescaling_moves_one_variance_and_not_seven() -> None:
    plain, scaled = measured("steep"), measured("steep", 3.0)
    assert scaled.shared == pytest.approx(plain.shared, rel=1e-12)
    assert scaled.coordinates == pytest.approx(plain.coordinates, rel=1e-12)
    assert scaled.isotropic < plain.isotropic / 2


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
