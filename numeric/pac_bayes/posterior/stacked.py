"""Diagonal Gaussians on the weights of S networks at once: posteriors, and priors whose scale is chosen from a grid.

Weights are flat, shape (S, P), and everything is float64: a network that computes in float32 rounds what it is given,
which only lowers the relative entropy, as any map of the weights does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.gaussian import gaussian_kl

SCALES = tuple(2.0 ** (k / 16) for k in range(-192, 65))
"""Factors of a prior's scale from 2^-12 to 16, a sixteenth of a power of two apart: 5.5 nats for a block.

The nearest factor costs a block of P weights about P (ln 2/32)² = P/2131 nats more than the best, at most."""

MOST_CHOICES = 1e200
"""Union bounds over more are refused: δ over the count has to be a float."""

_ROUNDING = 2.0**-48
"""A coordinate's relative entropy is a dozen roundings of 2^-53 each, relative to its terms."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """N(mean, diag(scale²)), one for each of S networks; scales have shape (S, P) as the means, or broadcast to it."""

    mean: Tensor
    scale: Tensor

    def __post_init__(self) -> None:
        if self.mean.ndim != 2:
            raise InputError("mean", "shape (S, P)", tuple(self.mean.shape), "flatten the weights of each network")
        _in_full(self)

    def sample(self, generator: torch.Generator | None = None) -> Tensor:
        """One draw of each network's weights, shape (S, P), with gradients to mean and scale."""
        noise = torch.randn(self.mean.shape, generator=generator, dtype=self.mean.dtype, device=self.mean.device)
        return self.mean + self.scale * noise

    def kl(self, prior: Prior) -> Tensor:
        """The relative entropy to the prior at the best scales of its grid, in nats, with gradients, shape (S,)."""
        return self._terms(prior).sum(-1).clamp_min(0)

    def certified_kl(self, prior: Prior) -> list[float]:
        """Upper ends of `kl`, each rounding included, one for each network."""
        tau = prior.chosen(self)
        shift, ratio = ((self.mean - prior.mean) / tau).square(), (self.scale / tau).square()
        slack = _ROUNDING * (1 + shift + ratio + ratio.log().abs())
        rows = (self._terms(prior) + slack).detach().tolist()
        return [max(0.0, math.nextafter(math.fsum(row), math.inf)) for row in rows]

    def _terms(self, prior: Prior) -> Tensor:
        return gaussian_kl((self.mean - prior.mean).square(), self.scale, prior.chosen(self))


@dataclass(frozen=True, eq=False)
class Prior:
    """N(mean, diag(factor² scale²)): fixed before the samples are seen, but for the factor of each block.

    Each posterior takes the factors of the grid that are best for it; a bound pays for that by a union bound over
    `choices`.

    Attributes:
        mean: shape (P,), or (S, P).
        scale: standard deviations, of a shape that broadcasts with the mean's.
        grid: the factors, above 0; one alone is fixed.
        blocks: how many consecutive weights share a factor, adding up to P; all of them unless given.
    """

    mean: Tensor
    scale: Tensor
    grid: tuple[float, ...] = (1.0,)
    blocks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _in_full(self)
        object.__setattr__(self, "blocks", tuple(self.blocks) or (self.mean.shape[-1],))
        if not self.grid or not min(self.grid) > 0:
            raise InputError("grid", "factors above 0", self.grid, "correct the grid")
        if sum(self.blocks) != self.mean.shape[-1]:
            raise InputError("blocks", f"sizes adding up to {self.mean.shape[-1]}", sum(self.blocks), "correct blocks")
        if self.choices > MOST_CHOICES:
            raise InputError("blocks", f"at most {MOST_CHOICES:g} choices", "more", "let more weights share a factor")

    @property
    def choices(self) -> int:
        """How many priors a posterior chooses from."""
        return int(len(self.grid) ** len(self.blocks))

    def chosen(self, posterior: Posterior) -> Tensor:
        """Deviations (S, P) of the prior nearest to each posterior, without gradients: the choice jumps."""
        with torch.no_grad():
            spread = ((posterior.mean - self.mean).square() + posterior.scale.square()) / self.scale.square()
            sums = torch.stack([part.sum(-1) for part in spread.split(self.blocks, -1)], -1)  # type: ignore[no-untyped-call]
            factors = torch.tensor(self.grid, dtype=torch.float64, device=sums.device)
            counts = torch.tensor(self.blocks, device=sums.device)
            cost = sums[..., None] / factors.square() + 2 * counts[:, None] * factors.log()
            return self.scale * factors[cost.argmin(-1)].repeat_interleave(counts, -1)


def _in_full(of: Posterior | Prior) -> None:
    """Mean and scale as float64 of one shape."""
    scale = of.scale.to(of.mean.device, torch.float64)
    if not bool((scale > 0).all()):
        raise InputError("scale", "standard deviations above 0", "others", "correct the scale")
    object.__setattr__(of, "mean", of.mean.double())
    object.__setattr__(of, "scale", scale.expand_as(of.mean))
