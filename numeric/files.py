"""Files that somebody names, read up to a size: a device such as /dev/zero has no end."""

from __future__ import annotations

from pathlib import Path

from boundaudit import InputError

__all__ = ["read_bytes"]

_MOST_BYTES = 64 * 2**20


def read_bytes(path: Path, field: str) -> bytes:
    """What a file of at most 64 MiB holds; InputError, of a field, where there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        got = f"{path} ({getattr(error, 'strerror', None) or error})"
        raise InputError(field, "a readable UTF-8 file", got, "check the path") from None
    if len(data) > _MOST_BYTES:
        raise InputError(field, "at most 64 MiB", f"more in {path}", "name the right file")
    return data
