"""Runs of a claims file, and what they leave."""

from pathlib import Path
from typing import Any

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.runner import verify


def run_of(claims: Path, name: str = "run", **options: Any) -> Run:
    """A smoke run of a file into a folder beside it."""
    return verify(files=[claims], out=claims.parent / name, **{"profile": "smoke", "device": "cpu"} | options)


def records(run: Path) -> dict[str, bytes]:
    """Every file of a run but its timings."""
    return {str(path.relative_to(run)): path.read_bytes() for path in run.rglob("*.json*") if path.stem != "timings"}
