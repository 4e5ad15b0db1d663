"""The sample size from which a bound says something."""

from __future__ import annotations

import math
from collections.abc import Callable

LARGEST = 1e15
"""No sample size beyond this is looked at."""


def informative_from(value: Callable[[float], float], level: float) -> float | None:
    """The smallest whole sample size at which a falling bound is below a level; None where none up to `LARGEST` is."""
    if not value(LARGEST) < level:
        return None
    low, high = 0.0, LARGEST
    while high - low > max(1.0, 1e-9 * high):
        middle = math.sqrt(low * high) if low > 1 else high / 1024
        middle = min(max(math.floor(middle), low + 1), high - 1)
        low, high = (low, middle) if value(middle) < level else (middle, high)
    return math.ceil(high)
