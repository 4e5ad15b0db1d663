"""Parity step by step against one pass: the construction of the proof, under noise too, and networks that learn it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import torch

from boundaudit.checks.records.study import Panel
from boundaudit.numeric.sharpness.trained import (
    IterationHead,
    Parities,
    Plan,
    noisy_wrong,
    train_networks,
    wrong_shares,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.replication import Replication, replicated
from boundaudit.reports.experiment.shared.rows import curve, every, grouped
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import FEWEST, mean_interval, trend
from boundaudit.reports.experiment.shared.words import notes


@dataclass(frozen=True)
class Profile:
    """Lengths and samples, and how networks are trained on them."""

    lengths: tuple[int, ...]  # values of T, from 6 on
    samples: tuple[int, ...]  # values of m, prompts; a chain's prompt has the labels of all its steps
    starts: int  # networks of each kind for each T and m
    sigmas: tuple[float, ...] = (0.001, 0.003, 0.01, 0.03, 0.1)  # standard deviations of the noise of the constructions
    draws: int = 200  # noisy copies at each
    rate: float = 0.02
    # everything else of the training
    plan: Plan = field(default_factory=lambda: Plan(batch=16, dropout=0.0, stop=0.01, epochs=300))


PROFILES = {
    "smoke": Profile((6, 7, 8), (64,), starts=4),
    "small": Profile((8, 10, 12), (64, 256), starts=6),
    "paper": Profile((8, 12, 16, 20), (128, 512, 2048), starts=11, draws=1000),
}
_HIDDEN = 32
_KINDS = {True: "chain", False: "one pass"}


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """The constructions under noise, and a row for each network trained on the labels of a chain or of one pass."""
    constructed = [
        run.kept.part(f"constructed-{length}-{int(chain)}", partial(_constructed, asked, length, chain, run))
        for length in asked.lengths
        for chain in _KINDS
    ]
    rows = []
    for length, samples, chain in product(asked.lengths, asked.samples, _KINDS):
        made = partial(_trained, asked, length, samples, chain, run)
        rows += run.kept.part(f"trained-{length}-{samples}-{int(chain)}", made)["rows"]
    return {
        "parameters": {
            "T": asked.lengths, "m": asked.samples, "starts": asked.starts, "rate": asked.rate, "draws": asked.draws,
            "stop": asked.plan.stop, "epochs": asked.plan.epochs,
        },
        "rows": rows, "constructed": constructed,
        "replications": list(_replications(rows, constructed)), "notes": _notes(rows),
    }  # fmt: skip


def _constructed(asked: Profile, length: int, chain: bool, run: Run) -> dict[str, Any]:
    """How often the network of the proof is wrong, without noise and with it."""
    head, weights = IterationHead.constructed(length, chain=chain)
    weights = {name: tensor.to(run.device) for name, tensor in weights.items()}
    wrong = [noisy_wrong(head, weights, sigma, draws=asked.draws, seed=run.seed) for sigma in asked.sigmas]
    return {
        "length": length, "chain": chain, "weights": head.count,
        "wrong": wrong_shares(head, weights, seed=run.seed).final.item(),
        "noisy": [mean_interval(draws.tolist()) for draws in wrong], "sigmas": asked.sigmas,
    }  # fmt: skip


def _trained(asked: Profile, length: int, samples: int, chain: bool, run: Run) -> dict[str, Any]:
    """Networks from random weights on one kind of labels."""
    head = IterationHead(length, _HIDDEN if chain else max(_HIDDEN, 4 * length), chain)
    tasks = Parities.draw(head, asked.starts, samples, seed=run.seed)
    rates, saying = torch.full((asked.starts,), asked.rate), f"{_KINDS[chain]}, T = {length}, m = {samples}: epoch"
    found = train_networks(
        head, tasks, asked.plan, rates, seed=run.seed, device=run.device,
        state=run.kept.file(f"networks-{length}-{samples}-{int(chain)}.safetensors"),
        told=lambda epoch, going: run.told(saying, epoch),
    )  # fmt: skip
    shares = wrong_shares(head, {name: tensor.to(run.device) for name, tensor in found.weights.items()}, seed=run.seed)
    return {
        "rows": [
            {
                "length": length, "samples": samples, "kind": _KINDS[chain], "start": start,
                "epochs": int(found.epochs[start]), "converged": bool(found.converged[start]),
                "training_risk": float(found.loss[start]), "step_wrong": float(shares.step[start]),
                "final_wrong": float(shares.final[start]),
            }
            for start in range(asked.starts)
        ]
    }  # fmt: skip


def _gains(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int], list[float]]:
    """By how much one pass errs more often than the chain, for each T and m, start by start."""
    wrong = {(row["length"], row["samples"], row["start"], row["kind"]): row["final_wrong"] for row in rows}
    found: dict[tuple[int, int], list[float]] = {}
    for length, samples, start, kind in wrong:
        if kind == _KINDS[True]:
            gain = wrong[length, samples, start, _KINDS[False]] - wrong[length, samples, start, kind]
            found.setdefault((length, samples), []).append(gain)
    return found


def _replications(
    rows: Sequence[Mapping[str, Any]], constructed: Sequence[Mapping[str, Any]]
) -> Iterator[Replication]:  # fmt: skip
    worst = max(each["wrong"] for each in constructed if each["chain"])
    yield Replication(
        "Appendix G", "a transformer with cyclic positions says the parity step by step without error",
        "the largest share of prompts that the construction answers wrongly", worst, worst, worst,
        "holds" if worst == 0 else "does not hold",
    )  # fmt: skip
    gains = _gains(rows)
    most = max(samples for _, samples in gains)
    for (length, samples), values in gains.items():
        if samples == most:
            yield Replication.above(
                "Section 3", f"a learner of the chain errs less often than one of one pass, T = {length}",
                f"the share of wrong final answers, one pass minus chain, from {samples:,} prompts",
                mean_interval(values), 0.0,
            )  # fmt: skip
    found = trend(*_growing(gains, most))
    ends = (found.low, found.high) if found.lengths >= FEWEST else (None, None)
    yield Replication.above(
        "Section 3", "the advantage of the chain grows with T",
        f"the slope of that difference in log T, from {most:,} prompts", (found.slope, *ends), 0.0,
    )  # fmt: skip


def _growing(gains: Mapping[tuple[int, int], Sequence[float]], most: int) -> tuple[list[float], list[float]]:
    pairs = [(float(length), gain) for (length, samples), some in gains.items() if samples == most for gain in some]
    return [length for length, _ in pairs], [gain for _, gain in pairs]


def _notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    chains, passes = (sum(not row["converged"] for row in rows if row["kind"] == kind) for kind in _KINDS.values())
    return notes("chain-of-thought", chains=chains, passes=passes, each=len(rows) // 2)


def shown(found: Mapping[str, Any]) -> Shown:
    """Printed and measured, means by T and m, every network, and the constructions under noise."""
    rows = found["rows"]
    names = ("length", "samples", "kind", "start", "epochs", "converged", "training_risk", "step_wrong", "final_wrong")
    columns = ("T", "m", "kind", "converged", "wrong steps", "wrong answers", "from", "to")
    tables = [Table("Networks by T and m", columns, list(_means(rows))), every("Every network", rows, names)]
    return replicated("chain-of-thought", found, tables, [*_learned(found), _noisy(found["constructed"])])


def _means(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for each, some in grouped(rows, "length", "samples", "kind").items():
        converged = f"{sum(row['converged'] for row in some)} of {len(some)}"
        steps = sum(row["step_wrong"] for row in some) / len(some)
        yield *each, converged, steps, *mean_interval([row["final_wrong"] for row in some])


def _learned(found: Mapping[str, Any]) -> Iterator[Panel]:
    groups, sizes = grouped(found["rows"], "length", "samples", "kind"), found["parameters"]["m"]
    for length in found["parameters"]["T"]:
        series = []
        for kind in _KINDS.values():
            some = (mean_interval([row["final_wrong"] for row in groups[length, m, kind]]) for m in sizes)
            series.append(curve(kind, sizes, some))
        yield Panel(f"Learned, T = {length}", "prompts m", "share of wrong answers", series, log="x")


def _noisy(constructed: Sequence[Mapping[str, Any]]) -> Panel:
    series = [
        curve(f"{_KINDS[each['chain']]}, T = {each['length']}", each["sigmas"], each["noisy"]) for each in constructed
    ]
    return Panel("The constructions under noise", "σ", "share of wrong answers", series, log="x")
