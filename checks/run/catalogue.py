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
        words: The name of the case in words.
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
    words: str = ""
    steps: Sequence[Sequence[str]] = ()

    @property
    def said(self) -> str:
        """Which case it is, in words; empty for a claim without cases."""
        return self.words or self.case or ""


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
