"""The sparse majority of Trauger & Tewari 2024: do gap and norm of trained attention move with the length?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from torch import Tensor

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.covering.majority import (
    Data,
    Plan,
    draw,
    evaluate,
    initial_norm,
    known_before,
    map_norms,
    present,
    train,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.rows import curve, grouped
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import LEVEL, Trend, mean_interval, trend
from boundaudit.reports.experiment.shared.words import headed, notes


@dataclass(frozen=True)
class Profile:
    """Which runs are made."""

    lengths: Sequence[int]  # values of T
    runs: int  # of each, with data and start of its own
    plan: Plan  # how each is trained


PROFILES = {
    "smoke": Profile((8, 10, 12), 3, Plan(relevant=3, rate=0.06, floor=0.01, cap=1400, look=200)),
    "paper": Profile(range(20, 201, 20), 10, Plan(look=10)),
}
QUANTITIES = {
    "accuracy_gap": "gap of accuracy, train − test",
    "loss_gap": "gap of loss, test − train",
    "l1_norm": "ℓ₁ norm of all variables",
    "l1_growth": "growth of the ℓ₁ norm since initialisation",
}
_OFTEN = 0.01
MOMENTS = {"end": "at the end", "selected": "at the least test loss"}


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """Parameters, every run, counts by length and trends; told are T, the epoch and the number of runs that go on."""
    rows = [row for length in asked.lengths for row in _runs(length, asked, run)]
    stopped = [row for row in rows if row["stopped"]]
    return {
        "parameters": asdict(asked.plan) | {"lengths": list(asked.lengths), "runs": asked.runs},
        "norm_at_initialisation": initial_norm(),
        "runs": rows,
        "left_out": len(rows) - len(stopped),
        "lengths": [_summary(length, asked.plan, rows) for length in asked.lengths],
        "trends": _trends(stopped),
        "notes": _notes(asked, len(rows) - len(stopped), len(rows)),
    }  # fmt: skip


def _runs(length: int, asked: Profile, run: Run) -> list[dict[str, Any]]:
    """All runs of one length, trained together."""
    data = draw(length, asked.plan, run.seed, range(asked.runs)).to(run.device)
    done = train(data, asked.plan, partial(run.told, length))
    start = data.weights.abs().sum(1).tolist()
    moments = {"end": (done.end, done.epochs), "selected": (done.selected, done.selected_epochs)}
    found = {name: _moments(data, asked.plan, *moment, start) for name, moment in moments.items()}
    return [
        {
            "length": length, "run": k, "stopped": bool(done.stopped[k]), "epochs": int(done.epochs[k]),
            "norm_at_start": start[k], **{name: found[name][k] for name in found},
        }
        for k in range(asked.runs)
    ]  # fmt: skip


def _moments(data: Data, plan: Plan, weights: Tensor, epochs: Tensor, start: Sequence[float]) -> list[dict[str, Any]]:
    """What is reported of each run's variables."""
    seen, parts = present(data.bits), {"train": slice(plan.train), "test": slice(plan.train, None)}
    sides = {
        name: [value.tolist() for value in evaluate(weights, data.tokens, seen[:, part], data.labels[:, part])]
        for name, part in parts.items()
    }
    norms, totals, at = map_norms(weights), weights.abs().sum(1).tolist(), epochs.tolist()
    rows = []
    for run, total in enumerate(totals):
        row = {side: {"accuracy": values[0][run], "loss": values[1][run]} for side, values in sides.items()}
        rows.append(
            {"epoch": at[run]} | row | {
                "accuracy_gap": row["train"]["accuracy"] - row["test"]["accuracy"],
                "loss_gap": row["test"]["loss"] - row["train"]["loss"],
                "l1_norm": total, "l1_growth": total - start[run],
                "maps": {name: {kind: float(value[run]) for kind, value in of.items()} for name, of in norms.items()},
            }
        )  # fmt: skip
    return rows


def _summary(length: int, plan: Plan, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    mine = [row["stopped"] for row in rows if row["length"] == length]
    known = known_before(length, plan.train)
    return {"length": length, "runs": len(mine), "stopped": sum(mine), "test_samples_in_train": known}


def _trends(stopped: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each quantity at each moment, over the runs that stopped."""
    lengths = [row["length"] for row in stopped]
    found = []
    for moment, when in MOMENTS.items():
        for quantity, name in QUANTITIES.items():
            fit: Trend = trend(lengths, [row[moment][quantity] for row in stopped])
            said = {"verdict": fit.verdict, "change": fit.change, "sentence": fit.sentence(f"{name}, {when}")}
            found.append({"moment": moment, "quantity": quantity} | asdict(fit) | said)
    return found


def _notes(asked: Profile, left_out: int, runs: int) -> list[str]:
    plan, shortest = asked.plan, min(asked.lengths)
    known, printed = known_before(shortest, plan.train), asdict(Plan(look=plan.look))
    changed = ", ".join(
        f"{name} {value:g} instead of {printed[name]:g}"
        for name, value in asdict(plan).items()
        if value != printed[name]
    )
    return notes(
        "sparse-majority", {"left_out": left_out > 0, "departs": bool(changed), "known": known > _OFTEN},
        left_out=left_out, runs=runs, cap=plan.cap, changed=changed, look=plan.look, norm=initial_norm(), level=LEVEL,
        shortest=shortest, known=known,
    )  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """Trends, figures, and every run at each moment."""
    runs = found["runs"]
    return Shown(
        *headed("sparse-majority"),
        conclusions=[fit["sentence"] for fit in found["trends"]],
        tables=[
            *(_every(runs, moment) for moment in MOMENTS),
            _slopes(found["trends"]),
            *(_norms_of_maps(runs, moment) for moment in MOMENTS),
        ],
        panels=_panels(found),
    )


_SIDES = tuple((side, what) for what in ("accuracy", "loss") for side in ("train", "test"))


def _every(runs: Sequence[Mapping[str, Any]], moment: str) -> Table:
    names = (f"{side} {what}" for side, what in _SIDES)
    rows = [
        (
            row["length"], row["run"], row["stopped"], row[moment]["epoch"],
            *(row[moment][side][what] for side, what in _SIDES),
            row[moment]["accuracy_gap"], row["norm_at_start"], row[moment]["l1_norm"],
        )
        for row in runs
    ]  # fmt: skip
    columns = ("T", "run", "stopped", "epoch", *names, "gap of accuracy", "ℓ₁ at start", "ℓ₁")
    return Table(f"Every run {MOMENTS[moment]}", columns, rows)


def _slopes(trends: Sequence[Mapping[str, Any]]) -> Table:
    columns = ("quantity", "moment", "runs", "mean", "slope in log T", "95 % from", "to", "verdict")
    rows = [
        (
            QUANTITIES[fit["quantity"]], MOMENTS[fit["moment"]], fit["points"],
            *(fit[key] for key in ("mean", "slope", "low", "high", "verdict")),
        )
        for fit in trends
    ]  # fmt: skip
    return Table("Slopes against log T", columns, rows, folded=True)


def _norms_of_maps(runs: Sequence[Mapping[str, Any]], moment: str) -> Table:
    kinds = {"entries": "(1,1)", "rows": "(2,1)"}
    maps = [(name, kind) for name in runs[0][moment]["maps"] for kind in kinds]
    rows = [(row["length"], row["run"], *(row[moment]["maps"][name][kind] for name, kind in maps)) for row in runs]
    title = f"Norms of the maps {MOMENTS[moment]}: sum of the moduli of the entries, (1,1), and of the Euclidean " \
        "lengths of the rows of x ↦ Wx, (2,1); heads added up"  # fmt: skip
    return Table(title, ("T", "run", *(f"{name} {kinds[kind]}" for name, kind in maps)), rows, folded=True)


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    """Each quantity against T over the runs that stopped, and the epochs of all runs."""
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
    groups = grouped(rows, "length")
    means = (mean_interval([row[moment][quantity] for row in some]) for some in groups.values())
    return curve(MOMENTS[moment], [length for (length,) in groups], means, "points")


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
        groups = grouped((row for row in rows if row["stopped"] is stopped), "length")
        epochs = ([row["epochs"] for row in some] for some in groups.values())
        ends = ((sum(some) / len(some), min(some), max(some)) for some in epochs)
        series.append(curve(name, [length for (length,) in groups], ends, "points"))
    return Panel("Epochs", "T", "mean over runs, least to most", series, log="xy")
