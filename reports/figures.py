"""Figures as inline SVG: waterfalls of a derivation and tightness plots, the same bytes every time.

Colours are drawn as placeholders and handed to the page's palette, so that a figure follows light, dark
and paper.
"""

from __future__ import annotations

import io
import re
from typing import Any, Literal

import matplotlib as mpl
import matplotlib.style
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from boundaudit.reports.document import Chain, Step
from boundaudit.reports.wording import as_float, ratio_text

_PALETTE = {
    "#010101": "var(--ink)",
    "#020202": "var(--quiet)",
    "#030303": "var(--supported)",
    "#040404": "var(--refuted)",
    "#050505": "var(--line)",
}
_INK, _QUIET, _LOSS, _FALSE, _LINE = _PALETTE
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "boundaudit",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _INK,
    "text.parse_math": False,
    "axes.edgecolor": _QUIET,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _QUIET,
    "ytick.color": _INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_WIDTH = 4.8  # inches: its 10-point text stays readable when a phone shrinks the figure
_LONGEST_NAME = 60


def waterfall(chain: Chain) -> Markup:
    """The loss of each step of a derivation: log-scale bars from 1, whiskers from smallest to largest.

    Returns:
        An SVG element with a text alternative that names every factor.
    """
    steps = chain.steps
    with matplotlib.style.context(["default", _STYLE]):
        figure = Figure(figsize=(_WIDTH, 0.7 + 0.52 * len(steps)), layout="constrained")
        axes = figure.add_subplot()
        for row, step in enumerate(steps):
            _draw_step(axes, row, step, binding=step is chain.binding)
        _log_scale(axes, "x")
        axes.set_yticks([])
        axes.set_ylim(len(steps) - 0.5, -0.75)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("factor lost in the step; below 1 it is false")
        _grid(axes)
        title = f"Waterfall of {chain.record['label']}"
        return _svg(figure, f"waterfall-{chain.record['label']}", title, _describe_steps(chain))


def tightness(label: str, curve: dict[str, Any]) -> Markup:
    """The ratio of left to right along one parameter; 1 is where the bound is attained.

    Args:
        label: The claim's label.
        curve: ``{"parameter": name, "points": [[x, ratio], ...]}``.

    Returns:
        An SVG element with a text alternative that gives the smallest and the largest ratio.
    """
    read = [(as_float(x), as_float(y)) for x, y in curve["points"]]
    points = [(x, y) for x, y in read if x is not None and y is not None]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    with matplotlib.style.context(["default", _STYLE]):
        figure = Figure(figsize=(_WIDTH, 2.4), layout="constrained")
        axes = figure.add_subplot()
        axes.scatter(xs, ys, color=_LOSS, s=9, alpha=0.55, linewidths=0)
        axes.axhline(1, color=_FALSE, linewidth=0.9, linestyle="--")
        if _spans(xs, 30):
            _log_scale(axes, "x")
        if _spans(ys, 100):
            _log_scale(axes, "y")
        axes.set_xlabel(curve["parameter"])
        axes.set_ylabel("left / right")
        _grid(axes)
        description = f"The ratio of left to right against {curve['parameter']}, {len(points)} points"
        if points:
            most, least = max(points, key=lambda p: p[1]), min(points, key=lambda p: p[1])
            description += f", from {ratio_text(least[1])} at {least[0]:g} to {ratio_text(most[1])} at {most[0]:g}"
        return _svg(figure, f"tightness-{label}", f"Tightness of {label}", description + ". The dashed line is 1.")


def _draw_step(axes: Axes, row: int, step: Step, *, binding: bool) -> None:
    colour = _LOSS if step.holds else _FALSE
    name = step.name if step.cites is None else f"{step.name} · {step.cites}"
    axes.text(0, row - 0.36, _shortened(name), transform=axes.get_yaxis_transform(), va="center", size=9)
    axes.plot([1, 1], [row - 0.2, row + 0.2], color=_INK, linewidth=0.9)
    if step.mean is not None:
        axes.barh(row, step.mean - 1, left=1, height=0.34, color=colour, alpha=0.9 if binding else 0.5)
    if step.smallest is not None and step.largest is not None:
        axes.plot([step.smallest, step.largest], [row, row], color=_INK, linewidth=1, marker="|", markersize=7)
    words = ratio_text(step.mean) + (" false" if not step.holds else " binding" if binding else "")
    axes.annotate(
        words,
        (max(filter(None, (step.mean, step.largest, 1.0))), row),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=_INK if step.holds else _FALSE,
        fontweight="bold" if binding or not step.holds else "normal",
    )


def _log_scale(axes: Axes, name: Literal["x", "y"]) -> None:
    """A logarithmic axis with plain numbers: 1, 2, 5, 10 on a short one, powers of ten on a long one."""
    axes.set(**{f"{name}scale": "log"})
    axis = axes.xaxis if name == "x" else axes.yaxis
    low, high = sorted(axis.get_view_interval())
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter(NullFormatter())


def _grid(axes: Axes) -> None:
    axes.grid(axis="x", color=_LINE, linewidth=0.6)
    axes.set_axisbelow(True)


def _spans(values: list[float], factor: float) -> bool:
    return bool(values) and min(values) > 0 and max(values) / min(values) > factor


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _describe_steps(chain: Chain) -> str:
    parts = [f"{step.name}: {ratio_text(step.mean)}{'' if step.holds else ', false'}" for step in chain.steps]
    binding = f" Binding step: {chain.binding.name}." if chain.binding else ""
    return f"Geometric mean of the factor that each step loses. {'; '.join(parts)}.{binding}"


def _svg(figure: Figure, key: str, title: str, description: str) -> Markup:
    """The figure as an element of a page: own ids, the page's colours, a text alternative."""
    buffer = io.StringIO()
    key = re.sub(r"[^\w.-]", "-", key)
    with mpl.rc_context({"svg.hashsalt": key}):
        bare = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", metadata=bare)
    drawing = buffer.getvalue().partition("<svg")[2]
    drawing = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", drawing, flags=re.S)  # it would style the page
    drawing = re.sub(r'\bid="', f'id="{key}-', drawing)
    drawing = re.sub(r'(url\(#|href="#)', rf"\1{key}-", drawing)
    for placeholder, colour in _PALETTE.items():
        drawing = drawing.replace(placeholder, colour)
    opening, _, content = drawing.partition(">")
    opening = re.sub(r'(width|height)="([\d.]+)pt"', "", opening)
    frame = Markup('<svg class="figure" role="img" aria-labelledby="{0}-title {0}-desc"').format(key)
    words = Markup('<title id="{0}-title">{1}</title><desc id="{0}-desc">{2}</desc>').format(key, title, description)
    return Markup("".join([frame, opening, ">", words, content]))
