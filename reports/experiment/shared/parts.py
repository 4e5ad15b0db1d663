"""An experiment in parts, each kept in a folder as soon as it is done: what is interrupted goes on where it was."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from boundaudit import InputError, __version__
from boundaudit.reports.formats.files import write_text

_CALL, _PARTS = "call.json", "parts"


class Parts:
    """Writes ``DIR.partial``; nothing appears under the folder's own name until `finish`."""

    def __init__(self, path: Path | None, call: Mapping[str, Any], *, resume: bool = False) -> None:
        """Begin a folder, or go on with one of the same call, plain JSON. Raises InputError where that cannot be."""
        self.path, self._partial = path, None
        call = json.loads(json.dumps({"version": __version__, **call}))
        if path is None:
            if resume:
                raise InputError("--resume", "the --out of the interrupted run", "no --out", "name the folder")
            return
        if os.path.lexists(path):  # a link that leads nowhere is in the way too
            raise InputError("--out", "a folder that does not exist yet", path, "choose another name or remove it")
        self._partial = partial = path.with_name(path.name + ".partial")
        if partial.exists() and not resume:
            raise InputError("--out", "no interrupted run of that name", partial, "add --resume, or remove it")
        note = partial / _CALL
        if note.exists() or (partial / _PARTS).exists():
            self._check(_read(note), call)
        else:
            write_text(note, json.dumps(call))

    def part(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What an interrupted run left of a part, else make and keep it. Raises InputError where it is damaged."""
        if self._partial is None:
            return make()
        if (kept := self._partial / _PARTS / f"{name}.json").exists():
            return _read(kept)
        made = make()
        write_text(kept, json.dumps(made, ensure_ascii=False, allow_nan=False))
        return made

    def file(self, name: str) -> Path | None:
        """Where a part that is no JSON may be kept, by whoever makes it; None where nothing is kept."""
        return None if self._partial is None else self._partial / _PARTS / name

    def finish(self, write: Callable[[Path], None]) -> None:
        """Write the results, drop the parts, and give the folder its name. Raises InputError where there is no room."""
        if self._partial is None or self.path is None:
            return
        write(self._partial)
        try:
            self._partial.rename(self.path)
            (self.path / _CALL).unlink()
        except OSError as error:
            got = f"{self.path} ({error.strerror})"
            raise InputError("--out", "a writable folder", got, "remove what is there, and add --resume") from None
        shutil.rmtree(self.path / _PARTS, ignore_errors=True)

    @staticmethod
    def _check(before: Mapping[str, Any], call: Mapping[str, Any]) -> None:
        for name, value in call.items():
            if before.get(name) != value:
                expected = f"{name} {before.get(name)}, as in the interrupted run"
                raise InputError("--resume", expected, value, "repeat its options or choose another --out")


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError("--resume", "the parts of an interrupted run", f"{path} ({error})", "remove it") from None
    if not isinstance(found, dict):
        raise InputError("--resume", "the parts of an interrupted run", path, "remove it")
    return found
