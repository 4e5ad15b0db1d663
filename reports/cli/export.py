"""`boundaudit export`: the registry for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from boundaudit.reports.cli.output import emit_json, json_option, run_option, run_to_read


@click.command()
@click.option("--needs", is_flag=True, help="As needs.json, which sphinx-needs and its importers read.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Write this file. [default: print it]")
@run_option
@json_option
def export(needs: bool, out: Path | None, folder: Path | None, as_json: bool) -> int:
    """Hand theorems and claims, with verdicts and links, to a traceability tool."""
    from boundaudit import InputError
    from boundaudit.reports.needs import render_needs
    from boundaudit.reports.render import write_text

    if not needs:
        raise InputError("export", "a format", "none", "add --needs")
    found = render_needs(run_to_read(folder))
    if out is None:
        emit_json(found)
        return 0
    write_text(out, json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    if as_json:
        emit_json({"written": str(out)})
    else:
        click.echo(str(out))
    return 0
