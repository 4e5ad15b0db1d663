"""What rests on what: theorems or claims among those they are derived from and those that are derived from them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from markupsafe import Markup

from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.run.audit import Audited, Row
from boundaudit.reports.document.document import FALLEN, Document, Page, theorems_by_number
from boundaudit.reports.wording import titled

_HEIGHT, _GAP, _DROP = 30, 6, 26
_NARROW, _LETTER = 116, 7  # the width of a box, and of a letter in a wider one
_LONG = 16  # letters that fit into a narrow box
_LONGEST = 60  # letters that are drawn in full
_CLASSES = {
    **dict.fromkeys(STANDING, "proved"), "vacuous": "undecided", "undecided": "undecided", "refuted": "refuted",
    "stands": "proved", "stands in part": "undecided", **dict.fromkeys(FALLEN, "refuted"),
}  # fmt: skip
Edge = tuple[str, str]


@dataclass(frozen=True)
class Node:
    """A theorem or a claim in a graph."""

    key: str  # what identifies it: a label, or a number with its paper
    kind: str  # theorem or claim
    name: str  # what its box says
    title: str
    state: str  # a theorem's state or a claim's verdict

    @property
    def falls(self) -> bool:
        """Whether what rests on it falls with it."""
        return self.state in (*FALLEN, "refuted")


@dataclass(frozen=True)
class Graph:
    """What rests on what."""

    nodes: Mapping[str, Node]  # by key
    parents: Mapping[str, Sequence[str]]  # by key what each rests on directly; keys of nodes alone
    focus: tuple[str, ...] = ()  # the keys that the graph is about; none where it is about all

    @classmethod
    def of(cls, found: Iterable[tuple[Node, Iterable[str]]]) -> Graph:
        """From nodes and what they rest on, whether it is among them or not."""
        pairs = {node.key: (node, list(dict.fromkeys(above))) for node, above in found}
        parents = {key: [name for name in above if name in pairs] for key, (_, above) in pairs.items()}
        return cls({key: node for key, (node, _) in pairs.items()}, parents)

    def around(self, *focus: str) -> Graph:
        """Some nodes with their ancestors and descendants."""
        kept = {*focus}.union(*(_reached(name, step) for name in focus for step in (self.parents, self._children)))
        nodes = {key: node for key, node in self.nodes.items() if key in kept}
        parents = {key: [name for name in self.parents[key] if name in kept] for key in nodes}
        return Graph(nodes, parents, focus)

    @functools.cached_property
    def _children(self) -> dict[str, list[str]]:
        turned: dict[str, list[str]] = {name: [] for name in self.parents}
        for name, above in self.parents.items():
            for parent in above:
                turned[parent].append(name)
        return turned

    @property
    def edges(self) -> list[Edge]:
        """What is rested on, and what rests on it."""
        return [(above, below) for below in self.nodes for above in self.parents[below]]

    @property
    def ancestors(self) -> list[str]:
        """What the focus rests on, directly or not, in the order of the nodes."""
        return self._along(self.parents)

    @property
    def descendants(self) -> list[str]:
        """What rests on the focus, directly or not, in the order of the nodes."""
        return self._along(self._children)

    def _along(self, step: Mapping[str, Sequence[str]]) -> list[str]:
        found = set[str]().union(*(_reached(name, step) for name in self.focus))
        return [name for name in self.nodes if name in found]

    def to_json(self) -> dict[str, object]:
        """Focus, nodes and edges, ``from`` what is rested on ``to`` what rests on it."""
        return {
            "focus": list(self.focus), "ancestors": self.ancestors, "descendants": self.descendants,
            "nodes": [
                {"id": node.key, "kind": node.kind, "name": node.name, "title": node.title, "state": node.state}
                for node in self.nodes.values()
            ],
            "edges": [{"from": above, "to": below} for above, below in self.edges],
        }  # fmt: skip


def theorem_graph(rows: Iterable[Row]) -> Graph:
    """The statements of papers by label, each resting on those that its proof uses."""
    found = {(row.theorem.paper, row.theorem.number): row for row in rows}
    return Graph.of(
        (
            Node(row.theorem.label, "theorem", row.theorem.number, titled(row.theorem), row.state),
            [found[paper, name].theorem.label for name in row.theorem.derived_from if (paper, name) in found],
        )
        for (paper, _), row in found.items()
    )


def claim_graph(claims: Iterable[Audited]) -> Graph:
    """Claims by label, each resting on those that it names; a case that is rested on means its claim."""
    return Graph.of(
        (
            Node(found.claim.label, "claim", found.claim.label, found.claim.statement, found.verdict),
            [label.partition("[")[0] for label in found.claim.rests_on],
        )
        for found in claims
    )


def lineage(document: Document, page: Page, href: Callable[[Page], str]) -> Markup:
    """A theorem's ancestors above it and its descendants below it, if any, each a link to its page."""
    if page.row is None:
        return Markup("")
    pages = [found for found in theorems_by_number(document, page.row.theorem).values() if found.row is not None]
    graph = theorem_graph(found.row for found in pages if found.row).around(page.row.theorem.label)
    if not graph.edges:
        return Markup("")
    return drawing(graph, {found.row.theorem.label: href(found) for found in pages if found.row})


def state_class(state: str) -> str:
    """The class of the page's style sheet that colours a theorem's state."""
    return _CLASSES.get(state, "not-testable")


def to_dot(graph: Graph) -> str:
    """The graph for Graphviz, what is rested on above what rests on it."""
    nodes = [
        f"  {_quoted(node.key)} [label={_quoted(node.name)}, tooltip={_quoted(f'{node.title}: {node.state}')}, "
        f"class={_quoted(state_class(node.state))}, color={'red' if node.falls else 'black'}, "
        f"penwidth={2 if node.key in graph.focus else 1}];"
        for node in graph.nodes.values()
    ]
    edges = [
        f"  {_quoted(above)} -> {_quoted(below)}{' [color=red, style=dashed]' if graph.nodes[above].falls else ''};"
        for above, below in graph.edges
    ]
    return "\n".join(["digraph boundaudit {", "  node [shape=box];", *nodes, *edges, "}", ""])


def _quoted(words: str) -> str:
    """A string as the DOT language writes it, in which a backslash begins an escape."""
    return '"' + words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def to_svg(graph: Graph) -> str:
    """The graph as an SVG file that stands by itself, with the colours of the reports."""
    folder = resources.files("boundaudit.reports").joinpath("templates")
    style = "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in ("palette.css", "lineage.css"))
    drawn = str(drawing(graph, {})).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return drawn.replace(">", f"><style>{style}.lineage {{ background: var(--paper); }}</style>", 1)


FORMATS: dict[str, Callable[[Graph], str]] = {
    "svg": to_svg,
    "dot": to_dot,
    "json": lambda graph: json.dumps(graph.to_json(), indent=1, ensure_ascii=False),
}


def drawing(graph: Graph, links: Mapping[str, str]) -> Markup:
    """Boxes in layers, each below all it rests on; ways that a longer one replaces are left out."""
    longest = max((len(node.name) for node in graph.nodes.values() if node.kind == "claim"), default=0)
    box = max(_NARROW, _LETTER * min(longest, _LONGEST))
    across = 3 if len(graph.nodes) <= 40 else 6
    full = across * (box + _GAP) - _GAP
    spots = _spots(_layers(list(graph.nodes), graph.edges), box, across)
    height = max((y for _, y in spots.values()), default=0) + _HEIGHT
    lines = Markup("").join(_line(spots, edge, box, graph) for edge in _without_shortcuts(graph))
    boxes = Markup("").join(
        _box(node, spots[key], box, "" if key in graph.focus else links.get(key, ""), here=key in graph.focus)
        for key, node in graph.nodes.items()
    )
    return Markup('<svg class="lineage" role="{}" aria-label="{}" width="{}" viewBox="-2 -2 {} {}">{}{}</svg>').format(
        "group" if links else "img", _words(graph), full + 4, full + 4, height + 4, lines, boxes
    )


def _words(graph: Graph) -> str:
    if not graph.focus:
        return f"{len(graph.nodes)} statements and what they are derived from"
    names = ", ".join(graph.nodes[key].name for key in graph.focus)
    above, below = len(graph.ancestors), len(graph.descendants)
    return f"{names}, above it {above} that it is derived from, below it {below} that are derived from it"


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
        before = dict(depth)
        for above, below in edges:
            depth[below] = max(depth[below], min(depth[above] + 1, len(members)))
        if depth == before:
            break
    return [layer for level in range(len(members) + 1) if (layer := [n for n in members if depth[n] == level])]


def _spots(layers: Sequence[Sequence[str]], box: int, across: int) -> dict[str, tuple[float, float]]:
    """Upper left corners, rows of at most so many in the middle of the drawing."""
    spots: dict[str, tuple[float, float]] = {}
    full = across * (box + _GAP) - _GAP
    y = 0.0
    for layer in layers:
        for start in range(0, len(layer), across):
            row = layer[start : start + across]
            left = (full - len(row) * (box + _GAP) + _GAP) / 2
            spots |= {name: (left + i * (box + _GAP), y) for i, name in enumerate(row)}
            y += _HEIGHT + 8
        y += _DROP - 8
    return spots


def _without_shortcuts(graph: Graph) -> list[Edge]:
    """The edges that no longer way replaces."""
    below: dict[str, list[str]] = {name: [] for name in graph.nodes}
    for above, name in graph.edges:
        below[above].append(name)
    reached = {name: _reached(name, below) for name in graph.nodes}
    return [(a, b) for a, b in graph.edges if not any(b in reached[c] for c in below[a] if c != b)]


def _line(spots: Mapping[str, tuple[float, float]], edge: Edge, box: int, graph: Graph) -> Markup:
    (x, y), (to_x, to_y) = spots[edge[0]], spots[edge[1]]
    x, y, to_x = x + box / 2, y + _HEIGHT, to_x + box / 2
    middle = (y + to_y) / 2
    return Markup('<path class="way{}" d="M{:g} {:g}C{:g} {:g} {:g} {:g} {:g} {:g}"/>').format(
        " falls" if graph.nodes[edge[0]].falls else "", x, y, x, middle, to_x, middle, to_x, to_y
    )


def _box(node: Node, corner: tuple[float, float], box: int, href: str, *, here: bool) -> Markup:
    fits = _LONG if box == _NARROW else box // _LETTER
    squeezed = (
        Markup(' textLength="{}" lengthAdjust="spacingAndGlyphs"').format(box - 8) if len(node.name) > fits else ""
    )
    words = Markup('<title>{}: {}</title><rect width="{}" height="{}" rx="5"/><text x="{}" y="19"{}>{}</text>').format(
        node.title, node.state, box, _HEIGHT, box // 2, squeezed, node.name
    )
    classes = state_class(node.state) + (" here" if here else "")
    drawn = Markup('<g class="{}" transform="translate({:g} {:g})">{}</g>').format(classes, *corner, words)
    return Markup('<a href="{}">{}</a>').format(href, drawn) if href else drawn
