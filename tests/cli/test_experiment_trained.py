"""The first paper's experiments on trained networks through the command: files, what they say, and going on."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from tests.command import Call

from boundaudit.numeric.sharpness.trained import Plan, ensemble
from boundaudit.reports.cli.main import main
from boundaudit.reports.experiment import chain_of_thought, domination, generalization_gap, interpretability
from boundaudit.reports.experiment.grid import Grid

PLAN = Plan(batch=32, dropout=0.0, stop=0.05, epochs=10)
GRID = Grid(
    length=6, degrees=(1, 2), sparsities=(1, 3), functions=2, samples=64, extra=4, hidden=8, rate=0.01, plan=PLAN
)  # fmt: skip
TINY: dict[str, Any] = {
    "generalization-gap": GRID,
    "domination": domination.Profile(GRID, probes=3, draws=20),
    "interpretability": interpretability.Profile(6, ((2, 1), (2, 3)), functions=2, samples=64, plan=PLAN),
    "chain-of-thought": chain_of_thought.Profile((6,), (16, 32), starts=2, draws=10, plan=PLAN),
}
NAMES = list(TINY)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ensemble, "SECONDS", 0.0)
    for name, profile in TINY.items():
        module = import_module(f"boundaudit.reports.experiment.{name.replace('-', '_')}")
        monkeypatch.setitem(module.PROFILES, "smoke", profile)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_and_said(name: str, call: Call, tmp_path: Path) -> None:
    ended = call("experiment", name, "--device", "cpu", "--out", tmp_path / "run", "--json")
    assert (ended.code, ended.err) == (0, "")
    assert set(_files(tmp_path / "run")) == {"results.json", "rows.parquet", "page.html"}
    found = json.loads((tmp_path / "run" / "results.json").read_text())
    assert found == ended.json
    assert parquet.read_table(tmp_path / "run" / "rows.parquet").to_pylist() == found["rows"]
    page = (tmp_path / "run" / "page.html").read_text()
    for each in found["replications"]:
        assert each["verdict"] in {"holds", "does not hold", "undecided"}
        if each["low"] is not None:
            assert each["low"] <= each["value"] <= each["high"]
        assert each["place"] in page
    assert not all(row["converged"] for row in found["rows"])  # with so few passes, and they are kept


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    name: str, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ("--device", "cpu", "--out", tmp_path / "run")
    assert call("experiment", name, "--device", "cpu", "--out", tmp_path / "whole").code == 0
    save = ensemble._Ensemble.save

    def stopped(self: Any, path: Path) -> None:
        save(self, path)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ensemble._Ensemble, "save", stopped)
        ended = call("experiment", name, *out)
    assert ended.code == 3
    assert "--resume" in ended.err
    assert not (tmp_path / "run").exists()
    assert "--resume" in call("experiment", name, *out).err  # it is not begun anew unasked
    assert call("experiment", name, *out, "--seed", 1, "--resume").code == 2
    assert call("experiment", name, *out, "--resume").code == 0
    assert _files(tmp_path / "run") == _files(tmp_path / "whole")


def test_a_folder_of_another_version(call: Call, tmp_path: Path) -> None:
    note = tmp_path / "run.partial" / "call.json"
    note.parent.mkdir()
    note.write_text(json.dumps({"version": "0.0.1"}))
    ended = call("experiment", "domination", "--device", "cpu", "--out", tmp_path / "run", "--resume")
    assert ended.code == 2
    assert "version 0.0.1" in ended.err
    assert ended.err.count("\n") == 1


def test_an_experiment_that_does_not_exist(call: Call) -> None:
    ended = call("experiment", "grokking")
    assert (ended.code, ended.out) == (2, "")


@pytest.mark.slow
def test_networks_that_leave_all_numbers_are_no_gap(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    wild = replace(GRID, rate=1e30)
    monkeypatch.setitem(generalization_gap.PROFILES, "smoke", wild)
    found = call("experiment", "generalization-gap", "--device", "cpu", "--json").json
    assert {row["gap"] for row in found["rows"]} == {None}
    assert {each["verdict"] for each in found["replications"]} == {"undecided"}


def _end_after_saving(*command: object) -> None:
    save = ensemble._Ensemble.save

    def killed(self: Any, path: Path) -> None:
        save(self, path)
        os.kill(os.getpid(), signal.SIGKILL)

    ensemble._Ensemble.save = killed  # type: ignore[method-assign]
    main([str(part) for part in command])


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_bytes(call: Call, tmp_path: Path) -> None:
    command = ("experiment", "interpretability", "--device", "cpu", "--out")
    running = multiprocessing.get_context("fork").Process(target=_end_after_saving, args=(*command, tmp_path / "cut"))
    running.start()
    running.join()
    assert running.exitcode == -signal.SIGKILL
    assert call(*command, tmp_path / "cut", "--resume").code == 0
    assert call(*command, tmp_path / "whole").code == 0
    assert _files(tmp_path / "cut") == _files(tmp_path / "whole")
