"""What a run keeps of a study: its panels as plain JSON, whole, and bound to the code that computed them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.evidence import finite
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.faults import told
from boundaudit.checks.records.provenance import code_of
from boundaudit.checks.records.study import Panel, Series, Setting, Study

MOST_PANELS = 6
Number = int | float


def study_key(study: Study) -> str:
    """A hash of the code that computes a study's curves; those under another key are stale."""
    return digest([study.label, code_of(study.compute)])


def record(study: Study, setting: Setting) -> dict[str, object]:
    """Compute a study: label, key and panels as plain JSON; numbers that do not exist or are infinite are None.

    Raises:
        InputError: where it does not run, or its panels cannot be drawn.
    """
    code = getattr(study.compute, "__code__", None)
    field = f"{study.label} ({code.co_filename}:{code.co_firstlineno})" if code else study.label
    try:
        panels = [replace(panel, series=list(map(_plain, panel.series))) for panel in study.compute(setting)]
    except BaseException as error:
        if isinstance(error, (InputError, KeyboardInterrupt)):
            raise
        raise InputError(field, "a study that runs", told(error), "correct the study") from error
    _check(field, panels)
    return {"label": study.label, "key": study_key(study), "panels": [panel.to_json() for panel in panels]}


def _plain(series: Series) -> Series:
    low, high = (None if end is None else _numbers(end) for end in (series.low, series.high))
    return replace(series, x=_numbers(series.x), y=_numbers(series.y), low=low, high=high)


def _numbers(values: Sequence[Any]) -> list[Any]:
    return [_number(value) for value in values]


def _number(value: Any) -> Number | None:
    """A number of any library as JSON knows it."""
    if value is None or isinstance(value, Integral):
        return None if value is None else int(value)
    return None if math.isnan(value) else finite(float(value))


def _check(field: str, panels: Sequence[Panel]) -> None:
    """What a figure needs of its panels."""
    _require(field, 1 <= len(panels) <= MOST_PANELS, f"1 to {MOST_PANELS} panels", len(panels))
    for panel in panels:
        names = [series.name for series in panel.series]
        where = f"{field}, panel {panel.title!r}"
        _require(where, panel.log in ("", "x", "y", "xy"), "log axes '', 'x', 'y' or 'xy'", panel.log)
        _require(where, bool(names) and len(set(names)) == len(names), "series of different names", names)
        for series in panel.series:
            _check_series(f"{where}, series {series.name!r}", series)


def _check_series(field: str, series: Series) -> None:
    x, y, low, high = series.x, series.y, series.low, series.high
    _require(field, bool(x) and None not in x and len(set(x)) == len(x), "different finite x, at least one", x)
    _require(field, len(y) == len(x), "as many y as x", len(y))
    _require(field, (low is None) == (high is None), "both ends of the intervals or none", "one")
    _require(field, series.drawn in ("line", "points"), "drawn as line or points", series.drawn)
    if low is not None and high is not None:
        _require(field, len(low) == len(high) == len(x), "an interval for each x", f"{len(low)} and {len(high)}")
        outside = [at for at, *ends in zip(x, low, y, high, strict=True) if not _ordered(*ends)]
        _require(field, not outside, "low ≤ y ≤ high", f"otherwise at x = {outside}")


def _ordered(low: Number | None, value: Number | None, high: Number | None) -> bool:
    ends = [end for end in (low, value, high) if end is not None]
    return ends == sorted(ends)


def _require(field: str, holds: bool, expected: str, got: object) -> None:
    if not holds:
        raise InputError(field, expected, got, "correct the study")
