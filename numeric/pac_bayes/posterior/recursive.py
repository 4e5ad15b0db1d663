"""Recursive PAC-Bayes bounds (Wu, Zhang, Chérief-Abdellatif & Seldin 2024): a chain of posteriors, each the next prior.

The samples come in parts, and posterior π_t may depend on parts 1 … t. For a factor γ fixed in advance,

    E_π_t R = E_π_t [R(h) - γ E_π_{t-1} R(h')] + γ E_π_{t-1} R,

and the second term is bounded by recursion. The first is over the parts t … T, which π_{t-1} has not seen, so that it
is a prior for them; each sample i gets its own h'_i from π_{t-1}, which makes the pairs (sample, h'_i) independent. The
excess ℓ(h) - γ ℓ(h') is from -γ to 1 and often 0, which is what the split-kl bound is for. (For losses of 0 and 1 the
authors split at each of its four values; with three shares of δ for two, that changes little, either way.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from flint import arb, ctx
from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.certified import BITS, upper_end
from boundaudit.numeric.pac_bayes.posterior.bars import Bar, bars
from boundaudit.numeric.pac_bayes.posterior.flat import FlatModule
from boundaudit.numeric.pac_bayes.posterior.module_sample import Data, ModuleSample, SampleLoss, picked
from boundaudit.numeric.pac_bayes.posterior.stacked import SCALES, Posterior, Prior
from boundaudit.numeric.pac_bayes.posterior.training import (
    certified_posterior,
    descendable,
    limits_by_draws,
    minimised,
    optimised_posterior,
)
from boundaudit.numeric.pac_bayes.split_kl import certified_split_kl, split_kl_bound
from boundaudit.numeric.pac_bayes.union import UnionLedger

_DOWN = 1 - 2.0**-50
"""Two roundings, downwards."""


@dataclass(frozen=True)
class Link:
    """One posterior of the chain.

    Attributes:
        value: the bound on its Gibbs risk.
        excess: the bound on what it adds to γ times the bound before; the value itself for the first.
        kl: the relative entropy to the one before, an upper end.
        samples: how many the bound is over.
        ledger: what of its share of δ went where.
    """

    value: float
    excess: float
    kl: float
    samples: int
    ledger: UnionLedger


@dataclass(frozen=True, eq=False)
class RecursivePosterior:
    """The last posterior of a chain, with bounds that hold together with probability at least 1-δ.

    Attributes:
        links: the first posterior to the last.
        ledger: what of δ went where.
        weights: the last posterior of flat weights.
        module: the module, whose own weights are as they were.
    """

    links: tuple[Link, ...]
    ledger: UnionLedger
    weights: Posterior
    module: nn.Module

    @property
    def value(self) -> float:
        """The bound on the Gibbs risk of the last posterior."""
        return self.links[-1].value

    def draw(self, seed: int) -> nn.Module:
        """A copy of the module with weights of the last posterior."""
        return FlatModule(self.module).drawn(self.weights, seed)


def fit_recursive(
    module: nn.Module, loss: SampleLoss, data: Data, *,
    surrogate: SampleLoss, parts: Sequence[float] = (0.25, 0.25, 0.5), gamma: float = 0.5, delta: float = 0.05,
    steps: int = 2000, batch: int = 256, rate: float = 1e-2, scale: float = 0.03, draws: int = 10_000, seed: int = 0,
    progress: bool = True,
) -> RecursivePosterior:  # fmt: skip
    """Train a chain of Gaussian posteriors, each with the one before as prior, and certify the last.

    Unlike a prior from a split, every sample counts in a bound: the first posterior is certified on all of them, the
    second on all parts but the first, and so on. Arguments are as for `fit_posterior`, steps, batch and draws for each
    posterior; ``parts`` are the shares of the samples in each part, adding up to 1, ``gamma`` is γ.

    Raises:
        InputError: for a module, loss, data or option that cannot be used.
    """
    if not 0 < gamma <= 1:
        raise InputError("gamma", "a factor above 0 and at most 1", gamma, "correct gamma")
    if not parts or min(parts) <= 0 or abs(sum(parts) - 1) > 1e-9:
        raise InputError("parts", "shares above 0 that add up to 1", list(parts), "correct the parts")
    sample = ModuleSample.gathered(module, loss, data)
    picks = torch.Generator().manual_seed(seed)
    noise = torch.Generator(sample.flat.weights.device).manual_seed(seed)
    order = torch.randperm(sample.size, generator=picks)
    ends = [round(sum(parts[: t + 1]) * sample.size) for t in range(len(parts))]
    if ends[0] == 0 or any(begin == end for begin, end in pairwise(ends)):
        raise InputError("parts", "samples in each part", ends, "correct the parts")
    ledger = UnionLedger(delta)
    each = ledger.spend(f"{len(parts)} links", delta, len(parts))
    chain = _Chain(sample, loss, surrogate, each, gamma, steps, rate, batch, draws, picks, noise)
    with bars(progress) as bar:
        link, last = chain.first(order, order[: ends[0]], scale, bar)
        links = [link]
        for begin, end in pairwise(ends):
            link, last = chain.next(len(links) + 1, link.value, last, order[begin:], order[:end], bar)
            links.append(link)
    return RecursivePosterior(tuple(links), ledger, last, module)


@dataclass(frozen=True, eq=False)
class _Chain:
    """What all links share."""

    sample: ModuleSample
    loss: SampleLoss
    surrogate: SampleLoss
    delta: float
    gamma: float
    steps: int
    rate: float
    batch: int
    draws: int
    picks: torch.Generator
    noise: torch.Generator

    def first(self, rest: Tensor, seen: Tensor, scale: float, bar: Bar) -> tuple[Link, Posterior]:
        """A posterior trained on the samples seen, and its bound on all."""
        begin, m = self.sample.flat.weights, len(rest)
        prior = Prior(begin[0], torch.ones(1), grid=SCALES)
        posterior = optimised_posterior(
            self.sample.minibatches(self.surrogate, seen, self.batch, self.picks),
            Posterior(begin, torch.tensor(scale)), prior, m, self.delta,
            steps=self.steps, rate=self.rate, generator=self.noise, told=bar("posterior 1", self.steps),
        )  # fmt: skip
        errors = self.sample.minibatches(self.loss, rest, self.batch, self.picks)
        (found,) = certified_posterior(
            errors, posterior, prior, m, self.delta,
            draws=self.draws, generator=self.noise, told=bar("certificate 1", self.draws),
        )  # fmt: skip
        return Link(found.value, found.value, found.kl, m, found.ledger), posterior

    def next(
        self, number: int, value: float, last: Posterior, rest: Tensor, seen: Tensor, bar: Bar
    ) -> tuple[Link, Posterior]:
        """A posterior whose prior is the last, trained on the samples seen, and its bound on those new to the prior."""
        prior, m = Prior(last.mean, last.scale), len(rest)
        before = self.sample.own_losses(last, self.loss, self.noise)

        def excess(loss: SampleLoss, weights: Tensor, among: Tensor) -> Tensor:
            at = picked(among, self.batch, self.picks)
            return self.sample.losses(weights, [loss], at)[0] - self.gamma * before[at.to(before.device)]

        def bounds(now: Posterior, step: int) -> Tensor:
            found = descendable(excess(self.surrogate, now.sample(self.noise), seen))
            above, below = found.clamp_min(0).mean(), (-found).clamp_min(0).mean()
            return split_kl_bound(above, below, now.kl(prior), m, self.delta, low=-self.gamma)

        def both(weights: Tensor, draw: int) -> Tensor:
            found = excess(self.loss, weights, rest)
            return torch.stack([found.clamp_min(0).mean(), 1 + (found / self.gamma).clamp_max(0).mean()])[None]

        told = bar(f"posterior {number}", self.steps)
        posterior = minimised(bounds, last, steps=self.steps, rate=self.rate, told=told)
        ledger = UnionLedger(self.delta)
        share = ledger.spend("excess from draws", self.delta / 10, 2)
        told = bar(f"certificate {number}", self.draws)
        ((above, less),) = limits_by_draws(both, posterior, share, self.draws, self.noise, told)[1].tolist()
        (kl,) = posterior.certified_kl(prior)
        below = self.gamma * (1 - less) * _DOWN
        most = certified_split_kl(above, below, kl, m, ledger.spend("split-kl bound", ledger.left), low=-self.gamma)
        with ctx.workprec(BITS):
            total = upper_end(arb(most) + arb(self.gamma) * arb(value))
        return Link(total, most, kl, m, ledger), posterior
