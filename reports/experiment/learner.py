"""Networks of the paper's shape learned from random weights, with certified bounds beside those of Theorem 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.sharpness import Target, constant_risk
from boundaudit.numeric.sharpness.bound import BOUNDS, check_setting, published, random_target, repaired
from boundaudit.numeric.sharpness.learner import (
    Certified,
    Learned,
    Network,
    Plan,
    Shape,
    Start,
    certified_learner,
    check_learnable,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.words import headed, notes


@dataclass(frozen=True)
class Part:
    """Networks of one shape."""

    shape: Shape  # which weights are free
    samples: tuple[int, ...]  # values of m
    plan: Plan  # how long everything takes


_COMPACT = Plan(
    steps=400, posterior_steps=1500, posterior_batch=128, noise=0.03, draws=2**16, inputs_per_draw=4
)  # fmt: skip
_FULL = Plan(
    steps=1000, batch=128, rate=0.03, posterior_steps=1500, posterior_batch=64, posterior_rate=0.03, noise=0.003,
    draws=2**14, inputs_per_draw=4,
)  # fmt: skip
_LONG = {"starts": 16, "posterior_steps": 12_000, "posterior_batch": 512, "draws": 2**18, "truth_inputs": 2**20}
_SIZES = (1024, 2048, 4096, 8192, 32_768, 131_072, 1_000_000)
PROFILES = {
    "smoke": (Part("compact", (2048, 8192, 131_072, 1_000_000), _COMPACT), Part("full", (8192,), _FULL)),
    "standard": (
        Part("compact", _SIZES, replace(_COMPACT, steps=1000, **_LONG)),
        Part("full", _SIZES, replace(_FULL, steps=3000, **_LONG)),
    ),
}
PROXY = 0.01
"""S of Theorem 2's rows, as in the paper's Appendix E.3: assumed there, and no Gaussian has one at every draw."""
START, SPLIT = "PAC-Bayes, prior at the random start", "PAC-Bayes, prior learned on one half"
CHERNOFF, BETTING = "hold-out on one half, Chernoff", "hold-out on one half, by betting"
_NETWORKS = {"compact": "entries that some construction of the class uses, all others zero", "full": "all entries"}
_GIBBS, _ONE = "E min((f - y)², 1) of the noisy network", "E min((f - y)², 1) of the network"
_EXPECTED = "E (f - y)² of the noisy construction"


@dataclass(frozen=True)
class Asked:
    """A random sparse target that is learned from samples of several sizes."""

    parts: tuple[Part, ...]
    length: int
    degree: int
    sparsity: int
    delta: float  # of each bound, everything together

    @classmethod
    def of(cls, profile: str, samples: Sequence[int], **sizes: Any) -> Asked:
        """With the profile's m unless given. Raises InputError for a class without targets, or a wrong number."""
        asked = cls(tuple(replace(part, samples=tuple(samples) or part.samples) for part in PROFILES[profile]), **sizes)
        for m in {m for part in asked.parts for m in part.samples}:
            check_setting(m, asked.delta)
            check_learnable(asked.length, asked.degree, asked.sparsity, m)
        return asked


def measured(asked: Asked, run: Run) -> dict[str, Any]:
    """A row for each bound, and every start; told are the shape, m, what is being done and how many steps of it are."""
    target = random_target(asked.length, asked.degree, asked.sparsity, run.seed)
    cells = [
        run.kept.part(f"{part.shape}-{m}", partial(_cell, target, part, m, asked.delta, run))
        for part in asked.parts
        for m in part.samples
    ]
    printed = [_printed(target, m, asked.delta) for m in sorted({cell["samples"] for cell in cells})]
    rows = [row for cell in [*cells, *printed] for row in cell["rows"]]
    starts = [row for cell in cells for row in cell["starts"]]
    return {
        "parameters": {
            "T": asked.length, "D": asked.degree, "ω": asked.sparsity, "delta": asked.delta,
            "samples": sorted({row["samples"] for row in rows}),
        },
        "target": {"components": target.components, "coefficients": target.coefficients},
        "constant_baseline": constant_risk(target, 1.0),
        "rows": rows,
        "starts": starts,
        "notes": notes("learner", failed=sum(not row["learned"] for row in starts), starts=len(starts), proxy=PROXY),
    }  # fmt: skip


def _cell(target: Target, part: Part, samples: int, delta: float, run: Run) -> dict[str, Any]:
    """What is learned from one sample by networks of one shape."""
    network = Network(target.length, 4 * (target.degree + 1), part.shape)
    found = certified_learner(
        target, samples=samples, network=network, plan=part.plan, delta=delta, seed=run.seed, device=run.device,
        told=partial(run.told, part.shape, samples),
    )  # fmt: skip
    named = {"samples": samples, "network": part.shape, "parameters": network.count}
    level = constant_risk(target, 1.0)
    rows = [_gibbs(START, found.from_start), _gibbs(SPLIT, found.from_split), *_held_out(found)]
    starts = [
        named | {"start": number, "bound": bound, **_start(start)}
        for bound, learned in ((START, found.from_start), (SPLIT, found.from_split))
        for number, start in enumerate(learned.starts)
    ]
    return {"samples": samples, "rows": [_judged(named | row, level) for row in rows], "starts": starts}


def _gibbs(bound: str, found: Learned) -> dict[str, Any]:
    best = found.certificate
    return {
        "bound": bound, "of": _GIBBS, "value": best.value, "without_draws": best.exact, "kl": best.kl,
        "empirical": best.risk, "truth": list(found.truth), "starts": len(found.starts), "failed": found.failed,
    }  # fmt: skip


def _held_out(found: Certified) -> Iterator[dict[str, Any]]:
    one, starts = found.held_out, found.from_split
    for bound, value in ((CHERNOFF, one.chernoff), (BETTING, one.betting)):
        yield {
            "bound": bound, "of": _ONE, "value": value, "empirical": one.loss, "truth": list(one.truth),
            "starts": len(starts.starts), "failed": starts.failed,
        }  # fmt: skip


def _start(start: Start) -> dict[str, Any]:
    found = {"training_loss": start.training_loss, "learned": start.learned}
    if start.certificate is None:
        return found
    names = ("value", "kl", "risk", "limit")
    ledger = [entry._asdict() for entry in start.certificate.ledger.entries]
    return found | {name: getattr(start.certificate, name) for name in names} | {"ledger": ledger}


def _printed(target: Target, samples: int, delta: float) -> dict[str, Any]:
    """Theorem 2 at this class: about the construction, which knows the target."""
    size = (target.length, target.degree, target.sparsity)
    rows = []
    for name, budgets in (("published", published(*size)), ("repaired", repaired(*size, "steep"))):
        found = BOUNDS["shared-variance"](budgets, samples=samples, delta=delta, proxy=PROXY)
        row = {
            "samples": samples, "network": "construction", "parameters": budgets.count,
            "bound": f"Theorem 2, {name}, S = {PROXY}", "of": _EXPECTED, "value": found.value, "kl": found.kl,
        }  # fmt: skip
        rows.append(_judged(row, constant_risk(target)))
    return {"samples": samples, "rows": rows}


def _judged(row: dict[str, Any], level: float) -> dict[str, Any]:
    """With the best constant prediction's risk under the same loss."""
    nothing = dict.fromkeys(("without_draws", "kl", "empirical", "truth", "starts", "failed"))
    return nothing | row | {"constant_baseline": level, "vacuous": row["value"] >= level}


_COLUMNS = {
    "samples": "m", "network": "network", "parameters": "weights", "bound": "bound", "value": "value", "kl": "KL",
    "empirical": "on the sample", "true_risk": "true risk", "constant_baseline": "constant", "failed": "failed starts",
}  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """The rows, every start, and the bounds against m."""
    keys = ("samples", "network", "start", "bound", "training_loss", "learned", "value", "kl", "risk", "limit")
    return Shown(
        *headed("learner"),
        conclusions=list(_conclusions(found)),
        tables=[
            Table("Bounds", tuple(_COLUMNS.values()), [_told(row) for row in found["rows"]]),
            Table("Every start", keys, [tuple(row.get(key) for key in keys) for row in found["starts"]], folded=True),
        ],
        panels=_panels(found),
    )


def _told(row: Mapping[str, Any]) -> tuple[Any, ...]:
    truth = None if row["truth"] is None else row["truth"][1]
    failed = None if row["failed"] is None else f"{row['failed']} of {row['starts']}"
    return tuple({**row, "true_risk": truth, "failed": failed}[key] for key in _COLUMNS)


def _conclusions(found: Mapping[str, Any]) -> Iterator[str]:
    """For each sample what PAC-Bayes, hold-out and Theorem 2 say; no row is picked, as no δ pays for that."""
    settings = dict.fromkeys((row["samples"], row["network"]) for row in found["rows"] if row["truth"] is not None)
    ahead = 0
    for m, network in settings:
        rows = [row for row in found["rows"] if row["samples"] == m]
        value = {row["bound"]: row["value"] for row in rows if row["network"] == network}
        told = {row["bound"]: _beside(row) for row in rows if row["network"] == network}
        printed = [f"{row['value']:.4g}" for row in rows if row["network"] == "construction"]
        ahead += value[CHERNOFF] < min(value[START], value[SPLIT])
        level = next(row["constant_baseline"] for row in rows if row["network"] == network)
        yield (
            f"m = {m:,}, {network} network: PAC-Bayes certifies {told[START]} with the prior at the random start "
            f"and {told[SPLIT]} with one learned on half of the sample; hold-out on the other half gives "
            f"{told[CHERNOFF]}, the best constant prediction {level:.4g}. Theorem 2 gives {printed[0]} as "
            f"published and {printed[1]} repaired."
        )
    yield (
        f"Hold-out is below both PAC-Bayes values in {ahead} of {len(settings)} settings. What PAC-Bayes is for: the "
        "prior at the random start spends no sample on a test, and its bound speaks of all posteriors at once, also of "
        "those chosen by looking at it; how far it goes down says how much of the network the sample determines."
    )


def _beside(row: Mapping[str, Any]) -> str:
    """A bound beside the risk itself, exact where all inputs were looked at."""
    low, middle, high = row["truth"]
    exactly = "exactly" if low == high else "about"
    return f"{row['value']:.4g} ({exactly} {middle:.3g} in truth)"


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    """The bounds against m, a panel for each shape, with the true risks beside them."""
    sizes = found["parameters"]["samples"]
    level = Series("best constant prediction", sizes, [found["constant_baseline"]] * len(sizes))
    printed = list(_lines(found, "construction"))
    shapes = dict.fromkeys(row["network"] for row in found["rows"] if row["network"] != "construction")
    return [
        Panel(
            f"Learned networks, {_NETWORKS[shape]}", "m", "bound, and true risk",
            [*_lines(found, shape), _truth(found, shape), *printed, level], log="xy",
        )
        for shape in shapes
    ]  # fmt: skip


def _lines(found: Mapping[str, Any], network: str) -> Iterator[Series]:
    mine = [row for row in found["rows"] if row["network"] == network]
    for bound in dict.fromkeys(row["bound"] for row in mine):
        rows = sorted((row for row in mine if row["bound"] == bound), key=lambda row: row["samples"])
        yield Series(bound, [row["samples"] for row in rows], [row["value"] for row in rows])


def _truth(found: Mapping[str, Any], network: str) -> Series:
    rows = [row for row in found["rows"] if (row["network"], row["bound"]) == (network, START)]
    low, middle, high = zip(*(row["truth"] for row in rows), strict=True)
    return Series(f"true risk, {START}", [row["samples"] for row in rows], middle, low, high, drawn="points")
