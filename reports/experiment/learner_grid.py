"""What a learner can certify in every class of the paper's grid, failures included, beside Theorem 2 as printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from statistics import fmean
from typing import Any

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.sharpness import constant_risk
from boundaudit.numeric.sharpness.bound import BOUNDS, published, random_target
from boundaudit.numeric.sharpness.learner import Network, Plan, certified_from_start
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.learner import PROXY
from boundaudit.reports.experiment.shared.grid import Grid
from boundaudit.reports.experiment.shared.replication import Replication, replicated
from boundaudit.reports.experiment.shared.rows import curve, every, grouped
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import mean_interval, slope
from boundaudit.reports.experiment.shared.words import notes

DELTA = 0.05
"""δ of each certified value."""


@dataclass(frozen=True)
class Profile:
    """Classes, and how long the learner takes in each."""

    length: int  # T
    degrees: tuple[int, ...]  # values of D
    sparsities: tuple[int, ...]  # values of ω
    functions: int  # targets in each class
    samples: int  # m
    plan: Plan  # of the learner


QUICK = Plan(starts=2, steps=300, batch=128, posterior_steps=400, posterior_batch=64, draws=2**13)
_PAPER = Grid()
PROFILES = {
    "smoke": Profile(10, (1, 2, 3), (1, 5), 2, 512, QUICK),
    "paper": Profile(
        _PAPER.length, _PAPER.degrees, _PAPER.sparsities, 3, _PAPER.samples,
        Plan(starts=8, steps=1000, posterior_steps=1500, posterior_batch=128, noise=0.03, inputs_per_draw=4),
    ),
}  # fmt: skip

TOGETHER = {"cpu": 1, "cuda": 64}
"""Functions of one degree that are learned and certified as one stack."""

Cell = tuple[int, int]
"""ω and the number of a function."""


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """What is certified of random functions of each class, a row each, and the printed bound of each class."""
    rows: list[dict[str, Any]] = []
    for degree in asked.degrees:
        cells = list(product(asked.sparsities, range(asked.functions)))
        for first in range(0, len(cells), TOGETHER[run.device]):
            some = cells[first : first + TOGETHER[run.device]]
            run.told(f"D = {degree}, ω = {some[0][0]}", some[0][1])
            make = partial(_rows, asked, degree, some, run.seed, run.device)
            rows += run.kept.part(f"{degree}-{some[0][0]}-{some[0][1]}", make)["rows"]
    return {
        "parameters": {
            "T": asked.length, "m": asked.samples, "D": asked.degrees, "ω": asked.sparsities,
            "functions": asked.functions, "starts": asked.plan.starts, "delta": DELTA,
        },
        "rows": rows,
        "printed": [_printed(asked, degree, sparsity) for degree in asked.degrees for sparsity in asked.sparsities],
        "replications": list(_replications(rows)), "notes": _notes(rows),
    }  # fmt: skip


def _rows(asked: Profile, degree: int, cells: Sequence[Cell], seed: int, device: str) -> dict[str, Any]:
    """What the learner of the construction's shape certifies for some functions of one degree, failures counted."""
    seeds = [seed + function for _, function in cells]
    drawn = zip(cells, seeds, strict=True)
    targets = [random_target(asked.length, degree, sparsity, own) for (sparsity, _), own in drawn]
    found = certified_from_start(
        targets, samples=asked.samples, network=Network(asked.length, 4 * (degree + 1)), plan=asked.plan, delta=DELTA,
        seeds=seeds, device=device,
    )  # fmt: skip
    return {
        "rows": [
            {
                "function": function, "degree": degree, "sparsity": sparsity, "value": one.certificate.value,
                "empirical": one.certificate.risk, "kl": one.certificate.kl, "truth": list(one.truth),
                "starts": len(one.starts), "failed": one.failed, "constant_baseline": constant_risk(target, 1.0),
            }
            for (sparsity, function), target, one in zip(cells, targets, found, strict=True)
        ]
    }  # fmt: skip


def _printed(asked: Profile, degree: int, sparsity: int) -> dict[str, Any]:
    """Theorem 2 as printed, which is about the construction and its loss without a clip."""
    budgets = published(asked.length, degree, sparsity)
    value = BOUNDS["shared-variance"](budgets, samples=asked.samples, delta=DELTA, proxy=PROXY).value
    return {"degree": degree, "sparsity": sparsity, "value": value}


def _replications(rows: Sequence[Mapping[str, Any]]) -> Iterator[Replication]:
    """What the bound predicts of learned networks, for what one can certify of them."""
    groups = {of: [row["value"] for row in some] for of, some in grouped(rows, "degree", "sparsity").items()}
    place = "Section 2, Theorem 2"
    for along, what in enumerate(("degree", "sparsity")):
        printed = f"the guarantee for a learned network worsens with the {what} of its target"
        measured = f"slope of the certified value in the {what}"
        yield Replication.above(place, printed, measured, slope(groups, along), 0.0)


def _notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    failed, starts = (sum(row[name] for row in rows) for name in ("failed", "starts"))
    never = sorted({(row["degree"], row["sparsity"]) for row in rows if row["failed"] == row["starts"]})
    which = ", ".join(f"D = {degree}, ω = {sparsity}" for degree, sparsity in never)
    never_at = f", from every start of some function at {which}" if never else ""
    return notes("learner-grid", failed=failed, starts=starts, never=never_at, proxy=PROXY)


def shown(found: Mapping[str, Any]) -> Shown:
    """The classes, every function, and the certified value against the degree."""
    rows = found["rows"]
    below = sum(row["value"] < row["constant_baseline"] for row in rows)
    told = f"The certified value is below the best constant's loss for {below} of {len(rows)} functions."
    names = ("degree", "sparsity", "function", "value", "empirical", "kl", "constant_baseline", "failed", "starts")
    columns = ("D", "ω", "certified", "least", "most", "true risk", "constant", "failed starts", "Theorem 2 as printed")
    tables = [Table("Classes", columns, list(_classes(found))), every("Every function", rows, names)]
    return replicated("learner-grid", found, tables, _panels(found), first=[told])


def _classes(found: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """A row for each class: means over its functions, the extremes of what is certified, and the starts that failed."""
    groups = grouped(found["rows"], "degree", "sparsity")
    for printed in found["printed"]:
        own = groups[printed["degree"], printed["sparsity"]]
        values = [row["value"] for row in own]
        true, constant = fmean(row["truth"][1] for row in own), fmean(row["constant_baseline"] for row in own)
        failed, starts = (sum(row[name] for row in own) for name in ("failed", "starts"))
        yield (
            printed["degree"], printed["sparsity"], fmean(values), min(values), max(values), true, constant,
            f"{failed} of {starts}", printed["value"],
        )  # fmt: skip


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    """Certified value and true risk against the degree, a curve for each sparsity."""
    groups, degrees = grouped(found["rows"], "degree", "sparsity"), list(found["parameters"]["D"])
    certified, true = [], []
    for sparsity in found["parameters"]["ω"]:
        cells = [groups[degree, sparsity] for degree in degrees]
        means = (mean_interval([row["value"] for row in own]) for own in cells)
        certified.append(curve(f"ω = {sparsity}", degrees, means))
        true.append(Series(f"ω = {sparsity}", degrees, [fmean(row["truth"][1] for row in own) for own in cells]))
    return [
        Panel("Certified value", "degree D", "bound on the clipped risk", certified, log="y"),
        Panel("True risk of the same networks", "degree D", "clipped risk", true, log="y"),
    ]
