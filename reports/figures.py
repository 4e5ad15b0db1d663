"""Waterfalls of a derivation and tightness plots as inline SVG."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from matplotlib.axes import Axes

from boundaudit.reports.document import Chain, Step
from boundaudit.reports.drawing import FALSE, INK, LOSS, canvas, grid, log_scale, svg
from boundaudit.reports.wording import as_float, ratio_text

_WIDTH = 4.8  # inches: its 10-point text stays readable when a phone shrinks the figure
_LONGEST_NAME = 60


def waterfall(chain: Chain) -> Markup:
    """The loss of each step of a derivation: log-scale bars from 1, whiskers from smallest to largest.

    Returns:
        An SVG element with a text alternative that names every factor.
    """
    steps = chain.steps
    with canvas(_WIDTH, 0.7 + 0.52 * len(steps)) as figure:
        axes = figure.add_subplot()
        for row, step in enumerate(steps):
            _draw_step(axes, row, step, binding=step is chain.binding)
        log_scale(axes, "x")
        axes.set_yticks([])
        axes.set_ylim(len(steps) - 0.5, -0.75)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("factor lost in the step; below 1 it is false")
        grid(axes)
        title = f"Waterfall of {chain.record['label']}"
        return svg(figure, f"waterfall-{chain.record['label']}", title, _describe_steps(chain))


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
    with canvas(_WIDTH, 2.4) as figure:
        axes = figure.add_subplot()
        _draw_points(axes, xs, ys)
        axes.axhline(1, color=FALSE, linewidth=0.9, linestyle="--")
        if _spans(xs, 30):
            log_scale(axes, "x")
        if _spans(ys, 100):
            log_scale(axes, "y")
        axes.set_xlabel(curve["parameter"])
        axes.set_ylabel("left / right")
        grid(axes)
        description = f"The ratio of left to right against {curve['parameter']}, {len(points)} points"
        if points:
            most, least = max(points, key=lambda p: p[1]), min(points, key=lambda p: p[1])
            description += f", from {ratio_text(least[1])} at {least[0]:g} to {ratio_text(most[1])} at {most[0]:g}"
        return svg(figure, f"tightness-{label}", f"Tightness of {label}", description + ". The dashed line is 1.")


def _draw_points(axes: Axes, xs: list[float], ys: list[float]) -> None:
    """Dots as one path of strokes without length, a fifth of the bytes of as many marks."""
    gap = float("nan")
    flat = [[part for value in values for part in (value, value, gap)] for values in (xs, ys)]
    axes.plot(*flat, color=LOSS, linewidth=3, alpha=0.55, solid_capstyle="round")


def _draw_step(axes: Axes, row: int, step: Step, *, binding: bool) -> None:
    colour = LOSS if step.holds else FALSE
    name = step.name if step.cites is None else f"{step.name} · {step.cites}"
    axes.text(0, row - 0.36, _shortened(name), transform=axes.get_yaxis_transform(), va="center", size=9)
    axes.plot([1, 1], [row - 0.2, row + 0.2], color=INK, linewidth=0.9)
    if step.mean is not None:
        axes.barh(row, step.mean - 1, left=1, height=0.34, color=colour, alpha=0.9 if binding else 0.5)
    if step.smallest is not None and step.largest is not None:
        axes.plot([step.smallest, step.largest], [row, row], color=INK, linewidth=1, marker="|", markersize=7)
    words = ratio_text(step.mean) + (" false" if not step.holds else " binding" if binding else "")
    axes.annotate(
        words,
        (max(filter(None, (step.mean, step.largest, 1.0))), row),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=INK if step.holds else FALSE,
        fontweight="bold" if binding or not step.holds else "normal",
    )


def _spans(values: list[float], factor: float) -> bool:
    return bool(values) and min(values) > 0 and max(values) / min(values) > factor


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _describe_steps(chain: Chain) -> str:
    parts = [f"{step.name}: {ratio_text(step.mean)}{'' if step.holds else ', false'}" for step in chain.steps]
    binding = f" Binding step: {chain.binding.name}." if chain.binding else ""
    return f"Geometric mean of the factor that each step loses. {'; '.join(parts)}.{binding}"
