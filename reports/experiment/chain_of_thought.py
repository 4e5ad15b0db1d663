"""Parity step by step against one pass: the construction of the proof, under noise too, and networks that learn it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.sharpness.trained import (
    IterationHead,
    Parities,
    Plan,
    noisy_wrong,
    train_networks,
    wrong_shares,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.parts import Parts
from boundaudit.reports.experiment.replication import Replication, replication_table
from boundaudit.reports.experiment.results import about, write_results
from boundaudit.reports.experiment.trend import FEWEST, mean_interval, trend


@dataclass(frozen=True)
class Profile:
    """Lengths and samples, and how networks are trained on them.

    Attributes:
        lengths: Values of T, from 6 on.
        samples: Values of m, prompts; a chain's prompt has the labels of all its steps.
        starts: Networks of each kind for each T and m.
        sigmas: Standard deviations of the noise of the constructions.
        draws: Noisy copies at each.
        rate: The learning rate.
        plan: Everything else of the training.
    """

    lengths: tuple[int, ...]
    samples: tuple[int, ...]
    starts: int
    sigmas: tuple[float, ...] = (0.001, 0.003, 0.01, 0.03, 0.1)
    draws: int = 200
    rate: float = 0.02
    plan: Plan = field(default_factory=lambda: Plan(batch=16, dropout=0.0, stop=0.01, epochs=300))


PROFILES = {
    "smoke": Profile((6, 7, 8), (64,), starts=4),
    "small": Profile((8, 10, 12), (64, 256), starts=6),
    "paper": Profile((8, 12, 16, 20), (128, 512, 2048), starts=11, draws=1000),
}
_HIDDEN = 32
_KINDS = {True: "chain", False: "one pass"}


def chain_of_thought(
    profile: str, *, seed: int = 0, device: str = "cpu", out: Path | None = None, resume: bool = False,
    told: Callable[[str, int], None] = lambda what, done: None,
) -> dict[str, Any]:  # fmt: skip
    """Measure the constructions, and train networks on prompts with the labels of a chain or of one pass.

    Args:
        profile: One of `PROFILES`.
        seed: Of prompts, networks and noise.
        device: ``cpu`` or ``cuda``.
        out: A folder for the results, and for what an interrupted run has done.
        resume: Whether to go on with one.
        told: Hears what is done and how much of it.

    Returns:
        JSON: parameters; a row for each network; the constructions under noise; replications; notes.

    Raises:
        InputError: for a folder that cannot be used.
    """
    asked = PROFILES[profile]
    kept = Parts(out, {"profile": profile, "seed": seed, "device": device, **asdict(asked)}, resume=resume)
    constructed = [
        kept.part(f"constructed-{length}-{int(chain)}", partial(_constructed, asked, length, chain, seed, device))
        for length in asked.lengths
        for chain in _KINDS
    ]
    rows = []
    for length in asked.lengths:
        for samples in asked.samples:
            for chain, kind in _KINDS.items():
                saying = partial(told, f"{kind}, T = {length}, m = {samples}: epoch")
                made = partial(_trained, asked, kept, length, samples, chain, seed, device, saying)
                rows += kept.part(f"trained-{length}-{samples}-{int(chain)}", made)["rows"]
    found = {
        **about("chain-of-thought", profile, seed, device),
        "parameters": {
            "T": asked.lengths, "m": asked.samples, "starts": asked.starts, "rate": asked.rate, "draws": asked.draws,
            "stop": asked.plan.stop, "epochs": asked.plan.epochs,
        },
        "rows": rows, "constructed": constructed,
        "replications": [each.to_json() for each in _replications(rows, constructed)], "notes": _notes(rows),
    }  # fmt: skip
    kept.finish(partial(write_results, found, shown(found)))
    return found


def _constructed(asked: Profile, length: int, chain: bool, seed: int, device: str) -> dict[str, Any]:
    """How often the network of the proof is wrong, without noise and with it."""
    head, weights = IterationHead.constructed(length, chain=chain)
    weights = {name: tensor.to(device) for name, tensor in weights.items()}
    wrong = [noisy_wrong(head, weights, sigma, draws=asked.draws, seed=seed) for sigma in asked.sigmas]
    return {
        "length": length, "chain": chain, "weights": head.count,
        "wrong": wrong_shares(head, weights, seed=seed).final.item(),
        "noisy": [_interval(draws) for draws in wrong], "sigmas": list(asked.sigmas),
    }  # fmt: skip


def _trained(
    asked: Profile, kept: Parts, length: int, samples: int, chain: bool, seed: int, device: str,
    told: Callable[[int], None],
) -> dict[str, Any]:  # fmt: skip
    """Networks from random weights on one kind of labels."""
    head = IterationHead(length, _HIDDEN if chain else max(_HIDDEN, 4 * length), chain)
    tasks = Parities.draw(head, asked.starts, samples, seed=seed)
    rates = torch.full((asked.starts,), asked.rate)
    found = train_networks(
        head, tasks, asked.plan, rates, seed=seed, device=device,
        state=kept.file(f"networks-{length}-{samples}-{int(chain)}.safetensors"), told=lambda epoch, going: told(epoch),
    )  # fmt: skip
    shares = wrong_shares(head, {name: tensor.to(device) for name, tensor in found.weights.items()}, seed=seed)
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


def _interval(draws: Tensor) -> list[float | None]:
    return list(mean_interval(draws.tolist()))


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
    """What a reader has to know before the numbers."""
    missed = {kind: sum(not row["converged"] for row in rows if row["kind"] == kind) for kind in _KINDS.values()}
    return [
        f"{missed['chain']} chains and {missed['one pass']} single passes of {len(rows) // 2} each did not reach the "
        "training loss asked for; they stay in the table and in what is concluded.",
        "Both kinds learn from the same prompts; a chain's prompt has the labels of all its T steps, as the text has "
        "it, so that it sees T times as many labels. Guessing is wrong on half of all prompts.",
        "Final answers are those of chains that go on from their own states, over all prompts up to T = 12 and a "
        "sample of 4,096 beyond. Intervals are over starts with training sets of their own.",
        "The constructions have the weights of the proof: 2 log T between equal codes, steep trapezoids for two bits, "
        "or for all of them in one pass. Noise moves every weight by independent normal draws of standard deviation σ.",
    ]


# --- what people read -----------------------------------------------------------------------------


def shown(found: Mapping[str, Any]) -> Shown:
    """The experiment as people read it.

    Args:
        found: What `chain_of_thought` returns.

    Returns:
        Printed and measured, means by T and m, every network, and the constructions under noise.
    """
    rows, replications = found["rows"], [Replication(**each) for each in found["replications"]]
    names = ("length", "samples", "kind", "start", "epochs", "converged", "training_risk", "step_wrong", "final_wrong")
    columns = ("T", "m", "kind", "converged", "wrong steps", "wrong answers", "from", "to")
    return Shown(
        title="Step by step, and in one pass",
        question="Lintilhac & Shaikh 2026, Section 3: is the parity of T bits learned better as a chain of T steps "
        "than in one pass?",
        conclusions=[each.sentence() for each in replications],
        tables=[
            replication_table(replications),
            Table("Networks by T and m", columns, list(_means(rows))),
            Table("Every network", names, [tuple(row[name] for name in names) for row in rows], folded=True),
        ],
        panels=[*_learned(found), _noisy(found["constructed"])],
    )


def _groups(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int, str], list[Mapping[str, Any]]]:
    groups: dict[tuple[int, int, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["length"], row["samples"], row["kind"]), []).append(row)
    return groups


def _means(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for each, some in _groups(rows).items():
        converged = f"{sum(row['converged'] for row in some)} of {len(some)}"
        steps = sum(row["step_wrong"] for row in some) / len(some)
        yield *each, converged, steps, *mean_interval([row["final_wrong"] for row in some])


def _learned(found: Mapping[str, Any]) -> Iterator[Panel]:
    groups, sizes = _groups(found["rows"]), found["parameters"]["m"]
    for length in found["parameters"]["T"]:
        series = []
        for kind in _KINDS.values():
            some = [mean_interval([row["final_wrong"] for row in groups[length, m, kind]]) for m in sizes]
            series.append(_curve(kind, sizes, some))
        yield Panel(f"Learned, T = {length}", "prompts m", "share of wrong answers", series, log="x")


def _noisy(constructed: Sequence[Mapping[str, Any]]) -> Panel:
    series = [
        _curve(f"{_KINDS[each['chain']]}, T = {each['length']}", each["sigmas"], each["noisy"]) for each in constructed
    ]
    return Panel("The constructions under noise", "σ", "share of wrong answers", series, log="x")


def _curve(name: str, x: Sequence[float], found: Sequence[Sequence[float | None]]) -> Series:
    """From means with the ends of their intervals."""
    middle, low, high = ([row[place] for row in found] for place in range(3))
    return Series(name, x, middle, low, high)
