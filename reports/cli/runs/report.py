"""`boundaudit report`: render a run."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from boundaudit import InputError
from boundaudit.reports.cli.lookup import newest_or_shipped, run_to_read
from boundaudit.reports.cli.options import PATH, choose, json_option, option
from boundaudit.reports.cli.output import answer, console


@click.command()
@click.argument("folder", required=False, type=PATH, metavar="[DIR]")
@option("--run", "run_folder", type=PATH, metavar="DIR", help="The same as DIR.")
@option(
    "--format", "formats", default="html",
    help="Comma-separated: html (a folder report/ with index.html), md, json, pdf (needs Chromium), tex; "
    "for continuous integration junit and sarif, which show what is unexpected at the file and line of the claim.",
)  # fmt: skip
@option("--single-file", is_flag=True, help="One report.html instead of a folder of pages.")
@option("--out", type=PATH, help="Where to write. [default: the run folder]")
@json_option
def report(
    folder: Path | None, run_folder: Path | None, formats: str, single_file: bool, out: Path | None, as_json: bool
) -> int:
    """Render a run: a scoreboard with a page for each theorem, or the same as Markdown, JSON, PDF or LaTeX.

    Without DIR the newest run under ./boundaudit-runs is rendered, else the reference receipts that ship with the
    suite (into ./boundaudit-report).
    """
    from boundaudit.checks.records.reference import FOLDER
    from boundaudit.reports.formats.render import FORMATS, write_report

    wanted = [name.strip() for name in formats.split(",")]
    for name in wanted:
        choose("--format", name, FORMATS, "choose from these, separated by commas")
    if folder is not None and run_folder is not None and folder != run_folder:
        raise InputError("--run", f"the same folder as DIR, {folder}", run_folder, "give one of them")
    run = run_to_read(folder or run_folder) if folder or run_folder else newest_or_shipped()
    target = out or (Path("boundaudit-report") if run.path == FOLDER else run.path)
    paths = [str(write_report(run, name, target, single=single_file)) for name in wanted]
    told = partial(console().print, "\n".join(paths), soft_wrap=True)
    answer({"run": str(run.path), "written": paths}, told, as_json=as_json)
    return 0
