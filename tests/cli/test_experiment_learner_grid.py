"""What a learner certifies in each class, through the command: rows, the table of classes, and going on."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from pyarrow import parquet
from tests.command import Call

from boundaudit.numeric.sharpness import constant_risk
from boundaudit.numeric.sharpness.bound import BOUNDS, published, random_target
from boundaudit.numeric.sharpness.learner import Network, Plan, certified_learner
from boundaudit.reports.experiment import learner_grid
from boundaudit.reports.experiment.learner_grid import DELTA, PROFILES, Profile, shown

QUICK = Plan(starts=2, steps=10, batch=16, posterior_steps=10, posterior_batch=16, draws=100)
TINY = Profile(6, degrees=(1, 2), sparsities=(1, 3), functions=2, samples=64, plan=QUICK)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PROFILES, "smoke", TINY)


@pytest.mark.slow
def test_every_function_with_its_starts(call: Call, tmp_path: Path) -> None:
    ended = call("experiment", "learner-grid", "--device", "cpu", "--seed", 3, "--out", tmp_path / "run", "--json")
    assert (ended.code, ended.err) == (0, "")
    found = ended.json
    assert found == json.loads((tmp_path / "run" / "results.json").read_text())
    assert parquet.read_table(tmp_path / "run" / "rows.parquet").num_rows == len(found["rows"]) == 8
    row = next(row for row in found["rows"] if (row["degree"], row["sparsity"], row["function"]) == (2, 3, 1))
    target = random_target(6, 2, 3, 4)
    again = certified_learner(target, samples=64, network=Network(6, 12), plan=QUICK, delta=DELTA, seed=4).from_start
    assert row["value"] == again.certificate.value
    assert (row["starts"], row["failed"]) == (2, again.failed)
    assert row["constant_baseline"] == constant_risk(target, 1.0)
    assert row["empirical"] < row["value"]
    printed = next(each for each in found["printed"] if (each["degree"], each["sparsity"]) == (2, 3))
    assert printed["value"] == BOUNDS["shared-variance"](published(6, 2, 3), samples=64, delta=DELTA, proxy=0.01).value


@pytest.mark.slow
def test_classes_count_what_failed(call: Call) -> None:
    found = call("experiment", "learner-grid", "--device", "cpu", "--json").json
    classes = shown(found).tables[1]
    for each in classes.rows:
        named: dict[str, Any] = dict(zip(classes.columns, each, strict=True))
        own = [row for row in found["rows"] if (row["degree"], row["sparsity"]) == (named["D"], named["ω"])]
        values = [row["value"] for row in own]
        assert (named["least"], named["most"], named["certified"]) == (min(values), max(values), fmean(values))
        assert named["failed starts"] == f"{sum(row['failed'] for row in own)} of 4"
    below = sum(row["value"] < row["constant_baseline"] for row in found["rows"])
    assert shown(found).conclusions[0].endswith(f"for {below} of 8 functions.")


@pytest.mark.slow
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    command = ("experiment", "learner-grid", "--device", "cpu", "--out")
    assert call(*command, tmp_path / "whole").code == 0
    row, made = learner_grid.certified_from_start, []

    def stopped(*given: Any, **named: Any) -> dict[str, Any]:
        if len(made) == 3:
            raise KeyboardInterrupt
        made.append(given)
        return row(*given, **named)

    with monkeypatch.context() as patch:
        patch.setattr(learner_grid, "certified_from_start", stopped)
        ended = call(*command, tmp_path / "run")
    assert ended.code == 3
    assert len(list((tmp_path / "run.partial" / "parts").iterdir())) == 3
    assert call(*command, tmp_path / "run", "--resume").code == 0
    for path in (tmp_path / "whole").iterdir():
        assert (tmp_path / "run" / path.name).read_bytes() == path.read_bytes()
