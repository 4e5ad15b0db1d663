"""A study as a figure: one SVG per panel, so that panels stack on a phone, and the values behind the curves."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from boundaudit.reports.drawing import CURVES, INK, PAPER, canvas, grid, log_scale, svg, tick
from boundaudit.reports.wording import count

Number = int | float
_WIDTH = 4.2  # inches: narrower than other figures, as two panels stand side by side on a desk
_LINE = 52  # characters that fit the width
_DASHES = ("-", (0, (5, 2)), (0, (1.2, 1.6)), (0, (6, 2, 1.2, 2)), (0, (9, 3)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_ROWS = 8
_SCALES = {
    "": "", "x": ", horizontal axis logarithmic", "y": ", vertical axis logarithmic", "xy": ", both axes logarithmic",
}  # fmt: skip


@dataclass(frozen=True)
class Look:
    """How a series is told from the others: by colour, and without it by dash or marker."""

    colour: str
    dash: Any
    marker: str


def panel_svg(study: dict[str, Any], index: int) -> Markup:
    """One panel of a study.

    Args:
        study: What the run recorded.
        index: Which of its panels.

    Returns:
        An SVG element with a text alternative that names every series with its first and last value.
    """
    panel, looks = study["panels"][index], _looks(study)
    names = [textwrap.fill(series["name"], _LINE - 8) for series in _as_they_end(panel)]
    columns = 2 if len(names) > 2 and max(map(len, names)) <= _LINE // 2 - 6 else 1
    lines = sum(name.count("\n") + 1 for name in names) / columns
    with canvas(_WIDTH, 2.6 + 0.19 * lines) as figure:
        axes = figure.add_subplot()
        for series in panel["series"]:
            _draw(axes, series, looks[series["name"]], panel["log"])
        _scale(axes, panel)
        for series in panel["series"]:
            _draw_open_intervals(axes, series, looks[series["name"]], panel["log"])
        axes.set_xlabel(textwrap.fill(panel["x"], _LINE))
        axes.set_title(textwrap.fill(panel["y"], _LINE), loc="left", fontsize=10, color=INK)
        _legend(figure, panel, looks, names, columns)
        title = f"{study['title']}: {panel['title']}"
        return svg(figure, f"study-{study['label']}-{index + 1}", title, _describe(panel))


def omitted(panel: dict[str, Any]) -> str:
    """What a logarithmic axis cannot show.

    Returns:
        One sentence; empty where everything is drawn.
    """
    missing = {series["name"]: _known(series) - len(_drawn(series, panel["log"])) for series in panel["series"]}
    told = [f"{count(n, 'value')} of {name}" for name, n in missing.items() if n]
    return f"Not positive, hence not on a logarithmic axis: {', '.join(told)}." if told else ""


def values(panel: dict[str, Any], digits: int = 6) -> list[list[str]]:
    """The numbers behind a panel.

    Args:
        panel: What the run recorded.
        digits: Significant ones.

    Returns:
        One row per x: x, then each series in turn, with its interval where it has one.
    """
    return list(_rows(panel, sorted({x for series in panel["series"] for x in series["x"]}), digits))


def few_values(panel: dict[str, Any]) -> list[list[str]]:
    """The same at no more than eight x, those of measurements where there are any.

    Args:
        panel: What the run recorded.

    Returns:
        Rows as `values` gives them, four digits.
    """
    measured = {x for series in panel["series"] if series["drawn"] == "points" for x in series["x"]}
    found = sorted(measured or {x for series in panel["series"] for x in series["x"]})
    kept = min(len(found), _ROWS)
    chosen = [found[round(i * (len(found) - 1) / max(kept - 1, 1))] for i in range(kept)]
    return list(_rows(panel, chosen, 4))


def _rows(panel: dict[str, Any], xs: Sequence[Number], digits: int) -> Iterator[list[str]]:
    cells = [_cells(series, digits) for series in panel["series"]]
    for x in xs:
        yield [_text(x, digits), *(known.get(x, "-") for known in cells)]


def _cells(series: dict[str, Any], digits: int) -> dict[Number, str]:
    return {x: _text(y, digits) + _interval(low, high, digits) for x, y, low, high in _points(series)}


def _interval(low: Number | None, high: Number | None, digits: int) -> str:
    return "" if low is None and high is None else f" [{_text(low, digits)}, {_text(high, digits)}]"


def _text(value: Number | None, digits: int) -> str:
    if value is None:
        return "-"
    return format(value, ".0f" if 10**digits <= abs(value) < 1e9 else f".{digits}g")


def _looks(study: dict[str, Any]) -> dict[str, Look]:
    """A series looks the same in every panel of its study."""
    names = dict.fromkeys(series["name"] for panel in study["panels"] for series in panel["series"])
    return {
        name: Look(CURVES[i % len(CURVES)], _DASHES[i % len(_DASHES)], _MARKERS[i % len(_MARKERS)])
        for i, name in enumerate(names)
    }


def _points(series: dict[str, Any]) -> list[tuple[Number, Number | None, Number | None, Number | None]]:
    """x, y and both ends of the interval, in the order of x."""
    nothing = [None] * len(series["x"])
    low, high = series["low"] or nothing, series["high"] or nothing
    return sorted(zip(series["x"], series["y"], low, high, strict=True), key=lambda point: point[0])


def _known(series: dict[str, Any]) -> int:
    return sum(y is not None for y in series["y"])


def _drawn(series: dict[str, Any], log: str) -> list[tuple[Number, Number]]:
    """The points that the axes can show, in the order of x."""
    return [
        (x, y)
        for x, y, _, _ in _points(series)
        if y is not None and ("x" not in log or x > 0) and ("y" not in log or y > 0)
    ]


def _draw(axes: Axes, series: dict[str, Any], look: Look, log: str) -> None:
    shown, points = dict(_drawn(series, log)), _points(series)
    xs, ys = [x for x, *_ in points], [shown.get(x, float("nan")) for x, *_ in points]
    at, low, high = _bars(series, log)
    if series["drawn"] == "points":
        axes.vlines(at, low, high, color=look.colour, linewidth=1.1)
        axes.plot(xs, ys, **_marks(look))
        return
    axes.fill_between(at, low, high, color=look.colour, alpha=0.16, linewidth=0)
    axes.plot(xs, ys, color=look.colour, linestyle=look.dash, linewidth=1.7)
    near = [{*xs[max(i - 1, 0) : i], *xs[i + 1 : i + 2]} for i in range(len(xs))]
    alone = [x for x, others in zip(xs, near, strict=True) if x in shown and not others & set(shown)]
    axes.plot(alone, [shown[x] for x in alone], color=look.colour, linestyle="none", marker=".")


def _bars(series: dict[str, Any], log: str) -> tuple[list[Number], list[Number], list[Number]]:
    """Intervals where the axes can show them: x and both ends; one that reaches to zero or below starts higher."""
    positive = "y" in log
    bars = [
        (x, next(end for end in (low, y, high) if end is not None and (end > 0 or not positive)), high)
        for x, y, low, high in _points(series)
        if y is not None and high is not None and (high > 0 or not positive) and (x > 0 or "x" not in log)
    ]
    return [x for x, _, _ in bars], [low for _, low, _ in bars], [high for _, _, high in bars]


def _draw_open_intervals(axes: Axes, series: dict[str, Any], look: Look, log: str) -> None:
    """Intervals that reach to zero or below on a logarithmic axis go down to its edge."""
    below = {x for x, _, low, _ in _points(series) if low is not None and low <= 0}
    at, starts, _ = _bars(series, log)
    if "y" in log and below:
        bottom, top = axes.get_ylim()
        ends = [(x, start) for x, start in zip(at, starts, strict=True) if x in below]
        axes.vlines([x for x, _ in ends], bottom, [start for _, start in ends], color=look.colour, linewidth=1.1)
        axes.set_ylim(bottom, top)


def _marks(look: Look) -> dict[str, Any]:
    return {
        "linestyle": "none", "marker": look.marker, "markersize": 5.5, "markerfacecolor": PAPER,
        "markeredgecolor": look.colour, "markeredgewidth": 1.4, "zorder": 3,
    }  # fmt: skip


def _scale(axes: Axes, panel: dict[str, Any]) -> None:
    if not any(_drawn(series, panel["log"]) for series in panel["series"]):
        axes.text(0.5, 0.5, "no values", transform=axes.transAxes, ha="center", va="center")
        axes.set(xticks=[], yticks=[])
        return
    grid(axes, "both")
    whole = all(isinstance(x, int) for series in panel["series"] for x in series["x"])
    axes.xaxis.set_major_locator(MaxNLocator(7, integer=whole))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: tick(value))
    for name in panel["log"]:
        log_scale(axes, "x" if name == "x" else "y")


def _legend(figure: Figure, panel: dict[str, Any], looks: dict[str, Look], names: list[str], columns: int) -> None:
    """Below the axes, in the order in which the curves end, the highest first."""
    handles = [_handle(series, looks[series["name"]]) for series in _as_they_end(panel)]
    figure.legend(
        handles, names, loc="outside lower left", ncols=columns, frameon=False, fontsize=9.5, handlelength=2.6,
        borderpad=0, borderaxespad=0.2, labelspacing=0.35, columnspacing=1.4,
    )  # fmt: skip


def _handle(series: dict[str, Any], look: Look) -> Line2D:
    if series["drawn"] == "points":
        return Line2D([], [], **_marks(look))
    return Line2D([], [], color=look.colour, linestyle=look.dash, linewidth=1.7)


def _as_they_end(panel: dict[str, Any]) -> list[dict[str, Any]]:
    def last(series: dict[str, Any]) -> float:
        return next((y for _, y, _, _ in reversed(_points(series)) if y is not None), float("-inf"))

    return sorted(panel["series"], key=last, reverse=True)


def _describe(panel: dict[str, Any]) -> str:
    told = [f"{series['name']}{_ends(series)}" for series in panel["series"]]
    return " ".join([f"{panel['y']} against {panel['x']}{_SCALES[panel['log']]}. {'; '.join(told)}.", omitted(panel)])


def _ends(series: dict[str, Any]) -> str:
    """The first and the last value of a series in words."""
    known = [(x, y) for x, y, _, _ in _points(series) if y is not None]
    if not known:
        return " has no values"
    (x, y), (last_x, last_y) = known[0], known[-1]
    first = f" is {_text(y, 6)} at {_text(x, 6)}"
    return first if len(known) == 1 else f" from{first.removeprefix(' is')} to {_text(last_y, 6)} at {_text(last_x, 6)}"
