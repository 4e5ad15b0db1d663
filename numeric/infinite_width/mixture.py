"""Mixtures of centred normal laws: what one output is, given by nodes for its conditional variance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

_GROUP = 2**22
"""Numbers held at once."""
_HALVINGS = 40


class PointEstimate(NamedTuple):
    """A number and its standard error, or for a divergence the floor below which it cannot be told from zero."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class NormalMixture:
    """N(0, V) with V drawn from weighted nodes, in R replicates whose spread tells the error of the integration.

    V and weights have shape (R, N), R at least 2; V is zero where the law has an atom there, each row of weights adds
    up to one.
    """

    variances: Tensor
    weights: Tensor

    def expectation(self, values: Tensor) -> Tensor:
        """Of a function of V, shape (R, N), in each replicate, shape (R,)."""
        return (self.weights * values).sum(-1)

    def cdf(self, at: Tensor) -> Tensor:
        """P[y ≤ at] in each replicate, shape (R, G), at points of shape (G,)."""
        return self._over(at, torch.special.ndtr)

    def density(self, at: Tensor) -> Tensor:
        """The density in each replicate, shape (R, G), with variances of at least 1e-12 of the largest."""

        def normal(z: Tensor) -> Tensor:
            return (-z.square() / 2).exp() / math.sqrt(2 * math.pi)

        variances = self.variances.clamp_min(1e-12 * float(self.variances.max()))
        return NormalMixture(variances, self.weights / variances.sqrt())._over(at, normal)

    def _over(self, at: Tensor, function: object) -> Tensor:
        assert callable(function)
        inverse = self.variances.clamp_min(1e-300).rsqrt()
        step = max(1, _GROUP // max(1, inverse[0].numel()))
        parts = [
            torch.stack([w @ function(i[:, None] * some) for i, w in zip(inverse, self.weights, strict=True)])
            for some in torch.split(at, step)
        ]
        return torch.cat(parts, -1)

    @property
    def mean_variance(self) -> Tensor:
        """E V in each replicate, shape (R,)."""
        return self.expectation(self.variances)

    @property
    def variance_of_variance(self) -> Tensor:
        """Var V in each replicate, shape (R,)."""
        return self.expectation((self.variances - self.mean_variance[:, None]).square())

    @property
    def excess_kurtosis(self) -> Tensor:
        """3 Var V/(E V)² in each replicate, shape (R,)."""
        return 3 * self.variance_of_variance / self.mean_variance.square()

    @property
    def scale(self) -> float:
        """The standard deviation of y."""
        return math.sqrt(float(self.mean_variance.mean()))

    def quantiles(self, levels: Tensor) -> Tensor:
        """Where the mean CDF reaches levels (L,) from 1e-30 to 1 - 1e-15, by bisection to 1e-10 standard deviations."""
        high = torch.full_like(levels, 40 * self.scale)
        low = -high
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            above = self.cdf(middle).mean(0) >= levels
            low, high = torch.where(above, low, middle), torch.where(above, middle, high)
        return (low + high) / 2


def normal_law(variance: float) -> NormalMixture:
    """A normal law as a mixture, one node in each of two replicates."""
    one = torch.ones(2, 1, dtype=torch.float64)
    return NormalMixture(variance * one, one)


def mean_and_error(replicates: Tensor) -> PointEstimate:
    """The mean over replicates, shape (R,), R at least 2, and its standard error."""
    return PointEstimate(float(replicates.mean()), float(replicates.std() / math.sqrt(len(replicates))))


def largest(replicates: Tensor) -> PointEstimate:
    """The mean over replicates, shape (R, G), that is largest in size, as its size, and its standard error."""
    mean, error = mean_and_error(replicates[:, int(replicates.mean(0).abs().argmax())])
    return PointEstimate(abs(mean), error)
