"""The pages in a real browser, on a desk and on a phone."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from selenium import webdriver

from boundaudit.checks.run import audit
from boundaudit.reports.html import render_single, render_site
from boundaudit.reports.render import write_report

from .sample_run import sample

CHROMIUM, DRIVER = shutil.which("chromium") or "", shutil.which("chromedriver") or ""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no Chromium: apt-get install chromium chromium-driver"),
]

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PAGES = ("index.html", "theorems/theorem-3.html", "theorems/lemma-7.html", "claims.html", "mutants.html", "report.html")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages, and everything in one."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in {**render_site(*sample()), "report.html": render_single(*sample())}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})  # the page's own, not ours
    yield driver
    driver.quit()


@pytest.fixture(params=[1280, 390])
def browser(driver: webdriver.Chrome, request: pytest.FixtureRequest) -> webdriver.Chrome:
    metrics = {"width": request.param, "height": 900, "deviceScaleFactor": 1, "mobile": request.param < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    return driver


@pytest.mark.parametrize("name", PAGES)
def test_page_does_not_scroll_sideways(browser: webdriver.Chrome, folder: Path, name: str) -> None:
    browser.get((folder / name).as_uri())
    browser.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    sticking_out = browser.execute_script(
        "const boxed = e => e.closest('.formula, .scroll, pre, .skip, thead, svg');"
        "return [...document.querySelectorAll('body *')].filter(e => !boxed(e) && "
        "e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert sticking_out == []


@pytest.mark.parametrize(
    "name", [*PAGES, "waterfalls.html", "studies.html", "controls.html", "run.html", "chapters/series.shared.html"]
)
def test_axe_finds_nothing(browser: webdriver.Chrome, folder: Path, name: str) -> None:
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    try:
        browser.get((folder / name).as_uri())
        browser.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")
        browser.execute_script(f"{axe}; window.axe = axe")
        found = browser.execute_async_script("axe.run().then(arguments[0])")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    assert [(v["id"], [node["html"][:120] for node in v["nodes"]]) for v in found["violations"]] == []
    assert len(found["passes"]) > 10


def test_index_loads_at_once_and_fetches_its_style_alone(browser: webdriver.Chrome, folder: Path) -> None:
    started = time.perf_counter()
    browser.get((folder / "index.html").as_uri())
    assert time.perf_counter() - started < 5
    names = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert all(name.endswith("/style.css") for name in names)
    assert browser.execute_script("return document.scripts.length") == 0


def test_formulas_are_drawn(browser: webdriver.Chrome, folder: Path) -> None:
    browser.get((folder / "theorems/theorem-3.html").as_uri())
    sizes = browser.execute_script(
        "return [...document.querySelectorAll('.claim math')].filter(e => !e.closest('details'))"
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
    assert len(drawings) == 4  # a climb, a waterfall, two panels of a study
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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "theorems/theorem-3.html"])
def test_text_has_contrast(browser: webdriver.Chrome, folder: Path, theme: str, name: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": theme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get((folder / name).as_uri())
    pairs = browser.execute_script(
        "const background = getComputedStyle(document.body).backgroundColor;"
        "return [...document.querySelectorAll('p, td, th, dd, dt, a, .badge, .state, summary')].map(e => "
        "[getComputedStyle(e).color, background])"
    )
    assert min(contrast(ink, paper) for ink, paper in set(map(tuple, pairs))) >= 4.5


def contrast(first: str, second: str) -> float:
    """The contrast ratio of WCAG 2 between two colours of the form ``rgb(r, g, b)``."""
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_pdf_is_the_printed_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, known = sample()
    monkeypatch.setattr(audit, "catalogue", lambda files: known)
    printed = write_report(run, "pdf", tmp_path).read_bytes()
    assert printed.startswith(b"%PDF-")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) < 60
    assert 20_000 < len(printed) < 3_000_000
    assert [path.name for path in tmp_path.iterdir()] == ["report.pdf"]
