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
    from boundaudit.checks.evidence.findings import Findings
    from boundaudit.checks.language.claim import Claim
    from boundaudit.checks.run.registry import Registry


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the ini setting."""
    group = parser.getgroup("boundaudit")
    profiles = ("smoke", "standard", "deep")
    group.addoption("--claims-profile", default="smoke", choices=profiles, help="how hard to look")
    group.addoption("--claims-seed", type=int, default=0, help="seed of the evidence")
    parser.addini("claims_files", "glob patterns of files that hold claims", type="args", default=["*claims*.py"])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect files that hold claims.

    Returns:
        A collector; None for other files.
    """
    named = parent.session.isinitpath(file_path)
    return None if named or not _holds_claims(file_path, parent) else ClaimsFile.from_parent(parent, path=file_path)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a claims file that the call names, which pytest would otherwise import as a test module.

    Returns:
        A collector; None for other files.
    """
    return ClaimsFile.from_parent(parent, path=module_path) if _holds_claims(module_path, parent) else None


def _holds_claims(path: Path, parent: pytest.Collector) -> bool:
    """Whether a file's name is one of a claims file and none of a test module."""
    patterns = parent.config.getini("claims_files")
    tests = parent.config.getini("python_files")
    return any(path.match(p) for p in patterns) and not any(path.match(p) for p in tests)


class ClaimsFile(pytest.File):
    """A user's own claims file."""

    def collect(self) -> Iterator[pytest.Item]:
        """Collect one item per claim.

        Yields:
            Claim items.

        Raises:
            CollectError: with one line, where the file cannot be used.
        """
        from boundaudit import InputError
        from boundaudit.checks.run.registry import load_files

        try:
            registry = load_files([self.path])
        except InputError as error:
            raise self.CollectError(str(error)) from None
        for label, claim in registry.members.items():
            yield ClaimItem.from_parent(self, name=label, claim=claim, registry=registry)


class ClaimFailed(Exception):
    """A verdict that differs from the one expected."""


class ClaimItem(pytest.Item):
    """One claim: passes when the verdict is as expected."""

    def __init__(self, *, claim: Claim, registry: Registry, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.claim = claim
        self.registry = registry

    def runtest(self) -> None:
        """Gather evidence and compare the verdict with the pin.

        Raises:
            ClaimFailed: where they differ.
        """
        from boundaudit.checks.evidence.collect import collect_evidence
        from boundaudit.checks.evidence.profile import profile_named

        profile = profile_named(self.config.getoption("--claims-profile"))
        seed = self.config.getoption("--claims-seed")
        found = collect_evidence(self.claim, self.registry.find, profile, seed=seed, device="cpu")
        if not found.as_expected(self.claim):
            raise ClaimFailed(failure(self.claim, found, self.registry.blast_radius(self.claim.label)))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """A failure as a few lines: verdict, counterexample, place and blast radius.

        Returns:
            Text, one line where the file is at fault; pytest's own representation for any other exception.
        """
        from boundaudit import InputError

        if isinstance(excinfo.value, (ClaimFailed, InputError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim was written.

        Returns:
            Path, line and label.
        """
        return self.path, int(self.claim.source.rsplit(":", 1)[1]) - 1, self.claim.label


def failure(claim: Claim, found: Findings, blast_radius: list[str]) -> str:
    """What a failing claim prints.

    Returns:
        Verdict against pin, the formula, the counterexample, the place and the blast radius.
    """
    lines = [
        f"{claim.label}: {found.verdict}, expected {claim.expected}",
        f"  {claim.text}    on {claim.domain.sentence()}",
        f"  {found.reason}",
    ]
    if found.witness is not None:
        shown = found.witness.to_json()
        point = ", ".join(f"{name} = {value}" for name, value in shown["point"].items())
        lines.append(f"  counterexample: {point}: left {shown['left']}, right {shown['right']}")
    if claim.place:
        lines.append(f"  place: {', '.join(filter(None, [claim.paper, *claim.place]))}")
    lines.append(f"  blast radius: {', '.join(blast_radius) or 'nothing rests on it'}")
    return "\n".join(lines)
