"""Edges of noise and exponents: planted ones are found, definitions written out agree, and nothing else moves them."""

import math
from collections import Counter

import numpy as np
import pytest
import torch
from scipy import integrate, stats
from torch import Tensor

from boundaudit.numeric import tails

REPEATS = 100


def noise(rows: int, columns: int, seed: int) -> Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def values_of(matrix: Tensor) -> Tensor:
    return tails.singular_values(matrix[None])[0]


def with_eigenvalues(eigenvalues: np.ndarray) -> Tensor:
    return torch.from_numpy(np.sort(eigenvalues)[::-1].copy()).sqrt()


def pareto(alpha: float, count: int, seed: int) -> Tensor:
    return with_eigenvalues(np.random.default_rng(seed).uniform(size=count) ** (-1 / (alpha - 1)))


@pytest.mark.parametrize("shape", [(5000, 7), (7, 5000), (30, 30), (40, 31), (1, 9)])
@pytest.mark.parametrize("form", [torch.float64, torch.float32, torch.bfloat16])
def test_singular_values_are_those_of_each_matrix(shape: tuple[int, int], form: torch.dtype) -> None:
    stack = torch.stack([noise(*shape, seed) for seed in range(2)]).to(form)
    for matrix, found in zip(stack, tails.singular_values(stack), strict=True):
        expected = np.linalg.svd(matrix.double().numpy(), compute_uv=False)
        assert found.numpy() == pytest.approx(expected, rel=1e-12, abs=1e-12 * expected[0])


@pytest.mark.parametrize("ratio", [1.0, 0.7, 0.1, 0.01])
def test_half_of_the_marchenko_pastur_density_is_below_the_median(ratio: float) -> None:
    low, high = (1 - math.sqrt(ratio)) ** 2, (1 + math.sqrt(ratio)) ** 2
    root = np.linspace(math.sqrt(low), math.sqrt(tails.median(ratio)), 400_001)[1:]  # λ = root², where 1/λ is tame
    density = np.sqrt(np.maximum((high - root**2) * (root**2 - low), 0)) / (2 * math.pi * ratio * root**2)
    assert integrate.trapezoid(density * 2 * root, root) == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("shape", [(300, 200), (200, 300), (250, 250)])
def test_planted_spikes_are_counted_and_stand_where_they_should(shape: tuple[int, int]) -> None:
    """A spike is pulled out of noise from σ(nm)^(1/4) on (Benaych-Georges & Nadakuditi 2012)."""
    deviation, threshold = 0.7, 0.7 * math.prod(shape) ** 0.25
    for sizes in ([0.5], [1.7, 2.5, 4.0]):
        left, right = (torch.linalg.qr(noise(side, len(sizes), side)).Q for side in shape)
        planted = left @ torch.diag(threshold * torch.tensor(sizes, dtype=torch.float64)) @ right.mT
        values = values_of(planted + deviation * noise(*shape, 5))
        found = tails.bulk(values, shape)
        assert found.beyond == sum(size > 1 for size in sizes)
        assert found.deviation == pytest.approx(deviation, rel=0.05)
        assert found.edge == pytest.approx((deviation * (math.sqrt(shape[0]) + math.sqrt(shape[1]))) ** 2, rel=0.1)
        assert found.soft_rank == pytest.approx(found.edge / float(values[0]) ** 2)
    theta = 4 * threshold
    expected = math.prod(theta**2 + deviation**2 * side for side in shape) / theta**2
    assert float(values[0]) ** 2 == pytest.approx(expected, rel=0.05)


def test_an_eigenvalue_is_beyond_from_the_quantile_of_the_largest_on() -> None:
    """Johnstone's centre and scale of the largest eigenvalue of 200 × 120 noise, and 2.0234 scales above."""
    values = values_of(noise(200, 120, 4))
    roots = math.sqrt(199) + math.sqrt(120)
    quantile = roots**2 + 2.0234 * roots * (1 / math.sqrt(199) + 1 / math.sqrt(120)) ** (1 / 3)
    for share, count in ((0.999, 0), (1.001, 1)):
        values[0] = tails.bulk(values, (200, 120)).deviation * math.sqrt(share * quantile)
        assert tails.bulk(values, (200, 120)).beyond == count


def test_noise_has_no_spikes_and_no_power_law() -> None:
    judged, beyond = Counter[str](), 0
    for seed in range(REPEATS):
        shape = [(60, 100), (120, 80), (90, 90)][seed % 3]
        values = values_of(noise(*shape, seed))
        beyond += tails.bulk(values, shape).beyond > 0
        fit = tails.power_law(values, shape)
        judged[fit.judged if fit else "none"] += 1
    assert beyond <= 10
    assert set(judged) == {"excluded", "too short"}
    assert judged["excluded"] > REPEATS / 3


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [pytest.param(1.7, marks=pytest.mark.slow), 2.5, 4.0])
def test_planted_exponents_are_found_within_their_error(alpha: float) -> None:
    fits = [tails.power_law(pareto(alpha, 300, seed), (300, 400)) for seed in range(REPEATS)]
    offs = [(fit.alpha - alpha) / fit.error for fit in fits if fit]
    assert len(offs) == REPEATS
    assert sum(abs(off) < 2 for off in offs) >= 85
    assert sum(fit.judged == "not excluded" for fit in fits if fit) >= 85


@pytest.mark.slow
def test_other_tails_are_excluded() -> None:
    draw = np.random.default_rng(0)
    for eigenvalues in (draw.lognormal(0, 1, (40, 500)), draw.exponential(1, (40, 500))):
        fits = [tails.power_law(with_eigenvalues(one), (500, 500)) for one in eigenvalues]
        assert sum(fit.judged == "excluded" for fit in fits if fit) >= 16


def test_the_test_against_log_normal_tails_has_its_level() -> None:
    draws = torch.from_numpy(np.random.default_rng(1).exponential(2, (1000, 60)))
    ps = [tails._against_lognormal(one) for one in draws]
    assert stats.kstest(ps, "uniform").pvalue > 0.01


def test_a_fit_is_what_its_definition_says() -> None:
    values = values_of(noise(60, 50, 3) @ torch.diag(torch.linspace(0.1, 3, 50, dtype=torch.float64) ** 2))
    found = tails.power_law(values, (60, 50))
    assert found is not None
    ascending = np.sort(values.numpy() ** 2)
    fits = []
    for i, least in enumerate(ascending[:-1]):
        tail = ascending[i:]
        alpha = 1 + len(tail) / np.log(tail / least).sum()
        gaps = np.abs(1 - (tail / least) ** (1 - alpha) - np.arange(len(tail)) / len(tail))
        fits.append((gaps.max(), alpha, least, len(tail)))
    distance, alpha, least, count = min(fits)
    assert (found.distance, found.alpha, found.least) == pytest.approx((distance, alpha, least), rel=1e-10)
    assert found.tail == count
    assert found.error == pytest.approx((alpha - 1) / math.sqrt(count))
    tail = ascending[ascending >= least * (1 - 1e-12)]
    logs = np.log(tail[1:] / tail[0])
    drawn = tails._coefficients(count - 1).numpy()
    assert found.lognormal_p == (1 + (drawn <= (logs**2).mean() / logs.mean() ** 2).sum()) / (1 + len(drawn))
    each = stats.pareto.logpdf(tail, alpha - 1, scale=least)
    each -= stats.expon.logpdf(tail, loc=least, scale=tail.mean() - least)
    assert found.exponential_ratio == pytest.approx(each.sum() / each.std() / math.sqrt(count), rel=1e-8)
    assert found.exponential_p == pytest.approx(2 * stats.norm.sf(abs(found.exponential_ratio)), rel=1e-10)


@pytest.mark.parametrize("factor", [2.0**-300, 1e-12, 1.0, 3.0, 1e12])
def test_only_eigenvalues_scale(factor: float) -> None:
    """Scaled, permuted and transposed: exponents, distances, tests, ranks and counts stay."""
    matrix = noise(90, 60, 1) @ torch.diag(pareto(2.5, 60, 1))
    other = factor * matrix[torch.randperm(90)][:, torch.randperm(60)].mT
    plain, scaled = tails.power_law(values_of(matrix), (90, 60)), tails.power_law(values_of(other), (60, 90))
    assert plain is not None
    assert scaled is not None
    for name in ("alpha", "error", "tail", "distance", "lognormal_p", "exponential_ratio", "exponential_p"):
        assert getattr(scaled, name) == pytest.approx(getattr(plain, name), rel=1e-8), name
    assert scaled.start == pytest.approx(plain.start + 2 * math.log(factor))
    before, after = tails.bulk(values_of(matrix), (90, 60)), tails.bulk(values_of(other), (60, 90))
    assert after.beyond == before.beyond
    assert after.soft_rank == pytest.approx(before.soft_rank)
    assert after.deviation == pytest.approx(before.deviation * factor)


@pytest.mark.slow
def test_the_curve_of_noise_falls_from_all_to_half_an_eigenvalue() -> None:
    found = tails.bulk(values_of(noise(400, 300, 2)), (400, 300))
    eigenvalues, shares = tails.noise_above(found, (400, 300))
    measured = [float((values_of(noise(400, 300, 2)) ** 2 > eigenvalue).double().mean()) for eigenvalue in eigenvalues]
    assert shares == pytest.approx(measured, abs=0.03)
    assert eigenvalues == sorted(eigenvalues)
    assert eigenvalues[-1] < found.edge
    assert 1 / 600 < shares[-1] < 1 / 300


@pytest.mark.parametrize("matrix", [torch.ones(1, 1), torch.ones(1, 50), torch.eye(60), torch.ones(40, 30)], ids=str)
def test_matrices_without_a_spectrum_to_fit(matrix: Tensor) -> None:
    values, shape = values_of(matrix), (matrix.shape[0], matrix.shape[1])
    assert tails.power_law(values, shape) is None
    found = tails.bulk(values, shape)
    flat = matrix.shape == (40, 30)
    assert (found.deviation == 0, found.beyond) == (flat, int(flat))


def test_units_of_a_relu_layer_rescaled_change_every_number_and_not_the_function() -> None:
    """What the page on spectra says: soft rank and exponent of a matrix are not of the function that a network is."""
    into, out, inputs = noise(256, 128, 0), noise(128, 256, 1), noise(128, 9, 2)
    units = torch.rand(256, generator=torch.Generator().manual_seed(3), dtype=torch.float64) ** -0.5
    before, after = (out @ (into @ inputs).relu(), (out / units) @ (units[:, None] * into @ inputs).relu())
    assert torch.allclose(before, after, rtol=1e-10)
    plain, scaled = values_of(into), values_of(units[:, None] * into)
    assert tails.bulk(plain, (256, 128)).soft_rank > 1 > 5 * tails.bulk(scaled, (256, 128)).soft_rank
    first, second = tails.power_law(plain, (256, 128)), tails.power_law(scaled, (256, 128))
    assert first is not None
    assert second is not None
    assert second.alpha < first.alpha - 2 * (first.error + second.error)


def test_an_exponent_alone_is_that_of_the_fit_and_needs_three_eigenvalues() -> None:
    uniform = (torch.arange(500, dtype=torch.float64) + 0.5) / 500
    values = uniform ** (-1 / 3)  # eigenvalues of density ~ x^-2.5
    fit = tails.power_law(values, (500, 500))
    assert fit is not None
    assert tails.exponent(values, (500, 500)) == fit.alpha == pytest.approx(2.5, rel=0.05)
    assert tails.power_law(values[:8], (8, 8)) is None
    assert tails.exponent(7 * values[:8], (8, 8)) == pytest.approx(tails.exponent(values[:8], (8, 8)))
    for few in ([1.0, 0.5, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]):
        assert tails.exponent(torch.tensor(few, dtype=torch.float64), (4, 4)) is None
