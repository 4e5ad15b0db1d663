"""Whether a measured quantity moves with the length of a sequence, or over the classes of a grid, with intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from boundaudit.reports.experiment.shared.rows import Found

LEVEL = 0.95
Class = tuple[int, int]
"""D and ω."""
SMALL = 0.1
"""A change of less than this part of the mean, over all lengths, counts as none."""
FEWEST = 3
"""Lengths of at least two runs each without which nothing is concluded: so few show neither a line nor its noise."""
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Trend:
    """A slope against log T by least squares, one point a run."""

    points: int
    lengths: int  # values of T that at least two of them have
    mean: float | None  # of the quantity, over these
    slope: float | None  # by how much it grows where T grows e times; None where the runs do not determine it
    # lower end of the slope's interval, exact for normal errors of one variance; None where there is none
    low: float | None
    high: float | None  # upper end
    span: float  # logarithm of the largest T over the least

    @property
    def verdict(self) -> str:
        """``trend``, ``no trend``, ``too wide to say``, ``too few runs``, or ``no interval`` where none is computed."""
        if self.low is None or self.high is None or self.mean is None:
            return "no interval"
        if self.lengths < FEWEST:
            return "too few runs"
        if self.low > 0 or self.high < 0:
            return "trend"
        small = self.span * max(-self.low, self.high) < SMALL * abs(self.mean)
        return "no trend" if small else "too wide to say"

    @property
    def change(self) -> tuple[float, float] | None:
        """Both ends of the interval of the change from the least T to the largest."""
        return None if self.low is None or self.high is None else (self.span * self.low, self.span * self.high)

    def sentence(self, name: str) -> str:
        """What may be concluded of a quantity, in one sentence."""
        if self.change is None:
            return f"{name}: nothing can be concluded, {self.points} runs that stopped give no interval."
        low, high = self.change
        said = f"by the interval it changes by between {low:.3g} and {high:.3g} from the least T to the largest"
        if self.verdict == "trend":
            return f"{name}: a trend, it {'rises' if low > 0 else 'falls'}; {said} (mean {self.mean:.4g})."
        if self.verdict == "no trend":
            return f"{name}: no trend of more than {SMALL:.0%} of the mean {self.mean:.4g}; {said}."
        if self.verdict == "too few runs":
            return f"{name}: nothing can be concluded, fewer than {FEWEST} lengths have two runs that stopped; {said}."
        return f"{name}: too wide to say; {said}, at a mean of {self.mean:.4g}."


def trend(lengths: Sequence[float], values: Sequence[float]) -> Trend:
    """A quantity of runs fitted against log T, with its Student interval of n - 2 degrees of freedom at `LEVEL`.

    Without an interval for fewer than three runs, one length, or values without spread about the line.
    """
    if not values:
        return Trend(0, 0, None, None, None, None, 0.0)
    n, x, y = len(values), np.log(np.asarray(lengths, float)), np.asarray(values, float)
    several = sum(count > 1 for count in Counter(lengths).values())
    span, mean, centred = float(np.ptp(x)), float(y.mean()), x - x.mean()
    if span == 0:
        return Trend(n, several, mean, None, None, None, span)
    squares = float(centred @ centred)
    slope = float(centred @ y) / squares
    rest = y - mean - slope * centred
    if n == 2 or np.abs(rest).max() <= _ROUNDING * np.abs(y).max():
        return Trend(n, several, mean, slope, None, None, span)
    reach = _quantile(n - 2) * math.sqrt(float(rest @ rest) / (n - 2) / squares)
    return Trend(n, several, mean, slope, slope - reach, slope + reach, span)


def _quantile(freedom: float) -> float:
    """Student's, of an interval at `LEVEL`."""
    from scipy.stats import t

    return float(t.ppf((1 + LEVEL) / 2, freedom))


def mean_interval(values: Sequence[float]) -> Found:
    """The mean of some runs with its Student interval at `LEVEL`: no ends for a single value, nothing for none."""
    if not values:
        return None, None, None
    y, n = np.asarray(values, float), len(values)
    mean = float(y.mean())
    if n == 1:
        return mean, None, None
    reach = _quantile(n - 1) * float(y.std(ddof=1)) / math.sqrt(n)
    return mean, mean - reach, mean + reach


def slope(groups: Mapping[Class, Sequence[float]], along: int) -> Found:
    """The common slope in D (0) or ω (1) of the means of classes, where each level of the other has one of its own.

    By least squares on the means, with its interval at `LEVEL`; classes of a single value are left out.
    """
    used = _used(groups)
    names = sorted({each[1 - along] for each in used})
    design = [[each[along], *(float(each[1 - along] == name) for name in names)] for each in used]
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
    reach = _quantile(freedom) * math.sqrt(variance)
    return value, value - reach, value + reach
