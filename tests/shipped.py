"""The run that ships, audited once for all tests."""

from __future__ import annotations

import functools

from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit


@functools.cache
def audit() -> Audit:
    return Audit(Run.load(FOLDER))
