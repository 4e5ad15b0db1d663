"""The sample run and its catalogue, shared by the tests of all formats; its pages in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue

from .sample_run import sample

if TYPE_CHECKING:
    from selenium import webdriver


@pytest.fixture
def run() -> Run:
    return sample()[0]


@pytest.fixture
def known() -> Catalogue:
    return sample()[1]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages of the sample run, and everything in one."""
    from boundaudit.reports.formats.html import render_single, render_site

    folder = tmp_path_factory.mktemp("site")
    for name, text in {**render_site(*sample()), "report.html": render_single(*sample())}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages that calculators and experiments write."""
    from .calculator_pages import write_pages

    folder = tmp_path_factory.mktemp("others")
    write_pages(folder)
    return folder


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A browser; tests say with `emulate` what it is."""
    from .browser import chromium

    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found
