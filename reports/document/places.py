"""What tools of continuous integration show of a run: each claim with its file, its line and what to say there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from boundaudit import visible
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.verdicts import accepted
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit, Audited
from boundaudit.checks.run.catalogue import Case, Catalogue
from boundaudit.reports.wording import point_text, shortened, sides

_LONGEST = 400
"""Characters of a formula that an annotation has room for."""


@dataclass(frozen=True)
class Outcome:
    """What a run says about a claim, or one of its cases, and where that is written."""

    label: str
    verdict: str  # the verdict; empty where the claim could not be judged
    expected: str  # the pinned verdict
    headline: str  # label, verdict and pin in one line
    # statement, formula, counterexample, place, what rests on it and how to see it again, a line each
    details: tuple[str, ...] = ()
    file: str = ""  # the file, relative to the working directory where it is below that
    line: int = 1  # the line, from 1
    fingerprint: str = ""  # a hash of the statement's meaning
    seconds: float = 0.0  # how long it took

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the pinned one, or a stronger one."""
        return bool(self.verdict) and accepted(self.verdict, self.expected)


def outcomes(run: Run, known: Catalogue | None = None) -> list[Outcome]:
    """What a run says about every claim and case, then about those that could not be judged."""
    audit = Audit(run, known)
    seconds = run.timings.get("seconds", {})
    judged = [
        _outcome(audited, case, place_of(audited.claim.source, audited.claim.label, run.files), seconds)
        for audited in audit.claims.values()
        for case in audited.cases
    ]
    return [*judged, *_unjudged(audit, run)]


def _outcome(audited: Audited, case: Case, place: tuple[str, int], seconds: dict[str, float]) -> Outcome:
    found = audited.found[case.label]
    pinned = "as expected" if accepted(found.verdict, case.expected) else f"expected {case.expected}"
    headline = f"{case.label}: {found.verdict}, {pinned}"
    details = tuple(visible(line) for line in _details(audited, case, found))
    return Outcome(
        case.label, found.verdict, case.expected, visible(headline), details, *place, audited.fingerprints[case.label],
        float(seconds.get(case.label, 0.0)),
    )  # fmt: skip


def _details(audited: Audited, case: Case, found: Findings) -> Iterator[str]:
    claim = audited.claim
    yield case.statement or claim.statement
    yield f"{shortened(case.text, _LONGEST)} on {shortened(case.domain, _LONGEST)}"
    yield found.reason
    if found.witness is not None:
        left, right = sides(found.witness.left, found.witness.right)
        point = point_text(found.witness.to_json()["point"])
        yield f"counterexample: {point}, where the sides are {left} and {right}"
    if claim.place:
        yield f"place: {', '.join(filter(None, [claim.paper, *claim.place]))}"
    if claim.blast_radius:
        yield f"falls with it: {', '.join(claim.blast_radius)}"
    yield f"see it again: boundaudit reproduce '{case.label}'"


def _unjudged(audit: Audit, run: Run) -> Iterator[Outcome]:
    """What is wrong with the input of claims, chains and studies."""
    for label, error in run.manifest.errors.items():
        known = audit.catalogue.claims.get(label.partition("[")[0])
        place = place_of(known.source, known.label, run.files) if known else ("", 1)
        expected = next((case.expected for case in known.cases if case.label == label), "") if known else ""
        line = visible(" ".join(error.split()))
        yield Outcome(visible(label), "", expected, f"{visible(label)}: could not be judged", (line,), *place)


def place_of(source: str, label: str, files: Sequence[Path]) -> tuple[str, int]:
    """File, with slashes, and line of a claim as tools find it from the working directory.

    ``source`` is as the catalogue has it, of a user's own file the name alone; the label tells apart two of one name.
    """
    name, _, line = source.rpartition(":")
    own = [file for file in files if file.name == name]
    if len(own) > 1:
        own = [file for file in own if label in _text(file)] or own
    if not own:
        return name, int(line)
    path = Path(os.path.relpath(own[0]))
    return (own[0].absolute() if path.parts[0] == ".." else path).as_posix(), int(line)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
