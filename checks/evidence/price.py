"""What a true statement costs against the printed one: the ratio of their right sides, over a grid that is stated.

A ratio that moves with a real parameter without ends says where its points were drawn, not what one pays: it is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from boundaudit.checks.evidence.sweep import extent, sweep_points
from boundaudit.checks.language.claim import Claim, Probability, Quantity, definition
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.measuring import side_values

POINTS = 600


def price(dearer: Sequence[Claim], printed: Sequence[Claim], *, seed: int, device: str) -> dict[str, Any] | None:
    """The smallest and largest ratio of right sides, over a grid and random points of the true claim's domain.

    Cases of one name are compared where there are such. Plain JSON with low, high, points, and the domain with how far
    it was drawn; None where the two speak of different things, or on a range without ends.
    """
    found = [ratios for pair in _pairs(dearer, printed) if len(ratios := _ratios(*pair, seed, device))]
    if not found:
        return None
    ratios = np.concatenate(found)
    low, high = float(ratios.min()), float(ratios.max())
    if not math.isclose(low, high) and any(_is_endless(claim) for claim in dearer):
        return None
    domain = "; or ".join(dict.fromkeys(_drawn(claim, seed) for claim in dearer))
    return {"low": low, "high": high, "points": len(ratios), "domain": domain}


def _is_endless(claim: Claim) -> bool:
    """Whether a real parameter of its domain has no end on some side."""
    reals = (found for found in claim.domain.ranges.values() if isinstance(found, Reals))
    return any(found.low is None or found.high is None for found in reals)


def _drawn(claim: Claim, seed: int) -> str:
    """Its domain, and the part of it that the points reach."""
    return f"{claim.domain.sentence()} (drawn: {extent(sweep_points(claim.domain, POINTS, seed))})"


def _pairs(dearer: Sequence[Claim], printed: Sequence[Claim]) -> Iterator[tuple[Claim, Claim]]:
    for claim in dearer:
        same = [other for other in printed if other.case == claim.case] or printed
        yield from ((claim, other) for other in same)


def _ratios(claim: Claim, printed: Claim, seed: int, device: str) -> Any:
    """The ratios at points where both right sides have a value; none where they cannot be compared."""
    if claim.missing or printed.missing or claim.relation != printed.relation or claim.relation == "=":
        return np.empty(0)
    if isinstance(claim.left, Probability) != isinstance(printed.left, Probability):
        return np.empty(0)
    known = set(claim.domain.ranges)
    for side in (claim.right, printed.right):
        tree = definition(side)
        if isinstance(side, Quantity) or tree is None or not names(tree) <= known:
            return np.empty(0)
    points = sweep_points(claim.domain, POINTS, seed)
    with np.errstate(all="ignore"):
        ratios = side_values(claim.right, points, device) / side_values(printed.right, points, device)
    return ratios[np.isfinite(ratios) & (ratios > 0)]
