"""Networks of the construction's shape whose weights are free: flat rows of weights, a row for each of S networks.

* full: every entry of the published layout's blocks, 2,014 weights at T = 20 and D = 2: (T+2)-channel tokens, two
  layers of attention with a matrix of keys and queries each, the MLP between them, a vector that reads the values;
* compact: the entries alone that some construction of the class uses, T² + T + 2 + 3H of them; the others are zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn.functional import pad

from boundaudit.numeric.sharpness.autodiff import unflatten
from boundaudit.numeric.sharpness.bound.certificate import outputs
from boundaudit.numeric.sharpness.construction import Blocks, Channels

Shape = Literal["compact", "full"]

_QUIET = 0.1
"""The scale of what starts small: layer 2, and what the MLP adds to the stream."""


@dataclass(frozen=True)
class Network:
    """A shape of networks.

    Attributes:
        length: T.
        units: H, hidden units of the MLP.
        shape: which entries are free.
    """

    length: int
    units: int
    shape: Shape = "compact"

    @property
    def channels(self) -> int:
        """E, the number of channels."""
        return Channels(self.length, "published").count

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of free weights of each block: full in the order of the forward pass, compact with W2 second."""
        t, e, h = self.length, self.channels, self.units
        return (t * t, t, 1, h, h, h, 1) if self.shape == "compact" else (e * e, e * e, e * h, h, h * e, e * e, e)

    @property
    def groups(self) -> tuple[int, ...]:
        """The number of weights that share a scale of the prior: a matrix alone, or a few small blocks together."""
        t, h = self.length, self.units
        return (t * t, t, 1 + 2 * h, h + 1) if self.shape == "compact" else self.sizes

    @property
    def count(self) -> int:
        """P, the number of free weights."""
        return sum(self.sizes)

    def start(self, count: int, generator: torch.Generator) -> Tensor:
        """Random weights for S networks, which know no target, float64, (S, P); the generator is on the CPU.

        A compact network's hidden units have their kinks at random places in [0, 1], where averages of bits are.
        """
        t, e, h = self.length, self.channels, self.units

        def normal(*shape: int) -> Tensor:
            return torch.randn(count, *shape, generator=generator, dtype=torch.float64)

        slope = 2 * normal(h).sign()
        kink = torch.rand(count, h, generator=generator, dtype=torch.float64)
        read = normal(h) / math.sqrt(h)
        if self.shape == "compact":
            one = torch.ones(count, 1, dtype=torch.float64)
            parts = [normal(t * t), _QUIET * normal(t), one, slope, -slope * kink, read, 2 * one]
        else:
            w1, v1, m = normal(e, e), normal(e, e) * 0.2 / math.sqrt(e), 0.3 * normal(e, h)
            w1[:, -1] *= _QUIET
            w1[:, :, -1] *= _QUIET
            v1[:, -1] = normal(e)
            parts = [w1, v1, m, normal(h), _QUIET * normal(h, e), _QUIET * normal(e, e), 0.2 * normal(e)]
        return torch.cat([part.flatten(1) for part in parts], dim=1)

    def numbers(self, inputs: int) -> int:
        """How many numbers one network and its pass over some inputs hold, roughly."""
        wide = self.units if self.shape == "compact" else 3 * self.channels
        return self.count + inputs * (self.length + 1) * wide

    def outputs(self, weights: Tensor, bits: Tensor) -> Tensor:
        """Outputs (S, n) for inputs (n, T) for all alike or (S, n, T); weights (S, P) in the precision of computing."""
        if self.shape == "full":
            return outputs(self.blocks(weights), bits.expand(len(weights), *bits.shape[-2:]))
        w1, w2, v1, m, gamma, f, v2 = torch.split(weights, list(self.sizes), dim=1)
        first = torch.softmax(pad(w1.reshape(-1, self.length, self.length), (0, 1, 0, 1)), dim=1)
        averaged = v1[..., None] * (bits.to(weights.dtype) @ first[:, :-1])
        hidden = torch.relu(torch.addcmul(gamma[:, None, None], averaged[..., None], m[:, None, None]))
        values = (hidden @ f[:, None, :, None])[..., 0]
        return v2 * (values @ torch.softmax(pad(w2, (0, 1)), dim=1)[..., None])[..., 0]

    def blocks(self, weights: Tensor) -> Blocks:
        """The networks of weights (S, P) as blocks of the published layout, zeros written out."""
        t, e, h = self.length, self.channels, self.units

        def zeros(*shape: int) -> Tensor:
            return weights.new_zeros(len(weights), *shape)

        empty = Blocks(zeros(e, e), zeros(e, e), zeros(e, h), zeros(h), zeros(h, e), zeros(e, e), zeros(e), "published")
        if self.shape == "full":
            return unflatten(weights, empty)
        w1, w2, v1, m, gamma, f, v2 = torch.split(weights, list(self.sizes), dim=1)
        empty.W1[:, :t, :t] = w1.reshape(-1, t, t)
        empty.V1[:, -1, -1] = v1[:, 0]
        empty.M[:, -1] = m
        empty.Gamma[:] = gamma
        empty.F[:, :, -1] = f
        empty.W2[:, :t, t] = w2
        empty.V2[:, -1] = v2[:, 0]
        return empty
