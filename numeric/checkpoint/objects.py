"""JSON objects of a checkpoint's folder, and the entries that are read of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boundaudit import InputError
from boundaudit.numeric.files import read_bytes


def read_object(path: Path) -> dict[str, Any]:
    """Read a file in UTF-8, of at most 64 MiB, that holds one JSON object; InputError where there is none."""
    data = read_bytes(path, path.name)
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(path.name, "a JSON object", f"{path} ({error})", "mend the file") from None
    if not isinstance(found, dict):
        raise InputError(path.name, "a JSON object", type(found).__name__, "mend the file")
    return found


def entry(found: Mapping[str, Any], key: str, kind: type, described: str) -> Any:
    """An entry that must be there, of a type in Python; ``int`` stands for whole numbers of at least 1.

    Raises:
        InputError: with what it is, where it is missing or of another kind.
    """
    value = found.get(key)
    if type(value) is not kind or (isinstance(value, int) and value < 1):
        got = repr(value) if key in found else "nothing"
        raise InputError(key, described, got, "complete the configuration, or give a --mapping")
    return value
