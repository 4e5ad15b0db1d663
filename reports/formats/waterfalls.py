"""Waterfalls of a derivation as inline SVG: the factor that each step loses."""

from __future__ import annotations

from markupsafe import Markup

from boundaudit.reports.document.document import Chain, Step
from boundaudit.reports.figures.drawing import FALSE, INK, LOSS, Drawing, Scale, width_of
from boundaudit.reports.wording import ratio_text, shortened

_WIDTH, _ROW, _TOP = 346.0, 36.0, 6.0
_LONGEST_NAME = 60


def waterfall(chain: Chain) -> Markup:
    """The loss of each step: log-scale bars from 1, whiskers from smallest to largest.

    Returns:
        An SVG element with a text alternative that names every factor.
    """
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
