"""A chain as plain records: what was written down, and what was measured of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True)
class Node:
    """One expression of a chain: its name, its formula, what leads to it, and the claim that states the step."""

    name: str
    latex: str
    cites: str
    claim: str | None


@dataclass(frozen=True)
class Outline:
    """What a chain says: its domain in a sentence, the names of its nodes in a row, and the nodes, the start first."""

    label: str
    title: str
    paper: str
    place: Sequence[str]
    domain: str
    text: str
    nodes: Sequence[Node]

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it back."""
        return cls(**{**data, "nodes": [Node(**node) for node in data["nodes"]]})


@dataclass(frozen=True)
class Sample:
    """A named point with the values of all nodes and the factors between them."""

    title: str
    point: Mapping[str, object]
    values: Sequence[float]
    factors: Sequence[float]


@dataclass(frozen=True)
class Factor:
    """What a step loses, right over left, over many points."""

    smallest: float | None
    largest: float | None
    geometric_mean: float | None


@dataclass(frozen=True)
class Waterfall:
    """What was measured of a chain at its named points, a factor a step, and whether each step held at all points."""

    label: str
    samples: Sequence[Sample]
    factors: Sequence[Factor]
    holds: Sequence[bool]
    points: int

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it back."""
        read = {"samples": [Sample(**found) for found in data["samples"]]}
        return cls(**{**data, **read, "factors": [Factor(**found) for found in data["factors"]]})
