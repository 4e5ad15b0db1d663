"""Tied attention in high dimension of Boncoraglio et al. 2025: do finite sizes go to the predicted limits?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.attention_erm import gaussian_target, linear_state, sample_spectrum, softmax_state
from boundaudit.numeric.attention_erm.extrapolation import LEVEL, WIDEST, adjusted_mean, extrapolate
from boundaudit.numeric.attention_erm.factorised import RANK_TOLERANCE as FACTOR_RANK_TOLERANCE
from boundaudit.numeric.attention_erm.factorised import Student, train
from boundaudit.numeric.attention_erm.fista import RANK_TOLERANCE, learn
from boundaudit.numeric.attention_erm.sensing import Problem, controls, draw, expected_controls, proportional
from boundaudit.reports.document.shown import Shown, Table
from boundaudit.reports.experiment.shared.rows import curve
from boundaudit.reports.experiment.shared.running import Run
from boundaudit.reports.experiment.shared.trend import mean_interval
from boundaudit.reports.experiment.shared.words import headed, notes


@dataclass(frozen=True)
class Setting:
    """A point of the phase diagram."""

    alpha: float  # n/d²
    penalty: float  # λ~ on Tr S
    noise: float  # Δ
    kappa0: float  # p0/d of the Gaussian target
    # T; 1 is the linear read-out, more are softmax attention with a factor of p = d columns, β = β0 = 1
    tokens: int = 1

    @property
    def name(self) -> str:
        """As people read it."""
        ratios = f"α = {self.alpha:g}, λ~ = {self.penalty:g}, Δ = {self.noise:g}, κ0 = {self.kappa0:g}"
        return ratios if self.tokens == 1 else f"softmax, T = {self.tokens}, {ratios}"

    def problem(self, d: int) -> Problem:
        """At a dimension."""
        return proportional(d, self.alpha, self.kappa0, self.noise, tokens=self.tokens)

    def predicted(self) -> dict[str, float]:
        """The limits, with δ, ε and η."""
        target = gaussian_target(self.kappa0)
        state = (
            linear_state(target, self.alpha, self.penalty, self.noise)
            if self.tokens == 1
            else softmax_state(target, self.alpha, self.penalty, self.noise, self.tokens)
        )
        return {name: float(getattr(state, name)[0]) for name in (*QUANTITIES, "delta", "threshold", "eta")}


@dataclass(frozen=True)
class Profile:
    """Which runs are made."""

    settings: Sequence[Setting]  # of the linear read-out
    sizes: Sequence[tuple[int, int]]  # dimensions with their numbers of runs, for each of these
    softmax: Sequence[Setting]  # settings of softmax attention
    softmax_sizes: Sequence[tuple[int, int]]  # for each of these
    alphas: Sequence[float]  # sample ratios of the curve, at the other values of the first setting
    curve_size: tuple[int, int]  # the dimension of its measured points, and the runs of each
    replicas: int  # of the law's own spectra, for what their distance would be by chance


_LINEAR = (Setting(0.5, 0.1, 0.5, 0.5), Setting(1, 0.1, 0.5, 0.5), Setting(0.5, 0.5, 0, 0.25))
_ALPHAS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2)
PROFILES = {
    "smoke": Profile(_LINEAR, ((20, 200), (28, 160), (40, 40), (60, 48)), (), (), _ALPHAS, (20, 12), 20),
    "standard": Profile(_LINEAR, ((20, 3200), (28, 2560), (40, 640), (60, 768)), (), (), _ALPHAS, (40, 12), 20),
    "paper": Profile(
        _LINEAR, ((100, 192), (140, 192), (200, 32), (300, 32), (400, 16)),
        (Setting(1, 0.02, 0.5, 0.5, 2),), ((40, 192), (60, 192), (80, 32), (120, 32), (160, 16)),
        _ALPHAS, (100, 16), 40,
    ),
}  # fmt: skip
QUANTITIES = {
    "error": "error of the map, E",
    "test": "test error",
    "train": "training error",
    "objective": "objective over d²",
    "rank": "rank over d",
}
_TOLERANCE = 1e-4
"""Of the duality gap; a tenfold one moves no mean by a tenth of a percent."""
_ENTRIES = {"cpu": 2**22, "cuda": 2**29}
"""Entries of the tokens that are held at once."""
_FEWEST, _DIMENSIONS = 8, 3
"""Converged runs without which a dimension, and dimensions without which a limit is not judged."""
_CURVE, _PLACES, _LAW_DRAWS, _REACH = 40, 60, 400, 1.96
_DRAWN = ("error", "test", "train")


def measured(asked: Profile, run: Run) -> dict[str, Any]:
    """For each setting predictions, every run, extrapolations and the spectrum; errors against α."""
    plans = [(setting, asked.sizes) for setting in asked.settings]
    plans += [(setting, asked.softmax_sizes) for setting in asked.softmax]
    found = [_judged(setting, sizes, asked, run) for setting, sizes in plans]
    runs = [row for one in found for row in one["runs"]]
    return {
        "parameters": {
            "dimensions": [d for d, _ in asked.sizes],
            "runs": [runs for _, runs in asked.sizes],
            "tolerance": _TOLERANCE,
        },
        "settings": found,
        "left_out": sum(not row["converged"] for row in runs),
        "curve": _curve(asked, run),
        "notes": _notes(found, sum(not row["converged"] for row in runs), len(runs)),
    }  # fmt: skip


def _judged(setting: Setting, sizes: Sequence[tuple[int, int]], asked: Profile, run: Run) -> dict[str, Any]:
    """All runs of a setting, and what they say of its predictions."""
    predicted, comparisons = setting.predicted(), _comparisons((*asked.settings, *asked.softmax))
    rows: list[dict[str, Any]] = []
    spectra: list[np.ndarray] = []
    for d, runs in sizes:
        spectra = []  # those of the last dimension are kept
        for mine, values in _runs(setting, d, runs, run):
            rows += mine
            spectra += [spectrum for row, spectrum in zip(mine, values, strict=True) if row["converged"]]
    means = _means(setting, rows)
    return {
        "name": setting.name, **asdict(setting),
        "predicted": predicted,
        "runs": rows,
        "means": means,
        "fits": [_fit(setting, name, means, predicted[name], comparisons) for name in QUANTITIES],
        "spectrum": _spectrum(setting, max(sizes)[0], predicted, np.asarray(spectra), asked.replicas, run.seed),
    }  # fmt: skip


def _runs(setting: Setting, d: int, runs: int, run: Run) -> Iterator[tuple[list[dict[str, Any]], np.ndarray]]:
    """The runs of one dimension with their eigenvalues, as many at once as fit."""
    problem = setting.problem(d)
    at_once = max(1, _ENTRIES[run.device] // (problem.samples * problem.tokens * d))
    for first in range(0, runs, at_once):
        numbers = range(first, min(first + at_once, runs))
        run.told(setting.name, d, first)
        data = draw(problem, run.seed, numbers, run.device)
        solved: Any
        if setting.tokens == 1:
            solved = learn(data, setting.penalty, setting.noise, tolerance=_TOLERANCE)
            tolerance, certificate = RANK_TOLERANCE, solved.gap
        else:
            solved = train(problem, Student(width=d, penalty=setting.penalty), run.seed, numbers, device=run.device)
            tolerance, certificate = FACTOR_RANK_TOLERANCE, solved.residual
        named: dict[str, Tensor] = {name: getattr(solved, name) for name in QUANTITIES}
        named |= {"iterations": solved.iterations, "residual": certificate, "converged": solved.converged}
        known = controls(data).tolist()
        columns = {name: values.tolist() for name, values in named.items()}
        yield (
            [
                {"d": d, "run": number, "controls": known[i], **{name: values[i] for name, values in columns.items()}}
                for i, number in enumerate(numbers)
            ],
            _cut(solved.eigenvalues, tolerance).cpu().numpy(),
        )


def _cut(eigenvalues: Tensor, tolerance: float) -> Tensor:
    """Zero where an eigenvalue counts as none."""
    return torch.where(eigenvalues > tolerance * eigenvalues.amax(-1, keepdim=True), eigenvalues, 0)


def _means(setting: Setting, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Of each quantity at each dimension, over the runs that converged, chance in the known quantities taken out."""
    found = []
    for d in sorted({row["d"] for row in rows}):
        mine = [row for row in rows if row["d"] == d and row["converged"]]
        if len(mine) >= _FEWEST:
            known, expected = np.asarray([row["controls"] for row in mine]), expected_controls(setting.problem(d))
            values = {name: [row[name] for row in mine] for name in QUANTITIES}
            means = {name: asdict(adjusted_mean(value, known, np.asarray(expected))) for name, value in values.items()}
            found.append({"d": d, "runs": len(mine), **means})
    return found


def _fit(
    setting: Setting, quantity: str, means: Sequence[Mapping[str, Any]], predicted: float, comparisons: int
) -> dict[str, Any]:
    """The extrapolation of a quantity and what may be concluded."""
    name = f"{setting.name}: {QUANTITIES[quantity]}"
    if len(means) < _DIMENSIONS:
        said = f"{name}: undecided, fewer than {_DIMENSIONS} dimensions have {_FEWEST} runs that converged."
        return {"quantity": quantity, "predicted": predicted, "verdict": "undecided", "fit": None, "sentence": said}
    here = [mean[quantity] for mean in means]
    middle, error, freedom = ([mean[part] for mean in here] for part in ("mean", "standard_error", "freedom"))
    runs = [free + 1 for free in freedom]
    fit = extrapolate([mean["d"] for mean in means], middle, error, predicted, runs=runs, comparisons=comparisons)
    said = (
        f"{name}: {fit.verdict}; predicted {predicted:.4g}, extrapolated {fit.intercept:.4g}, {LEVEL:.0%} interval "
        f"[{fit.low:.4g}, {fit.high:.4g}], a half-width of {fit.half_width:.1%}."
    )
    return {"quantity": quantity, "predicted": predicted, "verdict": fit.verdict, "fit": asdict(fit), "sentence": said}


def _spectrum(
    setting: Setting, d: int, predicted: Mapping[str, float], measured: np.ndarray, replicas: int, seed: int
) -> dict[str, Any] | None:
    """Pooled eigenvalues at one dimension against the law sampled at the same one."""
    if not len(measured):
        return None
    generator = torch.Generator().manual_seed(seed)
    scalars = (predicted[name] for name in ("delta", "threshold", "eta"))
    drawn = sample_spectrum(
        gaussian_target(setting.kappa0), d, *scalars, draws=_LAW_DRAWS + replicas * len(measured), generator=generator
    ).numpy()
    law, rest = drawn[:_LAW_DRAWS].ravel(), drawn[_LAW_DRAWS:].reshape(replicas, -1)
    distance = _distance(measured.ravel(), law)
    chance = float(np.quantile([_distance(one, law) for one in rest], LEVEL))
    places = np.unique(np.quantile(np.concatenate([law, measured.ravel()]), np.linspace(0, 1, _PLACES)))
    said = (
        f"{setting.name}: the eigenvalues of {len(measured)} runs at d = {d} have a Kolmogorov-Smirnov distance of "
        f"{distance:.3g} to the law sampled at the same d; as many draws of the law itself stay below {chance:.3g} in "
        f"{LEVEL:.0%} of cases."
    )
    return {
        "d": d, "runs": len(measured), "distance": distance, "by_chance": chance, "sentence": said,
        "places": places.tolist(), "measured": _shares(measured.ravel(), places), "law": _shares(law, places),
        "largest": {"measured": float(measured.max(-1).mean()), "law": float(drawn.max(-1).mean())},
    }  # fmt: skip


def _distance(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference of two empirical distribution functions; many values may be zero in both."""
    places = np.concatenate([one, other])
    return float(np.abs(np.asarray(_shares(one, places)) - np.asarray(_shares(other, places))).max())


def _shares(values: np.ndarray, places: np.ndarray) -> list[float]:
    """The empirical distribution function."""
    shares: list[float] = (np.searchsorted(np.sort(values), places, side="right") / len(values)).tolist()
    return shares


def _curve(asked: Profile, run: Run) -> dict[str, Any]:
    """Errors against α: predictions on a fine grid, measurements at one dimension."""
    base, (d, runs) = asked.settings[0], asked.curve_size
    grid = np.geomspace(min(asked.alphas), max(asked.alphas), _CURVE)
    state = linear_state(gaussian_target(base.kappa0), grid.tolist(), base.penalty, base.noise)
    points = []
    for alpha in asked.alphas:
        setting = Setting(alpha, base.penalty, base.noise, base.kappa0)
        rows = [row for mine, _ in _runs(setting, d, runs, run) for row in mine if row["converged"]]
        points.append({"alpha": alpha} | {name: mean_interval([row[name] for row in rows]) for name in _DRAWN if rows})
    predicted = {name: getattr(state, name).tolist() for name in _DRAWN}
    return {"d": d, "runs": runs, "alphas": grid.tolist(), "predicted": predicted, "points": points}


def _comparisons(settings: Sequence[object]) -> int:
    """Of predictions with extrapolations."""
    return len(settings) * len(QUANTITIES)


def _notes(found: Sequence[Mapping[str, Any]], left_out: int, runs: int) -> list[str]:
    where = {"left_out": left_out > 0, "softmax": any(one["tokens"] > 1 for one in found)}
    return notes(
        "attention-erm", where, left_out=left_out, runs=runs, level=LEVEL, widest=WIDEST, count=_comparisons(found),
        tolerance=_TOLERANCE, rank=RANK_TOLERANCE, factor_rank=FACTOR_RANK_TOLERANCE,
    )  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """Verdicts, figures, and the means at each dimension."""
    settings = found["settings"]
    return Shown(
        *headed("attention-erm"),
        conclusions=[
            *(fit["sentence"] for one in settings for fit in one["fits"]),
            *(one["spectrum"]["sentence"] for one in settings if one["spectrum"]),
        ],
        tables=[_limits(settings), *(_by_dimension(one) for one in settings)],
        panels=[
            _errors(found["curve"], settings[0]["name"]),
            *(_approach(one) for one in settings if one["means"]),
            *(_distribution(one) for one in settings if one["spectrum"]),
        ],
    )


def _limits(settings: Sequence[Mapping[str, Any]]) -> Table:
    columns = ("setting", "quantity", "predicted", "extrapolated", "95 % from", "to", "half-width", "in 1/d", "verdict")
    rows = []
    for one in settings:
        for fit in one["fits"]:
            got = fit["fit"] or dict.fromkeys(("intercept", "low", "high", "half_width"))
            slope = fit["fit"] and fit["fit"]["coefficients"][0]
            cells = (got["intercept"], got["low"], got["high"], got["half_width"], slope)
            rows.append((one["name"], QUANTITIES[fit["quantity"]], fit["predicted"], *cells, fit["verdict"]))
    return Table("Limits, predicted and extrapolated", columns, rows)


def _by_dimension(one: Mapping[str, Any]) -> Table:
    names = [part for name in QUANTITIES.values() for part in (name, "± s.e.")]
    rows = [
        (mean["d"], mean["runs"], *(mean[name][part] for name in QUANTITIES for part in ("mean", "standard_error")))
        for mean in one["means"]
    ]
    rows.append(("limit", None, *(part for name in QUANTITIES for part in (one["predicted"][name], None))))
    return Table(f"Means, {one['name']}", ("d", "runs", *names), rows, folded=True)


def _errors(found: Mapping[str, Any], name: str) -> Panel:
    """Errors against α, as in the paper's figures."""
    series = []
    for quantity in _DRAWN:
        points = {point["alpha"]: point[quantity] for point in found["points"] if quantity in point}
        title = f"{QUANTITIES[quantity]}, d = {found['d']}"
        series.append(Series(f"{QUANTITIES[quantity]}, predicted", found["alphas"], found["predicted"][quantity]))
        series.append(curve(title, [*points], points.values(), "points"))
    title = f"Errors against α, otherwise {name}"
    return Panel(title, "α = n/d²", f"mean over {found['runs']} runs, 95 % interval", series, log="xy")


def _approach(one: Mapping[str, Any]) -> Panel:
    """Means over predictions against 1/d, with the fitted curves down to the limit."""
    series = []
    for fit in one["fits"]:
        quantity, limit = fit["quantity"], fit["predicted"]
        at = [1 / mean["d"] for mean in one["means"]]
        mean, error = ([value[quantity][key] / limit for value in one["means"]] for key in ("mean", "standard_error"))
        low, high = ([m + sign * _REACH * e for m, e in zip(mean, error, strict=True)] for sign in (-1, 1))
        series.append(Series(QUANTITIES[quantity], at, mean, low, high, drawn="points"))
        if fit["fit"]:
            x = np.linspace(0, max(at), _PLACES)
            y = sum(
                (c * x ** (k + 1) for k, c in enumerate(fit["fit"]["coefficients"])), fit["fit"]["intercept"] + 0 * x
            )
            series.append(Series(f"{QUANTITIES[quantity]}, fitted", x.tolist(), (y / limit).tolist()))
    return Panel(f"Towards the limit, {one['name']}", "1/d", "mean over its predicted limit, 95 % interval", series)


def _distribution(one: Mapping[str, Any]) -> Panel:
    spectrum = one["spectrum"]
    series = [
        Series("law, sampled at the same d", spectrum["places"], spectrum["law"]),
        Series(f"{spectrum['runs']} runs", spectrum["places"], spectrum["measured"], drawn="points"),
    ]
    return Panel(f"Eigenvalues at d = {spectrum['d']}, {one['name']}", "eigenvalue", "share below", series)
