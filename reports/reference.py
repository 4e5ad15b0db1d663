"""Keep the committed receipts and `reports/AUDIT.md` current: `python -m boundaudit.reports.reference [--check]`.

Without a flag the standard profile runs anew and both are rewritten. With ``--check`` nothing is
written: statements and measuring code must match the committed receipts, studies and the code that
computes them the committed curves, and the report must be what they render to.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from boundaudit.checks.records.receipt import describe, evidence_key, plain
from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.study_record import describe_study, study_key
from boundaudit.checks.run.registry import Registry, built_in
from boundaudit.checks.run.runner import verify
from boundaudit.reports.markdown import render_markdown

AUDIT = Path(__file__).parent / "AUDIT.md"


def stale() -> list[str]:
    """What of the committed receipts and report is not current.

    Returns:
        One line per finding; empty where all is current.
    """
    registry = built_in()
    run = Run.load(FOLDER)
    found = [*_stale_receipts(run, registry), *_stale_studies(run, registry)]
    if not AUDIT.is_file() or AUDIT.read_text(encoding="utf-8") != render_markdown(run):
        found.append("reports/AUDIT.md is not what the committed receipts render to")
    return found


def _stale_receipts(run: Run, registry: Registry) -> Iterator[str]:
    for label in registry.claims:
        if label not in run.receipts:
            yield f"{label}: no committed receipt"
    for label, receipt in run.receipts.items():
        claim = registry.claims.get(label)
        if claim is None:
            yield f"{label}: a receipt without a claim"
        elif receipt["evidence_key"] != evidence_key(claim):
            yield f"{label}: the statement or the code that measures it has changed"
        elif _words(receipt["claim"]) != _words(plain(describe(claim, registry))):
            yield f"{label}: its description has changed"


def _stale_studies(run: Run, registry: Registry) -> Iterator[str]:
    committed = {curves["label"]: curves for curves in run.studies}
    for label in registry.studies_of(list(registry.claims)):
        if label not in committed:
            yield f"{label}: no committed curves"
    for label, curves in committed.items():
        study = registry.studies.get(label)
        if study is None:
            yield f"{label}: curves without a study"
        elif curves["key"] != study_key(study):
            yield f"{label}: the code that computes it has changed"
        elif any(curves[name] != value for name, value in plain(describe_study(study)).items()):
            yield f"{label}: its description has changed"


def _words(description: dict[str, Any]) -> dict[str, Any]:
    """A description without the line on which the claim stands."""
    return {name: value for name, value in description.items() if name != "source"}


def rewrite() -> None:
    """Run the standard profile and replace the committed receipts and the report."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / "run"
        verify(out=fresh, profile="standard", device="cpu", workers=2)
        (fresh / "timings.json").unlink()
        shutil.rmtree(FOLDER, ignore_errors=True)
        shutil.copytree(fresh, FOLDER)
    AUDIT.write_text(render_markdown(Run.load(FOLDER)), encoding="utf-8")


def main() -> int:
    """Rewrite, or check with ``--check``.

    Returns:
        0 where all is current, else 1.
    """
    if "--check" not in sys.argv[1:]:
        rewrite()
    findings = stale()
    for line in findings:
        print(f"{line}; run `make reference`", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
