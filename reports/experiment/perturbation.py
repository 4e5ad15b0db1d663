"""The construction's sharpness under noise: how far the trace of the loss's Hessian moves, and what the loss needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import torch

from boundaudit.checks.records.study import Panel, Series
from boundaudit.checks.sharpness.bound.shared_variance import allowances
from boundaudit.numeric.fourier import rate_interval
from boundaudit.numeric.sharpness import NoiseTraces, noise_traces, quantile, random_functions, tilings
from boundaudit.numeric.sharpness.bound import BOUNDS, published, truncated_optimum
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.replication import Replication, Verdict, replicated
from boundaudit.reports.experiment.shared.rows import Found, Row, curve, every, grouped, named
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import mean_interval
from boundaudit.reports.experiment.shared.words import notes

Class = tuple[int, int, int]
"""T, D and ω."""


@dataclass(frozen=True)
class Profile:
    """A grid."""

    classes: tuple[Class, ...]  # of random functions
    mesh: tuple[float, ...]  # values of σ, each read as a standard deviation and as a variance
    functions: int  # in each class
    draws: int  # of noise for each function
    inputs: int  # over how many the loss is a mean; all of them where they are fewer


_DEGREES, _SPARSITIES = (1, 2, 3, 4, 5), (1, 7, 14, 20)
_MESH = tuple(1e-5 + (1e-2 - 1e-5) * step / 19 for step in range(20))
PROFILES = {
    "smoke": Profile((*product((8,), (1, 2, 3), (1, 7)), (12, 2, 7), (16, 2, 7)), (_MESH[4], _MESH[19]), 10, 5, 64),
    "small": Profile(
        (*product((20,), _DEGREES, _SPARSITIES), *product((30, 40, 50), (2, 5), (7,))), (_MESH[4], _MESH[19]), 10, 10,
        64,
    ),
    "paper": Profile((*product((20, 30, 40, 50), _DEGREES, _SPARSITIES),), _MESH, 10, 30, 1000),
}  # fmt: skip
EXAMPLE: Class = (20, 2, 10)
SAMPLES, PROXY, DELTA = 10**6, 0.01, 0.05
"""Appendix E.3: T, D and ω, m and S; δ, of which nothing depends to the digits that are printed."""
NINE_TENTHS = Fraction(9, 10)
DEVIATION, VARIANCE = "standard deviation", "variance"
RANDOM, TILES = "random", "tiles"
_PRINTED = 0.327
"""The value of the bound with the measured perturbation term in Appendix E.3."""
_DIGITS = 5


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """The constructions of random functions under noise: a row for each class and size of noise."""
    cells = [(RANDOM, each) for each in asked.classes] + [(TILES, EXAMPLE)]
    parts = [run.kept.part("-".join(map(str, (kind, *of))), partial(_cell, asked, kind, of, run)) for kind, of in cells]
    rows = [row for part in parts for row in part["rows"]]
    lengths, degrees, sparsities = (sorted(set(column)) for column in zip(*asked.classes, strict=True))
    return {
        "parameters": {
            "T": lengths, "D": degrees, "ω": sparsities, "mesh": [_short(value) for value in asked.mesh],
            "functions": asked.functions, "draws": asked.draws, "inputs": asked.inputs,
        },
        "rows": rows, "replications": list(_replications(rows, asked)),
        "notes": notes(
            "perturbation", {"departs": asked != PROFILES["paper"]}, functions=asked.functions, draws=asked.draws,
        ),
    }  # fmt: skip


def printed_noise() -> float:
    """The σ at which Appendix E.3 evaluates its bounds: the best one without P."""
    return truncated_optimum(published(*EXAMPLE), samples=SAMPLES, proxy=PROXY)[0]


def _sizes(asked: Profile, kind: str) -> list[tuple[str, float, float]]:
    """Reading, value of the mesh and standard deviation of each size of noise."""
    if kind == TILES:
        at = printed_noise()
        return [(DEVIATION, _MESH[0], _MESH[0]), (DEVIATION, at, at), (VARIANCE, at, math.sqrt(at))]
    return [
        (reading, value, value if reading == DEVIATION else math.sqrt(value))
        for reading in (DEVIATION, VARIANCE)
        for value in asked.mesh
    ]


def _cell(asked: Profile, kind: str, of: Class, run: Run) -> dict[str, Any]:
    sizes = _sizes(asked, kind)
    batch = random_functions(asked.functions, *of, run.seed) if kind == RANDOM else tilings(asked.functions, *of)
    name = "T = {}, D = {}, ω = {}".format(*of)
    found = noise_traces(
        batch, [sigma for *_, sigma in sizes], asked.draws, inputs=asked.inputs, seed=run.seed,
        device=run.device, told=lambda done: run.told(name, done),
    )  # fmt: skip
    return {"rows": [_row(kind, of, size, found, place) for place, size in enumerate(sizes)]}


def _row(kind: str, of: Class, size: tuple[str, float, float], found: NoiseTraces, place: int) -> dict[str, Any]:
    """One size of noise: changes over all pairs of function and draw, and means over functions, then draws."""
    reading, value, sigma = size
    change = found.change[:, place]
    relative = change / found.plain
    largest = relative.amax(1).sort().values
    noisy, flow, rise = (part[:, place].mean(1) for part in (found.noisy, found.flow, found.rise))
    needed = float(rise.mean())
    numbers = {
        "mesh": value, "sigma": sigma, "loss": float(found.loss.mean()), "trace": float(found.plain.mean()),
        **named("change", quantile(change, NINE_TENTHS)), **named("relative", quantile(relative, NINE_TENTHS)),
        "drawn_low": float(largest[0]), "drawn_high": float(largest[-1]),
        "noisy": float(noisy.mean()), "flow": float(flow.mean()), "needed": needed,
        **named("excess", mean_interval((1 + (noisy - rise) / needed).tolist())),
        **allowances(*of, sigma),
    }  # fmt: skip
    where = dict(zip(("length", "degree", "sparsity"), of, strict=True)) | {"target": kind, "reading": reading}
    return where | {name: _short(number) for name, number in numbers.items()} | {"covered": _covered(change)}


def _short(number: float | None) -> float | None:
    """A number to the digits that are kept."""
    return None if number is None or not math.isfinite(number) else float(f"{number:.{_DIGITS}g}")


def _covered(change: torch.Tensor) -> int:
    """In how many draws the largest change among the functions reaches the 0.9 quantile of all other draws."""
    others = (change[torch.arange(len(change)) != left] for left in range(len(change)))
    levels = [quantile(rest, NINE_TENTHS)[0] for rest in others]
    return sum(level is not None and float(row.max()) >= level for row, level in zip(change, levels, strict=True))


def _replications(rows: Sequence[Row], asked: Profile) -> Iterator[Replication]:
    """The statements of Section 2.3 and what rests on it."""
    random = [row for row in rows if row["target"] == RANDOM]
    meant, public = ([row for row in random if row["reading"] == reading] for reading in (DEVIATION, VARIANCE))
    tiles = [row for row in rows if row["target"] == TILES]
    for name, allowance in (("printed", "P as printed"), ("restored", "P with σ where it is missing")):
        factor = _least([_over(row, row[name]) for row in meant])
        yield Replication.above(
            "Sections 1.1, 2.3",
            f"measured changes of the trace are small, say a tenth, beside the analytic allowance ({allowance})",
            "the least factor, over classes and σ, by which it exceeds the 0.9 quantile of the change", factor, 10.0,
        )  # fmt: skip
    yield Replication.above(
        "Sections 1.1, 2.3", "the growth of the analytic allowance with T is not seen in measured changes",
        "the least difference of its power of T, with σ restored, and that of the 0.9 quantile", _powers(meant), 0.0,
    )  # fmt: skip
    yield from _of_example(tiles)
    at = max(row["mesh"] for row in meant)
    counts = [row["covered"] for row in meant if row["mesh"] == at]
    share = (sum(counts) / (len(counts) * asked.draws), *rate_interval(sum(counts), len(counts) * asked.draws))
    yield Replication.above(
        "Section 2.3", "the largest change among the functions of a class, one draw each, is a worst case at the 90th "
        "percentile", f"the share of draws in which that of {asked.functions} functions reaches the 0.9 quantile of "
        f"other draws, at σ = {_short(at):g}", share, 0.95,
    )  # fmt: skip
    for reading, some in ((DEVIATION, meant), (VARIANCE, public)):
        found = mean_interval([row["excess"] for row in some if row["mesh"] == at])
        yield Replication(
            "Section 1.1", "the trace under noise of one σ is, to a tenth, what the expected loss gains times 2/σ²",
            f"the mean over classes of the ratio of the two, at the mesh's {_short(at):g} as a {reading}", *found,
            _within(found, 0.9, 1.1),
        )  # fmt: skip


def _of_example(tiles: Sequence[Row]) -> Iterator[Replication]:
    """Appendix E.3: ten pairs that tile twenty bits."""
    sharpness, at = published(*EXAMPLE).sharpness_total, printed_noise()
    least, meant, public = tiles
    squared = least["sigma"] ** 2
    loss = least["loss"] + squared / 2 * least["needed"]
    yield Replication.above(
        "Theorem 6", "the expected loss under noise is at most σ² (G_u + P), as the construction itself has no loss",
        "σ² (G_u + P) over that loss for ten pairs on twenty bits, at the mesh's least σ with the measured P",
        _ends(least, lambda change: squared * (sharpness + change) / loss), 1.0,
    )  # fmt: skip
    yield Replication.above(
        "Appendix E.3", "the perturbation term is small beside the unperturbed sharpness",
        "G_u over the 0.9 quantile of the change, at the printed σ", _over(meant, sharpness), 1.0,
    )  # fmt: skip
    needed = (_PRINTED - _value(0.0)) / at**2
    for row in (meant, public):
        found = _ends(row, _value)
        yield Replication(
            "Appendix E.3", f"the measured perturbation term makes the bound {_PRINTED}, which takes P = {needed:.0f}",
            f"the bound with the 0.9 quantile {row['change']:.4g} as P, at the printed σ as a {row['reading']}",
            *found, _meets(found, _PRINTED, 5e-4),
        )  # fmt: skip


def _value(change: float) -> float:
    """Theorem 2 at the printed σ with a P."""
    return BOUNDS["shared-variance"](
        published(*EXAMPLE), samples=SAMPLES, delta=DELTA, proxy=PROXY, perturbation=change, sigma=printed_noise()
    ).value


def _ends(row: Row, of: Callable[[float], float]) -> Found:
    """A monotone function of the 0.9 quantile of the change, with its interval."""
    names = ("change", "change_low", "change_high")
    value, one, other = (None if row[name] is None else of(row[name]) for name in names)
    return (value, None, None) if one is None or other is None else (value, min(one, other), max(one, other))


def _over(row: Row, number: float) -> Found:
    """A number over the 0.9 quantile of the change."""
    return _ends(row, lambda change: number / change)


def _least(found: Sequence[Found]) -> Found:
    """The least of some numbers with the least ends of their intervals, of which each holds by itself."""
    value, low, high = (
        None if None in column else min(number for number in column if number is not None)
        for column in zip(*found, strict=True)
    )
    return value, low, high


def _powers(rows: Sequence[Row]) -> Found:
    """The least difference between powers of T, over classes that occur at several, from the least T to the largest."""
    found: list[Found] = []
    for group in _along(rows, "length"):
        first, last = group[0], group[-1]
        span = math.log(last["length"] / first["length"])
        grown = last["restored"] / first["restored"]
        value, low, high = (
            None if last[up] is None or first[down] is None else math.log(grown * first[down] / last[up]) / span
            for up, down in (("change", "change"), ("change_high", "change_low"), ("change_low", "change_high"))
        )
        found.append((value, low, high))
    return _least(found) if found else (None, None, None)


def _along(rows: Sequence[Row], axis: str) -> list[list[Row]]:
    """The rows that differ in T or D alone, which grows."""
    others = [name for name in ("length", "degree", "sparsity", "sigma") if name != axis]
    return [group for group in grouped(rows, *others).values() if len(group) > 1]


def _within(found: Found, least: float, most: float) -> Verdict:
    _, low, high = found
    if low is None or high is None:
        return "undecided"
    if least <= low and high <= most:
        return "holds"
    return "does not hold" if high < least or low > most else "undecided"


def _meets(found: Found, printed: float, half: float) -> Verdict:
    """Whether an interval meets a printed number with its rounding; a number in it is not thereby confirmed."""
    return "does not hold" if _within(found, printed - half, printed + half) == "does not hold" else "undecided"


def shown(found: Mapping[str, Any]) -> Shown:
    """Replications, each size of noise over all classes, every class, and figures."""
    rows = found["rows"]
    tables = [_summary(rows), every("Every class and size of noise", rows, tuple(rows[0]))]
    return replicated("perturbation", found, tables, _panels(rows), then=_growth(rows))


def _random(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["target"] == RANDOM]


def _sigmas(rows: Sequence[Row]) -> dict[float, str]:
    """Every size of noise of the random functions, with what it is called."""
    found = {}
    for row in _random(rows):
        variance = f" (variance {row['mesh']:.3g})" if row["reading"] == VARIANCE else ""
        found[row["sigma"]] = f"σ = {row['sigma']:.3g}{variance}"
    return found


def _summary(rows: Sequence[Row]) -> Table:
    """Over all classes of random functions, for each size of noise."""
    made = []
    for sigma in _sigmas(rows):
        mine = sorted((row for row in _random(rows) if row["sigma"] == sigma), key=lambda row: row["relative"])
        most, first = mine[-1], mine[0]
        spread = max(row["drawn_high"] / row["drawn_low"] for row in mine)
        means = [sum(row[name] / row["needed"] for row in mine) / len(mine) for name in ("noisy", "flow")]
        where = f"T = {most['length']}, D = {most['degree']}, ω = {most['sparsity']}"
        changes = (mine[len(mine) // 2]["relative"], most["relative"])
        made.append((first["reading"], first["mesh"], sigma, *changes, where, spread, *means))
    columns = (
        "reading", "mesh", "σ", "change / trace, middle class", "largest class", "which",
        "single draws, most / least", "under noise / needed", "averaged / needed",
    )  # fmt: skip
    return Table("Change of the trace that one of ten pairs of function and draw exceeds", columns, made)


def _growth(rows: Sequence[Row]) -> Iterator[str]:
    """How the relative change goes with D and with T, for each size of noise."""
    for (axis, letter), (sigma, name) in product((("degree", "D"), ("length", "T")), _sigmas(rows).items()):
        mine = [row for row in _random(rows) if row["sigma"] == sigma]
        ends = (min(row[axis] for row in mine), max(row[axis] for row in mine))
        powers = [
            math.log(group[-1]["relative"] / group[0]["relative"]) / math.log(ends[1] / ends[0])
            for group in _along(mine, axis)
            if (group[0][axis], group[-1][axis]) == ends
        ]
        if powers:
            among = " to ".join(dict.fromkeys((f"{min(powers):.2f}", f"{max(powers):.2f}")))
            yield (
                f"{name}: from {letter} = {ends[0]} to {ends[1]} the 0.9 quantile of the relative change goes like "
                f"{letter} to the power {among}, by class."
            )


def _panels(rows: Sequence[Row]) -> list[Panel]:
    random = _random(rows)
    shortest = min(row["length"] for row in random)
    sparsity = sorted({row["sparsity"] for row in random if row["length"] > shortest} or {random[0]["sparsity"]})[0]
    degree = max(row["degree"] for row in random if row["length"] == max(each["length"] for each in random))
    by_degree = [row for row in random if (row["length"], row["sparsity"]) == (shortest, sparsity)]
    by_length = [row for row in random if (row["degree"], row["sparsity"]) == (degree, sparsity)]
    label = "|change| / trace, 0.9 quantile"
    return [
        Panel(f"Against the degree, T = {shortest}, ω = {sparsity}", "D", label, _lines(by_degree, "degree"), log="y"),
        Panel(f"Against the length, D = {degree}, ω = {sparsity}", "T", label, _lines(by_length, "length"), log="y"),
        Panel(
            f"Measured and allowed, T = {shortest}, ω = {sparsity}", "D", "change of the trace",
            [*_lines(by_degree, "degree", "change"), *_allowed(by_degree)], log="y",
        ),
        _flows(by_degree),
    ]  # fmt: skip


def _lines(rows: Sequence[Row], x: str, y: str = "relative") -> list[Series]:
    made = []
    for sigma, name in _sigmas(rows).items():
        mine = [row for row in rows if row["sigma"] == sigma]
        ends = [[row[key] for key in (y, f"{y}_low", f"{y}_high")] for row in mine]
        made.append(curve(name, [row[x] for row in mine], ends, "points"))
    return made


def _allowed(rows: Sequence[Row]) -> list[Series]:
    """P at the largest σ that is read as a standard deviation."""
    meant = [row for row in rows if row["reading"] == DEVIATION]
    mine = [row for row in meant if row["sigma"] == max(each["sigma"] for each in meant)]
    return [
        Series(f"{name}, σ = {mine[0]['sigma']:.3g}", [row["degree"] for row in mine], [row[key] for row in mine])
        for key, name in (("printed", "P as printed"), ("restored", "P with σ restored"))
    ]


def _flows(rows: Sequence[Row]) -> Panel:
    """For the largest degree: trace under noise, its average along the flow, and what the loss needs."""
    degree = max(row["degree"] for row in rows)
    mine = sorted((row for row in rows if row["degree"] == degree), key=lambda row: row["sigma"])
    sigmas = [row["sigma"] for row in mine]
    names = {
        "noisy": "trace under noise of σ", "flow": "averaged over noise up to σ", "needed": "needed: kinks included"
    }  # fmt: skip
    series = [Series(name, sigmas, [row[key] / row["trace"] for row in mine]) for key, name in names.items()]
    length, sparsity = mine[0]["length"], mine[0]["sparsity"]
    return Panel(f"T = {length}, D = {degree}, ω = {sparsity}", "σ", "part of the trace without noise", series, log="x")
