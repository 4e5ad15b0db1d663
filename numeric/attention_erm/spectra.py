"""Distances between spectra."""

from __future__ import annotations

import torch
from torch import Tensor


def largest_gap(first: Tensor, second: Tensor) -> float:
    """The Kolmogorov-Smirnov distance between two samples, in which values may repeat.

    Args:
        first: shape (n).
        second: shape (m).

    Returns:
        The largest difference of their distribution functions.
    """
    places = torch.cat([first, second])
    shares = [torch.searchsorted(sample.sort().values, places, right=True) / len(sample) for sample in (first, second)]
    return float((shares[0] - shares[1]).abs().max())
