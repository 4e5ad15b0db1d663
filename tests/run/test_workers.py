"""Jobs and who does them: each once, neighbours by the same worker, the rest by whoever is free."""

import os
import signal
import subprocess
import threading
from collections.abc import Callable

import pytest

from boundaudit.checks.run.workers import Limits, Workers, _uninterrupted, _Waiting, can_fork


def test_each_worker_has_a_part_and_takes_from_the_longest_when_it_is_done() -> None:
    waiting = _Waiting(range(7), 3)
    assert [waiting.take(0) for _ in range(4)] == [0, 1, 2, 5]
    assert [waiting.take(2), waiting.take(1), waiting.take(1)] == [6, 3, 4]
    assert len(waiting) == 0


@pytest.mark.parametrize("count", [1, 2, 5])
def test_no_job_is_lost_or_done_twice(count: int) -> None:
    waiting, taken = _Waiting(range(23), count), []
    while waiting:
        taken.append(waiting.take(len(taken) * 7 % count))
    assert sorted(taken) == list(range(23))


def _named(job: int, say: Callable[[str], None]) -> tuple[int, int]:
    if job == 3:
        os._exit(3)
    return job, os.getpid()


@pytest.mark.skipif(not can_fork(), reason="workers are copies of this process")
def test_neighbours_have_one_worker_and_a_lost_one_is_replaced() -> None:
    with Workers(2, _named, lambda job: Limits(20, 1), fork=True) as workers:
        ended = {each.job: each.result for each in workers.results(range(8))}
    assert set(ended) == set(range(8))
    lost = [job for job, result in ended.items() if not isinstance(result, tuple)]
    assert lost == [3]
    assert all(result[0] == job for job, result in ended.items() if job != 3)


READ, WRITTEN = os.pipe()


def _forking(job: int, say: Callable[[str], None]) -> tuple[int, int]:
    if job == 1:
        os.fork()
    if job == 2:
        subprocess.Popen(["sleep", "600"], pass_fds=(WRITTEN,))
    say("measures")
    return job, os.getpid()


@pytest.mark.skipif(not can_fork(), reason="workers are copies of this process")
def test_the_copy_of_a_job_that_forks_has_no_answer_and_nothing_outlives_the_workers() -> None:
    with Workers(1, _forking, lambda job: Limits(20, 1), fork=True) as workers:
        ended = [(each.job, each.result) for each in workers.results(range(4))]
        (pid,) = {result[1] for _, result in ended if isinstance(result, tuple)}
    assert ended == [(job, (job, pid)) for job in range(4)]
    os.close(WRITTEN)
    assert os.read(READ, 1) == b""  # whoever could write there is gone


def test_an_interrupt_amid_a_start_comes_after_it() -> None:
    go, reached = threading.Event(), []

    def interrupt() -> None:
        go.wait()
        signal.raise_signal(signal.SIGINT)

    def start() -> None:
        with _uninterrupted():
            go.set()
            other.join()
            reached.append(True)

    other = threading.Thread(target=interrupt)
    other.start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores Ctrl-C
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert reached == [True]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
