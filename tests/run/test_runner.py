"""The runner: the same receipts and curves however they were made, whole folders only, resumption."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command import EXAMPLE, loaded, write_claims

from boundaudit import Claim, InputError
from boundaudit.checks.evidence.family import family_wise
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.study_record import study_key
from boundaudit.checks.run import jobs, workers
from boundaudit.checks.run.runner import summary, verify
from boundaudit.checks.run.workers import Limits

from .runs import run_of

THREE = """
first = variance(label="coin.first", right=QUARTER, expected="proved")
second = variance(label="coin.second", right=TOO_SMALL, expected="refuted", rests_on=("coin.first",))
third = variance(label="coin.third", right=1, expected="proved")
"""
LABELS = ["coin.first", "coin.second", "coin.third"]


STUDIES = """
from boundaudit import Study
from boundaudit.checks.records.study import Panel, Series

def curves(setting):
    drawn = np.random.default_rng(setting.seed).random(3)
    high = Series("drawn", np.arange(3), drawn, low=drawn - 1, high=[1, np.inf, None], drawn="points")
    return [Panel(setting.profile, "n", "p", [high, Series("line", (1, 2.5), (np.float32(0.5), float("nan")))])]

both = Study(label="coin.both", title="t", caption="c", claims=("coin.first", "coin.third"), compute=curves)
one = Study(label="coin.one", title="t", caption="c", claims=("coin.third",), compute=curves)
"""


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    return write_claims(tmp_path, THREE)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of these claims that nothing has disturbed."""
    return run_of(write_claims(tmp_path_factory.mktemp("whole"), THREE))


def receipts_of(run: Run) -> dict[str, bytes]:
    """Every line of the receipts by label."""
    lines = [line for path in (run.path / "receipts").iterdir() for line in path.read_bytes().splitlines()]
    return {json.loads(line)["label"]: line for line in lines}


def interrupt_after(count: int) -> Any:
    """A progress callback that presses Ctrl-C once ``count`` claims are finished."""
    seen: list[str] = []

    def progress(receipt: Receipt, *_: object) -> None:
        seen.append(receipt.label)
        if len(seen) == count:
            raise KeyboardInterrupt

    return progress


# --- the same receipts ----------------------------------------------------------------------------


@pytest.mark.slow
def test_receipts_do_not_depend_on_workers_or_on_what_else_runs(suite_run: Run, tmp_path: Path) -> None:
    chosen = ["sharpness.norms.F.printed[upper,steep]", "sharpness.norms.F.repaired"]
    pooled = verify(chosen[::-1], out=tmp_path / "run", profile="smoke", device="cpu", workers=2)
    assert list(pooled.receipts) == chosen
    alone = receipts_of(suite_run)
    assert receipts_of(pooled) == {label: alone[label] for label in chosen}


@pytest.mark.slow
def test_receipts_do_not_depend_on_how_workers_start(
    claims: Path, whole: Run, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Where a process cannot go on as a copy of this one, as beside a GPU, it loads everything itself."""
    monkeypatch.setattr(jobs, "can_fork", lambda: False)
    assert receipts_of(run_of(claims, workers=2)) == receipts_of(whole)


@pytest.mark.slow
def test_a_second_run_is_the_same_but_for_its_timings(whole: Run) -> None:
    again = run_of(whole.path.with_name("my_claims.py"), "again")
    assert receipts_of(again) == receipts_of(whole)
    assert again.manifest == whole.manifest
    assert set(whole.timings["seconds"]) == set(LABELS)
    assert all(seconds > 0 for seconds in whole.timings["seconds"].values())


@pytest.mark.slow
def test_another_seed_leaves_another_record_and_the_same_verdicts(claims: Path, whole: Run) -> None:
    other = run_of(claims, seed=7)
    assert (other.manifest.profile, other.manifest.seed, other.manifest.device) == ("smoke", 7, "cpu")
    assert receipts_of(other) != receipts_of(whole)
    one, two = ([each.findings.verdict for each in run.receipts.values()] for run in (whole, other))
    assert one == two


def test_nothing_in_receipts_or_manifest_is_a_time(whole: Run) -> None:
    texts = [path.read_text(encoding="utf-8") for path in whole.path.rglob("*.json*") if path.name != "timings.json"]
    assert len(texts) == 1 + len(LABELS)
    assert not [word for word in ("seconds", "time", "date") for text in texts if f'"{word}' in text]


def test_the_manifest_says_how_the_run_was_made(whole: Run) -> None:
    assert {"python", "boundaudit", "torch", "sympy", "python-flint"} <= set(whole.manifest.versions)
    assert bool(whole.manifest.git) is bool(shutil.which("git"))


# --- studies --------------------------------------------------------------------------------------


def curves_of(run: Run) -> list[str]:
    lines = [line for path in (run.path / "studies").iterdir() for line in path.read_text("utf-8").splitlines()]
    return sorted(lines)


def test_a_study_is_recorded_as_plain_numbers(claims: Path) -> None:
    write_claims(claims.parent, THREE + STUDIES)
    run = run_of(claims, seed=5)
    assert set(run.studies) == {"coin.both", "coin.one"} <= set(run.timings["seconds"])
    (panel,) = run.studies["coin.both"]["panels"]
    drawn, line = panel["series"]
    expected = np.random.default_rng(5).random(3).tolist()
    assert (panel["title"], drawn["x"], drawn["y"]) == ("smoke", [0, 1, 2], expected)
    assert drawn["low"] == [y - 1 for y in expected]
    assert drawn["high"] == [1, None, None]
    assert (line["x"], line["y"], line["low"]) == ([1, 2.5], [0.5, None], None)


@pytest.mark.slow
def test_studies_do_not_depend_on_workers_and_are_silent(claims: Path) -> None:
    write_claims(claims.parent, THREE + STUDIES)
    seen: list[tuple[str, int]] = []
    alone = run_of(claims, "alone", progress=lambda receipt, claim, seconds, left: seen.append((receipt.label, left)))
    assert seen == [("coin.first", 2), ("coin.second", 1), ("coin.third", 0)]
    assert curves_of(run_of(claims, "pooled", workers=2)) == curves_of(alone)
    assert len(curves_of(alone)) == 2


def test_only_studies_of_chosen_claims_are_computed(claims: Path) -> None:
    write_claims(claims.parent, THREE + STUDIES)
    assert list(run_of(claims, labels=["coin.third"]).studies) == ["coin.one"]


@pytest.mark.slow
def test_resuming_gives_the_same_studies(claims: Path) -> None:
    write_claims(claims.parent, THREE + STUDIES)
    whole = curves_of(run_of(claims, "whole"))
    with pytest.raises(KeyboardInterrupt):
        run_of(claims, progress=interrupt_after(3))
    assert curves_of(run_of(claims, resume=True)) == whole


BROKEN_STUDIES = {
    "fails": ("1 / 0", r"coin\.bad0 \(.*my_claims\.py:\d+\).*ZeroDivisionError"),
    "no panel": ("[]", "1 to 6 panels, got 0"),
    "seven panels": ("[Panel('t', 'x', 'y', [Series('a', [1], [1])])] * 7", "1 to 6 panels, got 7"),
    "no panels at all": ("7", "a study that runs"),
    "no series": ("[Panel('t', 'x', 'y', [])]", "series of different names"),
    "two of a name": ("[Panel('t', 'x', 'y', [Series('a', [1], [1])] * 2)]", "series of different names"),
    "log": ("[Panel('t', 'x', 'y', [Series('a', [1], [1])], log='yx')]", "log axes"),
    "lengths": ("[Panel('t', 'x', 'y', [Series('a', [1, 2], [1])])]", "as many y as x, got 1"),
    "infinite x": ("[Panel('t', 'x', 'y', [Series('a', [1, np.inf], [1, 2])])]", "different finite x"),
    "x twice": ("[Panel('t', 'x', 'y', [Series('a', [1, 1.0], [1, 2])])]", "different finite x"),
    "half an interval": ("[Panel('t', 'x', 'y', [Series('a', [1], [1], low=[0])])]", "both ends"),
    "outside": ("[Panel('t', 'x', 'y', [Series('a', [5], [1], low=[2], high=[3])])]", r"low ≤ y ≤ high.*x = \[5\]"),
    "unknown drawing": ("[Panel('t', 'x', 'y', [Series('a', [1], [1], drawn='bars')])]", "line or points, got bars"),
}


@pytest.mark.slow
def test_a_study_that_cannot_be_drawn_is_told_and_the_rest_is_kept(tmp_path: Path) -> None:
    bad = 'first = variance(label="coin.first", right=1)\nbroken = [\n'
    for n, (panels, _) in enumerate(BROKEN_STUDIES.values()):
        bad += f'Study(label="coin.bad{n}", title="t", caption="c", claims=("coin.first",), '
        bad += f"compute=lambda setting: {panels}),\n"
    run = run_of(write_claims(tmp_path, STUDIES.split("def curves")[0] + bad + "]\n"))
    assert (list(run.receipts), run.studies) == (["coin.first"], {})
    for n, (_, finding) in enumerate(BROKEN_STUDIES.values()):
        line = run.manifest.errors[f"coin.bad{n}"]
        assert re.search(finding, line)
        assert "\n" not in line


def test_the_key_of_a_study_follows_its_code_and_its_constants(tmp_path: Path) -> None:
    program = """
from boundaudit.checks.records.study import Study
LENGTH = 4
def helper(): return LENGTH
study = Study(label="mine.x", title="t", caption="c", claims=(), compute=lambda setting: helper())
"""
    versions = (program, program, program.replace("4", "5"), program.replace("return LENGTH", "return -LENGTH"))
    keys = [study_key(loaded(tmp_path, text).study) for text in versions]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


# --- whole folders only ---------------------------------------------------------------------------


def test_the_folder_appears_when_the_run_is_complete(claims: Path) -> None:
    out = claims.parent / "run"
    seen: list[bool] = []
    run = run_of(claims, progress=lambda *_: seen.append(out.exists()))
    assert seen == [False] * len(LABELS)
    assert {path.name for path in claims.parent.iterdir() if path.is_dir()} - {"__pycache__"} == {"run"}
    assert {path.name for path in run.path.rglob("*") if path.is_file()} == {
        "manifest.json",
        "timings.json",
        "coin.first.jsonl", "coin.second.jsonl", "coin.third.jsonl",
    }  # fmt: skip


def test_a_finished_run_is_never_overwritten(claims: Path) -> None:
    before = receipts_of(run_of(claims))
    with pytest.raises(InputError, match="a folder that does not exist yet"):
        run_of(claims, seed=1)
    assert receipts_of(Run.load(claims.parent / "run")) == before


# --- what goes wrong in one claim ------------------------------------------------------------------

FAULTY = """
import os

class Odd(BaseException):
    pass

def quantity(measure):
    return Quantity("a ratio", measure, "r")

def odd(points, device):
    raise Odd("strange")

good = variance(label="coin.good", right=QUARTER)
bad = variance(label="coin.bad", right=quantity(lambda points, device: 1 / 0))
strange = variance(label="coin.odd", right=quantity(odd))
left = variance(label="coin.left", right=quantity(lambda points, device: os._exit(0)))
loud = variance(label="coin.loud", right=quantity(lambda points, device: (print("heard"), np.ones(len(points)))[1]))
"""
WRONG = {
    "coin.bad": r"coin\.bad.right: a ratio \(.*my_claims\.py:\d+\): .*ZeroDivisionError",
    "coin.odd": r"coin\.odd.right: a ratio \(.*my_claims\.py:\d+\): .*Odd: strange",
    "coin.left": r"coin\.left\.right \(.*my_claims\.py:\d+\): .*its process ended itself with status 0",
}


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_measurement_does_stays_in_its_claim(
    tmp_path: Path, workers: int, capfd: pytest.CaptureFixture[str]
) -> None:
    run = run_of(write_claims(tmp_path, FAULTY), workers=workers)
    assert set(run.receipts) == {"coin.good", "coin.bad", "coin.odd", "coin.left", "coin.loud"}
    assert set(run.manifest.errors) == set(WRONG)
    for label, finding in WRONG.items():
        assert re.match(finding, run.manifest.errors[label])
        assert run.receipts[label].findings.verdict == "undecided"
        assert run.receipts[label].findings.reason == run.manifest.errors[label]
    assert run.receipts["coin.good"].findings.verdict == "proved"
    assert capfd.readouterr().out == ""


def test_an_error_in_every_claim_leaves_nothing(tmp_path: Path) -> None:
    bad = 'bad = variance(label="coin.bad", right=Quantity("a ratio", lambda points, device: 1 / 0, "r"))\n'
    with pytest.raises(InputError, match=r"a ratio .*ZeroDivisionError") as raised:
        run_of(write_claims(tmp_path, bad))
    assert len(raised.value.lines) == 1
    assert [path.name for path in tmp_path.iterdir() if path.is_dir() and path.name != "__pycache__"] == []


FAULTS = {
    "overflow": OverflowError("too large"), "recursion": RecursionError(), "memory": MemoryError(),
    "interrupt": KeyboardInterrupt(), "exit": SystemExit(1),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_of_an_engine_makes_its_claim_undecided(
    claims: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    collect = jobs.collect_evidence

    def faulty(claim: Claim, *arguments: Any, **options: Any) -> Any:
        if claim.label == "coin.second":
            raise fault
        return collect(claim, *arguments, **options)

    monkeypatch.setattr(jobs, "collect_evidence", faulty)
    run = run_of(claims)
    found = run.receipts["coin.second"].findings
    assert found.verdict == "undecided"
    assert ("out of budget (memory)" if isinstance(fault, MemoryError) else type(fault).__name__) in found.reason
    assert [run.receipts[label].findings.verdict for label in ("coin.first", "coin.third")] == ["proved", "proved"]
    assert run.manifest.errors == {}
    assert summary(run).unexpected == ["coin.second"]


ENDLESS = """
def endless(points, device):
    while True:
        pass

def greedy(points, device):
    kept = []
    while True:
        kept.append(np.ones(2**20))

good = variance(label="coin.good", right=QUARTER)
slow = variance(label="coin.slow", right=Quantity("a sum", endless, "s"))
large = variance(label="coin.large", right=Quantity("a sum", greedy, "s"))
"""


@pytest.mark.slow
def test_a_claim_that_does_not_end_is_out_of_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jobs.LIMITS, "smoke", Limits(2, 0.25))
    monkeypatch.setattr(workers, "PATIENCE", 1000)  # beside other work two seconds of computing take long by the clock
    run = run_of(write_claims(tmp_path, ENDLESS), workers=2)
    reasons = {label: receipt.findings.reason for label, receipt in run.receipts.items()}
    assert run.receipts["coin.good"].findings.verdict == "proved"
    assert reasons["coin.slow"].startswith("out of budget (time): more than 2 s of computing; divide both sides")
    assert reasons["coin.large"] == "out of budget (memory): more than 0.25 GiB"
    assert run.manifest.errors == {}


@pytest.mark.slow
def test_what_is_being_done_is_told(tmp_path: Path) -> None:
    slow = """
import time
def late(points, device):
    time.sleep(0.03)
    return np.ones(len(points))
x = variance(label="coin.x", right=Quantity("one", late, "r"))
"""
    seen: set[tuple[str, str]] = set()
    run_of(write_claims(tmp_path, slow), watch=lambda doing: seen.update((at.job.label, at.what) for at in doing))
    assert {label for label, _ in seen} == {"coin.x"}
    assert any("points" in what for _, what in seen)


# --- resumption -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_resuming_makes_what_is_left_and_gives_the_same_receipts(claims: Path, whole: Run) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_of(claims, progress=interrupt_after(1))
    assert not (claims.parent / "run").exists()
    with pytest.raises(InputError, match="add --resume"):
        run_of(claims)
    made: list[str] = []
    resumed = run_of(claims, resume=True, progress=lambda receipt, *_: made.append(receipt.label))
    assert made == LABELS[1:]
    assert receipts_of(resumed) == receipts_of(whole)
    assert not (claims.parent / "run.partial").exists()


def test_resuming_a_run_that_never_began_begins_it(claims: Path) -> None:
    assert list(run_of(claims, resume=True).receipts) == LABELS


@pytest.mark.slow
def test_what_was_recorded_for_another_statement_is_made_again(claims: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_of(claims, progress=interrupt_after(2))
    write_claims(claims.parent, THREE.replace("right=QUARTER", "right=1"))
    made: list[str] = []
    run_of(claims, resume=True, progress=lambda receipt, *_: made.append(receipt.label))
    assert made == ["coin.first", "coin.third"]


@pytest.mark.parametrize("change", [{"seed": 1}, {"profile": "standard"}], ids=["seed", "profile"])
def test_a_run_is_not_resumed_as_another(claims: Path, change: dict[str, Any]) -> None:
    """Receipts of two seeds or profiles under one manifest would be a false record."""
    with pytest.raises(KeyboardInterrupt):
        run_of(claims, progress=interrupt_after(1))
    with pytest.raises(InputError, match="--resume") as raised:
        run_of(claims, resume=True, **change)
    assert next(iter(change)) in str(raised.value)
    assert list(run_of(claims, resume=True).receipts) == LABELS


# --- the summary ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_summary_counts_what_the_receipts_say(suite_run: Run) -> None:
    found = summary(suite_run)
    findings = [receipt.findings for receipt in suite_run.receipts.values()]
    verdicts = [found_.verdict for found_ in findings]
    assert found.verdicts == {name: verdicts.count(name) for name in set(verdicts)}
    judged = [found_.mutation for found_ in findings if found_.mutation]
    assert judged
    assert found.mutation["killed"] == sum(m.count("killed") for m in judged)
    assert found.mutation["total"] == sum(m.total for m in judged)
    standing = {label: receipt.findings.mutation for label, receipt in suite_run.receipts.items()}
    for label, each in found.mutants.items():
        assert each["score"] == standing[label].score
    assert len(found.mutants) == sum(m.total > 0 for m in judged)
    assert found.statistics == family_wise(findings)
    assert found.unexpected == []


def receipts(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for kind in ("receipts", "studies") for path in (run / kind).glob("*.jsonl")}


def made(folder: Path, seed: int, *what: object) -> Path:
    """A run by a process of its own, with two workers."""
    command = [sys.executable, "-m", "boundaudit", "verify", *map(str, what), "--profile", "smoke", "--device", "cpu"]
    subprocess.run(
        [*command, "--workers", "2", "--out", "run"], cwd=folder, check=False, capture_output=True,
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
    )  # fmt: skip
    return folder / "run"


@pytest.mark.slow
def test_claims_of_a_file(example_run: Run, tmp_path: Path) -> None:
    found = receipts(made(tmp_path, 2, EXAMPLE))
    assert found == receipts(example_run.path)
    assert found
