"""Where a sweep found violations of a refuted claim, in one sentence and as a table of shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boundaudit.checks.evidence.findings import Findings
from boundaudit.reports.wording import brief_point, count, number, relation

_SIGNS = {"<=": ">", ">=": "<"}


@dataclass(frozen=True)
class Cell:
    """The points of one bin: how many violate, how many there are, and how many of them are near equality."""

    violates: int
    points: int
    near: int

    @property
    def share(self) -> float:
        """Share that violates, for the colour; of a bin without points zero."""
        return self.violates / self.points if self.points else 0.0

    @property
    def text(self) -> str:
        """The share in percent; nothing where there are no points."""
        return percent(self.violates, self.points) if self.points else ""

    @property
    def words(self) -> str:
        """The counts behind the share."""
        near = f", {self.near} near equality" if self.near else ""
        return f"{self.violates:,} of {self.points:,}{near}"


@dataclass(frozen=True)
class Heat:
    """A table of shares: names of its axes, labels of rows and columns, cells by row."""

    rows: str
    columns: str
    down: Sequence[str]
    across: Sequence[str]
    cells: Sequence[Sequence[Cell]]


def sentence(found: Findings) -> str:
    """Where the sweep of a refuted claim found violations: what was seen, not a region that is proved.

    Args:
        found: What was found about the claim.

    Returns:
        One sentence, or two where points lie near equality; empty where there is nothing to say.
    """
    region = found.region
    if not region or not region["points"]:
        return ""
    swept = f"{region['points']:,} swept points"
    if not region["violates"]:
        near = f"; what was found lies near {brief_point(found.witness.to_json()['point'])}" if found.witness else ""
        told = f"At none of {swept}{near}."
    elif region["violates"] == region["points"]:
        told = f"At all {swept}."
    else:
        told = _split(region, swept)
    near = f" {count(region['near'], 'point')} within rounding of equality." if region["near"] else ""
    return told + near


def _split(region: Mapping[str, Any], swept: str) -> str:
    free, dense, rest = region["free"], region["dense"], {"violates": region["violates"], "points": region["points"]}
    if free is None:
        told = f"At {percent(rest['violates'], rest['points'])} of {swept}"
        return f"{told}, {_most(dense)} with {_condition(region, dense)}." if dense else f"{told}."
    rest["points"] -= free["points"]
    beyond = _condition(region, {**free, "relation": _SIGNS[free["relation"]]})
    none = f"none at the {free['points']:,} with {_condition(region, free)} (an edge of this sweep, not of the claim)"
    if dense is None:
        return f"At {_most(rest)} of {swept} with {beyond}; {none}."
    return f"At {_most(dense)} of {swept} with {beyond} and {_condition(region, dense)}; {none}."


def _most(rule: Mapping[str, Any]) -> str:
    """All of a part or its share."""
    if rule["violates"] == rule["points"]:
        return f"all {rule['points']:,}"
    return f"{percent(rule['violates'], rule['points'])} of the {rule['points']:,}"


def _condition(region: Mapping[str, Any], rule: Mapping[str, Any]) -> str:
    """A rule in words: one value reads as such, and what is beyond a value as the next one that was tried."""
    axis = next(axis for axis in region["parameters"] if axis["name"] == rule["parameter"])
    sign, value = rule["relation"], rule["value"]
    if sign == "<":
        sign, value = "<=", max(end for end in axis["to"] if end < value)
    elif sign == ">":
        sign, value = ">=", min(end for end in axis["from"] if end > value)
    only = axis["from"][0] if sign == "<=" else axis["to"][-1]
    if value == only:
        sign = "="
    named = axis["named"][axis["from"].index(value)] if axis["named"] else ""
    return f"{axis['name']} {relation(sign)} {_short(value)}" + (f" ({named})" if named else "")


def heat(region: Mapping[str, Any] | None) -> Heat | None:
    """The map over the two parameters that tell most.

    Args:
        region: What the receipt holds; None where there is nothing.

    Returns:
        The table; None where all points violate or none does, or only one parameter varies.
    """
    if not region or not region["map"]:
        return None
    found = region["map"]
    down, across = (_labels(region, found[name]) for name in ("rows", "columns"))
    cells = [
        [Cell(v, v + n + h, n) for v, n, h in zip(*row, strict=True)]
        for row in zip(found["violates"], found["near"], found["holds"], strict=True)
    ]
    return Heat(found["rows"], found["columns"], down, across, cells)


def strips(region: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, Cell]]]]:
    """Each parameter by itself.

    Args:
        region: What the receipt holds.

    Returns:
        Its name, and label and counts of each bin.
    """
    found = []
    for axis in region["parameters"]:
        counts = zip(axis["violates"], axis["near"], axis["holds"], strict=True)
        cells = [Cell(v, v + n + h, n) for v, n, h in counts]
        found.append((axis["name"], list(zip(_labels(region, axis["name"]), cells, strict=True))))
    return found


def _labels(region: Mapping[str, Any], name: str) -> list[str]:
    axis = next(axis for axis in region["parameters"] if axis["name"] == name)
    if axis["named"]:
        return list(axis["named"])
    if not all(isinstance(end, int) for end in (*axis["from"], *axis["to"])):
        return [f"≤ {_short(high)}" for high in axis["to"]]
    pairs = zip(axis["from"], axis["to"], strict=True)
    return [str(low) if low == high else f"{low}–{high}" for low, high in pairs]


def _short(value: float) -> str:
    return number(value) if isinstance(value, int) else f"{value:.3g}"


def percent(part: int, whole: int) -> str:
    """A share that reads as all or nothing only where it is.

    Returns:
        Such as ``93 %``, ``<1 %``, ``>99 %``.
    """
    share = 100 * part / whole
    if 0 < share < 1:
        return "<1 %"
    return ">99 %" if 99 < share < 100 else f"{share:.0f} %"
