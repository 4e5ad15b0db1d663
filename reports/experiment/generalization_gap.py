"""The generalization gap of trained transformers by degree and sparsity, and how many of them converged."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Any

from torch import Tensor

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.sharpness.trained import Plan, true_risk
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.grid import Grid
from boundaudit.reports.experiment.shared.replication import Replication, replicated
from boundaudit.reports.experiment.shared.rows import curve, every, grouped
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import Class, interaction, mean_interval, slope
from boundaudit.reports.experiment.shared.words import notes

PROFILES = {
    "smoke": Grid(
        length=10, degrees=(1, 2, 3), sparsities=(1, 5, 10), functions=3, samples=512, extra=12, hidden=64,
        rate=3e-3, plan=Plan(batch=64, dropout=0.0, epochs=300),
    ),
    "small": Grid(
        length=12, degrees=(1, 2, 3, 4), sparsities=(1, 6, 12), functions=4, samples=1024, extra=14, hidden=64,
        rate=1.5e-3, plan=Plan(batch=64, dropout=0.0, epochs=500),
    ),
    "paper": Grid(),
}  # fmt: skip
_STEEPER = {
    "in D": "the gap grows faster than in proportion to the degree",
    "in ω": "the gap grows faster than in proportion to the sparsity",
    "in both": "the larger the sparsity, the faster the gap grows with the degree",
}


def measured(grid: Grid, run: Run) -> dict[str, Any]:
    """Networks on random functions of each class with their exact gaps, a row for each."""
    rows = run.kept.part("networks", partial(_networks, grid, run))["rows"]
    return {
        "parameters": grid.parameters(), "rows": rows, "replications": list(_replications(rows)),
        "notes": _notes(grid, rows),
    }  # fmt: skip


def _networks(grid: Grid, run: Run) -> dict[str, Any]:
    tasks = grid.tasks(run.seed)
    found = grid.train(tasks, run, told=lambda epoch, going: run.told("epoch", epoch, grid.plan.epochs, going))
    weights = {name: tensor.to(run.device) for name, tensor in found.weights.items()}
    risks = true_risk(grid.architecture, weights, tasks.to(run.device)).cpu()
    columns = (found.epochs, found.converged, found.loss, risks, risks - found.loss)
    names = ("epochs", "converged", "training_risk", "true_risk", "gap")
    return {
        "rows": [
            {"degree": degree, "sparsity": sparsity, "function": number % grid.functions}
            | dict(zip(names, row, strict=True))
            for number, ((degree, sparsity), *row) in enumerate(zip(tasks.classes, *map(_finite, columns), strict=True))
        ]
    }


def _finite(column: Tensor) -> list[float | None]:
    """Numbers, or None where training has left all numbers."""
    return [value if math.isfinite(value) else None for value in column.tolist()]


def _gaps(rows: Sequence[Mapping[str, Any]], *, converged: bool) -> dict[Class, list[float]]:
    """The gaps of each class, of all networks or of those that converged."""
    some = (row for row in rows if row["gap"] is not None and (row["converged"] or not converged))
    return {of: [row["gap"] for row in group] for of, group in grouped(some, "degree", "sparsity").items()}


def _replications(rows: Sequence[Mapping[str, Any]]) -> Iterator[Replication]:
    """The three predictions that the text validates, over networks that converged and over all."""
    place = "Section 2.1, Figure 1"
    for whom, groups in (
        ("converged networks", _gaps(rows, converged=True)),
        ("all networks", _gaps(rows, converged=False)),
    ):
        by_degree = {each: [gap / each[0] for gap in values] for each, values in groups.items()}
        by_sparsity = {each: [gap / each[1] for gap in values] for each, values in groups.items()}
        contrasts = {
            "in D": ("slope of gap/D in D", slope(by_degree, 0)),
            "in ω": ("slope of gap/ω in ω", slope(by_sparsity, 1)),
            "in both": ("rise of the gap's slope in D with ω", interaction(groups)),
        }
        for which, (measured, found) in contrasts.items():
            yield Replication.above(place, _STEEPER[which], f"the {measured}, {whom}", found, 0.0)


def _notes(grid: Grid, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    failed = [row["degree"] for row in rows if not row["converged"]]
    at = f", of degree {', '.join(map(str, sorted(set(failed))))}" if failed else ""
    return notes(
        "generalization-gap", failed=len(failed), rows=len(rows), stop=grid.plan.stop, epochs=grid.plan.epochs, at=at,
        length=grid.length,
    )  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """Printed and measured, the classes, every network, and the gap and the share that converged against the degree."""
    rows = found["rows"]
    names = ("degree", "sparsity", "function", "epochs", "converged", "training_risk", "true_risk", "gap")
    columns = ("D", "ω", "gap of those that converged", "from", "to", "converged", "gap of all")
    tables = [Table("Classes", columns, list(_classes(found))), every("Every network", rows, names)]
    return replicated("generalization-gap", found, tables, _panels(found))


def _classes(found: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """A row for each class: the mean gap where training converged with its interval, how often, and the mean of all."""
    reached, whole = (_gaps(found["rows"], converged=which) for which in (True, False))
    for key in itertools.product(found["parameters"]["D"], found["parameters"]["ω"]):
        gaps = reached.get(key, [])
        share = f"{len(gaps)} of {found['parameters']['functions']}"
        yield *key, *mean_interval(gaps), share, fmean(whole[key]) if key in whole else None


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    """Gap and share of convergence against the degree, a curve for each sparsity."""
    sparsities, degrees = found["parameters"]["ω"], found["parameters"]["D"]
    groups, functions = _gaps(found["rows"], converged=True), found["parameters"]["functions"]
    gaps, shares = [], []
    for sparsity in sparsities:
        some = [groups.get((degree, sparsity), []) for degree in degrees]
        gaps.append(curve(f"ω = {sparsity}", degrees, map(mean_interval, some)))
        shares.append(Series(f"ω = {sparsity}", degrees, [len(each) / functions for each in some]))
    return [
        Panel("Gap of the networks that converged", "degree D", "true minus training risk", gaps),
        Panel("Networks that converged", "degree D", "share of all", shares),
    ]
