"""A study as a figure: one SVG per panel, so that panels stack on a phone, and the values behind the curves."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from markupsafe import Markup

from boundaudit.checks.records.study import Panel, Series
from boundaudit.reports.figures.drawing import CURVES, PAPER, Drawing, Scale, Spot, evenly, thinned
from boundaudit.reports.wording import count

Number = int | float
_WIDTH, _LEFT, _RIGHT, _AXES = 302.0, 44.0, 296.0, 150.0  # narrow, as two panels stand side by side on a desk
_LINE = 52  # characters that fit the width
_ROW = 13.0
_DASHES = ("", "5 2", "1.2 1.8", "6 2 1.2 2", "9 3")
_MARKERS = (
    "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", "m-2.7 -2.7h5.4v5.4h-5.4z", "m0 -3.4l3.2 5.8h-6.4z",
    "m0 -3.7l3.4 3.7l-3.4 3.7l-3.4 -3.7z", "m0 3.4l3.2 -5.8h-6.4z",
    "m-1.2 -3.2h2.4v2h2v2.4h-2v2h-2.4v-2h-2v-2.4h2z", "m-3 -3l6 6m0 -6l-6 6",
)  # fmt: skip
_MOST = 24  # x in the table of values
_SCALES = {
    "": "", "x": ", horizontal axis logarithmic", "y": ", vertical axis logarithmic", "xy": ", both axes logarithmic",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A study as it is shown: what it says, and the panels that the run computed."""

    label: str
    title: str
    caption: str = ""
    paper: str = ""
    place: Sequence[str] = ()
    claims: Sequence[str] = ()
    key: str = ""
    panels: Sequence[Panel]

    def to_json(self) -> dict[str, object]:
        """Plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, words: Mapping[str, Any], curves: Mapping[str, Any]) -> Self:
        """Read what the catalogue says and what the run recorded."""
        return cls(**{**words, **curves, "panels": [Panel.from_json(panel) for panel in curves["panels"]]})


@dataclass(frozen=True)
class Look:
    """How a series is told from the others: by colour, and without it by dash or marker."""

    colour: str
    dash: str
    marker: str


@dataclass(frozen=True)
class Axes:
    """Where a panel is drawn."""

    drawing: Drawing
    across: Scale
    upwards: Scale
    log: str

    def spot(self, x: Number, y: Number) -> Spot:
        """Where a point stands."""
        return self.across(x), self.upwards(y)


def panel_svg(study: Figure, index: int) -> Markup:
    """One panel of a study, with a text alternative that names every series with its first and last value."""
    panel, looks = study.panels[index], _looks(study)
    names = [textwrap.wrap(series.name, _LINE - 8) for series in _as_they_end(panel)]
    heading = textwrap.wrap(panel.y, _LINE)
    top = _ROW * len(heading) + 8
    legend = top + _AXES + 26 + _ROW * len(textwrap.wrap(panel.x, _LINE))
    drawing = Drawing(_WIDTH, legend + _ROW * sum(map(len, names)) + 2)
    for i, words in enumerate(heading):
        drawing.text(0, _ROW * (i + 1) - 3, words)
    axes = _axes(drawing, panel, top)
    if axes is None:
        drawing.text(_WIDTH / 2, top + _AXES / 2, "no values", anchor="middle")
    else:
        for series in panel.series:
            _draw(axes, series, looks[series.name])
    for i, words in enumerate(textwrap.wrap(panel.x, _LINE)):
        drawing.text((_LEFT + _RIGHT) / 2, top + _AXES + 26 + _ROW * i, words, anchor="middle")
    _legend(drawing, panel, looks, names, legend)
    return drawing.svg(f"study-{study.label}-{index + 1}", f"{study.title}: {panel.title}", _describe(panel))


def omitted(panel: Panel) -> str:
    """What a logarithmic axis cannot show, in one sentence; empty where everything is drawn."""
    missing = {
        series.name: sum(y is not None for y in series.y) - len(_drawn(series, panel.log)) for series in panel.series
    }
    told = [f"{count(n, 'value')} of {name}" for name, n in missing.items() if n]
    return f"Not positive, hence not on a logarithmic axis: {', '.join(told)}." if told else ""


def values(panel: Panel) -> list[list[str]]:
    """The numbers behind a panel, at no more than two dozen x: x, then each series with its interval."""
    cells = [_cells(series) for series in panel.series]
    return [[_text(x), *(known.get(x, "-") for known in cells)] for x in _chosen(panel)]


def _chosen(panel: Panel) -> list[Number]:
    """Some x: where there are too many, those of measurements if there are any."""
    every = sorted({x for series in panel.series for x in series.x})
    measured = sorted({x for series in panel.series if series.drawn == "points" for x in series.x})
    return evenly(every if len(every) <= _MOST else measured or every, _MOST)


def _cells(series: Series) -> dict[Number, str]:
    return {
        x: _text(y) + ("" if low is None and high is None else f" [{_text(low)}, {_text(high)}]")
        for x, y, low, high in _points(series)
    }


def _text(value: Number | None) -> str:
    """Six digits, and a large number in full."""
    return "-" if value is None else format(value, ".0f" if 1e6 <= abs(value) < 1e9 else ".6g")


def _looks(study: Figure) -> dict[str, Look]:
    """A series looks the same in every panel of its study."""
    names = dict.fromkeys(series.name for panel in study.panels for series in panel.series)
    return {
        name: Look(CURVES[i % len(CURVES)], _DASHES[i % len(_DASHES)], _MARKERS[i % len(_MARKERS)])
        for i, name in enumerate(names)
    }


def _points(series: Series) -> list[tuple[Number, Number | None, Number | None, Number | None]]:
    """x, y and both ends of the interval, in the order of x."""
    nothing = [None] * len(series.x)
    low, high = series.low or nothing, series.high or nothing
    return sorted(zip(series.x, series.y, low, high, strict=True), key=lambda point: point[0])


def _drawn(series: Series, log: str) -> list[tuple[Number, Number]]:
    """The points that the axes can show, in the order of x."""
    return [
        (x, y)
        for x, y, _, _ in _points(series)
        if y is not None and ("x" not in log or x > 0) and ("y" not in log or y > 0)
    ]


def _axes(drawing: Drawing, panel: Panel, top: float) -> Axes | None:
    """Axes that show all there is; None where that is nothing."""
    log = panel.log
    drawn = [spot for series in panel.series for spot in _drawn(series, log)]
    if not drawn:
        return None
    bars = [end for series in panel.series for _, *ends in _bars(series, log) for end in ends if end is not None]
    whole = all(isinstance(x, int) for series in panel.series for x in series.x)
    across = Scale.over([x for x, _ in drawn], _LEFT, _RIGHT, log="x" in log, whole=whole)
    upwards = Scale.over([y for _, y in drawn] + bars, top + _AXES, top, log="y" in log)
    drawing.across(across, top, top + _AXES, "")
    drawing.upwards(upwards, _LEFT, _RIGHT)
    return Axes(drawing, across, upwards, log)


def _draw(axes: Axes, series: Series, look: Look) -> None:
    drawing, bars = axes.drawing, _bars(series, axes.log)
    edge = axes.upwards.start  # of an interval that reaches to zero or below on a logarithmic axis
    ends = [(axes.across(x), axes.upwards(high), edge if low is None else axes.upwards(low)) for x, low, high in bars]
    if series.drawn == "points":
        for x, high, low in ends:
            drawing.line([(x, high), (x, low)], look.colour, 1.1)
        for x, y in thinned([axes.spot(x, y) for x, y in _drawn(series, axes.log)]):
            drawing.shape(f"M{x:.1f} {y:.1f}{look.marker}", PAPER, look.colour)
        return
    if ends:
        around = thinned([(x, high) for x, high, _ in ends]) + thinned([(x, low) for x, _, low in ends])[::-1]
        drawing.shape("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in around) + "z", look.colour, opacity=0.16)
    for stretch in _stretches(series, axes.log):
        spots = [axes.spot(x, y) for x, y in stretch]
        drawing.line(thinned(spots), look.colour, 4 if len(spots) == 1 else 1.7, look.dash, mark=len(spots) == 1)


def _stretches(series: Series, log: str) -> Iterator[list[tuple[Number, Number]]]:
    """The parts of a line between gaps."""
    shown = dict(_drawn(series, log))
    part: list[tuple[Number, Number]] = []
    for x, *_ in _points(series):
        if x in shown:
            part.append((x, shown[x]))
        elif part:
            yield part
            part = []
    if part:
        yield part


def _bars(series: Series, log: str) -> list[tuple[Number, Number | None, Number]]:
    """Intervals where the axes can show them: x and both ends; None for a lower end that is off the axis."""
    positive = "y" in log
    return [
        (x, low if low is not None and (low > 0 or not positive) else None, high)
        for x, y, low, high in _points(series)
        if y is not None and high is not None and (high > 0 or not positive) and (x > 0 or "x" not in log)
    ]


def _legend(drawing: Drawing, panel: Panel, looks: dict[str, Look], names: Sequence[Sequence[str]], top: float) -> None:
    """Below the axes, in the order in which the curves end, the highest first."""
    for series, lines in zip(_as_they_end(panel), names, strict=True):
        look = looks[series.name]
        if series.drawn == "points":
            drawing.shape(f"M13 {top + 2:.1f}{look.marker}", PAPER, look.colour)
        else:
            drawing.line([(0, top + 2), (26, top + 2)], look.colour, 1.7, look.dash)
        for words in lines:
            drawing.text(32, top + 5.5, words, size=9.5)
            top += _ROW


def _as_they_end(panel: Panel) -> list[Series]:
    def last(series: Series) -> float:
        return next((y for _, y, _, _ in reversed(_points(series)) if y is not None), float("-inf"))

    return sorted(panel.series, key=last, reverse=True)


def _describe(panel: Panel) -> str:
    told = [f"{series.name}{_ends(series)}" for series in panel.series]
    return " ".join([f"{panel.y} against {panel.x}{_SCALES[panel.log]}. {'; '.join(told)}.", omitted(panel)])


def _ends(series: Series) -> str:
    """The first and the last value of a series in words."""
    known = [(x, y) for x, y, _, _ in _points(series) if y is not None]
    if not known:
        return " has no values"
    (x, y), (last_x, last_y) = known[0], known[-1]
    first = f" is {_text(y)} at {_text(x)}"
    return first if len(known) == 1 else f" from{first.removeprefix(' is')} to {_text(last_y)} at {_text(last_x)}"
