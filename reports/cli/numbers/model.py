"""`boundaudit model`: norms, spectra and proxies of a trained transformer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boundaudit import InputError
from boundaudit.reports.cli.options import FINITE, PATH, WHOLE, json_option, option
from boundaudit.reports.cli.output import console, emit_json, table, tell_written
from boundaudit.reports.cli.progress import working

if TYPE_CHECKING:
    from boundaudit.numeric.checkpoint import Encoder, Measured, Summary

_FORMATS = ("html", "md")
_EPILOG = """\b
Examples:
  boundaudit model my-encoder/
  boundaudit model my-encoder/ --format html,md --out my-report/
  boundaudit model --compare small/ medium/ large/ --json
  boundaudit model weights.safetensors --mapping where.json
  boundaudit model run/checkpoint-500 run/checkpoint-1000 --spectra --format html --out spectra/

\b
With --spectra no family is needed: every tensor called weight is read, or those that a mapping names, where "matrices"
is enough; {layer} stands for any whole number:
  {"matrices": {"stem": "conv1.weight", "body": "layers.{layer}.conv.weight",
                "query": {"name": "h.{layer}.qkv.weight", "part": [0, 3]}}}

\b
A mapping for a family that is not known (config.json names it, the error lists those that are):
  {"layers": 6, "width": 384, "heads": 12, "inner": 1536,
   "activation": "gelu", "stored": "outputs-inputs",
   "matrices": {"query": {"name": "h.{layer}.qkv.weight", "part": [0, 3]},
                "key":   {"name": "h.{layer}.qkv.weight", "part": [1, 3]},
                "value": {"name": "h.{layer}.qkv.weight", "part": [2, 3]},
                "output": "h.{layer}.proj.weight",
                "into": "h.{layer}.up.weight", "out": "h.{layer}.down.weight"}}
"""


@click.command(epilog=_EPILOG)
@click.argument("checkpoints", nargs=-1, required=True, type=PATH, metavar="CHECKPOINT...")
@option("--compare", is_flag=True, help="Several checkpoints, one row each, also relative to the first.")
@option("--spectra", is_flag=True, help="Of every matrix by itself: soft rank, power law; any Linear and Conv layers.")
@option("--mapping", type=PATH, metavar="FILE", help="JSON in place of config.json; see below.")
@option("--samples", type=WHOLE, metavar="m", help="Size of a sample: adds an explicit bound.")
@option("--delta", type=FINITE, default=0.05, help="Probability with which it may fail.")
@option("--device", default="auto", help="Of the singular values: auto, cpu or cuda.")
@option("--format", "formats", metavar="FORMATS", help="Also write pages: html, md; needs --out.")
@option("--out", type=PATH, metavar="DIR", help="Where to write them.")
@json_option
def model(
    checkpoints: tuple[Path, ...], compare: bool, spectra: bool, mapping: Path | None, samples: float | None,
    delta: float, device: str, formats: str | None, out: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Norms, spectra and proxies of a trained transformer, read from safetensors a matrix at a time.

    CHECKPOINT is a folder as `save_pretrained` writes it, or a .safetensors file with config.json beside it. A pickle
    (.bin, .pt) is never opened. Biases, normalisations and embeddings are not read. With --spectra it is one of any
    network, and every matrix is measured by itself, embeddings too.
    """
    asked = _formats(formats, out)
    _check_sample(samples, delta)
    if spectra:
        if compare or samples is not None:
            raise InputError("--spectra", "neither --compare nor --samples", "one of them", "leave it out")
        _spectra(_measured(checkpoints, mapping, device), asked, out, as_json=as_json)
        return 0
    if len(checkpoints) > 1 and not compare:
        raise InputError("CHECKPOINT", "one, without --compare", len(checkpoints), "add --compare")
    from boundaudit.numeric.checkpoint import open_checkpoint, summarise

    for path in checkpoints:
        open_checkpoint(path, mapping)  # all of them, before the first is measured
    if compare:
        found = [summarise(_loaded(path, mapping, device), samples, delta) for path in checkpoints]
        _compared(found, asked, out, as_json=as_json)
    else:
        encoder = _loaded(checkpoints[0], mapping, device)
        _single(encoder, summarise(encoder, samples, delta), asked, out, as_json=as_json)
    return 0


def _formats(text: str | None, out: Path | None) -> list[str]:
    """The formats that were asked for, and a folder to write them to."""
    if (text is None) != (out is None):
        missing = "--out" if out is None else "--format"
        raise InputError(missing, "both --format and --out, or neither", "one of them", f"add {missing}")
    asked = list(dict.fromkeys(text.split(","))) if text is not None else []
    for name in asked:
        if name not in _FORMATS:
            raise InputError("--format", " or ".join(_FORMATS), repr(name), "separate several by commas")
    return asked


def _check_sample(samples: float | None, delta: float) -> None:
    """Refuse what no bound admits before anything is measured."""
    if samples is not None and samples < 1:
        raise InputError("--samples", "at least 1", f"{samples:g}", "give the size of the sample")
    if not 0 < delta < 1:
        raise InputError("--delta", "a number between 0 and 1", f"{delta:g}", "say how often the bound may fail")


def _loaded(path: Path, mapping: Path | None, device: str) -> Encoder:
    """Read a checkpoint, telling on stderr which layer is measured where that is a terminal."""
    from boundaudit.numeric.checkpoint import load_encoder

    with working(f"reading {path}") as update:
        return load_encoder(
            path, mapping, device=device,
            told=lambda done, depth: update(f"{path}: {done} of {depth} layers"),
        )  # fmt: skip


def _measured(checkpoints: Sequence[Path], mapping: Path | None, device: str) -> list[list[Measured]]:
    """Every matrix of every checkpoint, telling on stderr how many are done."""
    from boundaudit.numeric.checkpoint import measure_stack, open_stack

    for path in checkpoints:
        open_stack(path, mapping)  # all of them, before the first is measured
    found = []
    for path in checkpoints:
        with working(f"reading {path}") as update:

            def tell(done: int, total: int, path: Path = path, update: Callable[[str], None] = update) -> None:
                update(f"{path}: {done} of {total} matrices")

            found.append(measure_stack(path, mapping, device=device, told=tell))
    return found


def _spectra(found: Sequence[Sequence[Measured]], formats: Sequence[str], out: Path | None, *, as_json: bool) -> None:
    from boundaudit.reports.model.spectra import COLUMNS, NOTES, TOTALS, cells, left_out, totals

    if out is not None:
        from boundaudit.reports.model.pages import write_spectra

        tell_written(*write_spectra(found, formats, out))
    if as_json:
        emit_json([one.row.to_json() for members in found for one in members])
        return
    if len(found) == 1:
        _table(COLUMNS, cells(found[0]), words=1)
    _table(TOTALS, totals(found), words=1)
    for note in (*NOTES, *left_out(found)):
        console().print(note, style="dim", markup=False)


def _single(encoder: Encoder, summary: Summary, formats: Sequence[str], out: Path | None, *, as_json: bool) -> None:
    from boundaudit.reports.model.rows import COLUMNS, MATRICES_NOTE, folded, notes, reading, sizes, totals

    if out is not None:
        from boundaudit.reports.model.pages import write_model

        tell_written(*write_model(encoder, summary, formats, out))
    if as_json:
        emit_json(summary.to_json())
        return
    screen = console()
    screen.print(f"{summary.checkpoint}: {sizes(summary)}", markup=False)
    _table(COLUMNS, [row.cells for row in folded(summary)], words=2)
    _table(("total", "value"), totals(summary), words=1)
    screen.print(reading(summary))
    for note in (MATRICES_NOTE, *notes(summary.bounds, {summary.checkpoint: summary.uncovered})):
        screen.print(note, style="dim", markup=False)


def _compared(found: Sequence[Summary], formats: Sequence[str], out: Path | None, *, as_json: bool) -> None:
    from dataclasses import asdict

    from boundaudit.reports.model.comparison import cells, compare, compared_notes, headings

    rows = compare(found)
    if out is not None:
        from boundaudit.reports.model.pages import write_comparison

        tell_written(*write_comparison(rows, formats, out))
    if as_json:
        emit_json({"rows": [asdict(row) for row in rows]})
        return
    _table(headings(rows), cells(rows), words=1)
    for note in compared_notes(rows):
        console().print(note, style="dim", markup=False)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> None:
    """A table whose first columns hold words, the others numbers."""
    from rich.markup import escape

    right = [i for i, column in enumerate(columns) if i >= words and column != "to know"]
    console().print(table(columns, (map(escape, row) for row in rows), right=right, whole=range(words)))
