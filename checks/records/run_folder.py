"""A run on disk: a manifest, and one file of JSON lines per chapter for receipts, waterfalls, studies and prices.

A run is written into ``DIR.partial``, line by line into a journal as it is made, and sorted into its files and renamed
when it is complete: a folder that exists is whole, and an interrupted run goes on where it stopped. What is read is
not believed: its labels are labels, its records have their shape, and its verdicts follow from its evidence.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypedDict

from boundaudit import InputError, visible
from boundaudit.checks.evidence.waterfall import Waterfall
from boundaudit.checks.language.labels import LONGEST, is_member, is_name
from boundaudit.checks.language.notebook import card
from boundaudit.checks.language.verdicts import VERDICTS
from boundaudit.checks.records.border import REMEDY, Misfit, conform, parsed, read_json, read_lines, read_text
from boundaudit.checks.records.receipt import Receipt, chapter
from boundaudit.checks.records.study import Panel

SCHEMA = 3
Kind = Literal["receipts", "derivations", "studies", "prices"]
KINDS: tuple[Kind, ...] = ("receipts", "derivations", "studies", "prices")
_CALL = "call.json"
_JOURNAL = "journal.jsonl"
Record = dict[str, Any]


@dataclass(frozen=True)
class Manifest:
    """How a run was made.

    Attributes:
        profile: How hard it looked.
        seed: Everything random derives from it.
        device: Where quantities were measured.
        claims: Labels of its receipts.
        device_name: What the device is called.
        versions: Of Python and the packages that results may depend on.
        git: The suite's revision, where it ran from a checkout.
        files: A user's own claims files; none for the claims that ship with the suite.
        errors: What is wrong with the input of a claim, study or chain, by label.
    """

    profile: str
    seed: int
    device: str
    claims: tuple[str, ...]
    device_name: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    git: str | None = None
    files: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> Record:
        """Plain JSON."""
        return {"schema": SCHEMA, **vars(self), "files": list(self.files), "claims": list(self.claims)}

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest of a run folder.

        Returns:
            The manifest.

        Raises:
            InputError: where there is none, or it is damaged.
        """
        path = folder / "manifest.json"
        place = f"{folder.name}/manifest.json"
        if not path.is_file():
            raise InputError("run folder", "a folder with manifest.json", folder, REMEDY)
        data = read_json(path)
        try:
            return cls._from_json(data)
        except Misfit as misfit:
            raise misfit.at(place) from None
        except TypeError as error:
            raise Misfit("", "profile, seed, device and claims", error).at(place) from None

    @classmethod
    def _from_json(cls, data: Any) -> Manifest:
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise Misfit("schema", str(SCHEMA), data.get("schema") if isinstance(data, dict) else data)
        found = cls(**{name: data[name] for name in cls.__dataclass_fields__ if name in data})
        conform(found, cls)
        for label in found.claims:
            if not is_member(label):
                raise Misfit("claims", f"labels of at most {LONGEST} characters", label)
        for file in found.files:
            if not file.endswith(".py"):
                raise Misfit("files", "claims files (.py)", file)
        return replace(found, claims=tuple(found.claims), files=tuple(found.files))


class _Price(TypedDict):
    """What a statement costs against another: smallest and largest ratio of right sides."""

    low: float
    high: float
    points: int
    domain: str


class _Prices(TypedDict):
    """What the successor and the improvement of a theorem cost."""

    label: str
    price: _Price | None
    gain: _Price | None


class _Timings(TypedDict, total=False):
    """Seconds of a run, and of each claim and study."""

    total_seconds: float
    seconds: Mapping[str, float]


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
    manifest: Manifest
    receipts: dict[str, Receipt]
    derivations: dict[str, Record] = field(default_factory=dict)
    studies: dict[str, Record] = field(default_factory=dict)
    prices: dict[str, Record] = field(default_factory=dict)
    timings: Record = field(default_factory=dict)

    @property
    def files(self) -> tuple[Path, ...]:
        """The user's own claims files that the run audited; none for the claims that ship with the suite."""
        return tuple(map(Path, self.manifest.files))

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        found: dict[str, list[str]] = {}
        for label, receipt in self.receipts.items():
            found.setdefault(receipt.findings.verdict, []).append(label)
        facts = {
            "made by": f"profile {self.manifest.profile}, seed {self.manifest.seed}, {self.manifest.device}",
            "claims files": ", ".join(self.manifest.files),
            **{verdict: _first_of(found[verdict]) for verdict in VERDICTS if verdict in found},
            "could not be judged": _first_of(list(self.manifest.errors)),
        }
        return card(f"{self.path}: {len(self.receipts):,} claims and cases", facts)

    @classmethod
    def load(cls, path: Path, *, doubt: Callable[[InputError], None] | None = None) -> Run:
        """Read a run folder.

        Args:
            path: The folder.
            doubt: Told of each receipt that does not stand, which is then left out; without it, that is an error.

        Returns:
            The run.

        Raises:
            InputError: where the folder is none, or is damaged; it names file and field.
        """
        manifest = Manifest.read(path)
        receipts: dict[str, Receipt] = {}
        for place, line in _lines_in(path, "receipts"):
            try:
                receipt = Receipt.from_json(line, place)
            except InputError as error:
                if doubt is None:
                    raise
                doubt(error)
                continue
            if receipt.label in receipts:
                raise Misfit("label", "one receipt a label", receipt.label).at(place)
            receipts[receipt.label] = receipt
        if doubt is None and set(manifest.claims) != set(receipts):
            odd = ", ".join(sorted(set(manifest.claims) ^ set(receipts)))
            raise Misfit("claims", "those that have receipts, and no other", odd).at(f"{path.name}/manifest.json")
        kept = {kind: _records(path, kind) for kind in KINDS[1:]}
        return cls(
            path, manifest, dict(sorted(receipts.items())), kept["derivations"], kept["studies"], kept["prices"],
            _timings(path / "timings.json"),
        )  # fmt: skip


def _first_of(labels: Sequence[str], most: int = 12) -> str:
    """How many labels there are, and the first of them."""
    shown = ", ".join(labels[:most]) + (", …" if len(labels) > most else "")
    return f"{len(labels):,}: {shown}" if labels else ""


def _records(path: Path, kind: Kind) -> dict[str, Record]:
    """The records of a kind other than receipts, by label."""
    found = {}
    for place, line in _lines_in(path, kind):
        _require_record(kind, line, place)
        found[line["label"]] = line
    return found


def _require_record(kind: Kind, line: Any, place: str) -> None:
    """Require that a line is a record of its kind, under a label; a receipt is looked at where it is used."""
    label = line.get("label") if isinstance(line, dict) else None
    try:
        if not _is_named(kind, label):
            raise Misfit("label", f"a label of at most {LONGEST} characters", label)
        if kind == "prices":
            conform(line, _Prices)
        elif kind == "derivations":
            conform(Waterfall.from_json(line), Waterfall)
        elif kind == "studies":
            conform(line["key"], str, "key")
            conform([Panel.from_json(panel) for panel in line["panels"]], tuple[Panel, ...], "panels")
    except Misfit as misfit:
        raise misfit.at(place) from None
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Misfit("", f"a record of {kind}", f"{type(error).__name__}: {error}").at(place) from None


def _timings(path: Path) -> Record:
    if not path.is_file():
        return {}
    found = read_json(path)
    try:
        conform(found, _Timings)
    except Misfit as misfit:
        raise misfit.at(f"{path.parent.name}/{path.name}") from None
    return dict(found)


def _lines_in(folder: Path, kind: Kind) -> Iterator[tuple[str, Any]]:
    """Every line of every file of a kind, and where it stands."""
    for file in sorted((folder / kind).glob("*.jsonl")):
        yield from read_lines(file)


def claims_of(folder: Path) -> tuple[str, ...]:
    """The labels of a run by its manifest alone.

    Returns:
        Labels; none where the manifest is damaged or of another version.
    """
    try:
        return Manifest.read(folder).claims
    except InputError:
        return ()


class RunWriter:
    """Writes a run folder; nothing appears under its name until `finish`."""

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        """Prepare ``DIR.partial`` beside the target, and read what an interrupted run left there.

        Raises:
            InputError: where the target exists or cannot be written, or what was left is damaged.
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
        with self._room():
            whole = list(_whole_lines(self.partial / _JOURNAL))
            write_text(self.partial / _JOURNAL, "".join(map(_line, whole)))
        self.done: dict[tuple[Kind, str], Record] = {
            (line["kind"], line["record"]["label"]): line["record"] for line in whole
        }

    def bind(self, call: Mapping[str, Any]) -> None:
        """Note how the run is made, so that it is resumed as the same run.

        Args:
            call: Whatever its receipts depend on beside the claims.

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
        """Whether an interrupted run left a record that is current.

        Returns:
            True where there is one under this key.
        """
        return self.done.get((kind, label), {}).get("key") == key

    def receipt(self, label: str) -> Receipt:
        """What an interrupted run left about a claim.

        Args:
            label: A label of which there is a receipt.

        Returns:
            The receipt.

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
            write_records(
                self.partial, (item for item in self.done.items() if item[0][1] in manifest["records"][item[0][0]])
            )
            write_text(self.partial / "timings.json", json.dumps(timings, indent=1))
            plain = {name: value for name, value in manifest.items() if name != "records"}
            write_text(self.partial / "manifest.json", json.dumps({"schema": SCHEMA, **plain}, indent=1) + "\n")
            for name in (_CALL, _JOURNAL):
                (self.partial / name).unlink(missing_ok=True)
            self.partial.rename(self.path)

    @contextmanager
    def _room(self) -> Iterator[None]:
        """A disk that is full ends the run in one line, and keeps what is finished."""
        try:
            yield
        except OSError as error:
            raise NoRoom("--out", "room to write", f"{self.partial} ({error.strerror})", "add --resume then") from None


class NoRoom(InputError):
    """The run cannot be written on; its finished part stays, and another call with ``--resume`` goes on."""


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
    *lines, _ = read_text(path).split("\n")
    for number, text in enumerate(lines, 1):
        place = f"{path.parent.name}/{path.name}:{number}"
        line = parsed(text, place)
        record = line.get("record") if isinstance(line, dict) else None
        if not isinstance(record, dict) or line.get("kind") not in KINDS:
            raise Misfit("", f"a kind, one of {', '.join(KINDS)}, and a record", text).at(place)
        _require_record(line["kind"], record, place)
        yield line


def _is_named(kind: Kind, label: object) -> bool:
    """Whether a text can be the label of a record; a price is named by its theorem, and its file is not."""
    if kind == "prices":
        return isinstance(label, str)
    return is_member(label) if kind == "receipts" else is_name(label)


def _line(data: Mapping[str, Any]) -> str:
    """One line of strict JSON; a character that a terminal would obey is written as JSON escapes it."""
    return visible(json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file in one step: it is either the old one or the whole new one."""
    draft = path.with_name(path.name + ".draft")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def remade(folder: Path) -> None:
    """Drop from a run what differs between two runs of the same code: the timings."""
    (folder / "timings.json").unlink(missing_ok=True)
