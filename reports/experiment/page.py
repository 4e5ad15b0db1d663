"""The sparse majority as one HTML page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from boundaudit.checks.records.study import Panel, Series
from boundaudit.reports.experiment.sparse_majority import MOMENTS, QUANTITIES
from boundaudit.reports.experiment.trend import mean_interval
from boundaudit.reports.html import environment
from boundaudit.reports.render import write_text
from boundaudit.reports.studies import Figure


def write_page(found: Mapping[str, Any], path: Path) -> None:
    """Write the experiment with its figures.

    Args:
        found: What `sparse_majority` returns.
        path: The file.

    Raises:
        InputError: where it cannot be written.
    """
    study = Figure(label="sparse-majority", title="A sparse majority", panels=panels(found))
    words = {"moments": MOMENTS, "quantities": QUANTITIES}
    write_text(path, environment().get_template("experiment.html.j2").render(found=found, study=study, **words))


def panels(found: Mapping[str, Any]) -> list[Panel]:
    """Each quantity against T over the runs that stopped, and the epochs of all runs.

    Args:
        found: What `sparse_majority` returns.

    Returns:
        Means over runs with Student intervals, and the least-squares line of the variables at the end.
    """
    stopped = [row for row in found["runs"] if row["stopped"]]
    made = [
        Panel(
            name[0].upper() + name[1:], "T", "mean over the runs that stopped, 95 % interval",
            [*(_means(stopped, moment, quantity) for moment in MOMENTS), *_line(found, stopped, quantity)], log="x",
        )
        for quantity, name in QUANTITIES.items()
    ]  # fmt: skip
    return [*made, _epochs(found["runs"])]


def _means(rows: Sequence[Mapping[str, Any]], moment: str, quantity: str) -> Series:
    lengths = sorted({row["length"] for row in rows})
    means = [mean_interval([row[moment][quantity] for row in rows if row["length"] == length]) for length in lengths]
    mean, low, high = zip(*means, strict=True) if means else ((), (), ())
    return Series(MOMENTS[moment], lengths, mean, low, high, drawn="points")


def _line(found: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], quantity: str) -> list[Series]:
    """The least-squares line, where there is one."""
    fit = next(fit for fit in found["trends"] if (fit["moment"], fit["quantity"]) == ("end", quantity))
    if fit["slope"] is None:
        return []
    centre = math.fsum(math.log(row["length"]) for row in rows) / len(rows)
    lengths = sorted({row["length"] for row in rows})
    values = [fit["mean"] + fit["slope"] * (math.log(length) - centre) for length in lengths]
    return [Series("least squares, at the end", lengths, values)]


def _epochs(rows: Sequence[Mapping[str, Any]]) -> Panel:
    series = []
    for name, stopped in (("runs that stopped", True), ("runs that did not", False)):
        mine = [row for row in rows if row["stopped"] is stopped]
        lengths = sorted({row["length"] for row in mine})
        epochs = [[row["epochs"] for row in mine if row["length"] == length] for length in lengths]
        ends = ([min(some) for some in epochs], [max(some) for some in epochs])
        series.append(Series(name, lengths, [sum(some) / len(some) for some in epochs], *ends, drawn="points"))
    return Panel("Epochs", "T", "mean over runs, least to most", series, log="xy")
