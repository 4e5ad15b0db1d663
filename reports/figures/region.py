"""Where a sweep found violations of a refuted claim, in one sentence and as a table of shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.region_record import Counts, Parameter, Part, Region
from boundaudit.reports.wording import brief_point, count, greek, number, relation

_SIGNS = {"<=": ">", ">=": "<"}


class Cell(Counts):
    """The counts of one bin, and how they are shown."""

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
    """Where the sweep of a refuted claim found violations, in words, if anywhere: what was seen, nothing proved."""
    region = found.region
    if region is None or not region.counts.points:
        return ""
    violates, points = region.counts.violates, region.counts.points
    swept = f"{points:,} swept points"
    if not violates:
        near = f"; what was found lies near {brief_point(found.witness.to_json()['point'])}" if found.witness else ""
        told = f"At none of {swept}{near}."
    elif violates == points:
        told = f"At all {swept}." if points > 1 else "At the one point that was swept."
    else:
        told = _split(region, swept)
    near = f" {count(region.counts.near, 'point')} within rounding of equality." if region.counts.near else ""
    return greek(told) + near


def _split(region: Region, swept: str) -> str:
    free, dense, violates, points = region.free, region.dense, region.counts.violates, region.counts.points
    densest = _most(dense.violates, dense.points) if dense else ""
    if free is None:
        told = f"At {percent(violates, points)} of {swept}"
        return f"{told}, {densest} with {_condition(region, dense)}." if dense else f"{told}."
    beyond = _condition(region, replace(free, relation=_SIGNS[free.relation]))
    none = f"none of the {free.points:,} with {_condition(region, free)}; where exactly it begins a sweep cannot say"
    if dense is None:
        return f"Of {swept} {_most(violates, points - free.points)} with {beyond} violate it, {none}."
    return f"Of {swept} {densest} with {beyond} and {_condition(region, dense)} violate it, {none}."


def _most(violates: int, points: int) -> str:
    """All of a part or its share."""
    return f"all {points:,}" if violates == points else f"{percent(violates, points)} of the {points:,}"


def _condition(region: Region, part: Part) -> str:
    """A part in words: one value reads as such, and what is beyond a value as the next one that was tried."""
    bins = _named(region, part.parameter).bins
    sign, value = part.relation, part.value
    if sign == "<":
        sign, value = "<=", max(found.high for found in bins if found.high < value)
    elif sign == ">":
        sign, value = ">=", min(found.low for found in bins if found.low > value)
    only = bins[0].low if sign == "<=" else bins[-1].high
    if value == only:
        sign = "="
    named = next((found.named for found in bins if found.named and found.low == value), "")
    return f"{part.parameter} {relation(sign)} {_short(value)}" + (f" ({named})" if named else "")


def _named(region: Region, name: str) -> Parameter:
    return next(found for found in region.parameters if found.name == name)


def heat(region: Region | None) -> Heat | None:
    """The map over the two parameters that tell most, where some points violate and two vary."""
    if region is None or region.map is None:
        return None
    found = region.map
    down, across = (_labels(_named(region, name)) for name in (found.rows, found.columns))
    return Heat(found.rows, found.columns, down, across, [[Cell(*counts) for counts in row] for row in found.counts])


def strips(region: Region) -> list[tuple[str, list[tuple[str, Cell]]]]:
    """Each parameter by itself: its name, and label and counts of each bin."""
    return [
        (axis.name, list(zip(_labels(axis), (Cell(*found.counts) for found in axis.bins), strict=True)))
        for axis in region.parameters
    ]


def _labels(axis: Parameter) -> list[str]:
    whole = all(isinstance(end, int) for found in axis.bins for end in (found.low, found.high))
    spans = ("–".join(dict.fromkeys((str(found.low), str(found.high)))) for found in axis.bins)
    return [
        found.named or (span if whole else f"≤ {_short(found.high)}")
        for found, span in zip(axis.bins, spans, strict=True)
    ]


def _short(value: float) -> str:
    return number(value) if isinstance(value, int) else f"{value:.3g}"


def percent(part: int, whole: int) -> str:
    """A share that reads as all or nothing only where it is: ``93 %``, ``<1 %``, ``>99 %``."""
    share = 100 * part / whole
    if 0 < share < 1:
        return "<1 %"
    return ">99 %" if 99 < share < 100 else f"{share:.0f} %"
