"""What every command shares: JSON on stdout alone, tables for people, one line for an error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from boundaudit.checks.records.run_folder import Run

RUNS = Path("boundaudit-runs")

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON alone on stdout; progress goes to stderr."
)


def emit_json(data: Any) -> None:
    """Print JSON on stdout."""
    click.echo(json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False))


def console(*, stderr: bool = False) -> Console:
    """A rich console: plain text where output is no terminal or NO_COLOR is set.

    Returns:
        The console; wide enough not to break words where output is a file.
    """
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else 160
    return Console(stderr=stderr, width=width, highlight=False, no_color="NO_COLOR" in os.environ or None)


def newest_run() -> Path | None:
    """The newest finished run under ./boundaudit-runs.

    Returns:
        Its folder, or None.
    """
    manifests = sorted(RUNS.glob("*/manifest.json"), key=lambda path: path.stat().st_mtime)
    finished = [path.parent for path in manifests if path.parent.suffix != ".partial"]
    return finished[-1] if finished else None


def run_to_read(folder: Path | None) -> Run:
    """The run that a command reads: the one given, else the newest, else the reference receipts.

    Returns:
        The run.
    """
    from boundaudit.checks.records.reference import FOLDER
    from boundaudit.checks.records.run_folder import Run

    return Run.load(folder or newest_run() or FOLDER)


def run_with(label: str) -> Run:
    """The run that knows a claim: the newest one, else the reference receipts.

    Returns:
        The run.

    Raises:
        InputError: where neither has a receipt of that label.
    """
    from boundaudit import InputError
    from boundaudit.checks.records.reference import FOLDER
    from boundaudit.checks.records.run_folder import Run

    newest = run_to_read(None)
    for run in (newest, Run.load(FOLDER)):
        if label in run.receipts:
            return run
    raise InputError("label", f"a label of {newest.path} or of the reference receipts", label, "see `boundaudit list`")


def number(value: float | None, digits: int = 6) -> str:
    """A number for a table.

    Returns:
        The number, or a dash where there is none.
    """
    return "–" if value is None else f"{value:.{digits}g}"


STYLES = {
    "proved": "green", "certified": "green", "supported": "cyan", "refuted": "red", "undecided": "yellow",
    "vacuous": "yellow", "not testable": "dim",
}  # fmt: skip
"""Terminal colours of the verdicts; the word always stands beside the colour."""
