"""Speed of the Walsh-Hadamard transform: beside the usual loop, the product with a matrix, and a copy of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from scipy.linalg import hadamard
from torch import Tensor

from boundaudit.numeric.fourier.transform import walsh_hadamard_
from boundaudit.numeric.threads import one_thread
from boundaudit.numeric.timing import timed

REPEATS = 3
LENGTHS = (12, 20, 24)
MATRIX = 12
"""The largest length whose whole matrix is multiplied: at 16 it would take 32 GiB."""


def transform_speed(device: str, others: Mapping[str, Callable[[Tensor], object]]) -> dict[str, Any]:
    """Seconds of the transform at several lengths on one thread, the best of three, and of other ways for the shortest.

    A copy reads and writes the table once: what memory alone would take. Rows say what, its length, seconds, in
    multiples of this transform at that length and of a copy of the table.
    """
    with one_thread():
        rows = [row for length in LENGTHS for row in _at(length, device, others if length == MATRIX else {})]
    return {"rows": rows, "threads": 1, "device": device}


def _at(length: int, device: str, others: Mapping[str, Callable[[Tensor], object]]) -> list[dict[str, object]]:
    table = torch.randn(2**length, dtype=torch.float64, generator=torch.Generator().manual_seed(length)).to(device)
    room = table.clone()
    ways: dict[str, Callable[[], object]] = {
        "a copy of the table": partial(room.copy_, table),
        "this transform, in place": partial(walsh_hadamard_, room),
        "level by level, with new tables": partial(level_by_level, table),
    }
    if length == MATRIX:
        ways["product with SciPy's matrix"] = partial(torch.mv, torch.from_numpy(hadamard(2**length)).to(table), table)
    found = {name: min(timed(way, device)[0] for _ in range(REPEATS)) for name, way in ways.items()}
    found |= {name: timed(partial(way, table), device)[0] for name, way in others.items()}
    ours, copy = found["this transform, in place"], found["a copy of the table"]
    return [
        {"what": name, "T": length, "seconds": f"{spent:.3g}", "times this": f"{spent / ours:.3g}",
         "times a copy": f"{spent / copy:.3g}"} for name, spent in found.items()
    ]  # fmt: skip


def level_by_level(table: Tensor) -> Tensor:
    """Σ_x f(x) (-1)^(x·S), shape (2^T,), by the usual loop: one position a pass, each pass into a new table."""
    for level in range(table.numel().bit_length() - 1):
        zero, one = table.reshape(2**level, 2, -1).unbind(-2)
        table = torch.stack([zero + one, zero - one], dim=-2)
    return table.reshape(-1)
