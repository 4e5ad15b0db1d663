"""What people read of an experiment or a limit as one HTML page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boundaudit.reports.document.shown import Shown
from boundaudit.reports.formats.files import write_text
from boundaudit.reports.formats.html import environment


def write_page(shown: Shown, found: Mapping[str, Any], path: Path) -> None:
    """Write a page with its figures; of the JSON it prints parameters and notes, and how an experiment was run.

    Raises:
        InputError: where it cannot be written.
    """
    template = environment().get_template("experiment.html.j2")
    write_text(path, template.render(found=found, shown=shown))
