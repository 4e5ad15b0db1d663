"""Files that are never half written, in folders that are made."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.language.files import write_whole


@contextmanager
def folder_of(path: Path) -> Iterator[None]:
    """Make the folder of what is written inside; where that fails, the folders that were made for it go again."""
    missing = [folder for folder in path.parents if not os.path.exists(folder)]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()
        raise


def write_text(path: Path, text: str) -> None:
    """Write a file in one step, so that none is ever half written; its folder is made if missing."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """The same for what is no text. Raises InputError where it cannot be written."""
    try:
        with folder_of(path):
            write_whole(path, data)
    except OSError as error:
        got = f"{path} ({error.strerror})"
        raise InputError("--out", "a place that can be written", got, "choose another") from None
