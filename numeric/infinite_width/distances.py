"""How far two laws are apart, with the error of the integration and the floor that a sample of finite size sets.

Where two laws have as many replicates, of the same nodes, their differences are free of most of the noise.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from boundaudit.numeric.infinite_width.mixture import NormalMixture, PointEstimate, largest, mean_and_error

_STEPS, _POINTS, _BINS = 140, 500, 2048


def ks_distance(first: NormalMixture, second: NormalMixture, points: int = 120) -> PointEstimate:
    """The largest difference of two CDFs, by symmetry sought above zero, on a grid that ends at 6 standard deviations.

    With the standard error of the difference over replicates where it is attained.
    """
    grid = torch.linspace(0, 6, points + 1, dtype=torch.float64)[1:] * max(first.scale, second.scale)
    return largest(_differences(first.cdf(grid), second.cdf(grid)))


def relative_entropy(first: NormalMixture, second: NormalMixture) -> PointEstimate:
    """KL(first ‖ second).

    As its floor the mean over replicates of ½ ∫ (difference less its mean)²/density, over the number of replicates:
    what integration noise alone would give.
    """
    grid = torch.linspace(0, 7, _STEPS + 1, dtype=torch.float64) * max(first.scale, second.scale)
    rule = torch.full_like(grid, 2 * float(grid[1]))
    rule[[0, -1]] /= 2
    some, other = first.density(grid), second.density(grid)
    mean, base = some.mean(0), other.mean(0)
    # a log(a/b) - a + b, whose integral is the same and whose terms are at least 0
    ratio = mean / base - 1
    value = (base * ((1 + ratio) * torch.log1p(ratio) - ratio) * rule).sum()
    noise = _differences(some, other)
    noise = (noise - noise.mean(0)).square().sum(0) / (len(noise) - 1) / len(noise)
    return PointEstimate(float(value), float((noise / base * rule).sum() / 2))


def variance_gap(first: NormalMixture, second: NormalMixture) -> PointEstimate:
    """E V/E V' - 1, by how much of itself the second law's variance is exceeded, with its standard error."""
    return mean_and_error(first.mean_variance / second.mean_variance - 1)


def excess_gap(first: NormalMixture, second: NormalMixture) -> PointEstimate:
    """By how much the second law's excess kurtosis is exceeded by the first's, with its standard error."""
    return mean_and_error(first.excess_kurtosis - second.excess_kurtosis)


def ks_of_draws(draws: Tensor, law: NormalMixture) -> float:
    """Kolmogorov and Smirnov's statistic of independent draws (N,) against the law's CDF, interpolated to 2e-5."""
    import numpy as np

    y = np.sort(draws.cpu().numpy())
    grid = torch.linspace(0, 12, 601, dtype=torch.float64) * law.scale
    above = law.cdf(grid).mean(0).numpy()
    at = np.interp(np.abs(y), grid.numpy(), above)
    at = np.where(y < 0, 1 - at, at)
    steps = np.arange(len(y) + 1) / len(y)
    return float(max((steps[1:] - at).max(), (at - steps[:-1]).max()))


def dkw_floor(draws: int, failure: float = 0.05) -> float:
    """√(ln(2/failure)/(2 draws)), what the empirical CDF of draws from the law stays below, but with that probability.

    Dvoretzky, Kiefer and Wolfowitz's inequality with Massart's constant.
    """
    return math.sqrt(math.log(2 / failure) / (2 * draws))


def kde_divergence(first: Tensor, second: Tensor) -> float:
    """KL between Gaussian kernel density estimates on a grid of 500 points, as the authors' public code computes it.

    Of draws, shapes (N,) and (M,). It is that of the normalised values on the grid; draws are binned on a grid four
    times as fine, Scott's rule gives the bandwidth, and 1e-12 is added to each density.
    """
    low, high = (float(end) for end in torch.cat([first, second]).aminmax())
    grid = torch.linspace(low, high, _POINTS, dtype=torch.float64)
    densities = [_kernel_density(draws.cpu(), grid) + 1e-12 for draws in (first, second)]
    p, q = (density / density.sum() for density in densities)
    return float((p * (p / q).log()).sum())


def _kernel_density(draws: Tensor, grid: Tensor) -> Tensor:
    low, high = float(grid[0]), float(grid[-1])
    counts = torch.histc(draws, _BINS, low, high)
    width = (high - low) / _BINS
    centres = low + width * (torch.arange(_BINS, dtype=torch.float64) + 0.5)
    bandwidth = float(draws.std()) * len(draws) ** -0.2
    kernels = (-((grid[:, None] - centres) / bandwidth).square() / 2).exp()
    density: Tensor = kernels @ counts / (len(draws) * bandwidth * math.sqrt(2 * math.pi))
    return density


def _differences(first: Tensor, second: Tensor) -> Tensor:
    """Replicate by replicate where both have as many, else against the mean of the one with fewer."""
    if len(first) == len(second):
        return first - second
    return first - second.mean(0) if len(first) > len(second) else first.mean(0) - second
