"""Arithmetic with logarithms of numbers that no float holds."""

from __future__ import annotations

import math
from collections.abc import Sequence


def log(value: float) -> float:
    """The natural logarithm of a number of at least 0; that of 0 is -inf."""
    return math.log(value) if value > 0 else -math.inf


def exp(logarithm: float) -> float:
    """The number with a logarithm; inf where no float holds it."""
    try:
        return math.exp(logarithm)
    except OverflowError:
        return math.inf


def log_sum(logarithms: Sequence[float]) -> float:
    """The logarithm of the sum of numbers with these logarithms, at least one."""
    largest = max(logarithms)
    if largest == -math.inf:
        return -math.inf
    return largest + math.log(math.fsum(math.exp(value - largest) for value in logarithms))
