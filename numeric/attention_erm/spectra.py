"""Distances between spectra."""

from __future__ import annotations

import torch
from torch import Tensor


def largest_gap(first: Tensor, second: Tensor) -> float:
    """The Kolmogorov-Smirnov distance between two samples, shapes (n) and (m), in which values may repeat."""
    places = torch.cat([first, second])
    shares = [torch.searchsorted(sample.sort().values, places, right=True) / len(sample) for sample in (first, second)]
    return float((shares[0] - shares[1]).abs().max())
