"""What a true statement costs against the printed one: the ratio of their right sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.language.claim import Claim, Probability, Quantity, definition, side_values
from boundaudit.checks.language.expression import names

POINTS = 600


def price(dearer: Sequence[Claim], printed: Sequence[Claim], *, seed: int, device: str) -> dict[str, Any] | None:
    """The smallest and largest ratio of right sides, over a grid and random points of the true claim's domain.

    Args:
        dearer: The cases of the claim that stands.
        printed: The cases of the printed one; a case is compared with the one of the same name, if there is one.
        seed: The run's seed.
        device: Where quantities are measured.

    Returns:
        Plain JSON with low, high, points and the domain; None where the two speak of different things, so that no ratio
        can be given.
    """
    found = [ratios for pair in _pairs(dearer, printed) if len(ratios := _ratios(*pair, seed, device))]
    if not found:
        return None
    ratios = np.concatenate(found)
    domain = "; or ".join(dict.fromkeys(claim.domain.sentence() for claim in dearer))
    return {"low": float(ratios.min()), "high": float(ratios.max()), "points": len(ratios), "domain": domain}


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
