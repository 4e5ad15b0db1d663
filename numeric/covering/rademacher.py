"""Empirical Rademacher complexities of finite classes, over all signs."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings


def complexity(values: Tensor) -> float:
    """The mean over all signs of the largest correlation of a function with them.

    Args:
        values: of the functions on the sample, shape (functions, m).

    Returns:
        The empirical Rademacher complexity.
    """
    samples = values.shape[1]
    signs = 2 * bit_strings(samples, 0, 2**samples).to(torch.float64) - 1
    return float((signs @ values.mT).amax(-1).mean()) / samples


def sums(values: Tensor, terms: int) -> Tensor:
    """All sums of functions of a class, with repetition.

    Args:
        values: of the functions on the sample, shape (functions, m).
        terms: how many functions are added.

    Returns:
        Shape (functions^terms, m).
    """
    added = values
    for _ in range(terms - 1):
        added = (added[:, None] + values).flatten(0, 1)
    return added
