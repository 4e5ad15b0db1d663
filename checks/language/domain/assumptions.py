"""What SymPy may assume about a symbol: only what its range grants.

SymPy simplifies as soon as an expression is written: with a positive x, √(x²) becomes x. An
assumption that the range does not grant would change the statement without a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from boundaudit.checks.language.domain.choices import Choices
from boundaudit.checks.language.domain.compound import Subsets, Vector
from boundaudit.checks.language.domain.integers import Integers
from boundaudit.checks.language.domain.limits import Limit, known_sign
from boundaudit.checks.language.domain.matrix import Matrix
from boundaudit.checks.language.domain.ranges import Range
from boundaudit.checks.language.domain.reals import Reals
from boundaudit.checks.language.relations import ForAll
from boundaudit.checks.language.unbound import unbound

_FIRST = ("positive", "nonnegative", "negative", "nonpositive", "integer", "even", "odd")
"""Assumptions as they are written; the others follow from them or are rare."""


def unearned(symbol: Any, found: Range) -> str | None:
    """The first assumption of a symbol, or the base of a vector or matrix, that its range does not grant, if any.

    Such as ``positive`` or ``not integer``.
    """
    if isinstance(found, Subsets):
        return None
    facts = granted(found.entries if isinstance(found, (Vector, Matrix)) else found)
    if {"positive", "nonpositive"} <= facts or {"negative", "nonnegative"} <= facts:
        return None  # no number is both: that the range is empty is told where points are looked for
    earned = sp.Symbol("earned", real=True, **dict.fromkeys(facts, True)).assumptions0
    held = symbol.assumptions0
    for name in (*_FIRST, *sorted(held)):
        if name in held and earned.get(name) is not held[name]:
            return name if held[name] else f"not {name}"
    return None


def unearned_in(expression: Any, ranges: Mapping[str, Range]) -> tuple[str, str] | None:
    """The first symbol of an expression with an assumption that it has not earned, and the assumption, if any.

    Bound indices and vectors count; what is no expression holds no symbol.
    """
    if not isinstance(expression, sp.Basic):
        return None
    limits = sorted(
        {limit for total in expression.atoms(sp.Sum, sp.Product, ForAll) for limit in total.limits}, key=str
    )
    indices = [
        (index, Integers(low, None if high.is_infinite else high))
        for index, low, high in limits
        if not (high - low).is_negative  # an empty sum: its index takes no value
    ]
    bases = expression.atoms(sp.IndexedBase)
    numbers = unbound(expression) & expression.atoms(sp.Symbol) - {base.label for base in bases}
    free = [*bases, *sorted(numbers, key=str)]
    known = [(symbol, ranges[str(symbol)]) for symbol in free if str(symbol) in ranges]
    for symbol, found in [*known, *indices]:
        gap = unearned(symbol, found)
        if gap is not None:
            return str(symbol), gap
    return None


def granted(found: Integers | Reals | Choices) -> set[str]:
    """What SymPy may assume of the numbers of a range, beside that they are real."""
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
