"""The small network of Lintilhac & Shaikh 2026 (Section 2.4): attention, a function of one variable, a linear read-out.

Tokens are the one-hot code of a position beside one channel with its bit. Attention averages one number s_t at each
position, the same MLP g of one variable follows, and f = Σ r_t g(s_t) + r_0: 1,109 weights at T = 20 and 32 units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from boundaudit.numeric.sharpness.trained.architecture import Masks, Weights


@dataclass(frozen=True)
class Readout:
    """A size of networks.

    Attributes:
        length: T.
        hidden: Units of the MLP.
    """

    length: int
    hidden: int = 32

    @property
    def width(self) -> int:
        """E, the number of channels."""
        return self.length + 2

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each weight of one network."""
        e, h = self.width, self.hidden
        return {
            "query": (e, e), "key": (e, e), "value": (e,), "up": (h,), "up_bias": (h,), "down": (h,),
            "read": (self.length + 1,), "read_bias": (1,),
        }  # fmt: skip

    @property
    def count(self) -> int:
        """The number of weights of one network."""
        return sum(math.prod(shape) for shape in self.shapes.values())

    def start(self, numbers: np.ndarray, seed: int) -> dict[str, Tensor]:
        """Random weights, each network's from its number; kinks of the MLP lie where averages of bits do.

        Args:
            numbers: Which networks, shape (S,).
            seed: Of all of them.

        Returns:
            Float32, on the CPU.
        """
        rows = [np.random.default_rng([seed, int(number), 0]) for number in numbers]
        e, h = self.width, self.hidden

        def normal(name: str, scale: float) -> Tensor:
            shape = self.shapes[name]
            return torch.from_numpy(np.stack([scale * row.standard_normal(shape) for row in rows]).astype(np.float32))

        slope = normal("up", 1.0)
        place = torch.from_numpy(np.stack([row.random(h) for row in rows]).astype(np.float32))
        value = normal("value", 1 / e)
        value[:, -1] = 1
        return {
            "query": normal("query", 1 / math.sqrt(e)), "key": normal("key", 1 / math.sqrt(e)), "value": value,
            "up": slope, "up_bias": -slope * place, "down": normal("down", 1 / math.sqrt(h)),
            "read": normal("read", 1 / math.sqrt(e)), "read_bias": torch.zeros(len(rows), 1),
        }  # fmt: skip

    def outputs(self, weights: Weights, bits: Tensor, masks: Masks | None = None) -> Tensor:
        """Run every network.

        Args:
            weights: Of S networks.
            bits: Inputs, shape (n, T) for all networks alike or (S, n, T).
            masks: What dropout leaves of the averages.

        Returns:
            Shape (S, n).
        """
        averages = (masks or Masks())(self.averages(weights, bits))
        learned = self.function(weights, averages.flatten(1)).view_as(averages)
        return (learned @ weights["read"][..., None])[..., 0] + weights["read_bias"]

    def averages(self, weights: Weights, bits: Tensor) -> Tensor:
        """S_t of each input at each position.

        Args:
            weights: Of S networks.
            bits: Inputs, shape (n, T) or (S, n, T).

        Returns:
            Shape (S, n, T+1).
        """
        b = self._bits(weights, bits)
        numbers = weights["value"][:, None, :-1] + b[..., 0] * weights["value"][:, None, -1:]
        return (self.attention(weights, bits) @ numbers[..., None])[..., 0]

    def attention(self, weights: Weights, bits: Tensor) -> Tensor:
        """The attention of each position to each other.

        Args:
            weights: Of S networks.
            bits: Inputs, shape (n, T) or (S, n, T).

        Returns:
            Shape (S, n, T+1, T+1), rows of sum one.
        """
        b = self._bits(weights, bits)
        form = math.log(self.length) / math.sqrt(self.width) * weights["query"] @ weights["key"].mT
        positions, column, row, both = form[:, :-1, :-1], form[:, :-1, -1:], form[:, -1:, :-1], form[:, -1:, -1:]
        rows = torch.addcmul(positions[:, None], column[:, None], b.mT)
        return torch.softmax(torch.addcmul(rows, b, torch.addcmul(row[:, None], both[:, None], b.mT)), dim=-1)

    def function(self, weights: Weights, s: Tensor) -> Tensor:
        """The learned function g of one variable.

        Args:
            weights: Of S networks.
            s: Where, shape (S, n).

        Returns:
            Shape (S, n).
        """
        hidden = torch.relu(torch.addcmul(weights["up_bias"][:, None], s[..., None], weights["up"][:, None]))
        return (hidden @ weights["down"][..., None])[..., 0]

    def numbers(self) -> int:
        """How many numbers a pass holds for one input, roughly."""
        return (self.length + 1) * (3 * (self.length + 1) + 2 * self.hidden)

    def _bits(self, weights: Weights, bits: Tensor) -> Tensor:
        return pad(bits.to(weights["read"].dtype).expand(len(weights["read"]), *bits.shape[-2:]), (0, 1))[..., None]
