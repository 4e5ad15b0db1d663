"""Keep the shipped run and `reports/AUDIT.md` current: `python -m boundaudit.reports.reference [--check | --plan]`.

Without a flag, what is stale or missing is gathered again in the standard profile, and it alone, then both are
rewritten; a run that was stopped goes on where it was. With ``--plan`` nothing is done but said. With ``--check``
nothing is written: every claim must have evidence under its current key, and the report must be what the run renders
to. That the evidence stands when it is looked at again is what `boundaudit check` says.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.records.receipt import Receipt, evidence_key
from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run, remade
from boundaudit.checks.records.study_record import study_key
from boundaudit.checks.run.jobs import jobs_of
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.runner import verify
from boundaudit.checks.run.shipped import built_in
from boundaudit.reports.formats.markdown import render_audit

REPORTS = Path(__file__).parent
_NEW = FOLDER.with_name(FOLDER.name + ".new")


def stale(run: Run | None, registry: Registry) -> list[str]:
    """What of the shipped run, if there is one, is not current: one line per finding."""
    if run is None:
        return ["no shipped run"]
    found = [f"{label}: a receipt without a claim" for label in run.receipts if label not in registry.members]
    found += [f"{label}: curves without a study" for label in run.studies if label not in registry.studies]
    for label, claim in registry.members.items():
        receipt = run.receipts.get(label)
        if receipt is None:
            found.append(f"{label}: no receipt")
        elif receipt.key != evidence_key(claim):
            found.append(f"{label}: the statement or the code that measures it has changed")
    for label in registry.studies_of(list(registry.members)):
        if label not in run.studies:
            found.append(f"{label}: no curves")
        elif run.studies[label]["key"] != study_key(registry.studies[label]):
            found.append(f"{label}: the code that computes it has changed")
    for job in jobs_of(registry, list(registry.members)):
        if (record := _MISSING.get(job.kind)) is not None and job.label not in getattr(run, job.kind):
            found.append(f"{job.label}: {record}")
    return [*found, *_unexpected(run, registry)]


_MISSING = {"derivations": "no steps of its chain", "prices": "no price"}
"""What a record of some kinds is missed as, which has no key of its own."""


def _unexpected(run: Run, registry: Registry) -> list[str]:
    return [
        f"{label}: {receipt.findings.verdict}, expected {registry.members[label].expected}"
        for label, receipt in run.receipts.items()
        if label in registry.members and not receipt.findings.as_expected(registry.members[label])
    ]


def rewrite(run: Run | None) -> None:
    """Gather what is not current or does not stand, and replace the shipped run and the report."""
    known = {} if run is None else run.receipts
    curves = {} if run is None else run.studies
    verify(
        out=_NEW, profile="standard", device="cpu", workers=os.cpu_count() or 1, resume=True, known=known,
        curves=curves, progress=_tell, doubt=lambda line: print(line, file=sys.stderr),
    )  # fmt: skip
    remade(_NEW)
    shutil.rmtree(FOLDER, ignore_errors=True)
    _NEW.rename(FOLDER)
    shutil.rmtree(REPORTS / "audit", ignore_errors=True)
    (REPORTS / "audit").mkdir()
    for name, text in render_audit(Run.load(FOLDER)).items():
        (REPORTS / name).write_text(text, encoding="utf-8")


def committed() -> dict[str, str]:
    """The report as it stands: ``AUDIT.md`` and what lies in ``audit``, texts by path."""
    files = [REPORTS / "AUDIT.md", *sorted((REPORTS / "audit").glob("*.md"))]
    return {str(file.relative_to(REPORTS)): file.read_text(encoding="utf-8") for file in files if file.is_file()}


def _tell(receipt: Receipt, claim: Claim, seconds: float, left: int) -> None:
    odd = "" if receipt.findings.as_expected(claim) else f" (expected {claim.expected})"
    print(f"{seconds:6.1f} s  {receipt.findings.verdict:<13}{receipt.label}{odd}  ({left} to come)", file=sys.stderr)


def main() -> int:
    """Rewrite, or check with ``--check``, or say what would be done with ``--plan``: 0 where all is current, else 1."""
    doubts: list[InputError] = []
    run = Run.load(FOLDER, doubt=doubts.append) if (FOLDER / "manifest.json").is_file() else None
    registry = built_in()
    findings = [*map(str, doubts), *stale(run, registry)]
    if "--check" not in sys.argv[1:]:
        print(f"{len(findings)} of {len(registry.members)} claims and studies are stale or missing", file=sys.stderr)
        if "--plan" in sys.argv[1:]:
            print("\n".join(findings))
            return 0
        rewrite(run)
        run = Run.load(FOLDER)
        findings = _unexpected(run, registry)
    if run is not None and committed() != render_audit(run):
        findings.append("reports/AUDIT.md and reports/audit are not what the shipped run renders to")
    for line in findings:
        print(f"{line}; run `make reference`", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
