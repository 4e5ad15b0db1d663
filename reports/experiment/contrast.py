"""Trends of a quantity over the classes of a grid, from a few functions in each, with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from boundaudit.reports.experiment.rows import Found

LEVEL = 0.95

Class = tuple[int, int]


def slope(
    groups: Mapping[Class, Sequence[float]], x: Callable[[int, int], float], levels: Callable[[int, int], int]
) -> Found:  # fmt: skip
    """The common slope of the classes' means in x, where each level of the other factor has a mean of its own.

    By least squares on the means, with its interval at `LEVEL`; classes of a single value are left out.
    """
    used = _used(groups)
    names = sorted({levels(*each) for each in used})
    design = [[x(*each), *(float(levels(*each) == name) for name in names)] for each in used]
    return _coefficient(np.array(design, float).reshape(len(used), 1 + len(names)), list(used.values()))


def interaction(groups: Mapping[Class, Sequence[float]]) -> Found:
    """By how much one step of ω raises the slope in D: the coefficient of D ω beside 1, D and ω, as `slope` fits it."""
    used = _used(groups)
    design = np.array([[d * w, 1, d, w] for d, w in used], float).reshape(len(used), 4)
    return _coefficient(design, list(used.values()))


def _used(groups: Mapping[Class, Sequence[float]]) -> dict[Class, np.ndarray]:
    return {each: np.asarray(values, float) for each, values in groups.items() if len(values) > 1}


def _coefficient(design: np.ndarray, groups: Sequence[np.ndarray]) -> Found:
    """The first coefficient: a contrast of means, by Welch with Satterthwaite's degrees of freedom."""
    from scipy.stats import t as student

    if len(groups) < design.shape[1] or np.linalg.matrix_rank(design) < design.shape[1]:
        return None, None, None
    weights = np.linalg.pinv(design)[0]
    value = float(sum(weight * group.mean() for weight, group in zip(weights, groups, strict=True)))
    parts = np.array(
        [weight**2 * group.var(ddof=1) / len(group) for weight, group in zip(weights, groups, strict=True)]
    )
    if not (variance := float(parts.sum())) > 0:
        return value, None, None
    freedom = variance**2 / sum(part**2 / (len(group) - 1) for part, group in zip(parts, groups, strict=True))
    reach = float(student.ppf((1 + LEVEL) / 2, freedom)) * math.sqrt(variance)
    return value, value - reach, value + reach
