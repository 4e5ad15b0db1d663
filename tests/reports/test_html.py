"""The pages: what they answer; that they are self-contained, well formed, small, safe and reproducible."""

import base64
import contextlib
import hashlib
import html.parser
import io
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import pytest

from boundaudit.checks.evidence.evidence import Worst
from boundaudit.checks.evidence.findings import Mutation
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Case, Catalogue, Entry
from boundaudit.reports.formats.formulas import LONGEST, flowing, mathml, pieces
from boundaudit.reports.formats.html import render_single, render_site
from boundaudit.reports.wording import listed, number, numbered, ratio_range, ratio_text, shortened, sides, value_text

from .sample_run import sample

VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}
INTERACTIVE = {"a", "summary", "button"}


class Outline(html.parser.HTMLParser):
    """Collects the elements of a page; fails where one is not closed, or stands where it must not."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag in INTERACTIVE or "tabindex" in found:
            assert not [outer for outer, _ in self._open if outer in INTERACTIVE], tag
            assert not [outer for outer, more in self._open if more.get("role") == "img"], tag
        self.elements.append((tag, found))
        if tag not in VOID:
            self._open.append((tag, found))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag, (tag, self._open[-3:])

    def values(self, name: str) -> list[str]:
        return [attrs[name] or "" for _, attrs in self.elements if name in attrs]


@pytest.fixture(scope="module")
def site() -> Mapping[str, str]:
    """The pages of the sample run."""
    return MappingProxyType(render_site(*sample()))


def words(page: str) -> str:
    """What a reader reads."""
    plain = re.sub(r"<(title|style|script)>.*?</\1>|<wbr>", "", page, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", plain)).split())


def with_claim(known: Catalogue, label: str, case: dict[str, Any] | None = None, **changes: Any) -> Catalogue:
    entry = known.claims[label]
    cases: list[Case] = [replace(found, **(case or {})) for found in entry.cases]
    changed: Entry = replace(entry, cases=cases, **changes)
    return replace(known, claims={**known.claims, label: changed})


def unresolved(site: Mapping[str, str]) -> list[tuple[str, str]]:
    """Links of a folder that lead nowhere."""
    outlines = {path: Outline(text) for path, text in site.items() if path.endswith(".html")}
    ids = {path: set(outline.values("id")) for path, outline in outlines.items()}
    found = []
    for path, outline in outlines.items():
        for link in outline.values("href"):
            target, _, fragment = link.partition("#")
            to = os.path.normpath(PurePosixPath(path).parent / target) if target else path
            if to not in site or (fragment and fragment not in ids[to]):
                found.append((path, link))
    return found


@pytest.mark.slow
def test_every_page_is_well_formed_and_every_link_leads_somewhere(site: Mapping[str, str]) -> None:
    assert unresolved(site) == []
    for path, text in site.items():
        if path.endswith(".html"):
            outline = Outline(text)
            ids = outline.values("id")
            assert len(ids) == len(set(ids)), path
            named = {name for value in outline.values("aria-labelledby") for name in value.split()}
            assert named <= set(ids), path


def test_one_page_has_everything_and_unique_ids(run: Run, known: Catalogue) -> None:
    page = render_single(run, known)
    assert unresolved({"report.html": page}) == []
    ids = Outline(page).values("id")
    assert len(ids) == len(set(ids))
    for label in known.claims:
        assert f'id="claim-{label}"' in page


@pytest.mark.slow
def test_nothing_is_fetched_and_one_script_may_run(site: Mapping[str, str], run: Run, known: Catalogue) -> None:
    for name, text in {**site, "report.html": render_single(run, known)}.items():
        assert not re.search(r"https?://|//\w+\.\w+/|@import|url\((?!#)", text)
        if "<html" in text:
            outline = Outline(text)
            assert not {"iframe", "object", "embed"} & {tag for tag, _ in outline.elements}
            assert not outline.values("src")
            assert allowed(text) == scripts(text)
            assert len(scripts(text)) == (name in ("index.html", "claims.html", "report.html"))


def scripts(page: str) -> list[str]:
    """The scripts of a page by their hashes, as a policy names them."""
    found = re.findall(r"<script\b[^>]*>(.*?)</script>", page, flags=re.S)
    return [f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}" for text in found]


def allowed(page: str) -> list[str]:
    """The scripts that the policy of a page allows."""
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "default-src 'none';" in policy[1]
    return re.findall(r"script-src '(sha256-[^']+)'", policy[1])


def test_the_scoreboard_answers_for_each_theorem(site: Mapping[str, str]) -> None:
    text = words(site["index.html"])
    row = text[text.index("Theorem 3") : text.index("Theorem 6 Gap")]
    for answer in ("stands in part", "Stands: biased. Falls: plot", "In short True as printed?"):
        assert answer in row
    assert "p = 1/2: left = 0.25, right = 0.24" in row
    assert "proved ×1.04" in row
    assert "Theorem 6" not in row  # it loses its printed proof, and stands
    assert 'href="theorems/theorem-3.html"' in site["index.html"]


def test_the_outcome_is_one_sentence_and_what_falls_is_named(site: Mapping[str, str]) -> None:
    heading = re.search(r"<h1>(.*?)</h1>\n<p>(.*?)</p>", site["index.html"])
    assert heading is not None
    assert heading[1] == (
        "5 statements: 1 stands as printed, 1 stands in part, 1 falls, 1 is not testable and 1 is not yet read."
    )
    assert heading[2] == "Of Cole 2025, Series and Tails falls: Lemma 7."


def test_numbers_of_statements_in_a_sentence() -> None:
    numbers = ["Theorem 6", "Appendix A", "Theorem 8", "Main theorem (scores)", "Appendix H(2)"]
    assert numbered(numbers) == "Theorems 6 and 8; Appendices A and H(2); Main theorem (scores)"


def test_a_theorem_page_tells_what_was_found(site: Mapping[str, str]) -> None:
    page = site["theorems/theorem-3.html"]
    text = words(page)
    assert "boundaudit reproduce 'coins.variance.printed[plot]'" in page
    assert "Holds, by proof biased" in text
    assert "What stands in its place" in text
    assert "p probability of heads" in text
    assert "The gap as the sample grows" in text  # a study of one of its claims
    assert page.count('class="way') == 1
    assert "coins.elsewhere" in text  # named, and no link, as this run has none of that label
    rests = re.search(r'<dt>Rests on</dt><dd>.*?<li><a href="#claim-coins.variance.bound">(.*?)</a>', page, re.DOTALL)
    assert rests is not None
    assert not rests[1].startswith("coins.")  # what it rests on is told in words
    assert "where it is true" not in text.lower()


def test_where_the_sweep_found_violations_in_numbers_and_colour(site: Mapping[str, str]) -> None:
    page = site["theorems/lemma-7.html"]
    table = page.split('<table class="heat"')[1].split("</table>")[0]
    cells = re.findall(r'<td class="(\w+)" style="--share: (\d+)%" title="([^"]*) violate">([^<]*)</td>', table)
    assert cells == [
        ("mixed", "17", "1 of 6, 1 near equality", "17 %"), ("always", "100", "9 of 9", "100 %"),
        ("never", "0", "0 of 20", "0 %"), ("never", "0", "0 of 5", "0 %"),
    ]  # fmt: skip
    assert "Where the sweep found violations" in page
    assert "from 0.989372 after 4 points to 1.00677 after 90" in page


def test_waterfall_names_the_binding_and_the_false_step(site: Mapping[str, str]) -> None:
    drawing = site["theorems/theorem-6.html"].split('<svg class="figure"')[1].split("</svg>")[0]
    assert {"1.1", "0.99 false", "2.4 binding"} <= set(re.findall(r">([^<>]+)</text>", drawing))
    assert drawing.count("var(--refuted)") >= 2  # the bar and its number


def test_controls_mutants_and_shared_claims_have_pages(site: Mapping[str, str]) -> None:
    assert "coins.wrong" in site["controls.html"]
    assert "coins.wrong" not in site["theorems/theorem-6.html"]
    unexplained, slack = words(site["mutants.html"]).split("Slack: 1 change under which")
    assert "sign: p" in unexplained
    assert "dropped: p | q" in slack
    assert "series.shared.sum" in site["chapters/series.shared.html"]


def test_the_page_of_the_run_says_what_the_verdicts_stand_on(site: Mapping[str, str]) -> None:
    told = site["run.html"]
    assert "12.5 s" in told
    cells = [f'<td data-label="{name}" class="n">{n}</td>' for name, n in (("Holds", 2), ("Violated", 0))]
    assert f'<tr><th scope="row">proof</th>{"".join(cells)}' in told
    assert "Errors" not in told


def test_all_claims_are_listed_with_a_link(site: Mapping[str, str], known: Catalogue) -> None:
    for label in known.claims:
        assert f"#claim-{label}" in site["claims.html"]


@pytest.mark.slow
def test_text_from_claims_is_escaped(run: Run, known: Catalogue) -> None:
    bad = '<script>alert(1)</script><img src=x onerror="alert(1)">'
    latex = rf"\text{{{bad}}} \href{{javascript:alert(1)}}{{x}}"
    hostile = with_claim(known, "coins.variance.bound", {"latex": latex, "domain": bad}, statement=bad)
    hostile.derivations["coins.chain"]["nodes"][1]["name"] = bad
    hostile.studies["coins.gap-by-samples"] |= {"title": bad, "caption": bad}
    for page in [*render_site(run, hostile).values(), render_single(run, hostile)]:
        assert "<html" not in page or allowed(page) == scripts(page)
        assert "<img" not in page
        assert "javascript:" not in " ".join(re.findall(r'href="[^"]*"', page))


def test_formula_that_cannot_be_converted_is_shown_as_latex() -> None:
    assert mathml(r"\frac{a}{") == r'<code class="latex">\frac{a}{</code>'
    assert mathml(r"\nosuchcommand{x} < 1") == r'<code class="latex">\nosuchcommand{x} &lt; 1</code>'
    assert mathml(r"a \le b").count("<mi>") == 2


def test_a_formula_that_would_fill_a_page_is_folded(run: Run, known: Catalogue) -> None:
    long = " + ".join(["x"] * LONGEST)
    case = known.claims["series.flat"].cases[0]
    folded = with_claim(
        known, "series.flat", {"latex": f"{long} \\le 1", "left": replace(case.left, text=long, latex=long)}
    )
    page = render_site(run, folded)["theorems/lemma-7.html"]
    assert f"a formula of {len(long):,} characters" in page
    assert page.count("<mo>+</mo>") < 100


@pytest.mark.slow
def test_same_bytes_under_another_hash_seed() -> None:
    program = (
        "import hashlib, json, sys\n"
        "from tests.reports.sample_run import sample\n"
        "from boundaudit.reports.formats.html import render_single, render_site\n"
        "from boundaudit.reports.formats.json_report import render_json\n"
        "from boundaudit.reports.formats.latex import render_latex\n"
        "from boundaudit.reports.formats.markdown import render_markdown\n"
        "found = sample()\n"
        "texts = [*render_site(*found).values(), render_single(*found), json.dumps(render_json(*found)), "
        "render_markdown(*found), render_latex(*found)]\n"
        "sys.stdout.write(str([hashlib.sha256(text.encode()).hexdigest() for text in texts]))"
    )
    there = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[2], env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    here = io.StringIO()
    with contextlib.redirect_stdout(here):
        exec(program, {})
    assert here.getvalue() == there.stdout != ""


def test_a_run_without_theorems_chains_or_studies(run: Run, known: Catalogue) -> None:
    site = render_site(replace(run, derivations={}, studies={}, timings={}), replace(known, theorems=()))
    assert unresolved(site) == []
    assert "10 claims: 2 proved" in words(site["index.html"])
    assert "studies.html" not in site


def test_an_empty_run(run: Run, known: Catalogue) -> None:
    site = render_site(replace(run, receipts={}, derivations={}, studies={}, timings={}), replace(known, theorems=()))
    assert unresolved(site) == []
    assert "0 claims: none audited." in words(site["index.html"])


def test_missing_numbers_are_drawn_as_missing(run: Run, known: Catalogue) -> None:
    nothing = {"smallest": None, "largest": None, "geometric_mean": None}
    chain = {**run.derivations["coins.chain"], "factors": [nothing] * 3}
    page = render_site(replace(run, derivations={"coins.chain": chain}), known)["theorems/theorem-6.html"]
    assert "Most is lost" not in page
    Outline(page)


@pytest.mark.parametrize(("left", "right", "shown"), [
    ("0.25", 0.24, ("0.25", "0.24")), ("1.00000000000000000001", "1", ("1.00000000000000000001", "1")),
    (2e-14, "2.0000000000004e-14", ("2e-14", "2.0000000000004e-14")), (1.0, 1.0, ("1", "1")),
    ("123456789", "0", ("123457000", "0")), ("Infinity", 1, ("Infinity", "1")), (None, 1, ("-", "1")),
])  # fmt: skip
def test_both_sides_are_told_apart(left: Any, right: Any, shown: tuple[str, str]) -> None:
    assert sides(left, right) == shown


def test_numbers_and_points_in_words() -> None:
    assert ratio_text(1.0) == "1"
    assert ratio_text(1 - 2e-13) == "1 - 2.0e-13"
    assert ratio_text(1 + 3e-9) == "1 + 3.0e-09"
    assert number("1/3") == "1/3"
    assert value_text([[1, 2], [3]]) == "{1, 2}, {3}"
    assert value_text([["1/1", "0/1"], ["-1/2", 0.25]]) == "[1, 0; -1/2, 0.25]"
    assert value_text([[0.5, "3/4"]] * 9) == "9×2 matrix with entries from 0.5 to 3/4"
    assert value_text(list(range(15))).endswith("11, … 3 more)")
    assert ratio_range({"low": 1.07, "high": 4}) == "×1.07 to ×4"
    assert ratio_range({"low": 2.0, "high": 2.0}) == "×2"
    assert ratio_range({"low": 0.299, "high": 9782.4}) == "×0.299 to ×9,780"
    assert ratio_text(1.0271e9, 3) == "1.03e+09"
    assert listed([]) == ""
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert shortened("abcdef", 4) == "abc…"


@pytest.mark.slow
def test_a_claim_most_of_whose_mutants_hold_says_how_far_a_constant_could_go(run: Run, known: Catalogue) -> None:
    told = "a constant could be lowered to that share"
    assert not any(told in page for page in render_site(run, known).values())
    receipt = run.receipts["coins.variance.bound"]
    slack = Mutation({"killed": (), "slack": ("halved: 1/4", "doubled: 2"), "unexplained": ("sign: p",)})
    findings = replace(receipt.findings, mutation=slack, worst=Worst({"p": 0.25}, 0.1875, 0.25))
    changed = {**run.receipts, "coins.variance.bound": replace(receipt, findings=findings)}
    pages = render_site(replace(run, receipts=changed), known)
    assert any(f"that was seen is {ratio_text(0.75)}: as far as was looked, {told}" in page for page in pages.values())


def test_a_long_formula_flows_in_pieces_that_no_bracket_crosses() -> None:
    assert pieces(r"a \le b + c (d + e), \quad x_+^2 = 0") == [
        "a", r"{} \le b", r"{} + c (d + e), \quad", "x_+^2", "{} = 0",
    ]  # fmt: skip
    assert pieces(r"a = \sigma \big(b + c\big)") == ["a", r"{} = \sigma \big(b", r"{} + c\big)"]
    assert pieces(r"\left(a + b\right) = c") == [r"\left(a + b\right) = c"]
    assert pieces(r"-a = -b - c") == ["-a", "{} = -b", "{} - c"]
    assert pieces(r"a \not\Rightarrow b") == [r"a \not\Rightarrow b"]
    assert flowing("a + b").count("<math") == 2


def test_a_formula_has_no_row_that_says_nothing() -> None:
    assert mathml("a^{b} = 10") == (
        '<math display="block"><msup><mi>a</mi><mi>b</mi></msup><mo>=</mo><mn>10</mn></math>'
    )
    assert "<mrow><mi>b</mi><mo>+</mo><mi>c</mi></mrow>" in mathml("a^{b + c}")


def test_cells_of_the_scoreboard_are_named_where_they_say_something(site: Mapping[str, str]) -> None:
    assert re.search(r'data-label="[^"]*"></td>', site["index.html"]) is None
    assert '<td data-label="Sharper"><a ' in site["index.html"]
    assert "<td></td>" in site["index.html"]


def test_the_index_draws_what_came_of_a_papers_statements(site: Mapping[str, str]) -> None:
    found = re.search(r"<title[^>]*>Statements of Ames.*?</desc>", site["index.html"])
    assert found is not None
    assert "stands in part: 1, stands: 1" in found[0]
    assert "Largest ratio of left to right: Theorem 3: ×" in found[0]
