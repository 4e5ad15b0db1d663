"""The jobs of a run done by the workers of a dask.distributed scheduler.

What travels is text: how the run is made and a label there, a record back. But dask itself wraps every message in
pickles, so that a scheduler, its workers and whoever connects to them must trust each other; TLS, as dask's own
configuration sets it up, keeps others out. A worker that is lost costs nothing: dask gives its job to another. A
scheduler that is lost ends the run in one line, and what is finished stays.
"""

from __future__ import annotations

import importlib
import itertools
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from queue import Empty, SimpleQueue
from typing import Any

from boundaudit import InputError
from boundaudit.checks.records.run_writer import Unfinished
from boundaudit.checks.run import remote
from boundaudit.checks.run.jobs import Job, Made, Task
from boundaudit.checks.run.workers import Doing, Ended

PATIENCE = 15
"""Seconds to wait for a scheduler and a first worker."""
ABSENCE = 600
"""Seconds to wait for a worker once all are gone: a cluster that takes them away gives them back."""
TICK = 1.0
"""Seconds between two questions to the scheduler."""
RETRIES = 3
"""How often a job is given out again whose process ended from outside."""
LOGGERS = ("distributed", "distributed.client", "tornado.application")
"""Who would tell at length what is told in one line."""


class Cluster:
    """The workers of a scheduler at an address such as ``tcp://node1:8786``; leaving the block lets go of them."""

    def __init__(self, address: str, task: Task) -> None:
        self._address = address
        self._call = remote.call_of(task)
        self._client: Any = None
        self._levels: dict[logging.Logger, int] = {}

    def __enter__(self) -> Cluster:
        """Connect, and require that every worker can do the jobs.

        Raises:
            InputError: where dask is not installed, nobody answers, or a worker is unfit.
        """
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError as error:
            remedy = "install 'boundaudit[cluster]'"
            raise InputError("--scheduler", "the extra cluster (dask.distributed)", error, remedy) from None
        self._levels = {logger: logger.level for logger in map(logging.getLogger, LOGGERS)}
        for logger in self._levels:
            logger.setLevel(logging.CRITICAL + 1)
        with ExitStack() as failed:
            failed.callback(self.close)
            try:
                self._client = distributed.Client(self._address, timeout=PATIENCE, set_as_default=False)
                self._client.wait_for_workers(1, timeout=PATIENCE)
                found = self._client.run(remote.ready, self._call, on_error="return")
            except Exception as error:
                got = f"{self._address} ({str(error) or type(error).__name__})"
                remedy = f"start `dask scheduler` and `dask worker {self._address}`, or leave --scheduler out"
                raise InputError("--scheduler", "a dask scheduler with workers", got, remedy) from None
            _require_fit(found)
            failed.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Cancel what is left, and disconnect."""
        with suppress(Exception):
            if self._client.status == "running":
                self._client.run(remote.end, self._call, on_error="ignore")
        with suppress(Exception):
            self._client.close(timeout=PATIENCE)
        for logger, level in self._levels.items():
            logger.setLevel(level)

    def results(
        self, jobs: Sequence[Job], watch: Callable[[Sequence[Doing[Job]]], None] = lambda doing: None
    ) -> Iterator[Ended[Job, Made]]:
        """Do all jobs, the first ones first, as they end; ``watch`` hears each second what is being done.

        Raises:
            Unfinished: where the scheduler, or every worker, is gone.
        """
        ended: SimpleQueue[Any] = SimpleQueue()
        run = os.urandom(8).hex()  # a name for dask only: two runs at once are two
        open_ = {f"boundaudit-{run}-{n}": job for n, job in enumerate(jobs)}
        futures: dict[str, Any] = {}
        for key, job in open_.items():
            futures[key] = self._client.submit(
                remote.do, self._call, job.kind, job.label, key=key, pure=False, retries=RETRIES, priority=-len(futures)
            )
            futures[key].add_done_callback(ended.put)
        began: dict[str, float] = {}
        seen = time.monotonic()
        while open_:
            try:
                future = ended.get(timeout=TICK)
            except Empty:
                working = self._working()
                now = time.monotonic()
                seen = now if working else seen
                if now - seen > ABSENCE:
                    raise self._gone("its workers are") from None
                at = [key for key in itertools.chain(*working.values()) if key in open_]
                watch([Doing(open_[key], "", now - began.setdefault(key, now)) for key in at])
                continue
            seen = time.monotonic()
            yield self._ended(open_.pop(future.key), future)
            futures.pop(future.key).release()  # and not when it is collected, where Ctrl-C would be lost

    def _working(self) -> dict[str, Sequence[str]]:
        """The jobs that each worker is at, or has waiting."""
        if self._client.status == "running":
            with suppress(Exception):
                return dict(self._client.processing())
        raise self._gone("it is")

    def _ended(self, job: Job, future: Any) -> Ended[Job, Made]:
        """What a job gave."""
        try:
            found = json.loads(future.result())
        except Exception as error:
            if future.status != "error":  # the job is not to blame
                raise self._gone("it is") from None
            raise self._broken(f"{type(error).__name__}: {error} at {job.label}") from None
        if unfit := found.get("unfit"):
            raise Unfinished(*unfit)
        return Ended(job, Made(found["record"], found["error"]), found["seconds"])

    def _gone(self, who: str) -> Unfinished:
        return self._broken(f"{self._address}: {who} gone")

    def _broken(self, got: str) -> Unfinished:
        return Unfinished("--scheduler", "a scheduler and workers that stay", got, "add --resume once they are back")


def _require_fit(found: Mapping[str, Any]) -> None:
    """Require that no worker has said why it cannot do the jobs; one that is gone by now says nothing."""
    said = {worker: unfit for worker, unfit in found.items() if unfit and not isinstance(unfit, OSError)}
    for worker, unfit in said.items():
        if isinstance(unfit, Exception):
            got = f"{type(unfit).__name__}: {unfit} at {worker}"
            raise InputError("--scheduler", "workers that have boundaudit", got, "install the same there")
        raise InputError(*unfit)
