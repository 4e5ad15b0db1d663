"""What a function's weights in the characters say: degree, sparsity, influences, and energy by degree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from boundaudit.numeric.fourier.transform import checked_size, walsh_hadamard

EPS = 2.0**-52


def table_rounding(values: Tensor) -> Tensor:
    """How large a weight may look that is zero: an error bound for weights of rounded tables (..., 2^T), shape (...).

    Nothing for integers and booleans, whose transform is exact. Entries of a floating type may be wrong by 32 of its
    rounding units, relative to the largest one, and the transform adds what its sums may lose.
    """
    largest = values.abs().amax(-1).double() if values.is_floating_point() else values.new_zeros(values.shape[:-1])
    entry = torch.finfo(values.dtype).eps if values.is_floating_point() else 0.0
    return largest.double() * (32 * entry + 192 * EPS)


@dataclass(frozen=True)
class WalshSpectrum:
    """The weights of tables in the characters, and which of them count as zero.

    Attributes:
        weights: f^(S), float64, shape (..., 2^T), in the order of `walsh_hadamard`.
        tolerance: weights of at most this absolute value count as zero, shape (...).
    """

    weights: Tensor
    tolerance: Tensor

    @classmethod
    def of(cls, values: Tensor, tolerance: float | None = None) -> WalshSpectrum:
        """The spectrum of tables of any real dtype, shape (..., 2^T); `table_rounding` is the tolerance unless given.

        Raises:
            InputError: when the last axis is no power of two.
        """
        weights = walsh_hadamard(values)
        given = table_rounding(values) if tolerance is None else weights.new_full(values.shape[:-1], tolerance)
        return cls(weights, given)

    @property
    def length(self) -> int:
        """T."""
        return checked_size(self.weights).bit_length() - 1

    @property
    def mean(self) -> Tensor:
        """E f, shape (...)."""
        return self.weights[..., 0]

    @property
    def variance(self) -> Tensor:
        """Var f, shape (...)."""
        return self.energies[..., 1:].sum(-1)

    @cached_property
    def present(self) -> Tensor:
        """Which weights count, bool, shape (..., 2^T)."""
        return self.weights.abs() > self.tolerance[..., None]

    @property
    def sparsity(self) -> Tensor:
        """How many characters count, the constant included, int64, shape (...)."""
        return self.present.sum(-1)

    @cached_property
    def _smallest(self) -> Tensor:
        """The energy of the smallest weight that counts, of the two smallest, …, after zeros, shape (..., most)."""
        squares = torch.where(self.present, self.weights, 0.0).square().topk(int(self.sparsity.max()), -1).values
        return squares.flip(-1).cumsum(-1)

    def sparsity_within(self, energy: float) -> Tensor:
        """The fewest characters, the constant included, that leave out at most this energy, int64, shape (...)."""
        return (self._smallest > energy).sum(-1) if energy else self.sparsity  # a square may be zero

    @property
    def indicators(self) -> Tensor:
        """How many even-parity indicators are needed, the constant among them where it is, int64, shape (...)."""
        constant = 2 * self.weights[..., 0] - self.weights.sum(-1)  # 2 f^(∅) - f(0)
        return self.present[..., 1:].sum(-1) + (constant.abs() > self.tolerance * self.sparsity.clamp(min=1))

    @property
    def degree(self) -> Tensor:
        """The size of the largest set that counts; 0 for a constant; int64, shape (...)."""
        largest = _by_size(self.weights.abs(), torch.maximum)
        sizes = torch.arange(self.length + 1, device=largest.device)
        return (sizes * (largest > self.tolerance[..., None])).amax(-1)

    @cached_property
    def energies(self) -> Tensor:
        """Σ f^(S)² over the sets of 0, …, T positions, shape (..., T+1)."""
        return _by_size(self.weights.square(), torch.add)

    @property
    def tails(self) -> Tensor:
        """The energy above degree 0, …, T: the squared L2 distance to functions of that degree, shape (..., T+1)."""
        above = self.energies.flip(-1).cumsum(-1).flip(-1)
        return torch.nn.functional.pad(above[..., 1:], (0, 1))

    @property
    def influences(self) -> Tensor:
        """Σ f^(S)² over the sets with position 1, …, T: the mean variance in that bit, shape (..., T)."""
        squares = self.weights.square()
        halves = [
            squares.reshape(*squares.shape[:-1], 2**i, 2, -1)[..., 1, :].sum((-1, -2)) for i in range(self.length)
        ]
        return torch.stack(halves, -1) if halves else squares[..., :0]

    def degree_within(self, share: float) -> Tensor:
        """The least degree with at most this share, from 0 to 1, of the variance above it, int64, shape (...)."""
        return (self.tails > share * self.variance[..., None]).sum(-1)

    def largest(self, count: int) -> tuple[Tensor, Tensor]:
        """Numbers of the sets, int64, and their weights of largest absolute value, shape (..., count) or fewer."""
        found = self.weights.abs().topk(min(count, self.weights.shape[-1]), -1).indices
        return found, self.weights.gather(-1, found)


def _by_size(values: Tensor, joined: Any) -> Tensor:
    """Values of all sets, joined over the sets of one size: position after position, a set with it counts one more.

    Values are at least 0, shape (..., 2^T), joined by `torch.add` or `torch.maximum`; shape (..., T+1).
    """
    found = values[None]
    while (half := found.shape[-1] // 2) > 0:
        without, having = found[..., :half], found[..., half:]
        longer = found.new_empty(len(found) + 1, *without.shape[1:])
        longer[0], longer[-1] = without[0], having[-1]
        joined(without[1:], having[:-1], out=longer[1:-1])
        found = longer
    return found[..., 0].movedim(0, -1)
