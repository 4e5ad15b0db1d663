"""The receipts that ship inside the package: made by `verify --profile standard`, kept current by CI."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from boundaudit.checks.records.run_folder import Run

FOLDER = Path(__file__).parents[1] / "receipts"


@functools.cache
def reference() -> dict[str, dict[str, Any]]:
    """The reference receipts by label.

    Returns:
        An empty dictionary where none are shipped.
    """
    return Run.load(FOLDER).receipts if (FOLDER / "manifest.json").is_file() else {}
