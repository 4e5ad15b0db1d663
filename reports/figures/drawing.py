"""What figures share: scales with ticks, lines, points and words as inline SVG in the page's colours.

Colours are the page's variables, so that a figure follows light, dark and paper. Coordinates are rounded to a tenth of
a unit and lines thinned to what the eye can tell apart.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from markupsafe import Markup

INK, QUIET, LOSS, FALSE, LINE, PAPER = (
    f"var(--{name})" for name in ("ink", "quiet", "supported", "refuted", "line", "paper")
)
CURVES = tuple(f"var(--curve-{i})" for i in range(1, 7))
MOST_POINTS = 120
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_STEPS = (1, 2, 2.5, 5, 10)
_EVERY = 8
"""Whole numbers up to which an axis names each."""
Spot = tuple[float, float]
T = TypeVar("T")


def tick(value: float) -> str:
    """A number at an axis: ``0.01``, ``250``, ``10⁶``, ``2·10⁶``."""
    return f"{value:g}" if value == 0 or 1e-4 <= abs(value) < 1e5 else power(value)


def power(value: float) -> str:
    """A number as a power of ten: ``10⁶``, ``2·10⁻³``; 1 and 10 as they are."""
    if value in (1, 10):
        return f"{value:g}"
    mantissa, exponent = f"{value:.5e}".split("e")
    base = f"10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
    digits = f"{float(mantissa):g}"
    return {"1": base, "-1": f"-{base}"}.get(digits, f"{digits}·{base}")


@dataclass(frozen=True)
class Scale:
    """From values to units of a drawing."""

    low: float  # the smallest value, positive on a logarithmic scale
    high: float
    start: float  # where the smallest stands
    end: float  # where the largest stands
    log: bool = False
    whole: bool = False  # whether only whole numbers are ticks

    @classmethod
    def over(
        cls, values: Sequence[float], start: float, end: float, *, log: bool = False, whole: bool = False
    ) -> Scale:
        """A scale that shows all values, with a little room at both ends."""
        low, high = min(values), max(values)
        if log:
            room = math.exp(min(max(0.04 * (math.log(high) - math.log(low)), 0.01), 1.0))
            return cls(low / room, high * room, start, end, log=True)
        room = (high / 2 - low / 2) * 0.08 or abs(high) * 0.05 or 0.5
        return cls(low - room, high + room, start, end, whole=whole)

    def __call__(self, value: float) -> float:
        """Where a value stands."""
        if self.log:
            share = (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        else:
            share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Round values with their words: powers of ten on a long logarithmic scale."""
        decades = math.log10(self.high) - math.log10(self.low) if self.log else 0
        values = self._powers(decades, most) if decades >= 1 else self._steps(most)
        powers = self.log and decades >= 2 and (self.high >= 1e5 or self.low < 1e-4)
        return [(value, power(value) if powers else tick(value)) for value in values]

    def _powers(self, decades: float, most: int) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        every = max(1, math.ceil(decades / most))
        parts = (1, 2, 5) if decades < 2 else (1,)
        exponents = range(max(first, -307), min(last, 307) + 1)
        found = [part * 10.0**n for n in exponents if n % every == 0 for part in parts]
        return [value for value in found if self.low <= value <= self.high]

    def _steps(self, most: int) -> list[float]:
        rough = (self.high / most - self.low / most) or 1.0
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(part * unit for part in _STEPS if part * unit >= rough * (1 - 1e-9))
        if self.whole:
            step = 1.0 if self.high - self.low <= _EVERY else max(1.0, float(math.ceil(step)))
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [float(f"{i * step:.10g}") for i in range(first, last + 1)]


@dataclass
class Drawing:
    """An SVG figure that grows by lines, boxes and words."""

    width: float  # in units; 10 units of type stay readable on a phone up to 350
    height: float  # in units
    parts: list[Markup] = field(default_factory=list)  # what was drawn, in order

    def line(
        self, spots: Sequence[Spot], colour: str = INK, width: float = 1, dash: str = "", *, mark: bool = False
    ) -> None:
        """A line through spots; one of round dots with `mark`."""
        if not spots:
            return
        path = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in spots) if mark else "M" + "L".join(
            f"{_n(x)} {_n(y)}" for x, y in spots
        )  # fmt: skip
        more = Markup(' stroke-linecap="round"') if mark else Markup("")
        if dash:
            more += Markup(' stroke-dasharray="{}"').format(dash)
        self.parts.append(
            Markup('<path d="{}" fill="none" stroke="{}" stroke-width="{:g}"{}/>').format(path, colour, width, more)
        )

    def shape(self, path: str, fill: str, stroke: str = "none", opacity: float = 1) -> None:
        """A closed shape."""
        faint = Markup("") if opacity == 1 else Markup(' opacity="{:g}"').format(opacity)
        edge = Markup("") if stroke == "none" else Markup(' stroke="{}" stroke-width="1.4"').format(stroke)
        self.parts.append(Markup('<path d="{}" fill="{}"{}{}/>').format(path, fill, edge, faint))

    def box(self, x: float, y: float, width: float, height: float, fill: str, opacity: float = 1) -> None:
        """A filled rectangle."""
        self.shape(f"M{_n(x)} {_n(y)}h{_n(width)}v{_n(height)}h{_n(-width)}z", fill, opacity=opacity)

    def text(
        self, x: float, y: float, words: str, *, size: float = 10, colour: str = INK, anchor: str = "",
        bold: bool = False,
    ) -> None:  # fmt: skip
        """Words, their baseline at y."""
        more = Markup(' text-anchor="{}"').format(anchor) if anchor else Markup("")
        more += Markup(' font-weight="600"') if bold else Markup("")
        self.parts.append(
            Markup('<text x="{}" y="{}" font-size="{:g}" fill="{}"{}>{}</text>').format(
                _n(x), _n(y), size, colour, more, words
            )
        )

    def across(self, scale: Scale, top: float, bottom: float, name: str, most: int = 6) -> None:
        """A horizontal axis below, with thin lines at its ticks."""
        for value, words in scale.ticks(most):
            self.line([(scale(value), top), (scale(value), bottom)], LINE, 0.6)
            self.text(scale(value), bottom + 12, words, colour=QUIET, anchor="middle")
        self.line([(scale.start, bottom), (scale.end, bottom)], QUIET, 0.8)
        self.text((scale.start + scale.end) / 2, bottom + 26, name, anchor="middle")

    def upwards(self, scale: Scale, left: float, right: float, most: int = 5) -> None:
        """A vertical axis at the left, with thin lines at its ticks."""
        for value, words in scale.ticks(most):
            self.line([(left, scale(value)), (right, scale(value))], LINE, 0.6)
            self.text(left - 5, scale(value) + 3.5, words, colour=QUIET, anchor="end")
        self.line([(left, scale.start), (left, scale.end)], QUIET, 0.8)

    def svg(self, key: str, title: str, description: str) -> Markup:
        """The figure with a text alternative, the same bytes every time; no two in a page have one key."""
        name = "f" + hashlib.sha256(re.sub(r"[^\w.-]", "-", key).encode()).hexdigest()[:10]
        return Markup(
            '<svg class="figure" role="img" aria-labelledby="{0}t {0}d" viewBox="0 0 {1:g} {2:g}">'
            '<title id="{0}t">{3}</title><desc id="{0}d">{4}</desc>{5}</svg>'
        ).format(name, self.width, self.height, title, description, Markup("").join(self.parts))


def thinned(spots: Sequence[Spot]) -> list[Spot]:
    """A line with what the eye can tell apart: per stretch its lowest and highest spot, and its ends."""
    kept = list(dict.fromkeys((round(x, 1), round(y, 1)) for x, y in spots))
    if len(kept) <= MOST_POINTS:
        return kept
    inner, stretches = kept[1:-1], (MOST_POINTS - 2) // 2
    chosen = {0, len(kept) - 1}
    for i in range(stretches):
        part = range(i * len(inner) // stretches, (i + 1) * len(inner) // stretches)
        chosen |= {1 + min(part, key=lambda k: inner[k][1]), 1 + max(part, key=lambda k: inner[k][1])}
    return [kept[i] for i in sorted(chosen)]


def evenly(found: Sequence[T], most: int) -> list[T]:
    """At most so many, evenly chosen, the first and the last among them."""
    many = min(len(found), most)
    return [found[round(i * (len(found) - 1) / max(many - 1, 1))] for i in range(many)]


def width_of(words: str, size: float = 10) -> float:
    """About how wide words are."""
    return 0.56 * size * len(words)


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0").replace("-0.0", "0")
