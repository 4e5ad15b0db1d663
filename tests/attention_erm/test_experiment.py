"""The experiment on attention in high dimension: what it reports, and what people read of it."""

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from boundaudit.reports.experiment import attention_erm as experiment
from boundaudit.reports.experiment.attention_erm import PROFILES, QUANTITIES, Profile, Setting, shown
from boundaudit.reports.experiment.shared.running import run_at_once
from boundaudit.reports.formats.html import rendered

SIZES = ((4, 10), (6, 10), (8, 10), (10, 9))
LINEAR, SOFTMAX = (Setting(0.5, 0.1, 0.5, 0.5), Setting(1, 0.5, 0, 0.5)), (Setting(1, 0.1, 0.5, 0.5, 2),)
TINY = Profile(LINEAR, SIZES, SOFTMAX, SIZES, (0.5, 1), (8, 3), 3)


PREDICTED = {"error": 0.2, "test": 0.15, "train": 0.1, "objective": 0.2, "rank": 0.5, "delta": 0.8, "threshold": 0.7}


def predicted(*_: object) -> SimpleNamespace:
    """In place of a fixed point that takes seconds; it has tests of its own."""
    return SimpleNamespace(**{name: torch.tensor([value]) for name, value in (PREDICTED | {"eta": 0.9}).items()})


@pytest.fixture(scope="module")
def found() -> Any:
    told: list[tuple[str, int, int]] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(experiment.PROFILES, "smoke", TINY)
        patched.setattr(experiment, "softmax_state", predicted)
        patched.setitem(experiment._ENTRIES, "cpu", 4 * 100 * 10)  # so that d = 10 takes several batches
        made = run_at_once("attention-erm", "smoke", seed=0, device="cpu", told=lambda *at: told.append(at))
    assert {d for _, d, _ in told} == {d for d, _ in SIZES}
    assert max(done for _, _, done in told) > 0
    return json.loads(json.dumps(made, allow_nan=False))


@pytest.mark.slow
def test_every_run_is_reported(found: Any) -> None:
    assert len(found["settings"]) == 3
    for one in found["settings"]:
        assert [(row["d"], row["run"]) for row in one["runs"]] == [(d, run) for d, runs in SIZES for run in range(runs)]
        assert [(mean["d"], mean["runs"]) for mean in one["means"]] == list(SIZES)
        assert [fit["quantity"] for fit in one["fits"]] == list(QUANTITIES)
        assert all(fit["predicted"] == one["predicted"][fit["quantity"]] for fit in one["fits"])
        assert all(fit["verdict"] in fit["sentence"] for fit in one["fits"])
        assert one["spectrum"]["d"] == 10
        assert one["spectrum"]["measured"][-1] == one["spectrum"]["law"][-1] == 1
    assert found["left_out"] == 0
    assert [point["alpha"] for point in found["curve"]["points"]] == [0.5, 1]


@pytest.mark.slow
def test_predictions(found: Any) -> None:
    linear, noiseless, softmax = (one["predicted"] for one in found["settings"])
    assert softmax["test"] == pytest.approx(PREDICTED["test"])
    assert linear["error"] == pytest.approx(0.3524, abs=1e-4)
    assert linear["test"] == pytest.approx(0.5 + 2 * linear["error"])
    assert noiseless["test"] == pytest.approx(2 * noiseless["error"])
    assert (linear["eta"], softmax["eta"]) == (1, pytest.approx(0.9))


@pytest.mark.slow
def test_what_people_read(found: Any, tmp_path: Path) -> None:
    read = shown(found)
    assert len(read.conclusions) == 3 * (len(QUANTITIES) + 1)
    assert [table.folded for table in read.tables] == [False, True, True, True]
    assert len(read.panels) == 1 + 2 * 3
    (tmp_path / "page.html").write_text(rendered("experiment.html.j2", found=found, shown=read))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == len(read.panels)
    assert all(sentence.split(";")[0] in page for sentence in read.conclusions[:2])


@pytest.mark.slow
def test_runs_that_do_not_converge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    learn = experiment.learn

    def hasty(*arguments: Any, **named: Any) -> Any:
        return learn(*arguments, **named, cap=1)

    monkeypatch.setattr(experiment, "learn", hasty)
    monkeypatch.setitem(experiment.PROFILES, "smoke", dataclasses.replace(TINY, settings=LINEAR[:1], softmax=()))
    found = run_at_once("attention-erm", "smoke", seed=0, device="cpu", told=lambda *at: None)
    assert found["left_out"] == sum(runs for _, runs in SIZES)
    assert "39 of 39 runs" in found["notes"][0]
    (one,) = found["settings"]
    assert not one["means"]
    assert one["spectrum"] is None
    assert {fit["verdict"] for fit in one["fits"]} == {"undecided"}
    (tmp_path / "page.html").write_text(rendered("experiment.html.j2", found=found, shown=shown(found)))


@pytest.mark.parametrize("profile", list(PROFILES))
def test_ratios_are_exact_at_every_size(profile: str) -> None:
    asked = PROFILES[profile]
    for settings, sizes in ((asked.settings, asked.sizes), (asked.softmax, asked.softmax_sizes)):
        assert not settings or len(sizes) >= 4
        for setting in settings:
            for d, _ in sizes:
                assert setting.problem(d).alpha == pytest.approx(setting.alpha, rel=1e-12)
    base, (d, _) = asked.settings[0], asked.curve_size
    for alpha in asked.alphas:
        assert dataclasses.replace(base, alpha=alpha).problem(d).alpha == pytest.approx(alpha, rel=1e-12)
