"""A sweep in words and as a scatter of its sample: the left side against the right one."""

from __future__ import annotations

import math
from typing import TypeGuard

from markupsafe import Markup

from boundaudit.checks.evidence.sweep_table import Sample, Swept
from boundaudit.reports.figures.drawing import FALSE, INK, LOSS, Drawing, Scale
from boundaudit.reports.wording import brief_point, count, ratio_text, sides

MOST_DRAWN = 2000
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 346.0, 310.0, 52.0, 20.0, 278.0
_SPREAD = 30
"""How many times the smallest value the largest must be for axes to be logarithmic."""


def counted(swept: Swept) -> str:
    """How a sweep ended, in one sentence."""
    what = "points, all of its domain" if swept.whole_domain else "points of its domain"
    told = f"Swept at {swept.points:,} {what}: it holds at {swept.holds:,} and is violated at {swept.violations:,}"
    silent = f"; {count(swept.without_value, 'point')} without a value" if swept.without_value else ""
    return f"{told}{silent}."


def worst_case(swept: Swept) -> str:
    """The worst case of a sweep, in one sentence; empty where there is none."""
    worst = swept.worst
    if worst is None:
        return ""
    left, right = sides(worst.left, worst.right)
    ratio = "" if worst.ratio is None else f", ratio {ratio_text(worst.ratio)}"
    certain = {True: "; it holds there in ball arithmetic", False: "; confirmed in ball arithmetic", None: ""}
    told = certain[swept.holds_there] if swept.violations else ""
    return f"Worst at {brief_point(worst.to_json()['point'])}: {left} against {right}{ratio}{told}."


def scatter(sample: Sample) -> Markup:
    """The sampled points and the worst, if any is finite: right side across, left side upwards, on one scale."""
    worst = sample.swept.worst
    rows = [*sample.rows, *([] if worst is None else [(worst.left, worst.right, not sample.swept.violations)])]
    found = [(left, right, holds) for left, right, holds in rows if _is_finite(left) and _is_finite(right)]
    if not found:
        return Markup("")
    values = [side for left, right, _ in found for side in (left, right)]
    log = min(values) > 0 and max(values) > _SPREAD * min(values)
    across, upwards = Scale.over(values, _LEFT, _WIDTH - 8, log=log), Scale.over(values, _BOTTOM, _TOP, log=log)
    drawing = Drawing(_WIDTH, _HEIGHT)
    drawing.text(2, 11, "left side")
    drawing.across(across, _TOP, _BOTTOM, "right side")
    drawing.upwards(upwards, _LEFT, _WIDTH - 8)
    drawing.line([(across(end), upwards(end)) for end in (min(values), max(values))], INK, 0.9, "4 2")
    for colour, violated in ((LOSS, False), (FALSE, True)):
        spots = [(across(right), upwards(left)) for left, right, holds in found if (holds is False) is violated]
        drawing.line(list(dict.fromkeys((round(x, 1), round(y, 1)) for x, y in spots)), colour, 2.6, mark=True)
    axes = ", both axes logarithmic" if log else ""
    words = f"The left side (upwards) against the right side at {count(len(found), 'point')} of a sweep{axes}. "
    words += "On the dashed line both are equal."
    return drawing.svg(f"sweep-{sample.swept.label}", f"Sweep of {sample.swept.label}", words)


def _is_finite(side: float | None) -> TypeGuard[float]:
    return side is not None and math.isfinite(side)
