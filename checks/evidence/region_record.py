"""Where a sweep found violations of a claim: its points, counted by parameter, as a receipt holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self


class Counts(NamedTuple):
    """How many points are clearly within the claim, within the error budget of equality, and clearly beyond it."""

    holds: int
    near: int
    violates: int

    @property
    def points(self) -> int:
        """All of them."""
        return sum(self)


@dataclass(frozen=True)
class Bin:
    """The points between two values of a parameter, both included; a variant of a choice has a name."""

    low: float
    high: float
    named: str | None
    counts: Counts


@dataclass(frozen=True)
class Parameter:
    """A parameter, ``smallest c`` or ``largest c`` of a vector, in bins that ascend."""

    name: str
    bins: Sequence[Bin]

    def to_json(self) -> dict[str, object]:
        """Plain JSON, a list per column."""
        named = [found.named for found in self.bins]
        ends = {"from": [found.low for found in self.bins], "to": [found.high for found in self.bins]}
        counts = {fate: [getattr(found.counts, fate) for found in self.bins] for fate in Counts._fields}
        return {"name": self.name, **ends, "named": named if any(named) else None, **counts}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it back."""
        named = data["named"] or [None] * len(data["from"])
        counts = map(Counts, *(data[fate] for fate in Counts._fields))
        return cls(data["name"], tuple(map(Bin, data["from"], data["to"], named, counts)))


@dataclass(frozen=True)
class Map:
    """The counts over two parameters, by bin of the one in rows and of the other in columns."""

    rows: str
    columns: str
    counts: Sequence[Sequence[Counts]]

    def to_json(self) -> dict[str, object]:
        """Plain JSON, a table per fate."""
        table = {fate: [[getattr(cell, fate) for cell in row] for row in self.counts] for fate in Counts._fields}
        return {"rows": self.rows, "columns": self.columns, **table}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it back."""
        tables = zip(*(data[fate] for fate in Counts._fields), strict=True)
        return cls(data["rows"], data["columns"], [tuple(map(Counts, *row)) for row in tables])


@dataclass(frozen=True)
class Part:
    """The points that one number cuts off, how many there are, and how many of them violate."""

    parameter: str
    relation: str  # ``<=`` or ``>=``
    value: float  # the last inside
    points: int
    violates: int = 0

    def to_json(self) -> dict[str, object]:
        """Plain JSON; a part without a violation does not count them."""
        return {name: value for name, value in vars(self).items() if name != "violates" or value}


@dataclass(frozen=True)
class Region:
    """The points of a sweep, counted."""

    counts: Counts  # of all points
    parameters: Sequence[Parameter] = ()  # each that varies by itself, in at most eight bins
    map: Map | None = None  # over the two parameters that tell most; None where all points violate or none does
    free: Part | None = None  # the largest part without a violation
    dense: Part | None = None  # the part of the rest where violations are densest

    def to_json(self) -> dict[str, object]:
        """Plain JSON for a receipt."""
        return {
            "points": self.counts.points,
            **self.counts._asdict(),
            "parameters": [found.to_json() for found in self.parameters],
            "map": self.map and self.map.to_json(),
            "free": self.free and self.free.to_json(),
            "dense": self.dense and self.dense.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it back."""
        parts = (data[name] and Part(**data[name]) for name in ("free", "dense"))
        parameters = tuple(map(Parameter.from_json, data["parameters"]))
        counts = Counts(*(data[fate] for fate in Counts._fields))
        return cls(counts, parameters, data["map"] and Map.from_json(data["map"]), *parts)
