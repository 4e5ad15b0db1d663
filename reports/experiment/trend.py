"""Whether a measured quantity moves with the logarithm of the length of a sequence, and what may be concluded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boundaudit.reports.experiment.rows import Found

LEVEL = 0.95
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
    from scipy.stats import t as student

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
    reach = float(student.ppf((1 + LEVEL) / 2, n - 2)) * math.sqrt(float(rest @ rest) / (n - 2) / squares)
    return Trend(n, several, mean, slope, slope - reach, slope + reach, span)


def mean_interval(values: Sequence[float]) -> Found:
    """The mean of some runs with its Student interval at `LEVEL`: no ends for a single value, nothing for none."""
    from scipy.stats import t as student

    if not values:
        return None, None, None
    y, n = np.asarray(values, float), len(values)
    mean = float(y.mean())
    if n == 1:
        return mean, None, None
    reach = float(student.ppf((1 + LEVEL) / 2, n - 1)) * float(y.std(ddof=1)) / math.sqrt(n)
    return mean, mean - reach, mean + reach
