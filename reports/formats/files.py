"""Files that are never half written, in folders that are made."""

from __future__ import annotations

from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.language.files import write_whole


def write_text(path: Path, text: str) -> None:
    """Write a file in one step, so that none is ever half written; its folder is made if missing."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """The same for what is no text. Raises InputError where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        got = f"{path} ({error.strerror})"
        raise InputError("--out", "a place that can be written", got, "choose another") from None
