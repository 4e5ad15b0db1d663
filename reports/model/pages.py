"""A checkpoint, or several side by side, as Markdown and as an HTML page that opens offline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from boundaudit.numeric.checkpoint import Encoder, Measured, Summary
from boundaudit.reports.figures.studies import Figure
from boundaudit.reports.formats.files import write_text
from boundaudit.reports.formats.html import rendered
from boundaudit.reports.model import spectra
from boundaudit.reports.model.comparison import Compared, cells, compared_notes, growth, headings
from boundaudit.reports.model.figures import panels
from boundaudit.reports.model.rows import COLUMNS, MATRICES_NOTE, folded, notes, reading, sizes, totals
from boundaudit.reports.wording import brief


def write_model(encoder: Encoder, summary: Summary, formats: Iterable[str], folder: Path) -> list[Path]:
    """Write one checkpoint as ``model.html``, ``model.md`` or both. Raises InputError where one cannot be written."""
    rows, paragraphs = folded(summary), [MATRICES_NOTE, *notes(summary.bounds, {summary.checkpoint: summary.uncovered})]

    def text(name: str) -> str:
        if name == "md":
            facts = [sizes(summary), *(f"{said}: {value}" for said, value in totals(summary)), reading(summary)]
            return _markdown(summary.checkpoint, facts, COLUMNS, [row.cells for row in rows], paragraphs)
        study = Figure(label="model", title=summary.checkpoint, panels=panels(encoder, summary))
        said = [sizes(summary), reading(summary)]
        return rendered(
            "model.html.j2", s=summary, rows=rows, study=study, said=said, totals=totals(summary),
            notes=paragraphs, columns=COLUMNS, brief=brief,
        )  # fmt: skip

    return _write({f"model.{name}": text(name) for name in formats}, folder)


def write_comparison(rows: Sequence[Compared], formats: Iterable[str], folder: Path) -> list[Path]:
    """Write several side by side, ``models.html``, ``models.md`` or both. Raises InputError where that cannot be."""
    said = compared_notes(rows)

    def text(name: str) -> str:
        if name == "md":
            return _markdown("Checkpoints side by side", [], headings(rows), cells(rows), said)
        study = Figure(label="models", title="Checkpoints side by side", panels=growth(rows))
        return rendered(
            "models.html.j2", rows=rows, study=study, headings=headings(rows), cells=cells(rows), notes=said
        )

    return _write({f"models.{name}": text(name) for name in formats}, folder)


def write_spectra(checkpoints: Sequence[Sequence[Measured]], formats: Iterable[str], folder: Path) -> list[Path]:
    """Write spectra, as ``spectra.html``, ``spectra.md`` or both. Raises InputError where one cannot be written."""
    title, totals = "Spectra of every matrix", spectra.totals(checkpoints)
    said = [*spectra.NOTES, *spectra.left_out(checkpoints)]
    tables = [(row[0], spectra.cells(found)) for row, found in zip(totals, checkpoints, strict=True)]

    def text(name: str) -> str:
        if name == "md":
            first = _markdown(title, [], spectra.TOTALS, totals, said)
            return "\n".join([first, *(_markdown(name, [], spectra.COLUMNS, rows, [], 2) for name, rows in tables)])
        study = Figure(label="spectra", title=title, panels=spectra.panels(checkpoints))
        return rendered(
            "spectra.html.j2", title=title, study=study, notes=said, totals=totals, totals_columns=spectra.TOTALS,
            tables=tables, columns=spectra.COLUMNS,
        )  # fmt: skip

    return _write({f"spectra.{name}": text(name) for name in formats}, folder)


def _markdown(
    title: str, facts: Sequence[str], columns: Sequence[str], rows: Iterable[Sequence[str]], said: Sequence[str],
    level: int = 1,
) -> str:  # fmt: skip
    table = [columns, ["---", *["--:"] * (len(columns) - 1)], *rows]
    lines = ["| " + " | ".join(map(_escaped, row)) + " |" for row in table]
    parts = ["\n".join(f"- {fact}" for fact in facts), "\n".join(lines), *said]
    return "\n\n".join([f"{'#' * level} {_escaped(title)}", *filter(None, parts)]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")


def _write(texts: dict[str, str], folder: Path) -> list[Path]:
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]
