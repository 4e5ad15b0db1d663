"""`boundaudit graph`: what rests on what, around one theorem or claim."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boundaudit import InputError
from boundaudit.reports.cli.lookup import run_to_read, run_with
from boundaudit.reports.cli.options import PATH, choose, json_option, option, run_option
from boundaudit.reports.cli.output import STYLES, answer, console, text
from boundaudit.reports.cli.pages import check_page

if TYPE_CHECKING:
    from boundaudit.checks.records.run_folder import Run
    from boundaudit.reports.formats.graph import Graph


@click.command()
@click.argument("label", required=False, metavar="[LABEL | 'Theorem N']")
@option("--format", "name", help="svg, dot (for Graphviz) or json. [default: a list for people]")
@option("--paper", help="Only the statements of this paper: as in `theorems`.")
@option("--out", type=PATH, help="Write it to this file.")
@run_option
@json_option
def graph(
    label: str | None, name: str | None, paper: str | None, out: Path | None, folder: Path | None, as_json: bool
) -> int:
    """Show a theorem, or a claim, with all that it rests on and all that rests on it.

    Without a label: all statements of all papers.
    """
    from boundaudit.reports.formats.files import write_text
    from boundaudit.reports.formats.graph import FORMATS

    choose("--format", name, FORMATS)
    if out is not None and name is None:
        raise InputError("--out", "a --format", out, f"add --format {out.suffix.strip('.') or 'svg'}")
    check_page(out, f".{name}")
    run, found = _around(label, paper, folder)
    if out is not None and name is not None:
        write_text(out, FORMATS[name](found).rstrip("\n") + "\n")
        answer({"written": str(out)}, lambda: click.echo(str(out)), as_json=as_json)
    elif name in ("svg", "dot"):
        text = FORMATS[name](found)
        answer({"format": name, "text": text}, lambda: click.echo(text), as_json=as_json)
    else:
        answer(found.to_json(), partial(_list, found), as_json=as_json or name == "json", run=run)
    return 0


def _around(label: str | None, paper: str | None, folder: Path | None) -> tuple[Run, Graph]:
    """The graph that was asked for, and the run it is read from."""
    from boundaudit.checks.run.audit import Audit
    from boundaudit.reports.cli.claims.theorems import rows_of_paper
    from boundaudit.reports.formats.graph import claim_graph, theorem_graph

    if label is not None and "." in label and " " not in label:  # every label has a dot and no space
        run = run_with(label, folder)
        audit = Audit(run)
        return run, claim_graph(audit.claims.values()).around(audit.claim(label).claim.label)
    run = run_to_read(folder)
    audit = Audit(run)
    rows = audit.theorems if paper is None else rows_of_paper(audit.theorems, paper)
    every = theorem_graph(rows)
    if label is None:
        return run, every
    focus = [row.theorem.label for row in audit.theorem(label) if row in rows]
    if not focus:
        raise InputError("label", "a label or a statement's number", label, "see `boundaudit theorems`")
    return run, every.around(*focus)


def _list(graph: Graph) -> None:
    """The focus, what is above it and what is below it, each with what it rests on directly."""
    screen = console()
    parts = [("", list(graph.focus or graph.nodes))]
    if graph.focus:
        falls = any(graph.nodes[key].falls for key in graph.focus)
        below = "\nfalls with it" if falls else "\nused by"
        parts += [("\nrests on", graph.ancestors), (below, graph.descendants)]
    for heading, keys in parts:
        if heading and keys:
            screen.print(text(f"{heading} ({len(keys)})", "bold"))
        for key in keys:
            node = graph.nodes[key]
            above = ", ".join(graph.nodes[parent].name for parent in graph.parents[key])
            line = text(f"  {node.title if node.kind == 'theorem' else node.name}  ")
            screen.print(line.append(node.state, STYLES[node.state]).append(f"  ← {above}" if above else "", "dim"))
