"""The best certified bound cell by cell: noise for a sample size, the bound for it, and where it begins to inform.

With κ nats per unit of loss and a rise a σ² of the loss, κ a σ² + (p/2) ln(1 + L/(pσ²)) is least at

    σ² = (√(L² + 2p²L/(κa)) - L) / (2p),

which gives a path of posteriors over κ. Noise on W1 and V1 moves the rows' averages within the flat parts of the MLP,
where the second order sees no rise: its limits there are the width of those parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import torch

from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound
from boundaudit.numeric.pac_bayes.union import UnionLedger
from boundaudit.numeric.sharpness.autodiff import flatten, gradients, repeat
from boundaudit.numeric.sharpness.bound.certificate import Certificate, certificate, certified_value, losses
from boundaudit.numeric.sharpness.bound.posterior import (
    Group,
    Noise,
    Posterior,
    sub_blocks,
    used_groups,
    without_dead_units,
)
from boundaudit.numeric.sharpness.constant_baseline import constant_risk
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.target import Target, TargetBatch

SAMPLE = 256
"""Inputs over which sharpness is averaged where noise is chosen; a choice needs no certainty."""

NATS = (2.0, 4.0, 8.0)
"""κ over m along the path of posteriors."""

WARMTH = (0.4, 1.0)
"""Noise on the entries of W1 that carry a component, over what a pair of positions bears."""

STEP = 1.05
"""The factor between neighbouring sample sizes where the first informative one is looked for."""


@dataclass(frozen=True)
class Best:
    """The best of a path of posteriors at one sample size.

    Attributes:
        value: the bound on E min(loss, M).
        kl: K.
        certificate: with u.
        nats: κ/m.
        warmth: of W1.
        union: what the failure probability is spent on.
    """

    value: float
    kl: float
    certificate: Certificate
    nats: float
    warmth: float
    union: UnionLedger


@dataclass(frozen=True)
class Cell:
    """One class of targets of the grid.

    Attributes:
        target: its target.
        constant baseline: E min(loss, M) of the best constant.
        best: by sample size.
        informative: the smallest sample size found at which the certified bound is below the constant baseline.
    """

    target: Target
    constant_baseline: float
    best: Mapping[int, Best]
    informative: int


def grid(
    lengths: Sequence[int] = (20,), degrees: Sequence[int] = (1, 2, 3, 4, 5),
    sparsities: Sequence[int] = (1, 7, 14, 20), *,
    samples: Sequence[int] = (8192, 10**5, 10**6, 10**7), draws: int = 4000, pilot: int = 200, clip: float = 1.0,
    seed: int = 0,
) -> Iterator[Cell]:  # fmt: skip
    """The best certified bound for each class of targets: random components, coefficients 1/√ω.

    Args:
        lengths: values of T, at most 20.
        degrees: values of D.
        sparsities: values of ω.
        samples: values of m.
        draws: of each certificate.
        pilot: draws by which each posterior of the path is judged.
        clip: M.
        seed: of components, training sets and draws.

    Yields:
        The cells, ω fastest.
    """
    for length in lengths:
        for degree in degrees:
            for sparsity in sparsities:
                target = random_target(length, degree, sparsity, seed)
                yield cell(target, samples=samples, draws=draws, pilot=pilot, clip=clip, seed=seed)


def cell(target: Target, *, samples: Sequence[int], draws: int, pilot: int, clip: float = 1.0, seed: int = 0) -> Cell:
    """The best certified bound for one target by sample size.

    Args:
        target: a target of the published construction of at most 20 bits.
        samples: values of m.
        draws: of each certificate.
        pilot: draws by which each posterior of the path is judged.
        clip: M.
        seed: of training sets and draws.

    Returns:
        The cell.
    """
    path, level = Path.of(target), constant_risk(target, clip)
    found = {m: best(path, samples=m, draws=draws, pilot=pilot, clip=clip, seed=seed) for m in samples}
    return Cell(target, level, found, first_informative(path, found[min(found)], level, seed=seed))


def best(
    path: Path, *, samples: int, draws: int, pilot: int, clip: float = 1.0, delta: float = 0.05, eta: float = 0.005,
    seed: int = 0,
) -> Best:  # fmt: skip
    """Choose a posterior on draws of its own, then certify it.

    All posteriors share one prior, so that the choice costs nothing.

    Args:
        path: the posteriors of a target.
        samples: m.
        draws: of the certificate.
        pilot: draws of each posterior for the choice, on another training set.
        clip: M.
        delta: how often the bound may fail, all in all.
        eta: the part of it for the certificate.
        seed: of training set and draws.

    Returns:
        The best, with its union ledger.
    """
    union = UnionLedger(delta)
    eta = union.spend("Monte-Carlo limit of the loss under noise", eta)
    share = union.spend("PAC-Bayes, one prior for all posteriors", union.left)

    def hoped(choice: tuple[float, float]) -> float:
        posterior = path.posterior(samples, *choice)
        risk = losses(path.target, posterior, samples=samples, draws=pilot, inputs_per_draw=1, clip=clip,
                      seed=2 * seed + 1).mean()  # fmt: skip
        return float(pac_bayes_bound(risk / clip, posterior.total_kl, samples, share))

    return _certified(path, samples, min(product(NATS, WARMTH), key=hoped), draws, clip, union, 2 * seed)


def first_informative(path: Path, near: Best, level: float, *, draws: int = 2000, seed: int = 0) -> int:
    """The first sample size, in steps of 5 % around where it is expected, whose bound is certified below a level.

    Args:
        path: the posteriors.
        near: the best at some sample size, whose place on the path is kept.
        level: the constant baseline.
        draws: of each certificate.
        seed: of training sets and draws.

    Returns:
        m.
    """
    clip, share = near.certificate.clip, near.union.entries[-1].delta

    sizes = torch.logspace(0, 12, 600, dtype=torch.float64)
    expected = clip * pac_bayes_bound(near.certificate.upper / clip, near.kl, sizes, share)

    def informs(m: int) -> bool:
        found = _certified(path, m, (near.nats, near.warmth), draws, clip, near.union, 2 * seed)
        return found.value < level

    m = math.ceil(float(sizes[(expected >= level).sum().clamp_max(len(sizes) - 1)]))
    while not informs(m):
        m = math.ceil(m * STEP)
    while informs(math.floor(m / STEP)):
        m = math.floor(m / STEP)
    return m


def _certified(
    path: Path, samples: int, choice: tuple[float, float], draws: int, clip: float, union: UnionLedger, seed: int
) -> Best:
    """Certify one posterior with the two shares of the union."""
    eta, share = (entry.delta for entry in union.entries)
    posterior = path.posterior(samples, *choice)
    found = certificate(
        path.target, posterior, samples=samples, draws=draws, inputs_per_draw=1, clip=clip, eta=eta, seed=seed
    )
    value = certified_value(found, posterior.total_kl, samples=samples, delta=share)
    return Best(value, posterior.total_kl, found, *choice, union)


@dataclass(frozen=True)
class Path:
    """Posteriors of `sub_blocks` for one target.

    Attributes:
        target: a target of the published construction.
        groups: the groups of entries.
        sharpness: a of each group.
    """

    target: Target
    groups: Mapping[str, Group]
    sharpness: Mapping[str, float]

    @classmethod
    def of(cls, target: Target) -> Path:
        """Measure the sharpness of the construction's groups.

        Returns:
            The path.
        """
        batch = TargetBatch.stack([target])
        mean = without_dead_units(build(batch))
        groups = used_groups(mean)
        return cls(target, groups, group_sharpness(mean, batch, groups))

    def posterior(self, samples: int, nats: float, warmth: float) -> Posterior:
        """The posterior for m samples.

        Args:
            samples: m.
            nats: κ/m.
            warmth: of W1.

        Returns:
            The posterior; its prior does not depend on κ or warmth.
        """
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
    """The σ with the least κ a σ² + (p/2) ln(1 + L/(pσ²)).

    Args:
        sharpness: a, by which the loss rises with σ².
        norm: L, above 0.
        count: p.
        nats: κ, nats per unit of loss, above 0.

    Returns:
        σ; infinite where a is 0.
    """
    if sharpness == 0:
        return math.inf
    per_entry = count * norm / (nats * sharpness)
    return math.sqrt(per_entry / (norm + math.sqrt(norm**2 + 2 * count * per_entry)))


def group_sharpness(
    mean: Blocks, batch: TargetBatch, groups: Mapping[str, Group], *, inputs: int = SAMPLE, seed: int = 0
) -> dict[str, float]:
    """The mean over random inputs of the squared derivatives by a group's entries.

    That is the rise of the loss with σ², but for the part of the residual and of higher orders.

    Args:
        mean: the weights of one network.
        batch: its target.
        groups: the groups.
        inputs: how many.
        seed: of the inputs.

    Returns:
        a by group.
    """
    bits = next(Inputs(batch.max_length, "random", inputs, seed).batches(inputs))
    by_entry = flatten(gradients(repeat(mean, inputs), batch.repeat(inputs), bits)).square().mean(0)
    return {name: float(by_entry[group.where].sum()) for name, group in groups.items()}


def random_target(length: int, degree: int, sparsity: int, seed: int = 0) -> Target:
    """Distinct random components of one size with equal coefficients of unit length.

    Args:
        length: T.
        degree: D.
        sparsity: ω, at most the number of such components.
        seed: of the components.

    Returns:
        The target.
    """
    random = np.random.default_rng([seed, length, degree, sparsity])
    components: dict[tuple[int, ...], None] = {}
    while len(components) < sparsity:
        chosen = random.choice(length, degree, replace=False) + 1
        components[tuple(sorted(chosen.tolist()))] = None
    return Target(length, tuple(components), (sparsity**-0.5,) * sparsity)
