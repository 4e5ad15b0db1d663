"""How a climb came to a counterexample: a step chart, and what changed at each step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from boundaudit.checks.evidence.evidence import Step
from boundaudit.reports.figures.drawing import FALSE, LOSS, Drawing, Scale, thinned
from boundaudit.reports.wording import brief_point, ratio_text, sides

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 346.0, 160.0, 48.0, 124.0


def climb_svg(label: str, path: Sequence[Step]) -> Markup:
    """The worst ratio so far against the evaluations it took, from two on; beyond 1 the claim is violated."""
    known = [(step.evaluations, ratio) for step in path if (ratio := step.worst.ratio) is not None]
    if len(known) < 2:
        return Markup("")
    xs, ys = [x for x, _ in known], [y for _, y in known]
    drawing = Drawing(_WIDTH, _HEIGHT)
    across = Scale.over(xs, _LEFT, _WIDTH - 8, log=0 < 30 * xs[0] < xs[-1], whole=True)
    upwards = Scale.over([*ys, 1.0], _BOTTOM, 6, log=min(ys) > 0 and max(ys) > 30 * min(ys))
    drawing.across(across, 6, _BOTTOM, "points of the climb")
    drawing.upwards(upwards, _LEFT, _WIDTH - 8)
    drawing.line([(_LEFT, upwards(1)), (_WIDTH - 8, upwards(1))], FALSE, 0.9, "4 2")
    spots = [(across(x), upwards(y)) for x, y in known]
    steps = [spots[0], *(spot for (_, y), after in pairwise(spots) for spot in ((after[0], y), after))]
    drawing.line(thinned(steps), LOSS, 1.5)
    drawing.line(thinned(spots), LOSS, 5, mark=True)
    told = f"from {ratio_text(ys[0])} after {xs[0]:,} points to {ratio_text(ys[-1])} after {xs[-1]:,}"
    words = f"The ratio of left to right along the climb, {told}. The dashed line is 1."
    return drawing.svg(f"climb-{label}", f"Climb to a counterexample of {label}", words)


def climb_rows(path: Sequence[Step]) -> list[tuple[str, str, str]]:
    """A row a step: points so far, the ratio, or both sides where there is none, and what changed."""
    rows, before = [], dict[str, object]()
    for step in path:
        point = step.worst.to_json()["point"]
        changed = {name: value for name, value in point.items() if before.get(name) != value}
        ratio = step.worst.ratio
        height = " against ".join(sides(step.worst.left, step.worst.right)) if ratio is None else ratio_text(ratio)
        rows.append((f"{step.evaluations:,}", height, brief_point(changed)))
        before = point
    return rows
