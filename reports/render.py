"""From a run to files: every format that `boundaudit report` writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.html import render_html
from boundaudit.reports.json_report import render_json
from boundaudit.reports.markdown import render_markdown


def _json_text(run: Run) -> str:
    return json.dumps(render_json(run), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


FORMATS: dict[str, Callable[[Run], str]] = {"html": render_html, "md": render_markdown, "json": _json_text}
"""Renderers by file ending."""


def write_report(run: Run, name: str, folder: Path) -> Path:
    """Render a run and write ``report.<name>`` in one step.

    Args:
        run: The run.
        name: One of `FORMATS`.
        folder: Where to write; made if missing.

    Returns:
        The file's path.

    Raises:
        InputError: where the folder cannot be written.
    """
    path = folder / f"report.{name}"
    write_text(path, FORMATS[name](run))
    return path


def write_text(path: Path, text: str) -> None:
    """Write a file in one step, so that none is ever half written.

    Args:
        path: The file; its folder is made if missing.
        text: What it holds.

    Raises:
        InputError: where it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(path.name + ".draft")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise InputError(
            "--out", "a place that can be written", f"{path} ({error.strerror})", "choose another"
        ) from None
