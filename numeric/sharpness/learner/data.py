"""Labelled samples of the task: uniform inputs with the target's values, and mean losses on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import numbered_bits
from boundaudit.numeric.sharpness.learner.networks import Network
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target

CLIP = 1.0
"""M: the loss is min((f - y)², M)."""

NUMBERS = {"cpu": 2**21, "cuda": 2**27}
"""Numbers that a pass holds at once."""


@dataclass(frozen=True)
class Sample:
    """Inputs with their values."""

    bits: Tensor  # bool, (m, T)
    wanted: Tensor  # f of each, float32, (m,)

    def __len__(self) -> int:
        """The number m of samples."""
        return len(self.wanted)

    def __getitem__(self, part: slice | Tensor) -> Sample:
        """Some of the samples."""
        return Sample(self.bits[part], self.wanted[part])

    @classmethod
    def of(cls, target: Target, numbers: Tensor) -> Sample:
        """The inputs of these numbers, int64, (m,), on the device of the sample."""
        bits = numbered_bits(numbers, target.length)
        return cls(bits, evaluate(target, bits).float())

    @classmethod
    def population(cls, target: Target, most: int, generator: torch.Generator) -> Sample:
        """All 2^T inputs in order if no more than `most`, else so many uniform ones, on the generator's device."""
        if (every := 2**target.length) <= most:
            return cls.of(target, torch.arange(every, device=generator.device))
        return cls.uniform(target, (most,), generator)

    @classmethod
    def uniform(cls, target: Target, shape: tuple[int, ...], generator: torch.Generator) -> Sample:
        """Uniform inputs on the generator's device: bits of shape (..., T) and values of the shape asked for."""
        numbers = torch.randint(2**target.length, (math.prod(shape),), generator=generator, device=generator.device)
        flat = cls.of(target, numbers)
        return cls(flat.bits.reshape(*shape, -1), flat.wanted.reshape(shape))

    def squares(self, network: Network, weights: Tensor) -> Tensor:
        """(f - y)², in single precision, of networks of weights (S, P), shape (S, m); a drawn sample is (S, n)."""
        return (network.outputs(weights.float(), self.bits) - self.wanted).square()


def losses(network: Network, weights: Tensor, sample: Sample) -> Tensor:
    """The clipped losses of networks of weights (S, P) without noise, float64, shape (S, m)."""
    size = max(1, NUMBERS[weights.device.type] // (len(weights) * network.numbers(1)))
    parts = [sample[start : start + size] for start in range(0, len(sample), size)]
    with torch.no_grad():
        return torch.cat([part.squares(network, weights).clamp_max(CLIP).double() for part in parts], dim=1)


@dataclass(frozen=True)
class Samples:
    """The samples of several targets, each with as many networks; networks come target by target."""

    bits: Tensor  # bool, (F, m, T)
    wanted: Tensor  # float32, (F, m)
    networks: int  # S, of each target

    @classmethod
    def stack(cls, samples: Sequence[Sample], networks: int) -> Samples:
        """Of F samples of one size, one for each target with S networks."""
        bits, wanted = ([getattr(sample, name) for sample in samples] for name in ("bits", "wanted"))
        return cls(torch.stack(bits), torch.stack(wanted), networks)

    def __len__(self) -> int:
        """The number m of samples of each target."""
        return self.wanted.shape[1]

    def __getitem__(self, target: int) -> Sample:
        """The sample of one target."""
        return Sample(self.bits[target], self.wanted[target])

    def shared(self, size: int, generator: torch.Generator) -> Sample:
        """A minibatch of n for each target, with replacement, the same for its networks: for F S networks, (F S, n)."""
        numbers = torch.randint(len(self), (len(self.wanted), size), generator=generator, device=self.wanted.device)
        return self._of_networks(numbers.repeat_interleave(self.networks, 0))

    def own(self, networks: int, size: int, generator: torch.Generator) -> Sample:
        """A minibatch of n for each network, with replacement; all F S networks, once or more often: (networks, n)."""
        shape = (networks, size)
        return self._of_networks(torch.randint(len(self), shape, generator=generator, device=self.wanted.device))

    def _of_networks(self, numbers: Tensor) -> Sample:
        """Inputs of these numbers, a row for each network."""
        targets = torch.arange(len(numbers), device=numbers.device) // self.networks % len(self.wanted)
        return Sample(self.bits[targets[:, None], numbers], self.wanted[targets[:, None], numbers])
