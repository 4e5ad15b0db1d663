"""A run on disk: a manifest, and one file of JSON lines per chapter for receipts, waterfalls, studies and prices.

A run is written into ``DIR.partial``, line by line into a journal as it is made, and sorted into its files and renamed
when it is complete: a folder that exists is whole, and an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from boundaudit import InputError
from boundaudit.checks.records.receipt import Receipt, chapter

SCHEMA = 3
KINDS = ("receipts", "derivations", "studies", "prices")
Kind = Literal["receipts", "derivations", "studies", "prices"]
_CALL = "call.json"
_JOURNAL = "journal.jsonl"
Record = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """A finished run, read from disk.

    Attributes:
        path: Its folder.
        manifest: Profile, seed, device, versions, files.
        receipts: By label, sorted.
        derivations: Measured chains, by label.
        studies: Computed curves, by label.
        prices: What successors and improvements cost, by number of the theorem.
        timings: Seconds by label; empty for the reference run.
    """

    path: Path
    manifest: Record
    receipts: dict[str, Receipt]
    derivations: dict[str, Record] = field(default_factory=dict)
    studies: dict[str, Record] = field(default_factory=dict)
    prices: dict[str, Record] = field(default_factory=dict)
    timings: Record = field(default_factory=dict)

    @property
    def files(self) -> tuple[Path, ...]:
        """The user's own claims files that the run audited; none for the claims that ship with the suite."""
        return tuple(map(Path, self.manifest.get("files", ())))

    @classmethod
    def load(cls, path: Path) -> Run:
        """Read a run folder.

        Returns:
            The run.

        Raises:
            InputError: where the folder is none, or is damaged.
        """
        remedy = "give a folder that `boundaudit verify --out` wrote"
        if not (path / "manifest.json").is_file():
            raise InputError("run folder", "a folder with manifest.json", path, remedy)
        try:
            manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
            if manifest.get("schema") != SCHEMA:
                raise InputError("manifest.schema", str(SCHEMA), manifest.get("schema"), "run verify again")
            kept = {kind: {line["label"]: line for line in _lines_in(path / kind)} for kind in KINDS}
            receipts = {label: Receipt.from_json(line) for label, line in sorted(kept["receipts"].items())}
            claims = set(manifest["claims"])
            timings = path / "timings.json"
            spent = json.loads(timings.read_text(encoding="utf-8")) if timings.is_file() else {}
        except InputError:
            raise
        except (OSError, AttributeError, KeyError, TypeError, ValueError) as error:
            raise InputError("run folder", "complete, readable receipts", f"{path} ({error})", remedy) from None
        if claims != set(receipts):
            raise InputError("run folder", "a receipt for every claim of the manifest", path, remedy)
        return cls(path, manifest, receipts, kept["derivations"], kept["studies"], kept["prices"], spent)


def _lines_in(folder: Path) -> Iterator[Record]:
    """Every line of every file of a folder."""
    for file in sorted(folder.glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


class RunWriter:
    """Writes a run folder; nothing appears under its name until `finish`."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Prepare ``DIR.partial`` beside the target, and read what an interrupted run left there.

        Raises:
            InputError: where the target exists or cannot be written.
        """
        try:
            if path.exists():
                raise InputError("--out", "a folder that does not exist yet", path, "choose another name or remove it")
            self.path = path
            self.partial = path.with_name(path.name + ".partial")
            if self.partial.exists() and not resume:
                raise InputError("--out", "no interrupted run of that name", self.partial, "add --resume, or remove it")
            self.partial.mkdir(parents=True, exist_ok=True)
            (self.partial / _JOURNAL).touch()
        except OSError as error:
            raise InputError("--out", "a writable folder", f"{path} ({error.strerror})", "choose another") from None
        journal = self.partial / _JOURNAL
        whole = list(_whole_lines(journal))
        write_text(journal, "".join(map(_line, whole)))
        self.done: dict[tuple[Kind, str], Record] = {
            (line["kind"], line["record"]["label"]): line["record"] for line in whole
        }

    def bind(self, call: Mapping[str, Any]) -> None:
        """Note how the run is made, so that it is resumed as the same run.

        Args:
            call: Whatever its receipts depend on beside the claims.

        Raises:
            InputError: where the interrupted run was made otherwise.
        """
        note = self.partial / _CALL
        before = json.loads(note.read_text(encoding="utf-8")) if note.is_file() else call
        for name, value in call.items():
            if before[name] != value:
                expected = f"{name} {before[name]}, as in the interrupted run"
                raise InputError("--resume", expected, value, "repeat its options or choose another --out")
        write_text(note, json.dumps(call))

    def discard(self) -> None:
        """Leave nothing half written."""
        shutil.rmtree(self.partial)

    def has(self, kind: Kind, label: str) -> bool:
        """Whether there is a record of a label, current or not."""
        return (kind, label) in self.done

    def kept(self, kind: Kind, label: str, key: str) -> bool:
        """Whether an interrupted run left a record that is current.

        Returns:
            True where there is one under this key.
        """
        return self.done.get((kind, label), {}).get("key") == key

    def write(self, kind: Kind, record: Record) -> None:
        """Keep one record, which says its label."""
        self.done[kind, record["label"]] = record
        with (self.partial / _JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(_line({"kind": kind, "record": record}))

    def finish(self, manifest: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
        """Write the records that the manifest names, the manifest and the timings, and give the folder its name."""
        write_records(
            self.partial, (item for item in self.done.items() if item[0][1] in manifest["records"][item[0][0]])
        )
        write_text(self.partial / "timings.json", json.dumps(timings, indent=1))
        plain = {name: value for name, value in manifest.items() if name != "records"}
        write_text(self.partial / "manifest.json", json.dumps({"schema": SCHEMA, **plain}, indent=1) + "\n")
        for name in (_CALL, _JOURNAL):
            (self.partial / name).unlink(missing_ok=True)
        self.partial.rename(self.path)


def write_records(folder: Path, records: Iterable[tuple[tuple[Kind, str], Record]]) -> None:
    """Write records as JSON lines, one file per kind and chapter, sorted by label."""
    files: dict[tuple[Kind, str], dict[str, Record]] = {}
    for (kind, label), record in records:
        files.setdefault((kind, "all" if kind == "prices" else chapter(label)), {})[label] = record
    for (kind, name), lines in files.items():
        (folder / kind).mkdir(exist_ok=True)
        write_text(folder / kind / f"{name}.jsonl", "".join(_line(lines[label]) for label in sorted(lines)))


def _whole_lines(path: Path) -> Iterator[Record]:
    """The lines of a journal up to one that was cut off."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if not line.endswith("\n"):
                return
            yield json.loads(line)


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: it is either the old one or the whole new one."""
    draft = path.with_name(path.name + ".draft")
    draft.write_text(text, encoding="utf-8")
    os.replace(draft, path)


def remade(folder: Path) -> None:
    """Drop from a run what differs between two runs of the same code: the timings."""
    (folder / "timings.json").unlink(missing_ok=True)
