"""Receipts: what a run records about one claim, bound to its statement and to the code that measured it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.evidence import Evidence, Worst, finite
from boundaudit.checks.evidence.region import region
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.evidence.verdict import accepted, judge
from boundaudit.checks.language.claim import Claim, side_latex, side_text
from boundaudit.checks.language.expression import digest
from boundaudit.checks.language.points import Point
from boundaudit.checks.records.provenance import measuring_code
from boundaudit.checks.run.registry import Registry

Receipt = dict[str, Any]


def evidence_key(claim: Claim) -> str:
    """What evidence is bound to: the statement and the code that measures it.

    Returns:
        A hash that changes with either; evidence under another key is stale.
    """
    return digest([claim.fingerprint, measuring_code(claim)])


def receipt(
    claim: Claim,
    registry: Registry,
    evidence: list[Evidence],
    mutation: dict[str, Any] | None,
    batch: Batch | None,
) -> Receipt:
    """The record of one claim's evidence, with its verdict.

    Returns:
        Plain JSON.
    """
    killed = None if mutation is None else mutation["killed"]
    verdict, reason = judge(evidence, missing=claim.missing, killed=killed)
    worst = _worst(claim, evidence)
    return {
        "claim": describe(claim, registry),
        "evidence_key": evidence_key(claim),
        "verdict": verdict,
        "reason": reason,
        "as_expected": accepted(verdict, claim.expected),
        "ratio": _ratio(claim, worst),
        "worst": worst,
        "evidence": [plain(e.to_json()) for e in evidence],
        "mutation": mutation,
        "tightness": None if batch is None else _tightness(claim, batch),
        "region": None if batch is None or verdict != "refuted" else region(batch, _counterexamples(evidence)),
    }


def _counterexamples(evidence: list[Evidence]) -> list[Point]:
    return [found.witness.point for found in evidence if found.witness is not None]


def plain(data: Any) -> Any:
    """JSON as it reads back: tuples become lists.

    Returns:
        Plain JSON.
    """
    return json.loads(json.dumps(data, allow_nan=False))


def _worst(claim: Claim, evidence: list[Evidence]) -> dict[str, Any] | None:
    """The worst measured case over all methods."""
    found = [e.worst for e in evidence if e.worst is not None]
    if not found:
        return None
    left, right = np.array([w.left for w in found]), np.array([w.right for w in found])
    chosen: Worst | None = Batch(claim, [w.point for w in found], left, right).worst()
    return None if chosen is None else plain(chosen.to_json())


def _ratio(claim: Claim, worst: dict[str, Any] | None) -> float | None:
    if worst is None or claim.kind in ("Identity", "Rate"):
        return None
    return finite(worst["ratio"])


def describe(claim: Claim, registry: Registry) -> dict[str, Any]:
    """What a claim says, for receipts and for `show`.

    Returns:
        Plain JSON.
    """
    return {
        "label": claim.label, "paper": claim.paper, "place": list(claim.place), "kind": claim.kind, "mode": claim.mode,
        "reading": claim.reading, "statement": claim.statement, "latex": claim.latex, "text": claim.text,
        "relation": claim.relation, "domain": claim.domain.sentence(), "fingerprint": claim.fingerprint,
        "expected": claim.expected, "rests_on": list(claim.rests_on), "used_by": registry.used_by(claim.label),
        "repair": registry.repair_of(claim.label), "repairs": list(claim.repairs), "improves": claim.improves,
        "limitations": list(claim.limitations), "source": _portable(claim.source),
        "left": {"text": side_text(claim.left), "latex": side_latex(claim.left)},
        "right": {"text": side_text(claim.right), "latex": side_latex(claim.right)},
        "equality": [{str(k): str(v) for k, v in point.items()} for point in claim.equality],
    }  # fmt: skip


def _portable(source: str) -> str:
    """Where a claim was written, without the folders of this machine."""
    path, line = source.rsplit(":", 1)
    parts = Path(path).parts
    known = [i for i, part in enumerate(parts) if part == "boundaudit" and i + 1 < len(parts)]
    return f"{'/'.join(parts[known[-1] + 1 :]) if known else parts[-1]}:{line}"


def _tightness(claim: Claim, batch: Batch) -> dict[str, Any] | None:
    """Left over right along the first numeric parameter, for the plot."""
    if claim.kind == "Identity" or not batch.points:
        return None
    names = [n for n, v in batch.points[0].items() if not isinstance(v, tuple)]
    if not names:
        return None
    rng = generator(0, claim.label, "tightness")
    chosen = sorted(rng.permutation(len(batch.points))[:300].tolist())
    with np.errstate(all="ignore"):
        ratios = batch.left / batch.right
    pairs = [[float(batch.points[i][names[0]]), float(ratios[i])] for i in chosen if np.isfinite(ratios[i])]
    return {"parameter": names[0], "points": pairs} if pairs else None
