"""The reference run that ships inside the package: made by `make reference`, kept current by CI."""

from __future__ import annotations

import functools
from pathlib import Path

from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.records.run_folder import Run

FOLDER = Path(__file__).parents[1] / "reference"


@functools.cache
def reference() -> Run | None:
    """The reference run.

    Returns:
        The run; None where none is shipped.

    Raises:
        InputError: where it is damaged, or a verdict is not what its evidence says.
    """
    return Run.load(FOLDER) if (FOLDER / "manifest.json").is_file() else None


@functools.cache
def _stored() -> dict[str, Findings]:
    if not (FOLDER / "manifest.json").is_file():
        return {}
    run = Run.load(FOLDER, doubt=lambda error: None)
    return {label: receipt.findings for label, receipt in run.receipts.items()}


def stored(label: str) -> Findings | None:
    """What the reference run found about a claim, for whoever looks at it again before it counts.

    Args:
        label: A claim's, or a case's.

    Returns:
        Its findings; None where there are none, or they contradict themselves.
    """
    return _stored().get(label)
