"""The reference run that ships inside the package: made by `make reference`, kept current by CI."""

from __future__ import annotations

import functools
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.run_folder import Run

FOLDER = Path(__file__).parents[1] / "reference"


@functools.cache
def reference() -> Run | None:
    """The reference run; None where none is shipped.

    Raises:
        InputError: where it is damaged, or a verdict is not what its evidence says.
    """
    return Run.load(FOLDER) if (FOLDER / "manifest.json").is_file() else None


@functools.cache
def _sound() -> dict[str, Receipt]:
    """The receipts that do not contradict themselves."""
    try:
        found = reference()
    except InputError:
        found = Run.load(FOLDER, doubt=lambda error: None)
    return {} if found is None else found.receipts


def stored(label: str) -> Findings | None:
    """What the reference run found about a claim or a case, for whoever looks at it again before it counts.

    None where there is nothing, or it contradicts itself.
    """
    found = _sound().get(label)
    return None if found is None else found.findings


def stored_under(label: str, key: str) -> Findings | None:
    """What the reference run found about a claim or a case under the key that its evidence is bound to now, or None."""
    found = _sound().get(label)
    return found.findings if found is not None and found.key == key else None
