"""A run on disk: a manifest, and one file of JSON lines per chapter for receipts, waterfalls, studies and prices.

What is read is not believed: its labels are labels, its records have their shape, and its verdicts follow from its
evidence. A run that is still made is `run_writer`'s.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypedDict

from boundaudit import InputError
from boundaudit.checks.evidence.waterfall import Waterfall
from boundaudit.checks.language.labels import LONGEST, is_member, is_name
from boundaudit.checks.language.notebook import card
from boundaudit.checks.language.verdicts import VERDICTS
from boundaudit.checks.records.border import REMEDY, Misfit, conform, read_json, read_lines, without_collecting
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.study import Panel

SCHEMA = 3
Kind = Literal["receipts", "derivations", "studies", "prices"]
KINDS: tuple[Kind, ...] = ("receipts", "derivations", "studies", "prices")
Record = dict[str, Any]


@dataclass(frozen=True)
class Manifest:
    """How a run was made."""

    profile: str
    seed: int  # everything random derives from it
    device: str
    claims: tuple[str, ...]  # labels of its receipts
    device_name: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)  # of Python and the packages that results may depend on
    git: str | None = None  # the suite's revision, where it ran from a checkout
    files: tuple[str, ...] = ()  # a user's own; none for the claims that ship with the suite
    # what is wrong with the input of a claim, study or chain, by label
    errors: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> Record:
        """Plain JSON."""
        return {"schema": SCHEMA, **vars(self), "files": list(self.files), "claims": list(self.claims)}

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest of a run folder.

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
    """A finished run, read from disk; everything by label, sorted."""

    path: Path
    manifest: Manifest
    receipts: dict[str, Receipt]
    derivations: dict[str, Record] = field(default_factory=dict)  # measured chains
    studies: dict[str, Record] = field(default_factory=dict)  # computed curves
    # what successors and improvements cost, by number of the theorem
    prices: dict[str, Record] = field(default_factory=dict)
    timings: Record = field(default_factory=dict)  # seconds; empty for the reference run

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
    @without_collecting()
    def load(cls, path: Path, *, doubt: Callable[[InputError], None] | None = None) -> Run:
        """Read a run folder.

        ``doubt`` is told of each receipt that does not stand, which is then left out; without it, that is an error.

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


_SHOWN = 12
"""Labels that a line names."""


def _first_of(labels: Sequence[str]) -> str:
    """How many labels there are, and the first of them."""
    shown = ", ".join(labels[:_SHOWN]) + (", …" if len(labels) > _SHOWN else "")
    return f"{len(labels):,}: {shown}" if labels else ""


def _records(path: Path, kind: Kind) -> dict[str, Record]:
    """The records of a kind other than receipts, by label."""
    found = {}
    for place, line in _lines_in(path, kind):
        require_record(kind, line, place)
        found[line["label"]] = line
    return found


def require_record(kind: Kind, line: Any, place: str) -> None:
    """Require that a line is a record of its kind, under a label; a receipt is looked at where it is used.

    Raises:
        InputError: where it is not.
    """
    try:
        _require_shape(kind, line)
    except Misfit as misfit:
        raise misfit.at(place) from None
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise Misfit("", f"a record of {kind}", f"{type(error).__name__}: {error}").at(place) from None


def _require_shape(kind: Kind, line: Any) -> None:
    label = line.get("label") if isinstance(line, dict) else None
    if not _is_named(kind, label):
        raise Misfit("label", f"a label of at most {LONGEST} characters", label)
    if kind == "prices":
        conform(line, _Prices)
    elif kind == "derivations":
        conform(Waterfall.from_json(line), Waterfall)
    elif kind == "studies":
        conform(line["key"], str, "key")
        conform([Panel.from_json(panel) for panel in line["panels"]], tuple[Panel, ...], "panels")


def _is_named(kind: Kind, label: object) -> bool:
    """Whether a text can be the label of a record; a price is named by its theorem, and its file is not."""
    if kind == "prices":
        return isinstance(label, str)
    return is_member(label) if kind == "receipts" else is_name(label)


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
    try:
        names = os.listdir(folder / kind)
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{folder.name}/{kind}", "a folder that can be read", error.strerror, REMEDY) from None
    for name in sorted(name for name in names if name.endswith(".jsonl")):
        yield from read_lines(folder / kind / name)


def claims_of(folder: Path) -> tuple[str, ...]:
    """The labels of a run by its manifest alone; none where this is damaged or of another version."""
    try:
        return Manifest.read(folder).claims
    except InputError:
        return ()


def remade(folder: Path) -> None:
    """Drop from a run what differs between two runs of the same code: the timings."""
    (folder / "timings.json").unlink(missing_ok=True)
