"""The scale of the logits: the claims and figures, against numbers that stand apart from the suite's formulas."""

from __future__ import annotations

import math

import pytest

from boundaudit.checks.records.study import Setting
from boundaudit.checks.records.study_record import record
from boundaudit.checks.sharpness import scale as studies

SMOKE = Setting("smoke", 0, "cpu")


def test_the_norms_of_the_printed_example() -> None:
    """T = 20, D = 2, ω = 10, λ = 2: 1492.694348 in all; W1 has 4·20·log²20 and F 512."""
    panels = record(studies.norm_study, SMOKE)["panels"]
    along_t = {series["name"]: dict(zip(series["x"], series["y"], strict=True)) for series in panels[2]["series"]}
    assert along_t["all, measured"][10] == pytest.approx(1492.694348, abs=5e-7)
    assert along_t["all, formula"][10] == pytest.approx(1492.694348, abs=5e-7)
    assert along_t["W1"][10] == pytest.approx(80 * math.log(20) ** 2, rel=1e-12)
    assert set(along_t["F"].values()) == {512.0}
    for panel in panels:
        series = {one["name"]: one["y"] for one in panel["series"]}
        assert series["all, measured"] == pytest.approx(series["all, formula"], rel=1e-12)


def test_the_figure_of_the_leak() -> None:
    panels = record(studies.leak_study, SMOKE)["panels"]
    series = {one["name"]: dict(zip(one["x"], one["y"], strict=True)) for one in panels[0]["series"]}
    for length in range(4, 9):
        assert series["formula, ω = 1"][length] == pytest.approx(1 / (length + 1), rel=1e-12)
        assert series["measured, D = 1, ω = 1"][length] == pytest.approx(1 / (length + 1), rel=1e-10)
