"""The rows of an experiment: in groups, as a table, and as curves with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from boundaudit.checks.records.study import Series
from boundaudit.reports.document.shown import Table

Row = Mapping[str, Any]
Found = tuple[float | None, float | None, float | None]
"""A number and the ends of its interval; None where the runs determine none."""


def grouped(rows: Iterable[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    """Rows by what they have in some columns, in the order in which that first occurs."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return groups


def every(title: str, rows: Iterable[Row], names: Sequence[str]) -> Table:
    """Some columns of every row, for who asks for details."""
    return Table(title, names, [tuple(row[name] for name in names) for row in rows], folded=True)


def named(name: str, found: Found) -> dict[str, float | None]:
    """A number with its interval, as columns of a row."""
    return dict(zip((name, f"{name}_low", f"{name}_high"), found, strict=True))


def curve(
    name: str, x: Sequence[float], found: Iterable[Sequence[float | None]], drawn: Literal["line", "points"] = "line"
) -> Series:
    """Numbers with their intervals, over x."""
    middle, low, high = zip(*found, strict=True) if x else ((), (), ())
    return Series(name, x, middle, low, high, drawn)
