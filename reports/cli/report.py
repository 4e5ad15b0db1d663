"""`boundaudit report`: render a run."""

from __future__ import annotations

from pathlib import Path

import click

from boundaudit.reports.cli.output import console, emit_json, json_option, run_to_read


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
@click.option("--format", "formats", default="html", show_default=True, help="Comma-separated: html, md, json.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Where to write. [default: the run folder]")
@json_option
def report(folder: Path | None, formats: str, out: Path | None, as_json: bool) -> int:
    """Render a run as one self-contained HTML file, as Markdown, or as JSON.

    Without DIR the newest run under ./boundaudit-runs is rendered, else the reference receipts that ship with the
    suite (into ./boundaudit-report).
    """
    from boundaudit import InputError
    from boundaudit.checks.records.reference import FOLDER
    from boundaudit.reports.render import FORMATS, write_report

    wanted = [name.strip() for name in formats.split(",")]
    for name in wanted:
        if name not in FORMATS:
            raise InputError("--format", ", ".join(FORMATS), name, "choose from these, separated by commas")
    run = run_to_read(folder)
    target = out or (Path("boundaudit-report") if run.path == FOLDER else run.path)
    paths = [str(write_report(run, name, target)) for name in wanted]
    if as_json:
        emit_json({"run": str(run.path), "written": paths})
    else:
        screen = console()
        for path in paths:
            screen.print(path, soft_wrap=True)
    return 0
