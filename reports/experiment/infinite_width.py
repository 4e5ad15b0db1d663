"""An attention layer at initialisation (Sakai, Karakida & Imaizumi 2025): how fast does an output reach its limit?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.infinite_width import (
    LayerLaw,
    Nodes,
    NormalMixture,
    dkw_floor,
    draw_nodes,
    exact_outputs,
    excess_gap,
    kde_divergence,
    ks_distance,
    ks_of_draws,
    layer_law,
    limit_outputs,
    normal_law,
    output_at_width,
    output_limit,
    relative_entropy,
    simulated_outputs,
    variance_gap,
)
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.rows import curve
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import LEVEL, mean_interval, trend
from boundaudit.reports.experiment.shared.words import headed, notes


@dataclass(frozen=True)
class Profile:
    """What is computed."""

    tokens: int  # s, orthogonal
    heads: tuple[int, ...]  # values of H
    widths: tuple[int, ...]  # values of n
    points: int  # nodes of the integration in each of eight replicates
    samples: int  # of `draws` draws each, at every width and in the limit
    draws: int  # of a sample, as in the figure
    simulated: tuple[int, ...]  # widths at which all weight matrices are drawn, one sample of `simulated_draws`
    simulated_draws: int  # its size
    many_heads: tuple[int, ...]  # values of H at which the limit is compared with a normal law


PROFILES = {
    "smoke": Profile(4, (1, 2), (16, 32, 64, 128, 256, 512, 1024), 2**11, 3, 50_000, (16, 32), 5_000, (1, 2, 4, 8)),
    "paper": Profile(
        4, (1, 2, 4), (16, 32, 64, 128, 256, 512, 1024), 2**14, 10, 50_000, (16, 64, 256, 1024), 50_000,
        (1, 2, 4, 8, 16, 64, 256),
    ),
}  # fmt: skip
_REPLICATES = 8
_RATES = {"ks": ("Kolmogorov-Smirnov distance", -1), "kl": ("divergence KL", -2), "excess_gap": ("excess kurtosis", -1)}
_ERRORS = {"ks": "ks_error", "kl": "kl_floor", "excess_gap": "excess_gap_error"}
FITTED_FROM = 64
"""The least width of a fit: below it higher powers of 1/n bend the curves."""
_INPUTS = {"features": "random features", "fixed": "fixed inputs"}


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """A row for each kind of inputs, H and n; floors of samples, rates, the limit against a normal law, densities."""
    rows = [row for heads in asked.heads for row in _of_heads(asked, heads, run)]
    return {
        "parameters": {name: list(of) if isinstance(of, tuple) else of for name, of in asdict(asked).items()},
        "runs": rows, "trends": _trends(asked, rows),
        "floors": {"ks": dkw_floor(asked.draws), "ks_simulated": dkw_floor(asked.simulated_draws),
                   "kde": _kde_floor(asked, run)},
        "normal": [_against_normal(asked, heads, run.seed) for heads in asked.many_heads],
        "densities": _densities(asked, run.seed),
        "notes": notes(
            "infinite-width", fitted_from=FITTED_FROM, draws=asked.draws, floor=dkw_floor(asked.draws)
        ),
    }  # fmt: skip


def _law(asked: Profile, heads: int) -> LayerLaw:
    return layer_law(torch.eye(asked.tokens, dtype=torch.float64), heads)


def _of_heads(asked: Profile, heads: int, run: Run) -> list[dict[str, Any]]:
    """All widths of one number of heads, by the same nodes."""
    law = _law(asked, heads)
    nodes = draw_nodes(law, asked.points, _REPLICATES, run.seed)
    limit = output_limit(law, nodes)
    rows = []
    for width in asked.widths:
        run.told(heads, width)
        for inputs in _INPUTS:
            row = {"inputs": inputs, "heads": heads, "width": width} | _integrated(law, nodes, limit, width, inputs)
            rows.append(row | (_sampled(asked, law, limit, width, run) if inputs == "features" else {}))
    return rows


def _integrated(law: LayerLaw, nodes: Nodes, limit: NormalMixture, width: int, inputs: Any) -> dict[str, float]:
    """By integration over the exact law: free of sampling."""
    found = output_at_width(law, nodes, width, inputs=inputs)
    ks, kl, gap = (of(found, limit) for of in (ks_distance, relative_entropy, excess_gap))
    return {
        "ks": ks.value, "ks_error": ks.error, "kl": kl.value, "kl_floor": kl.error,
        "excess": float(found.excess_kurtosis.mean()), "excess_gap": gap.value, "excess_gap_error": gap.error,
        "variance": float(found.mean_variance.mean()),
        "variance_gap": variance_gap(found, limit).value,
    }  # fmt: skip


def _sampled(asked: Profile, law: LayerLaw, limit: NormalMixture, width: int, run: Run) -> dict[str, Any]:
    """By draws of the exact law, as the figure has them, and of all weight matrices where that is asked for."""

    def of_sample(k: int) -> int:
        return _seed(run.seed, law.heads, width, k)

    drawn = [
        exact_outputs(law, width, asked.draws, of_sample(k), inputs="features", device=run.device)
        .outputs[:, 0, 0]
        .cpu()
        for k in range(asked.samples)
    ]
    row: dict[str, Any] = {
        "sampled_ks": [ks_of_draws(y, limit) for y in drawn],
        "sampled_excess": [_excess_of(y) for y in drawn],
        "kde": [
            kde_divergence(y, z) for y, z in zip(drawn, _limits(asked, law, run.device, run.seed, width), strict=True)
        ],
    }
    if width in asked.simulated:
        plain = simulated_outputs(
            law, width, asked.simulated_draws, of_sample(asked.samples), inputs="features", device=run.device
        )
        row["simulated_ks"] = ks_of_draws(plain.outputs[:, 0, 0].cpu(), limit)
        row["simulated_excess"] = _excess_of(plain.outputs[:, 0, 0].cpu())
    return row


def _limits(asked: Profile, law: LayerLaw, device: str, *parts: int) -> list[Tensor]:
    return [
        limit_outputs(law, asked.draws, _seed(*parts, law.heads, 0, k), device=device).outputs[:, 0, 0].cpu()
        for k in range(asked.samples)
    ]


def _seed(*parts: int) -> int:
    """A seed of 32 bits, the most that a generator reads."""
    return int(np.random.SeedSequence(parts).generate_state(1)[0])


def _excess_of(y: Tensor) -> float:
    return float(y.pow(4).mean() / y.square().mean() ** 2) - 3


def _kde_floor(asked: Profile, run: Run) -> list[float]:
    """The divergence between samples of one law: what no width gets below."""
    law = _law(asked, asked.heads[0])
    pairs = zip(*(_limits(asked, law, run.device, run.seed, k) for k in (0, 1)), strict=True)
    return [kde_divergence(y, z) for y, z in pairs]


def _against_normal(asked: Profile, heads: int, seed: int) -> dict[str, float]:
    """The limit of several heads against the normal law of its variance."""
    law = _law(asked, heads)
    found = output_limit(law, draw_nodes(law, min(asked.points, 2**12), _REPLICATES, seed, widths=False))
    normal = normal_law(float(found.mean_variance.mean()))
    ks, kl = ks_distance(found, normal), relative_entropy(found, normal)
    return {"heads": heads, "ks": ks.value, "ks_error": ks.error, "kl": kl.value, "kl_floor": kl.error}


def _densities(asked: Profile, seed: int) -> dict[str, Any]:
    """The density at some widths, in the limit, and of the normal law, for the first number of heads."""
    law = _law(asked, asked.heads[0])
    nodes = draw_nodes(law, asked.points, _REPLICATES, seed)
    limit = output_limit(law, nodes)
    at = torch.linspace(-4, 4, 81, dtype=torch.float64) * limit.scale
    laws = {f"n = {n}": output_at_width(law, nodes, n, inputs="features") for n in asked.widths[::2]}
    laws |= {"limit": limit, "normal": normal_law(limit.scale**2)}
    return {"y": at.tolist(), "curves": {name: found.density(at).mean(0).tolist() for name, found in laws.items()}}


def _trends(asked: Profile, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A power of n fitted to each distance, for each kind of inputs and number of heads."""
    found = []
    for heads in asked.heads:
        for inputs, words in _INPUTS.items():
            mine = [row for row in rows if (row["heads"], row["inputs"]) == (heads, inputs)]
            for quantity, (name, power) in _RATES.items():
                found.append(_trend(mine, quantity, f"{name}, {words}, H = {heads}", power) | {
                    "inputs": inputs, "heads": heads, "quantity": quantity,
                })  # fmt: skip
    return found


def _trend(rows: Sequence[Mapping[str, Any]], quantity: str, name: str, power: int) -> dict[str, Any]:
    """The interval of the fit, widened by twice the integration's relative error at the largest width over the span."""
    kept = [row for row in rows if row["width"] >= FITTED_FROM] or rows
    fit = trend([row["width"] for row in kept], [math.log(abs(row[quantity])) for row in kept])
    scaled = [row[quantity] * row["width"] ** -power for row in rows]
    said = {"power": fit.slope, "low": None, "high": None, "expected": power,
            "least": min(scaled), "largest": max(scaled)}  # fmt: skip
    if fit.slope is None or fit.low is None or fit.high is None:
        return said | {"sentence": f"{name}: nothing can be concluded, fewer than three widths."}
    last, times = rows[-1], "n" if power == -1 else "n²"
    more = 2 * last[_ERRORS[quantity]] / abs(last[quantity]) / fit.span
    low, high = fit.low - more, fit.high + more
    return said | {
        "low": low, "high": high,
        "sentence": f"{name}: falls like n^{fit.slope:.3f} ({LEVEL:.0%} {low:.3f} to {high:.3f}) from n = "
        f"{kept[0]['width']} to {last['width']}; times {times} it is between {min(scaled):.4g} and {max(scaled):.4g} "
        f"from n = {rows[0]['width']} on.",
    }  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """Rates, figures and all rows."""
    title = "The limit against the normal law of its variance"
    heads = [(row["heads"], row["ks"], row["ks_error"], row["kl"], row["kl_floor"]) for row in found["normal"]]
    return Shown(
        *headed("infinite-width"),
        conclusions=[*(fit["sentence"] for fit in found["trends"]), *_on_samples(found), _on_heads(found)],
        tables=[_by_integration(found), _by_samples(found), Table(title, ("H", "KS", "±", "KL", "floor of KL"), heads)],
        panels=panels(found),
    )


def _on_samples(found: Mapping[str, Any]) -> list[str]:
    """From which width on samples cannot tell the law from its limit."""
    kde_floor, floor = max(found["floors"]["kde"]), found["floors"]["ks"]
    said = []
    for heads in found["parameters"]["heads"]:
        rows = [row for row in found["runs"] if row["heads"] == heads and "kde" in row]
        for words, lost in (
            ("their KS distance", [row["width"] for row in rows if row["ks"] < floor]),
            ("kernel density estimates", [row["width"] for row in rows if row["kl"] < kde_floor]),
        ):
            if lost:
                said.append(
                    f"H = {heads}: by {words}, samples of {found['parameters']['draws']:,} draws cannot be relied on "
                    f"to tell the law from its limit from n = {lost[0]} on."
                )
    return said


def _on_heads(found: Mapping[str, Any]) -> str:
    first, last = found["normal"][0], found["normal"][-1]
    return (
        f"In the limit the KS distance to the normal law of the same variance is {first['ks']:.3g} for "
        f"{first['heads']} head and {last['ks']:.2g} for {last['heads']}: times H, {first['ks'] * first['heads']:.3g} "
        f"and {last['ks'] * last['heads']:.3g}. About {math.ceil((dkw_floor(1) / first['ks']) ** 2):,} draws see the "
        "first."
    )


def _by_integration(found: Mapping[str, Any]) -> Table:
    columns = ("inputs", "H", "n", "KS", "± KS", "KL", "floor of KL", "excess kurtosis", "above its limit", "±",
               "variance")  # fmt: skip
    keys = ("ks", "ks_error", "kl", "kl_floor", "excess", "excess_gap", "excess_gap_error", "variance")
    rows = [(_INPUTS[row["inputs"]], row["heads"], row["width"], *(row[key] for key in keys)) for row in found["runs"]]
    return Table("By integration over the exact law", columns, rows)


def _by_samples(found: Mapping[str, Any]) -> Table:
    columns = ("H", "n", "KS of samples", "excess kurtosis", "KL of density estimates", "KS, all weights drawn",
               "its excess kurtosis")  # fmt: skip
    rows = [
        (
            row["heads"], row["width"],
            *(mean_interval(row[key])[0] for key in ("sampled_ks", "sampled_excess", "kde")),
            row.get("simulated_ks"), row.get("simulated_excess"),
        )
        for row in found["runs"] if "kde" in row
    ]  # fmt: skip
    return Table(f"By samples of {found['parameters']['draws']:,} draws, means", columns, rows, folded=True)


def panels(found: Mapping[str, Any]) -> list[Panel]:
    """Densities and distances by integration, with two standard errors, what samples give, and their floors."""
    at, curves = found["densities"]["y"], found["densities"]["curves"]
    return [
        Panel("Density of one output", "y", "density", [Series(name, at, curve) for name, curve in curves.items()]),
        Panel("Distance to the limit", "n", "Kolmogorov-Smirnov distance", _distances(found), log="xy"),
        Panel("Divergence from the limit", "n", "KL", _divergences(found), log="xy"),
        Panel("Excess kurtosis above its limit", "n", "difference", _integrals(found, "excess_gap", "excess_gap_error"),
              log="xy"),
        Panel("The limit against a normal law", "H", "distance or divergence",
              [Series(name, [row["heads"] for row in found["normal"]], [row[key] for row in found["normal"]],
                      drawn="points") for key, name in (("ks", "KS"), ("kl", "KL"))], log="xy"),
    ]  # fmt: skip


def _distances(found: Mapping[str, Any]) -> list[Series]:
    widths, floor = found["parameters"]["widths"], found["floors"]["ks"]
    plain = [row for row in found["runs"] if "simulated_ks" in row and row["heads"] == found["parameters"]["heads"][0]]
    return [
        *_integrals(found, "ks", "ks_error"),
        _samples(found, "sampled_ks", "samples of the exact law"),
        Series("all weights drawn", [row["width"] for row in plain], [row["simulated_ks"] for row in plain],
               drawn="points"),
        Series("95 % floor of a sample", widths, [floor] * len(widths)),
    ]  # fmt: skip


def _divergences(found: Mapping[str, Any]) -> list[Series]:
    widths = found["parameters"]["widths"]
    floor = mean_interval(found["floors"]["kde"])[0]
    return [
        *_integrals(found, "kl", None), _samples(found, "kde", "density estimates of samples"),
        Series("floor of density estimates", widths, [floor] * len(widths)),
    ]  # fmt: skip


def _integrals(found: Mapping[str, Any], key: str, error: str | None) -> list[Series]:
    made = []
    for heads in found["parameters"]["heads"]:
        for inputs, words in _INPUTS.items():
            mine = [row for row in found["runs"] if (row["heads"], row["inputs"]) == (heads, inputs)]
            at, values = [row["width"] for row in mine], [row[key] for row in mine]
            low, high = ([_end(row, key, error, sign) for row in mine] if error else None for sign in (-1, 1))
            made.append(Series(f"{words}, H = {heads}", at, values, low, high, drawn="points"))
    return made


def _end(row: Mapping[str, Any], key: str, error: str, sign: int) -> float | None:
    """Two standard errors below or above; none where a logarithmic axis ends."""
    end: float = row[key] + sign * 2 * row[error]
    return end if end > 0 else None


def _samples(found: Mapping[str, Any], key: str, name: str) -> Series:
    heads = found["parameters"]["heads"][0]
    mine = [row for row in found["runs"] if row["heads"] == heads and key in row]
    means = (mean_interval(row[key]) for row in mine)
    return curve(f"{name}, H = {heads}", [row["width"] for row in mine], means, "points")
