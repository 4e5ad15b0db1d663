"""The convolution with a semicircle: against the cubic, quadrature in 30 digits, and identities of moments."""

import itertools
import math

import mpmath
import pytest
import torch
from flint import acb_poly, arb

from boundaudit import InputError
from boundaudit.numeric.attention_erm import (
    convolve,
    discrete_target,
    gaussian_target,
    outliers,
    sample_spectrum,
    spiked_target,
    trained_spectrum,
)
from boundaudit.numeric.attention_erm.free_convolution import Curve
from boundaudit.numeric.attention_erm.targets import Target

TARGETS = {
    "half": gaussian_target(0.5), "full": gaussian_target(1.0), "thin": gaussian_target(0.05),
    "list": discrete_target([0, 1, 3], [0.5, 0.3, 0.2]), "point": discrete_target([1.0]),
    "spikes": spiked_target([4.0], [0.1], gaussian_target(0.3)),
    "power": discrete_target([6**0.5 / i for i in range(1, 7)]),
}  # fmt: skip


def law_at(target: Target, delta: float, places: torch.Tensor) -> Curve:
    """The density and the transform of S0 + δZ."""
    convolution = convolve(target, torch.full_like(places, delta))
    return convolution.curve(convolution.locate(places))


def cubic(kappa0: float, delta: float, x: mpmath.mpf) -> mpmath.mpc:
    """The transform at x of the Gaussian case, from the cubic that its R-transform gives."""
    a, variance = 1 / mpmath.sqrt(kappa0), mpmath.mpf(delta) ** 2
    coefficients = [-1, x + a - mpmath.sqrt(kappa0), -(variance + a * x), a * variance]
    roots = acb_poly(list(map(arb, coefficients))).roots(tol=1e-40, maxprec=2000)
    return min(map(mpmath.mpmathify, roots), key=lambda g: g.imag)


def moment(kappa0: float, delta: float, level: float) -> mpmath.mpf:
    """J by quadrature in 30 digits, between the branch points of the cubic."""
    with mpmath.workdps(30):
        a, variance = 1 / mpmath.sqrt(kappa0), mpmath.mpf(delta) ** 2
        # z'(g) = 0 with z = √κ0/(1 - a g) + 1/g + δ² g.
        slopes = mpmath.polyroots(
            [variance * a**2, -2 * a * variance, variance + 1 - a**2, 2 * a, -1], maxsteps=500, extraprec=200
        )
        places = [mpmath.sqrt(kappa0) / (1 - a * g) + 1 / g + variance * g for g in slopes]
        ends = sorted(place.real for place in places)
        kept = [mpmath.mpf(level), *(end for end in ends if end > level)]
        return sum(
            mpmath.quad(lambda x: (x - level) ** 2 * abs(cubic(kappa0, delta, x).imag) / mpmath.pi, [low, high])
            for low, high in itertools.pairwise(kept)
        )


@pytest.mark.slow
@pytest.mark.parametrize(("kappa0", "delta", "level"), [(0.25, 0.3, 0.1), (1.0, 1.5, 0.0)])
def test_the_truncated_moment_is_that_of_the_cubic_in_30_digits(kappa0: float, delta: float, level: float) -> None:
    convolution = convolve(gaussian_target(kappa0), delta)
    found = convolution.above(convolution.locate(level))
    assert float(found.second) == pytest.approx(float(moment(kappa0, delta, level)), rel=1e-9)


@pytest.mark.slow
def test_derivatives_are_those_of_the_moment() -> None:
    h, at = mpmath.mpf("1e-10"), (0.7, 0.3)
    with mpmath.workdps(30):
        here = moment(0.5, *at)
        by_delta = (moment(0.5, at[0] + h, at[1]) - here) / h
        by_level = (moment(0.5, at[0], at[1] + h) - here) / h
    convolution = convolve(gaussian_target(0.5), at[0])
    found = convolution.above(convolution.locate(at[1]))
    assert 4 * at[0] * float(found.moment_pull) == pytest.approx(float(by_delta), rel=1e-8)
    assert -2 * float(found.first) == pytest.approx(float(by_level), rel=1e-8)


def test_density_and_transform_are_the_cubics() -> None:
    places = torch.tensor([-0.5, 0.1, 0.6, 2.5, 4.0], dtype=torch.float64)
    found = law_at(gaussian_target(0.5), 0.6, places)
    for k, place in enumerate(places.tolist()):
        g = cubic(0.5, 0.6, mpmath.mpf(place))
        assert float(found.density[k]) == pytest.approx(float(-g.imag / mpmath.pi), rel=1e-8, abs=1e-12)
        assert float(found.hilbert[k]) == pytest.approx(float(g.real), rel=1e-8)


@pytest.mark.parametrize("name", TARGETS)
def test_mass_and_moments(name: str) -> None:
    target = TARGETS[name]
    convolution = convolve(target, torch.tensor([0.01, 0.1, 0.5, 2.0], dtype=torch.float64))
    tail = convolution.above(torch.full((4,), -torch.inf, dtype=torch.float64))
    assert tail.mass.tolist() == pytest.approx([1.0] * 4, rel=1e-8)
    assert tail.first.tolist() == pytest.approx([target.mean] * 4, rel=2e-7)
    assert tail.second.tolist() == pytest.approx((target.second_moment + convolution.delta**2).tolist(), rel=1e-7)


def test_a_point_gives_a_semicircle() -> None:
    target = discrete_target([1.0])
    convolution = convolve(target, 0.5)
    ends = torch.stack([convolution.lower.amin(-1), convolution.upper.amax(-1)], -1)
    assert convolution.curve(ends).x[0].tolist() == pytest.approx([0.0, 2.0], abs=1e-12)
    x = torch.linspace(0.1, 1.9, 7, dtype=torch.float64)
    wanted = (1 - (x - 1) ** 2).sqrt() * 2 / math.pi
    assert law_at(target, 0.5, x).density.tolist() == pytest.approx(wanted.tolist(), rel=1e-9)


def test_a_spectrum_splits_into_intervals() -> None:
    for delta, gaps in ((0.2, 1), (3.0, 0)):
        found = convolve(discrete_target([0, 4]), delta)
        apart = found.lower[0].sort().values[1:] - found.upper[0].sort().values[:-1]
        assert int((apart > 1e-12).sum()) == gaps


def test_outliers() -> None:
    null = outliers(spiked_target([0.5, 2.0]), 1.0)
    assert [(one.source, one.place, one.overlap) for one in null] == [(2.0, 2.5, 0.75)]
    bulk = gaussian_target(0.3)
    (one,) = outliers(spiked_target([6.0], bulk=bulk), 1.0)
    assert one.place > trained_spectrum(bulk, 1.0, 0.0).edge
    assert one.place != pytest.approx(6 + 1 / 6, rel=1e-3)
    # Its place is where the transform of the bulk at δ leads back to the spike.
    place = torch.tensor([one.place], dtype=torch.float64)
    assert one.place - float(law_at(bulk, 1.0, place).hilbert) == pytest.approx(6.0, rel=1e-10)


def test_trained_spectra_have_their_mass_and_are_those_of_samples() -> None:
    target = gaussian_target(0.5)
    law = trained_spectrum(target, 0.776, 0.148, 0.9)
    assert law.mass_at_zero + float(torch.trapezoid(law.density, law.places)) == pytest.approx(1.0, abs=1e-4)
    generator = torch.Generator().manual_seed(1)
    drawn = sample_spectrum(target, 100, 0.776, 0.148, 0.9, draws=20, generator=generator)
    assert float((drawn == 0).double().mean()) == pytest.approx(law.mass_at_zero, abs=0.01)
    mean = float(torch.trapezoid(law.density * law.places, law.places))
    assert float(drawn.mean()) == pytest.approx(mean, rel=0.02)


def test_what_is_no_target_is_refused() -> None:
    for field, call in {
        "width-ratio": lambda: gaussian_target(0.0),
        "eigenvalues": lambda: discrete_target([-1.0, 2.0]),
        "weights": lambda: discrete_target([1.0, 2.0], [0.5, 0.6]),
        "spikes": lambda: spiked_target([0.0]),
        "delta": lambda: convolve(gaussian_target(1.0), 0.0),
    }.items():
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.field == field


@pytest.mark.parametrize("kappa0", [0.02, 0.4, 1.0])
def test_far_noise_leaves_the_whole_law(kappa0: float) -> None:
    """At every δ the law has mass 1 and the moments m, Q0 + δ²; its upper part is what a semicircle about m has."""
    target = gaussian_target(kappa0)
    delta = torch.tensor([1.0, 1e3, 3e3, 1e6], dtype=torch.float64)
    found = convolve(target, delta)
    whole, upper = found.above(torch.full_like(delta, -torch.inf)), found.above(found.locate(0.0))
    assert whole.mass.tolist() == pytest.approx([1.0] * 4, abs=1e-11)
    assert (whole.second / (target.second_moment + delta**2)).tolist() == pytest.approx([1.0] * 4, rel=1e-10)
    first = delta[-1] ** 2 / 2 + 8 / (3 * math.pi) * target.mean * delta[-1]
    assert float(upper.second[-1] / first - 1) == pytest.approx(0.0, abs=1e-10)
