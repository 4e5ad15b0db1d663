"""The Markdown report: short, safe to render, the same bytes every time."""

import re
from dataclasses import replace

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.formats.markdown import render_markdown


@pytest.fixture
def text(run: Run, known: Catalogue) -> str:
    return render_markdown(run, known)


def test_it_opens_with_the_outcome_and_a_scoreboard(text: str) -> None:
    lines = text.splitlines()
    assert lines[2].startswith("**5 statements: 1 stands as printed")
    row = next(line for line in lines if line.startswith("| [Theorem 3](#theorem-3-variance)"))
    assert "p = 1/2" in row
    assert "`coins.variance.bound`" in row
    assert "×1.04" in row
    assert "Theorem 6" not in row  # it loses its printed proof, and stands


def test_a_paragraph_a_theorem(text: str) -> None:
    part = text.split("### Theorem 3: Variance")[1].split("###")[0]
    assert r"$p(1-p) \le \frac{6}{25}$" in part
    assert "*True as printed?* " in part
    assert "First failure: `coins.variance.printed[plot]` at p = 1/2, left = 0.25, right = 0.24." in part
    assert "In its place: `coins.variance.bound`, proved (×1.04)." in part


def test_headings_are_where_the_links_lead(text: str) -> None:
    ids = {re.sub(r"[^\w\- ]", "", line[4:].lower()).replace(" ", "-") for line in text.splitlines() if "### " in line}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= ids


def test_tables_have_as_many_cells_in_every_row(text: str) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.M):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1


def test_numbers_are_text(run: Run, known: Catalogue) -> None:
    """As a paper's (3|4) or <1> would be a cell, or a tag."""
    first, *others = known.theorems
    renamed = [replace(other, derived_from=("E[X|Y] <1>",) if other.derived_from else ()) for other in others]
    found = render_markdown(run, replace(known, theorems=(replace(first, number="E[X|Y] <1>"), *renamed)))
    assert r"| [E\[X\|Y\] \<1\>](#" in found
    test_tables_have_as_many_cells_in_every_row(found)


def test_a_formula_holds_no_tag(run: Run, known: Catalogue) -> None:
    first, *others = known.theorems
    found = render_markdown(run, replace(known, theorems=(replace(first, formula="a <b> c < d"), *others)))
    assert r"$a \lt b> c < d$" in found


def test_it_depends_on_run_and_catalogue_alone(run: Run, known: Catalogue, text: str) -> None:
    assert render_markdown(replace(run, timings={}), known) == text
    assert "generic x86-64" not in text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_without_theorems_the_refuted_claims_are_listed(run: Run, known: Catalogue) -> None:
    text = render_markdown(run, replace(known, theorems=()))
    assert "## Refuted" in text
    assert "`series.flat`" in text
