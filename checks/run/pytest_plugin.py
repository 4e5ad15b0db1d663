"""pytest plugin: claims are test items.

``pytest my_claims.py`` or a folder collects every module-level `Claim` of files named
``*claims*.py``; a claim passes when its verdict is the one expected of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from boundaudit.checks.evidence.evidence import Witness
    from boundaudit.checks.evidence.findings import Findings
    from boundaudit.checks.language.claim import Claim
    from boundaudit.checks.run.jobs import Job, Made
    from boundaudit.checks.run.registry import Registry
    from boundaudit.checks.run.workers import Workers


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the ini setting."""
    group = parser.getgroup("boundaudit")
    profiles = ("smoke", "standard", "deep")
    group.addoption("--claims-profile", default="smoke", choices=profiles, help="how hard to look")
    group.addoption("--claims-seed", type=int, default=0, help="seed of the evidence")
    parser.addini("claims_files", "glob patterns of files that hold claims", type="args", default=["*claims*.py"])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect files that hold claims."""
    named = parent.session.isinitpath(file_path)
    return None if named or not _holds_claims(file_path, parent) else ClaimsFile.from_parent(parent, path=file_path)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a claims file that the call names, which pytest would otherwise import as a test module."""
    return ClaimsFile.from_parent(parent, path=module_path) if _holds_claims(module_path, parent) else None


def _holds_claims(path: Path, parent: pytest.Collector) -> bool:
    """Whether a file's name is one of a claims file and none of a test module."""
    patterns = parent.config.getini("claims_files")
    tests = parent.config.getini("python_files")
    return any(path.match(p) for p in patterns) and not any(path.match(p) for p in tests)


class ClaimsFile(pytest.File):
    """A user's own claims file; its claims are judged by a worker, whose end is not the end of pytest."""

    registry: Registry
    workers: Workers[Job, Made]

    def collect(self) -> Iterator[pytest.Item]:
        """Collect one item per claim.

        Raises:
            CollectError: with a line for each error, where the file cannot be used.
        """
        from boundaudit import InputError
        from boundaudit.checks.run.own_files import load_files

        try:
            self.registry = load_files([self.path])
        except InputError as error:
            raise self.CollectError(str(error)) from None
        for label, claim in self.registry.members.items():
            yield ClaimItem.from_parent(self, name=label, claim=claim)

    def setup(self) -> None:
        """Have a worker."""
        from boundaudit.checks.evidence.profile import profile_named
        from boundaudit.checks.run.jobs import Task, workers_for

        profile = profile_named(self.config.getoption("--claims-profile"))
        task = Task(profile, self.config.getoption("--claims-seed"), "cpu", files=(self.path,))
        self.workers = workers_for(task, self.registry, 1)

    def teardown(self) -> None:
        """End it."""
        self.workers.close()


class ClaimFailed(Exception):
    """A verdict that differs from the one expected, or a claim that cannot be judged."""


class ClaimItem(pytest.Item):
    """One claim: passes when the verdict is as expected."""

    parent: ClaimsFile

    def __init__(self, *, claim: Claim, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.claim = claim

    def runtest(self) -> None:
        """Gather evidence and compare the verdict with the pin.

        Raises:
            ClaimFailed: where they differ, or the claim's input is wrong.
        """
        from boundaudit.checks.records.receipt import Receipt
        from boundaudit.checks.run.jobs import Job, lost
        from boundaudit.checks.run.workers import Lost

        registry = self.parent.registry
        (ended,) = self.parent.workers.results([Job("receipts", self.claim.label)])
        made = lost(registry, ended.job, ended.result) if isinstance(ended.result, Lost) else ended.result
        if made.error is not None or made.record is None:
            raise ClaimFailed(made.error)
        found = Receipt.from_json(made.record).findings
        if not found.as_expected(self.claim):
            raise ClaimFailed(failure(self.claim, found, registry.blast_radius(self.claim.label)))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """A failure as a few lines, one where the file is at fault; pytest's own words for any other exception."""
        if isinstance(excinfo.value, ClaimFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim was written: path, line and label."""
        return self.path, int(self.claim.source.rsplit(":", 1)[1]) - 1, self.claim.label


def failure(claim: Claim, found: Findings, blast_radius: list[str]) -> str:
    """What a failing claim prints: verdict against pin, formula, counterexample, place and blast radius."""
    lines = [
        f"{claim.label}: {found.verdict}, expected {claim.expected}",
        f"  {claim.text}    on {claim.scope}",
        f"  {found.reason}",
    ]
    if found.witness is not None:
        lines += _assertion(claim, found.witness)
    if claim.place:
        lines.append(f"  place: {', '.join(filter(None, [claim.paper, *claim.place]))}")
    lines.append(f"  blast radius: {', '.join(blast_radius) or 'nothing rests on it'}")
    return "\n".join(lines)


def _assertion(claim: Claim, witness: Witness) -> list[str]:
    """A counterexample as pytest shows an assertion that failed."""
    from boundaudit.checks.language.claim import side_text

    point = ", ".join(f"{name} = {value}" for name, value in witness.to_json()["point"].items())
    relation = "==" if claim.relation == "=" else claim.relation
    return [
        f"E     assert {witness.left} {relation} {witness.right}    at {point}",
        f"E      +  where {witness.left} = {side_text(claim.left)}",
        f"E      +  and   {witness.right} = {side_text(claim.right)}",
    ]
