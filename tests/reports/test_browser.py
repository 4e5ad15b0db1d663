"""The page in a real browser, on a desk and on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver

from boundaudit.reports.html import render_html

from .sample_run import write_sample

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


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "report.html").write_text(render_html(write_sample(folder / "run")), encoding="utf-8")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})  # the page's own, not ours
    driver.get((folder / "report.html").as_uri())
    yield driver
    driver.quit()


@pytest.fixture(params=[1280, 390])
def page(browser: webdriver.Chrome, request: pytest.FixtureRequest) -> webdriver.Chrome:
    metrics = {"width": request.param, "height": 900, "deviceScaleFactor": 1, "mobile": request.param < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    assert browser.execute_script("return innerWidth") == request.param
    return browser


def test_formulas_are_drawn(page: webdriver.Chrome) -> None:
    sizes = page.execute_script(
        "return [...document.querySelectorAll('math')].map(e => e.getBoundingClientRect())"
        ".map(r => [r.width, r.height])"
    )
    assert len(sizes) == 15  # eleven claims and four nodes of a chain
    assert all(width > 10 and height > 10 for width, height in sizes)
    tall = "return document.querySelector('#claim-coins\\\\.variance mfrac').getBoundingClientRect().height"
    assert page.execute_script(tall) > 25  # a fraction is stacked, not written in a row


def test_page_does_not_overflow(page: webdriver.Chrome) -> None:
    assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    sticking_out = page.execute_script(
        "const boxed = e => e.closest('.graphbox, .formula, .scroll, pre, .skip, thead');"
        "return [...document.querySelectorAll('body *')].filter(e => !boxed(e) && "
        "e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert sticking_out == []


def test_every_drawing_has_a_text_alternative(page: webdriver.Chrome) -> None:
    drawings = page.execute_script(
        "const words = ids => ids?.split(' ').map(id => document.getElementById(id)?.textContent).join(' ');"
        "return [...document.querySelectorAll('svg, img')].map(e => [e.getAttribute('role'), "
        "words(e.getAttribute('aria-labelledby')) || e.alt])"
    )
    assert len(drawings) == 7  # the graph, two tightness plots, a climb, one waterfall, two panels of a study
    assert all(role == "img" and len(words) > 20 for role, words in drawings)


def test_panels_stand_side_by_side_on_a_desk_and_stack_on_a_phone(page: webdriver.Chrome) -> None:
    boxes = page.execute_script(
        "return [...document.querySelectorAll('.panels svg')].map(e => e.getBoundingClientRect())"
        ".map(r => [r.left, r.top, r.width])"
    )
    (left, top, width), (next_left, next_top, _) = boxes
    if page.execute_script("return innerWidth") == 390:
        assert left == next_left
        assert top < next_top
        assert width > 300
    else:
        assert next_left > left + width
    smallest = page.execute_script(
        "return Math.min(...[...document.querySelectorAll('.panels svg text')]"
        ".map(e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))"
    )
    assert smallest > 9.5  # pixels


def test_nothing_is_fetched(page: webdriver.Chrome) -> None:
    assert page.execute_script("return performance.getEntriesByType('resource').map(e => e.name)") == []
    assert page.execute_script("return document.scripts.length") == 0


def test_first_screen_shows_the_refuted_claims(page: webdriver.Chrome) -> None:
    top = page.execute_script("return document.querySelector('#refuted h2').getBoundingClientRect().top + scrollY")
    assert top < 900


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_contrast(page: webdriver.Chrome, theme: str) -> None:
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
    pairs = page.execute_script(
        "const background = getComputedStyle(document.body).backgroundColor;"
        "return [...document.querySelectorAll('p, td, th, dd, dt, a, .badge, summary')].map(e => "
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


def test_boxes_of_the_graph_lead_to_sections(page: webdriver.Chrome) -> None:
    links = page.execute_script(
        "return [...document.querySelectorAll('svg.graph a')].map(a => "
        "!!document.getElementById(a.getAttribute('href').slice(1)))"
    )
    assert len(links) == 11
    assert all(links)
