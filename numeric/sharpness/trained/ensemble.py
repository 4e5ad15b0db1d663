"""Training of many networks as one stack: each has its own target, training set, rate, order of batches and end.

Everything random comes from the seed and from numbers of networks, epochs and steps, so that a network learns the same
alone as in a stack (but for rounding), and what goes on from a saved state ends as if it had never stopped. On a GPU
the products of a step are rounded as is usual in training; losses that are looked at, and risks, are not.
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
from boundaudit.numeric.counted import key, mixed, orders
from boundaudit.numeric.enumeration import numbered_bits
from boundaudit.numeric.repeated import Repeated, rounded_products
from boundaudit.numeric.sharpness.trained.family import Family, Masks
from boundaudit.numeric.sharpness.trained.risk import mean_risk
from boundaudit.numeric.sharpness.trained.tasks import Task

Told = Callable[[int, int], None]
"""Hears how many epochs are done and how many networks go on."""

SECONDS, QUICK = 10.0, 0.2
"""Between two saved states, and how long saving one may take; where it takes longer they are rarer in proportion."""

FULL = {"cpu": 1.0, "cuda": 0.9}
"""The share of a stack that has to go on, else it is packed: on a GPU a new graph is then recorded."""

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
    """Train a network for each task; those that do not converge are told as well.

    Args:
        architecture: Of all networks.
        tasks: S training sets.
        plan: How.
        rates: Learning rates, shape (S,).
        seed: Of starts, orders and dropout; but for rounding it gives the same networks on all devices.
        device: ``cpu`` or ``cuda``.
        numbers: The networks' numbers, on which their randomness depends; 0 to S-1 unless given.
        state: A file that is written now and then, and gone on with where it exists.
        told: Hears how it goes.

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
            told(ensemble.epoch, ensemble.going)
            if state is not None and (ensemble.ended or time.monotonic() > due):
                began = time.monotonic()
                ensemble.save(state)
                ended = time.monotonic()
                due = ended + SECONDS * max(1.0, (ended - began) / QUICK)
    return ensemble.found()


class _Ensemble:
    """A stack of networks, of which some go on, and where the others stopped.

    A network that is done stays in the stack, where what becomes of it is no longer looked at, until the stack is
    packed: tensors stay where they are for as long as a graph of the step is replayed.
    """

    def __init__(
        self, architecture: Family, tasks: Task, plan: Plan, rates: Tensor, numbers: np.ndarray, seed: int
    ) -> None:  # fmt: skip
        self._architecture, self._plan, self._rates, self.device = architecture, plan, rates, rates.device
        self._keys = (torch.from_numpy(numbers).to(torch.int32) + key(seed, 2)).to(self.device)
        self._masks = key(seed, 3)
        self._inputs, self._wanted = tasks.inputs, tasks.wanted()
        self.epoch, self.going = 0, len(tasks)
        start = architecture.flat(architecture.start(numbers, seed)).to(self.device)
        self._state = {"weights": start, "first": torch.zeros_like(start), "second": torch.zeros_like(start)}
        self._ended = start.clone()
        self._epochs = torch.zeros(len(tasks), dtype=torch.int64, device=self.device)
        self._loss = torch.full((len(tasks),), math.inf, dtype=torch.float64, device=self.device)
        self._pack(torch.arange(len(tasks), device=self.device))

    def _pack(self, stack: Tensor) -> None:
        """Begin a stack of these networks, whose state has been set."""
        steps = self.epoch * math.ceil(self._wanted.shape[1] / self._plan.batch)
        self._stack, self._step = stack, torch.full((), steps, dtype=torch.int32, device=self.device)
        self._stack_rates = self._rates[stack, None]
        self._descend = Repeated(self._descent, self.device)

    @property
    def ended(self) -> bool:
        """Whether no network goes on."""
        return self.going == 0 or self.epoch >= self._plan.epochs

    def advance(self) -> None:
        """One pass over the training sets of all networks in the stack."""
        order = orders(mixed(self._keys[self._stack]) + self.epoch, self._wanted.shape[1])
        inputs, wanted = (full[self._stack[:, None], order] for full in (self._inputs, self._wanted))
        for batch in zip(*(torch.split(each, self._plan.batch, 1) for each in (inputs, wanted)), strict=True):
            self._descend(*batch)
        self.epoch += 1

    def _descent(self, inputs: Tensor, wanted: Tensor) -> None:
        """One step of AdamW for all networks in the stack, everything in place."""
        weights, first, second = (self._state[name] for name in ("weights", "first", "second"))
        known = weights.detach().requires_grad_()
        bits = numbered_bits(inputs, self._architecture.length)
        masks = Masks(self._plan.dropout, mixed(self._step + self._masks))
        with rounded_products():
            outputs = self._architecture.outputs(self._architecture.named(known), bits, masks)
            (gradient,) = torch.autograd.grad((outputs - wanted.float()).square().flatten(1).mean(1).sum(), known)
        self._step += 1
        mean, square = (1 - beta ** self._step.double() for beta in _BETAS)
        first.lerp_(gradient, 1 - _BETAS[0])
        second.lerp_(gradient.square(), 1 - _BETAS[1])
        weights -= self._stack_rates * self._plan.decay * weights
        weights -= self._stack_rates * (first / mean) / ((second / square).sqrt() + _EPSILON)

    def retire(self) -> None:
        """Look at the training losses, keep what is done as it is, and pack the stack where that pays."""
        stack, weights = self._stack, self._state["weights"]
        going = self._goes_on()
        named = self._architecture.named(weights)
        loss = mean_risk(self._architecture, named, self._inputs[stack], self._wanted[stack])
        self._loss[stack] = torch.where(going, loss, self._loss[stack])
        self._epochs[stack] = torch.where(going, self.epoch, self._epochs[stack])
        self._ended[stack] = torch.where(going[:, None], weights, self._ended[stack])
        stays = self._goes_on()
        self.going = int(stays.sum())
        if self.going < FULL[self.device.type] * len(stack):
            self._state = {name: tensor[stays] for name, tensor in self._state.items()}
            self._pack(stack[stays])

    def _goes_on(self) -> Tensor:
        """Which networks of the stack go on."""
        return self._loss[self._stack] > self._plan.stop

    def found(self) -> Trained:
        """Where all networks are now."""
        ended = {name: tensor.contiguous() for name, tensor in self._architecture.named(self._ended.cpu()).items()}
        return Trained(ended, self._epochs.cpu(), self._loss.cpu(), (self._loss <= self._plan.stop).cpu())

    def save(self, path: Path) -> None:
        """Write the state in one step; InputError where it cannot be written."""
        draft = path.with_name(path.name + ".draft")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_file(self._tensors(), draft)
            draft.replace(path)
        except (OSError, SafetensorError) as error:
            raise InputError("--out", "a place that can be written", f"{path} ({error})", "make room") from None

    def restore(self, path: Path) -> None:
        """Go on from what `save` wrote; InputError where it is damaged or belongs to another ensemble."""
        try:
            found = load_file(path, device=str(self.device))
        except (OSError, SafetensorError) as error:
            raise InputError("--resume", "a saved state", f"{path} ({error})", "remove it") from None
        mine = self._tensors()
        if found.keys() != mine.keys() or any(found[name].shape[1:] != mine[name].shape[1:] for name in mine):
            raise InputError("--resume", "a state of these networks", path, "remove it")
        self.epoch, self.going = int(found["epoch"]), int(found["going"])
        self._loss, self._epochs = found["loss"], found["epochs"]
        self._ended, self._state = found["ended"], {name: found[name] for name in self._state}
        self._pack(found["stack"])

    def _tensors(self) -> dict[str, Tensor]:
        told = {"epoch": torch.tensor(self.epoch), "going": torch.tensor(self.going)}
        ends = {"ended": self._ended, "loss": self._loss, "epochs": self._epochs}
        return {**self._state, "stack": self._stack, **ends, **told}
