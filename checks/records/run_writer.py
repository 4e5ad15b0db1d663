"""A run that is made: line by line into a journal in ``DIR.partial``, from which an interrupted one goes on.

When it is complete it is sorted into its files and renamed: a folder that exists is whole. A journal whose lines are
damaged, or cut off as a process was killed amid one, keeps the others.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from boundaudit import InputError, visible
from boundaudit.checks.language.files import write_whole
from boundaudit.checks.records.border import Misfit, parsed, read_json
from boundaudit.checks.records.receipt import Receipt, chapter
from boundaudit.checks.records.run_folder import KINDS, SCHEMA, Kind, Record, require_record

_CALL = "call.json"
_JOURNAL = "journal.jsonl"


class Unfinished(InputError):
    """The run cannot go on now; its finished part stays, and another call with ``--resume`` goes on."""


class RunWriter:
    """Writes a run folder; nothing appears under its name until `finish`."""

    def __init__(self, path: Path, *, resume: bool = False, doubt: Callable[[str], None] = lambda line: None) -> None:
        """Prepare ``DIR.partial`` beside the target, and read what an interrupted run left there, to go on with it.

        ``doubt`` is told once of lines of the journal that are damaged, which are left out.

        Raises:
            InputError: where the target exists or cannot be written.
        """
        try:
            if os.path.lexists(path):  # a link that leads nowhere is in the way too
                raise InputError("--out", "a folder that does not exist yet", path, "choose another name or remove it")
            self.path = path
            self.partial = path.with_name(path.name + ".partial")
            if self.partial.exists() and not resume:
                raise InputError("--out", "no interrupted run of that name", self.partial, "add --resume, or remove it")
            self.partial.mkdir(parents=True, exist_ok=True)
            (self.partial / _JOURNAL).touch()
        except OSError as error:
            raise InputError("--out", "a writable folder", f"{path} ({error.strerror})", "choose another") from None
        with self._room():
            whole = _whole_lines(self.partial / _JOURNAL, doubt)
            write_text(self.partial / _JOURNAL, "".join(map(_line, whole)))
        self.done: dict[tuple[Kind, str], Record] = {
            (line["kind"], line["record"]["label"]): line["record"] for line in whole
        }

    def bind(self, call: Mapping[str, Any]) -> None:
        """Note how the run is made, whatever receipts depend on beside the claims, so that it is resumed as the same.

        Raises:
            InputError: where the interrupted run was made otherwise, or nothing says how.
        """
        note = self.partial / _CALL
        before = read_json(note) if note.is_file() or self.done else dict(call)
        for name, value in call.items():
            if not isinstance(before, dict) or name not in before:
                raise Misfit(name, "how the interrupted run was made", "nothing").at(f"{self.partial.name}/{_CALL}")
            if before[name] != value:
                expected = f"{name} {before[name]}, as in the interrupted run"
                raise InputError("--resume", expected, value, "repeat its options or choose another --out")
        with self._room():
            write_text(note, json.dumps(call))

    def discard(self) -> None:
        """Leave nothing half written."""
        shutil.rmtree(self.partial)

    def has(self, kind: Kind, label: str) -> bool:
        """Whether there is a record of a label, current or not."""
        return (kind, label) in self.done

    def kept(self, kind: Kind, label: str, key: str) -> bool:
        """Whether an interrupted run left a record that is current."""
        return self.done.get((kind, label), {}).get("key") == key

    def receipt(self, label: str) -> Receipt:
        """What an interrupted run left about a claim.

        Raises:
            InputError: where it is damaged, or its verdict is not what its evidence says.
        """
        return Receipt.from_json(self.done["receipts", label], f"{self.partial.name}/{_JOURNAL}")

    def write(self, kind: Kind, record: Record) -> None:
        """Keep one record, which says its label.

        Raises:
            InputError: where there is no room for it, or it holds what no file can: what is finished stays.
        """
        try:
            line = _line({"kind": kind, "record": record})
        except (TypeError, ValueError) as error:
            raise InputError(str(record["label"]), "what can be written down", error, "correct the claim") from None
        with self._room(), (self.partial / _JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(line)
        self.done[kind, record["label"]] = record

    def finish(self, manifest: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
        """Write the records that the manifest names, the manifest and the timings, and give the folder its name.

        Raises:
            InputError: where there is no room: what is finished stays.
        """
        with self._room():
            for kind in KINDS:  # what an earlier attempt to finish left
                shutil.rmtree(self.partial / kind, ignore_errors=True)
            write_records(
                self.partial, (item for item in self.done.items() if item[0][1] in manifest["records"][item[0][0]])
            )
            write_text(self.partial / "timings.json", json.dumps(timings, indent=1))
            plain = {name: value for name, value in manifest.items() if name != "records"}
            write_text(self.partial / "manifest.json", json.dumps({"schema": SCHEMA, **plain}, indent=1) + "\n")
            self.partial.rename(self.path)
            for name in (_CALL, _JOURNAL):  # not before: without them, and without its name, the run would be lost
                (self.path / name).unlink(missing_ok=True)

    @contextmanager
    def _room(self) -> Iterator[None]:
        """A disk that is full ends the run in one line, and keeps what is finished."""
        try:
            yield
        except OSError as error:
            raise Unfinished(
                "--out", "room to write", f"{self.partial} ({error.strerror})", "add --resume then"
            ) from None


def write_records(folder: Path, records: Iterable[tuple[tuple[Kind, str], Record]]) -> None:
    """Write records as JSON lines, one file per kind and chapter, sorted by label."""
    files: dict[tuple[Kind, str], dict[str, Record]] = {}
    for (kind, label), record in records:
        files.setdefault((kind, "all" if kind == "prices" else chapter(label)), {})[label] = record
    for (kind, name), lines in files.items():
        (folder / kind).mkdir(exist_ok=True)
        write_text(folder / kind / f"{name}.jsonl", "".join(_line(lines[label]) for label in sorted(lines)))


def _whole_lines(path: Path, doubt: Callable[[str], None]) -> list[Record]:
    """The lines of a journal that hold a record; what else it holds is told, all in one line."""
    lines = [(number, line) for number, line in enumerate(path.read_bytes().split(b"\n"), 1) if line]
    whole, wrong = [], []
    for number, line in lines:
        try:
            whole.append(_entry(line, f"{path.parent.name}/{path.name}:{number}"))
        except InputError as error:
            wrong.append(error)
    if wrong:
        first = str(wrong[0]).rpartition(";")[0]
        doubt(f"{len(wrong)} of {len(lines)} lines are damaged and gathered again, the first: {first}")
    return whole


def _entry(line: bytes, place: str) -> Record:
    """One line of a journal: a kind and a record."""
    try:
        entry = parsed(line.decode(), place)
    except UnicodeDecodeError as error:
        raise Misfit("", "UTF-8", error).at(place) from None
    record = entry.get("record") if isinstance(entry, dict) else None
    if not isinstance(record, dict) or entry.get("kind") not in KINDS:
        raise Misfit("", f"a kind, one of {', '.join(KINDS)}, and a record", entry).at(place)
    require_record(entry["kind"], record, place)
    return dict(entry)


def _line(data: Mapping[str, Any]) -> str:
    """One line of strict JSON; a character that a terminal would obey is written as JSON escapes it."""
    return visible(json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file in one step."""
    write_whole(path, text.encode())
