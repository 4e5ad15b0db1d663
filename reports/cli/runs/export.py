"""`boundaudit export`: the registry, and its proofs, for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import click

from boundaudit import InputError
from boundaudit.reports.cli.lookup import run_to_read
from boundaudit.reports.cli.options import PATH, json_option, option, run_option
from boundaudit.reports.cli.output import answer, emit_json
from boundaudit.reports.cli.pages import check_page


@click.command()
@click.argument("labels", nargs=-1)
@option("--needs", is_flag=True, help="As needs.json, which sphinx-needs and its importers read.")
@option("--coq", is_flag=True, help="Proofs of claims, or all of them, as files that coqc checks.")
@option("--out", type=PATH, help="Write this file, or this folder. [default: print it]")
@run_option
@json_option
def export(
    labels: tuple[str, ...], needs: bool, coq: bool, out: Path | None, folder: Path | None, as_json: bool
) -> int:
    """Hand theorems and claims to a traceability tool, or recorded proofs to Coq.

    With --needs all theorems and claims go out with verdicts and links. With --coq the proofs of the claims
    named, or of all, do: one file each, made from its certificate, beside the file that they require.
    """
    if needs == coq:
        raise InputError("export", "one format", "both" if needs else "none", "add --needs or --coq")
    if coq:
        return _coq(labels, out, folder, as_json=as_json)
    if labels:
        raise InputError("export", "no label with --needs", labels[0], "leave it out")
    return _needs(out, folder, as_json=as_json)


def _needs(out: Path | None, folder: Path | None, *, as_json: bool) -> int:
    from boundaudit.reports.formats.files import write_text
    from boundaudit.reports.formats.needs import render_needs

    check_page(out, ".json")
    found = render_needs(run_to_read(folder))
    if out is None:
        emit_json(found)
        return 0
    write_text(out, json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    answer({"written": str(out)}, lambda: click.echo(str(out)), as_json=as_json)
    return 0


def _coq(labels: tuple[str, ...], out: Path | None, folder: Path | None, *, as_json: bool) -> int:
    from boundaudit.checks.run.coq import export_coq
    from boundaudit.reports.formats.files import write_text

    if out is None:
        raise InputError("--out", "a folder for the files", "none", "add --out DIR")
    found = export_coq(run_to_read(folder), labels, lambda name, text: write_text(out / name, text))
    if as_json:
        emit_json({"folder": str(out), "certificates": [each.to_json() for each in found]})
        return 0
    written = [each for each in found if each.file is not None]
    for each in found:
        if each.file is None:
            click.echo(f"not exported: {each.label}: {each.why}")
    click.echo(f"{len(written)} of {len(found)} certificates written to {out}")
    return 0
