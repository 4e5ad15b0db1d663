"""A norm-based bound that says something of a trained head, and how norms order the gaps of heads trained on little."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.capped import MAPS, Plan, Stream, caps_of, measure, norms_of, require_within, train
from boundaudit.numeric.covering import Caps, Gap, Head, generalization_gap, single_layer_capacity
from boundaudit.numeric.samples import informs_from
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.ordering import DRAWS, ordering
from boundaudit.reports.experiment.shared.replication import Replication, replication_table
from boundaudit.reports.experiment.shared.rows import curve, every, grouped
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import mean_interval
from boundaudit.reports.experiment.shared.words import headed, notes

DELTA = 0.05
LIPSCHITZ = RANGE = 1.0
COIN = 0.5
"""The loss is the chance of an error: 1-Lipschitz, in [0, 1], and half for who tosses a coin."""
_LITTLE = 0.45
"""A risk from which on a head is said to have learned little."""
_FORMS = tuple(itertools.product(("entries", "rows"), ("sharp", "published")))
"""Covering norms with constants; the first is the one that is told, chosen before any sample is drawn."""
_INFORMING, _ORDERED, _STARTS = 0, 1, 2
"""What a stream or a start is drawn for."""


@dataclass(frozen=True)
class Profile:
    """Which heads are trained."""

    width: int  # d and k, of all heads
    length: int  # T of the head that its bound speaks of, with caps of one and no noise
    informing: Plan  # how that head is trained
    fresh: int  # samples that it is tested on
    lengths: tuple[int, ...]  # T of the heads that are ordered
    caps: tuple[float, ...]  # on their (1,1) norms
    noises: tuple[float, ...]  # shares of labels that are turned
    twins: int  # heads of each length, cap and noise, with samples and start of their own
    plan: Plan  # how they are trained
    test: int  # samples that each is tested on


PROFILES = {
    "smoke": Profile(
        8, 4, Plan(2**22, 2**13, 1, 0.02), 2**18, (2, 4), (1, 4, 16), (0.0, 0.3), 2, Plan(100, 100, 300, 0.1), 2**13
    ),
    "standard": Profile(
        8, 4, Plan(100_000_000, 2**14, 1, 0.02), 2**22, (2, 8, 32), (1, 2, 4, 8, 16), (0.0, 0.15, 0.3), 2,
        Plan(200, 200, 1500, 0.1), 2**15,
    ),
    "large": Profile(
        8, 4, Plan(2**30, 2**18, 1, 0.02), 2**26, (8, 32, 128), (1, 2, 4, 8, 16, 32), (0.0, 0.15, 0.3), 8,
        Plan(1000, 1000, 4000, 0.1), 2**18,
    ),
}  # fmt: skip

MEASURES = {
    "entries": ("capacity by (1,1) norms", "Trauger & Tewari 2024, Section 4"),
    "rows": ("capacity by (2,1) norms", "Edelman et al. 2022"),
    "schatten": ("Schatten sums", "Sakai & Imaizumi 2026, Section 6"),
    "operators": ("product of operator norms", "Jiang et al. 2020"),
    "weight": ("Euclidean norm of all weights", "Jiang et al. 2020"),
    "alpha": ("mean power-law exponent α", "Martin & Mahoney 2021"),
}
"""What is read of weights, with who proposes it."""
COMPARED = {
    "cap": "cap, known before training",
    "noise": "share of turned labels",
    "holdout": "as many fresh samples, risk less that on the sample",
    "twin": "gap of the twins, which differ by sample and start",
}
"""What is no measure of weights, for comparison."""


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """A head trained on so many samples that its bound says something, and stacks of heads on few, with orderings."""
    informing = run.kept.part("informing", partial(_informing, asked, run))
    rows = []
    for length in asked.lengths:
        rows += run.kept.part(f"heads-{length}", partial(_ordered, asked, length, run))["rows"]
    _compare(rows)
    found: dict[str, Any] = {
        "parameters": _parameters(asked), "informing": informing, "rows": rows,
        "orderings": [_ordering(rows, name, run.seed) for name in (*MEASURES, *COMPARED)],
        "by_noise": [
            {"noise": noise, **_ordering([row for row in rows if row["noise"] == noise], _FORMS[0][0], run.seed)}
            for noise in asked.noises
        ],
    }  # fmt: skip
    return found | {"replications": list(_replications(found)), "notes": _notes(found)}


def _parameters(asked: Profile) -> dict[str, Any]:
    return {
        "d": asked.width, "delta": DELTA, "bound_T": asked.length, "bound_m": asked.informing.samples,
        "bound_steps": -(-asked.informing.samples // asked.informing.batch), "T": list(asked.lengths),
        "m": asked.plan.samples, "steps": asked.plan.passes, "caps": list(asked.caps), "noise": list(asked.noises),
        "twins": asked.twins,
    }  # fmt: skip


def _informing(asked: Profile, run: Run) -> dict[str, Any]:
    """One head with caps of one on streamed samples, its gap, and every form of its bound."""
    m, caps = asked.informing.samples, caps_of(asked.width, 1.0)
    stream = Stream.of(asked.length, asked.width, [0.0], [(run.seed, _INFORMING)], run.device)
    steps = partial(run.told, "the head of the bound, steps")
    heads = train(stream, asked.informing, [1.0], [(run.seed, _STARTS, _INFORMING)], steps)
    seen = measure(heads, stream, 0, m, partial(run.told, "its risk, samples"))
    fresh = measure(heads, stream, m, asked.fresh)
    norms = require_within(one_of(heads, 0), caps, max(seen.longest, fresh.longest))
    bound, training, test = _gap(caps, m).total, float(seen.risk[0]), float(fresh.risk[0])
    return {
        "samples": m, "tokens": asked.length, "norms": norms, "longest": max(seen.longest, fresh.longest),
        "caps": asdict(caps), "loss": {"lipschitz": LIPSCHITZ, "range": RANGE},
        "training_risk": training, "test_risk": test, "test_error": float(fresh.error[0]), "fresh": asked.fresh,
        "gap": test - training, "bound": bound, "risk_at_most": training + bound,
        "coin_from": informs_from(lambda n: training + _gap(caps, n).total < COIN),
        "holdout": math.ceil(math.log(1 / DELTA) / (2 * bound**2)),
        "bounds": [_form(caps, m, kind, constants) for kind, constants in _FORMS],
    }  # fmt: skip


def one_of(heads: Head, place: int) -> Head:
    """One head of a stack, on the CPU."""
    return Head(*(getattr(heads, name)[place].cpu() for name in MAPS))


def _gap(caps: Caps, samples: int, kind: str = _FORMS[0][0], constants: str = _FORMS[0][1]) -> Gap:
    """The bound of a class, unless asked otherwise in the form that is told."""
    return generalization_gap(
        _capacity(caps, kind, constants), samples, lipschitz=LIPSCHITZ, bound=RANGE, delta=DELTA, tail=constants
    )  # fmt: skip


def _capacity(caps: Caps, kind: str, constants: str) -> float:
    return single_layer_capacity(caps, softmax=constants, norms=kind).total


def _form(caps: Caps, samples: int, kind: str, constants: str) -> dict[str, Any]:
    """The bound in one form, and from how many samples on it is below the loss's range."""
    gap = _gap(caps, samples, kind, constants)
    return {
        "norms": kind, "constants": constants, "capacity": _capacity(caps, kind, constants), "value": gap.total,
        "vacuous": gap.vacuous, "informs_from": informs_from(lambda n: not _gap(caps, n, kind, constants).vacuous),
    }  # fmt: skip


def _ordered(asked: Profile, length: int, run: Run) -> dict[str, Any]:
    """All heads of one length, trained as one stack."""
    cells = list(itertools.product(asked.caps, asked.noises, range(asked.twins)))
    caps, noises, _ = (list(column) for column in zip(*cells, strict=True))
    names = [(length, place) for place in range(len(cells))]
    stream = Stream.of(length, asked.width, noises, [(run.seed, _ORDERED, *name) for name in names], run.device)
    starts = [(run.seed, _STARTS, _ORDERED, *name) for name in names]
    heads = train(stream, asked.plan, caps, starts, partial(run.told, f"heads of T = {length}, steps"))
    m = asked.plan.samples
    parts = [measure(heads, stream, *part) for part in ((0, m), (m, m), (2 * m, asked.test))]
    longest = max(part.longest for part in parts)
    columns = [part.risk.tolist() for part in parts]
    rows = []
    for place, ((cap, noise, twin), *risks, error) in enumerate(
        zip(cells, *columns, parts[2].error.tolist(), strict=True)
    ):
        head, (training, held, test), allowed = one_of(heads, place), risks, caps_of(asked.width, cap)
        norms = require_within(head, allowed, longest)
        rows.append({
            "length": length, "cap": float(cap), "noise": noise, "twin": twin, "training_risk": training,
            "test_risk": test, "test_error": error, "gap": test - training, "holdout": held - training,
            "bound": _gap(allowed, m).total, **{f"norm_{name}": norms[name] for name in MAPS},
            **norms_of(head),
        })  # fmt: skip
    return {"rows": rows}


def _compare(rows: Sequence[dict[str, Any]]) -> None:
    """Add what the heads of the same length, cap and noise come to."""
    cells = grouped(rows, "length", "cap", "noise")
    for row in rows:
        own = [twin["gap"] for twin in cells[row["length"], row["cap"], row["noise"]]]
        row["twin_gap"] = (math.fsum(own) - row["gap"]) / (len(own) - 1) if len(own) > 1 else None


def _ordering(rows: Sequence[Mapping[str, Any]], name: str, seed: int) -> dict[str, Any]:
    """How a measure orders the gaps: of all heads, and of those with the same task."""
    if name == "twin":  # one head of each cell, else two heads would be ordered by each other's gaps
        rows = [row for row in rows if row["twin"] == 0]
    values = [row["twin_gap" if name == "twin" else name] for row in rows]
    groups = [(row["length"], row["noise"]) for row in rows]
    gaps, caps = ([row[of] for row in rows] for of in ("gap", "cap"))
    found = ordering(values, gaps, groups, caps, (seed, [*MEASURES, *COMPARED].index(name)))
    return {"measure": name, **found.to_json()}


def _replications(found: Mapping[str, Any]) -> Iterator[Replication]:
    """The bound against the gap and the loss's range, and each measure as an ordering."""
    head, place = found["informing"], "Trauger & Tewari 2024, Section 4"
    spread = 2 * head["test_error"]
    left, says = head["bound"] - head["gap"], RANGE - head["bound"]
    yield Replication.above(
        place, "the gap of a trained head is within the bound of its class", "the bound less the gap on fresh samples",
        (left, left - spread, left + spread), 0.0,
    )  # fmt: skip
    yield Replication.above(
        f"ours, after {place}", "not printed: the bound says something of a trained head",
        "the loss's range less the bound", (says, says, says), 0.0,
    )  # fmt: skip
    for each in found["orderings"]:
        if each["measure"] in MEASURES:
            name, who = MEASURES[each["measure"]]
            said = f"not printed: of heads with the same task, the larger the {name}, the larger the gap"
            yield Replication.above(
                f"ours, after {who}", said, "Kendall's τ at equal length and noise", tuple(each["within"]), 0.0
            )


def _notes(found: Mapping[str, Any]) -> list[str]:
    rows, head, asked = found["rows"], found["informing"], found["parameters"]
    return notes(
        "norm-bounds", d=asked["d"], longest=head["longest"], delta=DELTA, samples=head["samples"],
        holdout=head["holdout"], m=asked["m"], least=min(row["bound"] for row in rows), rows=len(rows),
        little=sum(row["test_risk"] >= _LITTLE for row in rows), much=_LITTLE, bootstrap=DRAWS,
        without=sum(row["alpha"] is None for row in rows),
    )  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """The head with its bounds, orderings, every head, and gaps against measures."""
    return Shown(
        *headed("norm-bounds"),
        conclusions=[_told(found["informing"]), *_ordered_as(found["orderings"]), _by_noise(found["by_noise"])],
        tables=[
            replication_table(found),
            _of_head(found["informing"]),
            _of_caps(found["informing"]),
            _forms(found["informing"]),
            _orderings(
                found["orderings"],
                "How measures order the gaps at equal length and noise",
                within="Kendall's τ",
                ahead="ahead of the cap's",
            ),
            _orderings(found["orderings"], "The same of all heads", kendall="Kendall's τ", spearman="Spearman's ρ"),
            _every(found["rows"]),
        ],
        panels=[_correlations(found["orderings"]), *_panels(found["rows"])],
    )


def _told(head: Mapping[str, Any]) -> str:
    """The bound with its gap in one sentence."""
    says = "below the loss's range of 1" if head["bound"] < RANGE else "vacuous beside the loss's range of 1"
    coin = "below" if head["risk_at_most"] < COIN else "not below"
    reached = "" if head["coin_from"] is None else f"; with that risk it would be from {head['coin_from']:,} samples on"
    return (
        f"A head trained on {head['samples']:,} samples within (1,1) norms of 1: its gap is at most "
        f"{head['bound']:.4g} with probability {1 - DELTA:.0%}, {says}, and measured {head['gap']:.2g} (twice its "
        f"standard error {2 * head['test_error']:.2g}). Its risk is at most {head['training_risk']:.4g} + "
        f"{head['bound']:.4g} = {head['risk_at_most']:.4g}, {coin} a coin's {COIN:g}{reached}. A hold-out beats that: "
        f"{head['holdout']} fresh samples bound the gap as well."
    )


def _ordered_as(orderings: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Which measures order gaps at the same task, which better than the cap of training, and how a hold-out does."""
    ends = {each["measure"]: each for each in orderings if each["measure"] in MEASURES}
    grow = _those(ends, "within", lambda low, high: low > 0)
    yield (
        f"At equal length and noise gaps are shown to grow with: {grow}; not shown for: "
        f"{_those(ends, 'within', lambda low, high: low <= 0)}."
    )
    yield (
        "Beside the cap itself, which is known before training: better ordered by "
        f"{_those(ends, 'ahead', lambda low, high: low > 0)}; worse by "
        f"{_those(ends, 'ahead', lambda low, high: high < 0)}; not told apart: "
        f"{_those(ends, 'ahead', lambda low, high: low <= 0 <= high)}."
    )
    held = next(each for each in orderings if each["measure"] == "holdout")
    yield f"As many fresh samples as a head was trained on order the gaps with τ {_interval(held['within'])}."


def _interval(ends: Sequence[float | None]) -> str:
    value, low, high = ends
    return "unknown" if value is None else f"{value:.2f} ({low:.2f} to {high:.2f})"


def _those(ends: Mapping[str, Mapping[str, Any]], what: str, are: Callable[[float, float], bool]) -> str:
    """The names of the measures whose interval is so."""
    known = {name: each[what] for name, each in ends.items() if each[what][1] is not None}
    return ", ".join(_name(name) for name, (_, low, high) in known.items() if are(low, high)) or "none"


def _by_noise(orderings: Sequence[Mapping[str, Any]]) -> str:
    """The ordering by the norm of the bound that is told, for each share of turned labels."""
    said = (f"{_interval(each['within'])} with {each['noise']:.0%}" for each in orderings)
    return f"By share of turned labels τ of the {_name(orderings[0]['measure'])} is {', '.join(said)}."


def _of_head(head: Mapping[str, Any]) -> Table:
    named = {
        "samples": "samples m", "tokens": "tokens T", "training_risk": "risk on the sample",
        "test_risk": "risk on fresh samples", "fresh": "fresh samples", "test_error": "standard error of that",
        "gap": "gap", "bound": "bound on the gap", "risk_at_most": "risk at most",
        "coin_from": "with that risk below a coin from m =", "holdout": "fresh samples as good by a hold-out",
        "longest": "longest token or query",
    }  # fmt: skip
    rows = [(name, head[key]) for key, name in named.items()]
    return Table("The head that its bound speaks of", ("", "value"), rows)


def _of_caps(head: Mapping[str, Any]) -> Table:
    columns = ("map", "cap on its (1,1) norm", "the norm is below it by", "cap on its operator norm")
    caps, maps = head["caps"], dict(zip(MAPS, ("W_QK", "W_V", "W_C", "w"), strict=True))
    rows = [
        (title, caps[name], caps[name] - head["norms"][name], caps[f"{name}_operator"]) for name, title in maps.items()
    ]
    return Table("Its caps, set before training, and how its norms at the end keep them", columns, rows)


def _forms(head: Mapping[str, Any]) -> Table:
    kinds = {"entries": "(1,1)", "rows": "(2,1), in two stages"}
    names = ("constants", "capacity", "value", "vacuous", "informs_from")
    rows = [(kinds[each["norms"]], *(each[name] for name in names)) for each in head["bounds"]]
    columns = ("norms", "constants", "capacity", "gap at most", "vacuous", "informs from m =")
    return Table("Forms of its bound; the first is the one that is told", columns, rows)


def _name(measure: str) -> str:
    return MEASURES[measure][0] if measure in MEASURES else COMPARED[measure]


def _orderings(orderings: Sequence[Mapping[str, Any]], title: str, **kinds: str) -> Table:
    """Some kinds of rank correlation, each with its interval."""
    columns = ("measure", "heads", *(column for name in kinds.values() for column in (name, "from", "to")))
    rows = [
        (_name(each["measure"]), each["points"], *(end for kind in kinds for end in each[kind])) for each in orderings
    ]
    return Table(title, columns, rows)


def _every(rows: Sequence[Mapping[str, Any]]) -> Table:
    names = (
        "length", "cap", "noise", "twin", "training_risk", "test_risk", "gap", "test_error", "bound", *MEASURES,
        *(f"norm_{name}" for name in MAPS),
    )  # fmt: skip
    return every("Every head", rows, names)


def _correlations(orderings: Sequence[Mapping[str, Any]]) -> Panel:
    """τ with its interval, a place for each measure in the order of the table."""
    series = []
    for place, each in enumerate(orderings, 1):
        value, low, high = each["within"]
        if value is not None:
            name = f"{place}: {_name(each['measure'])}"
            series.append(Series(name, [place], [value], [low], [high], drawn="points"))
    return Panel("Kendall's τ of measure and gap at equal length and noise", "measure", "τ, 95 % interval", series)


def _panels(rows: Sequence[Mapping[str, Any]]) -> Iterator[Panel]:
    """Mean gaps by cap for each noise, and the gap of every head against each measure."""
    noises = sorted({row["noise"] for row in rows})
    yield Panel("Gap by cap", "cap on the (1,1) norms", "gap, mean and 95 % interval", [
        _by_cap([row for row in rows if row["noise"] == noise], f"{noise:.0%} of labels turned") for noise in noises
    ], log="x")  # fmt: skip
    for name, (title, _) in MEASURES.items():
        series = []
        for noise in noises:
            own = [row for row in rows if row["noise"] == noise and row[name] is not None]
            series.append(Series(
                f"{noise:.0%} of labels turned", [row[name] for row in own], [row["gap"] for row in own], drawn="points"
            ))  # fmt: skip
        yield Panel(f"Gap against the {title}", title, "gap", series, log="" if name in ("weight", "alpha") else "x")


def _by_cap(rows: Sequence[Mapping[str, Any]], name: str) -> Series:
    caps = sorted({row["cap"] for row in rows})
    means = (mean_interval([row["gap"] for row in rows if row["cap"] == cap]) for cap in caps)
    return curve(name, caps, means, "points")
