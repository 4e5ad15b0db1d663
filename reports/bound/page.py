"""A comparison of bounds as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from boundaudit.checks.records.study import Panel
from boundaudit.reports.figures.studies import Figure
from boundaudit.reports.formats.files import write_text
from boundaudit.reports.formats.html import environment


def write_page(found: Mapping[str, object], panels: Sequence[Panel], path: Path) -> None:
    """Write the comparison with its curves. Raises InputError where it cannot be written."""
    study = Figure(label="bounds", title="Bounds", panels=panels)
    write_text(path, environment().get_template("bounds.html.j2").render(found=found, study=study))
