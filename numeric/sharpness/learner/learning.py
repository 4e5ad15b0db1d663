"""Networks learned from random weights, and what can be certified of them: for S starts at once, on one training set.

The loss is min((f - y)², 1), and nothing is assumed of target, network or curvature. Derived here is only how the parts
are put together:

* from the start: prior N(start, τ²), the random weights that training began with, fixed before the sample is seen, τ
  from a grid for each block; a posterior for each start at δ/S, so that the best of them may be kept;
* from a split: one half of the sample trains the networks and chooses the best of them, the prior's mean; the other
  half gives the bound at the whole δ, as nothing else was chosen on it;
* hold-out: that network itself, without noise, on that other half: the limits of Chernoff and by betting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.betting import betting_limit
from boundaudit.numeric.pac_bayes.posterior.stacked import Posterior, Prior
from boundaudit.numeric.pac_bayes.posterior.training import (
    Certificate,
    certified_posterior,
    optimised_posterior,
    trained_weights,
)
from boundaudit.numeric.sharpness.bound.occam import one_network, training_set
from boundaudit.numeric.sharpness.bound.setting import LARGEST, LONGEST, check_class, check_distinct, check_setting
from boundaudit.numeric.sharpness.learner.data import CLIP, NUMBERS, Sample, Samples, losses
from boundaudit.numeric.sharpness.learner.networks import Network
from boundaudit.numeric.sharpness.mean_loss import Interval
from boundaudit.numeric.sharpness.target import Target

Told = Callable[[str, int], None]
"""Hears what is being done and how many steps of it are."""

FACTORS = tuple(2.0 ** (k / 4) for k in range(-24, 9))
"""Factors of a prior's scale around a random start, 3.5 nats for a group of weights."""

SPLIT_FACTORS = tuple(2.0**k for k in range(-12, 1))
"""Factors of the scale around trained weights, 2.6 nats."""


_FEWEST = 4
"""Samples of which each half is two."""

_NEAR = 0.03
"""Rate and first noise of a posterior that begins at its prior, as a share of the other's."""


@dataclass(frozen=True)
class Plan:
    """How long everything takes.

    Attributes:
        starts: S, networks that are trained at once.
        steps: of training, with Adam at a rate that falls linearly to 0.
        batch: inputs of a minibatch.
        rate: the first rate.
        posterior_steps: of the descent on the bound; `posterior_batch` and `posterior_rate` are as above.
        noise: the standard deviation that it begins with.
        draws: noisy networks of each certificate, and of the true risk.
        inputs_per_draw: inputs of the sample that each of them sees.
        truth_inputs: all 2^T inputs count for the true risk if they are no more than this, else so many of them.
    """

    starts: int = 4
    steps: int = 600
    batch: int = 256
    rate: float = 0.05
    posterior_steps: int = 2000
    posterior_batch: int = 256
    posterior_rate: float = 0.05
    noise: float = 0.1
    draws: int = 2**15
    inputs_per_draw: int = 16
    truth_inputs: int = 2**20


@dataclass(frozen=True)
class Start:
    """One start: how training ended, and the certificate of its posterior.

    Attributes:
        training_loss: the clipped loss of the network without noise on the samples that it was trained on.
        learned: whether no component is missing: the loss is below half of what the smallest of them would cost.
        certificate: None where it was not chosen.
    """

    training_loss: float
    learned: bool
    certificate: Certificate | None


@dataclass(frozen=True)
class Learned:
    """What was learned from a sample and certified: all starts, the number of the best, and its posterior's true risk.

    Attributes:
        best: the start of the least value, or the one chosen on the first half.
        truth: on uniform inputs, with an interval.
    """

    starts: tuple[Start, ...]
    best: int
    truth: Interval

    @property
    def certificate(self) -> Certificate:
        """That of the start that is reported."""
        found = self.starts[self.best].certificate
        assert found is not None
        return found

    @property
    def failed(self) -> int:
        """Starts from which training missed a component."""
        return sum(not start.learned for start in self.starts)


@dataclass(frozen=True)
class HoldOut:
    """One network without noise on samples that it was not trained on.

    Attributes:
        chernoff: the limit kl⁻¹(loss, ln(1/δ)/n), rounded up.
        betting: the limit by betting.
        truth: the risk on uniform inputs: one number three times where all of them were looked at.
    """

    loss: float
    samples: int
    chernoff: float
    betting: float
    truth: Interval


@dataclass(frozen=True)
class Certified:
    """All that one sample gives: from all of it, from one half with a prior learned on the other, and held out."""

    from_start: Learned
    from_split: Learned
    held_out: HoldOut


def certified_learner(
    target: Target, *, samples: int, network: Network | None = None, plan: Plan = Plan(), delta: float = 0.05,
    seed: int = 0, device: str = "cpu", told: Told = lambda what, done: None,
) -> Certified:  # fmt: skip
    """Train networks from random weights on m uniform inputs with the target's values, and certify them.

    Example:
        >>> from boundaudit.numeric.sharpness import Target
        >>> quick = Plan(starts=2, steps=300, batch=64, posterior_steps=200, draws=200)
        >>> found = certified_learner(Target(4, ((1, 2),), (1.0,)), samples=2000, plan=quick)
        >>> found.from_start.certificate.value < 0.25  # the best constant prediction's risk
        True

    Args:
        target: what is learned.
        samples: m, at least 4.
        network: the networks' shape; the construction's own entries unless given.
        plan: how long everything takes.
        delta: δ of each bound, everything together.
        seed: of training set and networks; it gives other numbers on another device.
        device: ``cpu`` or ``cuda``.
        told: hears how it goes.

    Returns:
        Bounds with true risks and every start. The bounds are about networks that compute in single precision.

    Raises:
        InputError: for a number out of range.
    """
    check_setting(samples, delta)
    check_learnable(target.length, target.degree, target.sparsity, samples)
    shape = network or Network(target.length, 4 * (target.degree + 1))
    learner = _Learner([target], shape, plan, samples=samples, delta=delta, seeds=[seed], device=device, told=told)
    (from_start,) = learner.from_start()
    return Certified(from_start, *learner.from_split())


def certified_from_start(
    targets: Sequence[Target], *, samples: int, network: Network, plan: Plan, delta: float, seeds: Sequence[int],
    device: str = "cpu",
) -> list[Learned]:  # fmt: skip
    """`Certified.from_start` of `certified_learner` for targets of one length as one stack, each with its own seed."""
    return _Learner(targets, network, plan, samples=samples, delta=delta, seeds=seeds, device=device).from_start()


def check_learnable(length: int, degree: int, sparsity: int, samples: int) -> None:
    """Raise InputError, naming the number, unless T ≤ `LONGEST`, 4 ≤ m ≤ `LARGEST` and ω sets of D exist."""
    check_class(length, degree, sparsity)
    check_distinct(length, degree, sparsity)
    for name, value, least, most in (("length", length, 2, LONGEST), ("samples", samples, _FEWEST, LARGEST)):
        if not least <= value <= most:
            raise InputError(name, f"from {least} to {most:g}", value, f"correct {name}")


class _Learner:
    """Tasks with everything that their randomness depends on: the same call learns the same, on one device."""

    def __init__(
        self, targets: Sequence[Target], network: Network, plan: Plan, *, samples: int, delta: float,
        seeds: Sequence[int], device: str, told: Told = lambda what, done: None,
    ) -> None:  # fmt: skip
        self.targets, self.network, self.plan, self.delta, self.told = targets, network, plan, delta, told
        state = np.random.SeedSequence([*seeds, samples]).generate_state(1, np.uint64)[0] >> np.uint64(1)
        self._generator = torch.Generator(device).manual_seed(int(state))
        self._starts = torch.Generator().manual_seed(int(state))
        self.samples = [
            Sample.of(target, training_set(target.length, samples, seed).to(device))
            for target, seed in zip(targets, seeds, strict=True)
        ]

    def from_start(self) -> list[Learned]:
        """Networks and posteriors from each whole sample, with a prior around each random start."""
        plan, each = self.plan, self.delta / self.plan.starts
        samples = Samples.stack(self.samples, plan.starts)
        start, weights = self._trained(samples)
        prior = Prior(start, torch.ones_like(start), grid=FACTORS, blocks=self.network.groups)
        posterior = self._fitted(
            Posterior(weights, torch.full_like(weights, plan.noise)), prior, samples, each, plan.posterior_rate
        )
        found = self._certified(posterior, prior, samples, each)
        return [self._learned(number, weights, posterior, found) for number in range(len(self.targets))]

    def _learned(self, target: int, weights: Tensor, posterior: Posterior, found: Sequence[Certificate]) -> Learned:
        """What the networks of one target came to."""
        first = target * self.plan.starts
        mine = slice(first, first + self.plan.starts)
        each = zip(self._loss(weights[mine], self.samples[target]), found[mine], strict=True)
        rows = tuple(self._start(target, *row) for row in each)
        best = min(range(len(rows)), key=lambda start: found[first + start].value)
        return Learned(rows, best, self._truth(target, posterior, first + best))

    def from_split(self) -> tuple[Learned, HoldOut]:
        """One half of the only sample trains networks, the other bounds the best of them, with noise and without."""
        (sample,) = self.samples
        half = len(sample) // 2
        first, second = sample[:half], sample[half:]
        _, weights = self._trained(Samples.stack([first], self.plan.starts))
        training = self._loss(weights, first)
        best = min(range(len(training)), key=training.__getitem__)
        chosen = weights[best : best + 1]
        prior = Prior(chosen, torch.full_like(chosen, self.plan.noise), grid=SPLIT_FACTORS)
        start = Posterior(chosen, torch.full_like(chosen, _NEAR * self.plan.noise))
        rest = Samples.stack([second], 1)
        posterior = self._fitted(start, prior, rest, self.delta, _NEAR * self.plan.posterior_rate)
        (found,) = self._certified(posterior, prior, rest, self.delta)
        rows = tuple(self._start(0, loss, found if number == best else None) for number, loss in enumerate(training))
        return Learned(rows, best, self._truth(0, posterior, 0)), self._held_out(chosen, second)

    def _trained(self, samples: Samples) -> tuple[Tensor, Tensor]:
        """Random starts and what training makes of them, each shape (S, P)."""
        plan = self.plan
        start = self.network.start(len(self.targets) * plan.starts, self._starts).to(self._generator.device)

        def bounded(weights: Tensor, step: int) -> Tensor:
            squares = samples.shared(plan.batch, self._generator).squares(self.network, weights)
            return (squares / (1 + squares)).mean(-1)  # bounded, and never flat as the clipped loss is

        told = self._telling("training")
        return start, trained_weights(bounded, start, steps=plan.steps, rate=plan.rate, told=told)

    def _fitted(self, start: Posterior, prior: Prior, samples: Samples, delta: float, rate: float) -> Posterior:
        plan = self.plan

        def clipped(weights: Tensor, step: int) -> Tensor:
            return self._clipped(weights, samples.shared(plan.posterior_batch, self._generator))

        return optimised_posterior(
            clipped, start, prior, len(samples), delta, steps=plan.posterior_steps, rate=rate,
            generator=self._generator, told=self._telling("posterior"),
        )  # fmt: skip

    def _certified(self, posterior: Posterior, prior: Prior, samples: Samples, delta: float) -> list[Certificate]:
        few = self.plan.inputs_per_draw

        def clipped(weights: Tensor, draw: int) -> Tensor:
            """Each draw's network sees a few inputs of its own, independent given the sample."""
            return self._clipped(weights, samples.own(len(weights), few, self._generator))

        return certified_posterior(
            clipped, posterior, prior, len(samples), delta, draws=self.plan.draws,
            at_once=self._at_once(len(posterior.mean)), generator=self._generator, told=self._telling("certificate"),
        )  # fmt: skip

    def _truth(self, target: int, posterior: Posterior, number: int) -> Interval:
        """The Gibbs risk of one posterior on one target, by draws of weights and uniform inputs."""
        size = self._at_once(1)
        mean, scale = (rows[number].expand(size, -1) for rows in (posterior.mean, posterior.scale))
        many, runs = Posterior(mean, scale), -(-self.plan.draws // size)
        found = []
        with torch.no_grad():
            for _ in range(runs):
                inputs = Sample.uniform(self.targets[target], (size, self.plan.inputs_per_draw), self._generator)
                found.append(self._clipped(many.sample(self._generator), inputs).double())
        return Interval.of(torch.cat(found))

    def _clipped(self, weights: Tensor, drawn: Sample) -> Tensor:
        """Each network's mean loss on the inputs drawn for it, or for all of them."""
        return drawn.squares(self.network, weights).clamp_max(CLIP).mean(-1)

    def _held_out(self, weights: Tensor, sample: Sample) -> HoldOut:
        each = losses(self.network, weights, sample)[0]
        loss = float(each.mean())
        return HoldOut(
            loss, len(sample), one_network(loss, samples=len(sample), delta=self.delta),
            float(betting_limit(each, self.delta)), self._true_risk(weights),
        )  # fmt: skip

    def _true_risk(self, weights: Tensor) -> Interval:
        (target,) = self.targets
        population = Sample.population(target, self.plan.truth_inputs, self._generator)
        each = losses(self.network, weights, population)[0]
        listed = len(population) == 2**target.length
        return Interval(*[float(each.mean())] * 3) if listed else Interval.of(each)

    def _loss(self, weights: Tensor, sample: Sample) -> list[float]:
        found: list[float] = losses(self.network, weights, sample).mean(-1).tolist()
        return found

    def _start(self, target: int, loss: float, certificate: Certificate | None) -> Start:
        """A component that is missing costs c²/4, the variance of its share of the target."""
        return Start(loss, loss < min(c * c for c in self.targets[target].coefficients) / 8, certificate)

    def _at_once(self, networks: int) -> int:
        """How many draws of so many networks run at once."""
        each = networks * self.network.numbers(self.plan.inputs_per_draw)
        return max(1, NUMBERS[self._generator.device.type] // each)

    def _telling(self, what: str) -> Callable[[int, Tensor], None]:
        return lambda done, values: self.told(what, done)
