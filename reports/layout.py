"""Where the boxes of a dependency graph stand: rows of limited length, few crossings, no external program.

Layers, crossing reduction by barycentres, then coordinates (Sugiyama, Tagawa & Toda 1981), with two choices
of our own: a row takes at most `ROW` boxes, so that wide layers wrap; and all lines that leave one box for
rows further down share one lane, so that a claim on which many rest does not fill every row below it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import networkx as nx

WIDTH, HEIGHT, GAP, DROP = 166.0, 52.0, 16.0, 44.0
ROW = 6
_LANE_WIDTH = 6.0
_PAGE = ROW * (WIDTH + GAP)
_SWEEPS = 6

Spot: TypeAlias = tuple[str, int]
"""A claim in its row, or the lane of a claim in a row further down."""


@dataclass(frozen=True)
class Layout:
    """Positions in pixels.

    Attributes:
        corners: Upper left corner of each box, by label.
        paths: Per line: the claim it comes from, its upper and lower end (from a box or lane to the next),
            and whether it ends at a box.
        width: Of the whole drawing.
        height: Of the whole drawing.
    """

    corners: dict[str, tuple[float, float]]
    paths: list[tuple[str, tuple[float, float], tuple[float, float], bool]]
    width: float
    height: float


@dataclass(frozen=True)
class _Block:
    """One connected part: rows of spots with their centres, and the links between neighbouring rows."""

    rows: list[list[Spot]]
    centres: dict[Spot, float]
    links: list[tuple[Spot, Spot]]
    home: dict[str, int]
    width: float

    @property
    def height(self) -> float:
        return len(self.rows) * (HEIGHT + DROP) - DROP


def place(graph: nx.DiGraph) -> Layout:
    """Lay out a dependency graph, its connected parts side by side where they fit.

    Args:
        graph: As `boundaudit.reports.document.dependency_graph` builds it, or an induced part of it.

    Returns:
        The layout; the same graph gives the same one.
    """
    blocks = [_block(graph, part) for part in _parts(graph)]
    layout = Layout({}, [], max([_PAGE - GAP, *(block.width for block in blocks)]), _pack(blocks)[1])
    for block, (left, top) in zip(blocks, _pack(blocks)[0], strict=True):
        _settle(block, left, top, layout)
    return layout


def _rank(graph: nx.DiGraph, label: str) -> int:
    rank: int = graph.nodes[label]["rank"]
    return rank


def _parts(graph: nx.DiGraph) -> list[list[str]]:
    """Connected parts, largest first, each in topological order."""
    order = list(nx.lexicographical_topological_sort(graph, key=lambda label: _rank(graph, label)))
    parts = [[label for label in order if label in part] for part in nx.weakly_connected_components(graph)]
    return sorted(parts, key=lambda part: (-len(part), min(_rank(graph, label) for label in part)))


def _block(graph: nx.DiGraph, part: list[str]) -> _Block:
    home = _home_rows(graph, part)
    rows: list[list[Spot]] = [[] for _ in range(max(home.values()) + 1)]
    links: list[tuple[Spot, Spot]] = []
    for label in part:
        rows[home[label]].append((label, home[label]))
        below = sorted((target for target in graph.successors(label)), key=lambda target: _rank(graph, target))
        last = max((home[target] for target in below), default=0)
        for row in range(home[label] + 1, last):
            rows[row].append((label, row))
            links.append(((label, row - 1), (label, row)))
        links.extend(((label, home[target] - 1), (target, home[target])) for target in below)
    _reduce_crossings(rows, links)
    centres = _centres(rows, links, home)
    left = min(centres[spot] - _size(spot, home) / 2 for row in rows for spot in row)
    centres = {spot: x - left for spot, x in centres.items()}
    width = max(centres[spot] + _size(spot, home) / 2 for row in rows for spot in row)
    return _Block(rows, centres, links, home, width)


def _home_rows(graph: nx.DiGraph, part: list[str]) -> dict[str, int]:
    """Each claim below all it rests on, in the first row that has room."""
    home: dict[str, int] = {}
    filled: dict[int, int] = defaultdict(int)
    for label in part:
        row = max((home[support] + 1 for support in graph.predecessors(label)), default=0)
        while filled[row] == ROW:
            row += 1
        home[label] = row
        filled[row] += 1
    return home


def _neighbours(links: list[tuple[Spot, Spot]]) -> tuple[dict[Spot, list[Spot]], dict[Spot, list[Spot]]]:
    above, below = defaultdict(list), defaultdict(list)
    for upper, lower in links:
        below[upper].append(lower)
        above[lower].append(upper)
    return above, below


def _reduce_crossings(rows: list[list[Spot]], links: list[tuple[Spot, Spot]]) -> None:
    """Sort each row by the mean place of its neighbours, downwards and upwards in turn."""
    above, below = _neighbours(links)
    for sweep in range(_SWEEPS):
        neighbours = below if sweep % 2 else above
        for row in reversed(rows) if sweep % 2 else rows:
            place_of = {spot: i / max(len(other) - 1, 1) for other in rows for i, spot in enumerate(other)}
            row.sort(key=lambda spot: _mean([place_of[near] for near in neighbours[spot]], place_of[spot]))


def _centres(rows: list[list[Spot]], links: list[tuple[Spot, Spot]], home: dict[str, int]) -> dict[Spot, float]:
    """Pull each spot towards the mean of its neighbours while keeping order and distance in its row."""
    above, below = _neighbours(links)
    centres: dict[Spot, float] = {}
    for row in rows:
        centres.update(_spread(row, dict.fromkeys(row, 0.0), home))
    for _ in range(_SWEEPS):
        for row in rows:
            wanted = {
                spot: _mean([centres[near] for near in (*above[spot], *below[spot])], centres[spot]) for spot in row
            }
            centres.update(_spread(row, wanted, home))
    return centres


def _spread(row: list[Spot], wanted: dict[Spot, float], home: dict[str, int]) -> dict[Spot, float]:
    """Centres as wanted where there is room, else pushed apart; within the page where the row fits."""
    sizes = [_size(spot, home) for spot in row]
    steps = [(a + b) / 2 + GAP for a, b in pairwise(sizes)]
    first = sizes[0] / 2
    last = max(_PAGE - GAP, sum(sizes) + GAP * len(steps)) - sizes[-1] / 2
    placed: list[float] = []
    for i, spot in enumerate(row):
        low = placed[-1] + steps[i - 1] if placed else first
        placed.append(max(low, min(wanted[spot], last - sum(steps[i:]))))
    shift = _mean([wanted[spot] - x for spot, x in zip(row, placed, strict=True)], 0.0)
    shift = min(max(shift, first - placed[0]), last - placed[-1])
    return {spot: x + shift for spot, x in zip(row, placed, strict=True)}


def _mean(values: list[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _size(spot: Spot, home: dict[str, int]) -> float:
    label, row = spot
    return WIDTH if home[label] == row else _LANE_WIDTH


def _pack(blocks: list[_Block]) -> tuple[list[tuple[float, float]], float]:
    """Shelves: blocks side by side until the page is full, then a new shelf below; and the height of all."""
    corners: list[tuple[float, float]] = []
    x = y = shelf = 0.0
    for block in blocks:
        if x and x + block.width > _PAGE:
            x, y, shelf = 0.0, y + shelf + DROP, 0.0
        corners.append((x, y))
        x, shelf = x + block.width + GAP, max(shelf, block.height)
    return corners, y + shelf


def _settle(block: _Block, left: float, top: float, layout: Layout) -> None:
    """Enter a block's boxes and lines into the layout, its upper left corner at the given point."""
    for label, row in block.home.items():
        x = left + block.centres[label, row] - WIDTH / 2
        layout.corners[label] = (round(x, 1), top + row * (HEIGHT + DROP))
    for upper, lower in block.links:
        label, row = upper
        start = (round(left + block.centres[upper], 1), top + row * (HEIGHT + DROP) + HEIGHT)
        end = (round(left + block.centres[lower], 1), top + (row + 1) * (HEIGHT + DROP))
        layout.paths.append((label, start, end, block.home[lower[0]] == lower[1]))
