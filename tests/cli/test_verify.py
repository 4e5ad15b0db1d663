"""`boundaudit verify`: exit status, where the run goes, what is shown, interruption."""

import functools
import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.command import Call, write_claims

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.jobs import Job
from boundaudit.checks.run.workers import Doing
from boundaudit.reports.cli.runs import board
from boundaudit.reports.cli.runs.board import Board

TWO = """
good = variance(label="coin.good", right=QUARTER, expected="proved", place=("Lemma 1",))
bad = variance(label="coin.bad", right=TOO_SMALL, expected="{expected}")
"""
QUICK = ("--profile", "smoke", "--workers", 1)


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    return write_claims(tmp_path, TWO.format(expected="refuted"))


def test_status_is_0_where_every_verdict_is_as_expected(call: Call, claims: Path) -> None:
    ended = call("verify", claims, *QUICK, "--out", "run")
    assert ended.code == 0
    assert "2 claims and cases: 1 proved, 1 refuted" in ended.out
    assert "not as expected" not in ended.out
    assert re.search(r"refuted +coin\.bad .*at p = 1/2", ended.out)
    assert "\x1b" not in ended.out + ended.err
    progress = [re.sub(r"^ *\d+\.\d s +", "", line).split() for line in ended.err.splitlines()]
    assert progress == [["proved", "coin.good"], ["refuted", "coin.bad"]]
    assert {label: receipt.findings.verdict for label, receipt in Run.load(Path("run")).receipts.items()} == {
        "coin.good": "proved",
        "coin.bad": "refuted",
    }


def test_status_is_1_where_a_verdict_differs_and_the_run_is_kept(call: Call, tmp_path: Path) -> None:
    ended = call("verify", write_claims(tmp_path, TWO.format(expected="proved")), *QUICK, "--out", "run")
    assert ended.code == 1
    assert "not as expected: coin.bad" in ended.out
    assert "(expected proved)" in ended.err
    run = Run.load(Path("run"))
    assert run.receipts["coin.bad"].findings.verdict == "refuted"
    assert not Audit(run).claim("coin.bad").as_expected
    assert Audit(run).claim("coin.good").as_expected


def test_a_stronger_verdict_than_expected_is_welcome(call: Call, tmp_path: Path) -> None:
    claims = write_claims(tmp_path, 'x = variance(label="coin.x", right=QUARTER, expected="supported")\n')
    ended = call("verify", claims, *QUICK)
    assert (ended.code, "1 proved" in ended.out) == (0, True)


@pytest.mark.slow
def test_runs_go_to_new_folders_by_default(call: Call, claims: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for second in "01":
        monkeypatch.setattr(time, "strftime", lambda _, second=second: f"2026-01-01T00-00-0{second}")
        ended = call("verify", claims, *QUICK)
        assert ended.code == 0
    runs = sorted(Path("boundaudit-runs").iterdir())
    assert len(runs) == 2
    assert all(Run.load(run).manifest.profile == "smoke" for run in runs)
    assert f"run folder: {runs[-1]}" in ended.out


@pytest.mark.slow
def test_labels_and_globs_select(call: Call, claims: Path) -> None:
    assert list(verified(call, claims, "*.bad")) == ["coin.bad"]
    assert list(verified(call, claims, "coin.good", "*.bad")) == ["coin.bad", "coin.good"]
    cases = write_claims(claims.parent, CASES)
    assert list(verified(call, cases)) == ["coin.x[loose]", "coin.x[tight]"]
    assert list(verified(call, cases, "coin.x")) == list(verified(call, cases, "coin.*"))
    assert list(verified(call, cases, "coin.x[tight]")) == ["coin.x[tight]"]


CASES = """
from boundaudit.checks.language.claim import Case
x = variance(label="coin.x", right=QUARTER, cases=(Case("loose", right=1), Case("tight", expected="proved")))
"""


def verified(call: Call, *arguments: Any) -> dict[str, Any]:
    """The receipts of a run."""
    ended = call("verify", *arguments, *QUICK, "--json")
    assert ended.code == 0
    run = Run.load(Path(ended.json["out"]))
    run.path.rename(run.path.with_name(f"kept-{len(list(run.path.parent.iterdir()))}"))
    return run.receipts


def test_an_interrupted_call_says_how_to_go_on(call: Call, claims: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Board, "add", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        ended = call("verify", claims, *QUICK)
    assert ended.code == 3
    assert ended.out == ""
    (line,) = ended.err.splitlines()
    (options,) = re.findall(r"the same call with (--out \S+ --resume) goes on", line)
    resumed = call("verify", claims, *QUICK, *options.split())
    assert resumed.code == 0
    assert "coin.good" not in resumed.err
    assert "2 claims and cases: 1 proved, 1 refuted" in resumed.out


SLEEPS = """
import time
def late(points, device):
    time.sleep(60)
    return np.ones(len(points))
many = [variance(label=f"coin.n{n}", right=Quantity("one", late, "r")) for n in range(3)]
"""


@pytest.mark.slow
def test_ctrl_c_with_two_workers_is_one_line(tmp_path: Path) -> None:
    write_claims(tmp_path, SLEEPS)
    command = [sys.executable, "-m", "boundaudit", "verify", "my_claims.py", "--workers", "2", "--out", "run"]
    listening = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a background shell ignores Ctrl-C
    run = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=listening
    )
    for _ in range(600):
        if (tmp_path / "run.partial" / "call.json").is_file():
            break
        time.sleep(0.1)
    time.sleep(0.5)
    os.killpg(run.pid, signal.SIGINT)
    _, said = run.communicate(timeout=300)
    assert run.returncode == 3
    assert said == "boundaudit: interrupted; the same call with --out run --resume goes on\n"


def test_an_error_in_a_claim_is_a_line_and_the_others_are_kept(call: Call, tmp_path: Path) -> None:
    bad = 'bad = variance(label="coin.bad", right=Quantity("a ratio", lambda points, device: 1 / 0, "r"))\n'
    good = 'good = variance(label="coin.good", right=QUARTER, expected="proved")\n'
    ended = call("verify", write_claims(tmp_path, good + bad), *QUICK, "--out", "run", "--json")
    assert ended.code == 2
    (line,) = [line for line in ended.err.splitlines() if line.startswith("boundaudit: ")]
    assert line.startswith("boundaudit: coin.bad.right: a ratio (")
    assert ended.json["errors"] == {"coin.bad": line.removeprefix("boundaudit: ")}
    assert Run.load(Path("run")).receipts["coin.good"].findings.verdict == "proved"


def test_a_terminal_shows_what_each_claim_is_at(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    screen = Console(file=shown, force_terminal=True, width=100)
    monkeypatch.setattr(board, "console", lambda **_: screen)
    with Board() as seen:
        seen.watch([Doing(Job("receipts", "coin.x"), "proof by boxes: at most 4000 boxes", 2.5)])
    assert "2.5 s  coin.x: proof by boxes: at most 4000 boxes" in shown.getvalue()
