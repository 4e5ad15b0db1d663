"""A phase diagram: one number over two parameters, as shades of a grid with the same numbers in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from boundaudit.reports.figures.drawing import FALSE, INK, LOSS, QUIET, Drawing, Scale

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM, _LEGEND = 302.0, 44.0, 296.0, 22.0, 172.0, 214.0
_FAINTEST = 0.06


@dataclass(frozen=True)
class Phase:
    """A number on a grid, both of whose axes are logarithmic."""

    title: str
    x: str  # the name of the horizontal parameter
    y: str  # of the vertical one
    xs: Sequence[float]  # its values, rising by a factor
    ys: Sequence[float]  # those of the vertical one
    values: Sequence[Sequence[float | None]]  # rows by ``ys``; None where there is none
    unstable: Sequence[Sequence[bool]]  # the same shape: whether replica symmetry breaks there
    least: bool  # whether the least value of each column is marked

    @property
    def best(self) -> list[int | None]:
        """The row of the least value in each column."""
        columns = [
            [(row[i], k) for k, row in enumerate(self.values) if row[i] is not None] for i in range(len(self.xs))
        ]
        return [min(found)[1] if found else None for found in columns]


def phase_svg(phase: Phase) -> Markup:
    """The grid, the darker the larger, by logarithms where values span a decade; crosses where symmetry breaks."""
    drawing = Drawing(_WIDTH, _LEGEND + 30)
    drawing.text(0, 10, phase.y)
    (xs, wide), (ys, high) = ((values, (values[1] / values[0]) ** 0.5) for values in (phase.xs, phase.ys))
    across = Scale(xs[0] / wide, xs[-1] * wide, _LEFT, _RIGHT, log=True)
    upwards = Scale(ys[0] / high, ys[-1] * high, _BOTTOM, _TOP, log=True)
    known = [value for row in phase.values for value in row if value is not None]
    low, top = min(known, default=0.0), max(known, default=1.0)
    height = Scale(low, top if top > low else low + 1, _FAINTEST, 1, log=0 < 10 * low < top)
    for x, y, k, i in ((x, y, k, i) for k, y in enumerate(ys) for i, x in enumerate(xs)):
        value = phase.values[k][i]
        if value is None:
            continue
        left, upper = across(x / wide), upwards(y * high)
        drawing.box(left, upper, across(x * wide) - left, upwards(y / high) - upper, LOSS, round(height(value), 2))
        if phase.unstable[k][i]:
            drawing.text(across(x), upwards(y) + 3, "×", colour=FALSE, anchor="middle")
    spots = phase.least * [(across(x), upwards(ys[k])) for x, k in zip(xs, phase.best, strict=True) if k is not None]
    drawing.line(spots, INK, 4, mark=True)
    drawing.across(across, _BOTTOM, _BOTTOM, phase.x)
    drawing.upwards(upwards, _LEFT, _LEFT)
    _legend(drawing, low, top)
    drawing.text(0, _LEGEND + 18, "•: least of a column; " * phase.least + "×: replica symmetry breaks", size=9.5)
    words = f"{phase.title} over {phase.x} and {phase.y}, from {low:.4g} to {top:.4g}."
    return drawing.svg(f"phase-{phase.title}-{phase.y}", phase.title, words)


def _legend(drawing: Drawing, low: float, high: float) -> None:
    for step in range(10):
        share = round(_FAINTEST + (1 - _FAINTEST) * step / 9, 2)
        drawing.box(2 * _LEFT + 12 * step, _LEGEND - 9, 12, 9, LOSS, share)
    drawing.text(2 * _LEFT - 5, _LEGEND, f"{low:.3g}", colour=QUIET, anchor="end")
    drawing.text(2 * _LEFT + 125, _LEGEND, f"{high:.3g}", colour=QUIET)
