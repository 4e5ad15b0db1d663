"""One statement among those it is derived from and those that are derived from it, as a small drawing of links."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from boundaudit.reports.document import FALLEN, Document, Page, theorems_by_number

_WIDTH, _HEIGHT, _GAP, _DROP, _ACROSS = 116, 30, 6, 26, 3
_LONG = 16  # letters that fit into a box
_FULL = _ACROSS * (_WIDTH + _GAP) - _GAP
_CLASSES = {
    "stands": "proved", "stands in some readings": "undecided", "falls": "refuted",
    "falls in every reading we could recover": "refuted",
}  # fmt: skip
Edge = tuple[str, str]


def state_class(state: str) -> str:
    """The class of the page's style sheet that colours a theorem's state.

    Returns:
        The class of a verdict.
    """
    return _CLASSES.get(state, "not-testable")


def lineage(document: Document, page: Page, href: Callable[[Page], str]) -> Markup:
    """A theorem's ancestors above it and its descendants below it, each a link to its page.

    Args:
        document: What knows the others.
        page: The page of the theorem.
        href: Where a page is.

    Returns:
        The SVG element; empty where nothing is connected with the theorem.
    """
    if page.row is None:
        return Markup("")
    pages = theorems_by_number(document, page.row.theorem)
    parents = {
        name: [n for n in found.row.theorem.derived_from if n in pages] for name, found in pages.items() if found.row
    }
    focus = page.row.theorem.number
    above, below = _reached(focus, parents), _reached(focus, _turned(parents))
    if not above and not below:
        return Markup("")
    members = [n for n in pages if n in above or n == focus or n in below]
    edges = [(a, b) for b in members for a in parents[b] if a in members]
    spots = _spots(_layers(members, edges))
    height = max(y for _, y in spots.values()) + _HEIGHT
    lines = Markup("").join(_line(spots, edge, fallen=_falls(pages[edge[0]])) for edge in _without_shortcuts(edges))
    boxes = Markup("").join(_box(pages[n], spots[n], href, here=n == focus) for n in members)
    words = f"{focus}, above it {len(above)} that it is derived from, below it {len(below)} that are derived from it"
    return Markup(
        '<svg class="lineage" role="group" aria-label="{}" width="{}" viewBox="-2 -2 {} {}">{}{}</svg>'
    ).format(words, _FULL + 4, _FULL + 4, height + 4, lines, boxes)


def _falls(page: Page) -> bool:
    return page.row is not None and page.row.state in FALLEN


def _turned(parents: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    turned: dict[str, list[str]] = {name: [] for name in parents}
    for name, above in parents.items():
        for parent in above:
            turned[parent].append(name)
    return turned


def _reached(start: str, step: Mapping[str, Sequence[str]]) -> set[str]:
    """All that steps lead to, the start left out."""
    seen, open_ = set[str](), [start]
    while open_:
        new = [name for name in step[open_.pop()] if name not in seen]
        seen.update(new)
        open_.extend(new)
    return seen - {start}


def _layers(members: Sequence[str], edges: Sequence[Edge]) -> list[list[str]]:
    """Each statement below all it is derived from."""
    depth = dict.fromkeys(members, 0)
    for _ in members:  # at most as many rounds as a longest path, in a circle too
        for above, below in edges:
            depth[below] = max(depth[below], min(depth[above] + 1, len(members)))
    return [layer for level in range(len(members) + 1) if (layer := [n for n in members if depth[n] == level])]


def _spots(layers: Sequence[Sequence[str]]) -> dict[str, tuple[float, float]]:
    """Upper left corners, rows of at most three in the middle of the drawing."""
    spots: dict[str, tuple[float, float]] = {}
    y = 0.0
    for layer in layers:
        for start in range(0, len(layer), _ACROSS):
            row = layer[start : start + _ACROSS]
            left = (_FULL - len(row) * (_WIDTH + _GAP) + _GAP) / 2
            spots |= {name: (left + i * (_WIDTH + _GAP), y) for i, name in enumerate(row)}
            y += _HEIGHT + 8
        y += _DROP - 8
    return spots


def _without_shortcuts(edges: Sequence[Edge]) -> list[Edge]:
    """The edges that no longer way replaces."""
    ways: dict[str, list[str]] = {name: [] for edge in edges for name in edge}
    for above, below in edges:
        ways[above].append(below)
    return [(a, b) for a, b in edges if not any(b in _reached(c, ways) for c in ways[a] if c != b)]


def _line(spots: Mapping[str, tuple[float, float]], edge: Edge, *, fallen: bool) -> Markup:
    (x, y), (to_x, to_y) = spots[edge[0]], spots[edge[1]]
    x, y, to_x = x + _WIDTH / 2, y + _HEIGHT, to_x + _WIDTH / 2
    middle = (y + to_y) / 2
    return Markup('<path class="way{}" d="M{:g} {:g}C{:g} {:g} {:g} {:g} {:g} {:g}"/>').format(
        " falls" if fallen else "", x, y, x, middle, to_x, middle, to_x, to_y
    )


def _box(page: Page, corner: tuple[float, float], href: Callable[[Page], str], *, here: bool) -> Markup:
    row = page.row
    assert row is not None
    number = row.theorem.number
    squeezed = (
        Markup(' textLength="{}" lengthAdjust="spacingAndGlyphs"').format(_WIDTH - 8) if len(number) > _LONG else ""
    )
    words = Markup('<title>{}: {}</title><rect width="{}" height="{}" rx="5"/><text x="{}" y="19"{}>{}</text>').format(
        page.title, row.state, _WIDTH, _HEIGHT, _WIDTH // 2, squeezed, number
    )
    classes = state_class(row.state) + (" here" if here else "")
    box = Markup('<g class="{}" transform="translate({:g} {:g})">{}</g>').format(classes, *corner, words)
    return box if here else Markup('<a href="{}">{}</a>').format(href(page), box)
