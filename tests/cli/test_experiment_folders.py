"""Experiments that keep a folder, through the command: files, what they say, and going on."""

import html
import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from tests.command import Call

from boundaudit.numeric.sharpness.trained import ensemble
from boundaudit.reports.cli.main import main
from boundaudit.reports.document.shown import Shown
from boundaudit.reports.experiment import generalization_gap
from boundaudit.reports.experiment.shared.parts import Parts

from .tiny_experiments import GRID, TINY, TRAINED

NAMES = list(TINY)
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.fixture(autouse=True)
def _saved_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ensemble, "SECONDS", 0.0)


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _check_whole(name: str, found: dict[str, Any], folder: Path) -> Shown:
    assert set(_files(folder)) == {"results.json", "rows.parquet", "page.html"}
    assert json.loads((folder / "results.json").read_text()) == found
    assert parquet.read_table(folder / "rows.parquet").to_pylist() == found["rows"]
    page = (folder / "page.html").read_text()
    for each in found["replications"]:
        assert each["verdict"] in {"holds", "does not hold", "undecided"}
        if each["low"] is not None:
            assert each["low"] <= each["value"] <= each["high"]
        assert html.escape(each["place"]) in page
    shown: Shown = import_module(f"boundaudit.reports.experiment.{name.replace('-', '_')}").shown(found)
    assert page.count("<svg") == len(shown.panels) > 0
    if name in TRAINED:
        assert not all(row["converged"] for row in found["rows"])  # with so few passes, and they are kept
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    name: str, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ("experiment", name, "--device", "cpu", "--out", tmp_path / "run")
    whole = call("experiment", name, "--device", "cpu", "--out", tmp_path / "whole", "--json")
    assert (whole.code, whole.err) == (0, "")
    shown = _check_whole(name, whole.json, tmp_path / "whole")
    made: list[str] = []
    part, save = Parts.part, ensemble._Ensemble.save

    def counted(self: Parts, of: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        def making() -> dict[str, Any]:
            found = make()
            made.append(of)
            return found

        return part(self, of, making)

    def stopped(self: Parts, of: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if len(made) == 2:
            raise KeyboardInterrupt
        return counted(self, of, make)

    def saved(self: Any, path: Path) -> None:
        save(self, path)
        raise KeyboardInterrupt

    monkeypatch.setattr(Parts, "part", counted)
    with monkeypatch.context() as patch:
        patch.setattr(*(ensemble._Ensemble, "save", saved) if name in TRAINED else (Parts, "part", stopped))
        ended = call(*out)
    assert ended.code == 3
    assert "--resume goes on" in ended.err
    assert not (tmp_path / "run").exists()
    assert "--resume" in call(*out).err  # it is not begun anew unasked
    assert call(*out, "--seed", 1, "--resume").code == 2
    again = call(*out, "--resume")
    assert again.code == 0
    said = " ".join(again.out.split())
    assert [told for told in shown.conclusions if told not in said] == []
    assert len(set(made)) == len(made)
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
