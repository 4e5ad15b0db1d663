"""What SymPy may assume about a symbol: only what its range grants.

SymPy simplifies as soon as an expression is written: with a positive x, √(x²) becomes x. An
assumption that the range does not grant would change the statement without a word.
"""

from __future__ import annotations

from typing import Any

from boundaudit.checks.domain.compound import Subsets, Vector
from boundaudit.checks.domain.domain import Range
from boundaudit.checks.domain.limits import Limit, known_sign
from boundaudit.checks.domain.scalar import Choices, Integers, Reals

_CHECKED = ("positive", "nonnegative", "negative", "nonpositive", "integer", "even", "odd", "prime", "zero")


def unearned(symbol: Any, found: Range) -> str | None:
    """The first assumption of a symbol that its range does not grant.

    Args:
        symbol: A SymPy symbol.
        found: Where it ranges.

    Returns:
        The assumption's name, or None where all are earned.
    """
    if isinstance(found, (Vector, Subsets)):
        return None
    granted = _granted(found)
    return next((name for name in _CHECKED if getattr(symbol, f"is_{name}") and name not in granted), None)


def _granted(found: Integers | Reals | Choices) -> set[str]:
    if isinstance(found, Choices):
        values = found.values.values()
        facts = {
            "positive": all(v > 0 for v in values),
            "nonnegative": all(v >= 0 for v in values),
            "negative": all(v < 0 for v in values),
            "nonpositive": all(v <= 0 for v in values),
            "integer": all(v.denominator == 1 for v in values),
        }
        return {name for name, holds in facts.items() if holds}
    opened = (found.open_low, found.open_high) if isinstance(found, Reals) else (False, False)
    above, below = _beyond(found.low, 1, opened=opened[0]), _beyond(found.high, -1, opened=opened[1])
    facts = {
        "positive": above == "strictly", "nonnegative": above is not None,
        "negative": below == "strictly", "nonpositive": below is not None,
        "integer": isinstance(found, Integers),
    }  # fmt: skip
    return {name for name, holds in facts.items() if holds}


def _beyond(limit: Limit, side: int, *, opened: bool) -> str | None:
    """Whether a limit keeps the range on one side of zero, and whether zero itself is left out."""
    sign = None if limit is None else known_sign(limit)
    if sign == side or (sign == 0 and opened):
        return "strictly"
    return "weakly" if sign == 0 else None
