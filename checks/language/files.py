"""Files that are never half written."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step: it is either the old one or the whole new one, and nothing else is left.

    It keeps the permissions it has.
    """
    draft = path.with_name(path.name + ".draft")
    try:
        draft.write_bytes(data)
        if path.exists():
            shutil.copymode(path, draft)
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
