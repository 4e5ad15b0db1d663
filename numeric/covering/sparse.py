"""A sparse majority by attention with two levels of weight, over all inputs, and the query that makes two levels."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.enumeration import bit_strings


def margin(bits: int, relevant: int, weight: Tensor) -> Tensor:
    """The least attended mean where the majority of the relevant bits is one, less the largest where it is zero.

    The first s of T bits are relevant, s odd; weight and margin have shape (n), the weight is that of a relevant bit
    over that of another.
    """
    inputs = bit_strings(bits, 0, 2**bits).to(torch.float64)
    levels = torch.ones(len(weight), bits, dtype=torch.float64)
    levels[:, :relevant] = weight[:, None]
    means = (levels / levels.sum(-1, keepdim=True)) @ inputs.mT
    positive = inputs[:, :relevant].sum(-1) > relevant / 2
    return means[:, positive].amin(-1) - means[:, ~positive].amax(-1)


def irrelevant_logit(products: Tensor, across: Tensor) -> Tensor:
    """The logit of a token v at a query in the dual basis of s others, whose own logits are all one.

    It is ⟨Σ β_i v_i, v⟩ with Gram β = 1, shape (n). Products are those of the unit vectors v_i, of which the part above
    the diagonal counts, shape (n, s, s), across those of v with each v_i, shape (n, s).
    """
    above = products.triu(1)
    gram = above + above.mT + torch.eye(products.shape[-1], dtype=products.dtype, device=products.device)
    query: Tensor = torch.linalg.solve(gram, torch.ones_like(across))
    return (query * across).sum(-1)
