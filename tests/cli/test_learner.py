"""`boundaudit bound learner`: its rows, its folder, and that an interrupted run goes on to the same bytes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from tests.command import Call, refused

from boundaudit.numeric.sharpness.learner import Certified, Plan
from boundaudit.reports.experiment import learner
from boundaudit.reports.experiment.learner import BETTING, CHERNOFF, PROFILES, SPLIT, START, Part

COMMAND = ("bound", "learner", "--length", 6, "--degree", 2, "--sparsity", 2, "--device", "cpu")
SIZES = (400, 2000)
PLAN = Plan(starts=2, steps=150, batch=64, posterior_steps=100, posterior_batch=64, noise=0.03, draws=500)
HASTY = replace(PLAN, steps=10, posterior_steps=10, draws=50)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    full = replace(PLAN, rate=0.03, noise=0.01)
    monkeypatch.setitem(PROFILES, "smoke", (Part("compact", SIZES, PLAN), Part("full", SIZES[:1], full)))


def _rows(found: Any, **wanted: object) -> list[dict[str, Any]]:
    return [row for row in found["rows"] if wanted.items() <= row.items()]


@pytest.mark.slow
def test_every_row_with_its_parts(call: Call) -> None:
    ended = call(*COMMAND, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = ended.json
    learned = {START, SPLIT, CHERNOFF, BETTING}
    for network, sizes in (("compact", SIZES), ("full", SIZES[:1])):
        for m in sizes:
            assert {row["bound"] for row in _rows(found, network=network, samples=m)} == learned
    printed = _rows(found, network="construction")
    assert [(row["samples"], "published" in row["bound"]) for row in printed] == [
        (m, named) for m in SIZES for named in (True, False)
    ]
    for row in found["rows"]:
        assert row["vacuous"] == (row["value"] >= row["constant_baseline"])
        if row["network"] != "construction":
            low, middle, high = row["truth"]
            assert low <= middle <= high
            assert middle < row["value"]
            assert (row["starts"], row["constant_baseline"]) == (2, found["constant_baseline"])
    for row in _rows(found, bound=START):
        mine = [s for s in found["starts"] if (s["network"], s["samples"], s["bound"]) ==
                (row["network"], row["samples"], START)]  # fmt: skip
        assert row["value"] == min(start["value"] for start in mine)
        assert row["failed"] == sum(not start["learned"] for start in mine)
        assert row["value"] > row["without_draws"]
    assert not _rows(found, bound=START, network="compact", samples=2000)[0]["vacuous"]


@pytest.mark.slow
def test_the_folder_and_what_people_read(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hasty = Part("compact", SIZES, HASTY), Part("full", SIZES, replace(HASTY, rate=0.03, noise=0.01))
    monkeypatch.setitem(PROFILES, "smoke", hasty)
    ended = call(*COMMAND, "--samples", "400", "--out", "made/learned")
    assert ended.code == 0
    told = " ".join(ended.out.split())
    assert "Hold-out is below both PAC-Bayes values in" in told
    assert "the least" not in told  # no row is picked: each holds at δ by itself
    folder = tmp_path / "made" / "learned"
    assert sorted(path.name for path in folder.iterdir()) == ["page.html", "results.json", "rows.parquet"]
    assert [path.name for path in folder.parent.iterdir()] == ["learned"]
    rows = parquet.read_table(folder / "rows.parquet").to_pylist()
    assert len(rows) == 2 * 4 + 2
    assert {"value", "kl", "empirical", "truth", "failed", "bound"} <= set(rows[0])
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert START in page


@pytest.mark.slow
def test_an_interrupted_run_goes_on_to_the_same_bytes(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PROFILES, "smoke", (Part("compact", SIZES, HASTY),))
    assert call(*COMMAND, "--out", "whole").code == 0
    calls: list[int] = []
    learn = learner.certified_learner

    def broken(*given: Any, **named: Any) -> Certified:
        calls.append(named["samples"])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return learn(*given, **named)

    monkeypatch.setattr(learner, "certified_learner", broken)
    ended = call(*COMMAND, "--out", "cut")
    assert ended.code == 3
    assert "--out cut --resume goes on" in ended.err
    assert not (tmp_path / "cut").exists()
    refused(call(*COMMAND, "--out", "cut"))
    other = call(*COMMAND, "--seed", 1, "--out", "cut", "--resume")
    assert (other.code, "seed 0" in other.err) == (2, True)
    assert call(*COMMAND, "--out", "cut", "--resume").code == 0
    assert calls == [400, 2000, 2000]
    for name in ("results.json", "rows.parquet", "page.html"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not (tmp_path / "cut.partial").exists()


def test_a_damaged_part_is_told(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "certified_learner", _interrupted)
    assert call(*COMMAND, "--out", "cut").code == 3
    part = tmp_path / "cut.partial" / "parts" / "compact-400.json"
    part.parent.mkdir()
    part.write_text("{", encoding="utf-8")
    refused(call(*COMMAND, "--out", "cut", "--resume"), "compact-400.json")
    (tmp_path / "cut.partial" / "call.json").unlink()
    ended = call(*COMMAND, "--out", "cut", "--resume")
    assert (ended.code, "call.json" in ended.err) == (2, True)


def _interrupted(*given: Any, **named: Any) -> Certified:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    "wrong",
    [("--samples", "1e3,x"), ("--samples", 3), ("--delta", 1), ("--degree", 7), ("--sparsity", 16), ("--resume",),
     ("--profile", "deep"), ("--device", "tpu"), ("--length", 63)],
)  # fmt: skip
def test_a_wrong_call_is_one_line(call: Call, wrong: tuple[object, ...]) -> None:
    refused(call(*COMMAND, *wrong))


def test_the_shipped_profile_has_the_sizes_of_the_paper() -> None:
    compact, full = PROFILES["standard"]
    assert {8192, 10**6} <= set(compact.samples) & set(full.samples)
