"""Do rows of learned attention show a target's components, and does the learned function of one variable oscillate?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.sharpness.trained import (
    Plan,
    Readout,
    Tasks,
    component_scores,
    learned_function,
    mean_attention,
    train_networks,
    turns,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.replication import Replication, replicated
from boundaudit.reports.experiment.shared.rows import every, grouped
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import mean_interval
from boundaudit.reports.experiment.shared.words import notes


@dataclass(frozen=True)
class Profile:
    """Classes of targets and how their networks are trained."""

    length: int  # T
    classes: tuple[tuple[int, int], ...]  # D and ω of each class
    functions: int  # targets in each
    samples: int  # m
    rate: float = 0.01
    # everything else of the training
    plan: Plan = field(default_factory=lambda: Plan(batch=128, dropout=0.0, epochs=300))


PROFILES = {
    "smoke": Profile(10, ((2, 1), (2, 3), (3, 1), (3, 3)), functions=6, samples=1024),
    "small": Profile(
        16, tuple((d, w) for d in (2, 3, 4) for w in (1, 3)), functions=6, samples=4096,
        plan=Plan(batch=128, dropout=0.0, epochs=100),
    ),
    "paper": Profile(20, tuple((d, w) for d in (2, 3, 4) for w in (1, 3, 5)), functions=11, samples=8192),
}  # fmt: skip
CLEAR = 0.05
"""A component stands out where no more than this share of all sets of its size has a score as high."""


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """Small networks with a linear read-out, a row for each of their components, and one learned function a class."""
    architecture = Readout(asked.length)
    tasks = Tasks.draw(asked.length, asked.classes, asked.functions, asked.samples, seed=run.seed)
    trained = train_networks(
        architecture, tasks, asked.plan, torch.full((len(tasks),), asked.rate), seed=run.seed, device=run.device,
        state=run.kept.file("networks.safetensors"), told=lambda epoch, going: run.told("epoch", epoch),
    )  # fmt: skip
    weights = {name: tensor.to(run.device) for name, tensor in trained.weights.items()}
    scores = component_scores(mean_attention(architecture, weights, seed=run.seed), tasks)
    grid, values = learned_function(architecture, weights, seed=run.seed)
    rows = [
        {
            "degree": degree, "sparsity": sparsity, "function": number % asked.functions,
            "converged": bool(trained.converged[number]), "component": ", ".join(map(str, component)),
            "coefficient": coefficient, "score": shown.score, "share": shown.share, "turns": turns(values[number]),
        }
        for number, (degree, sparsity) in enumerate(tasks.classes)
        for target in [tasks.target(number)]
        for component, coefficient, shown in zip(target.components, target.coefficients, scores[number], strict=True)
    ]  # fmt: skip
    return {
        "parameters": {
            "T": asked.length, "m": asked.samples, "hidden_units": architecture.hidden, "weights": architecture.count,
            "functions": asked.functions, "rate": asked.rate, "stop": asked.plan.stop,
        },
        "rows": rows,
        "functions": [
            {
                "degree": tasks.classes[number][0], "sparsity": tasks.classes[number][1],
                "s": grid[number, ::8].tolist(), "g": values[number, ::8].tolist(),
            }
            for number in range(0, len(tasks), asked.functions)
        ],
        "replications": list(_replications(rows)), "notes": _notes(rows),
    }  # fmt: skip


def _networks(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """The rows of each network that converged, by falling coefficient."""
    groups = grouped((row for row in rows if row["converged"]), "degree", "sparsity", "function")
    return [sorted(group, key=lambda row: -row["coefficient"]) for group in groups.values()]


def _replications(rows: Sequence[Mapping[str, Any]]) -> Iterator[Replication]:
    """What the text says of rows and components."""
    networks = _networks(rows)
    several = [group for group in networks if len(group) > 1]
    place = "Section 2.4, Figure 5"
    clear = [sum(row["share"] <= CLEAR for row in group) / len(group) for group in networks]
    yield Replication.above(
        place, "in most cases rows of attention correspond to the components of the learned function",
        f"the share of components that no more than {CLEAR:.0%} of all sets match, mean over networks",
        mean_interval(clear), 0.5,
    )  # fmt: skip
    apart = [sum(row["score"] for row in group[:-1]) / (len(group) - 1) - group[-1]["score"] for group in several]
    yield Replication.above(
        place, "the component with the smallest coefficient is less identifiable",
        "the score of the other components minus that of the smallest, mean over networks",
        mean_interval(apart), 0.0,
    )  # fmt: skip
    turning = [float(group[0]["turns"]) for group in networks]
    yield Replication.above(
        "Section 2.4", "the learned function of one variable oscillates, as that of the construction does",
        "the number of its turns, mean over networks", mean_interval(turning), 1.0,
    )  # fmt: skip


def _notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    networks = {(row["degree"], row["sparsity"], row["function"]): row["converged"] for row in rows}
    return notes("interpretability", missed=sum(not each for each in networks.values()), networks=len(networks))


def shown(found: Mapping[str, Any]) -> Shown:
    """Printed and measured, the classes, every component, and learned functions."""
    rows = found["rows"]
    names = ("degree", "sparsity", "function", "converged", "component", "coefficient", "score", "share", "turns")
    columns = ("D", "ω", "networks", "components that stand out", "mean score", "mean turns")
    tables = [Table("Classes", columns, list(_classes(rows))), every("Every component", rows, names)]
    panels = [
        Panel(
            f"Learned function, ω = {sparsity}", "average s", "g(s)",
            [Series(f"D = {one['degree']}", one["s"], one["g"]) for one in some],
        )
        for (sparsity,), some in grouped(found["functions"], "sparsity").items()
    ]  # fmt: skip
    return replicated("interpretability", found, tables, panels)


def _classes(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    converged = [row for group in _networks(rows) for row in group]
    for of, some in grouped(converged, "degree", "sparsity").items():
        clear = sum(row["share"] <= CLEAR for row in some)
        means = (sum(row[name] for row in some) / len(some) for name in ("score", "turns"))
        yield *of, len(grouped(some, "function")), f"{clear} of {len(some)}", *means
