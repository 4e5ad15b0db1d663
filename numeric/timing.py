"""Seconds of a piece of work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch


def timed(work: Callable[[], Any], device: str = "cpu") -> tuple[float, Any]:
    """Seconds and result of a piece of work; a GPU is waited for."""
    started = time.perf_counter()
    result = work()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started, result
