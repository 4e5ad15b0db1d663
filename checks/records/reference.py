"""The reference run that ships inside the package: made by `make reference`, kept current by CI."""

from __future__ import annotations

import functools
from pathlib import Path

from boundaudit.checks.records.run_folder import Run

FOLDER = Path(__file__).parents[1] / "reference"


@functools.cache
def reference() -> Run | None:
    """The reference run.

    Returns:
        The run; None where none is shipped.
    """
    return Run.load(FOLDER) if (FOLDER / "manifest.json").is_file() else None
