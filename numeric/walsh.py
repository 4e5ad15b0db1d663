"""The Walsh-Hadamard transform: the weights of real functions on bit strings in the characters (-1)^(x·S).

A function is a table of 2^T values in the order of `enumeration.bit_strings`: entry number
i belongs to the input that spells i in binary, position 1 first. Sets of positions are
numbered the same way, so that the weight of S stands where the input with ones on S does.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from boundaudit import InputError


def walsh_hadamard(values: Tensor) -> Tensor:
    """The weights f^(S) = mean over x of f(x) (-1)^(x·S), for all sets S at once.

    Args:
        values: tables of functions, any real dtype, shape (..., 2^T).

    Returns:
        Weights, float64, of the same shape; applied to them and times 2^T the transform returns the tables.

    Raises:
        InputError: when the last axis is no power of two.
    """
    size = values.shape[-1] if values.ndim else 0
    if size < 1 or size & (size - 1):
        raise InputError("values", "2^T entries along the last axis", size, "list every input once")
    weights = values.double()
    for level in range(size.bit_length() - 1):
        pairs = weights.reshape(*values.shape[:-1], 2**level, 2, -1)
        zero, one = pairs.unbind(-2)
        weights = torch.stack([zero + one, zero - one], dim=-2)
    return weights.reshape(values.shape) / size


def subset_index(positions: Sequence[int], length: int) -> int:
    """Where the weight of a set of positions stands.

    Args:
        positions: distinct positions 1..T.
        length: the number T of bits.

    Returns:
        The number of the set, from 0 for the empty one to 2^T - 1 for all positions.

    Raises:
        InputError: when a position comes twice or lies outside 1..T.
    """
    if len(set(positions)) < len(positions) or not all(1 <= p <= length for p in positions):
        raise InputError("positions", f"distinct integers from 1 to {length}", list(positions), "name each once")
    return sum(1 << (length - position) for position in positions)


def subset_indices(members: Tensor) -> Tensor:
    """The same for many sets.

    Args:
        members: whether a position lies in the set, bool, shape (..., T).

    Returns:
        Numbers of the sets, int64, shape (...).
    """
    length = members.shape[-1]
    return (members.long() << torch.arange(length - 1, -1, -1, device=members.device)).sum(-1)
