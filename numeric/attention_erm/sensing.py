"""Tokens, targets and labels of a tied attention map, drawn for many runs at once.

An index h_ab(S) = (x_aᵀ S x_b - δ_ab Tr S)/√d is linear in S, h_ab(S) = ⟨A_ab, S⟩ with A_ab the symmetric part of
(x_a x_bᵀ - δ_ab I)/√d. These matrices are never stored: maps and their adjoints are products with the tokens. Gaussian
matrices of the same covariance, of which they may be replaced in high dimension, have to be stored.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError

__all__ = [
    "Data", "GaussianFeatures", "Problem", "QuadraticForms", "controls", "draw", "expected_controls", "proportional",
]  # fmt: skip


class Features(ABC):
    """The matrices A_ab of n sequences in each of r runs."""

    d: int
    """Their dimension."""

    @abstractmethod
    def apply(self, matrix: Tensor) -> Tensor:
        """The indices ⟨A_ab, S⟩, shape (r, n, T, T), of symmetric matrices S, shape (r, d, d)."""

    @abstractmethod
    def adjoint(self, weights: Tensor) -> Tensor:
        """Σ_μab w_ab A_ab, symmetric, shape (r, d, d), for weights of shape (r, n, T, T)."""

    @abstractmethod
    def select(self, kept: Tensor) -> Features:
        """Those of some of the runs, which a boolean of shape (r) tells."""


@dataclass(frozen=True)
class QuadraticForms(Features):
    """Features of tokens, shape (r, n, T, d)."""

    tokens: Tensor

    @property
    def d(self) -> int:  # type: ignore[override]
        """Length of a token."""
        return self.tokens.shape[-1]

    def apply(self, matrix: Tensor) -> Tensor:
        """The indices of symmetric matrices."""
        moved = (self.tokens.flatten(1, 2) @ matrix).view_as(self.tokens)
        return self._centred(_products(moved, self.tokens), matrix.diagonal(dim1=-2, dim2=-1).sum(-1))

    def apply_factor(self, factor: Tensor) -> Tensor:
        """The indices (r, n, T, T) of W Wᵀ, through the products of tokens with W, shape (r, d, p), alone."""
        moved = (self.tokens.flatten(1, 2) @ factor).view(*self.tokens.shape[:3], -1)
        return self._centred(_products(moved, moved), (factor**2).sum((-2, -1)))

    def _centred(self, products: Tensor, trace: Tensor) -> Tensor:
        unit = torch.eye(products.shape[-1], dtype=products.dtype, device=products.device)
        return (products - trace[:, None, None, None] * unit) / math.sqrt(self.d)

    def adjoint(self, weights: Tensor) -> Tensor:
        """Weighted sums of the features."""
        moved = weights * self.tokens if weights.shape[-1] == 1 else weights @ self.tokens
        total = self.tokens.flatten(1, 2).mT @ moved.flatten(1, 2)
        trace = weights.diagonal(dim1=-2, dim2=-1).sum((-2, -1))
        unit = torch.eye(self.d, dtype=weights.dtype, device=weights.device)
        return ((total + total.mT) / 2 - trace[:, None, None] * unit) / math.sqrt(self.d)

    def select(self, kept: Tensor) -> QuadraticForms:
        """Some of the runs."""
        return QuadraticForms(self.tokens[kept])


def _products(left: Tensor, right: Tensor) -> Tensor:
    """Inner products of the tokens of each sequence; one token needs no product of matrices."""
    if left.shape[-2] == 1:
        return (left * right).sum(-1, keepdim=True)
    return left @ right.mT


@dataclass(frozen=True)
class GaussianFeatures(Features):
    """Independent Gaussian symmetric matrices with ⟨A_ab, S⟩ ~ N(0, (1 + δ_ab) ‖S‖_F²/d); A_ab = A_ba."""

    matrices: Tensor
    """Shape (r, n, T, T, d, d)."""

    @property
    def d(self) -> int:  # type: ignore[override]
        """Their dimension."""
        return self.matrices.shape[-1]

    def apply(self, matrix: Tensor) -> Tensor:
        """The indices of symmetric matrices."""
        return (self.matrices.flatten(1, 3).flatten(2) @ matrix.flatten(1)[..., None]).view(self.matrices.shape[:4])

    def adjoint(self, weights: Tensor) -> Tensor:
        """Weighted sums of the features."""
        total = weights.flatten(1)[:, None] @ self.matrices.flatten(1, 3).flatten(2)
        return total.view(-1, self.d, self.d)

    def select(self, kept: Tensor) -> GaussianFeatures:
        """Some of the runs."""
        return GaussianFeatures(self.matrices[kept])


@dataclass(frozen=True, kw_only=True)
class Problem:
    """What a run draws.

    Attributes:
        d: length of a token.
        samples: n, sequences.
        noise: Δ, the variance of the noise on an index h_aa; on h_ab with a ≠ b it is half.
        target_rank: p0, the columns of the Gaussian factor of S0; exactly one of this and the next is given.
        eigenvalues: those of S0, d of them, at least 0.
        tokens: T.
        features: of tokens, or Gaussian ones of the same covariance.
    """

    d: int
    samples: int
    noise: float
    target_rank: int | None = None
    eigenvalues: Sequence[float] | None = None
    tokens: int = 1
    features: Literal["quadratic", "gaussian"] = "quadratic"

    def __post_init__(self) -> None:
        for field in ("d", "samples", "tokens"):
            if getattr(self, field) < 1:
                raise InputError(field, "an integer of at least 1", getattr(self, field), f"correct {field}")
        if not (self.noise >= 0 and math.isfinite(self.noise)):
            raise InputError("noise", "a number of at least 0", self.noise, "correct the noise")
        if (self.target_rank is None) == (self.eigenvalues is None):
            given = (self.target_rank, self.eigenvalues)
            raise InputError("target", "a rank or eigenvalues", given, "give one of them")
        if self.target_rank is not None and not 1 <= self.target_rank <= self.d:
            raise InputError("target rank", f"from 1 to d = {self.d}", self.target_rank, "correct the rank")
        values = self.eigenvalues
        if values is not None and (len(values) != self.d or not all(0 <= v < math.inf for v in values)):
            raise InputError("eigenvalues", f"{self.d} numbers of at least 0", list(values), "correct the spectrum")
        if self.features not in ("quadratic", "gaussian"):
            raise InputError("features", "quadratic or gaussian", self.features, "choose one of them")

    @property
    def alpha(self) -> float:
        """n/d²."""
        return self.samples / self.d**2


def proportional(d: int, alpha: float, kappa0: float, noise: float, *, tokens: int = 1) -> Problem:
    """The problem of ratios α = n/d² and κ0 = p0/d at dimension d, with features of tokens.

    Raises:
        InputError: where ratios are out of range, or α d² or κ0 d is no integer, which would move the ratio.
    """
    counts = []
    for field, value in (("alpha", alpha * d**2), ("target rank ratio", kappa0 * d)):
        if not (value > 0.5 and abs(value - round(value)) <= 1e-9 * value):
            raise InputError(field, f"a ratio with an integer count at d = {d}", value, "choose another dimension")
        counts.append(round(value))
    return Problem(d=d, samples=counts[0], noise=noise, target_rank=counts[1], tokens=tokens)


@dataclass(frozen=True)
class Data:
    """What r runs learn from: features of n sequences, S0 (r, d, d), and noisy indices (r, n, T, T).

    The indices h_ab(S0) + ξ_ab are the labels of a linear read-out.
    """

    features: Features
    target: Tensor
    indices: Tensor

    def attention(self, beta: float) -> Tensor:
        """The labels of attention: a softmax along each row at the target's inverse temperature β0, (r, n, T, T)."""
        return torch.softmax(beta * self.indices, -1)


def draw(problem: Problem, seed: int, runs: Sequence[int], device: str = "cpu") -> Data:
    """Draw what runs learn from, in float64 on the CPU, and put it on a device.

    The seed is that of the whole experiment; each run is drawn by its number, whatever the others are.

    Raises:
        InputError: for no runs.
    """
    if not runs:
        raise InputError("runs", "at least one", list(runs), "name a run")
    drawn = [_draw_one(problem, np.random.default_rng((seed, problem.d, problem.samples, run))) for run in runs]
    parts = [torch.from_numpy(np.stack(values)).to(device) for values in zip(*drawn, strict=True)]
    material, target, noise = parts
    features = QuadraticForms(material) if problem.features == "quadratic" else GaussianFeatures(material)
    return Data(features, target, features.apply(target) + noise)


def controls(data: Data) -> Tensor:
    """Quantities of the draws whose expectations are known, on which means of what is learned can be regressed.

    Tr S0/d, ‖S0‖_F²/d, and the mean squares of the noise and of the noisy indices, shape (r, 4).
    """
    d, noise = data.features.d, data.indices - data.features.apply(data.target)
    found = (
        data.target.diagonal(dim1=1, dim2=2).sum(-1) / d,
        (data.target**2).sum((1, 2)) / d,
        (noise**2).mean((1, 2, 3)),
        (data.indices**2).mean((1, 2, 3)),
    )
    return torch.stack(found, -1)


def expected_controls(problem: Problem) -> tuple[float, float, float, float]:
    """The expectations of `controls` at every dimension: √κ0, Q = 1 + κ0 + 1/d, and Δ and 2 Q + Δ times (T + 1)/(2 T).

    Raises:
        InputError: for a target of given eigenvalues.
    """
    if problem.target_rank is None:
        raise InputError("target", "a Gaussian one", "given eigenvalues", "give a rank")
    d, share = problem.d, (problem.tokens + 1) / (2 * problem.tokens)
    power = (problem.target_rank + d + 1) / d
    return math.sqrt(problem.target_rank / d), power, share * problem.noise, share * (2 * power + problem.noise)


def _draw_one(problem: Problem, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tokens or matrices, S0, and the noise on the indices."""
    d, shape = problem.d, (problem.samples, problem.tokens, problem.tokens)
    if problem.eigenvalues is None:
        assert problem.target_rank is not None
        factor = rng.standard_normal((d, problem.target_rank))
        target = factor @ factor.T / math.sqrt(problem.target_rank * d)
    else:
        target = np.diag(np.asarray(problem.eigenvalues, float))  # Gaussian tokens look the same from every basis
    noise = math.sqrt(problem.noise) * _symmetric(rng.standard_normal(shape))
    if problem.features == "quadratic":
        return rng.standard_normal((*shape[:2], d)), target, noise
    entries = rng.standard_normal((*shape, d, d))
    symmetric = (entries + entries.swapaxes(-1, -2)) / 2
    return _symmetric(symmetric, (1, 2)) * math.sqrt(2 / d), target, noise


def _symmetric(values: np.ndarray, axes: tuple[int, int] = (-2, -1)) -> np.ndarray:
    """Independent entries of variance 1 on the diagonal and 1/2 off it, equal in pairs."""
    mirrored: np.ndarray = (values + values.swapaxes(*axes)) / 2
    return mirrored
