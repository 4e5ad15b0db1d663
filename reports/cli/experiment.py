"""`boundaudit experiment`: the papers' experiments, run again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.output import SEED, console, emit_json, json_option

if TYPE_CHECKING:
    from boundaudit.reports.experiment.page import Shown


@click.group()
def experiment() -> None:
    """An experiment of a paper, with intervals and what may be concluded from it."""


@experiment.command("sparse-majority")
@click.option(
    "--profile", type=click.Choice(["smoke", "paper"]), default="smoke", show_default=True,
    help="smoke: short sequences and an easier task, within a minute; paper: T = 20 to 200, hours, meant for a GPU.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of data, starts and the order of samples.")
@click.option("--device", default="auto", show_default=True, help="auto, cpu or cuda.")
@click.option("--out", type=click.Path(path_type=Path), default=None, metavar="FILE.html", help="Write a page.")
@json_option
def sparse_majority(profile: str, seed: int, device: str, out: Path | None, as_json: bool) -> int:
    """Trauger & Tewari 2024: do gap and norm of trained attention move with the length of its input?

    One layer of attention learns the majority of a few of T bits until it makes no error; all runs of one T are trained
    together. Slopes against log T come with intervals over runs.
    """
    from boundaudit.checks.run.runner import resolve_device

    where = resolve_device(device)
    if out is not None:
        _check_page(out)
    import torch

    from boundaudit.reports.experiment.sparse_majority import shown
    from boundaudit.reports.experiment.sparse_majority import sparse_majority as computed

    torch.set_num_threads(1)  # as in the workers of a run: more of them cost small tensors more than they save
    with console(stderr=True).status("drawing data") as status:
        found = computed(
            profile, seed=seed, device=where,
            told=lambda length, epoch, going: status.update(f"T = {length}: epoch {epoch:,}, {going} runs go on"),
        )  # fmt: skip
    _told(shown(found), found, out, as_json)
    return 0


def _check_page(path: Path) -> None:
    """Refuse before an hour of training what could not be written after it."""
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if path.suffix != ".html" or path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError("--out", "an .html file in a folder that can be written", str(path), "choose another")


def _told(read: Shown, found: Mapping[str, Any], out: Path | None, as_json: bool) -> None:
    """Write the page, then print JSON or what people read."""
    if out is not None:
        from boundaudit.reports.experiment.page import write_page

        write_page(read, found, out)
        console(stderr=True).print(f"wrote {out}", soft_wrap=True, markup=False)
    if as_json:
        emit_json(found)
    else:
        _show(read, found)


def _show(read: Shown, found: Mapping[str, Any]) -> None:
    from rich.table import Table

    from boundaudit.reports.experiment.page import cell

    screen = console()
    said = ", ".join(f"{name} {value}" for name, value in found["parameters"].items())
    screen.print(f"profile {found['profile']} on {found['device']}, seed {found['seed']}: {said}", markup=False)
    for data in (table for table in read.tables if not table.folded):
        table = Table(box=None, pad_edge=False, title=data.title, title_justify="left")
        for title, numeric in zip(data.columns, data.numeric(), strict=True):
            table.add_column(title, justify="right" if numeric else "left")
        for row in data.rows:
            table.add_row(*map(cell, row))
        screen.print(table)
    for sentence in read.conclusions:
        screen.print(sentence, markup=False)
    for note in found["notes"]:
        screen.print(note, style="dim", markup=False)
