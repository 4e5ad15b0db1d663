"""Several checkpoints side by side: how the proxies grow with depth and width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boundaudit import Panel, Series
from boundaudit.numeric.checkpoint import Summary
from boundaudit.reports.model.rows import BOUNDS, PROXIES, notes
from boundaudit.reports.wording import brief


@dataclass(frozen=True)
class Compared:
    """One checkpoint beside the first."""

    checkpoint: str
    family: str  # its ``model_type``, or ``"mapping"``
    depth: int  # L
    width: int  # N
    heads: int  # attention heads of a layer
    proxies: dict[str, float]
    relative: dict[str, float | None]  # each over that of the first checkpoint; None where one of them is infinite
    uncovered: tuple[str, ...]
    bounds: dict[str, float | None] | None


def compare(found: Sequence[Summary]) -> list[Compared]:
    """Set at least one checkpoint beside the first of them, a row each."""
    first = found[0].proxies
    return [
        Compared(
            one.checkpoint, one.family, one.depth, one.width, one.heads, one.proxies,
            {
                name: value / first[name] if math.isfinite(value) and math.isfinite(first[name]) else None
                for name, value in one.proxies.items()
            },
            one.uncovered, one.bounds,
        )
        for one in found
    ]  # fmt: skip


def growth(rows: Sequence[Compared]) -> list[Panel]:
    """Curves of the proxies against width at each depth and against depth at each width, relative to the first row.

    Of several checkpoints of one size, the last is drawn; what takes one value alone has no panel.
    """
    panels = []
    for name, said in PROXIES.items():
        for along, fixed in (("width", "depth"), ("depth", "width")):
            series = [
                Series(f"{fixed} {value}", *_curve(rows, name, along, fixed, value))
                for value in dict.fromkeys(getattr(row, fixed) for row in rows)
            ]
            shown = [one for one in series if len(one.x) > 1]
            if shown:
                panels.append(
                    Panel(f"{said.capitalize()}: growth with {along}", along, "relative to the first", shown, log="y")
                )
    return panels


def headings(rows: Sequence[Compared]) -> tuple[str, ...]:
    """The columns of a table of them."""
    proxies = (word for said in PROXIES.values() for word in (said, "relative"))
    return ("checkpoint", "depth", "width", *proxies, *(BOUNDS.values() if _bounded(rows) else ()))


def cells(rows: Sequence[Compared]) -> list[tuple[str, ...]]:
    """A text for each column of each row."""
    return [_cells(row, bounded=_bounded(rows)) for row in rows]


def compared_notes(rows: Sequence[Compared]) -> list[str]:
    """What their numbers are."""
    bounds = next((row.bounds for row in rows if row.bounds is not None), None)
    return notes(bounds, {row.checkpoint: row.uncovered for row in rows})


def _bounded(rows: Sequence[Compared]) -> bool:
    return any(row.bounds is not None for row in rows)


def _cells(row: Compared, *, bounded: bool) -> tuple[str, ...]:
    numbers: list[float | None] = [value for name in PROXIES for value in (row.proxies[name], row.relative[name])]
    if bounded:
        numbers += [None if row.bounds is None else row.bounds[f"{name}_post_hoc"] for name in BOUNDS]
    return (row.checkpoint, str(row.depth), str(row.width), *map(brief, numbers))


def _curve(rows: Sequence[Compared], name: str, along: str, fixed: str, value: int) -> tuple[list[Any], list[Any]]:
    spots = {getattr(row, along): row.relative[name] for row in rows if getattr(row, fixed) == value}
    return sorted(spots), [spots[x] for x in sorted(spots)]
