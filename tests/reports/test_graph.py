"""A theorem among its ancestors and descendants: which boxes, where, and where they lead."""

import itertools
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.document import Document, build_document
from boundaudit.reports.formats.graph import lineage

from .sample_run import COINS


def drawn(document: Document, number: str) -> str:
    page = next(page for page in document.pages if page.row is not None and page.row.theorem.number == number)
    return str(lineage(document, page, lambda found: f"{found.slug}.html"))


def family(run: Run, known: Catalogue, *links: tuple[str, tuple[str, ...]]) -> Document:
    theorems = [Theorem(number=name, title="", says="", derived_from=above, paper=COINS) for name, above in links]
    return build_document(run, replace(known, theorems=tuple(theorems)))


def test_the_boxes_of_others_are_links(run: Run, known: Catalogue) -> None:
    drawing = drawn(build_document(run, known), "Theorem 3")
    assert re.findall(r'href="([^"]+)"', drawing) == ["theorem-6.html"]
    assert 'class="undecided here"' in drawing
    assert 'role="img"' not in drawing


def test_a_theorem_without_relations_has_no_drawing(run: Run, known: Catalogue) -> None:
    assert drawn(build_document(run, known), "Remark 9") == ""


def test_siblings_are_left_out_and_shortcuts_are_not_drawn(run: Run, known: Catalogue) -> None:
    links = [("A", ()), ("B", ("A",)), ("C", ("A", "B")), ("D", ("A",))]
    drawing = drawn(family(run, known, *links), "B")
    assert re.findall(r">(\w)</text>", drawing) == ["A", "B", "C"]
    assert drawing.count('class="way') == 2  # A to C is said by way of B


def test_boxes_do_not_overlap(run: Run, known: Catalogue) -> None:
    names = [f"Lemma {i}" for i in range(1, 12)]
    document = family(run, known, ("Theorem 1", ()), *((name, ("Theorem 1",)) for name in names))
    tree = ET.fromstring(drawn(document, "Theorem 1").replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))
    corners = [
        tuple(map(float, re.findall(r"[\d.]+", group.get("transform", ""))))
        for group in tree.iter("{http://www.w3.org/2000/svg}g")
    ]
    assert len(corners) == 12
    for (x, y), (a, b) in itertools.combinations(corners, 2):
        assert abs(x - a) >= 86 or abs(y - b) >= 30
    assert max(x for x, _ in corners) + 86 <= 370


def test_a_circle_ends(run: Run, known: Catalogue) -> None:
    drawing = drawn(family(run, known, ("A", ("B",)), ("B", ("A",))), "A")
    assert re.findall(r">(\w)</text>", drawing) == ["A", "B"]
