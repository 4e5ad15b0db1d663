"""`boundaudit verify --watch`: audit again what has changed, whenever a file is saved."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

Stamps = Mapping[Path, tuple[int, int]]
"""By file, when it was written and how large it is."""
PAUSE = 0.3
"""Seconds between two looks at the files."""


def stamps(files: Sequence[Path]) -> Stamps:
    """The state of some claims files and of the modules beside them, which they may import.

    Args:
        files: Claims files.

    Returns:
        Time and size of each; two that differ say that something was saved, added or removed.
    """
    found = {}
    for path in {*files, *(other for file in files for other in file.absolute().parent.glob("*.py"))}:
        try:
            state = path.stat()
        except OSError:
            continue  # an editor is just replacing it
        found[path] = (state.st_mtime_ns, state.st_size)
    return found


def watch(files: Sequence[Path], folder: Callable[[int], Path], audit: Callable[[Path, Path | None], int]) -> int:
    """Audit, and audit again whenever a file has changed, until Ctrl-C.

    Each round is a process of its own, so that every module is read anew, and keeps the receipts of the round before
    that are current: only claims whose statement or measuring code has changed are judged again.

    Args:
        files: Claims files.
        folder: From the number of a round to the run folder that it writes.
        audit: From a run folder to write, and one whose receipts are kept, to an exit status.

    Returns:
        The exit status of the last round that ended.
    """
    from boundaudit.checks.run import runner  # noqa: F401  # each round finds it loaded where it starts as a copy

    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    before, known, status, number = stamps(files), None, 3, 0
    try:
        while True:
            target = folder(number)
            process = context.Process(target=_exit_with, args=(audit, target, known))
            process.start()
            try:
                process.join()
            finally:
                process.join()  # Ctrl-C ends the round too, which says how to go on
            status = process.exitcode or 0
            known = target if (target / "manifest.json").is_file() else known
            click.echo(f"watching {', '.join(map(str, files))} (Ctrl-C ends)", err=True)
            while stamps(files) == before:
                time.sleep(PAUSE)
            before, number = stamps(files), number + 1
    except KeyboardInterrupt:
        return status


def _exit_with(audit: Callable[[Path, Path | None], int], target: Path, known: Path | None) -> None:
    sys.exit(audit(target, known))
