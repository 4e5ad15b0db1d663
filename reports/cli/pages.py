"""Experiments and limits: tables on the screen, a page, or JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundaudit import InputError
from boundaudit.reports.cli.options import PATH, option
from boundaudit.reports.cli.output import answer, console, table, tell_written

if TYPE_CHECKING:
    from boundaudit.reports.document.shown import Shown

PAGE = option("--out", type=PATH, metavar="FILE.html", help="Write a page with figures.")


def check_page(path: Path | None, suffix: str = ".html") -> None:
    """Refuse before an hour of work what could not be written after it."""
    if path is None:
        return
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if path.suffix != suffix or path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError("--out", f"a {suffix} file in a folder that can be written", str(path), "choose another")


def tell(read: Shown, found: Mapping[str, Any], out: Path | None, *, as_json: bool) -> int:
    """Write the page, then print JSON or what people read."""
    if out is not None:
        from boundaudit.reports.formats.files import write_text
        from boundaudit.reports.formats.html import rendered

        write_text(out, rendered("experiment.html.j2", found=found, shown=read))
        tell_written(out)
    answer(found, partial(_show, read, found), as_json=as_json)
    return 0


def _show(read: Shown, found: Mapping[str, Any]) -> None:
    from boundaudit.reports.wording import cell

    screen = console()
    said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in found["parameters"].items())
    run = f"profile {found['profile']} on {found['device']}, seed {found['seed']}: " if "profile" in found else ""
    screen.print(f"{run}{said}", markup=False)
    for data in (data for data in read.tables if not data.folded):
        numbers = [place for place, numeric in enumerate(data.numeric()) if numeric]
        screen.print(data.title, style="bold", markup=False)
        screen.print(table(data.columns, (map(cell, row) for row in data.rows), right=numbers))
    for sentence in read.conclusions:
        screen.print(sentence, markup=False)
    for note in found["notes"]:
        screen.print(note, style="dim", markup=False)
