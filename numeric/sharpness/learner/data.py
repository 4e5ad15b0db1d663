"""Labelled samples of the task: uniform inputs with the target's values, and mean losses on them."""

from __future__ import annotations

import math
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
    """Inputs with their values.

    Attributes:
        bits: bool, shape (m, T).
        wanted: f of each, float32, shape (m,).
    """

    bits: Tensor
    wanted: Tensor

    def __len__(self) -> int:
        """The number m of samples."""
        return len(self.wanted)

    def __getitem__(self, part: slice | Tensor) -> Sample:
        """Some of the samples."""
        return Sample(self.bits[part], self.wanted[part])

    @classmethod
    def of(cls, target: Target, numbers: Tensor) -> Sample:
        """The inputs of these numbers.

        Args:
            target: f.
            numbers: int64, shape (m,), on the device of the sample.

        Returns:
            The sample.
        """
        bits = numbered_bits(numbers, target.length)
        return cls(bits, evaluate(target, bits).float())

    @classmethod
    def population(cls, target: Target, most: int, generator: torch.Generator) -> Sample:
        """All inputs, or as many uniform ones as are allowed.

        Args:
            target: f.
            most: how many.
            generator: of these, on the device of the sample.

        Returns:
            The sample, all 2^T inputs in order where they are no more than ``most``.
        """
        if (every := 2**target.length) <= most:
            return cls.of(target, torch.arange(every, device=generator.device))
        return cls.uniform(target, (most,), generator)

    @classmethod
    def uniform(cls, target: Target, shape: tuple[int, ...], generator: torch.Generator) -> Sample:
        """Uniform inputs.

        Args:
            target: f.
            shape: of the sample.
            generator: on the device of the sample.

        Returns:
            Bits of shape (..., T) and values of the shape asked for.
        """
        numbers = torch.randint(2**target.length, (math.prod(shape),), generator=generator, device=generator.device)
        flat = cls.of(target, numbers)
        return cls(flat.bits.reshape(*shape, -1), flat.wanted.reshape(shape))

    def drawn(self, shape: tuple[int, ...], generator: torch.Generator) -> Sample:
        """Samples with replacement, those of a minibatch.

        Args:
            shape: of the drawn sample.
            generator: on the device of the sample.

        Returns:
            Bits of shape (..., T) and values of the shape asked for.
        """
        return self[torch.randint(len(self), shape, generator=generator, device=self.wanted.device)]

    def squares(self, network: Network, weights: Tensor) -> Tensor:
        """(f - y)² in single precision.

        Args:
            network: the networks' shape.
            weights: shape (S, P).

        Returns:
            Shape (S, m), for a drawn sample of shape (S, n) the same.
        """
        return (network.outputs(weights.float(), self.bits) - self.wanted).square()


def losses(network: Network, weights: Tensor, sample: Sample) -> Tensor:
    """The clipped losses of networks without noise.

    Args:
        network: their shape.
        weights: shape (S, P).
        sample: m samples.

    Returns:
        Float64, shape (S, m).
    """
    size = max(1, NUMBERS[weights.device.type] // (len(weights) * network.numbers(1)))
    parts = [sample[start : start + size] for start in range(0, len(sample), size)]
    with torch.no_grad():
        return torch.cat([part.squares(network, weights).clamp_max(CLIP).double() for part in parts], dim=1)
