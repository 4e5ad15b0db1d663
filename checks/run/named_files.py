"""Claims files that this user has named: a run folder executes no other, whoever wrote it.

Reading a run of somebody's own claims runs their file again, and the folder says which. A stranger's folder could name
any, so a file counts only once a run of it was begun here, by its path and its content; of both together a digest is
kept in the user's cache folder, where nothing that is unpacked can put one.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.run.cached import cache_folder

_here: set[str] = set()
"""What this process was given: its own run is read where no cache folder can be written, too."""


def name_files(files: Sequence[Path]) -> None:
    """Note that the user asked for these claims files, just loaded, to be run, as they are now."""
    for mark in map(_mark, files):
        _here.add(mark)
        with contextlib.suppress(OSError):
            _folder().mkdir(parents=True, exist_ok=True)
            (_folder() / mark).touch()


def require_named(files: Sequence[Path]) -> None:
    """Refuse a run folder whose claims files the user has not named; nothing of any of them is executed.

    A file that is not there is left to whoever loads it.

    Raises:
        InputError: where one was never run here as it is now.
    """
    for file in files:
        if file.is_file() and not _is_named(_mark(file)):
            raise InputError(
                "claims file", "one that you have verified here as it is now, since reading its run executes it", file,
                f"look at it, then call `boundaudit verify {file}`",
            )  # fmt: skip


def _is_named(mark: str) -> bool:
    return mark in _here or (_folder() / mark).is_file()


def _folder() -> Path:
    return cache_folder() / "named"


def _mark(file: Path) -> str:
    """A digest of where a file stands and of what it holds."""
    try:
        content = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError("claims file", "a readable Python file", f"{file} ({error.strerror})", "check it") from None
    return hashlib.sha256(f"{file.resolve()}\n{content}".encode(errors="surrogateescape")).hexdigest()
