"""The pages by keyboard in a real browser: Tab reaches all that can be used, in order, visibly, and leaves it again."""

from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from .browser import MARKS, emulate

pytestmark = MARKS

STOPS = """
const usable = "a[href], button, input, select, textarea, summary, [tabindex]";
window.stops = [...document.querySelectorAll(usable)].filter(e => e.tabIndex >= 0 && e.checkVisibility());
return [stops.length, stops.filter(e => e.tabIndex > 0).length];
"""
WHERE = """
const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
const drawn = e.querySelector("rect");
const ring = e instanceof SVGElement ? drawn && parseFloat(getComputedStyle(drawn).strokeWidth)
  : style.outlineStyle !== "none" && parseFloat(style.outlineWidth);
const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
return [stops.indexOf(e), ring >= 2, inside, e.outerHTML.slice(0, 90)];
"""


def press(driver: webdriver.Chrome, *keys: str) -> None:
    """Press keys, wherever the focus is."""
    ActionChains(driver, duration=0).send_keys(*keys).perform()


def walk(driver: webdriver.Chrome, page: Path, width: int) -> int:
    """Go through a page by Tab; how many stops it has."""
    emulate(driver, width=width)
    driver.get("about:blank")
    driver.get(page.as_uri())
    many, ahead = driver.execute_script(STOPS)
    assert ahead == 0  # the order is that of the page
    for place in range(many):
        press(driver, Keys.TAB)
        reached, ring, inside, words = driver.execute_script(WHERE)
        assert (reached, ring, inside) == (place, True, True), words
    press(driver, Keys.TAB)
    assert driver.execute_script(WHERE)[0] != many - 1  # no trap
    return int(many)


@pytest.mark.parametrize(
    ("name", "width"),
    [("index.html", 1280), ("index.html", 390), ("claims.html", 1280), ("theorems/theorem-3.html", 1280),
     ("theorems/lemma-7.html", 390), ("mutants.html", 1280), ("run.html", 1280)],
)  # fmt: skip
def test_a_page_of_the_report(driver: webdriver.Chrome, folder: Path, name: str, width: int) -> None:
    assert walk(driver, folder / name, width) > 5


@pytest.mark.parametrize("name", ["model.html", "fourier.html", "compare.html"])
def test_a_page_of_a_calculator(driver: webdriver.Chrome, others: Path, name: str) -> None:
    assert walk(driver, others / name, 1280) > 1


def test_the_first_stop_skips_what_every_page_has(driver: webdriver.Chrome, folder: Path) -> None:
    emulate(driver)
    for name in ("index.html", "report.html"):
        driver.get((folder / name).as_uri())
        press(driver, Keys.TAB)
        skip: Any = driver.switch_to.active_element
        assert skip.text == "To the content"
        press(driver, Keys.ENTER, Keys.TAB)
        assert driver.execute_script("return document.activeElement.closest('main') !== null")


def test_what_is_folded_opens_and_can_be_entered(driver: webdriver.Chrome, folder: Path) -> None:
    emulate(driver)
    driver.get((folder / "theorems/theorem-3.html").as_uri())
    driver.execute_script("document.querySelector('details:not([open]):has(a, [tabindex]) > summary').focus()")
    press(driver, Keys.ENTER, Keys.TAB)
    assert driver.execute_script("return document.activeElement.closest('details[open]') !== null")
