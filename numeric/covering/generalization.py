"""Finite classes of losses on independent samples from a finite law: gaps, complexities and deviations, exactly.

Every number is a sum over all samples, all pairs of samples or all signs. Gaps and complexities are m times as large as
usual, so that one observation moves them by at most one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.covering.rademacher import all_signs


@dataclass(frozen=True)
class Sampling:
    """Losses in [0, 1] of n functions at q observations, shape (n, q), of which m are drawn by a law of shape (q)."""

    samples: int
    law: Tensor
    losses: Tensor

    @functools.cached_property
    def chances(self) -> Tensor:
        """Of all samples, shape (q^m), the first observation being the slowest index."""
        return _spread(self.law, self.samples)

    @functools.cached_property
    def gaps(self) -> Tensor:
        """The largest risk less mean loss of each sample, times m, shape (q^m)."""
        ones = torch.ones(self.samples, dtype=torch.float64)
        return (self.samples * (self.losses @ self.law)[:, None] - _sums(self.losses, ones)).amax(0)

    @functools.cached_property
    def complexities(self) -> Tensor:
        """The Rademacher complexity of the losses on each sample, times m, shape (q^m)."""
        return self._over_signs(self.losses)

    @property
    def mean_gap(self) -> Tensor:
        """Over all samples."""
        return self.chances @ self.gaps

    @property
    def mean_complexity(self) -> Tensor:
        """Over all samples."""
        return self.chances @ self.complexities

    @property
    def ghost(self) -> Tensor:
        """The mean over two samples of the largest difference of the sums of a loss."""
        ones = torch.ones(self.samples, dtype=torch.float64)
        return self._pairs @ _sums(self._differences, ones).amax(0)

    @property
    def swapped(self) -> Tensor:
        """The same where fair coins exchange the observations of every place."""
        return self._pairs @ self._over_signs(self._differences)

    @property
    def _differences(self) -> Tensor:
        """Of a loss at two observations, shape (n, q²)."""
        return (self.losses[:, :, None] - self.losses[:, None, :]).flatten(1)

    @property
    def _pairs(self) -> Tensor:
        return _spread(torch.outer(self.law, self.law).flatten(), self.samples)

    def _over_signs(self, values: Tensor) -> Tensor:
        signs = all_signs(self.samples, values.device)
        return torch.stack([_sums(values, row).amax(0) for row in signs]).mean(0)

    def revealed(self, table: Tensor) -> list[Tensor]:
        """Means of a function (q^m) of the sample given its first i observations, shape (q^i), for i from 0 to m."""
        means = [table]
        for _ in range(self.samples):
            means.insert(0, means[0].view(-1, len(self.law)) @ self.law)
        return means


def moves(sampling: Sampling, table: Tensor) -> Tensor:
    """What the next observation adds to a conditional mean, above the least that it adds.

    The table is a function of the sample, shape (q^m). A row for each of what has been observed so far, shape (q^m, q),
    the last rows zero.
    """
    later = [mean.view(-1, len(sampling.law)) for mean in sampling.revealed(table)[1:]]
    return _padded(torch.cat([mean - mean.amin(1, keepdim=True) for mean in later]), len(table))


def tilted(sampling: Sampling, table: Tensor, deviation: float) -> Tensor:
    """The chance of what has been observed, times exp(4t(conditional mean - mean) - 2it²) before the i-th observation.

    The deviation is t, the table a function of the sample, shape (q^m); one number for each row of `moves`.
    """
    means = sampling.revealed(table)
    parts = [
        _spread(sampling.law, i) * torch.exp(4 * deviation * (mean - means[0]) - 2 * (i + 1) * deviation**2)
        for i, mean in enumerate(means[:-1])
    ]
    return _padded(torch.cat(parts), len(table))


def chance(sampling: Sampling, event: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """The probability that a number made of all gaps and complexities is not negative; rounding counts as zero."""
    return sampling.chances @ (event(sampling.gaps, sampling.complexities) >= -1e-12).to(torch.float64)


def _padded(rows: Tensor, count: int) -> Tensor:
    return torch.cat([rows, rows.new_zeros(count - len(rows), *rows.shape[1:])])


def _spread(law: Tensor, places: int) -> Tensor:
    """The law of so many independent draws."""
    product = law.new_ones(1)
    for _ in range(places):
        product = torch.outer(product, law).flatten()
    return product


def _sums(values: Tensor, signs: Tensor) -> Tensor:
    """Σ_i σ_i f(z_i) of all functions and samples, shape (functions, samples)."""
    total = values.new_zeros(len(values), 1)
    for sign in signs:
        total = (total[:, :, None] + sign * values[:, None, :]).flatten(1)
    return total
