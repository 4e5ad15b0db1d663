"""Appendix H of Lintilhac & Shaikh 2026 run again: the degree and the sparsity that testers accept first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.fourier import Directions, character_power, rate_interval, trials_needed
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.acceptance import DELTA, DIRECTIONS, SUBSPACES, Profile, Tested, first_accepted, see
from boundaudit.reports.experiment.shared.replication import Replication, replicated
from boundaudit.reports.experiment.shared.rows import Found, curve, grouped
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import mean_interval
from boundaudit.reports.experiment.shared.words import notes

_ENERGIES = (0.0, 1e-5, 1e-4, 1e-3, 1e-2)
PROFILES = {
    "smoke": Profile(10, (1, 2, 3), (1, 4, 10), 8, (0.1, 0.01, 0.001), 7, (4, 6, 8), 10, _ENERGIES),
    "paper": Profile(20, (1, 2, 3, 4, 5), (1, 7, 14, 20), 8, (0.1, 0.01, 0.001, 0.0001), 9, (8, 12, 16), 10, _ENERGIES),
}
_READINGS: tuple[Directions, ...] = ("xor", "positions")
_EXACT = "all values"
_RISES, _USUALLY, _CLOSE = 0.5, 0.5, 0.9
"""What counts as rising, as most, and as close to a true sparsity."""


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """Rows for each test and each true degree or sparsity, as means over functions, what is lost, and queries."""
    cells: list[dict[str, Any]] = []
    for degree in asked.degrees:
        for sparsity in asked.sparsities:
            run.told(f"D = {degree}, ω = {sparsity}, functions done", len(cells) * asked.functions)
            make = partial(see, asked, degree, sparsity, run.seed, run.device)
            cells.append(run.kept.part(f"degree-{degree}-sparsity-{sparsity}", make))
    tested = [each for cell in cells for each in first_accepted(asked, cell)]
    return {
        "parameters": {
            "T": asked.length, "D": asked.degrees, "ω": asked.sparsities, "functions_of_a_class": asked.functions,
            "delta": DELTA, "subspaces": asked.subspaces, "highest_degree": asked.highest,
        },
        "rows": _short([*_degree_rows(asked, tested), *_width_rows(asked, tested)]),
        "wilting": _short(_wilting(asked, tested)),
        "folding": _short(_folding(asked, tested)),
        "queries": list(_queries(asked, tested)),
        "power": _short(_power(asked)),
        "replications": [*_degrees_said(asked, tested), *_widths_said(asked, tested)],
        "notes": _notes(asked, cells),
    }  # fmt: skip


def _short(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """With six digits, which are more than a few functions determine."""
    return [{k: float(f"{v:.6g}") if isinstance(v, float) else v for k, v in row.items()} for row in rows]


def _row(what: Mapping[str, Any], values: Sequence[int], truth: int, queries: int) -> dict[str, Any]:
    """A point of the figure."""
    mean, low, high = mean_interval(values)
    matched = sum(value == truth for value in values) / len(values)
    found = {"mean": mean, "sd": float(np.std(values, ddof=1)), "low": low, "high": high, "matched": matched}
    return {**what, "truth": truth, **found, "queries": queries}


def _degree_rows(asked: Profile, tested: Sequence[Tested]) -> Iterator[dict[str, Any]]:
    for name, told in DIRECTIONS.items():
        for proximity in asked.proximities:
            for truth in asked.degrees:
                seen = [each.degrees[name, proximity] for each in tested if each.degree == truth]
                what = {"property": "degree", "tester": told, "bits": None, "epsilon": proximity}
                yield _row(what, [degree for degree, _ in seen], truth, round(np.mean([asks for _, asks in seen])))


def _width_rows(asked: Profile, tested: Sequence[Tested]) -> Iterator[dict[str, Any]]:
    testers = [(name, bits) for name in SUBSPACES for bits in asked.bits]
    for energy in asked.energies:
        for truth in asked.sparsities:
            mine = [each for each in tested if each.sparsity == truth]
            for name, bits in testers:
                what = {"property": "sparsity", "tester": SUBSPACES[name], "bits": bits, "epsilon": energy}
                seen = [each.widths[name, bits, energy] for each in mine]
                yield _row(what, seen, truth, asked.subspaces << bits)
            what = {"property": "sparsity", "tester": _EXACT, "bits": asked.length, "epsilon": energy}
            yield _row(what, [each.exact[energy] for each in mine], truth, 1 << asked.length)


def _wilting(asked: Profile, tested: Sequence[Tested]) -> Iterator[dict[str, Any]]:
    """Of the indicators that the published sparsity test does not show, those that ε allows to leave out."""
    for bits in asked.bits:
        for energy in asked.energies[1:]:
            lost = [each.sparsity - each.widths["restriction", bits, energy] for each in tested]
            allowed = [each.sparsity - each.exact[energy] for each in tested]
            share, low, high = _ratio(allowed, lost)
            yield {
                "bits": bits, "epsilon": energy, "lost": float(np.mean(lost)), "allowed": float(np.mean(allowed)),
                "share": share, "low": low, "high": high,
            }  # fmt: skip


def _ratio(above: Sequence[float], below: Sequence[float]) -> Found:
    """A ratio of two means with its interval, to first order."""
    top, bottom = float(np.mean(above)), float(np.mean(below))
    if bottom == 0:
        return None, None, None
    return mean_interval([top / bottom + (a - top / bottom * b) / bottom for a, b in zip(above, below, strict=True)])


def _folding(asked: Profile, tested: Sequence[Tested]) -> Iterator[dict[str, Any]]:
    """Indicators of the widest functions that no restriction shows, where nothing may be left out."""
    widest = max(asked.sparsities)
    for bits in asked.bits:
        for degree in asked.degrees:
            mine = [each for each in tested if (each.degree, each.sparsity) == (degree, widest)]
            mean, low, high = mean_interval([widest - each.widths["restriction", bits, 0.0] for each in mine])
            yield {"bits": bits, "D": degree, "lost": mean, "low": low, "high": high}


def _queries(asked: Profile, tested: Sequence[Tested]) -> Iterator[dict[str, Any]]:
    """Of whole sweeps, beside one level at the largest degree and the published order there."""
    top = max(asked.degrees)
    for proximity in asked.proximities:
        trials = trials_needed(proximity, DELTA)
        yield {
            "epsilon": proximity, "trials": trials,
            **{name: round(np.mean([each.degrees[name, proximity][1] for each in tested])) for name in DIRECTIONS},
            "level": trials << (top + 1),
            "published": round(math.log(1 / DELTA) * (1 / proximity + top * 4**top)),
            "all": 1 << asked.length,
        }  # fmt: skip


def _power(asked: Profile) -> Iterator[dict[str, Any]]:
    """Queries that reject a single component one level below its degree, by the exact rates."""
    for degree in asked.degrees:
        rates = {name: float(character_power(degree, degree - 1, asked.length, name)) for name in DIRECTIONS}
        yield {
            "D": degree,
            **{f"{name}_rate": rate for name, rate in rates.items()},
            **{f"{name}_queries": trials_needed(rate, DELTA) << degree for name, rate in rates.items()},
        }


def _share(holds: Sequence[bool]) -> Found:
    return sum(holds) / len(holds), *rate_interval(sum(holds), len(holds))


def _rise(asked: Profile, values: Sequence[int], *, by: str) -> Found:
    """The least-squares slope in the true level: the mean over functions, each the n-th of its classes."""
    table = np.reshape(values, (len(asked.degrees), len(asked.sparsities), asked.functions))
    levels = np.array(asked.degrees if by == "degree" else asked.sparsities, float)
    levels -= levels.mean()
    slopes = np.tensordot(levels, table, (0, 0 if by == "degree" else 1)) / (levels @ levels)
    return mean_interval(slopes.ravel().tolist())


def _degrees_said(asked: Profile, tested: Sequence[Tested]) -> Iterator[Replication]:
    """Of each reading, at the ε that serves it best, the larger one of two."""
    said = partial(Replication.above, "Appendix H, Figure 8 left")
    least, most = asked.proximities[-1], asked.proximities[0]
    for name in _READINGS:
        seen = {e: [each.degrees[name, e][0] - each.degree for each in tested] for e in asked.proximities}
        best = max(asked.proximities, key=lambda e: seen[e].count(0))
        how = f"({DIRECTIONS[name]}, ε = {best:g})"
        rise = _rise(asked, [each.degrees[name, best][0] for each in tested], by="degree")
        yield said(
            "the first accepted degree rises with the true one", f"its slope, to exceed {_RISES:g} {how}", rise, _RISES
        )
        yield said(
            "usually a degree at or below the true one is accepted",
            f"the share of functions, to exceed {_USUALLY:g} {how}",
            _share([beyond <= 0 for beyond in seen[best]]), _USUALLY,
        )  # fmt: skip
        yield said(
            "where ε is small the true degree is recovered for most functions",
            f"the share of functions, to exceed {_USUALLY:g} {how}",
            _share([beyond == 0 for beyond in seen[best]]), _USUALLY,
        )  # fmt: skip
        yield said(
            "the larger ε, the lower the accepted degree",
            f"the fall of its mean from ε = {least:g} to {most:g} ({DIRECTIONS[name]})",
            mean_interval([fine - coarse for fine, coarse in zip(seen[least], seen[most], strict=True)]), 0.0,
        )  # fmt: skip


def _widths_said(asked: Profile, tested: Sequence[Tested]) -> Iterator[Replication]:
    """Of restrictions to the most positions, at the least positive ε; what a loss is due to, of all."""
    said = partial(Replication.above, "Appendix H, Figure 8 right")
    bits, least, most = max(asked.bits), asked.energies[1], asked.energies[-1]
    seen = {e: [each.widths["restriction", bits, e] for each in tested] for e in asked.energies}
    true = [each.sparsity for each in tested]
    how = f"({bits} {SUBSPACES['restriction']}, ε = {least:g})"
    rise = _rise(asked, seen[least], by="sparsity")
    yield said(
        "the first accepted sparsity rises with the true one", f"its slope, to exceed {_RISES:g} {how}", rise, _RISES
    )
    yield said(
        "usually a sparsity at or below the true one is accepted",
        f"the share of functions, to exceed {_USUALLY:g} {how}",
        _share([value <= truth for value, truth in zip(seen[least], true, strict=True)]), _USUALLY,
    )  # fmt: skip
    yield said(
        "where ε is small the accepted sparsity is close to the true one",
        f"the part of the true one, to exceed {_CLOSE:g} {how}",
        mean_interval([value / truth for value, truth in zip(seen[least], true, strict=True)]), _CLOSE,
    )  # fmt: skip
    yield said(
        "the larger ε, the lower the accepted sparsity",
        f"the fall of its mean from ε = {least:g} to {most:g} ({bits} {SUBSPACES['restriction']})",
        mean_interval([fine - coarse for fine, coarse in zip(seen[least], seen[most], strict=True)]), 0.0,
    )  # fmt: skip
    widest = max(true)
    yield said(
        f"the accepted sparsity is an upper bound with probability {1 - DELTA:g}",
        f"the share of functions with ω = {widest}, to exceed {1 - DELTA:g} ({bits} {SUBSPACES['restriction']}, ε = 0)",
        _share([value >= truth for value, truth in zip(seen[0.0], true, strict=True) if truth == widest]), 1 - DELTA,
    )  # fmt: skip
    for row in _wilting(asked, tested):
        if row["epsilon"] in {least, most}:
            how = f"({row['bits']} {SUBSPACES['restriction']}, ε = {row['epsilon']:g})"
            yield said(
                "sparsities come out too low because ε is not small enough",
                f"the part of what is lost that ε allows, to exceed {_USUALLY:g} {how}",
                (row["share"], row["low"], row["high"]), _USUALLY,
            )  # fmt: skip


def _notes(asked: Profile, cells: Sequence[Mapping[str, Any]]) -> list[str]:
    wrong = sum(each != cell["degree"] for cell in cells for each in cell["exact_degrees"])
    wrong += sum(each != cell["sparsity"] + 1 for cell in cells for each in cell["exact_levels"][0])
    proximity = asked.proximities[-1]
    return notes(
        "property-testing", sure=1 - DELTA, trials=trials_needed(proximity, DELTA), proximity=proximity,
        highest=asked.highest, beyond=asked.highest + 1, energy=min(cell["energy"] for cell in cells),
        subspaces=asked.subspaces, wrong=wrong, of=2 * sum(len(cell["seen"]) for cell in cells),
    )  # fmt: skip


_TABLES = {
    "wilting": (
        "Indicators that restrictions to random positions lose, means over functions",
        ("positions", "ε", "lost", "allowed by ε", "part of that", "95 % from", "to"),
    ),
    "folding": (
        "Indicators that they lose at ε = 0, of functions with the largest ω",
        ("positions", "D", "lost", "95 % from", "to"),
    ),
    "queries": (
        "Queries of a sweep, means over functions; of one whole level at the largest D; published order of that level",
        ("ε", "trials", *DIRECTIONS.values(), "level", "ln(1/δ) (1/ε + D 4^D)", "all values"),
    ),
    "power": (
        f"How often a trial for D - 1 rejects one component, exactly, and queries that do so but for δ = {DELTA:g}",
        ("D", *DIRECTIONS.values(), *(f"queries, {told}" for told in DIRECTIONS.values())),
    ),
}


def shown(found: Mapping[str, Any]) -> Shown:
    """Printed and measured, the figure again, what is lost to what, and queries."""
    lost = [
        Table(title, names, [tuple(row.values()) for row in found[key]], folded=key != "wilting")
        for key, (title, names) in _TABLES.items()
    ]
    tables = [_points(found, "degree"), _points(found, "sparsity"), *lost]
    return replicated("property-testing", found, tables, _panels(found), then=[_better(found), _cost(found)])


def _better(found: Mapping[str, Any]) -> str:
    blocks, degree = _matched(found, DIRECTIONS["disjoint"])
    directions, width = _matched(found, SUBSPACES["cosets"])
    return (
        f"Tests with known power: disjoint blocks accept the true degree of {degree:.1%} of the functions at ε = "
        f"{blocks['epsilon']:g}, {directions['bits']} random directions the true sparsity of {width:.1%} at ε = 0."
    )


def _matched(found: Mapping[str, Any], tester: str) -> tuple[Mapping[str, Any], float]:
    """A test's first setting, with the fewest queries, and the part of the functions whose level it accepts first."""
    mine = [row for row in found["rows"] if row["tester"] == tester]
    first = mine[0]
    part = [row["matched"] for row in mine if (row["bits"], row["epsilon"]) == (first["bits"], first["epsilon"])]
    return first, float(np.mean(part))


def _cost(found: Mapping[str, Any]) -> str:
    last, worst = found["queries"][-1], found["power"][-1]
    return (
        f"Queries: a sweep at ε = {last['epsilon']:g} takes {last['disjoint']:,} by disjoint blocks and "
        f"{last['positions']:,} by single positions on average, where all values are {last['all']:,}; to reject one "
        f"component of D = {worst['D']} a level below takes {worst['disjoint_queries']:,} and "
        f"{worst['positions_queries']:,}."
    )


def _points(found: Mapping[str, Any], what: str) -> Table:
    """The figure's points in digits, a line for each test."""
    rows = [row for row in found["rows"] if row["property"] == what]
    levels = sorted({row["truth"] for row in rows})
    rows.sort(key=lambda row: (row["tester"], row["bits"] or 0, row["epsilon"], row["truth"]))
    lines = grouped(rows, "tester", "bits", "epsilon")
    symbol = "D" if what == "degree" else "ω"
    columns = ("test", "dimensions", "ε", *(f"{symbol} = {level}" for level in levels))
    return Table(
        f"First accepted {what}, mean ± standard deviation over functions and the other factor", columns,
        [(*line, *(f"{row['mean']:.2f} ± {row['sd']:.2f}" for row in cells)) for line, cells in lines.items()],
    )  # fmt: skip


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    """Figure 8 for each test, with one standard deviation to either side."""
    rows = [row for row in found["rows"] if row["tester"] != _EXACT]
    panels = []
    for what, axis in (("degree", "degree D"), ("sparsity", "indicators ω")):
        mine = [row for row in rows if row["property"] == what]
        levels = sorted({row["truth"] for row in mine})
        for (tester, bits), points in grouped(mine, "tester", "bits").items():
            name = tester if bits is None else f"{bits} {tester}"
            panels.append(
                Panel(
                    f"{what.capitalize()}: {name}", axis, "first accepted, mean and standard deviation",
                    [Series("true", levels, levels), *_series(points)],
                )
            )  # fmt: skip
    return panels


def _series(rows: Sequence[Mapping[str, Any]]) -> Iterator[Series]:
    for (epsilon,), points in grouped(rows, "epsilon").items():
        ends = ((row["mean"], row["mean"] - row["sd"], row["mean"] + row["sd"]) for row in points)
        yield curve(f"ε = {epsilon:g}", [row["truth"] for row in points], ends, "points")
