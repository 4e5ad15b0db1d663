"""A path of posteriors for one target: noise on each group of entries by what it costs and what it gains.

With κ nats per unit of loss and a rise a σ² of the loss, κ a σ² + (p/2) ln(1 + L/(pσ²)) is least at

    σ² = (√(L² + 2p²L/(κa)) - L) / (2p),

which gives a path of posteriors over κ. Noise on W1 and V1 moves the rows' averages within the flat parts of the MLP,
where the second order sees no rise: its limits there are the width of those parts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.sharpness.autodiff import flatten, gradients, repeat
from boundaudit.numeric.sharpness.bound.posterior import (
    Group,
    Noise,
    Posterior,
    sub_blocks,
    used_groups,
    without_dead_units,
)
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SAMPLE = 256
"""Inputs over which sharpness is averaged where noise is chosen; a choice needs no certainty."""


@dataclass(frozen=True)
class Path:
    """Posteriors of `sub_blocks` for one target, a target of the published construction."""

    target: Target
    groups: Mapping[str, Group]
    sharpness: Mapping[str, float]  # a of each group

    @classmethod
    def of(cls, target: Target) -> Path:
        """Measure the sharpness of the construction's groups."""
        batch = TargetBatch.stack([target])
        mean = without_dead_units(build(batch))
        groups = used_groups(mean)
        return cls(target, groups, group_sharpness(mean, batch, groups))

    def posterior(self, samples: int, nats: float, warmth: float) -> Posterior:
        """The posterior for m samples at κ/m nats and a warmth of W1; its prior does not depend on κ or warmth."""
        noise = {
            name: best_noise(self.sharpness[name], group.norm, group.size, nats * samples)
            for name, group in self.groups.items()
        }
        return sub_blocks(self.target, {**noise, **self._limits(samples, warmth, noise["V1"])})

    def _limits(self, samples: int, warmth: float, free: float) -> Noise:
        """Where the second order is not to be trusted: tuned at T = 20, D = 2, ω = 10."""
        return {
            "V1": min(free, 0.044 / self.target.degree),
            "W1": 0.25 * warmth, "W1 other": 1.1, "W1 prior": 2.5,
            "W2 other": 0.88 * (8192 / samples) ** 0.2, "W2 prior": 3.5,
            "rest": 0.09 / math.sqrt(samples),
        }  # fmt: skip


def best_noise(sharpness: float, norm: float, count: int, nats: float) -> float:
    """The σ with the least κ a σ² + (p/2) ln(1 + L/(pσ²)) for κ and L above 0; infinite where a is 0."""
    if sharpness == 0:
        return math.inf
    per_entry = count * norm / (nats * sharpness)
    return math.sqrt(per_entry / (norm + math.sqrt(norm**2 + 2 * count * per_entry)))


def group_sharpness(
    mean: Blocks, batch: TargetBatch, groups: Mapping[str, Group], *, inputs: int = SAMPLE, seed: int = 0
) -> dict[str, float]:
    """The mean over random inputs of the squared derivatives by a group's entries, a by group.

    That is the rise of the loss with σ², but for the part of the residual and of higher orders.
    """
    bits = next(Inputs(batch.max_length, "random", inputs, seed).batches(inputs))
    by_entry = flatten(gradients(repeat(mean, inputs), batch.repeat(inputs), bits)).square().mean(0)
    return {name: float(by_entry[group.where].sum()) for name, group in groups.items()}
