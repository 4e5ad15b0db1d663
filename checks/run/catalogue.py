"""What the claims say, as plain data: labels, words, formulas and links, without evidence.

Building every claim takes seconds, reading what it says should not: the catalogue of the shipped claims is kept in the
user's cache folder under a digest of the sources, and made again when one of them has changed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from boundaudit import __version__
from boundaudit.checks.language.theorem import Theorem, theorem_of

_PACKAGE = Path(__file__).parents[2]
_LAYERS = ("checks", "derivations", "numeric")


@dataclass(frozen=True)
class Side:
    """One side of a formula."""

    text: str
    latex: str


@dataclass(frozen=True)
class Case:
    """What one case of a claim says, or the claim itself where it has none.

    Attributes:
        label: The label, with the case in brackets.
        case: The name of the case; None for a claim without cases.
        text: The whole formula as plain text.
        latex: The whole formula.
        left: The left side.
        right: The right side.
        domain: The sentence of the domain.
        expected: The pinned verdict.
        reading: How surely it was recovered.
        limitations: What it does not say.
        symbols: Meaning and unit of every symbol that has one, by name.
        repair: The claim that stands in for this case, if it is refuted.
        statement: The statement; as the claim's where it is empty, and so are kind and relation.
        kind: The kind.
        relation: The relation.
        steps: Of a chain of steps, the first node among them, what each leads to, why, what it uses, and its formula.
    """

    label: str
    case: str | None
    text: str
    latex: str
    left: Side
    right: Side
    domain: str
    expected: str
    reading: str
    limitations: Sequence[str]
    symbols: Mapping[str, Sequence[str]]
    repair: str | None = None
    statement: str = ""
    kind: str = ""
    relation: str = ""
    steps: Sequence[Sequence[str]] = ()


@dataclass(frozen=True)
class Entry:
    """What a claim says, and what it is connected with.

    Attributes:
        used_by: The claims that rest on it directly.
        blast_radius: The claims that rest on it, directly or not.
        repair: The claim that stands in for it, if it is refuted.
        source: File and line, from the package's folder on.
        cases: What its cases say; one for a claim without.
    """

    label: str
    statement: str
    paper: str
    place: Sequence[str]
    kind: str
    mode: str
    role: str
    reading: str
    relation: str
    rests_on: Sequence[str]
    used_by: Sequence[str]
    blast_radius: Sequence[str]
    repair: str | None
    repairs: Sequence[str]
    improves: str | None
    missing: str | None
    source: str
    cases: Sequence[Case]


@dataclass(frozen=True)
class Catalogue:
    """Everything that reports and listings need to know of a registry.

    Attributes:
        claims: By label, in the order of the registry.
        theorems: In the order of the paper.
        derivations: What each chain says, by label.
        studies: Title, caption, place and claims of each study, by label.
    """

    claims: dict[str, Entry] = field(default_factory=dict)
    theorems: tuple[Theorem, ...] = ()
    derivations: dict[str, dict[str, Any]] = field(default_factory=dict)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON.

        Returns:
            A dictionary.
        """
        return asdict(self) | {"theorems": [asdict(theorem) for theorem in self.theorems]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Catalogue:
        """Read it back.

        Returns:
            The catalogue.
        """
        claims = {label: _entry(found) for label, found in data["claims"].items()}
        theorems = tuple(theorem_of(found) for found in data["theorems"])
        return cls(claims, theorems, data["derivations"], data["studies"])


def _entry(data: Mapping[str, Any]) -> Entry:
    cases = [Case(**{**case, "left": Side(**case["left"]), "right": Side(**case["right"])}) for case in data["cases"]]
    return Entry(**{**data, "cases": cases})


@functools.cache
def catalogue(files: tuple[Path, ...] = ()) -> Catalogue:
    """The catalogue of the shipped claims, or of a user's own files.

    Args:
        files: A user's claims files; none for the claims that ship with the suite.

    Returns:
        The catalogue.
    """
    if files:
        return _made(files)
    place = cache_folder() / f"catalogue-{_digest()}.json"
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        return Catalogue.from_json(json.loads(place.read_text(encoding="utf-8")))
    found = _made(())
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        for old in place.parent.glob("catalogue-*.json"):
            old.unlink(missing_ok=True)
        draft = place.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(found.to_json(), ensure_ascii=False), encoding="utf-8")
        os.replace(draft, place)
    return found


def cache_folder() -> Path:
    """The user's cache folder of this suite, there or not."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "boundaudit"


def _digest() -> str:
    """Changes with any source of the claims, however it was changed."""
    files = sorted(file for layer in _LAYERS for file in _sources(_PACKAGE / layer))
    states = [(str(file), (found := file.stat()).st_size, found.st_mtime_ns) for file in files]
    return hashlib.sha256(repr([__version__, *states]).encode()).hexdigest()[:16]


def _sources(folder: Path) -> Iterator[Path]:
    yield from (file for file in folder.resolve().rglob("*") if file.suffix in {".py", ".toml"})


def _made(files: tuple[Path, ...]) -> Catalogue:
    """The catalogue of a registry, built in full."""
    from boundaudit.checks.run.describe import described
    from boundaudit.checks.run.own_files import load_files
    from boundaudit.checks.run.shipped import built_in

    return described(load_files(files) if files else built_in())
