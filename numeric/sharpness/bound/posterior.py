"""Gaussian posteriors around the construction and the priors they are paid for: derived here.

A posterior is N(θ, diag σ_i²) and its prior N(0, diag τ_i²) with τ_i fixed before the sample is seen; σ_i may depend on
the sample. A group of p entries with squared norm L, noise σ² and τ² = σ² + L/p costs (p/2) ln(1 + L/(pσ²)) nats, the
least over τ.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.gaussian import gaussian_kl
from boundaudit.numeric.sharpness.autodiff import flatten, parameters, unflatten
from boundaudit.numeric.sharpness.construction import Blocks, Channels, build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

Noise = Mapping[str, float]
"""A standard deviation for each group of entries, by name."""

MATRICES = ("W1", "W2")
"""The blocks in which noise may depend on the learned components."""


@dataclass(frozen=True)
class Posterior:
    """A Gaussian posterior with independent entries, and its prior around zero."""

    mean: Blocks  # θ, the weights of one network
    sigma: Blocks  # σ_i in the shapes of the blocks; 0 where an entry is frozen
    tau: Blocks  # τ_i; 0 where an entry is frozen, at zero in prior and posterior alike

    @property
    def count(self) -> int:
        """The number of entries that are not frozen."""
        return int((flatten(self.tau) > 0).sum())

    @property
    def kl(self) -> dict[str, float]:
        """The relative entropy of posterior to prior in nats, by block."""
        flat = [flatten(blocks)[0] for blocks in (self.mean, self.sigma, self.tau)]
        return {name: _kl(*(row[part] for row in flat)) for name, part in parameters(self.mean).items()}

    @property
    def total_kl(self) -> float:
        """K, the sum over the blocks."""
        return math.fsum(self.kl.values())


class Group(NamedTuple):
    """Entries that share a prior."""

    where: Tensor  # which, bool in the flat order of the blocks, (p,)
    norm: float  # L, the squared norm that the prior is made for

    @property
    def size(self) -> int:
        """The number of entries, p."""
        return int(self.where.sum())


def by_block(target: Target, noise: Noise, *, mlp: Trapezoid = "steep") -> Posterior:
    """All entries with noise, one σ for each block, and the best prior for each; InputError unless all are positive."""
    mean = build(TargetBatch.stack([target]), mlp=mlp)
    return _grouped(mean, block_groups(mean), noise)


def frozen(target: Target, noise: Noise, *, mlp: Trapezoid = "steep") -> Posterior:
    """Entries that every construction of this class leaves at zero are frozen there, dead units left out.

    Left are the positions' T x T entries of W1, T of W2, one of V1 and V2, and the data channel's of M, Gamma and F.

    Raises:
        InputError: for a block without a positive σ.
    """
    mean = build(TargetBatch.stack([target]), mlp=mlp, pruned=True)
    return _grouped(mean, used_groups(mean), noise)


def sub_blocks(target: Target, noise: Noise, *, mlp: Trapezoid = "steep") -> Posterior:
    """All entries with noise: those of `frozen` with priors of their own, the rest with prior and posterior alike.

    Dead units are set to zero, which leaves the function as it is. The prior of a group in V1, M, Gamma, F and V2 has
    τ² = L/p whatever the noise; that of W1 and W2 has the standard deviations ``"W1 prior"`` and ``"W2 prior"``. In
    these two the noise is ``"W1"`` and ``"W2"`` on entries that carry a component, ``"W1 other"`` and ``"W2 other"`` on
    others, and the prior's own in the columns of W1 that no component uses, which cost nothing; ``"rest"`` is that of
    the entries at zero. One prior thus serves all noises: they may be chosen after the sample is seen.

    Raises:
        InputError: for a name without a positive σ.
    """
    mean = without_dead_units(build(TargetBatch.stack([target]), mlp=mlp))
    groups = used_groups(mean)
    _check(noise, [*groups, "rest", *(f"{name} {kind}" for name in MATRICES for kind in ("other", "prior"))])
    flat = flatten(mean)[0]
    sigma, tau = torch.full_like(flat, noise["rest"]), torch.full_like(flat, noise["rest"])
    for name, group in groups.items():
        sigma[group.where] = noise[name]
        tau[group.where] = math.sqrt(group.norm / group.size)
    for name in MATRICES:
        where = groups[name].where
        tau[where] = noise[f"{name} prior"]
        sigma[where & (flat == 0)] = noise[f"{name} other"]
    spread = unflatten(sigma[None], mean)
    spread.W1[:, : target.length, target.sparsity : target.length] = noise["W1 prior"]
    return Posterior(mean, spread, unflatten(tau[None], mean))


def without_dead_units(mean: Blocks) -> Blocks:
    """The same function with the input weights and biases of units of output weight zero at zero."""
    live = _live(mean)
    return replace(mean, M=mean.M * live[:, None], Gamma=mean.Gamma * live)


def block_groups(mean: Blocks) -> dict[str, Group]:
    """Each block of one network as one group."""
    return _groups(mean, torch.ones_like(flatten(mean)[0], dtype=torch.bool))


def used_groups(mean: Blocks) -> dict[str, Group]:
    """The entries of each block that some construction of the class uses, as groups."""
    length = mean.V2.shape[-1] - 2
    channels = Channels(length, mean.layout)
    used = mean.with_weights([torch.zeros_like(weight, dtype=torch.bool) for _, weight in mean.named()])
    live = _live(mean)
    used.W1[:, :length, :length] = True
    used.V1[:, channels.bit, channels.data] = True
    used.M[:, channels.data] = live
    used.Gamma[:] = live
    used.F[:, :, channels.data] = live
    used.W2[:, :length, channels.output] = True
    used.V2[:, channels.data] = True
    return _groups(mean, flatten(used)[0])


def _live(mean: Blocks) -> Tensor:
    """Units with an output weight, shape (B, H)."""
    return (mean.F != 0).any(-1)


def _groups(mean: Blocks, among: Tensor) -> dict[str, Group]:
    flat, found = flatten(mean)[0], {}
    for name, part in parameters(mean).items():
        where = torch.zeros_like(among)
        where[part] = among[part]
        found[name] = Group(where, float(flat[where].square().sum()))
    return found


def _grouped(mean: Blocks, groups: Mapping[str, Group], noise: Noise) -> Posterior:
    """One σ for each group and the best τ, nothing elsewhere."""
    _check(noise, list(groups))
    sigma = torch.zeros_like(flatten(mean))
    tau = torch.zeros_like(sigma)
    for name, group in groups.items():
        sigma[0, group.where] = noise[name]
        tau[0, group.where] = math.sqrt(noise[name] ** 2 + group.norm / group.size)
    return Posterior(mean, unflatten(sigma, mean), unflatten(tau, mean))


def _check(noise: Noise, names: list[str]) -> None:
    for name in names:
        if not 0 < noise.get(name, 0.0) < math.inf:
            raise InputError(f"noise of {name}", "a number above 0", noise.get(name), "give a standard deviation")


def _kl(mean: Tensor, sigma: Tensor, tau: Tensor) -> float:
    free = tau > 0
    return float(gaussian_kl(mean[free].square(), sigma[free], tau[free]).sum())
