"""What an ensemble learns: a random sparse target and a training set for each network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from boundaudit.numeric.enumeration import numbered_bits
from boundaudit.numeric.fourier.targets import random_sparse, sparse_table, sparse_values
from boundaudit.numeric.sharpness.target import Target


class Task(Protocol):
    """Training sets of S networks."""

    @property
    def inputs(self) -> Tensor:
        """Numbers of the training inputs, int64, shape (S, m)."""

    def __len__(self) -> int:
        """The number S of networks."""

    def wanted(self) -> Tensor:
        """What is wanted there, float64, shape (S, m) or (S, m, …)."""

    def to(self, device: str) -> Task:
        """The same on a device."""


@dataclass(frozen=True)
class Tasks:
    """Targets Σ c_t [x·S_t even] with training sets of uniform inputs.

    Attributes:
        members: Whether a position lies in a set, bool, shape (S, ω, T); sets beyond a target's own are empty.
        coefficients: Float64, shape (S, ω); 0 beyond a target's own.
        inputs: Numbers of the training inputs, int64, shape (S, m).
        classes: D and ω of each.
    """

    members: Tensor
    coefficients: Tensor
    inputs: Tensor
    classes: tuple[tuple[int, int], ...]

    @classmethod
    def draw(cls, length: int, classes: Sequence[tuple[int, int]], functions: int, samples: int, *, seed: int) -> Tasks:
        """Random targets as the paper draws them, Σ c² = 1, so many of each class of D and ω, class after class."""
        drawn = [random_sparse(functions, length, degree, sparsity, seed=seed) for degree, sparsity in classes]
        most = max(sparsity for _, sparsity in classes)
        inputs = np.stack([
            np.random.default_rng([seed, number, 1]).integers(2**length, size=samples)
            for number in range(functions * len(classes))
        ])  # fmt: skip
        return cls(
            torch.cat([pad(members, (0, 0, 0, most - members.shape[1])) for members, _ in drawn]),
            torch.cat([pad(coefficients, (0, most - coefficients.shape[1])) for _, coefficients in drawn]),
            torch.from_numpy(inputs),
            tuple(each for each in classes for _ in range(functions)),
        )  # fmt: skip

    def __len__(self) -> int:
        """The number S of tasks."""
        return len(self.coefficients)

    @property
    def length(self) -> int:
        """T."""
        return self.members.shape[-1]

    def target(self, number: int) -> Target:
        """One of them, with positions from 1."""
        chosen = self.members[number][: self.classes[number][1]]
        components = tuple(tuple((row.nonzero()[:, 0] + 1).tolist()) for row in chosen)
        return Target(self.length, components, tuple(self.coefficients[number][: len(chosen)].tolist()))

    def to(self, device: str) -> Tasks:
        """The same on a device."""
        return Tasks(self.members.to(device), self.coefficients.to(device), self.inputs.to(device), self.classes)

    def wanted(self) -> Tensor:
        """The targets at their training inputs, float64, shape (S, m)."""
        return sparse_values(self.members, self.coefficients, numbered_bits(self.inputs, self.length))

    def table(self) -> Tensor:
        """Every target at all 2^T inputs, float64, shape (S, 2^T)."""
        return sparse_table(self.members, self.coefficients)
