"""Measure a recorded case again: the counterexample of a refuted claim, else its worst case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.evidence import decimal, holds_at
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.trial import count
from boundaudit.checks.language import points as point_json
from boundaudit.checks.language.balls import evaluate, precision
from boundaudit.checks.language.claim import Claim, Probability, side_values
from boundaudit.checks.language.points import Point
from boundaudit.checks.records.receipt import Receipt, evidence_key
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.registry import find_shipped, load_files

AGREEMENT = 1e-12
"""Relative difference up to which two measurements of one case agree."""


@dataclass(frozen=True)
class Case:
    """A recorded case: a counterexample, or else the worst measured case.

    Attributes:
        point: Its exact point.
        left: The left side as recorded.
        right: The right side as recorded.
    """

    point: Point
    left: str | float
    right: str | float


def claim_of(run: Run, receipt: Receipt) -> Claim:
    """The claim behind a receipt, loaded from the suite or from the user's own file.

    Args:
        run: The run.
        receipt: One of its receipts.

    Returns:
        The claim.

    Raises:
        InputError: where the claim is gone, or its meaning or the code that measures it has changed since the run.
    """
    find = load_files(run.files).find if run.files else find_shipped
    found = find(receipt.label)
    if len(found) != 1 or evidence_key(found[0]) != receipt.key:
        raise InputError(receipt.label, "the claim that the run audited", "another or none", "run verify again")
    return found[0]


def recorded_case(label: str, findings: Findings) -> Case:
    """The case to reproduce, with both sides as recorded.

    Returns:
        The counterexample, else the worst case.

    Raises:
        InputError: where the run recorded no case.
    """
    found = findings.witness or findings.worst
    if found is None:
        raise InputError(label, "a recorded worst case", "none", "run verify with a larger profile")
    return Case(found.point, found.left, found.right)


def again(claim: Claim, findings: Findings, device: str = "cpu") -> dict[str, Any]:
    """Measure the recorded case again.

    Where a proof stands, ball arithmetic is shown but does not speak against it: at the edge of what floats can hold
    a measurement may underflow.

    Args:
        claim: The claim.
        findings: What was found about it.
        device: Where quantities are measured.

    Returns:
        Plain JSON: the point, both sides to 15 digits as measured, as recorded, and in balls, whether the claim holds
        there, and whether all agree.
    """
    if isinstance(claim.left, Probability):
        return _counted_again(claim, findings, device)
    case = recorded_case(claim.label, findings)
    batch = Batch.measure(claim, [case.point], device)
    left, right = float(batch.left[0]), float(batch.right[0])
    pairs = [(left, float(case.left)), (right, float(case.right))]
    found: dict[str, Any] = {
        "label": claim.label,
        "claim": claim.text,
        "point": point_json.to_json(case.point),
        "left": f"{left:.15g}",
        "right": f"{right:.15g}",
        "recorded": [case.left, case.right],
    }
    statement = claim.statement_form
    if statement is not None:
        with precision(256):
            found["in balls"] = [decimal(evaluate(tree, case.point)) for tree in (statement.left, statement.right)]
        found["holds"] = holds_at(statement, case.point)
        if findings.proof is None:
            pairs += [(left, float(found["in balls"][0])), (right, float(found["in balls"][1]))]
    found["agrees"] = all(_agree(claim, *pair) for pair in pairs)
    return found


def _agree(claim: Claim, a: float, b: float) -> bool:
    scale = max(claim.scale, 1e-300)
    return a == b or abs(a - b) <= max(AGREEMENT, claim.rounding) * max(abs(a), abs(b), scale)


def _counted_again(claim: Claim, findings: Findings, device: str) -> dict[str, Any]:
    """The recorded trials again, with their seed: the same counts, or something has changed."""
    case = recorded_case(claim.label, findings)
    record: Mapping[str, Any] = findings.evidence[0].certificate or {}
    points = [point_json.from_json(point) for point in record["points"]]
    events = count(claim, points, record["trials"], record["seed"], device).tolist()
    i = points.index(case.point)
    return {
        "label": claim.label,
        "claim": claim.text,
        "point": point_json.to_json(case.point),
        "left": f"{events[i] / record['trials']:.15g}",
        "right": f"{float(side_values(claim.right, [points[i]], device)[0]):.15g}",
        "recorded": [f"{record['events'][i] / record['trials']:.15g}", case.right],
        "holds": findings.verdict != "refuted",
        "agrees": events == record["events"],
    }
