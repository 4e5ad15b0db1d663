"""The Walsh-Hadamard transform on a GPU: nine positions a pass, each pass reading and writing the table once."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from torch import Tensor

TRITON = find_spec("triton") is not None
"""Whether passes can be compiled: Triton comes with PyTorch's builds for a GPU."""
if TRITON:
    import triton
    import triton.language as tl

RADIX = 9
"""The most positions that one pass transforms: a warp holds 2^RADIX rows of neighbouring numbers in its registers."""

HELD = 2048
"""Numbers that a warp holds."""


def transform_(table: Tensor) -> Tensor:
    """The sums over x of f(x) (-1)^(x·S) in place of tables on a GPU: (..., 2^T), contiguous, float64 or float32."""
    length = table.shape[-1].bit_length() - 1
    done = 0
    for passes in range(-(-length // RADIX), 0, -1):
        bits = -(-(length - done) // passes)
        wide = min(2**done, max(1, HELD >> bits))
        deep = min(HELD // (wide << bits), table.numel() >> (done + bits)) or 1
        deep &= -deep
        warps = table.numel() // (deep * wide << bits)
        _compiled[(warps,)](table, 2**done, deep, bits, wide, passes % 2 == 0, num_warps=1)
        done += bits
    return table


def _pass(table, inner, DEEP: tl.constexpr, BITS: tl.constexpr, WIDE: tl.constexpr, BACK: tl.constexpr):  # type: ignore[no-untyped-def]
    """One block of a pass, rows `inner` apart; going back, a pass begins with what the last left in a cache."""
    rows: tl.constexpr = 2**BITS
    held: tl.constexpr = DEEP * rows * WIDE
    block = tl.program_id(0).to(tl.int64)
    if BACK:
        block = tl.num_programs(0) - 1 - block
    across = inner // WIDE
    number = tl.arange(0, held)
    outer = block // across * DEEP + number // (rows * WIDE)
    place = table + (outer * rows + number // WIDE % rows) * inner + block % across * WIDE + number % WIDE
    x = tl.load(place)
    for level in tl.static_range(BITS):
        pairs = tl.reshape(x, (DEEP << level, 2, held // (DEEP << level) // 2))
        total = tl.sum(pairs, 1, keep_dims=True)
        second = tl.arange(0, 2)[None, :, None] == 1
        x = tl.reshape(tl.where(second, total - 2 * pairs, total), (held,))
    tl.store(place, x)


_compiled: Any = triton.jit(_pass) if TRITON else None
