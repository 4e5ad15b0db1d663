"""A module and its samples, as losses of flat weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from boundaudit import InputError
from boundaudit.numeric.curvature.problem import Problem
from boundaudit.numeric.pac_bayes.posterior.flat import FlatModule
from boundaudit.numeric.pac_bayes.posterior.stacked import Posterior
from boundaudit.numeric.pac_bayes.posterior.training import Losses, bounded

SampleLoss = Callable[[Any, Any], Tensor]
"""From output and targets to the loss of each sample, in [0, 1], shape (n,)."""

Data = tuple[Any, Any] | DataLoader[Any]
"""Inputs and targets, or a loader that gives them in batches."""


_WORKING = 2**24
"""Weights that are drawn at once where each sample has its own."""


@dataclass(frozen=True, eq=False)
class ModuleSample:
    """Samples, and the module whose losses on them count; each argument and the targets have shape (m, ...)."""

    flat: FlatModule
    inputs: tuple[Tensor, ...]
    targets: Tensor

    @classmethod
    def gathered(cls, module: nn.Module, loss: SampleLoss, data: Data) -> ModuleSample:
        """All samples at hand, where they were, with a module in evaluation mode that can be sampled.

        Data are inputs and targets, or a loader of them; inputs in a tuple or list are several arguments.

        Raises:
            InputError: for a module that cannot be used, or inputs and targets that differ in number.
        """
        if isinstance(data, DataLoader):
            batches = [(_several(inputs), targets) for inputs, targets in data]
            parts = zip(*(inputs for inputs, _ in batches), strict=True)
            data = tuple(torch.cat(part) for part in parts), torch.cat([targets for _, targets in batches])
        inputs, targets = _several(data[0]), data[1]
        sizes = {len(part) for part in (*inputs, targets)}
        if len(sizes) > 1 or sizes == {0}:
            raise InputError("data", "as many inputs as targets, and some", sorted(sizes), "correct the data")
        Problem.checked(module, loss, inputs, targets, 0)
        return cls(FlatModule(module), inputs, targets)

    @property
    def size(self) -> int:
        """How many samples there are."""
        return len(self.targets)

    def losses(self, weights: Tensor, losses: Sequence[SampleLoss], at: Tensor) -> list[Tensor]:
        """Of each kind, for some of the samples, n places, under one network of weights (1, P): shape (n,) each.

        Raises:
            InputError: for a loss outside [0, 1], or not one for each sample.
        """
        inputs, targets = self._at(at, weights.device)
        output = self.flat.output(weights[0], inputs)
        return [_one_each(loss(output, targets), len(at)) for loss in losses]

    def own_losses(self, posterior: Posterior, loss: SampleLoss, generator: torch.Generator) -> Tensor:
        """The loss of every sample, shape (m,), under a network of its own, drawn from a posterior for it alone."""

        def one(weights: Tensor, inputs: tuple[Tensor, ...], target: Tensor) -> Tensor:
            output = self.flat.output(weights, tuple(part[None] for part in inputs))
            return loss(output, target[None])[0]

        count = posterior.mean.shape[-1]
        found = []
        with torch.no_grad():
            for at in torch.arange(self.size).split(max(1, _WORKING // count)):  # type: ignore[no-untyped-call]
                many = Posterior(posterior.mean.expand(len(at), -1), posterior.scale.expand(len(at), -1))
                found.append(torch.func.vmap(one)(many.sample(generator), *self._at(at, posterior.mean.device)))
        return _one_each(torch.cat(found), self.size)

    def minibatches(self, loss: SampleLoss, at: Tensor, batch: int, generator: torch.Generator) -> Losses:
        """The mean loss, from weights (1, P) and step to (1,), over a batch drawn anew by a generator on the CPU."""

        def mean(weights: Tensor, step: int) -> Tensor:
            return self.losses(weights, [loss], picked(at, batch, generator))[0].mean()[None]

        return mean

    def _at(self, at: Tensor, device: torch.device) -> tuple[tuple[Tensor, ...], Tensor]:
        inputs = tuple(part[at.to(part.device)].to(device) for part in self.inputs)
        return inputs, self.targets[at.to(self.targets.device)].to(device)


def picked(at: Tensor, batch: int, generator: torch.Generator) -> Tensor:
    """A random minibatch, shape (batch,), with replacement, of places (n,); the generator is on the CPU."""
    return at[torch.randint(len(at), (batch,), generator=generator)]


def _one_each(losses: Tensor, count: int) -> Tensor:
    if losses.shape != (count,):
        raise InputError("loss", f"one number for each of {count} samples", tuple(losses.shape), "do not reduce it")
    return bounded(losses)


def _several(inputs: Any) -> tuple[Tensor, ...]:
    return tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,)
