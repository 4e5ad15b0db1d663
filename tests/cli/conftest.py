"""Smoke profiles of experiments that take no time."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments that keep a folder, as small as they can be."""
    from .tiny_experiments import TINY  # loads PyTorch, which most commands do without

    for name, profile in TINY.items():
        module = import_module(f"boundaudit.reports.experiment.{name.replace('-', '_')}")
        monkeypatch.setitem(module.PROFILES, "smoke", profile)
