"""From how many samples on a bound says something."""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["MOST_SAMPLES", "informs_from"]

MOST_SAMPLES = 10**18
"""The largest sample that is looked at."""


def informs_from(says: Callable[[int], bool]) -> int | None:
    """The least sample at which a bound, from there on, says something, to 1e-6; None beyond `MOST_SAMPLES`."""
    low, high = 0, MOST_SAMPLES
    if not says(high):
        return None
    while high - low > max(1, high // 10**6):
        middle = (low + high) // 2 if low else math.isqrt(high)
        low, high = (low, middle) if says(middle) else (middle, high)
    return high
