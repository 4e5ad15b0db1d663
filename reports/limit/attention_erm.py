"""What the high-dimensional limit of trained attention predicts, for a user's sizes, noise and penalty."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from boundaudit import InputError
from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.attention_erm import (
    LinearState,
    NoConvergence,
    SoftmaxState,
    Target,
    bayes_recovery,
    bayes_state,
    check_width,
    effective_penalty,
    gaussian_target,
    interpolation,
    linear_errors,
    linear_state,
    recovery,
    softmax_state,
    spiked_target,
    trained_spectrum,
    tuned_state,
)
from boundaudit.reports.document.shown import Shown, Table

if TYPE_CHECKING:
    from torch import Tensor

State = LinearState | SoftmaxState
QUANTITIES = {
    "test": "test error", "train": "train error", "error": "‖S − S₀‖²/d", "rank": "rank/d", "objective": "objective/d²",
    "eta": "η", "delta": "δ", "threshold": "ε",
}  # fmt: skip
_CURVE = np.geomspace(0.05, 5.0, 24)
"""Sample ratios of the figure."""
_CLOSE = 1e-6
"""The relative error that the best estimator's and the best penalty's test errors may have."""
_SMALLEST, _LARGEST = 1e-9, 1e6
"""Of the numbers that are given."""
_NOTES = (
    "The limit of d, n and both widths to infinity at fixed ratios, with α = n/d² and tokens fixed; Gaussian tokens, "
    "tied queries and keys.",
    "For one token, a linear read-out: the equations are those of noisy sensing by quadratic forms. For more tokens, "
    "softmax attention as a label: exact by the replica method, not by a proof.",
)


def attention_erm(
    alpha: Sequence[float], *, penalty: float, noise: float, width_ratio: float, tokens: int = 1,
    student_ratio: float = 1.0, spikes: Sequence[float] = (), beta: float = 1.0, target_beta: float = 1.0,
) -> dict[str, Any]:  # fmt: skip
    """Predictions at some sample ratios, the thresholds around them, and the best that any estimator does.

    Boncoraglio et al. 2025 (arXiv 2509.24914): n/d², weight decay λ ‖W‖², noise Δ of the labels, κ₀ = p₀/d of the
    target S₀ = W₀ W₀ᵀ/√(p₀ d) with Gaussian W₀ and finitely many spikes, κ = p/d of the trained map, T = 1 for the
    linear read-out. JSON: ``predictions``, one for each α, with their ``uncertainty``; ``thresholds`` of interpolation
    with the peak of the error there, and of recovery, where they exist; ``benchmarks`` (one token): the least error at
    the best penalty and the Bayes-optimal one; the ``spectrum`` at the first α; ``curve``, the errors against α (one
    token).

    Raises:
        InputError: for values out of range, a student narrower than the rank it would learn, or equations that are
            not solved: then there is no value.
    """
    if not alpha:
        raise InputError("alpha", "at least one sample ratio", "none", "give n/d²")
    given = {
        "alpha": alpha, "penalty": [penalty], "noise": [noise], "width-ratio": [width_ratio], "spike": spikes,
        "student-ratio": [student_ratio], "beta": [beta], "target-beta": [target_beta],
    }  # fmt: skip
    for name, values in given.items():
        for value in values:
            if value and not _SMALLEST <= abs(value) <= _LARGEST:
                expected = f"0 or a number from {_SMALLEST:g} to {_LARGEST:g}"
                raise InputError(name, expected, value, "beyond, equations are not solved")
    if tokens < 1:
        raise InputError("tokens", "at least 1", tokens, "give 1 for a linear read-out, more for softmax")
    if tokens == 1 and (beta, target_beta) != (1.0, 1.0):
        raise InputError("beta", "1 for one token, which has no softmax", (beta, target_beta), "give more tokens")
    target = gaussian_target(width_ratio)
    target = spiked_target(list(spikes), bulk=target) if spikes else target
    effective = effective_penalty(penalty, student_ratio)

    def state(alphas: Sequence[float]) -> State:
        if tokens == 1:
            return linear_state(target, alphas, effective, noise)
        return softmax_state(target, alphas, effective, noise, tokens, beta, target_beta)

    found = _with_curve(state, alpha) if tokens == 1 else state(alpha)
    check_width(student_ratio, float(found.rank[: len(alpha)].max()))
    spread = found.uncertainty if isinstance(found, SoftmaxState) else linear_errors(target, found, effective, noise)
    predictions = _predictions(found, spread, len(alpha))
    benchmarks = _benchmarks(target, alpha, noise) if tokens == 1 else []
    _confirmed(target, noise, predictions, benchmarks)
    return {
        "limit": "attention-erm",
        "parameters": {
            "alpha": list(alpha), "penalty": penalty, "noise": noise, "width_ratio": width_ratio, "tokens": tokens,
            "student_ratio": student_ratio, "effective_penalty": effective, "spikes": list(spikes),
        } | ({} if tokens == 1 else {"beta": beta, "target_beta": target_beta}),
        "predictions": predictions,
        "thresholds": _thresholds(target, width_ratio, noise, tokens, target_beta / beta),
        "benchmarks": benchmarks,
        "spectrum": _spectrum(target, found),
        "curve": None if len(found.alpha) == len(alpha) else {
            name: getattr(found, name)[len(alpha) :].tolist() for name in ("alpha", "test", "train", "rank")
        },
        "notes": list(_NOTES), "claims": ["attention_erm.*"],
    }  # fmt: skip


def _with_curve(state: Callable[[Sequence[float]], State], alpha: Sequence[float]) -> State:
    """The states at the sample ratios and along the figure's curve, left out where a point of it is refused."""
    try:
        return state([*alpha, *_CURVE.tolist()])
    except NoConvergence:
        return state(alpha)


def _predictions(found: State, spread: Mapping[str, Tensor], count: int) -> list[dict[str, Any]]:
    return [
        {"alpha": alpha, **{name: float(getattr(found, name)[k]) for name in QUANTITIES},
         "residual": float(found.residual[k]), "uncertainty": {name: float(spread[name][k]) for name in QUANTITIES}}
        for k, alpha in enumerate(found.alpha[:count].tolist())
    ]  # fmt: skip


def _thresholds(target: Target, width_ratio: float, noise: float, tokens: int, stretch: float) -> dict[str, Any]:
    """Interpolation needs noise, recovery needs none."""
    if noise > 0:
        found = interpolation(target, noise, tokens, stretch)
        return {"interpolation": found.alpha, "peak": found.error}
    return {"recovery": float(recovery(width_ratio, tokens)), "parameters": float(bayes_recovery(width_ratio, tokens))}


def _benchmarks(target: Target, alpha: Sequence[float], noise: float) -> list[dict[str, float]]:
    tuned, bayes = tuned_state(target, alpha, noise), bayes_state(target, alpha, noise)
    return [
        {"alpha": value, "best_penalty": float(tuned.penalty[k]), "tuned_test": float(tuned.test[k]),
         "bayes_test": float(bayes.test[k])}
        for k, value in enumerate(alpha)
    ]  # fmt: skip


def _confirmed(
    target: Target, noise: float, predictions: Sequence[Mapping[str, Any]], benchmarks: Sequence[Mapping[str, float]]
) -> None:
    """Refuse errors in another order than noise ≤ the best estimator's ≤ the best penalty's ≤ those predicted."""
    knows_nothing = noise + 2 * (target.second_moment - target.mean**2)
    for row, best in zip(predictions, benchmarks, strict=False):
        rising = (noise, best["bayes_test"], best["tuned_test"], row["test"])
        fine = all(low <= high * (1 + _CLOSE) + _CLOSE for low, high in itertools.pairwise(rising))
        if not fine or best["bayes_test"] > knows_nothing * (1 + _CLOSE):
            got = ", ".join(f"{value:.9g}" for value in rising)
            raise InputError("alpha", "test errors in the order of what is known", got, "give another setting")


def _spectrum(target: Target, found: State) -> dict[str, Any] | None:
    """Of the map learned at the first sample ratio; None where the target is recovered."""
    delta, threshold, eta = (float(getattr(found, name)[0]) for name in ("delta", "threshold", "eta"))
    if delta == 0:
        return None
    law = trained_spectrum(target, delta, threshold, eta, points=120)
    return {
        "alpha": float(found.alpha[0]), "mass_at_zero": law.mass_at_zero, "edge": law.edge,
        "outliers": [{"source": one.source, "place": one.place, "overlap": one.overlap} for one in law.outliers],
        "places": law.places.tolist(), "density": law.density.tolist(),
    }  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """Errors, thresholds, the spectrum and the curve."""
    return Shown(
        title="Trained attention in high dimension",
        question="What empirical risk minimisation with weight decay learns, by the exact limit of Boncoraglio et al. "
        "2025 (arXiv 2509.24914).",
        conclusions=_conclusions(found),
        tables=_tables(found),
        panels=_panels(found),
    )


def _conclusions(found: Mapping[str, Any]) -> list[str]:
    first, thresholds, spectrum = found["predictions"][0], found["thresholds"], found["spectrum"]
    said = [
        f"At α = {first['alpha']:g} the test error is {first['test']:.6g} and the train error {first['train']:.6g}; "
        f"the learned map has rank {first['rank']:.4g} d, which is the least width that loses nothing."
    ]
    if "interpolation" in thresholds:
        said.append(
            f"With a vanishing penalty training interpolates up to α = {thresholds['interpolation']:.6g}; there "
            f"‖S − S₀‖²/d peaks at {thresholds['peak']:.6g}, which is finite."
        )
    else:
        said.append(
            f"With a vanishing penalty the target is recovered from α = {thresholds['recovery']:.6g} on; it has "
            f"{thresholds['parameters']:.6g} d² free parameters."
        )
    if found["benchmarks"]:
        best = found["benchmarks"][0]
        said.append(
            f"The best penalty there is λ̃ = {best['best_penalty']:.4g}, with a test error of {best['tuned_test']:.6g}; "
            f"no estimator has one below {best['bayes_test']:.6g}."
        )
    if spectrum is not None:
        seen = [f"{one['place']:.4g} (of {one['source']:g})" for one in spectrum["outliers"]]
        outliers = f", with outliers at {', '.join(seen)}" if seen else ""
        said.append(
            f"A share {spectrum['mass_at_zero']:.4g} of the learned eigenvalues is zero; the others reach up to "
            f"{spectrum['edge']:.4g}{outliers}."
        )
    return said


def _tables(found: Mapping[str, Any]) -> list[Table]:
    rows = [(row["alpha"], *(row[name] for name in QUANTITIES)) for row in found["predictions"]]
    tables = [Table("Predictions", ("α", *QUANTITIES.values()), rows)]
    if found["benchmarks"]:
        rows = [tuple(row.values()) for row in found["benchmarks"]]
        columns = ("α", "best λ̃", "test error at the best penalty", "Bayes-optimal test error")
        tables.append(Table("The best that can be done", columns, rows))
    spread = [(row["alpha"], *(row["uncertainty"].get(name) for name in QUANTITIES)) for row in found["predictions"]]
    if found["predictions"][0]["uncertainty"]:
        tables.append(Table("Errors of integration", ("α", *QUANTITIES.values()), spread))
    return tables


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    spectrum, curve = found["spectrum"], found["curve"]
    panels = []
    if curve is not None:
        errors = [Series(QUANTITIES[name], curve["alpha"], curve[name]) for name in ("test", "train", "rank")]
        panels.append(Panel("Errors and rank against the samples", "α = n/d²", "error, share", errors, log="x"))
    if spectrum is not None and spectrum["places"]:
        series = [Series("density", spectrum["places"], spectrum["density"])]
        title = f"Learned eigenvalues at α = {spectrum['alpha']:g}"
        panels.append(Panel(title, "eigenvalue", "density beside the mass at zero", series))
    return panels
