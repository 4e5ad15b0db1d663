"""Trained transformers beside the construction of the same function: norm, sharpness, and loss under noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from torch import Tensor

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.sharpness.bound import BOUNDS, published
from boundaudit.numeric.sharpness.trained import (
    Tasks,
    Trained,
    loss_trace,
    measure_construction,
    noisy_losses,
    squared_norm,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.generalization_gap import PROFILES as GRIDS
from boundaudit.reports.experiment.learner_grid import DELTA
from boundaudit.reports.experiment.shared.grid import Grid
from boundaudit.reports.experiment.shared.replication import Replication, replicated
from boundaudit.reports.experiment.shared.rows import every, grouped, named
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import mean_interval
from boundaudit.reports.experiment.shared.words import notes


@dataclass(frozen=True)
class Profile:
    """A grid and how finely its networks are measured."""

    grid: Grid  # classes and training, those of the gap's experiment
    probes: int = 32  # draws of signs for the second part of the trace
    draws: int = 1000  # noisy copies of each network
    inputs_per_draw: int = 8  # inputs that a copy sees


PROFILES = {
    "smoke": Profile(replace(GRIDS["smoke"], functions=2), probes=16, draws=400),
    "small": Profile(GRIDS["small"]),
    "paper": Profile(GRIDS["paper"], draws=4000),
}
PROXY = 0.01
"""S at which Theorem 2's best σ is taken, as in Appendix E.3."""
TWO_ORDERS = 1.5
"""Decimal logarithm from which on a ratio counts as about two orders of magnitude: nearer to 100 than to 10."""

_RATIOS = {"norm": "norm", "squared_norm": "squared norm", "trace": "trace", "noisy": "loss under noise"}


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """Networks learned on random functions of each class beside the construction, a row for each."""
    grid = asked.grid
    tasks = grid.tasks(run.seed)
    trained = grid.train(tasks, run, told=lambda epoch, going: run.told("epoch", epoch))
    rows = []
    for first in range(0, len(tasks), grid.functions):
        run.told("networks compared", first)
        mine = range(first, first + grid.functions)
        name = "compared-{}-{}".format(*tasks.classes[first])
        rows += run.kept.part(name, partial(_compared, asked, tasks, trained, mine, run))["rows"]
    fine = {"probes": asked.probes, "draws": asked.draws, "inputs_per_draw": asked.inputs_per_draw}
    return {
        "parameters": grid.parameters() | fine, "rows": rows, "replications": list(_replications(rows)),
        "notes": _notes(rows),
    }  # fmt: skip


def _compared(asked: Profile, tasks: Tasks, trained: Trained, numbers: range, run: Run) -> dict[str, Any]:
    """The networks of one class beside the construction of each of their functions."""
    grid, (degree, sparsity) = asked.grid, tasks.classes[numbers.start]
    sigma = _sigma(grid, degree, sparsity)
    weights = {name: tensor[list(numbers)].to(run.device) for name, tensor in trained.weights.items()}
    inputs, wanted = (full[list(numbers)].to(run.device) for full in (tasks.inputs, tasks.wanted()))
    traces = loss_trace(grid.architecture, weights, inputs, wanted, probes=asked.probes, seed=run.seed).total
    noisy = noisy_losses(
        grid.architecture, weights, inputs, wanted, sigma, draws=asked.draws, inputs_per_draw=asked.inputs_per_draw,
        seed=run.seed,
    )  # fmt: skip
    norms = squared_norm(weights)
    rows = []
    for place, number in enumerate(numbers):
        built = measure_construction(tasks.target(number), sigma, draws=asked.draws, seed=run.seed)
        rows.append({
            "degree": degree, "sparsity": sparsity, "function": place, "converged": bool(trained.converged[number]),
            "sigma": sigma, "squared_norm": norms[place].item(), "squared_norm_construction": built.squared_norm,
            **_ends("trace", traces[:, place]), "trace_construction": built.trace,
            **_ends("noisy", noisy[place]), "noisy_construction": built.noisy.middle,
            "noisy_construction_low": built.noisy.low, "noisy_construction_high": built.noisy.high,
        })  # fmt: skip
    return {"rows": rows}


def _sigma(grid: Grid, degree: int, sparsity: int) -> float:
    """The noise at which Theorem 2's bound of the class is least."""
    budgets = published(grid.length, degree, sparsity)
    found = BOUNDS["shared-variance"](budgets, samples=grid.samples, delta=DELTA, proxy=PROXY).sigma
    assert isinstance(found, float)
    return found


def _ends(name: str, draws: Tensor) -> dict[str, float | None]:
    return named(name, mean_interval(draws.tolist()))


def ratio(row: Mapping[str, Any], name: str) -> float:
    """By how much the construction's number exceeds the network's, as a decimal logarithm."""
    if name == "norm":
        return ratio(row, "squared_norm") / 2
    return math.log10(row[f"{name}_construction"] / row[name])


def _replications(rows: Sequence[Mapping[str, Any]]) -> Iterator[Replication]:
    """What is said of learned networks, over those that converged."""
    place, some = "Section 2.2, Figure 2", [row for row in rows if row["converged"]]
    for name, thing in _RATIOS.items():
        found = mean_interval([ratio(row, name) for row in some])
        measured = f"the mean of log₁₀ of the ratio, {thing} of construction to network"
        if name == "noisy":
            said = "norm and trace of the construction being larger, so is its expected loss under noise"
            yield Replication.above("Section 1.2", said, measured, found, 0.0)
            continue
        if name != "squared_norm":
            said = f"the construction's {thing} is significantly higher than the learned network's"
            yield Replication.above(place, said, measured, found, 0.0)
        said = f"the construction's {thing} is about two orders of magnitude higher, as we read the figure"
        yield Replication.above(place, said, measured, found, TWO_ORDERS)


def _notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    below = sum(all(ratio(row, name) > 0 for name in ("norm", "trace")) for row in rows)
    noisy = sum(row["noisy_high"] < row["noisy_construction_low"] for row in rows)
    above = sum(row["noisy_low"] > row["noisy_construction_high"] for row in rows)
    return notes("domination", below=below, rows=len(rows), noisy=noisy, above=above, two_orders=TWO_ORDERS)


def shown(found: Mapping[str, Any]) -> Shown:
    """Printed and measured, ratios by class, every network, and the three measurements against the degree."""
    rows = found["rows"]
    names = (
        "degree", "sparsity", "function", "converged", "squared_norm", "squared_norm_construction", "trace",
        "trace_construction", "sigma", "noisy", "noisy_construction",
    )  # fmt: skip
    columns = ("D", "ω", "networks", *(f"{each}, construction / learned" for each in _RATIOS.values()))
    tables = [Table("Geometric means of ratios", columns, list(_classes(rows))), every("Every network", rows, names)]
    return replicated("domination", found, tables, list(_panels(found)))


def _classes(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for each, some in grouped(rows, "degree", "sparsity").items():
        means = (math.fsum(ratio(row, name) for row in some) / len(some) for name in _RATIOS)
        yield *each, len(some), *(10**mean for mean in means)


def _panels(found: Mapping[str, Any]) -> Iterator[Panel]:
    """Means of each class against the degree, learned and constructed."""
    groups, degrees = grouped(found["rows"], "degree", "sparsity"), found["parameters"]["D"]
    titles = {"squared_norm": "Squared norm", "trace": "Trace of the Hessian", "noisy": "Loss under noise"}
    kinds: dict[str, Literal["line", "points"]] = {"learned": "points", "construction": "line"}
    for name, title in titles.items():
        series = []
        for kind, drawn in kinds.items():
            key = name if kind == "learned" else f"{name}_{kind}"
            for w in found["parameters"]["ω"]:
                means = [math.fsum(row[key] for row in groups[d, w]) / len(groups[d, w]) for d in degrees]
                series.append(Series(f"{kind}, ω = {w}", degrees, means, drawn=drawn))
        yield Panel(title, "degree D", "mean over functions", series, log="y")
