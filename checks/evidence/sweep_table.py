"""A sweep on disk: a Parquet file with a row for each point and its counts beside them, and a sample of its rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.evidence import Worst

FOLDER = "sweeps"
"""Where a run keeps the sweeps of its claims."""
ENDING = ".parquet"
MOST = 10**9
"""Points of a sweep."""
COUNTS = b"boundaudit.sweep"
"""Under this key the metadata of a file holds its counts as JSON."""
LONGEST_GROUP = 2**20
"""Rows of a row group that are read at once; what is written here has far fewer."""


@dataclass(frozen=True)
class Swept:
    """What a sweep came to."""

    label: str  # with its case
    claim: str  # its formula
    fingerprint: str  # what it meant
    seed: int  # what the points derive from
    points: int  # all of the domain, if ``whole_domain``
    whole_domain: bool
    holds: int  # at how many it holds within the error that is stated of its sides
    violations: int  # at how many it is violated beyond that
    without_value: int  # at how many a side has no value in floating point, or the bound is infinite
    worst: Worst | None  # the point that comes closest to a violation, or lies furthest beyond
    holds_there: bool | None  # whether it certainly does, by exact or ball arithmetic; None where these cannot say

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, the worst ratio included."""
        worst = None if self.worst is None else {**self.worst.to_json(), "ratio": self.worst.ratio}
        return {**asdict(self), "worst": worst}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Swept:
        """Read it back.

        Raises:
            ValueError: where a field has another type.
        """
        fields = {name: data[name] for name in cls.__dataclass_fields__}
        kinds = {"str": str, "int": int, "bool": bool, "bool | None": bool | None}
        for name, found in cls.__dataclass_fields__.items():
            if name != "worst" and not isinstance(fields[name], kinds[str(found.type)]):
                raise ValueError(f"{name} is {fields[name]!r}")
        worst = None if fields["worst"] is None else Worst.from_json(fields["worst"])
        if worst is not None and not all(isinstance(side, float) for side in (worst.left, worst.right)):
            raise ValueError(f"the worst case is {fields['worst']!r}")
        return cls(**{**fields, "worst": worst})


@dataclass(frozen=True)
class Sample:
    """Some rows of a sweep, evenly spaced: both sides, and whether the claim holds; None where there is no value."""

    swept: Swept
    rows: list[tuple[float | None, float | None, bool | None]]


def read_sample(path: Path, most: int) -> Sample:
    """Read a few rows of a sweep, row group by row group.

    Raises:
        InputError: where the file is none that `sweep` wrote.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            swept = Swept.from_json(json.loads((file.metadata.metadata or {})[COUNTS]))
            rows = file.metadata.num_rows
            wanted = [i * rows // min(rows, most) for i in range(min(rows, most))]
            return Sample(swept, _rows(file, wanted))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, pyarrow.ArrowException) as error:
        field = f"{path.parent.name}/{path.name}"
        raise InputError(field, "a sweep of a claim", error, "sweep it again, or remove it") from None


def _rows(file: Any, wanted: list[int]) -> list[tuple[float | None, float | None, bool | None]]:
    """The rows with the given numbers, which increase."""
    found, start = [], 0
    for number in range(file.num_row_groups):
        size = file.metadata.row_group(number).num_rows
        if size > LONGEST_GROUP:
            raise ValueError(f"{size} rows in a group")
        here = [i - start for i in wanted if start <= i < start + size]
        if here:
            part = file.read_row_group(number, columns=["left", "right", "holds"]).take(here)
            sides = (part.column(name).cast("double").to_pylist() for name in ("left", "right"))
            found += list(zip(*sides, part.column("holds").cast("bool").to_pylist(), strict=True))
        start += size
    return found
