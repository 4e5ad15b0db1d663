"""The pages in a real browser, on a desk and on a phone, in light and in dark, on a screen and on paper."""

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run import audit
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.document import Document
from boundaudit.reports.document.kept import kept_runs
from boundaudit.reports.formats.files import write_text
from boundaudit.reports.formats.html import render_site
from boundaudit.reports.formats.render import write_report

from .browser import MARKS, emulate
from .sample_run import sample

pytestmark = MARKS
REPORT = (
    "index.html", "theorems/theorem-3.html", "theorems/lemma-7.html", "claims.html", "mutants.html", "report.html",
    "studies.html", "controls.html", "run.html", "chapters/series.shared.html",
)  # fmt: skip
CALCULATORS = (
    "model.html", "models.html", "fourier.html", "limit.html", "trained.html", "compare.html", "learned/page.html",
    "experiment.html", "spectra.html", "one/spectra.html",
)  # fmt: skip
MIXED = """
for (const e of document.querySelectorAll("table.heat td[style]")) {
  e.style.backgroundColor = "";
  const parts = getComputedStyle(e).backgroundColor.match(/[\\d.]+/g).map(part => 255 * part);
  e.style.backgroundColor = `rgb(${parts.join(" ")})`;
}
"""
"""Mixed colours in the notation that axe reads; without it its rule on contrast gives up on the whole page."""
AXE = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
ONE_OF_A_KIND = """
const seen = new Set();
for (const row of document.querySelectorAll("tbody tr")) {
  const look = row.outerHTML.replace(/>[^<]+/g, ">words");
  if (seen.has(look)) row.remove();
  seen.add(look);
}
"""
"""Of rows that differ in their words alone the first one stays: to axe the others say nothing new, for seconds."""
WIDTHS = (1280, 390)
LAID_OUT = ("scrollable-region-focusable", "meta-viewport")
"""Rules on what the width of a page decides."""


@pytest.fixture(params=WIDTHS)
def browser(driver: webdriver.Chrome, request: pytest.FixtureRequest) -> webdriver.Chrome:
    emulate(driver, width=request.param)
    return driver


@pytest.mark.parametrize("name", REPORT)
def test_a_page_of_the_report_fits_and_is_accessible(driver: webdriver.Chrome, folder: Path, name: str) -> None:
    require_sound(driver, folder / name)


@pytest.mark.parametrize("name", CALCULATORS)
def test_a_page_of_a_calculator_fits_and_is_accessible(driver: webdriver.Chrome, others: Path, name: str) -> None:
    require_sound(driver, others / name)


def test_the_page_of_experiments_fits_and_is_accessible(
    driver: webdriver.Chrome, run: Run, known: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Document, "experiments", list(kept_runs()))
    for name, text in render_site(run, known).items():
        write_text(tmp_path / name, text)
    require_sound(driver, tmp_path / "experiments.html")


def require_sound(driver: webdriver.Chrome, page: Path) -> None:
    """All of a page fits, unfolded too, on a desk and on a phone, and axe finds nothing, in dark colours neither."""
    # What a page says is the same on a phone, and so are its colours: what is laid out may not be.
    for width in sorted(WIDTHS):
        require_fit(driver, page, width)
        require_no_violation(driver, runOnly=list(LAID_OUT))
    driver.execute_script(ONE_OF_A_KIND)
    passed = require_no_violation(driver)
    assert len(passed) > 10
    assert "color-contrast" in passed
    emulate(driver, width=max(WIDTHS), scheme="dark")
    assert require_no_violation(driver, runOnly=["color-contrast"]) == ["color-contrast"]


def require_fit(driver: webdriver.Chrome, page: Path, width: int) -> None:
    emulate(driver, width=width)
    driver.get(page.as_uri())
    driver.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
    assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    sticking_out = driver.execute_script(
        "const boxed = e => e.closest('.formula, .scroll, pre, .skip, thead, svg');"
        "return [...document.querySelectorAll('body *')].filter(e => !boxed(e) && "
        "e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert sticking_out == []
    driver.execute_script(f"{AXE}; window.axe = axe")


def require_no_violation(driver: webdriver.Chrome, **options: Any) -> list[str]:
    """Run axe; the rules that apply and are met."""
    driver.execute_script(MIXED)
    found = driver.execute_async_script("axe.run(arguments[0]).then(arguments[1])", options)
    assert [rule["id"] for rule in found["incomplete"] if "error" in rule] == []
    assert [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in found["violations"]] == []
    return [rule["id"] for rule in found["passes"]]


def test_a_page_fetches_its_style_alone(driver: webdriver.Chrome, folder: Path) -> None:
    emulate(driver)
    driver.get((folder / "index.html").as_uri())
    sheets = driver.execute_script("return [...document.styleSheets].map(e => e.href)")
    assert [sheet.rpartition("/")[2] for sheet in sheets] == ["style.css"]
    assert driver.execute_script("return getComputedStyle(document.querySelector('.badge')).borderStyle") == "solid"
    assert driver.execute_script("return performance.getEntriesByType('resource').length") == 0  # from a disk, nothing


def test_formulas_are_drawn(browser: webdriver.Chrome, folder: Path) -> None:
    browser.get((folder / "theorems/theorem-3.html").as_uri())
    browser.execute_script("for (const e of document.querySelectorAll('.question')) e.open = true")
    sizes = browser.execute_script(
        "return [...document.querySelectorAll('.claim math')].filter(e => !e.closest('details:not(.question)'))"
        ".map(e => e.getBoundingClientRect()).map(r => [r.width, r.height])"
    )
    assert len(sizes) == 2
    assert all(width > 10 and height > 25 for width, height in sizes)  # a fraction is stacked, not written in a row


def test_figures_have_a_text_alternative(browser: webdriver.Chrome, folder: Path) -> None:
    browser.get((folder / "report.html").as_uri())
    drawings = browser.execute_script(
        "const words = ids => ids.split(' ').map(id => document.getElementById(id)?.textContent).join(' ');"
        "return [...document.querySelectorAll('svg.figure')].map(e => [e.getAttribute('role'), "
        "words(e.getAttribute('aria-labelledby'))])"
    )
    assert len(drawings) == 6  # two papers, a climb, a waterfall, two panels of a study
    assert all(role == "img" and len(words) > 20 for role, words in drawings)


def test_panels_stand_side_by_side_on_a_desk_and_stack_on_a_phone(browser: webdriver.Chrome, folder: Path) -> None:
    browser.get((folder / "theorems/theorem-3.html").as_uri())
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('.panels svg')].map(e => e.getBoundingClientRect())"
        ".map(r => [r.left, r.top, r.width])"
    )
    (left, top, width), (next_left, next_top, _) = boxes
    if browser.execute_script("return innerWidth") == 390:
        assert left == next_left
        assert top < next_top
        assert width > 300
    else:
        assert next_left > left + width
    smallest = browser.execute_script(
        "return Math.min(...[...document.querySelectorAll('.panels svg text')]"
        ".map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))"
    )
    assert smallest > 9.5  # pixels


def test_the_pdf_is_the_printed_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, known = sample()
    monkeypatch.setattr(audit, "catalogue", lambda files: known)
    printed = write_report(run, "pdf", tmp_path).read_bytes()
    assert printed.startswith(b"%PDF-")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) < 60
    assert 20_000 < len(printed) < 3_000_000
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]
