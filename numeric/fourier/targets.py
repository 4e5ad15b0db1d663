"""Random sparse targets as the experiments of Lintilhac & Shaikh 2026 (Section 2) draw them.

Members say whether a position lies in a set, bool, shape (..., ω, T); coefficients c of the indicators of even parity
have shape (..., ω), and f is Σ c_t [x·S_t even].
"""

from __future__ import annotations

from math import comb
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.fourier.bases import indicators, to_characters
from boundaudit.numeric.fourier.transform import subset_indices, walsh_hadamard_

Normalisation = Literal["unit", "variance"]
"""Σ c² = 1, as public code has it, so that the variance is 1/4; or variance one, Σ c² = 4. Neither is centred: that
would take a negative constant beside positive coefficients."""


def random_sparse(
    count: int, length: int, degree: int, sparsity: int, *, normalisation: Normalisation = "unit", seed: int = 0
) -> tuple[Tensor, Tensor]:
    """Distinct uniform sets of D positions, with absolute values of normal draws as coefficients, normalised, float64.

    Of so many targets, in the leading axis: what `TargetBatch.from_tensors` takes for ω ≤ T.

    Raises:
        InputError: where there are fewer than ω sets of that size, or the normalisation is unknown.
    """
    if normalisation not in {"unit", "variance"}:
        raise InputError("normalisation", "unit or variance", repr(normalisation), "choose one")
    if not 1 <= degree <= length or not 1 <= sparsity <= comb(length, degree):
        expected = f"1 ≤ D ≤ T and at most C(T, D) sets for T = {length}"
        raise InputError("sparsity", expected, f"D = {degree}, {sparsity} sets", "ask for fewer sets")
    random = np.random.default_rng([seed, length, degree, sparsity])
    members = np.zeros((count, sparsity, length), dtype=bool)
    missing = np.ones((count, sparsity), dtype=bool)
    while missing.any():
        ranks = random.random((int(missing.sum()), length)).argpartition(degree - 1, axis=1)
        drawn = np.zeros((len(ranks), length), dtype=bool)
        np.put_along_axis(drawn, ranks[:, :degree], values=True, axis=1)
        members[missing] = drawn
        same = (members[:, :, None] == members[:, None]).all(-1)
        missing = np.tril(same, -1).any(-1)  # a set that came before is drawn again
    coefficients = np.abs(random.standard_normal((count, sparsity)))
    size = {"unit": 1.0, "variance": 2.0}[normalisation]
    coefficients *= size / np.linalg.norm(coefficients, axis=1, keepdims=True)
    return torch.from_numpy(members), torch.from_numpy(coefficients)


def sparse_values(members: Tensor, coefficients: Tensor, bits: Tensor) -> Tensor:
    """The values of f at inputs, bool, shape (..., n, T): float64, shape (..., n)."""
    return (indicators(members, bits) @ coefficients[..., None])[..., 0]


def sparse_spectrum(members: Tensor, coefficients: Tensor) -> Tensor:
    """The weights of f in all characters, float64, shape (..., 2^T)."""
    found = coefficients.new_zeros(*coefficients.shape[:-1], 2 ** members.shape[-1])
    return to_characters(found.scatter_add_(-1, subset_indices(members), coefficients))


def sparse_table(members: Tensor, coefficients: Tensor) -> Tensor:
    """The values of f at all inputs, float64, shape (..., 2^T)."""
    return walsh_hadamard_(sparse_spectrum(members, coefficients))
