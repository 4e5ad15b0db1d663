"""How sure all statistical decisions of a run are together."""

from __future__ import annotations

from collections.abc import Iterable

from boundaudit.checks.evidence.findings import Findings

CONFIRMED, EXCLUDED = 1e-4, 1e-6
"""How often, at most, trials confirm or exclude what is not so, over all points of a claim."""


def family_wise(found: Iterable[Findings]) -> dict[str, float]:
    """The error of all decisions by trials together: the levels add up, whatever the counts have in common.

    ``decisions`` is how many claims trials decide, ``error`` at most how often a run excludes a stated side where it
    holds, or confirms it at a point where it does not, for any of them.

    Example:
        >>> family_wise([])
        {'decisions': 0, 'error': 0.0}
    """
    decisions = sum(evidence.method == "trial" for findings in found for evidence in findings.evidence)
    return {"decisions": decisions, "error": min(1.0, decisions * (CONFIRMED + EXCLUDED))}
