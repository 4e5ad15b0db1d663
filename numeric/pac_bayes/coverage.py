"""Samples drawn again and again: how often a bound fails, in settings where the true risk is known.

Each setting draws m samples n times, the trials, and gives, for what a learner makes of each, its true Gibbs risk, its
Gibbs risk on the sample and its relative entropy to the prior, uniform unless said otherwise; `exceeds` says where the
true risk is above a bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl
from boundaudit.numeric.pac_bayes.disintegrated import gaussian_log_ratio, gaussian_renyi
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound
from boundaudit.numeric.pac_bayes.formulas import maurer_budget
from boundaudit.numeric.pac_bayes.gaussian import gaussian_kl

ORDER = 2.0
"""The order of Rényi's divergence here; at 2 its exponential is one more than the chi-squared divergence."""
CHUNK = 4096
"""Samples of the lookup network held at once."""


class Learned(NamedTuple):
    """What was learned from n draws of the samples, shape (n,) each.

    Attributes:
        true: Gibbs risk.
        risk: Gibbs risk on the sample.
        kl: what stands for K: the relative entropy of posterior to prior in nats unless a ``kind`` says otherwise.
    """

    true: Tensor
    risk: Tensor
    kl: Tensor


def exceeds(
    learned: Learned, samples: float, delta: float, form: str, *, value: float = 1.0, excess: float = 1.0,
    **parameters: Tensor | float,
) -> Tensor:  # fmt: skip
    """Where the true risk is above a bound from `FORMS`, flags of shape (n,).

    The whole bound is multiplied by the value, what it adds to the risk on the sample by the excess; parameters are
    what the form needs besides.
    """
    bound = pac_bayes_bound(learned.risk, learned.kl, samples, delta, form, **parameters)
    return learned.true > value * (learned.risk + excess * (bound - learned.risk))


# --- finite hypothesis sets -----------------------------------------------------------------------


def best_of(doublings: int, risk: float, samples: int, trials: int, seed: int) -> Learned:
    """The best on the sample of 2^doublings hypotheses, each of which errs on its own independent bit of the input.

    Doublings are at most 900; all hypotheses have the same true risk. The number of errors is the least of that many
    binomial ones, drawn by inverting its distribution.
    """
    number = 2.0**doublings
    # P(least ≤ k) = 1 - (1 - F(k))^N ≥ U where F(k) ≥ 1 - (1 - U)^(1/N).
    uniform = torch.from_numpy(np.random.default_rng(seed).random(trials))
    wanted = torch.log(-torch.expm1(torch.log1p(-uniform) / number))
    errors = torch.searchsorted(_log_binomial_cdf(samples, risk), wanted).to(torch.float64)
    return Learned(torch.full_like(errors, risk), errors / samples, torch.full_like(errors, math.log(number)))


def _log_binomial_cdf(samples: int, risk: float) -> Tensor:
    """The logarithm of P(errors ≤ k) for k from 0 to six deviations above the mean, at most m."""
    most = min(samples, math.ceil(samples * risk + 6 * math.sqrt(samples * risk * (1 - risk))) + 1)
    k = torch.arange(most + 1, dtype=torch.float64)
    choose = math.lgamma(samples + 1) - torch.lgamma(k + 1) - torch.lgamma(samples - k + 1)
    return torch.logcumsumexp(choose + k * math.log(risk) + (samples - k) * math.log1p(-risk), 0)


def gibbs(
    losses: Tensor, inputs: Tensor, temperature: float, samples: int, trials: int, seed: int, kind: str = "posterior"
) -> Learned:
    """Hypotheses that share one law of inputs, shape (X,), and their Gibbs posterior ∝ exp(-temperature m r).

    Losses have shape (H, X). The kind is "posterior"; "draw", one hypothesis drawn from the posterior, with the
    logarithm of its weight over the prior's for K; "renyi", the same with Rényi's divergence of order `ORDER` for K; or
    "chi-squared", the posterior with that divergence for K.
    """
    rng = np.random.default_rng(seed)
    shares = torch.from_numpy(rng.multinomial(samples, inputs.numpy(), size=trials) / samples)
    return _gibbs(losses, inputs, temperature * samples, shares, kind, rng)


def _gibbs(
    losses: Tensor, inputs: Tensor, strength: float, shares: Tensor, kind: str, rng: np.random.Generator
) -> Learned:
    """The posterior ∝ exp(-strength r) at what share of the sample each input has, shape (n, X)."""
    risks, log_weights = _posterior(losses, strength, shares)
    weights, log_ratios, true = log_weights.exp(), log_weights + math.log(len(losses)), losses @ inputs
    renyi = (torch.logsumexp(ORDER * log_ratios, -1) - math.log(len(losses))) / (ORDER - 1)
    if kind in ("posterior", "chi-squared"):
        kl = renyi.expm1() if kind == "chi-squared" else (weights * log_ratios).sum(-1)
        return Learned(weights @ true, (weights * risks).sum(-1), kl.clamp_min(0))
    uniform = torch.from_numpy(rng.random((len(shares), 1)))
    place = torch.searchsorted(weights.cumsum(-1), uniform).clamp_max(len(losses) - 1)
    ratio = renyi if kind == "renyi" else log_ratios.gather(-1, place)[:, 0]
    return Learned(true[place[:, 0]], risks.gather(-1, place)[:, 0], ratio)


def _posterior(losses: Tensor, strength: float, shares: Tensor) -> tuple[Tensor, Tensor]:
    """Risks on the sample and logarithms of the weights, shape (n, H) each."""
    risks = (shares @ losses.T).clamp_max(1)
    return risks, torch.log_softmax(-strength * risks, -1)


def gibbs_path(
    losses: Tensor, inputs: Tensor, temperature: float, sizes: Sequence[int], trials: int, seed: int
) -> list[Learned]:
    """The Gibbs posteriors, as in `gibbs`, of samples that grow: each size, rising, continues the sample before."""
    rng, found, before = np.random.default_rng(seed), [], 0
    counts = torch.zeros(trials, len(inputs), dtype=torch.float64)
    for size in sizes:
        counts += torch.from_numpy(rng.multinomial(size - before, inputs.numpy(), size=trials))
        found.append(_gibbs(losses, inputs, temperature * size, counts / size, "posterior", rng))
        before = size
    return found


def gibbs_law(
    losses: Tensor, inputs: Tensor, temperature: float, samples: int, trials: int, seed: int
) -> tuple[Learned, Tensor, Tensor]:
    """`gibbs` with the V values that losses take and how often each occurs under posterior and sample, shape (n, V)."""
    rng = np.random.default_rng(seed)
    shares = torch.from_numpy(rng.multinomial(samples, inputs.numpy(), size=trials) / samples)
    learned = _gibbs(losses, inputs, temperature * samples, shares, "posterior", rng)
    weights = _posterior(losses, temperature * samples, shares)[1].exp()
    values = torch.unique(losses)
    each = [((weights @ (losses == value).to(torch.float64)) * shares).sum(-1) for value in values]
    return learned, values, torch.stack(each, -1)


def two_hypotheses(samples: int, trials: int, seed: int) -> Learned:
    """One hypothesis that never errs and one that errs on a mass of 1/m, which the learner takes wherever it fits."""
    shown = np.random.default_rng(seed).binomial(samples, 1 / samples, size=trials)
    true = torch.from_numpy((shown == 0) / samples)
    return Learned(true, torch.zeros_like(true), torch.full_like(true, math.log(2)))


# --- small networks -------------------------------------------------------------------------------


def network(
    features: Tensor, chance: Tensor, gain: float, deviation: float, samples: int, trials: int, seed: int,
    kind: str = "posterior",
) -> Learned:  # fmt: skip
    """A network sign(w·φ(x)) on X equally likely inputs, posterior N(gain · mean of y φ(x), I) on its last layer.

    Features φ(x), what the layers below give, have shape (X, H), the chances of the label +1 shape (X,); the prior is
    N(0, deviation² I), the loss the error of predicted labels. The kind is "posterior", "draw" or "renyi", as for
    `gibbs`.
    """
    rng, cells = np.random.default_rng(seed), torch.cat([chance, 1 - chance]) / len(chance)
    counts = torch.from_numpy(rng.multinomial(samples, cells.numpy(), size=trials) / samples)
    positive, negative = counts.chunk(2, -1)
    weights = gain * (positive - negative) @ features
    if kind == "posterior":
        wrong = torch.special.ndtr(-(weights @ (features / features.norm(dim=-1, keepdim=True)).T))
        kl = gaussian_kl(weights**2, 1.0, deviation).sum(-1)
    else:
        draw = weights + torch.from_numpy(rng.standard_normal(weights.shape))
        wrong = (draw @ features.T < 0).to(torch.float64)
        own = (weights, 1.0, 0.0, deviation)
        kl = gaussian_renyi(*own, ORDER) if kind == "renyi" else gaussian_log_ratio(draw, *own)
    risk = (positive * wrong + negative * (1 - wrong)).sum(-1).clamp_max(1)
    true = (chance * wrong + (1 - chance) * (1 - wrong)).mean(-1)
    return Learned(true, risk, kl)


def lookup(inputs: int, gain: float, samples: int, trials: int, seed: int) -> Learned:
    """A network whose layers below tell all inputs apart, one hidden unit each, on labels that are coin tosses.

    Inputs are equally likely. The posterior is N(gain · sum of y φ(x), I) on the last layer, the prior N(0, I); the
    true risk is 1/2, whatever it learns.
    """
    rng = np.random.default_rng(seed)

    def some(trials: int) -> Learned:
        seen = torch.from_numpy(rng.integers(inputs, size=(trials, samples)))
        labels = torch.from_numpy(rng.integers(2, size=(trials, samples)) * 2.0 - 1)
        weights = gain * torch.zeros(trials, inputs, dtype=torch.float64).scatter_add_(1, seen, labels)
        risk = torch.special.ndtr(-labels * weights.gather(1, seen)).mean(-1)
        return Learned(torch.full_like(risk, 0.5), risk, weights.square().sum(-1) / 2)

    return _chunked(some, trials)


def _chunked(some: Callable[[int], Learned], trials: int) -> Learned:
    parts = [some(min(CHUNK, trials - start)) for start in range(0, trials, CHUNK)]
    return Learned(*(torch.cat(part) for part in zip(*parts, strict=True)))


# --- forms that are broken on purpose ---------------------------------------------------------------


def bracketed(learned: Learned, samples: float, delta: float, width: float) -> tuple[Tensor, Tensor]:
    """Maurer's bound as a coarse bracket, from the risk on the sample to 1 at first and halved to the width at most.

    Both ends, shape (n,) each: the upper one is a bound, the middle is none.
    """
    m, small = (torch.tensor(number, dtype=torch.float64) for number in (samples, delta))
    end = inverse_binary_kl(learned.risk, maurer_budget(learned.kl, m, small))
    low, high = learned.risk, torch.ones_like(learned.risk)
    while float((high - low).max()) > width:
        wide, middle = high - low > width, (low + high) / 2
        low, high = torch.where(wide & (middle < end), middle, low), torch.where(wide & (middle >= end), middle, high)
    return low, high


STEP, SCALES, SHARE, MARGIN = 3.0, 8, 0.95, 0.99
"""The law of `scales`: gaps between its values, how many, their share of the largest probability, and the learner's."""


def _law() -> tuple[Tensor, Tensor]:
    """R - ℓ for one hypothesis: its values and their probabilities; the first makes the mean 0."""
    below = STEP * torch.arange(1, SCALES + 1, dtype=torch.float64)
    chances = SHARE * torch.exp(-(below**2) / 2)
    above = (chances * below).sum() / (1 - chances.sum())
    return torch.cat([-above[None], below]), torch.cat([1 - chances.sum()[None], chances])


def spread(rates: Tensor) -> Tensor:
    """2 ln(E exp(λ(R - ℓ)))/λ² for the law of `scales`: at most S² where the loss is sub-Gaussian below its mean.

    Elementwise at rates λ > 0, as far as 1e-6, below which it is the variance to ten digits.
    """
    values, chances = (part.to(rates.device) for part in _law())
    rates = rates.clamp_min(1e-6)
    power = rates[..., None] * values
    # The mean is 0, so E exp(Y) - 1 = E (exp(Y) - 1 - Y), where nothing cancels for small Y.
    small = torch.log1p((chances * (torch.expm1(power) - power)).sum(-1))
    return 2 * torch.where(rates < 1, small, torch.logsumexp(power + chances.log(), -1)) / rates**2


def scales(delta: float, trials: int, seed: int) -> Learned:
    """One draw, whose loss is sub-Gaussian with constant 1 for every hypothesis, and a learner that uses all scales.

    Hypotheses lie on a circle of length 1, with the uniform prior. With probability q = 0.99 · 0.95 δ each, a draw
    shows scale j = 1 … 8 and a point of the circle: in the arc after it, of length 0.95 exp(-(3j)²/2)/q, the loss is 3j
    below its mean, 25; elsewhere it is a little above. The posterior is uniform on the arc; δ is from exp(-9/2)/0.99 to
    0.13.
    """
    each = MARGIN * SHARE * delta
    uniform = torch.from_numpy(np.random.default_rng(seed).random(trials))
    scale = torch.where(uniform < SCALES * each, torch.floor(uniform / each) + 1, 0.0).to(torch.int64)
    below = _law()[0][scale]
    kl = torch.where(scale > 0, math.log(each / SHARE) + below**2 / 2, 0.0)
    true = torch.full_like(below, 25.0)
    return Learned(true, true - below, kl)


ARC, OFTEN, SELDOM, SLACK = 1e-4, 0.949, 0.049, 1.001
"""Of `arcs`: the length of an arc, shares of the variance of its two depths, and by how much a depth fails."""


def arcs(delta: float, trials: int, seed: int) -> Learned:
    """One draw, whose loss has a variance of at most 1 for every hypothesis, and a learner that follows low losses.

    Hypotheses lie on a circle with the uniform prior. Now and then a draw shows a short arc on which the loss is far
    below its mean, 10⁴: by just more than the bound with the chi-squared divergence adds, or by just more than 95 % of
    it. The posterior is uniform on the arc, and K is the chi-squared divergence.
    """
    whole = math.sqrt(SLACK / (ARC * delta))
    depths = torch.tensor([0.0, whole, 0.95 * whole], dtype=torch.float64)
    chances = torch.tensor([SELDOM * delta, OFTEN * delta / 0.95**2], dtype=torch.float64)
    ends = chances.cumsum(0)
    uniform = torch.from_numpy(np.random.default_rng(seed).random(trials))
    shown = (uniform < ends[0]) * 1 + ((uniform >= ends[0]) & (uniform < ends[1])) * 2
    # Off its arc a loss is a little above its mean, so that the mean is what it is.
    rest = ARC * float(chances @ depths[1:])
    true = torch.full_like(uniform, 1e4)
    return Learned(true, true + rest - depths[shown], torch.where(shown > 0, 1 / ARC - 1, 0.0))
