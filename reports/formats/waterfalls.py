"""Inline SVG of what came out: a paper's statements by state, and the factor that each step of a derivation loses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from boundaudit.checks.run.audit import Row
from boundaudit.reports.document.document import Chain, Step
from boundaudit.reports.figures.drawing import FALSE, INK, LOSS, QUIET, Drawing, Scale, width_of
from boundaudit.reports.formats.graph import state_class
from boundaudit.reports.wording import ratio_text, shortened

_WIDTH, _ROW, _TOP = 346.0, 36.0, 6.0
_LONGEST_NAME = 60
_STATEMENT, _NAME, _MOST = 14.0, 92.0, 1000.0
_BESIDE = 60.0


def waterfall(chain: Chain) -> Markup:
    """The loss of each step: log-scale bars from 1, whiskers from smallest to largest."""
    height = _TOP + _ROW * len(chain.steps)
    drawing = Drawing(_WIDTH, height + 32)
    ends = [f for step in chain.steps for f in (step.smallest, step.mean, step.largest) if f is not None and f > 0]
    words = max((width_of(_words(step, chain)) for step in chain.steps), default=0)
    scale = Scale.over([1.0, 1.1, *ends], 12, _WIDTH - 14 - words, log=True)
    drawing.across(scale, _TOP, height, "factor lost in the step; below 1 it is false", most=4)
    for row, step in enumerate(chain.steps):
        _draw_step(drawing, scale, _TOP + row * _ROW, step, chain)
    title = f"Waterfall of {chain.label}"
    return drawing.svg(f"waterfall-{chain.label}", title, _describe(chain))


def _draw_step(drawing: Drawing, scale: Scale, top: float, step: Step, chain: Chain) -> None:
    binding = step is chain.binding
    middle, one = top + 23, scale(1)
    name = f"{step.name} · {step.cites}" if step.cites else step.name
    drawing.text(2, top + 11, shortened(name, _LONGEST_NAME), size=9)
    drawing.line([(one, middle - 7), (one, middle + 7)], INK, 0.9)
    if step.mean is not None and step.mean > 0:
        start, end = sorted((one, scale(step.mean)))
        colour = LOSS if step.holds else FALSE
        drawing.box(start, middle - 6, end - start, 12, colour, 0.9 if binding else 0.5)
    if step.smallest is not None and step.largest is not None and step.smallest > 0:
        low, high = scale(step.smallest), scale(step.largest)
        drawing.line([(low, middle), (high, middle)], INK, 1)
        for end in (low, high):
            drawing.line([(end, middle - 3.5), (end, middle + 3.5)], INK, 1)
    furthest = max(scale(f) for f in (step.mean, step.largest, 1.0) if f is not None and f > 0)
    drawing.text(
        furthest + 6, middle + 3.5, _words(step, chain), colour=INK if step.holds else FALSE,
        bold=binding or not step.holds,
    )  # fmt: skip


def _words(step: Step, chain: Chain) -> str:
    return ratio_text(step.mean, 4) + ("" if step.holds else " false") + (" binding" if step is chain.binding else "")


def _describe(chain: Chain) -> str:
    parts = [f"{step.name}: {ratio_text(step.mean)}{'' if step.holds else ', false'}" for step in chain.steps]
    binding = f" Binding step: {chain.binding.name}." if chain.binding else ""
    return f"Geometric mean of the factor that each step loses. {'; '.join(parts)}.{binding}"


def outcomes(paper: str, rows: Sequence[Row]) -> Markup:
    """A paper's statements as squares by state, in its order, and by how much bounds of it are exceeded."""
    states = Counter(row.state for row in rows)
    exceeded = [(row.theorem.number, ratio) for row in rows if (ratio := row.excess) is not None]
    in_a_line = int(_WIDTH // _STATEMENT)
    top = _STATEMENT * -(-len(rows) // in_a_line) + 16
    height = top + _STATEMENT * len(exceeded)
    drawing = Drawing(_WIDTH, height + (38 if exceeded else 0))
    for state in states:
        places = (divmod(n, in_a_line) for n, row in enumerate(rows) if row.state == state)
        squares = (f"M{along * _STATEMENT:g} {down * _STATEMENT:g}h12v12h-12z" for down, along in places)
        drawing.shape("".join(squares), _colour(state))
    told = [(state, f"{state}: {n}") for state, n in states.items()]
    for n, (state, words) in enumerate(told):
        before = sum(width_of(w, 8) + 8 for _, w in told[:n])
        drawing.text(before, top - 5, words, size=8, colour=_colour(state), bold=True)
    if exceeded:
        _draw_excess(drawing, exceeded, top + 4, height + 4)
    by = "; ".join(f"{number}: {_times(ratio)}" for number, ratio in exceeded)
    return drawing.svg(
        f"outcomes-{paper}", f"Statements of {paper} by state",
        ", ".join(words for _, words in told) + (f". Largest ratio of left to right: {by}" if by else "") + ".",
    )  # fmt: skip


def _draw_excess(drawing: Drawing, exceeded: Sequence[tuple[str, float]], top: float, bottom: float) -> None:
    scale = Scale(1.0, _MOST, _NAME, _WIDTH - _BESIDE, log=True)
    drawing.across(scale, top, bottom, "left over right of what is false, the largest seen", most=4)
    for n, (number, ratio) in enumerate(exceeded):
        middle = top + (n + 0.5) * _STATEMENT
        end = scale(min(ratio, _MOST))
        drawing.text(_NAME - 6, middle + 3.5, number, size=9, anchor="end")
        drawing.box(_NAME, middle - 4, end - _NAME, 8, FALSE, 0.75)
        drawing.text(end + 4, middle + 3.5, _times(ratio), size=9, colour=INK if ratio < _MOST else QUIET)


def _times(ratio: float) -> str:
    """A ratio; beyond what is drawn it grows with the search, not with the statement."""
    return f"×{ratio_text(ratio, 3)}" if ratio < _MOST else f"over {_MOST:g}"


def _colour(state: str) -> str:
    return f"var(--{state_class(state)})"
