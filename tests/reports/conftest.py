"""The sample run, shared by the tests of all formats."""

from __future__ import annotations

from pathlib import Path

import pytest

from boundaudit.checks.records.run_folder import Run

from .sample_run import write_sample


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return write_sample(tmp_path / "run")
