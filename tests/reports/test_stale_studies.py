"""Committed curves: noticed where they are missing, without a study, or computed by other code."""

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from boundaudit import Claim, Domain, Integers, Study
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.study import Panel, Series, Setting
from boundaudit.checks.records.study_record import record
from boundaudit.checks.run.registry import Registry
from boundaudit.reports.reference import stale

N = sp.Symbol("n", integer=True, positive=True)
CLAIM = Claim(label="sharpness.one", statement="n ≥ 1.", left=1, right=N, domain=Domain({N: Integers(1, 9)}))
SETTING = Setting("standard", 0, "cpu")


def panels(setting: Setting) -> list[Panel]:
    return [Panel("line", "x", "y", [Series("one", [1, 2], [1, 2])])]


def other_panels(setting: Setting) -> list[Panel]:
    return [Panel("line", "x", "y", [Series("two", [1, 2], [1, 2])])]


def study(**changes: Any) -> Study:
    fields = {"label": "sharpness.line", "title": "A line", "caption": "It rises.", "claims": (CLAIM.label,)}
    return Study(**{**fields, "compute": panels, **changes})


@pytest.mark.parametrize(("committed", "studies", "findings"), [
    ([study()], [study()], []), ([], [study()], ["no curves"]), ([study()], [], ["curves without a study"]),
    ([study(compute=other_panels)], [study()], ["the code that computes it has changed"]),
    ([study(caption="It falls.")], [study()], []),
], ids=["current", "missing", "gone", "other code", "another caption"])  # fmt: skip
def test_stale_curves_are_noticed(run: Run, committed: list[Study], studies: list[Study], findings: list[str]) -> None:
    curves = {found.label: record(found, SETTING) for found in committed}
    found = stale(replace(run, receipts={}, studies=curves), Registry([CLAIM, *studies]))
    assert [line.split(": ", 1)[1] for line in found if line.startswith("sharpness.line: ")] == findings
