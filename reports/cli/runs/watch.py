"""`boundaudit verify --watch`: audit again what has changed, whenever a file is saved."""

from __future__ import annotations

import itertools
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from boundaudit.reports.cli.output import complain

Stamps = Mapping[Path, tuple[int, int]]
"""By file, when it was written and how large it is."""
PAUSE = 0.3
"""Seconds between two looks at the files."""


def stamps(files: Sequence[Path]) -> Stamps:
    """Time and size of some claims files and of the modules beside them, which they may import."""
    found = {}
    for path in {*files, *(other for file in files for other in file.absolute().parent.glob("*.py"))}:
        try:
            state = path.stat()
        except OSError:
            continue  # an editor is just replacing it
        found[path] = (state.st_mtime_ns, state.st_size)
    return found


def watch(files: Sequence[Path], folder: Callable[[int], Path], audit: Callable[[Path, Path | None], int]) -> int:
    """Audit, and audit again whenever a file has changed, until Ctrl-C; the status is that of the last round.

    Each round is a process of its own, so that every module is read anew, and keeps the receipts of the round before
    that are current: only claims whose statement or measuring code has changed are judged again. ``audit`` takes the
    run folder to write, and one whose receipts are kept.
    """
    from boundaudit.checks.run import runner  # noqa: F401  # each round finds it loaded where it starts as a copy

    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    before, known, status = stamps(files), None, 0
    ended: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, frame: ended.append(number))
    try:
        for number in itertools.count():
            target = folder(number)
            process = context.Process(target=_round, args=(audit, target, known))
            process.start()
            process.join()  # Ctrl-C ends the round by itself, which says how to go on
            if (status := process.exitcode) < 0:  # such as by who is short of memory
                complain(f"the round was killed by signal {-status}")
                status = 2
            known = target if (target / "manifest.json").is_file() else known
            if not ended:
                click.echo(f"watching {', '.join(map(str, files))} (Ctrl-C ends)", err=True)
            while not ended and stamps(files) == before:
                time.sleep(PAUSE)
            if ended:
                break
            while (now := stamps(files)) != before:  # until it is saved as a whole
                before = now
                time.sleep(PAUSE)
    finally:
        signal.signal(signal.SIGINT, usual)
    return status


def _round(audit: Callable[[Path, Path | None], int], target: Path, known: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(audit(target, known))
