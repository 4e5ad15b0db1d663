"""The generalization gap of trained transformers by degree and sparsity, and how many of them converged."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from torch import Tensor

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.sharpness.trained import Plan, true_risk
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.contrast import Class, interaction, slope
from boundaudit.reports.experiment.grid import Grid
from boundaudit.reports.experiment.parts import Parts
from boundaudit.reports.experiment.replication import Replication, replication_table
from boundaudit.reports.experiment.results import about, write_results
from boundaudit.reports.experiment.trend import mean_interval

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


def generalization_gap(
    profile: str, *, seed: int = 0, device: str = "cpu", out: Path | None = None, resume: bool = False,
    told: Callable[[int, int, int], None] = lambda epoch, most, going: None,
) -> dict[str, Any]:  # fmt: skip
    """Train networks on random functions of each class and measure their gaps exactly.

    Args:
        profile: One of `PROFILES`.
        seed: Of functions, inputs and networks.
        device: ``cpu`` or ``cuda``.
        out: A folder for the results, and for what an interrupted run has done.
        resume: Whether to go on with one.
        told: Hears the epoch, the last one there may be, and how many networks go on.

    Returns:
        JSON: parameters; a row for each network; replications; notes.

    Raises:
        InputError: for a folder that cannot be used.
    """
    grid = PROFILES[profile]
    kept = Parts(out, {"profile": profile, "seed": seed, "device": device, "grid": grid.to_json()}, resume=resume)
    rows = kept.part("networks", partial(_networks, grid, kept, seed, device, told))["rows"]
    found = {
        **about("generalization-gap", profile, seed, device),
        "parameters": grid.parameters(), "rows": rows,
        "replications": [each.to_json() for each in _replications(rows)], "notes": _notes(grid, rows),
    }  # fmt: skip
    kept.finish(partial(write_results, found, shown(found)))
    return found


def _networks(
    grid: Grid, kept: Parts, seed: int, device: str, told: Callable[[int, int, int], None]
) -> dict[str, Any]:  # fmt: skip
    tasks = grid.tasks(seed)
    most = grid.plan.epochs
    found = grid.train(tasks, kept, seed=seed, device=device, told=lambda epoch, going: told(epoch, most, going))
    weights = {name: tensor.to(device) for name, tensor in found.weights.items()}
    risks = true_risk(grid.architecture, weights, tasks.to(device)).cpu()
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
    groups: dict[Class, list[float]] = {}
    for row in rows:
        if row["gap"] is not None and (row["converged"] or not converged):
            groups.setdefault((row["degree"], row["sparsity"]), []).append(row["gap"])
    return groups


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
            "in D": ("slope of gap/D in D", slope(by_degree, lambda d, w: d, lambda d, w: w)),
            "in ω": ("slope of gap/ω in ω", slope(by_sparsity, lambda d, w: w, lambda d, w: d)),
            "in both": ("rise of the gap's slope in D with ω", interaction(groups)),
        }
        for which, (measured, found) in contrasts.items():
            yield Replication.above(place, _STEEPER[which], f"the {measured}, {whom}", found, 0.0)


def _notes(grid: Grid, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a reader has to know before the numbers."""
    failed = [row for row in rows if not row["converged"]]
    degrees = sorted({row["degree"] for row in failed})
    at = f", of degree {', '.join(map(str, degrees))}" if failed else ""
    return [
        f"{len(failed)} of {len(rows)} networks did not reach a training loss of {grid.plan.stop} in "
        f"{grid.plan.epochs} passes{at}; they stay in the table. Leaving them out, or drawing another function in "
        "their place, favours functions that are easy to learn.",
        f"The gap is the mean squared error on all 2^{grid.length} inputs minus that on the training set, both without "
        "dropout. Intervals are over functions with their training sets and starts, at 95 %.",
        "Faster than in proportion is judged by the gap divided by the parameter: its slope is positive. Slopes are by "
        "least squares on the means of classes, with a mean of its own for each value of the other parameter.",
        "Coefficients are absolute normal draws with Σ c² = 1. Rate, dropout and batch of the paper profile are partly "
        "our reading: the text that reached us has lost these numbers.",
        "What a bound can certify of a network learned from samples, class by class: `experiment learner-grid`.",
    ]


# --- what people read -----------------------------------------------------------------------------


def shown(found: Mapping[str, Any]) -> Shown:
    """The experiment as people read it.

    Args:
        found: What `generalization_gap` returns.

    Returns:
        Printed and measured, the classes, every network, and the gap and the share that converged against the degree.
    """
    rows, replications = found["rows"], [Replication(**each) for each in found["replications"]]
    names = ("degree", "sparsity", "function", "epochs", "converged", "training_risk", "true_risk", "gap")
    columns = ("D", "ω", "gap of those that converged", "from", "to", "converged", "gap of all")
    return Shown(
        title="The generalization gap",
        question="Lintilhac & Shaikh 2026, Section 2.1: how does the gap of trained transformers grow with the degree "
        "and the sparsity of what they learn?",
        conclusions=[each.sentence() for each in replications],
        tables=[
            replication_table(replications),
            Table("Classes", columns, list(_classes(found))),
            Table("Every network", names, [tuple(row[name] for name in names) for row in rows], folded=True),
        ],
        panels=_panels(found),
    )


def _classes(found: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """A row for each class: the mean gap where training converged with its interval, how often, and the mean of all."""
    reached, every = (_gaps(found["rows"], converged=which) for which in (True, False))
    for key in itertools.product(found["parameters"]["D"], found["parameters"]["ω"]):
        gap = mean_interval(reached[key]) if key in reached else (None, None, None)
        share = f"{len(reached.get(key, []))} of {found['parameters']['functions']}"
        yield *key, *gap, share, fmean(every[key]) if key in every else None


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    """Gap and share of convergence against the degree, a curve for each sparsity."""
    sparsities, degrees = found["parameters"]["ω"], found["parameters"]["D"]
    groups, functions = _gaps(found["rows"], converged=True), found["parameters"]["functions"]
    gaps, shares = [], []
    for sparsity in sparsities:
        some = [mean_interval(groups[d, sparsity]) if (d, sparsity) in groups else (None, None, None) for d in degrees]
        middle, low, high = zip(*some, strict=True)
        gaps.append(Series(f"ω = {sparsity}", degrees, middle, low, high))
        reached = [len(groups.get((degree, sparsity), [])) / functions for degree in degrees]
        shares.append(Series(f"ω = {sparsity}", degrees, reached))
    return [
        Panel("Gap of the networks that converged", "degree D", "true minus training risk", gaps),
        Panel("Networks that converged", "degree D", "share of all", shares),
    ]
