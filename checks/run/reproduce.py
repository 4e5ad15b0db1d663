"""Measure a recorded case again: the counterexample of a refuted claim, else its worst case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.evidence import decimal, holds_at
from boundaudit.checks.evidence.trial import count
from boundaudit.checks.language import points as point_json
from boundaudit.checks.language.balls import evaluate, precision
from boundaudit.checks.language.claim import Claim, Probability, side_values
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.registry import built_in, load_files

AGREEMENT = 1e-12
"""Relative difference up to which two measurements of one case agree."""


def claim_of(run: Run, label: str) -> Claim:
    """The claim behind a receipt, loaded from the suite or from the user's own file.

    Returns:
        The claim.

    Raises:
        InputError: where the claim is gone, or its meaning has changed since the run.
    """
    files = [Path(name) for name in run.manifest.get("files", ())]
    registry = load_files(files) if files else built_in()
    claim = registry.claims.get(label)
    if claim is None or claim.fingerprint != run.receipts[label]["claim"]["fingerprint"]:
        raise InputError(label, "the claim that the run audited", "another or none", "run verify again")
    return claim


def recorded_case(receipt: Receipt) -> dict[str, Any]:
    """The case to reproduce, with both sides as recorded.

    Returns:
        A dictionary with point, left and right.

    Raises:
        InputError: where the run recorded no case.
    """
    witnesses = [evidence["witness"] for evidence in receipt["evidence"] if evidence["witness"]]
    case = (witnesses or [receipt["worst"]])[0]
    if case is None:
        label = receipt["claim"]["label"]
        raise InputError(label, "a recorded worst case", "none", "run verify with a larger profile")
    return {name: case[name] for name in ("point", "left", "right")}


def again(claim: Claim, receipt: Receipt, device: str = "cpu") -> dict[str, Any]:
    """Measure the recorded case again.

    Args:
        claim: The claim.
        receipt: Its receipt.
        device: Where quantities are measured.

    Returns:
        Plain JSON: the point, both sides to 15 digits as measured, as recorded, and in balls, whether the claim holds
        there, and whether all agree.
    """
    if isinstance(claim.left, Probability):
        return _counted_again(claim, receipt, device)
    case = recorded_case(receipt)
    point = point_json.from_json(case["point"])
    batch = Batch.measure(claim, [point], device)
    left, right = float(batch.left[0]), float(batch.right[0])
    pairs = [(left, float(case["left"])), (right, float(case["right"]))]
    found: dict[str, Any] = {
        "label": claim.label,
        "claim": claim.text,
        "point": case["point"],
        "left": f"{left:.15g}",
        "right": f"{right:.15g}",
        "recorded": [case["left"], case["right"]],
    }
    statement = claim.statement_form
    if statement is not None:
        with precision(256):
            found["in balls"] = [decimal(evaluate(tree, point)) for tree in (statement.left, statement.right)]
        pairs += [(left, float(found["in balls"][0])), (right, float(found["in balls"][1]))]
        found["holds"] = holds_at(statement, point)
    scale = max(claim.scale, 1e-300)
    found["agrees"] = all(abs(a - b) <= max(AGREEMENT, claim.rounding) * max(abs(a), abs(b), scale) for a, b in pairs)
    return found


def _counted_again(claim: Claim, receipt: Receipt, device: str) -> dict[str, Any]:
    """The recorded trials again, with their seed: the same counts, or something has changed."""
    case = recorded_case(receipt)
    record = receipt["evidence"][0]["certificate"]
    points = [point_json.from_json(point) for point in record["points"]]
    events = count(claim, points, record["trials"], record["seed"], device).tolist()
    i = record["points"].index(case["point"])
    return {
        "label": claim.label,
        "claim": claim.text,
        "point": case["point"],
        "left": f"{events[i] / record['trials']:.15g}",
        "right": f"{float(side_values(claim.right, [points[i]], device)[0]):.15g}",
        "recorded": [f"{record['events'][i] / record['trials']:.15g}", case["right"]],
        "holds": receipt["verdict"] != "refuted",
        "agrees": events == record["events"],
    }
