"""Trained transformers beside the construction of the same function: norm, sharpness, and loss under noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

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
from boundaudit.reports.experiment.grid import Grid
from boundaudit.reports.experiment.learner_grid import DELTA
from boundaudit.reports.experiment.parts import Parts
from boundaudit.reports.experiment.replication import Replication, replication_table
from boundaudit.reports.experiment.results import about, write_results
from boundaudit.reports.experiment.trend import mean_interval


@dataclass(frozen=True)
class Profile:
    """A grid and how finely its networks are measured.

    Attributes:
        grid: Classes and training, those of the gap's experiment.
        probes: Draws of signs for the second part of the trace.
        draws: Noisy copies of each network.
        inputs_per_draw: Inputs that a copy sees.
    """

    grid: Grid
    probes: int = 32
    draws: int = 1000
    inputs_per_draw: int = 8


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


def domination(
    profile: str, *, seed: int = 0, device: str = "cpu", out: Path | None = None, resume: bool = False,
    told: Callable[[str, int], None] = lambda what, done: None,
) -> dict[str, Any]:  # fmt: skip
    """Train networks on random functions of each class and compare them with the construction.

    Args:
        profile: One of `PROFILES`.
        seed: Of functions, inputs, networks, noise and signs.
        device: ``cpu`` or ``cuda``.
        out: A folder for the results, and for what an interrupted run has done.
        resume: Whether to go on with one.
        told: Hears what is done and how much of it.

    Returns:
        JSON: parameters; a row for each network; replications; notes.

    Raises:
        InputError: for a folder that cannot be used.
    """
    asked = PROFILES[profile]
    grid = asked.grid
    fine = {"probes": asked.probes, "draws": asked.draws, "inputs_per_draw": asked.inputs_per_draw}
    call = {"profile": profile, "seed": seed, "device": device, "grid": grid.to_json(), **fine}
    kept = Parts(out, call, resume=resume)
    tasks = grid.tasks(seed)
    trained = grid.train(tasks, kept, seed=seed, device=device, told=lambda epoch, going: told("epoch", epoch))
    rows = []
    for first in range(0, len(tasks), grid.functions):
        told("networks compared", first)
        mine = range(first, first + grid.functions)
        name = "compared-{}-{}".format(*tasks.classes[first])
        rows += kept.part(name, partial(_compared, asked, tasks, trained, mine, seed, device))["rows"]
    found = {
        **about("domination", profile, seed, device),
        "parameters": grid.parameters() | fine, "rows": rows,
        "replications": [each.to_json() for each in _replications(rows)], "notes": _notes(rows),
    }  # fmt: skip
    kept.finish(partial(write_results, found, shown(found)))
    return found


def _compared(
    asked: Profile, tasks: Tasks, trained: Trained, numbers: range, seed: int, device: str
) -> dict[str, Any]:  # fmt: skip
    """The networks of one class beside the construction of each of their functions."""
    grid, (degree, sparsity) = asked.grid, tasks.classes[numbers.start]
    sigma = _sigma(grid, degree, sparsity)
    weights = {name: tensor[list(numbers)].to(device) for name, tensor in trained.weights.items()}
    inputs, wanted = (full[list(numbers)].to(device) for full in (tasks.inputs, tasks.wanted()))
    traces = loss_trace(grid.architecture, weights, inputs, wanted, probes=asked.probes, seed=seed).total
    noisy = noisy_losses(
        grid.architecture, weights, inputs, wanted, sigma, draws=asked.draws, inputs_per_draw=asked.inputs_per_draw,
        seed=seed,
    )  # fmt: skip
    norms = squared_norm(weights)
    rows = []
    for place, number in enumerate(numbers):
        built = measure_construction(tasks.target(number), sigma, draws=asked.draws, seed=seed)
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
    """A mean over draws with its interval."""
    middle, low, high = mean_interval(draws.tolist())
    return {name: middle, f"{name}_low": low, f"{name}_high": high}


def ratio(row: Mapping[str, Any], name: str) -> float:
    """By how much the construction's number exceeds the network's, as a decimal logarithm.

    Args:
        row: Of a network.
        name: ``norm``, or what is measured of both.

    Returns:
        log₁₀ of construction over network.
    """
    if name == "norm":
        return ratio(row, "squared_norm") / 2
    return math.log10(row[f"{name}_construction"] / row[name])


def _replications(rows: Sequence[Mapping[str, Any]]) -> Iterator[Replication]:
    """What is said of learned networks, over those that converged."""
    place, some = "Section 2.2, Figure 2", [row for row in rows if row["converged"]]
    for name, thing in _RATIOS.items():
        found, measured = (
            _mean_ratio(some, name),
            f"the mean of log₁₀ of the ratio, {thing} of construction to network",
        )
        if name == "noisy":
            said = "norm and trace of the construction being larger, so is its expected loss under noise"
            yield Replication.above("Section 1.2", said, measured, found, 0.0)
            continue
        if name != "squared_norm":
            said = f"the construction's {thing} is significantly higher than the learned network's"
            yield Replication.above(place, said, measured, found, 0.0)
        said = f"the construction's {thing} is about two orders of magnitude higher, as we read the figure"
        yield Replication.above(place, said, measured, found, TWO_ORDERS)


def _mean_ratio(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[float | None, float | None, float | None]:
    """Over networks, one function each."""
    return mean_interval([ratio(row, name) for row in rows]) if rows else (None, None, None)


def _notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a reader has to know before the numbers."""
    below = sum(all(ratio(row, name) > 0 for name in ("norm", "trace")) for row in rows)
    noisy = sum(row["noisy_high"] < row["noisy_construction_low"] for row in rows)
    above = sum(row["noisy_low"] > row["noisy_construction_high"] for row in rows)
    return [
        f"{below} of {len(rows)} networks have both a smaller norm and a smaller trace than the construction of their "
        f"function. At the σ of Theorem 2's best bound, {noisy} have a smaller expected loss under noise, {above} a "
        "larger one, by intervals of 95 %. Smaller norm and trace do not imply the latter, which the bound needs.",
        "Norms count all weights: those of the learned networks are of another shape and number. Traces and losses of "
        "learned networks are on their training sets, those of the construction on uniform inputs (traces on all of "
        "them up to T = 14). The construction is the finite network with steep trapezoids.",
        "The first part of a learned network's trace is exact, by the gradient at each input; the second, with the "
        "residual, is a mean over draws of signs. Kinks of the ReLU have no part in either.",
        f"About two orders of magnitude is judged as a ratio above 10^{TWO_ORDERS}. Intervals of ratios are over "
        "functions, of all classes together.",
    ]


# --- what people read -----------------------------------------------------------------------------


def shown(found: Mapping[str, Any]) -> Shown:
    """The experiment as people read it.

    Args:
        found: What `domination` returns.

    Returns:
        Printed and measured, ratios by class, every network, and the three measurements against the degree.
    """
    rows, replications = found["rows"], [Replication(**each) for each in found["replications"]]
    names = (
        "degree", "sparsity", "function", "converged", "squared_norm", "squared_norm_construction", "trace",
        "trace_construction", "sigma", "noisy", "noisy_construction",
    )  # fmt: skip
    columns = ("D", "ω", "networks", *(f"{each}, construction / learned" for each in _RATIOS.values()))
    return Shown(
        title="Domination by trained networks",
        question="Lintilhac & Shaikh 2026, Section 2.2: are trained networks flatter and smaller than the construction "
        "of the same function, as Theorem 2 assumes of its learner?",
        conclusions=[each.sentence() for each in replications],
        tables=[
            replication_table(replications),
            Table("Geometric means of ratios", columns, list(_classes(rows))),
            Table("Every network", names, [tuple(row[name] for name in names) for row in rows], folded=True),
        ],
        panels=list(_panels(found)),
    )


def _by_class(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int], list[Mapping[str, Any]]]:
    groups: dict[tuple[int, int], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["degree"], row["sparsity"]), []).append(row)
    return groups


def _classes(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for each, some in _by_class(rows).items():
        means = (math.fsum(ratio(row, name) for row in some) / len(some) for name in _RATIOS)
        yield *each, len(some), *(10**mean for mean in means)


def _panels(found: Mapping[str, Any]) -> Iterator[Panel]:
    """Means of each class against the degree, learned and constructed."""
    groups = _by_class(found["rows"])
    degrees = found["parameters"]["D"]
    for name, title in (
        ("squared_norm", "Squared norm"),
        ("trace", "Trace of the Hessian"),
        ("noisy", "Loss under noise"),
    ):
        learned, built = (
            {w: _means(groups, degrees, w, key) for w in found["parameters"]["ω"]}
            for key in (name, f"{name}_construction")
        )
        series = [
            *(Series(f"learned, ω = {w}", degrees, values, drawn="points") for w, values in learned.items()),
            *(Series(f"construction, ω = {w}", degrees, values) for w, values in built.items()),
        ]
        yield Panel(title, "degree D", "mean over functions", series, log="y")


def _means(
    groups: Mapping[tuple[int, int], Sequence[Mapping[str, Any]]], degrees: Sequence[int], sparsity: int, name: str
) -> list[float]:
    means = (
        math.fsum(row[name] for row in groups[degree, sparsity]) / len(groups[degree, sparsity]) for degree in degrees
    )
    return list(means)
