"""Threads for small dense work: one is fastest, as the others are waited for longer than they help."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread(*, only_if: bool = True) -> Iterator[None]:
    """A block or decorated function in which PyTorch has one thread, if `only_if`; the caller's number comes back."""
    before = torch.get_num_threads()
    torch.set_num_threads(1 if only_if else before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
