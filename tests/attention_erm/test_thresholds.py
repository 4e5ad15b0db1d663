"""Thresholds: tabulated values, quadrature in 30 digits, and limits."""

import mpmath
import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.attention_erm import (
    direct_error,
    discrete_target,
    functionals,
    gaussian_target,
    interpolation,
    linear_state,
    recovery,
)


@pytest.mark.slow
@pytest.mark.parametrize(("kappa0", "alpha"), [(0.1, 0.263471), (0.5, 0.306964), (1.0, 0.344659)])
def test_interpolation(kappa0: float, alpha: float) -> None:
    found = interpolation(gaussian_target(kappa0), 0.5)
    assert found.alpha == pytest.approx(alpha, abs=6e-7)
    assert interpolation(gaussian_target(kappa0), 0.5, 3).alpha == pytest.approx(found.alpha / 5, rel=1e-12)


@pytest.mark.slow
def test_the_peak_of_another_temperature_is_that_of_a_stretched_target() -> None:
    found, plain = (interpolation(gaussian_target(0.3), 0.3, 2, c) for c in (2.0, 1.0))
    assert found.alpha == plain.alpha
    assert found.error == pytest.approx(11.94, abs=0.01)
    # Fitting 2 S0 at four times the noise is the same problem; its error is to 2 S0, of which q and m follow.
    spread = discrete_target([0.0, 1.0], [0.5, 0.5])
    twice = interpolation(discrete_target([0.0, 2.0], [0.5, 0.5]), 1.2, 2)
    own = interpolation(spread, 0.3, 2, 2.0)
    assert twice.alpha == pytest.approx(own.alpha, rel=1e-9)
    m = 2 * (0.5 + 0.15)
    assert own.error == pytest.approx(twice.error - 2.0 + 4 * m + 0.5 - 2 * m, rel=1e-9)


@pytest.mark.slow
def test_the_peak_is_finite_and_the_limit_of_small_penalties() -> None:
    found = interpolation(gaussian_target(0.5), 0.5)
    assert found.delta == pytest.approx(2.292821, abs=1e-6)
    assert found.error == pytest.approx(2.977438, abs=1e-6)
    errors = [float(linear_state(gaussian_target(0.5), found.alpha, size, 0.5).error) for size in (1e-6, 1e-8)]
    assert errors == pytest.approx([2.8209, 2.9428], abs=1e-4)


@pytest.mark.parametrize(
    ("kappa0", "alpha"), [(0.1, 0.15757), (0.25, 0.29394), (0.5, 0.42217), (0.75, 0.48276), (1.0, 0.5)]
)
def test_recovery_is_the_least_of_an_integral_in_30_digits(kappa0: float, alpha: float) -> None:
    found = float(recovery(kappa0))
    assert found == pytest.approx(alpha, abs=6e-6)
    with mpmath.workdps(30):
        w = mpmath.sqrt(1 - mpmath.mpf(kappa0))

        def slope(c: mpmath.mpf) -> mpmath.mpf:
            f = mpmath.quad(lambda s: (w * s - c) * mpmath.sqrt(4 - s * s), [c / w, 2]) / (2 * mpmath.pi)
            return kappa0 * c - (1 - kappa0) * f

        def value(c: mpmath.mpf) -> mpmath.mpf:
            f = mpmath.quad(lambda s: (w * s - c) ** 2 * mpmath.sqrt(4 - s * s), [c / w, 2]) / (2 * mpmath.pi)
            return (kappa0 * (2 - kappa0) + kappa0 * c**2 + (1 - kappa0) * f) / 2

        wanted = value(mpmath.findroot(slope, (0, 2 * w), solver="anderson")) if kappa0 < 1 else mpmath.mpf("0.5")
    assert found == pytest.approx(float(wanted), rel=1e-12)


def test_recovery_of_many_ranks_at_once() -> None:
    ranks = torch.tensor([[1e-6, 0.1], [0.5, 1.0]], dtype=torch.float64)
    found = recovery(ranks, 3)
    one_by_one = [[float(recovery(float(rank), 3)) for rank in row] for row in ranks]
    assert torch.allclose(found, torch.tensor(one_by_one, dtype=torch.float64), rtol=1e-14)
    with pytest.raises(InputError, match="width-ratio"):
        recovery(torch.tensor([0.5, 0.0]))


def test_small_ranks() -> None:
    assert float(recovery(1e-4)) / 1e-4 == pytest.approx(3, rel=0.2)


def test_direct_training_needs_all_parameters() -> None:
    assert direct_error(gaussian_target(0.5), [0.15, 0.5, 0.7]).tolist() == pytest.approx([1.05, 0, 0])
    assert direct_error(gaussian_target(0.5), 0.15, 2).tolist() == pytest.approx([0.6])


def test_functionals() -> None:
    assert [functionals(tokens) for tokens in (1, 2, 3, 4)] == [1, 2, 5, 9]
    with pytest.raises(InputError, match="tokens"):
        functionals(0)
    with pytest.raises(InputError, match="noise"):
        interpolation(gaussian_target(0.5), 0.0)
