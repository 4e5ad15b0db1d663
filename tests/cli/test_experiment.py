"""`boundaudit experiment sparse-majority`: what it reports, its page, and calls that it refuses in one line."""

from pathlib import Path
from typing import Any

import pytest
from tests.command import Call, refused

from boundaudit.numeric.covering.majority import Plan, initial_norm
from boundaudit.reports.experiment import attention_erm, sparse_majority
from boundaudit.reports.experiment.sparse_majority import MOMENTS, PROFILES, QUANTITIES, Profile

COMMAND = ("experiment", "sparse-majority", "--device", "cpu")
RUNS, LENGTHS = 3, (3, 4)


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(relevant=1, train=8, test=20, batch=8, rate=0.1, floor=0.1, cap=60, look=20)
    monkeypatch.setitem(sparse_majority.PROFILES, "smoke", Profile(LENGTHS, RUNS, plan))


@pytest.mark.slow
def test_json_has_every_run_and_every_trend(call: Call) -> None:
    ended = call(*COMMAND, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = ended.json
    assert found["norm_at_initialisation"] == initial_norm()
    assert [(row["length"], row["run"]) for row in found["runs"]] == [(t, run) for t in LENGTHS for run in range(RUNS)]
    assert found["left_out"] == sum(not row["stopped"] for row in found["runs"])
    assert [row["stopped"] for row in found["lengths"]] == [_stopped(found, length) for length in LENGTHS]
    for row in found["runs"]:
        end = row["end"]
        assert end["epoch"] == row["epochs"]
        assert end["accuracy_gap"] == end["train"]["accuracy"] - end["test"]["accuracy"]
        assert end["loss_gap"] == end["test"]["loss"] - end["train"]["loss"]
        assert end["l1_growth"] == end["l1_norm"] - row["norm_at_start"]
        assert set(end["maps"]) == {"query-key", "value", "output", "dense", "read"}
    assert [(fit["moment"], fit["quantity"]) for fit in found["trends"]] == [
        (m, q) for m in MOMENTS for q in QUANTITIES
    ]
    assert {fit["points"] for fit in found["trends"]} == {len(found["runs"]) - found["left_out"]}
    assert any("relevant 1 instead of 9" in note for note in found["notes"])


def _stopped(found: Any, length: int) -> int:
    return sum(row["stopped"] for row in found["runs"] if row["length"] == length)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(call: Call) -> None:
    first, again, other = (call(*COMMAND, "--seed", seed, "--json").out for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.slow
def test_what_people_read(call: Call, tmp_path: Path) -> None:
    ended = call(*COMMAND, "--out", "made/page.html")
    assert ended.code == 0
    assert "rate 0.1" in ended.out
    assert "at the least test loss" in ended.out
    page = (tmp_path / "made" / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == len(QUANTITIES) + 1
    assert all(name in page for name in QUANTITIES.values())
    assert list((tmp_path / "made").iterdir()) == [tmp_path / "made" / "page.html"]


def test_no_run_that_stops(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(relevant=3, train=30, test=20, cap=2, look=2)
    monkeypatch.setitem(sparse_majority.PROFILES, "smoke", Profile((5, 6), 2, plan))
    found = call(*COMMAND, "--out", "page.html", "--json").json
    assert found["left_out"] == 4
    assert {fit["verdict"] for fit in found["trends"]} == {"no interval"}
    assert "4 of 4 runs" in found["notes"][0]


def test_the_paper_profile_is_the_published_script() -> None:
    paper = PROFILES["paper"]
    assert vars(paper.plan) | {"look": 1} == vars(Plan())
    assert (min(paper.lengths), max(paper.lengths), paper.runs) == (20, 200, 10)
    assert (paper.plan.relevant, paper.plan.train, paper.plan.test, paper.plan.cap) == (9, 300, 10_000, 200_000)


@pytest.mark.parametrize(("arguments", "words"), [
    (("--profile", "deep"), "smoke"), (("--device", "tpu"), "auto, cpu or cuda"), (("--seed", -1), "--seed"),
    (("--seed", "x"), "--seed"), (("--out", "page.pdf"), "--out"), (("--out", "file/page.html"), "--out"),
    (("--out", "folder.html"), "--out"),
])  # fmt: skip
def test_bad_input_is_one_line(call: Call, tmp_path: Path, arguments: tuple[Any, ...], words: str) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder.html").mkdir()
    refused(call(*COMMAND, *arguments), words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.html"]


@pytest.mark.slow
def test_an_experiment_of_a_limit(call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    setting = attention_erm.Setting(0.5, 0.5, 0, 0.5)
    tiny = attention_erm.Profile((setting,), ((4, 9), (6, 9), (8, 9)), (), (), (0.5,), (4, 3), 3)
    monkeypatch.setitem(attention_erm.PROFILES, "smoke", tiny)
    ended = call("experiment", "attention-erm", "--device", "cpu", "--out", "page.html")
    assert ended.code == 0
    assert "profile smoke on cpu" in ended.out
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert call("experiment", "attention-erm", "--profile", "nothing").code == 2
