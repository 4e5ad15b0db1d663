"""The same records from every process: whatever the seed of Python's hashes, and however many workers there are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command import EXAMPLE

from boundaudit.checks.records.run_folder import Run


def receipts(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for kind in ("receipts", "studies") for path in (run / kind).glob("*.jsonl")}


def made(folder: Path, seed: int, *what: object) -> Path:
    """A run by a process of its own, with two workers."""
    command = [sys.executable, "-m", "boundaudit", "verify", *map(str, what), "--profile", "smoke", "--device", "cpu"]
    subprocess.run(
        [*command, "--workers", "2", "--out", "run"], cwd=folder, check=False, capture_output=True,
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
    )  # fmt: skip
    return folder / "run"


@pytest.mark.slow
def test_claims_of_a_file(example_run: Run, tmp_path: Path) -> None:
    found = receipts(made(tmp_path, 2, EXAMPLE))
    assert found == receipts(example_run.path)
    assert found
