"""The filter of the lists in a real browser: it adds where scripts run, and takes nothing away where they do not."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from boundaudit.checks.run.audit import Audit

from .browser import MARKS, emulate
from .sample_run import sample

pytestmark = MARKS

ALL = ["Theorem 3", "Theorem 6", "Remark 9", "Lemma 7", "Lemma 8", "series.shared"]


def rows(driver: webdriver.Chrome) -> list[str]:
    """The rows that are shown, by their first link."""
    found = driver.execute_script(
        "return [...document.querySelectorAll('[data-is]')].filter(e => e.checkVisibility())"
        ".map(e => e.querySelector('a').textContent)"
    )
    return list(found)


def opened(driver: webdriver.Chrome, page: Path, fragment: str = "") -> list[str]:
    """Open a page afresh; the rows that it shows."""
    driver.get("about:blank")
    driver.get(page.as_uri() + fragment)
    WebDriverWait(driver, 10).until(lambda _: driver.find_elements(By.CSS_SELECTOR, "#filter:not([hidden])"))  # has run
    return rows(driver)


def wait(driver: webdriver.Chrome, expected: list[str]) -> None:
    """Until these are the rows that are shown."""
    WebDriverWait(driver, 10).until(lambda _: rows(driver) == expected)


def said(driver: webdriver.Chrome) -> str:
    """What a screen reader is told."""
    status = driver.find_element(By.CSS_SELECTOR, "#filter [role=status]")
    assert status.get_attribute("role") == "status"  # a live region, polite
    return status.text


@pytest.fixture
def desk(driver: webdriver.Chrome) -> webdriver.Chrome:
    emulate(driver)
    return driver


@pytest.mark.parametrize("name", ["index.html", "claims.html", "report.html"])
def test_without_scripts_all_is_there_and_no_control(driver: webdriver.Chrome, folder: Path, name: str) -> None:
    emulate(driver, scripts=False)
    driver.get(f"{(folder / name).as_uri()}#verdict=refuted")
    without = rows(driver)
    assert not driver.find_element(By.ID, "filter").is_displayed()
    emulate(driver)
    assert opened(driver, folder / name) == without
    assert driver.find_element(By.ID, "filter").is_displayed()


def test_claims_by_verdict_and_role(desk: webdriver.Chrome, folder: Path) -> None:
    claims = Audit(*sample()).claims.values()
    page = (folder / "claims.html").as_uri()
    for verdict, role in itertools.product(("", "proved", "supported", "refuted"), ("", "printed", "lemma", "control")):
        desk.get(f"{page}#verdict={verdict}&role={role}")
        expected = [c.claim.label for c in claims if verdict in ("", c.verdict) and role in ("", c.claim.role)]
        wait(desk, expected)
        assert said(desk) == f"Shown: {len(expected)} of {len(claims)} claims."


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        ("", ALL),
        ("#verdict=refuted", ["Theorem 3", "Lemma 7"]),
        ("#verdict=proved&role=printed", ["Theorem 3"]),
        ("#verdict=proved", ["Theorem 3", "Theorem 6"]),  # what is sharper than Theorem 6 is proved
        ("#verdict=not-testable", ["Lemma 8"]),
        ("#role=control", ALL),  # controls are not on the scoreboard
        ("#verdict=unheard-of", ALL),
        ("#search=SHRINKS", ["Theorem 6"]),
        ("#search=flat+exponential", ["Lemma 7"]),
        ("#search=coins.variance.printed", ["Theorem 3"]),  # a label that no cell spells
        ("#search=nowhere", []),
        ("#paper=ames-bold-2024-moments-of-coin-flips", ["Theorem 3", "Theorem 6", "Remark 9"]),
        ("#anchor", ALL),
    ],
)
def test_the_scoreboard_by_the_fragment(
    desk: webdriver.Chrome, folder: Path, fragment: str, expected: list[str]
) -> None:
    assert opened(desk, folder / "index.html", fragment) == expected
    shown = sum(row != "series.shared" for row in expected)
    assert said(desk).startswith(f"Shown: {shown} of 5 statements, {len(expected) - shown} of 1 ")
    papers = headings(desk)
    assert ("Ames & Bold 2024, Moments of Coin Flips" in papers) is bool({"Theorem 3", "Theorem 6"} & set(expected))


def headings(driver: webdriver.Chrome) -> list[str]:
    return [e.text for e in driver.find_elements(By.CSS_SELECTOR, "[data-list] h2") if e.is_displayed()]


def test_it_is_used_by_keyboard_and_can_be_linked(desk: webdriver.Chrome, folder: Path) -> None:
    opened(desk, folder / "index.html")
    field = desk.find_element(By.CSS_SELECTOR, "#filter [name=search]")
    field.send_keys("variance", Keys.TAB)
    active: Any = desk.switch_to.active_element
    assert active.get_attribute("name") == "verdict"
    active.send_keys("refuted")
    wait(desk, ["Theorem 3"])
    assert desk.current_url.endswith("index.html#search=variance&verdict=refuted")
    field.send_keys(Keys.ENTER)  # no form is sent
    assert rows(desk) == ["Theorem 3"]
    linked = desk.current_url
    desk.find_element(By.LINK_TEXT, "All claims").click()
    assert desk.current_url.endswith("claims.html#search=variance&verdict=refuted")
    assert rows(desk) == ["coins.variance.printed"]
    desk.back()
    wait(desk, ["Theorem 3"])
    assert desk.current_url == linked
    desk.find_element(By.CSS_SELECTOR, "#filter button").send_keys(Keys.ENTER)
    wait(desk, ALL)
    assert desk.current_url.endswith("index.html")


def test_one_page_filters_both_of_its_lists(desk: webdriver.Chrome, folder: Path) -> None:
    shown = opened(desk, folder / "report.html", "#search=theorem&verdict=supported")
    assert shown == ["Theorem 3", "coins.product"]
    assert said(desk) == "Shown: 1 of 5 statements, 0 of 1 chapters, 1 of 9 claims."


def test_what_is_printed_is_what_is_shown(driver: webdriver.Chrome, folder: Path) -> None:
    emulate(driver, media="print")
    assert opened(driver, folder / "index.html") == ALL
    form = driver.find_element(By.ID, "filter")
    assert not form.is_displayed()
    assert opened(driver, folder / "index.html", "#verdict=refuted") == ["Theorem 3", "Lemma 7"]
    form = driver.find_element(By.ID, "filter")
    assert form.is_displayed()  # so that a part does not pass for the whole
    assert not form.find_element(By.TAG_NAME, "button").is_displayed()


def test_no_other_script_runs(desk: webdriver.Chrome, folder: Path, tmp_path: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    run = "document.title = 1"
    bad = f'<script>{run}</script><img src="x" onerror="{run}"><a href="javascript:{run}">x</a>'
    other = tmp_path / "page.html"
    other.write_text(page.replace("</main>", f"{bad}</main>"), encoding="utf-8")
    assert opened(desk, other, "#verdict=proved")
    desk.find_element(By.LINK_TEXT, "x").click()
    assert desk.title == "Audit of bounds"
    assert said(desk).startswith("Shown: 2 of 5")
