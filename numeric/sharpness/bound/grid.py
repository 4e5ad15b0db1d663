"""The best certified bound class by class: a posterior for a sample size, the bound, and where it begins to inform."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound
from boundaudit.numeric.pac_bayes.union import UnionLedger
from boundaudit.numeric.sharpness.bound.certificate import (
    Certificate,
    certificate,
    certified_value,
    enough_draws,
    losses,
    sampling_surplus,
)
from boundaudit.numeric.sharpness.bound.examples import random_target
from boundaudit.numeric.sharpness.bound.path import Path
from boundaudit.numeric.sharpness.bound.posterior import Posterior
from boundaudit.numeric.sharpness.bound.setting import LARGEST
from boundaudit.numeric.sharpness.constant_baseline import constant_risk
from boundaudit.numeric.sharpness.target import Target

NATS = (2.0, 4.0, 8.0)
"""κ over m along the path of posteriors."""

WARMTH = (0.4, 1.0)
"""Noise on the entries of W1 that carry a component, over what a pair of positions bears."""

PILOT = 200
"""Noisy networks by which each posterior of a path is judged before one is certified."""

PLANNING = 2000
"""Noisy networks by which the draws of a certificate are planned."""

STEP = 1.05
"""The factor between neighbouring sample sizes where the first informative one is looked for."""


@dataclass(frozen=True)
class Best:
    """The best of a path of posteriors at one sample size.

    Attributes:
        value: the bound on E min(loss, M).
        kl: K.
        certificate: with u.
        surplus: the share by which the draws raise the value (`sampling_surplus`).
        nats: κ/m.
        warmth: of W1.
        union: what the failure probability is spent on.
    """

    value: float
    kl: float
    certificate: Certificate
    surplus: float
    nats: float
    warmth: float
    union: UnionLedger


@dataclass(frozen=True)
class Cell:
    """One class of targets of the grid.

    Attributes:
        constant_baseline: E min(loss, M) of the best constant prediction.
        best: by sample size.
        informative: the smallest sample size found whose certified bound is below that; None where none is.
    """

    target: Target
    constant_baseline: float
    best: Mapping[int, Best]
    informative: int | None


def grid(
    lengths: Sequence[int] = (20,), degrees: Sequence[int] = (1, 2, 3, 4, 5),
    sparsities: Sequence[int] = (1, 7, 14, 20), *,
    samples: Sequence[int] = (8192, 10**5, 10**6, 10**7), draws: int = 4000, pilot: int = 200, clip: float = 1.0,
    seed: int = 0,
) -> Iterator[Cell]:  # fmt: skip
    """The best certified bound for each class of T ≤ 20, D and ω, ω fastest: random components, coefficients 1/√ω.

    `pilot` draws judge each posterior of a path, `draws` certify the best; the seed is of all that is random.
    """
    for length in lengths:
        for degree in degrees:
            for sparsity in sparsities:
                target = random_target(length, degree, sparsity, seed)
                yield cell(target, samples=samples, draws=draws, pilot=pilot, clip=clip, seed=seed)


def cell(
    target: Target, *, samples: Sequence[int], draws: int, pilot: int = PILOT, clip: float = 1.0, delta: float = 0.05,
    seed: int = 0,
) -> Cell:  # fmt: skip
    """The best certified bound by sample size for one target, of at most 20 bits; δ is how often each bound may fail.

    `pilot` draws judge each posterior of the path, `draws` certify the best; the seed is of training sets and draws.
    """
    path, level = Path.of(target), constant_risk(target, clip)
    found = {m: best(path, samples=m, draws=draws, pilot=pilot, clip=clip, delta=delta, seed=seed) for m in samples}
    return Cell(target, level, found, first_informative(path, found[min(found)], level, seed=seed))


def best_certified(
    target: Target, *, samples: int, draws: int | None = None, clip: float = 1.0, delta: float = 0.05, seed: int = 0
) -> Best:
    """The best certified bound for one target from m samples; unless given, `enough_draws` says how many draws."""
    return best(Path.of(target), samples=samples, draws=draws, clip=clip, delta=delta, seed=seed)


def best(
    path: Path, *, samples: int, draws: int | None = None, pilot: int = PILOT, clip: float = 1.0, delta: float = 0.05,
    seed: int = 0,
) -> Best:  # fmt: skip
    """Choose a posterior by draws of its own on another training set, then certify it.

    All posteriors share one prior, so that the choice costs nothing. Half of δ, how often the bound may fail all in
    all, goes to the certificate: beside hundreds of nats that costs 0.6 more, and fewer draws do. Without a number of
    draws it takes as many as `enough_draws` says.
    """
    union = UnionLedger(delta)
    eta = union.spend("Monte-Carlo limit of the loss under noise", delta / 2)
    share = union.spend("PAC-Bayes, one prior for all posteriors", union.left)

    def tried(posterior: Posterior, count: int) -> Tensor:
        return losses(
            path.target, posterior, samples=samples, draws=count, inputs_per_draw=1, clip=clip, seed=2 * seed + 1
        )

    def hoped(choice: tuple[float, float]) -> float:
        posterior = path.posterior(samples, *choice)
        return float(pac_bayes_bound(tried(posterior, pilot).mean() / clip, posterior.total_kl, samples, share))

    choice = min(product(NATS, WARMTH), key=hoped)
    if draws is None:
        posterior = path.posterior(samples, *choice)
        draws = enough_draws(
            tried(posterior, PLANNING), posterior.total_kl, samples=samples, delta=share, eta=eta, clip=clip
        )
    return _certified(path, samples, choice, draws, clip, union, 2 * seed)


def first_informative(
    path: Path, near: Best, level: float, *, draws: int = 2000, seed: int = 0, largest: int = LARGEST
) -> int | None:
    """The first sample size, in steps of 5 % around where it is expected, whose bound is certified below a level.

    From the best at some sample size, whose place on the path is kept; None where the search passes the largest.
    """
    clip, share = near.certificate.clip, near.union.entries[-1].delta

    def informs(m: int) -> bool:
        found = _certified(path, m, (near.nats, near.warmth), draws, clip, near.union, 2 * seed)
        return found.value < level

    sizes = torch.logspace(0, 12, 600, dtype=torch.float64)
    expected = clip * pac_bayes_bound(near.certificate.upper / clip, near.kl, sizes, share)
    m = min(largest, math.ceil(float(sizes[(expected >= level).sum().clamp_max(len(sizes) - 1)])))
    while not informs(m):
        m = math.ceil(m * STEP)
        if m > largest:
            return None
    while m > 1 and informs(math.floor(m / STEP)):
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
    surplus = sampling_surplus(found, posterior.total_kl, samples=samples, delta=share)
    return Best(value, posterior.total_kl, found, surplus, *choice, union)
