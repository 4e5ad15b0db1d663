"""What the claims say, as plain data: labels, words, formulas and links, without evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from boundaudit.checks.language.theorem import Theorem, theorem_of


@dataclass(frozen=True)
class Side:
    """One side of a formula."""

    text: str
    latex: str


@dataclass(frozen=True)
class Case:
    """What one case of a claim says, or the claim itself where it has none."""

    label: str  # with the case in brackets
    case: str | None  # None for a claim without
    text: str  # the whole formula, plain; likewise ``latex``
    latex: str
    left: Side
    right: Side
    domain: str  # in a sentence
    expected: str  # the pinned verdict
    reading: str  # how surely it was recovered
    limitations: Sequence[str]  # what it does not say
    symbols: Mapping[str, Sequence[str]]  # meaning and unit of every symbol that has one, by name
    repair: str | None = None  # the claim that stands in for this case, if it is refuted
    statement: str = ""  # as the claim's where it is empty; so are kind and relation
    kind: str = ""
    relation: str = ""
    words: str = ""  # the name of the case in words
    # of a chain, the first node among them: what each leads to, why, what it uses, and its formula
    steps: Sequence[Sequence[str]] = ()

    @property
    def said(self) -> str:
        """Which case it is, in words; empty for a claim without cases."""
        return self.words or self.case or ""


@dataclass(frozen=True)
class Entry:
    """What a claim says, and what it is connected with."""

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
    used_by: Sequence[str]  # the claims that rest on it directly
    blast_radius: Sequence[str]  # the claims that rest on it, directly or not
    repair: str | None  # the claim that stands in for it, if it is refuted
    repairs: Sequence[str]
    improves: str | None
    missing: str | None
    source: str  # file and line, from the package's folder on
    cases: Sequence[Case]  # one for a claim without


@dataclass(frozen=True)
class Catalogue:
    """Everything that reports and listings need to know of a registry, by label; theorems in the order of the paper."""

    claims: dict[str, Entry] = field(default_factory=dict)
    theorems: tuple[Theorem, ...] = ()
    derivations: dict[str, dict[str, Any]] = field(default_factory=dict)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self) | {"theorems": [asdict(theorem) for theorem in self.theorems]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Catalogue:
        """Read it back."""
        claims = {label: _entry(found) for label, found in data["claims"].items()}
        theorems = tuple(theorem_of(found) for found in data["theorems"])
        return cls(claims, theorems, data["derivations"], data["studies"])


def _entry(data: Mapping[str, Any]) -> Entry:
    cases = [Case(**{**case, "left": Side(**case["left"]), "right": Side(**case["right"])}) for case in data["cases"]]
    return Entry(**{**data, "cases": cases})
