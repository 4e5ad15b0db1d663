"""One job after the other for a run that is made elsewhere: in a process of its own beside a worker of the cluster.

A worker of dask.distributed calls `ready` and `do`, with texts alone, and hands them to such a process. The process
loads the claims and does the jobs as a local run does, each in a process below it under the limits of a local run, so
that the records are the same. It reads and writes a line of JSON a time, and ends where nobody asks it any more.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from boundaudit import InputError
from boundaudit.checks.run.errors import InputErrors
from boundaudit.checks.run.versions import device_name, sources, versions

if TYPE_CHECKING:
    from boundaudit.checks.run.jobs import Task

IDLE = 120
"""Seconds after which a process ends that nobody gives a job."""


def state(device: str) -> dict[str, str]:
    """What has to be the same on two machines for the same records: versions, a digest of the sources, the device."""
    return {**versions(), "sources": sources(), "device": device_name(device)}


def call_of(task: Task) -> str:
    """How a run is made, for other machines, as JSON: the task, where it was called, digests of the claims files."""
    plain = {"profile": task.profile.name, "seed": task.seed, "device": task.device, "labels": task.labels}
    files = {str(file): _digest(file) for file in task.files}
    return json.dumps({**plain, "files": files, "folder": os.getcwd(), "state": state(task.device)})


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


# --- in a worker of the cluster -------------------------------------------------------------------


class _Helper:
    """A process that does the jobs of a run, for one caller at a time."""

    def __init__(self, call: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "boundaudit.checks.run.remote"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True,
        )  # fmt: skip
        self.busy = True
        self.unfit: list[str] | None = json.loads(self.asked(call))

    def asked(self, line: str) -> str:
        """The answer to a line; a `RuntimeError` where the process is gone."""
        said, heard = self._process.stdin, self._process.stdout
        assert said is not None
        assert heard is not None
        answer = ""
        with suppress(OSError):
            said.write(line + "\n")
            said.flush()
            answer = heard.readline()
        if not answer:
            self.end()
            raise RuntimeError("the process beside the worker ended")
        return answer

    @property
    def is_free(self) -> bool:
        return not self.busy and self._process.poll() is None

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


_helpers: dict[str, list[_Helper]] = {}
"""The processes of each run, by its call."""
_lock = threading.Lock()


async def ready(call: str) -> list[str] | None:
    """Start a process for a run where there is none; why this machine cannot do it, as parts of an `InputError`."""
    import asyncio  # dask has loaded it

    helper = await asyncio.to_thread(_taken, call)
    helper.busy = False
    return helper.unfit


def do(call: str, kind: str, label: str) -> str:
    """Do one job; JSON of the record, the error and the seconds, or of why this machine cannot do it."""
    helper = _taken(call)
    answer = json.dumps({"unfit": helper.unfit}) if helper.unfit else helper.asked(json.dumps([kind, label]))
    helper.busy = False
    return answer


def end(call: str) -> None:
    """End the processes of a run, whatever they are at."""
    with _lock:
        helpers = _helpers.pop(call, [])
    for helper in helpers:
        helper.end()


def _taken(call: str) -> _Helper:
    """A process that is free, or a new one."""
    with _lock:
        for helper in _helpers.get(call, []):
            if helper.is_free:
                helper.busy = True
                return helper
    new = _Helper(call)
    with _lock:
        _helpers.setdefault(call, []).append(new)
    return new


# --- in the process beside it ---------------------------------------------------------------------


def main() -> None:
    """Do the jobs that standard input names, until it ends."""
    heard, said = sys.stdin, os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a claims file prints is no answer
    call = json.loads(heard.readline())
    try:
        _require_same(call)
        _serve(call, heard, said)
    except InputError as error:
        _say(said, _parts(error))


def _parts(error: InputError) -> list[str]:
    """The parts of an error, with the machine's name."""
    field, expected, got, remedy = error.args
    return [field, expected, f"{got} on {socket.gethostname()}", remedy]


def _require_same(call: Mapping[str, Any]) -> None:
    """Require what makes the records the same as those of the machine that asks."""
    here = state(call["device"])
    for name, there in call["state"].items():
        if here.get(name) != there:
            raise InputError("--scheduler", f"workers with {name} {there}", here.get(name), "install the same there")
    for file, digest in call["files"].items():
        try:
            os.chdir(call["folder"])
            found = _digest(Path(file))
        except OSError as error:
            found = str(error.strerror)
        if found != digest:
            got = f"{file} ({found if len(found) < 64 else 'another content'})"
            raise InputError("claims file", "one that workers can read as it is here", got, "put it where they can")


def _serve(call: Mapping[str, Any], heard: IO[str], said: IO[str]) -> None:
    """Do jobs until there are no more."""
    from boundaudit.checks.evidence.profile import PROFILES
    from boundaudit.checks.run.jobs import Job, Task, lost, registry_of, workers_for
    from boundaudit.checks.run.workers import Lost

    files = tuple(map(Path, call["files"]))
    task = Task(PROFILES[call["profile"]], call["seed"], call["device"], tuple(call["labels"]), files)
    try:
        registry = registry_of(task.labels, task.files)
    except InputErrors as errors:
        raise InputError("--scheduler", "workers that can load the claims", errors.lines[0], "mend that") from None
    asker = os.getppid()

    def watch(_: object) -> None:
        if os.getppid() != asker:
            raise SystemExit

    _say(said, None)
    with workers_for(task, registry, 1) as workers:
        signal.alarm(IDLE)
        for line in heard:
            signal.alarm(0)
            for ended in workers.results([Job(*json.loads(line))], watch):
                found = ended.result
                made = lost(registry, ended.job, found) if isinstance(found, Lost) else found
                _say(said, {"record": made.record, "error": made.error, "seconds": ended.seconds})
            signal.alarm(IDLE)


def _say(said: IO[str], what: object) -> None:
    said.write(json.dumps(what) + "\n")
    said.flush()


if __name__ == "__main__":
    main()
