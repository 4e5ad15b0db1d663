"""Experiments and limits: tables on the screen, a page, or JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.output import PATH, console, emit_json

if TYPE_CHECKING:
    from boundaudit.reports.document.shown import Shown

PAGE = click.option("--out", type=PATH, default=None, metavar="FILE.html", help="Write a page with figures.")


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
        console(stderr=True).print(f"wrote {out}", soft_wrap=True, markup=False)
    if as_json:
        emit_json(found)
    else:
        _show(read, found)
    return 0


def _show(read: Shown, found: Mapping[str, Any]) -> None:
    from rich.table import Table

    from boundaudit.reports.wording import cell

    screen = console()
    said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in found["parameters"].items())
    run = f"profile {found['profile']} on {found['device']}, seed {found['seed']}: " if "profile" in found else ""
    screen.print(f"{run}{said}", markup=False)
    for data in (table for table in read.tables if not table.folded):
        table = Table(box=None, pad_edge=False)
        for title, numeric in zip(data.columns, data.numeric(), strict=True):
            table.add_column(title, justify="right" if numeric else "left")
        for row in data.rows:
            table.add_row(*map(cell, row))
        screen.print(data.title, style="bold", markup=False)
        screen.print(table)
    for sentence in read.conclusions:
        screen.print(sentence, markup=False)
    for note in found["notes"]:
        screen.print(note, style="dim", markup=False)
