"""Workers: processes that do one job after the other, each job under a limit of time and of memory.

What happens in a job stays in it: a fault, a crash, an early exit or a job that does not end costs its worker, never
the run. A job whose worker is killed is begun once more. The limit of time is the kernel's, as a process that is deep
in one long multiplication answers nobody.
"""

from __future__ import annotations

import ctypes
import gc
import math
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, TypeVar

TICK = 0.1
"""Seconds between two looks at what the workers use."""
PATIENCE = 10
"""How many times its limit of computing time a job may take by the clock: one that waits for ever ends too."""
COLLECTED_AFTER = 50_000
"""New objects after which a worker looks for garbage: far more than Python's 700, as claims leave little of it."""
MALLOC = {-1: 2**31 - 1, -2: 2**26, -3: 2**25}
"""Options of the C library's `mallopt`: bytes kept when freed, taken ahead, and from which a block is mapped alone."""
WORTH = 8
"""Jobs below which another process that has to load everything again costs more than it saves."""

J = TypeVar("J")
R = TypeVar("R")
Say = Callable[[str], None]
"""What a job calls to say what it does."""
Work = Callable[[J, Say], R]
"""From a job to its result, in a worker."""


@dataclass(frozen=True)
class Limits:
    """What one job may use: computing time, and memory beyond what the worker held before."""

    seconds: int
    gigabytes: float


@dataclass(frozen=True)
class Lost:
    """Why a job has no result, in one line, and the exit status where the job itself ended its process."""

    reason: str
    status: int | None = None


@dataclass(frozen=True)
class Ended(Generic[J, R]):
    """A job that has ended, what it gave or why it gave nothing, and how long it took by the clock."""

    job: J
    result: R | Lost
    seconds: float


@dataclass(frozen=True)
class Doing(Generic[J]):
    """A job that a worker is at, what it said last, and how long it has taken so far."""

    job: J
    what: str
    seconds: float


@dataclass
class _Worker:
    """A process, its pipe, its place among the workers, and the job that it is at."""

    process: Any
    pipe: Connection
    place: int
    job: Any = None
    limits: Limits = field(default_factory=lambda: Limits(0, 0))
    what: str = ""
    started: float = 0.0
    held: int = 0
    again: bool = False

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started


class _Waiting(Generic[J]):
    """Jobs that nobody has yet: each worker goes through a part of its own, where one job finds what another left.

    Neighbours share what they measure and build. A worker whose part is done takes from the end of the longest.
    """

    def __init__(self, jobs: Sequence[J], count: int) -> None:
        size = math.ceil(len(jobs) / max(count, 1))
        self._parts = [deque(jobs[place * size : (place + 1) * size]) for place in range(count)]

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def take(self, place: int) -> J:
        """The next job of the worker at a place."""
        own = self._parts[place]
        return own.popleft() if own else max(self._parts, key=len).pop()


class Workers(Generic[J, R]):
    """At most so many workers; leaving the block ends them.

    An exception in ``work`` is the job's own. With ``fork`` a worker starts as a copy of this process, with everything
    loaded; else it loads again.
    """

    def __init__(self, count: int, work: Work[J, R], limits: Callable[[J], Limits], *, fork: bool) -> None:
        self._count, self._fork = count, fork
        self._work, self._limits = work, limits
        self._workers: list[_Worker] = []

    def __enter__(self) -> Workers[J, R]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers, whatever they are at."""
        for worker in self._workers:
            _end(worker)
        self._workers.clear()

    def results(
        self, jobs: Sequence[J], watch: Callable[[Sequence[Doing[J]]], None] = lambda doing: None
    ) -> Iterator[Ended[J, R]]:
        """Do all jobs, the first ones first, as they end; ``watch`` hears several times a second what is being done."""
        count = min(self._count, len(jobs) if self._fork else max(1, len(jobs) // WORTH))
        waiting = _Waiting(jobs, count)
        while True:
            while waiting and len(self._busy) < count:
                worker = next((worker for worker in self._workers if worker.job is None), None) or self._start()
                self._give(worker, waiting.take(worker.place))
            if not self._busy:
                return
            for pipe in wait([worker.pipe for worker in self._busy], TICK):
                (worker,) = (worker for worker in self._busy if worker.pipe is pipe)
                if (ended := self._heard(worker)) is not None:
                    yield ended
            for worker in self._busy:
                if (reason := _over(worker)) is not None:
                    yield self._lose(worker, Lost(reason))
            watch([Doing(worker.job, worker.what, worker.seconds) for worker in self._busy])

    @property
    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.job is not None]

    def _give(self, worker: _Worker, job: J, *, again: bool = False) -> None:
        worker.job, worker.what, worker.started, worker.again = job, "", time.perf_counter(), again
        worker.limits = self._limits(job)
        worker.held = _memory(worker)
        with suppress(OSError):  # a worker that is gone is noticed where its answer is read
            worker.pipe.send((job, worker.limits.seconds))

    def _start(self) -> _Worker:
        context: Any = multiprocessing.get_context("fork" if self._fork else "spawn")
        ours, theirs = context.Pipe()
        others = [ours, *(worker.pipe for worker in self._workers)] if self._fork else []
        arguments = (theirs, others, self._work)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        with _uninterrupted(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of threads; workers use none of theirs
            process.start()
        theirs.close()
        worker = _Worker(
            process, ours, min({*range(len(self._workers) + 1)} - {known.place for known in self._workers})
        )
        self._workers.append(worker)
        return worker

    def _heard(self, worker: _Worker) -> Ended[J, R] | None:
        """What a worker says: what it does, the result, or nothing more as it is gone."""
        try:
            done, found = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            if worker.process.exitcode == -signal.SIGKILL and not worker.again:
                job = self._lose(worker, Lost("killed")).job
                self._give(self._start(), job, again=True)
                return None
            return self._lose(worker, _why(worker.process.exitcode, worker.limits))
        if not done:
            worker.what = found
            return None
        ended = Ended(worker.job, found, worker.seconds)
        worker.job = None
        return ended

    def _lose(self, worker: _Worker, lost: Lost) -> Ended[J, R]:
        """Give up a worker with its job."""
        ended: Ended[J, R] = Ended(worker.job, lost, worker.seconds)
        _end(worker)
        self._workers.remove(worker)
        return ended


def can_fork() -> bool:
    """Whether a process may go on as a copy of this one: Linux, and no GPU, whose driver does not survive it."""
    torch = sys.modules.get("torch")
    return sys.platform == "linux" and not (torch is not None and torch.cuda.is_available())


# --- in this process ------------------------------------------------------------------------------


def _end(worker: _Worker) -> None:
    with suppress(OSError):  # nobody is left of its group
        os.killpg(worker.process.pid, signal.SIGKILL)
    worker.process.kill()  # it may not have a group yet
    worker.process.join()
    worker.pipe.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that is started inside never sees Ctrl-C, and this one after the block: amid a fork it would be lost.

    The mask is that of one thread; what another one catches runs the handler here.
    """
    came: list[int] = []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) if is_main else None
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number in came:
            signal.raise_signal(number)


def _over(worker: _Worker) -> str | None:
    """Which limit a job is over, if it is."""
    if worker.seconds > PATIENCE * worker.limits.seconds:
        return f"out of budget (time): no end after {PATIENCE * worker.limits.seconds} s by the clock"
    if _memory(worker) - worker.held > worker.limits.gigabytes * 2**30:
        return f"out of budget (memory): more than {worker.limits.gigabytes:g} GiB"
    return None


def _memory(worker: _Worker) -> int:
    """The bytes of memory that a worker holds; 0 where the system does not say."""
    try:
        pages = Path(f"/proc/{worker.process.pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _why(status: int, limits: Limits) -> Lost:
    """Why a worker has ended by itself."""
    if status >= 0:
        return Lost(f"its process ended itself with status {status}", status)
    if -status == signal.SIGXCPU:
        hint = "divide both sides by what they share, or take logarithms, with the one-term lemma in rests_on"
        return Lost(f"out of budget (time): more than {limits.seconds} s of computing; {hint}")
    if -status == signal.SIGKILL:
        return Lost("out of budget (memory): the system ended its process twice")
    return Lost(f"a fault outside Python ended its process: {signal.Signals(-status).name}")


# --- in the worker --------------------------------------------------------------------------------


def _serve(pipe: Connection, others: Sequence[Connection], work: Work[Any, Any]) -> None:
    """Do jobs until there are no more."""
    for other in others:
        other.close()
    os.setpgid(0, 0)  # what a measurement starts ends with this process
    os.register_at_fork(after_in_child=pipe.close)  # where it forks, its copy has no answer to give
    # What a measurement prints is no part of the output; numbers come out the same with one thread.
    sys.stdout = sys.stderr
    os.environ["OMP_NUM_THREADS"] = "1"
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)
    gc.freeze()  # what is loaded stays: no collection goes through it again
    gc.set_threshold(COLLECTED_AFTER, 20, 20)
    _keep_memory()
    with suppress(EOFError, OSError):
        while True:
            job, seconds = pipe.recv()
            _limit_time(seconds)
            pipe.send((True, work(job, lambda what: pipe.send((False, what)))))


def _keep_memory() -> None:
    """Use again what one claim's tensors leave for the next one's, which the system would clear anew: 6 % of a run."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library that has no such options
            for option, size in MALLOC.items():
                ctypes.CDLL(None).mallopt(option, size)


def _limit_time(seconds: int) -> None:
    """Let the kernel end this process after so much more computing."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    end = int(used.ru_utime + used.ru_stime) + 1 + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (end if hard == resource.RLIM_INFINITY else min(end, hard), hard))
