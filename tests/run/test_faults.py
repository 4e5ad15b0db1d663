"""What ends a run, or one of its processes, from outside: nothing is lost, nothing doubled, the same records after."""

import itertools
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command import write_claims

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.workers import can_fork

from .runs import records, run_of

pytestmark = pytest.mark.skipif(not can_fork(), reason="workers are copies of this process")

TWO = """
good = variance(label="coin.good", right=QUARTER, expected="proved")
bad = variance(label="coin.bad", right=TOO_SMALL, expected="refuted")
"""
SLOW = """
import time
def slowly(points, device):
    time.sleep(0.02)
    return np.ones(len(points))
slow = [variance(label=f"coin.slow{n}", right=Quantity(f"one {n}", slowly, "r")) for n in range(2)]
"""
LABELS = {"coin.good", "coin.bad"}


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    return write_claims(tmp_path, TWO)


def journal(partial: Path) -> list[str]:
    """The labels that an interrupted run has finished, as often as they are there."""
    file = partial / "journal.jsonl"
    lines = file.read_bytes().split(b"\n")[:-1] if file.is_file() else []
    return [json.loads(line)["record"]["label"] for line in lines]


def resumed(claims: Path, name: str) -> Run:
    """A run that goes on, and makes no more than what is missing."""
    before = journal(claims.parent / f"{name}.partial")
    more: list[str] = []
    run = run_of(claims, name, resume=True, progress=lambda receipt, *_: more.append(receipt.label))
    assert sorted(before + more) == sorted(LABELS)
    return run


@pytest.mark.slow
def test_a_worker_that_is_killed_costs_nothing(claims: Path) -> None:
    write_claims(claims.parent, TWO + SLOW)
    told: list[str] = []

    def kill(receipt: Any, *_: object) -> None:
        told.append(receipt.label)
        if len(told) == 1:
            for worker in multiprocessing.active_children():
                worker.kill()

    run = run_of(claims, "killed", workers=2, progress=kill)
    assert sorted(told) == ["coin.bad", "coin.good", "coin.slow0", "coin.slow1"]
    assert records(run.path) == records(run_of(claims, "whole").path)


def killed_at(moment: int, claims: Path, name: str) -> bool:
    """Make a run in a process that is killed before it opens, renames or removes a file of it for the n-th time.

    Returns:
        Whether it came to that.
    """
    pid = os.fork()
    if pid:
        return os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    me, place, moments = os.getpid(), str(claims.parent / name), itertools.count(1)

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        touches = event in ("open", "os.rename", "os.remove", "os.mkdir") and str(arguments[0]).startswith(place)
        if touches and os.getpid() == me and next(moments) == moment:
            os.kill(me, signal.SIGKILL)

    sys.addaudithook(watch)
    try:
        run_of(claims, name)
    finally:
        os._exit(0)


@pytest.mark.acceptance
def test_a_run_that_is_killed_at_any_moment_goes_on(claims: Path) -> None:
    whole, kept = records(run_of(claims, "whole").path), 0
    for moment in itertools.count(1, 3):
        out = claims.parent / f"run{moment}"
        if not killed_at(moment, claims, out.name):
            break
        if not out.exists():
            before, kept = kept, len(journal(out.with_name(f"{out.name}.partial")))
            assert kept >= before
            resumed(claims, out.name)
            assert records(out) == whole
        # One that was killed after it got its name may keep its journal.
        assert records(out).items() >= whole.items()
        assert set(Run.load(out).receipts) == LABELS
        assert not out.with_name(f"{out.name}.partial").exists()
    assert moment > 20


@pytest.mark.slow
def test_a_full_disk_ends_a_run_in_one_line_and_it_goes_on(claims: Path) -> None:
    """A limit of the kernel on the size of a file stands for the disk: the second record has no room.

    Nor would what Python compiles have: cut off, it would break whoever imports it next.
    """
    whole = records(run_of(claims, "whole").path)
    size = len(whole["receipts/coin.good.jsonl"]) + len(whole["receipts/coin.bad.jsonl"])

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    ended = subprocess.run(
        [sys.executable, "-Bm", "boundaudit", "verify", claims.name, "--profile=smoke", "--workers=1", "--out=run"],
        cwd=claims.parent, capture_output=True, text=True, preexec_fn=limit,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1] == (
        "boundaudit: --out: expected room to write, got run.partial (File too large); add --resume then"
    )
    assert "Traceback" not in ended.stderr
    assert journal(claims.parent / "run.partial") == ["coin.good"]
    assert records(resumed(claims, "run").path) == whole
