"""A run that tests change, and smoke profiles of experiments that take no time."""

import shutil
from importlib import import_module
from pathlib import Path

import pytest
from tests.command import Call

from boundaudit.checks.records.run_folder import Run


@pytest.fixture
def copied(call: Call, example_run: Run) -> Path:
    """A copy of the example run under the working directory."""
    return Path(shutil.copytree(example_run.path, "run"))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments that keep a folder, as small as they can be."""
    from .tiny_experiments import TINY  # loads PyTorch, which most commands do without

    for name, profile in TINY.items():
        module = import_module(f"boundaudit.reports.experiment.{name.replace('-', '_')}")
        monkeypatch.setitem(module.PROFILES, "smoke", profile)
