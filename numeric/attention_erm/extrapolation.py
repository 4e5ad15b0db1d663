"""Whether finite-size means go to a predicted limit: least squares in 1/d, with an interval of the intercept.

The powers are chosen by the number of dimensions alone, never by the data, so that the interval keeps its level: 1/d
for three dimensions, with a test of what it leaves over; 1/d and 1/d² from four on, as a curvature that is left out
moves the intercept by about its size at the smallest dimension and is too small to be seen in the rest. Weights, too,
are those of the design where standard errors are estimated from a few runs: weights that follow them prefer means that
look better than they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from boundaudit import InputError

__all__ = ["LEVEL", "WIDEST", "Extrapolation", "adjusted_mean", "extrapolate"]

LEVEL = 0.95
WIDEST = 0.03
"""A prediction is supported by an interval whose half-width is at most this part of it."""
_CURVED, _MISFIT, _STILL = 4, 0.01, 1e-12


@dataclass(frozen=True)
class Extrapolation:
    """A mean at infinite dimension, and what it says of a prediction."""

    powers: int
    """1 for a fit in 1/d, 2 for one in 1/d and 1/d²."""
    intercept: float
    """The mean at infinite dimension."""
    standard_error: float
    """Of the intercept."""
    coefficients: tuple[float, ...]
    """Those of 1/d and, where it is fitted, 1/d²."""
    low: float
    """Lower end of the intercept's interval."""
    high: float
    """Upper end."""
    predicted: float
    """The limit that is claimed."""
    half_width: float
    """Half the interval's length over the modulus of the prediction."""
    misfit: float
    """The chance of so large a rest if the fit were right; 1 where there is no rest."""
    verdict: Literal["supported", "undecided", "refuted"]
    """Refuted: the prediction is outside the interval, widened by Bonferroni for the comparisons; supported: inside one
    that is narrow enough; undecided: all else, as where the fit is not right."""


def extrapolate(
    dims: Sequence[float], means: Sequence[float], standard_errors: Sequence[float], predicted: float, *,
    runs: Sequence[int] | None = None, level: float = LEVEL, comparisons: int = 1,
) -> Extrapolation:  # fmt: skip
    """Extrapolate independent means to infinite dimension: the intercept with its interval, and a verdict.

    Args:
        dims: at least three dimensions, no two the same.
        means: of a quantity at each.
        standard_errors: theirs, positive.
        predicted: the limit to judge, not 0.
        runs: how many values each standard error is estimated from, at least 2; without, they are taken as exact. With,
            the interval is Student's, its degrees of freedom by Welch and Satterthwaite, and means are weighted as if a
            run's standard deviation fell as 1/d; where it does not, the interval is wider but no less right.
        level: of the interval.
        comparisons: how many predictions are judged together; none of them is refuted by chance with this level.

    Raises:
        InputError: for sequences that do not fit together, or numbers out of range.
    """
    from scipy.stats import norm
    from scipy.stats import t as student

    d, y, s = (np.asarray(values, float) for values in (dims, means, standard_errors))
    counts = None if runs is None else np.asarray(runs, float)
    _check(d, y, s, counts, predicted)
    if not 0 < level < 1:
        raise InputError("level", "a number between 0 and 1", level, "correct the level")
    if comparisons < 1:
        raise InputError("comparisons", "at least 1", comparisons, "count the predictions")
    powers = 2 if len(d) >= _CURVED else 1
    columns = (d.min() / d)[:, None] ** np.arange(powers + 1)
    trust = 1 / s if counts is None else d * np.sqrt(counts)
    weights = np.linalg.pinv(columns * trust[:, None]) * trust
    found = weights @ y
    shares = (weights[0] * s) ** 2
    error, tails = math.sqrt(shares.sum()), (1 - level) / 2 / np.asarray((1, comparisons))
    if counts is None:
        reach, far = error * norm.isf(tails)
    else:
        reach, far = error * student.isf(tails, shares.sum() ** 2 / (shares**2 / (counts - 1)).sum())
    misfit = _misfit(columns, y, s, counts)
    intercept = float(found[0])
    half_width = float(reach) / abs(predicted)
    distance = abs(intercept - predicted)
    verdict: Literal["supported", "undecided", "refuted"] = "undecided"
    if misfit >= _MISFIT:
        if distance > far:
            verdict = "refuted"
        elif distance <= reach and half_width <= WIDEST:
            verdict = "supported"
    return Extrapolation(
        powers, intercept, error, tuple(float(value * d.min() ** (power + 1)) for power, value in enumerate(found[1:])),
        intercept - float(reach), intercept + float(reach), predicted, half_width, misfit, verdict,
    )  # fmt: skip


@dataclass(frozen=True)
class AdjustedMean:
    """A mean without what chance did to known quantities, its standard error, and the degrees of freedom of that."""

    mean: float
    standard_error: float
    freedom: int


def adjusted_mean(values: Sequence[float], controls: np.ndarray, expected: np.ndarray) -> AdjustedMean:
    """The mean of one value a run by regression on controls, shape (runs, k), whose expectations, shape (k), are known.

    Controls that do not vary are left out.

    Raises:
        InputError: for too few runs.
    """
    y, shifted = np.asarray(values, float), np.asarray(controls, float) - np.asarray(expected, float)
    shifted = shifted[:, np.ptp(shifted, axis=0) > _STILL * np.abs(controls).max(axis=0, initial=0)]
    columns = np.column_stack([np.ones(len(y)), shifted])
    freedom = len(y) - columns.shape[1]
    if freedom < 1:
        raise InputError("runs", f"more than {columns.shape[1]}", len(y), "measure with more runs")
    weights = np.linalg.pinv(columns)
    found = weights @ y
    rest = y - columns @ found
    error = math.sqrt(float(rest @ rest) / freedom * float(weights[0] @ weights[0]))
    return AdjustedMean(float(found[0]), error, freedom)


def _misfit(columns: np.ndarray, means: np.ndarray, errors: np.ndarray, counts: np.ndarray | None) -> float:
    """The chance of so large a part of the means outside the columns' span, by χ² or, with estimated errors, by F."""
    from scipy.linalg import null_space
    from scipy.stats import chi2
    from scipy.stats import f as fisher

    outside = null_space(columns.T)
    left = outside.shape[1]
    if not left:
        return 1.0
    rest = outside.T @ means
    square = float(rest @ np.linalg.solve((outside.T * errors**2) @ outside, rest))
    return float(chi2.sf(square, left) if counts is None else fisher.sf(square / left, left, counts.min() - 1))


def _check(
    dims: np.ndarray, means: np.ndarray, errors: np.ndarray, counts: np.ndarray | None, predicted: float
) -> None:
    if len(dims) < 3 or len(set(dims.tolist())) < len(dims) or not (np.isfinite(dims) & (dims >= 1)).all():
        raise InputError("dims", "three dimensions of at least 1, no two the same", dims.tolist(), "measure at more")
    for field, values in (("means", means), ("standard errors", errors), ("runs", counts)):
        if values is not None and values.shape != dims.shape:
            raise InputError(field, f"{len(dims)} numbers", values.tolist(), "give one for each dimension")
    if not np.isfinite(means).all():
        raise InputError("means", "finite numbers", means.tolist(), "leave out what did not converge")
    if not (np.isfinite(errors) & (errors > 0)).all():
        raise InputError("standard errors", "positive numbers", errors.tolist(), "measure with several runs")
    if counts is not None and not (counts >= 2).all():
        raise InputError("runs", "at least 2 for each dimension", counts.tolist(), "measure with more runs")
    if not (math.isfinite(predicted) and predicted != 0):
        raise InputError("predicted", "a finite number other than 0", predicted, "judge another quantity")
