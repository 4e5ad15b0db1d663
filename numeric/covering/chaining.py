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
    """Functions with values in [-1, 1], and nets of them at scales 2^{-j} in root mean square.

    Attributes:
        values: on the sample, shape (n, m).
        depth: J, the finest level; the coarsest net is the function zero.
    """

    values: Tensor
    depth: int

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
        """√(C/m) for the least C with log N(2^{-j}) ≤ C 4^j, where a net counts as at least two elements."""
        costs = [math.log(max(2, len(set(of.tolist())))) / 4**level for level, of in enumerate(self._elements, start=1)]
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
    def steps(self) -> Tensor:
        """The arguments m c 4^j / 2 of the links' moment generating functions, shape (J)."""
        return self.values.shape[1] * self.scale * 4.0 ** torch.arange(1, self.depth + 1, dtype=torch.float64) / 2

    @property
    def scaled_links(self) -> Tensor:
        """Links times their level's argument over m, level after level, shape (J n, m)."""
        return (self.links * self.steps[:, None, None] / self.values.shape[1]).flatten(0, 1)

    @property
    def weights(self) -> Tensor:
        """What each link counts, exp(-19ct/4)/t at its level's argument t and once where links are one, shape (J n)."""
        once, before = [], torch.full((len(self.values),), -1)
        for of in self._elements:
            pairs = list(zip(of.tolist(), before.tolist(), strict=True))
            once.append([float(pair not in pairs[:n]) for n, pair in enumerate(pairs)])
            before = of
        each = torch.exp(-19 / 4 * self.scale * self.steps) / self.steps
        return (torch.tensor(once, dtype=torch.float64) * each[:, None]).flatten()

    @property
    def longest(self) -> Tensor:
        """Half the largest squared length that a scaled link of each level may have, for each link, shape (J n)."""
        lengths = 9 * 4.0 ** -torch.arange(1, self.depth + 1, dtype=torch.float64)
        return (self.steps.square() * lengths / self.values.shape[1] / 2).repeat_interleave(len(self.values))
