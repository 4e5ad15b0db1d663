"""A sparse majority by attention with two levels of weight, over all inputs."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings


def margin(bits: int, relevant: int, weight: Tensor) -> Tensor:
    """The least attended mean where the majority of the relevant bits is one, less the largest where it is zero.

    Args:
        bits: T.
        relevant: s, odd; the first s bits.
        weight: of a relevant bit over that of another, shape (n).

    Returns:
        Shape (n).
    """
    inputs = bit_strings(bits, 0, 2**bits).to(torch.float64)
    levels = torch.ones(len(weight), bits, dtype=torch.float64)
    levels[:, :relevant] = weight[:, None]
    means = (levels / levels.sum(-1, keepdim=True)) @ inputs.mT
    positive = inputs[:, :relevant].sum(-1) > relevant / 2
    return means[:, positive].amin(-1) - means[:, ~positive].amax(-1)
