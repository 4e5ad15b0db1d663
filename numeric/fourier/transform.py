"""The Walsh-Hadamard transform: the weights of real functions on bit strings in the characters (-1)^(x·S).

A function is a table of 2^T values in the order of `enumeration.bit_strings`: entry number i belongs to the input that
spells i in binary, position 1 first. Sets of positions are numbered the same way, so that the weight of S stands where
the input with ones on S does.
"""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from boundaudit import InputError

RADIX = 5
"""The most positions that one pass over the table transforms: by a product with the Hadamard matrix of 2^RADIX rows."""

CACHED = 2**16
"""Numbers that a CPU transforms at once; a GPU without Triton takes `ON_GPU`."""

ON_GPU = 2**26


def walsh_hadamard(values: Tensor) -> Tensor:
    """The weights f^(S) = mean over x of f(x) (-1)^(x·S), for all sets S at once.

    Of tables of any real dtype, shape (..., 2^T), float64 of the same shape; applied to them and times 2^T the
    transform returns the tables.

    Raises:
        InputError: when the last axis is no power of two.
    """
    size = checked_size(values)
    weights = values.to(torch.float64, copy=True, memory_format=torch.contiguous_format)
    return walsh_hadamard_(weights).div_(size)


def walsh_hadamard_(table: Tensor) -> Tensor:
    """The sums over x of f(x) (-1)^(x·S), in place of the table: up to RADIX positions a pass, in pieces for a cache.

    Exact for integers whose absolute values sum up to at most 2^53 (2^24 in float32). Twice gives 2^T times the table,
    float64 or float32, contiguous, shape (..., 2^T).

    Raises:
        InputError: when the last axis is no power of two, or the tensor is not of that kind.
    """
    size = checked_size(table)
    if table.dtype not in {torch.float64, torch.float32} or not table.is_contiguous():
        raise InputError("table", "a contiguous float64 or float32 tensor", table.dtype, "use walsh_hadamard")
    if table.is_cuda:
        from boundaudit.numeric.fourier.passes import TRITON, transform_

        if TRITON:
            return transform_(table)
    piece = ON_GPU if table.is_cuda else CACHED
    length = size.bit_length() - 1
    done = 0
    for passes in range(-(-length // RADIX), 0, -1):
        bits = -(-(length - done) // passes)
        matrix = _hadamard(bits, table.dtype, table.device)
        rows = table.view(-1, 2**bits, 2**done)
        wide = min(2**done, piece >> bits)
        deep = max(1, piece // (wide << bits))
        for start in range(0, 2**done, wide):
            for top in range(0, len(rows), deep):
                part = rows[top : top + deep, :, start : start + wide]
                part.copy_(matrix @ part if done else (part[..., 0] @ matrix)[..., None])
        done += bits
    return table


@cache
def _hadamard(bits: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """The matrix (-1)^(x·S) of all x and S, shape (2^bits, 2^bits)."""
    matrix = torch.ones(1, 1, dtype=dtype, device=device)
    step = torch.tensor([[1, 1], [1, -1]], dtype=dtype, device=device)
    for _ in range(bits):
        matrix = torch.kron(matrix, step)
    return matrix


def checked_size(values: Tensor) -> int:
    """The number of entries 2^T of tables (..., 2^T); InputError when the last axis is no power of two."""
    size = values.shape[-1] if values.ndim else 0
    if size < 1 or size & (size - 1):
        raise InputError("values", "2^T entries along the last axis", size, "list every input once")
    return size


def subset_indices(members: Tensor) -> Tensor:
    """The same, int64, shape (...), for many sets, bool, shape (..., T)."""
    length = members.shape[-1]
    return (members.long() << torch.arange(length - 1, -1, -1, device=members.device)).sum(-1)


def subset_of(index: int, length: int) -> tuple[int, ...]:
    """The positions, rising, of the set of a number."""
    return tuple(position for position in range(1, length + 1) if index >> (length - position) & 1)
