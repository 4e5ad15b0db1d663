"""The page: what its first screen says; that it is self-contained, well formed, safe and reproducible."""

from __future__ import annotations

import html.parser
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.formulas import mathml
from boundaudit.reports.html import render_html
from boundaudit.reports.wording import number, ratio_text, sides, value_text

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Outline(html.parser.HTMLParser):
    """Collects the elements of a page and fails where one is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(page)
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, (tag, self._open[-3:])

    def values(self, name: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.elements if name in attrs]


@pytest.fixture
def page(run: Run) -> str:
    return render_html(run)


def with_claim(run: Run, label: str, **changes: Any) -> Run:
    receipt = run.receipts[label]
    changed = {**receipt, "claim": {**receipt["claim"], **changes}}
    return replace(run, receipts={**run.receipts, label: changed})


def test_well_formed_with_unique_ids_and_links_that_lead_somewhere(page: str) -> None:
    outline = Outline(page)
    ids = outline.values("id")
    assert len(ids) == len(set(ids))
    targets = [link[1:] for link in outline.values("href") + outline.values("xlink:href")]
    assert set(targets) <= set(ids)
    assert {reference for value in outline.values("aria-labelledby") for reference in value.split()} <= set(ids)
    assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)


def test_needs_no_network_and_no_script(page: str) -> None:
    outline = Outline(page)
    assert all(link.startswith("#") for link in outline.values("href") + outline.values("xlink:href"))
    assert not outline.values("src")
    assert not {"script", "link", "iframe", "object", "embed"} & {tag for tag, _ in outline.elements}
    assert "@import" not in page
    assert "url(http" not in page


def test_first_screen_names_counterexample_blast_radius_and_repair(page: str) -> None:
    first = page.split('<section id="graph"')[0]
    text = " ".join(re.sub(r"<[^>]+>", "", first[first.index("<body") :]).split())
    assert "As expected10 of 11; not: coins.tail_sharp" in text
    for verdict, n in {"proved": 2, "supported": 3, "refuted": 2, "not testable": 1}.items():
        assert f"{verdict}{n}" in text
    assert "Fails at p = 1/2: left = 0.25, right = 0.24." in text
    assert "Blast radius 2: coins.tail_sharp, coins.generalization_gap_of_the_sharp_estimator." in text
    assert "Repaired by series.quadratic." in text
    assert text.count("reading: plausible") == 1


def test_every_claim_has_a_section_with_formula_and_evidence(page: str, run: Run) -> None:
    for label, receipt in run.receipts.items():
        section = page.split(f'<section class="claim" id="claim-{label}"')[1].split("</section>")[0]
        assert '<math display="block"' in section
        assert f"{receipt['reason']}" in section
        assert f"reading: {receipt['claim']['reading']}" in section
        assert section.count('<th scope="row">') >= len(receipt["evidence"])
        assert ("boundaudit reproduce" in section) == (receipt["worst"] is not None)


def test_waterfall_names_the_binding_and_the_false_step(page: str) -> None:
    drawing = page.split('aria-labelledby="waterfall-coins.chain-title')[1].split("</svg>")[0]
    words = re.findall(r">([^<>]+)</text>", drawing)
    assert {"1.1", "0.99 false", "2.4 binding"} <= set(words)
    assert drawing.count("var(--refuted)") >= 2  # the bar and its number
    assert "<style" not in drawing
    assert "Binding step: <strong>exponential</strong>" in page


def test_certificate_is_named_and_not_printed(page: str) -> None:
    assert "boxes, 95 bytes" in page
    assert "convex" not in page


def test_text_from_claims_is_escaped(run: Run) -> None:
    bad = '<script>alert(1)</script><img src=x onerror="alert(1)">'
    hostile = with_claim(
        run, "coins.variance", statement=bad, latex=rf"\text{{{bad}}} \href{{javascript:alert(1)}}{{x}}"
    )
    hostile.derivations[0]["nodes"][1]["name"] = bad
    study = hostile.studies[0]
    study |= {"title": bad, "caption": bad}
    study["panels"][0] |= {"title": bad, "x": bad, "y": bad}
    study["panels"][0]["series"][0]["name"] = bad
    page = render_html(hostile)
    assert "<script" not in page
    assert "<img" not in page
    assert not any(value.startswith("javascript") for value in Outline(page).values("href"))


def test_formula_that_cannot_be_converted_is_shown_as_latex() -> None:
    assert mathml(r"\frac{a}{") == r'<code class="latex">\frac{a}{</code>'
    assert mathml(r"\nosuchcommand{x} < 1") == r'<code class="latex">\nosuchcommand{x} &lt; 1</code>'
    assert mathml(r"a \le b").count("<mi>") == 2


@pytest.mark.slow
def test_same_bytes_under_another_hash_seed(run: Run) -> None:
    program = (
        "import sys, hashlib, json; from pathlib import Path\n"
        "from boundaudit.checks.records.run_folder import Run\n"
        "from boundaudit.reports.html import render_html\n"
        "from boundaudit.reports.markdown import render_markdown\n"
        "from boundaudit.reports.json_report import render_json\n"
        "run = Run.load(Path(sys.argv[1]))\n"
        "texts = [render_html(run), render_markdown(run), json.dumps(render_json(run))]\n"
        "print([hashlib.sha256(text.encode()).hexdigest() for text in texts])"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program, str(run.path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@pytest.mark.slow
def test_only_run_data_is_rendered(run: Run) -> None:
    assert render_html(replace(run, path=Path("elsewhere"))) == render_html(run)
    assert "12.5 s" in render_html(run)
    assert "12.5 s" not in render_html(replace(run, timings={}))


def test_run_without_refuted_claims_or_chains(run: Run) -> None:
    calm = {label: receipt for label, receipt in run.receipts.items() if receipt["verdict"] == "proved"}
    page = render_html(replace(run, receipts=calm, derivations=[], studies=[], timings={}))
    assert "No claim of this run is refuted." in page
    assert "Every mutant was killed." in page
    assert "Waterfalls" not in page
    assert "How it depends" not in page
    Outline(page)


def test_empty_run(run: Run) -> None:
    page = render_html(replace(run, receipts={}, derivations=[], studies=[], timings={}))
    assert "Audit of 0 claims" in page
    Outline(page)


def test_missing_numbers_are_drawn_as_missing(run: Run) -> None:
    chain = run.derivations[0]
    nothing = {"smallest": None, "largest": None, "geometric_mean": None}
    page = render_html(replace(run, derivations=[{**chain, "factors": [nothing] * 3}]))
    assert "Binding step" not in page
    Outline(page)


@pytest.mark.parametrize(
    ("left", "right", "shown"),
    [
        ("0.25", 0.24, ("0.25", "0.24")),
        ("1.00000000000000000001", "1", ("1.00000000000000000001", "1")),
        (2e-14, "2.0000000000004e-14", ("2e-14", "2.0000000000004e-14")),
        (1.0, 1.0, ("1", "1")),
        ("123456789", "0", ("123457000", "0")),
        ("Infinity", 1, ("Infinity", "1")),
        (None, 1, ("-", "1")),
    ],
)
def test_both_sides_are_told_apart(left: Any, right: Any, shown: tuple[str, str]) -> None:
    assert sides(left, right) == shown


def test_numbers_and_points_in_words() -> None:
    assert ratio_text(1.0) == "1"
    assert ratio_text(1 - 2e-13) == "1 - 2.0e-13"
    assert ratio_text(1 + 3e-9) == "1 + 3.0e-09"
    assert number("1/3") == "1/3"
    assert value_text([[1, 2], [3]]) == "{1, 2}, {3}"
    assert value_text(list(range(15))).endswith("11, … 3 more)")


def test_where_a_refuted_claim_is_true_in_numbers_and_colour(page: str) -> None:
    section = page.split('<code>series.flat</code> <span class="badge')[1].split("</section>")[0]
    table = section.split('<table class="heat"')[1].split("</table>")[0]
    cells = re.findall(r'<td class="(\w+)" style="--share: (\d+)%" title="([^"]*) violate">([^<]*)</td>', table)
    assert cells == [
        ("mixed", "17", "1 of 6, 1 near equality", "17 %"), ("always", "100", "9 of 9", "100 %"),
        ("never", "0", "0 of 20", "0 %"), ("never", "0", "0 of 5", "0 %"),
    ]  # fmt: skip
    assert 'id="climb-series.flat-title"' in section
    assert "from 0.989 after 4 points to 1.00677 after 90" in section
    assert page.count('<table class="heat"') == 1
