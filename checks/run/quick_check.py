"""A few receipts looked at again, for commands that show them; `check` looks at all."""

from __future__ import annotations

from collections.abc import Sequence

from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.doubts import Doubt

MOST = 100
"""Receipts that a command looks at beside its own work; a thousand take a minute."""


def quick_doubts(run: Run, labels: Sequence[str]) -> list[Doubt] | None:
    """What of a few receipts does not stand; None where nothing was checked.

    Many take long, and for those that ship with the suite every library that their claims need would have to be loaded.
    """
    if run.path == FOLDER or len(labels) > MOST:
        return None
    from boundaudit.checks.run.check import doubts_in

    return doubts_in(run, labels)
