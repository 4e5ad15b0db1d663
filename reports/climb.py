"""How a climb came to a counterexample: a step chart, and what changed at each step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from boundaudit.reports.drawing import FALSE, LOSS, canvas, grid, log_scale, svg
from boundaudit.reports.wording import brief_point, ratio_text, sides

_WIDTH = 4.8


def climb_svg(label: str, path: Sequence[dict[str, Any]]) -> Markup:
    """The worst ratio so far against the evaluations it took; beyond 1 the claim is violated.

    Args:
        label: The claim's label.
        path: The steps of its evidence.

    Returns:
        An SVG element with a text alternative; empty where fewer than two steps have a ratio.
    """
    known = [(step["evaluations"], step["ratio"]) for step in path if step["ratio"] is not None]
    if len(known) < 2:
        return Markup("")
    xs, ys = [x for x, _ in known], [y for _, y in known]
    with canvas(_WIDTH, 2.2) as figure:
        axes = figure.add_subplot()
        axes.axhline(1, color=FALSE, linewidth=0.9, linestyle="--")
        axes.plot(xs, ys, color=LOSS, linewidth=1.5, marker="o", markersize=4, drawstyle="steps-post")
        if xs[-1] > 30 * xs[0]:
            log_scale(axes, "x")
        if min(ys) > 0 and max(ys) > 30 * min(ys):
            log_scale(axes, "y")
        axes.set_xlabel("points of the climb")
        axes.set_ylabel("left / right")
        grid(axes)
        told = f"from {ratio_text(ys[0])} after {xs[0]:,} points to {ratio_text(ys[-1])} after {xs[-1]:,}"
        words = f"The ratio of left to right along the climb, {told}. The dashed line is 1."
        return svg(figure, f"climb-{label}", f"Climb to a counterexample of {label}", words)


def climb_rows(path: Sequence[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The steps as a table.

    Args:
        path: The steps of the evidence.

    Returns:
        Points so far; the ratio, or both sides where there is none; and the parameters that changed since the row
        before.
    """
    rows, before = [], dict[str, Any]()
    for step in path:
        changed = {name: value for name, value in step["point"].items() if before.get(name) != value}
        height = " against ".join(sides(step["left"], step["right"]))
        if step["ratio"] is not None:
            height = ratio_text(step["ratio"])
        rows.append((f"{step['evaluations']:,}", height, brief_point(changed)))
        before = step["point"]
    return rows
