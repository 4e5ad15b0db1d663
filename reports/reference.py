"""Keep the committed receipts and `reports/AUDIT.md` current: `python -m boundaudit.reports.reference [--check]`.

Without a flag the standard profile runs anew and both are rewritten. With ``--check`` nothing is
written: statements and measuring code must match the committed receipts, and the report must be
what they render to.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from boundaudit.checks.receipt import describe, evidence_key, plain
from boundaudit.checks.reference import FOLDER
from boundaudit.checks.registry import built_in
from boundaudit.checks.run_folder import Run
from boundaudit.checks.runner import verify
from boundaudit.reports.markdown import render_markdown

AUDIT = Path(__file__).parent / "AUDIT.md"


def stale() -> list[str]:
    """What of the committed receipts and report is not current.

    Returns:
        One line per finding; empty where all is current.
    """
    registry = built_in()
    run = Run.load(FOLDER)
    found = [f"{label}: no committed receipt" for label in registry.claims if label not in run.receipts]
    for label, receipt in run.receipts.items():
        claim = registry.claims.get(label)
        if claim is None:
            found.append(f"{label}: a receipt without a claim")
        elif receipt["evidence_key"] != evidence_key(claim):
            found.append(f"{label}: the statement or the code that measures it has changed")
        elif _words(receipt["claim"]) != _words(plain(describe(claim, registry))):
            found.append(f"{label}: its description has changed")
    if not AUDIT.is_file() or AUDIT.read_text(encoding="utf-8") != render_markdown(run):
        found.append("reports/AUDIT.md is not what the committed receipts render to")
    return found


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
