"""The dependency graph as SVG: border = reading, fill = verdict, tick = stands with all its ancestors."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

import networkx as nx
from markupsafe import Markup

from boundaudit.reports.document import READINGS, VERDICTS
from boundaudit.reports.layout import HEIGHT, WIDTH, Layout, place
from boundaudit.reports.wording import count

_MARGIN = 8
_KEY_COLUMN, _KEY_ROW = 112, 22  # three columns fit a phone
_LINE = 22  # characters of a label in one line of a box
_ABSENT = "not in this run"
_LINK = Markup('<a href="#{}" tabindex="-1">{}</a>')
_BOX = Markup(
    '<g class="{classes}" transform="translate({corner})"><title>{words}</title>{frame}'
    '<text x="10" y="{first_y}">{first}</text><text x="10" y="30">{second}</text>'
    '<text class="verdict" x="10" y="45">{verdict}</text></g>'
)
_KEY_ENTRY = Markup('<g transform="translate({:g} {:g})">{}<text x="34" y="12">{}</text></g>')


def graph_svg(graph: nx.DiGraph) -> Markup:
    """The graph as a part of a page: each box leads to the claim's section, colours are the page's.

    Args:
        graph: As `boundaudit.reports.document.dependency_graph` builds it, or an induced part of it.

    Returns:
        The SVG element.
    """
    return _drawing(graph, style=_css("graph.css"), linked=True)


def graph_file(graph: nx.DiGraph) -> str:
    """The graph as a file of its own, light or dark as the reader's screen.

    Returns:
        The text of an SVG file.
    """
    return str(_drawing(graph, style=_css("palette.css") + _css("graph.css"), linked=False)) + "\n"


def anchor(label: str) -> str:
    """The name of a claim's section, of letters that need no quoting in a link.

    Returns:
        ``claim-sharpness.theorem_10``.
    """
    return "claim-" + re.sub(r"[^\w.-]", "-", label)


def _css(name: str) -> Markup:
    return Markup(resources.files("boundaudit.reports").joinpath("templates", name).read_text(encoding="utf-8"))


def _drawing(graph: nx.DiGraph, *, style: Markup, linked: bool) -> Markup:
    layout = place(graph)
    key, top = _key(graph)
    width, height = layout.width + 2 * _MARGIN, top + layout.height + 2 * _MARGIN
    lines = Markup("\n").join(_lines(graph, layout))
    boxes = Markup("\n").join(_box(label, graph.nodes[label], layout, linked) for label in layout.corners)
    return Markup(
        '<svg class="graph" role="img" aria-labelledby="graph-title graph-desc" '
        'xmlns="http://www.w3.org/2000/svg" width="{0:g}" height="{1:g}" viewBox="0 0 {0:g} {1:g}">\n'
        '<title id="graph-title">Dependency graph</title><desc id="graph-desc">{2}</desc>\n'
        "<style>\n{3}</style>\n{4}\n"
        '<g transform="translate({5} {6:g})">\n{7}\n{8}\n</g>\n</svg>'
    ).format(width, height, _description(graph), style, key, _MARGIN, top + _MARGIN, lines, boxes)


def _description(graph: nx.DiGraph) -> str:
    fully = sum(node["stands_fully"] for _, node in graph.nodes(data=True))
    falls = sum(node["falls"] for _, node in graph.nodes(data=True))
    return (
        f"{count(len(graph), 'claim')}, {count(graph.size(), 'line')}; lines lead down from a claim to those "
        f"that rest on it. {fully} stand with all they rest on; {falls} are refuted or rest on a refuted "
        "claim. The same relations are listed in the section of each claim."
    )


def _lines(graph: nx.DiGraph, layout: Layout) -> Iterator[Markup]:
    for source, (x, y), (to_x, to_y), ends in layout.paths:
        falls = " falls" if graph.nodes[source]["falls"] else ""
        middle = (y + to_y) / 2
        lane = "" if ends else f" v{HEIGHT:g}"
        yield Markup('<path class="line{}" d="M{:g} {:g} C{:g} {:g} {:g} {:g} {:g} {:g}{}"/>').format(
            falls, x, y, x, middle, to_x, middle, to_x, to_y, lane
        )
        if ends:
            yield Markup('<path class="tip{}" d="M{:g} {:g} l-4 -7 h8 z"/>').format(falls, to_x, to_y)


def _box(label: str, node: dict[str, Any], layout: Layout, linked: bool) -> Markup:
    verdict = node["verdict"] or _ABSENT
    words = f"{label}: {verdict}"
    if node["stands_fully"]:
        words += ", and so stands all it rests on"
    if node["reading"]:
        words += f"; reading: {node['reading']}"
    first, second = _two_lines(label)
    box = _BOX.format(
        classes=f"{_slug(verdict)} {_slug(node['reading'])}" if node["verdict"] else "absent",
        corner="{:g} {:g}".format(*layout.corners[label]),
        words=words,
        frame=_frame(WIDTH, HEIGHT, tick=node["stands_fully"]),
        first=first,
        first_y=16 if second else 21,
        second=second,
        verdict=verdict,
    )
    return _LINK.format(anchor(label), box) if linked and node["verdict"] else box


def _frame(width: float, height: float, *, tick: bool) -> Markup:
    mark = Markup('<path class="fully" d="M{:g} {:g} l4 5 l8 -10"/>').format(width - 20, height - 10) if tick else ""
    return Markup('<rect width="{:g}" height="{:g}" rx="6"/>{}').format(width, height, mark)


def _two_lines(label: str) -> tuple[str, str]:
    """A label broken after a point, dash or underscore; its middle is left out where it is too long."""
    if len(label) <= _LINE:
        return label, ""
    if len(label) > 2 * _LINE:
        label = label[: _LINE - 2] + "…" + label[-_LINE + 2 :]
    breaks = [match.end() for match in re.finditer(r"[._…-]", label) if len(label) - _LINE <= match.end() <= _LINE]
    cut = breaks[0] if breaks else _LINE
    return label[:cut], label[cut:]


def _key(graph: nx.DiGraph) -> tuple[Markup, float]:
    """The legend, with the verdicts and readings that occur, and its height."""
    verdicts = {node["verdict"] for _, node in graph.nodes(data=True)}
    readings = {node["reading"] for _, node in graph.nodes(data=True)}
    shown = [verdict for verdict in VERDICTS if verdict in verdicts]
    fills = [(_swatch(_slug(verdict)), verdict) for verdict in shown]
    if None in verdicts:
        fills.append((_swatch("absent"), _ABSENT))
    borders = [(_swatch(_slug(reading)), reading) for reading in READINGS if reading in readings]
    fallen = Markup('<path class="line falls" d="M0 8 h26"/>')
    marks = [
        (_swatch("", tick=True), "stands, and so does all it rests on"),
        (fallen, "rests on a refuted claim"),
    ]
    parts, y = [], 16.0
    for heading, entries, columns in (
        ("Fill: verdict", fills, 3),
        ("Border: reading", borders, 3),
        ("Marks", marks, 1),
    ):
        parts.append(Markup('<text x="{}" y="{:g}" class="verdict">{}</text>').format(_MARGIN, y, heading))
        for i, (swatch, words) in enumerate(entries):
            x, down = _MARGIN + (i % columns) * _KEY_COLUMN, y + 8 + (i // columns) * _KEY_ROW
            parts.append(_KEY_ENTRY.format(x, down, swatch, words))
        y += 20 + _KEY_ROW * math.ceil(len(entries) / columns)
    return Markup("\n").join(parts), y


def _swatch(classes: str, *, tick: bool = False) -> Markup:
    return Markup('<g class="{}">{}</g>').format(classes, _frame(26, 16, tick=tick))


def _slug(words: str) -> str:
    return words.replace(" ", "-")
