"""What figures share: the page's colours and type, axes, and a figure as inline SVG, the same bytes every time.

Colours are drawn as placeholders and handed to the page's palette, so that a figure follows light, dark
and paper.
"""

from __future__ import annotations

import hashlib
import io
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import matplotlib as mpl
import matplotlib.style
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import Locator, LogLocator, MaxNLocator, NullFormatter

_PALETTE = {
    "#010101": "var(--ink)",
    "#020202": "var(--quiet)",
    "#030303": "var(--supported)",
    "#040404": "var(--refuted)",
    "#050505": "var(--line)",
    "#060606": "var(--paper)",
    "#070101": "var(--curve-1)",
    "#070202": "var(--curve-2)",
    "#070303": "var(--curve-3)",
    "#070404": "var(--curve-4)",
    "#070505": "var(--curve-5)",
    "#070606": "var(--curve-6)",
}
INK, QUIET, LOSS, FALSE, LINE, PAPER, *CURVES = _PALETTE
_STYLE = {
    "svg.fonttype": "none",
    "path.simplify": False,
    "svg.hashsalt": "boundaudit",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@contextmanager
def canvas(width: float, height: float) -> Iterator[Figure]:
    """An empty figure in the style of the report; drawn and turned into SVG inside the block.

    Args:
        width: In inches; 10-point text stays readable on a phone up to 4.8.
        height: In inches.

    Yields:
        The figure.
    """
    with matplotlib.style.context(["default", _STYLE]):
        yield Figure(figsize=(width, height), layout="constrained")


def log_scale(axes: Axes, name: Literal["x", "y"]) -> None:
    """A logarithmic axis with plain numbers: round ones on a short axis, powers of ten on a long one.

    Args:
        axes: The axes, with all data drawn.
        name: Which axis.
    """
    axes.set(**{f"{name}scale": "log"})
    axis = axes.xaxis if name == "x" else axes.yaxis
    low, high = sorted(axis.get_view_interval())
    axis.set_major_locator(_log_ticks(math.log10(high) - math.log10(low)))
    powers = high >= 100 * low and (high >= 1e5 or low < 1e-4)
    axis.set_major_formatter(lambda value, _: power(value) if powers else tick(value))
    axis.set_minor_formatter(NullFormatter())


def _log_ticks(decades: float) -> Locator:
    if decades < 1:
        return MaxNLocator(5, steps=[1, 2, 2.5, 5, 10])
    return LogLocator(subs=(1, 2, 5) if decades < 2 else (1,))


def tick(value: float) -> str:
    """A number at an axis.

    Returns:
        ``0.01``, ``250``, ``10⁶``, ``2·10⁶``.
    """
    return f"{value:g}" if value == 0 or 1e-4 <= abs(value) < 1e5 else power(value)


def power(value: float) -> str:
    """A number as a power of ten.

    Returns:
        ``10⁶``, ``2·10⁻³``; 1 and 10 as they are.
    """
    if value in (1, 10):
        return f"{value:g}"
    mantissa, exponent = f"{value:.5e}".split("e")
    base = f"10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
    digits = f"{float(mantissa):g}"
    return {"1": base, "-1": f"-{base}"}.get(digits, f"{digits}·{base}")


def grid(axes: Axes, which: Literal["x", "y", "both"] = "x") -> None:
    """Thin lines behind the data.

    Args:
        axes: The axes.
        which: At the ticks of which axis.
    """
    axes.grid(axis=which, color=LINE, linewidth=0.6)
    axes.set_axisbelow(True)


def svg(figure: Figure, key: str, title: str, description: str) -> Markup:
    """A figure as an element of a page: own ids, the page's colours, a text alternative.

    Args:
        figure: The finished figure.
        key: What its ids begin with; unique in the page.
        title: Its name.
        description: What it shows, in words.

    Returns:
        The ``<svg>`` element, the same bytes every time.
    """
    buffer = io.StringIO()
    key = re.sub(r"[^\w.-]", "-", key)
    short = "f" + hashlib.sha256(key.encode()).hexdigest()[:8]
    with mpl.rc_context({"svg.hashsalt": key}):
        bare = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", metadata=bare)
    drawing = buffer.getvalue().partition("<svg")[2]
    drawing = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", drawing, flags=re.S)  # it would style the page
    drawing = re.sub(r'\bid="', f'id="{short}-', drawing)
    drawing = re.sub(r'(url\(#|href="#)', rf"\1{short}-", drawing)
    drawing = _compact(drawing)
    for placeholder, colour in _PALETTE.items():
        drawing = drawing.replace(placeholder, colour)
    opening, _, content = drawing.partition(">")
    opening = re.sub(r'(width|height)="([\d.]+)pt"', "", opening)
    frame = Markup('<svg class="figure" role="img" aria-labelledby="{0}-title {0}-desc"').format(key)
    words = Markup('<title id="{0}-title">{1}</title><desc id="{0}-desc">{2}</desc>').format(key, title, description)
    return Markup("".join([frame, opening, ">", words, content]))


def _compact(drawing: str) -> str:
    """The same drawing in fewer bytes: a tenth of a point is enough, and a mark's style is said once, at its shape."""
    places = re.compile(r'\b(?:d|x|y|transform)="[^"]*"')
    drawing = places.sub(lambda found: re.sub(r"(?<=\d\.\d)\d+", "", found[0]), drawing)
    drawing = re.sub(r"M ([\d.]+ [\d.]+) \nL \1 \n", r"M\1h0", drawing)  # a dot is a stroke without length
    drawing = re.sub(r"font-family: [^;\"]+", "font-family: sans-serif", drawing)
    uses = re.compile(r'(<use xlink:href="#([^"]+)"[^>]*?) style="([^"]*)"')
    styles: dict[str, set[str]] = {}
    for _, shape, style in uses.findall(drawing):
        styles.setdefault(shape, set()).add(style)
    for shape, found in styles.items():
        if len(found) == 1:
            name, style = re.escape(shape), min(found)
            drawing = re.sub(rf'(<path id="{name}"[^>]*?) style="[^"]*"', rf'\1 style="{style}"', drawing)
            drawing = re.sub(rf'(<use xlink:href="#{name}"[^>]*?) style="[^"]*"', r"\1", drawing)
    return drawing
