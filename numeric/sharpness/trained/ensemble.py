"""Training of many networks as one stack: each has its own target, training set, rate, order of batches and end.

Everything random comes from the seed and from numbers of networks, epochs and steps, so that a network learns the same
alone as in a stack (but for rounding), and what goes on from a saved state ends as if it had never stopped.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.enumeration import numbered_bits
from boundaudit.numeric.sharpness.trained.family import Family, Masks
from boundaudit.numeric.sharpness.trained.risk import mean_risk
from boundaudit.numeric.sharpness.trained.tasks import Task

Told = Callable[[int, int], None]
"""Hears how many epochs are done and how many networks go on."""

SECONDS, QUICK = 10.0, 0.2
"""Between two saved states, and how long saving one may take; where it takes longer they are rarer in proportion."""

_BETAS, _EPSILON = (0.9, 0.999), 1e-8


@dataclass(frozen=True)
class Plan:
    """How networks are trained: AdamW on minibatches until the loss on the training set is small.

    Attributes:
        batch: Inputs of a minibatch.
        decay: Of weights, in units of the rate.
        dropout: The share of each sublayer's output that is dropped in training.
        stop: The mean squared error on the training set, without dropout, at which a network is done.
        epochs: The most passes over the training set; a network that needs more is not converged.
        every: How many passes lie between two looks at that error.
    """

    batch: int = 256
    decay: float = 1e-4
    dropout: float = 0.1
    stop: float = 0.02
    epochs: int = 2000
    every: int = 5


@dataclass(frozen=True)
class Trained:
    """What came of it.

    Attributes:
        weights: Of all S networks, where they stopped.
        epochs: Passes that each made, int64, shape (S,).
        loss: On the training set, without dropout, float64, shape (S,).
        converged: Whether the loss is at most what was asked for, bool, shape (S,).
    """

    weights: dict[str, Tensor]
    epochs: Tensor
    loss: Tensor
    converged: Tensor


def train_networks(
    architecture: Family, tasks: Task, plan: Plan, rates: Tensor, *, seed: int, device: str = "cpu",
    numbers: np.ndarray | None = None, state: Path | None = None, told: Told = lambda epoch, going: None,
) -> Trained:  # fmt: skip
    """Train a network for each task.

    Args:
        architecture: Of all networks.
        tasks: S training sets.
        plan: How.
        rates: Learning rates, shape (S,).
        seed: Of starts, orders and dropout.
        device: ``cpu`` or ``cuda``; the same seed gives other networks there.
        numbers: The networks' numbers, on which their randomness depends; 0 to S-1 unless given.
        state: A file that is written now and then, and gone on with where it exists.
        told: Hears how it goes.

    Returns:
        All networks, those included that did not converge.

    Raises:
        InputError: where the state belongs to another ensemble or cannot be read.
    """
    who = np.arange(len(tasks)) if numbers is None else numbers
    ensemble = _Ensemble(architecture, tasks.to(device), plan, rates.to(device), who, seed)
    if state is not None and state.exists():
        ensemble.restore(state)
    due = time.monotonic() + SECONDS
    while not ensemble.ended:
        ensemble.advance()
        if ensemble.epoch % plan.every == 0 or ensemble.ended:
            ensemble.retire()
            told(ensemble.epoch, len(ensemble.going))
            if state is not None and (ensemble.ended or time.monotonic() > due):
                began = time.monotonic()
                ensemble.save(state)
                ended = time.monotonic()
                due = ended + SECONDS * max(1.0, (ended - began) / QUICK)
    return ensemble.found()


class _Ensemble:
    """The networks that go on, and where the others stopped."""

    def __init__(
        self, architecture: Family, tasks: Task, plan: Plan, rates: Tensor, numbers: np.ndarray, seed: int
    ) -> None:  # fmt: skip
        self._architecture, self._plan, self._rates = architecture, plan, rates
        self._numbers, self._seed, self.device = numbers, seed, rates.device
        self._inputs, self._wanted = tasks.inputs, tasks.wanted()
        self.epoch = 0
        self.going = torch.arange(len(tasks), device=self.device)
        start = architecture.flat(architecture.start(numbers, seed)).to(self.device)
        self._state = {"weights": start, "first": torch.zeros_like(start), "second": torch.zeros_like(start)}
        self._ended = start.clone()
        self._epochs = torch.zeros(len(tasks), dtype=torch.int64, device=self.device)
        self._loss = torch.full((len(tasks),), math.inf, dtype=torch.float64, device=self.device)

    @property
    def ended(self) -> bool:
        """Whether no network goes on."""
        return len(self.going) == 0 or self.epoch >= self._plan.epochs

    def advance(self) -> None:
        """One pass over the training sets of all networks that go on."""
        orders = np.stack([
            np.random.default_rng([self._seed, number, 2, self.epoch]).permutation(self._wanted.shape[1])
            for number in self._numbers[self.going.cpu().numpy()]
        ])  # fmt: skip
        order = torch.from_numpy(orders).to(self.device)
        inputs, wanted = (full[self.going[:, None], order] for full in (self._inputs, self._wanted))
        rates, some = self._rates[self.going], self._plan.batch
        steps = self.epoch * math.ceil(order.shape[1] / some)
        batches = zip(torch.split(inputs, some, 1), torch.split(wanted, some, 1), strict=True)
        for step, (numbers, values) in enumerate(batches, steps):
            self._descend(numbered_bits(numbers, self._architecture.length), values.float(), rates, step)
        self.epoch += 1

    def _descend(self, bits: Tensor, wanted: Tensor, rates: Tensor, step: int) -> None:
        """One step of AdamW for all networks."""
        weights, first, second = (self._state[name] for name in ("weights", "first", "second"))
        known = weights.detach().requires_grad_()
        random = np.random.SeedSequence([self._seed, 3, step]).generate_state(1)[0]
        masks = Masks(self._plan.dropout, torch.Generator(self.device).manual_seed(int(random)))
        squares = (self._architecture.outputs(self._architecture.named(known), bits, masks) - wanted).square()
        (gradient,) = torch.autograd.grad(squares.flatten(1).mean(1).sum(), known)
        mean, square = (1 - beta ** (step + 1) for beta in _BETAS)
        rate = rates[:, None]
        first.lerp_(gradient, 1 - _BETAS[0])
        second.lerp_(gradient.square(), 1 - _BETAS[1])
        weights -= rate * self._plan.decay * weights
        weights -= rate * (first / mean) / ((second / square).sqrt() + _EPSILON)

    def retire(self) -> None:
        """Look at the training losses, and take out the networks that are done."""
        going, weights = self.going, self._state["weights"]
        named = self._architecture.named(weights)
        self._loss[going] = mean_risk(self._architecture, named, self._inputs[going], self._wanted[going])
        self._epochs[going] = self.epoch
        self._ended[going] = weights
        stays = self._loss[going] > self._plan.stop
        if not bool(stays.all()):
            self.going = going[stays]
            self._state = {name: tensor[stays] for name, tensor in self._state.items()}

    def found(self) -> Trained:
        """Where all networks are now."""
        ended = {name: tensor.contiguous() for name, tensor in self._architecture.named(self._ended.cpu()).items()}
        return Trained(ended, self._epochs.cpu(), self._loss.cpu(), (self._loss <= self._plan.stop).cpu())

    def save(self, path: Path) -> None:
        """Write the state in one step.

        Args:
            path: The file.

        Raises:
            InputError: where it cannot be written.
        """
        draft = path.with_name(path.name + ".draft")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_file(self._tensors(), draft)
            draft.replace(path)
        except (OSError, SafetensorError) as error:
            raise InputError("--out", "a place that can be written", f"{path} ({error})", "make room") from None

    def restore(self, path: Path) -> None:
        """Go on from a state.

        Args:
            path: What `save` wrote.

        Raises:
            InputError: where it is damaged or belongs to another ensemble.
        """
        try:
            found = load_file(path, device=str(self.device))
        except (OSError, SafetensorError) as error:
            raise InputError("--resume", "a saved state", f"{path} ({error})", "remove it") from None
        mine = self._tensors()
        if found.keys() != mine.keys() or any(found[name].shape[1:] != mine[name].shape[1:] for name in mine):
            raise InputError("--resume", "a state of these networks", path, "remove it")
        self.epoch, self.going = int(found["epoch"]), found["going"]
        self._loss, self._epochs = found["loss"], found["epochs"]
        self._ended, self._state = found["ended"], {name: found[name] for name in self._state}

    def _tensors(self) -> dict[str, Tensor]:
        told = {"epoch": torch.tensor(self.epoch), "going": self.going, "loss": self._loss, "epochs": self._epochs}
        return {**self._state, "ended": self._ended, **told}
