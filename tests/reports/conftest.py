"""The sample run and its catalogue, shared by the tests of all formats."""

from __future__ import annotations

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue

from .sample_run import sample


@pytest.fixture
def run() -> Run:
    return sample()[0]


@pytest.fixture
def known() -> Catalogue:
    return sample()[1]
