"""`verify --scheduler`: the same records from a dask scheduler's workers, and one line where they are not to be had."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.command import Call, write_claims

from boundaudit import InputError
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.records.run_writer import Unfinished
from boundaudit.checks.run import cluster, remote
from boundaudit.checks.run.jobs import Job, Task
from boundaudit.checks.run.versions import versions
from boundaudit.reports.cli.runs.board import Board

from .runs import records, run_of

QUIET = ("--host", "127.0.0.1", "--no-dashboard")
CLAIMS = """
import os, time
from boundaudit import Panel, Series, Study

def slowly(points, device):
    time.sleep(0.02)
    return np.ones(len(points))

def measured(name, measure):
    return Quantity(name, measure, "r")

good = variance(label="coin.good", right=QUARTER, expected="proved")
bad = variance(label="coin.bad", right=TOO_SMALL, expected="refuted")
slow = [variance(label=f"coin.slow{n}", right=measured(f"one {n}", slowly)) for n in range(2)]
wrong = variance(label="coin.wrong", right=measured("a ratio", lambda points, device: 1 / 0))
left = variance(label="coin.left", right=measured("an exit", lambda points, device: os._exit(0)))
curve = Study(label="coin.study", title="t", caption="c", claims=("coin.good",),
              compute=lambda setting: [Panel("t", "x", "y", [Series("s", [1, 2], [0.5, 0.1])])])
print("what a file prints is no answer")
"""


@dataclass(frozen=True)
class Dask:
    """A scheduler's address and process."""

    address: str
    scheduler: subprocess.Popen[bytes]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def process(*command: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process with a log, in a session of its own that ends with the block."""
    with log.open("wb") as said:
        started = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)
        try:
            yield started
        finally:
            started.terminate()
            try:
                started.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(started.pid, signal.SIGKILL)
                started.wait()


@contextmanager
def started(folder: Path, *worker: str, count: int = 1) -> Iterator[Dask]:
    """A scheduler and workers as processes, as somebody would start them; so many, or what a command starts."""
    address = f"tcp://127.0.0.1:{free_port()}"
    dask = (sys.executable, "-m", "dask")
    own = worker or (*dask, "worker", address, "--nworkers", str(count), "--nthreads", "1", *QUIET)
    with ExitStack() as both:
        port = address.rpartition(":")[2]
        scheduler = both.enter_context(
            process(*dask, "scheduler", "--port", port, *QUIET, log=folder / "scheduler.log")
        )  # fmt: skip
        both.enter_context(process(*(part.format(address) for part in own), log=folder / "worker.log"))
        with pytest.importorskip("distributed").Client(address, timeout=300, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=300)
        yield Dask(address, scheduler)


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    pytest.importorskip("distributed")
    with started(tmp_path_factory.mktemp("dask"), count=2) as found:
        yield found


@pytest.fixture
def claims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_claims(tmp_path, CLAIMS)


# --- the same records -----------------------------------------------------------------------------


@pytest.mark.acceptance
def test_the_records_are_those_of_one_process(dask: Dask, claims: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults and early exits of measurements included."""
    monkeypatch.setattr(cluster, "TICK", 0.05)
    doing: set[str] = set()
    run = run_of(claims, "there", scheduler=dask.address, watch=lambda at: doing.update(one.job.label for one in at))
    there = records(run.path)
    assert "studies/coin.study.jsonl" in there
    assert {"coin.slow0", "coin.slow1"} <= doing <= {*run.receipts, *run.studies}
    assert there == records(run_of(claims, "one").path)


@pytest.mark.acceptance
def test_a_worker_that_is_killed_costs_nothing(dask: Dask, claims: Path) -> None:
    """First the process beside one of two workers is, then the other worker."""
    distributed = pytest.importorskip("distributed")
    told: list[str] = []
    with distributed.Client(dask.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=300)
        one, other = client.run(os.getpid).values()

    def kill(receipt: Any, *_: object) -> None:
        told.append(receipt.label)
        if len(told) == 1:
            os.kill(below(one, 1)[0], signal.SIGKILL)
        elif len(told) == 2:
            os.kill(other, signal.SIGKILL)

    run = run_of(claims, "killed", scheduler=dask.address, progress=kill)
    assert len(told) == len(set(told))
    assert records(run.path) == records(run_of(claims, "whole").path)


@pytest.mark.acceptance
def test_a_scheduler_that_dies_ends_the_run_in_one_line_and_it_goes_on(
    call: Call, claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = records(run_of(claims, "whole").path)
    shown = Board.add
    arguments = ("verify", claims, "--profile", "smoke", "--out", claims.parent / "run")
    with started(claims.parent) as dask, monkeypatch.context() as patched:

        def kill(board: Board, *told: Any) -> None:
            shown(board, *told)
            dask.scheduler.kill()

        patched.setattr(Board, "add", kill)
        ended = call(*arguments, "--scheduler", dask.address)
    assert ended.code == 2
    lines = [line for line in ended.err.splitlines() if line.startswith("boundaudit: ")]
    assert lines == [
        f"boundaudit: --scheduler: expected a scheduler and workers that stay, got {dask.address}: it is gone; "
        "add --resume once they are back"
    ]
    kept = (claims.parent / "run.partial" / "journal.jsonl").read_bytes().count(b"\n")
    assert kept >= 1
    ended = call(*arguments, "--workers", 1, "--resume")
    assert ended.code == 2  # two measurements of the file are wrong, as in every run of it
    assert records(claims.parent / "run") == whole


# --- one line -------------------------------------------------------------------------------------


def refused(claims: Path, address: str) -> str:
    with pytest.raises(InputError) as raised:
        run_of(claims, "refused", scheduler=address)
    assert not isinstance(raised.value, Unfinished)
    assert not list(claims.parent.glob("refused*"))
    (line,) = raised.value.lines
    return line


def elsewhere(text: str) -> Callable[[Any], str]:
    call_of = remote.call_of
    return lambda task: call_of(task).replace(text, "/nowhere")


@pytest.mark.acceptance
def test_workers_that_would_do_something_else_are_refused(
    dask: Dask, claims: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(remote, "versions", lambda: versions() | {"boundaudit": "9.9"})
        line = refused(claims, dask.address)
        assert re.match(r"--scheduler: expected workers with boundaudit 9\.9, got \S+ on \S+; install the same", line)
    with monkeypatch.context() as patched:
        patched.setattr(cluster.remote, "call_of", elsewhere(str(claims)))
        line = refused(claims, dask.address)
        assert line.startswith(
            "claims file: expected one that workers can read as it is here, got /nowhere (No such file"
        )
    with monkeypatch.context() as patched:
        patched.setattr(remote, "_digest", lambda file: "0" * 64)
        assert "my_claims.py (another content) on " in refused(claims, dask.address)


@pytest.mark.acceptance
def test_workers_without_the_suite_are_refused(claims: Path) -> None:
    pytest.importorskip("distributed")
    program = "import sys; sys.modules['boundaudit'] = None; from distributed.cli.dask_worker import main; main()"
    with started(claims.parent, sys.executable, "-c", program, "{}", "--no-nanny", "--no-dashboard") as dask:
        assert refused(claims, dask.address).startswith("--scheduler: expected workers that have boundaudit, got ")


@pytest.mark.acceptance
def test_nobody_there(claims: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    for address in (f"tcp://127.0.0.1:{free_port()}", "nonsense://x", "not an address"):
        line = refused(claims, address)
        assert line.startswith(f"--scheduler: expected a dask scheduler with workers, got {address} (")


class Deserted:
    """A client of a scheduler that all workers have left, or of one with a worker that came later and is unfit."""

    status = "running"

    def __init__(self, answer: str | None = None) -> None:
        self.answer = answer

    def submit(self, *_: object, key: str, **__: object) -> Any:
        def called(back: Callable[[Any], None]) -> None:
            if self.answer is not None:
                back(SimpleNamespace(key=key, result=lambda: self.answer))

        return SimpleNamespace(add_done_callback=called)

    def processing(self) -> dict[str, Any]:
        return {}


@pytest.mark.parametrize(("answer", "culprit"), [
    (None, "tcp://x: its workers are gone; add --resume"), ('{"unfit": ["field", "this", "that", "mend"]}', "field: e"),
])  # fmt: skip
def test_what_happens_to_workers_later_leaves_the_run_unfinished(
    claims: Path, monkeypatch: pytest.MonkeyPatch, answer: str | None, culprit: str
) -> None:
    monkeypatch.setattr(cluster, "TICK", 0.01)
    monkeypatch.setattr(cluster, "ABSENCE", 0)
    there = cluster.Cluster("tcp://x", Task(PROFILES["smoke"], 0, "cpu", (), (claims,)))
    monkeypatch.setattr(there, "_client", Deserted(answer))
    with pytest.raises(Unfinished, match=culprit):
        list(there.results([Job("receipts", "coin.good")]))


def test_without_the_extra(claims: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    line = refused(claims, "tcp://127.0.0.1:1")
    assert line.startswith("--scheduler: expected the extra cluster (dask.distributed), got ")
    assert line.endswith("; install 'boundaudit[cluster]'")


def test_either_processes_here_or_a_scheduler(call: Call, claims: Path) -> None:
    ended = call("verify", claims, "--workers", 2, "--scheduler", "tcp://127.0.0.1:1")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert "--workers: expected either --workers or --scheduler, got both" in ended.err
    assert not Path("boundaudit-runs").exists()


# --- the process beside a worker ------------------------------------------------------------------


@pytest.mark.acceptance
def test_the_process_beside_a_worker_ends_where_nobody_is_left(claims: Path) -> None:
    """Its worker is killed while it is at a job that would take a minute."""
    write_claims(claims.parent, CLAIMS.replace("time.sleep(0.02)", "time.sleep(60)"))
    program = (
        "from boundaudit.checks.run import remote; import os, sys, threading, time\n"
        "call = sys.stdin.readline().strip()\n"
        "threading.Thread(target=remote.do, args=(call, 'receipts', 'coin.slow0'), daemon=True).start()\n"
        "time.sleep(600)\n"
    )
    call = remote.call_of(Task(PROFILES["smoke"], 0, "cpu", (), (claims,)))
    worker = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, text=True)
    assert worker.stdin is not None
    worker.stdin.write(call + "\n")
    worker.stdin.flush()
    family = wait_for(lambda: below(worker.pid, 2))
    worker.kill()
    worker.communicate()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def below(pid: int, least: int) -> list[int]:
    """All processes below one, as soon as there are so many."""
    found, open_ = [], [pid]
    while open_:
        for tasks in Path(f"/proc/{open_.pop()}/task").glob("*/children"):
            open_ += (more := list(map(int, tasks.read_text().split())))
            found += more
    return found if len(found) >= least else []


def wait_for(what: Callable[[], Any]) -> Any:
    """What becomes true within a minute."""
    for _ in range(600):
        if found := what():
            return found
        time.sleep(0.1)
    raise AssertionError("it never came to that")
