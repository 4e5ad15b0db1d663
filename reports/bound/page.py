"""A comparison of bounds as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from boundaudit.checks.records.study import Panel
from boundaudit.reports.html import environment
from boundaudit.reports.render import write_text


def write_page(found: dict[str, Any], panels: Sequence[Panel], path: Path) -> None:
    """Write the comparison with its curves.

    Args:
        found: what `compare` returns.
        panels: what `curves` returns.
        path: the file.

    Raises:
        InputError: where it cannot be written.
    """
    study = {"label": "bounds", "title": "Bounds", "panels": [asdict(panel) for panel in panels]}
    write_text(path, environment().get_template("bounds.html.j2").render(found=found, study=study))
