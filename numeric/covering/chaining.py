"""A finite class of functions on a sample, approximated level by level: nets, links between them, and their sums."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.covering.rademacher import complexity


@dataclass(frozen=True)
class Chaining:
    """Functions with values in [-1, 1] on a sample, shape (n, m), and nets of them at scales 2^{-j}.

    Scales are root mean squares. The coarsest net is the function zero, the finest that of level J, the depth. From net
    to net the root of the entropy may grow by θ.
    """

    values: Tensor
    depth: int
    growth: float

    @functools.cached_property
    def _elements(self) -> list[Tensor]:
        """The number of the element next to each function, for the levels from 1 on."""
        distances = (self.values[:, None] - self.values).square().mean(-1).sqrt()
        found = []
        for level in range(1, self.depth + 1):
            net: list[int] = []
            for n, row in enumerate(distances):
                if not net or row[net].amin() > 2.0**-level:
                    net.append(n)
            found.append(torch.tensor(net)[distances[:, net].argmin(1)])
        return found

    @property
    def scale(self) -> float:
        """√(C/m) for the least C with log N(2^{-j}) ≤ C θ^{2j}, where a net counts as at least two elements."""
        sizes = [max(2, len(set(of.tolist()))) for of in self._elements]
        costs = [math.log(size) / self.growth ** (2 * level) for level, size in enumerate(sizes, start=1)]
        return math.sqrt(max(costs) / self.values.shape[1])

    @property
    def links(self) -> Tensor:
        """From each function's element of one level to that of the next, shape (J, n, m)."""
        stages = torch.stack([torch.zeros_like(self.values), *(self.values[of] for of in self._elements)])
        return stages.diff(dim=0)

    @property
    def complexity(self) -> Tensor:
        """The Rademacher complexity of the class."""
        return complexity(self.values)

    @property
    def of_links(self) -> Tensor:
        """Those of the links of each level, shape (J)."""
        return complexity(self.links)

    @property
    def of_rest(self) -> Tensor:
        """That of what the last net leaves of the functions."""
        return complexity(self.values - self.values[self._elements[-1]])

    @property
    def _levels(self) -> Tensor:
        return torch.arange(1, self.depth + 1, dtype=torch.float64)

    @property
    def steps(self) -> Tensor:
        """The arguments t = 2mc(2θ)^j/3 of the links' moment generating functions, shape (J)."""
        return 2 / 3 * self.values.shape[1] * self.scale * (2 * self.growth) ** self._levels

    @property
    def scaled_links(self) -> Tensor:
        """Links times their level's argument over m, level after level, shape (J n, m)."""
        return (self.links * self.steps[:, None, None] / self.values.shape[1]).flatten(0, 1)

    @property
    def weights(self) -> Tensor:
        """What each link counts, exp(-6c(θ/2)^j t)/t at its level's t and once where links are one, shape (J n)."""
        once, before = [], torch.full((len(self.values),), -1)
        for of in self._elements:
            pairs = list(zip(of.tolist(), before.tolist(), strict=True))
            once.append([float(pair not in pairs[:n]) for n, pair in enumerate(pairs)])
            before = of
        each = torch.exp(-6 * self.scale * (self.growth / 2) ** self._levels * self.steps) / self.steps
        return (torch.tensor(once, dtype=torch.float64) * each[:, None]).flatten()

    @property
    def longest(self) -> Tensor:
        """Half the largest squared length that a scaled link of each level may have, for each link, shape (J n)."""
        lengths = 9 * 4.0**-self._levels
        return (self.steps.square() * lengths / self.values.shape[1] / 2).repeat_interleave(len(self.values))
