"""Do rows of learned attention show a target's components, and does the learned function of one variable oscillate?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
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
from boundaudit.reports.experiment.parts import Parts
from boundaudit.reports.experiment.replication import Replication, replication_table
from boundaudit.reports.experiment.results import about, write_results
from boundaudit.reports.experiment.trend import mean_interval


@dataclass(frozen=True)
class Profile:
    """Classes of targets and how their networks are trained.

    Attributes:
        length: T.
        classes: D and ω of each class.
        functions: Targets in each.
        samples: m.
        rate: The learning rate.
        plan: Everything else of the training.
    """

    length: int
    classes: tuple[tuple[int, int], ...]
    functions: int
    samples: int
    rate: float = 0.01
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


def interpretability(
    profile: str, *, seed: int = 0, device: str = "cpu", out: Path | None = None, resume: bool = False,
    told: Callable[[str, int], None] = lambda what, done: None,
) -> dict[str, Any]:  # fmt: skip
    """Train small networks with a linear read-out and look into them.

    Args:
        profile: One of `PROFILES`.
        seed: Of functions, inputs and networks.
        device: ``cpu`` or ``cuda``.
        out: A folder for the results, and for what an interrupted run has done.
        resume: Whether to go on with one.
        told: Hears what is done and how much of it.

    Returns:
        JSON: parameters; a row for each component of each network; the learned function of one network of each class;
        replications; notes.

    Raises:
        InputError: for a folder that cannot be used.
    """
    asked = PROFILES[profile]
    architecture = Readout(asked.length)
    kept = Parts(out, {"profile": profile, "seed": seed, "device": device, **asdict(asked)}, resume=resume)
    tasks = Tasks.draw(asked.length, asked.classes, asked.functions, asked.samples, seed=seed)
    trained = train_networks(
        architecture, tasks, asked.plan, torch.full((len(tasks),), asked.rate), seed=seed, device=device,
        state=kept.file("networks.safetensors"), told=lambda epoch, going: told("epoch", epoch),
    )  # fmt: skip
    weights = {name: tensor.to(device) for name, tensor in trained.weights.items()}
    attention = mean_attention(architecture, weights, seed=seed)
    scores = component_scores(attention, tasks)
    grid, values = learned_function(architecture, weights, seed=seed)
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
    shown_first = range(0, len(tasks), asked.functions)
    found = {
        **about("interpretability", profile, seed, device),
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
            for number in shown_first
        ],
        "replications": [each.to_json() for each in _replications(rows)], "notes": _notes(rows),
    }  # fmt: skip
    kept.finish(partial(write_results, found, shown(found)))
    return found


def _networks(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """The rows of each network that converged, by falling coefficient."""
    groups: dict[tuple[int, int, int], list[Mapping[str, Any]]] = {}
    for row in rows:
        if row["converged"]:
            groups.setdefault((row["degree"], row["sparsity"], row["function"]), []).append(row)
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
        _mean(clear), 0.5,
    )  # fmt: skip
    apart = [sum(row["score"] for row in group[:-1]) / (len(group) - 1) - group[-1]["score"] for group in several]
    yield Replication.above(
        place, "the component with the smallest coefficient is less identifiable",
        "the score of the other components minus that of the smallest, mean over networks", _mean(apart), 0.0,
    )  # fmt: skip
    turning = [float(group[0]["turns"]) for group in networks]
    yield Replication.above(
        "Section 2.4", "the learned function of one variable oscillates, as that of the construction does",
        "the number of its turns, mean over networks", _mean(turning), 1.0,
    )  # fmt: skip


def _mean(values: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    return mean_interval(values) if values else (None, None, None)


def _notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a reader has to know before the numbers."""
    networks = {(row["degree"], row["sparsity"], row["function"]): row["converged"] for row in rows}
    return [
        f"{sum(not each for each in networks.values())} of {len(networks)} networks did not converge and are left out "
        "of what is concluded; they stay in the table.",
        "A component's score is the largest cosine between a row of attention, averaged over inputs, and the indicator "
        "of its positions. Its null distribution is exact: the scores of all sets of its size in the same network. "
        "Rows that know nothing of the target give a share that is uniform.",
        "A turn is a change from rising to falling or back by more than 5 % of the function's range, between the least "
        "and the largest average that occurs. The parity of D equally weighted bits takes D - 1 turns; unequal "
        "weights, and read-outs over many positions, do with fewer.",
        "That the function oscillates is what the experiment was made to look for; the text that reached us does not "
        "say what was found.",
    ]


# --- what people read -----------------------------------------------------------------------------


def shown(found: Mapping[str, Any]) -> Shown:
    """The experiment as people read it.

    Args:
        found: What `interpretability` returns.

    Returns:
        Printed and measured, the classes, every component, and learned functions.
    """
    rows, replications = found["rows"], [Replication(**each) for each in found["replications"]]
    names = ("degree", "sparsity", "function", "converged", "component", "coefficient", "score", "share", "turns")
    columns = ("D", "ω", "networks", "components that stand out", "mean score", "mean turns")
    return Shown(
        title="Looking into trained networks",
        question="Lintilhac & Shaikh 2026, Section 2.4: do rows of learned attention show the components of the "
        "target, and does the learned function of one variable oscillate?",
        conclusions=[each.sentence() for each in replications],
        tables=[
            replication_table(replications),
            Table("Classes", columns, list(_classes(rows))),
            Table("Every component", names, [tuple(row[name] for name in names) for row in rows], folded=True),
        ],
        panels=[
            Panel(f"Learned function, ω = {sparsity}", "average s", "g(s)", list(_curves(found, sparsity)))
            for sparsity in dict.fromkeys(one["sparsity"] for one in found["functions"])
        ],
    )


def _curves(found: Mapping[str, Any], sparsity: int) -> Iterator[Series]:
    for one in found["functions"]:
        if one["sparsity"] == sparsity:
            yield Series(f"D = {one['degree']}", one["s"], one["g"])


def _classes(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for degree, sparsity in dict.fromkeys((row["degree"], row["sparsity"]) for row in rows):
        groups = [
            group for group in _networks(rows) if (group[0]["degree"], group[0]["sparsity"]) == (degree, sparsity)
        ]
        some = [row for group in groups for row in group]
        if some:
            clear = sum(row["share"] <= CLEAR for row in some)
            means = (sum(row[name] for row in some) / len(some) for name in ("score", "turns"))
            yield degree, sparsity, len(groups), f"{clear} of {len(some)}", *means
