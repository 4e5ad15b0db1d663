"""What training and risks need to know of networks of one shape, many at once."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.counted import kept

Weights = Mapping[str, Tensor]
"""Each of shape (S, …) for S networks."""


class Family(ABC):
    """Networks of one shape, for inputs of T bits."""

    length: int

    @property
    @abstractmethod
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each weight of one network."""

    @abstractmethod
    def draw(self, random: np.random.Generator) -> dict[str, np.ndarray]:
        """Random weights of one network."""

    @abstractmethod
    def outputs(self, weights: Weights, bits: Tensor, masks: Masks | None = None) -> Tensor:
        """Run S networks on inputs, bool, (n, T) for all alike or (S, n, T); no masks drop nothing.

        Shape (S, n), or (S, n, …) for networks of several outputs.
        """

    @abstractmethod
    def numbers(self) -> int:
        """How many numbers a pass holds for one input, roughly."""

    @property
    def count(self) -> int:
        """The number of weights of one network."""
        return sum(math.prod(shape) for shape in self.shapes.values())

    def start(self, numbers: np.ndarray, seed: int) -> dict[str, Tensor]:
        """Random weights, float32, on the CPU, each network's from its number, of (S,), and the seed alone."""
        drawn = [self.draw(np.random.default_rng([seed, int(number), 0])) for number in numbers]
        return {
            name: torch.from_numpy(np.stack([each[name] for each in drawn]).astype(np.float32)) for name in self.shapes
        }

    def flat(self, weights: Weights) -> Tensor:
        """All weights of each network in a row, shape (S, count)."""
        return torch.cat([weights[name].flatten(1) for name in self.shapes], dim=1)

    def named(self, flat: Tensor) -> dict[str, Tensor]:
        """The weights by name, as views of what `flat` gives."""
        parts = torch.split(flat, [math.prod(shape) for shape in self.shapes.values()], dim=1)
        return {name: part.reshape(-1, *shape) for (name, shape), part in zip(self.shapes.items(), parts, strict=True)}


_SUBLAYER = 0x1E3779B9
"""From the key of one sublayer's mask to the next: further than a mask has numbers."""


class Masks:
    """What dropout leaves of each sublayer's output: the same for all networks, so that each could be alone."""

    def __init__(self, rate: float = 0.0, key: Tensor | None = None) -> None:
        """None at all, or those of the step of this key, int32 without dimensions, which drop a share."""
        self._rate, self._key = rate, key

    def __call__(self, x: Tensor) -> Tensor:
        """Drop a share of the channels and scale up the rest."""
        if self._key is None or self._rate == 0:
            return x
        self._key = self._key + _SUBLAYER
        return x * (kept(self._key, x.shape[1:], self._rate).to(x.dtype) / (1 - self._rate))
