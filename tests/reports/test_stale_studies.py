"""Committed curves: noticed where they are missing, without a study, or computed by other code."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from boundaudit import Study
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.study import Panel, Series, Setting
from boundaudit.checks.records.study_record import record
from boundaudit.checks.run.registry import Registry, built_in
from boundaudit.reports import reference as keeper

CLAIM = "sharpness.mlp.height"
SETTING = Setting("standard", 0, "cpu")


def panels(setting: Setting) -> list[Panel]:
    return [Panel("line", "x", "y", [Series("one", [1, 2], [1, 2])])]


def other_panels(setting: Setting) -> list[Panel]:
    return [Panel("line", "x", "y", [Series("two", [1, 2], [1, 2])])]


def study(**changes: Any) -> Study:
    fields = {"label": "sharpness.line", "title": "A line", "caption": "It rises.", "claims": (CLAIM,)}
    return Study(**{**fields, "compute": panels, **changes})


@pytest.mark.parametrize(
    ("committed", "studies", "findings"),
    [
        ([study()], [study()], []),
        ([], [study()], ["no committed curves"]),
        ([], [study(claims=())], []),
        ([study()], [], ["curves without a study"]),
        ([study(compute=other_panels)], [study()], []),
        ([study(caption="It falls.")], [study()], ["its description has changed"]),
    ],
    ids=["current", "missing", "never computed", "gone", "same module", "another caption"],
)
def test_stale_curves_are_noticed(
    run: Run, monkeypatch: pytest.MonkeyPatch, committed: list[Study], studies: list[Study], findings: list[str]
) -> None:
    curves = [record(found, SETTING) for found in committed]
    assert stale(run, curves, studies, monkeypatch) == findings


def test_curves_of_other_code_are_noticed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    curves = [{**record(study(), SETTING), "key": "0123456789abcdef"}]
    assert stale(run, curves, [study()], monkeypatch) == ["the code that computes it has changed"]


def stale(run: Run, curves: list[dict[str, Any]], studies: list[Study], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What `stale` finds about the study, where these curves are committed and these studies registered."""
    registry = Registry([built_in().claims[CLAIM]], (), studies)
    committed = SimpleNamespace(load=lambda folder: replace(run, studies=curves))
    monkeypatch.setattr(keeper, "built_in", lambda: registry)
    monkeypatch.setattr(keeper, "Run", committed)
    return [line.split(": ", 1)[1] for line in keeper.stale() if line.startswith("sharpness.line: ")]
