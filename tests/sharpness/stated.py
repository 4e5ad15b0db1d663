"""Claims at named points, for the tests that check both sides by hand."""

from typing import Any

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.measuring import side_values


def case(claim: Claim, name: str) -> Claim:
    return next(member for member in claim.members if member.case == name)


def sides(claim: Claim, name: str | None = None, **point: Any) -> tuple[float, float]:
    """Both sides of a claim, or of a case of it, at a point."""
    stated = claim if name is None else case(claim, name)
    left, right = (side_values(side, [point], "cpu") for side in (stated.left, stated.right))
    return float(left[0]), float(right[0])
