"""Receipts that do not stand: a few looked at again, for commands that show them; `check` looks at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run

MOST = 100
"""Receipts that a command looks at beside its own work; a thousand take a minute."""


@dataclass(frozen=True)
class Doubt:
    """A receipt that does not stand: what it says, its verdict or the field that is wrong, and what was found."""

    label: str
    says: str
    found: str


def quick_doubts(run: Run, labels: Sequence[str]) -> list[Doubt] | None:
    """What of a few receipts does not stand; None where nothing was checked.

    Many take long, and for those that ship with the suite every library that their claims need would have to be loaded.
    """
    if run.path == FOLDER or len(labels) > MOST:
        return None
    from boundaudit.checks.run.check import doubts_in

    return doubts_in(run, labels)
