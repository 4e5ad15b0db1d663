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

from boundaudit.numeric.sharpness.trained.family import Family, Masks, Weights


@dataclass(frozen=True)
class Readout(Family):
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

    def draw(self, random: np.random.Generator) -> dict[str, np.ndarray]:
        """Normal weights; kinks of the MLP lie where averages of bits do."""
        drawn = {name: random.standard_normal(shape) for name, shape in self.shapes.items()}
        for name, inputs in (("query", self.width), ("key", self.width), ("down", self.hidden), ("read", self.width)):
            drawn[name] /= math.sqrt(inputs)
        drawn["value"] /= self.width
        drawn["value"][-1] = 1
        return drawn | {"up_bias": -drawn["up"] * random.random(self.hidden), "read_bias": np.zeros(1)}

    def outputs(self, weights: Weights, bits: Tensor, masks: Masks | None = None) -> Tensor:
        """Run every network."""
        averages = (masks or Masks())(self.averages(weights, bits))
        learned = self.function(weights, averages.flatten(1)).view_as(averages)
        return (learned @ weights["read"][..., None])[..., 0] + weights["read_bias"]

    def averages(self, weights: Weights, bits: Tensor) -> Tensor:
        """The average s_t of each input (n, T) or (S, n, T) at each position, shape (S, n, T+1)."""
        b = self._bits(weights, bits)
        numbers = weights["value"][:, None, :-1] + b[..., 0] * weights["value"][:, None, -1:]
        return (self.attention(weights, bits) @ numbers[..., None])[..., 0]

    def attention(self, weights: Weights, bits: Tensor) -> Tensor:
        """The attention of positions to each other, (S, n, T+1, T+1), rows of sum one; inputs (n, T) or (S, n, T)."""
        b = self._bits(weights, bits)
        form = math.log(self.length) / math.sqrt(self.width) * weights["query"] @ weights["key"].mT
        positions, column, row, both = form[:, :-1, :-1], form[:, :-1, -1:], form[:, -1:, :-1], form[:, -1:, -1:]
        rows = torch.addcmul(positions[:, None], column[:, None], b.mT)
        return torch.softmax(torch.addcmul(rows, b, torch.addcmul(row[:, None], both[:, None], b.mT)), dim=-1)

    def function(self, weights: Weights, s: Tensor) -> Tensor:
        """The learned function g of one variable at s, both (S, n)."""
        hidden = torch.relu(torch.addcmul(weights["up_bias"][:, None], s[..., None], weights["up"][:, None]))
        return (hidden @ weights["down"][..., None])[..., 0]

    def numbers(self) -> int:
        """How many numbers a pass holds for one input, roughly."""
        return (self.length + 1) * (3 * (self.length + 1) + 2 * self.hidden)

    def _bits(self, weights: Weights, bits: Tensor) -> Tensor:
        return pad(bits.to(weights["read"].dtype).expand(len(weights["read"]), *bits.shape[-2:]), (0, 1))[..., None]
