"""The dependency graph: what it marks, and a layout without overlaps at any size."""

from __future__ import annotations

import itertools
import random
import xml.etree.ElementTree as ET
from typing import Any

import networkx as nx
import pytest

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.document import build_document, dependency_graph
from boundaudit.reports.graph import anchor, graph_file, graph_svg
from boundaudit.reports.layout import HEIGHT, ROW, WIDTH, place

SVG = "{http://www.w3.org/2000/svg}"


def receipt(verdict: str, *rests_on: str, reading: str = "certain") -> dict[str, Any]:
    return {"verdict": verdict, "claim": {"reading": reading, "rests_on": list(rests_on)}}


def random_graph(n: int, seed: int) -> nx.DiGraph:
    rng = random.Random(seed)
    receipts: dict[str, dict[str, Any]] = {}
    for i in range(n):
        earlier = list(receipts)[-20:]
        supports = rng.sample(earlier, min(len(earlier), rng.choice([0, 0, 1, 1, 2, 4])))
        receipts[f"paper.lemma_{i}"] = receipt(rng.choice(["proved", "supported", "refuted"]), *supports)
    return dependency_graph(receipts)


def test_stands_fully_and_falls() -> None:
    graph = dependency_graph(
        {
            "top": receipt("proved", "sound", "broken"),
            "sound": receipt("certified", "base"),
            "base": receipt("proved"),
            "broken": receipt("refuted"),
            "open": receipt("supported", "undecided"),
            "undecided": receipt("undecided"),
            "elsewhere": receipt("proved", "outside"),
        }
    )
    assert {label for label, node in graph.nodes(data=True) if node["stands_fully"]} == {"sound", "base"}
    assert {label for label, node in graph.nodes(data=True) if node["falls"]} == {"broken", "top"}
    assert graph.nodes["outside"]["verdict"] is None


def test_circle_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"rests_on: expected claims that rest on earlier ones, got . → ."):
        dependency_graph({"a": receipt("proved", "b"), "b": receipt("proved", "a")})


@pytest.mark.parametrize(("n", "seed"), [(0, 0), (1, 0), (7, 1), (40, 2), (120, 3), (120, 4)])
def test_boxes_do_not_overlap_and_lines_lead_down(n: int, seed: int) -> None:
    graph = random_graph(n, seed)
    layout = place(graph)
    assert set(layout.corners) == set(graph)
    for (x, y), (other_x, other_y) in itertools.combinations(layout.corners.values(), 2):
        assert abs(x - other_x) >= WIDTH or abs(y - other_y) >= HEIGHT
    for x, y in layout.corners.values():
        assert 0 <= x <= layout.width - WIDTH
        assert 0 <= y <= layout.height - HEIGHT
    assert all(layout.corners[lower][1] > layout.corners[upper][1] for upper, lower in graph.edges)
    assert all(end[1] > start[1] for _, start, end, _ in layout.paths)


@pytest.mark.parametrize("seed", range(4))
def test_every_dependency_has_its_line(seed: int) -> None:
    graph = random_graph(60, seed)
    layout = place(graph)
    arrivals = sorted((source, end) for source, _, end, ends in layout.paths if ends)
    middles = {label: (round(x + WIDTH / 2, 1), y) for label, (x, y) in layout.corners.items()}
    expected = sorted((upper, middles[lower]) for upper, lower in graph.edges)
    assert [source for source, _ in arrivals] == [source for source, _ in expected]
    for (_, reached), (_, wanted) in zip(arrivals, expected, strict=True):
        assert reached == pytest.approx(wanted, abs=0.11)


def test_wide_layers_wrap() -> None:
    graph = dependency_graph({"base": receipt("proved"), **{f"c{i}": receipt("proved", "base") for i in range(30)}})
    layout = place(graph)
    rows = [y for _, y in layout.corners.values()]
    assert max(rows.count(y) for y in rows) == ROW
    assert layout.width < 1200


def test_induced_part_does_not_depend_on_the_order_of_its_labels() -> None:
    graph = random_graph(60, 5)
    labels = [f"paper.lemma_{i}" for i in range(20, 50)]
    drawings = {graph_file(graph.subgraph(order)) for order in (labels, labels[::-1], set(labels))}
    assert len(drawings) == 1


def test_file_stands_alone(run: Run) -> None:
    root = ET.fromstring(graph_file(build_document(run).graph))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Dependency graph"
    assert "12 claims, 8 lines" in (root.findtext(f"{SVG}desc") or "")
    assert "--refuted:" in (root.findtext(f"{SVG}style") or "")
    assert not list(root.iter(f"{SVG}a"))


def test_fill_border_and_tick(run: Run) -> None:
    root = ET.fromstring(graph_svg(build_document(run).graph))
    boxes = {link.get("href"): link[0] for link in root.iter(f"{SVG}a")}
    assert set(boxes) == {f"#{anchor(label)}" for label in run.receipts}
    assert boxes["#claim-coins.variance_sharp"].get("class") == "refuted plausible"
    assert boxes["#claim-series.quadratic"].get("class") == "supported derived-here"
    ticked = {link for link, box in boxes.items() if box.find(f"{SVG}path") is not None}
    assert ticked == {
        "#claim-coins.variance",
        "#claim-coins.pinsker",
        "#claim-series.quadratic",
        "#claim-series.identity",
    }


def test_verdicts_are_written_in_words(run: Run) -> None:
    words = [text.text for text in ET.fromstring(graph_svg(build_document(run).graph)).iter(f"{SVG}text")]
    for node in run.receipts.values():
        assert words.count(node["verdict"]) >= 2  # in the box and in the legend
    assert "not in this run" in words


def test_text_is_escaped() -> None:
    drawing = graph_svg(dependency_graph({"<script>&": receipt("proved")}))
    assert "<script>" not in drawing
    ET.fromstring(drawing)
