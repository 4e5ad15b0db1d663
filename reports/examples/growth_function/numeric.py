"""What a class does, by going through all of it: no binomial coefficient is used here."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from boundaudit import Point


@cache
def labelings(n: int, k: int) -> np.ndarray:
    """What unions of at most k intervals can make of n points on a line.

    Args:
        n: Points.
        k: Intervals.

    Returns:
        One row of zeros and ones a labeling, shape (labelings, n).
    """
    every = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    begun = np.diff(every, axis=1, prepend=0) == 1
    return np.asarray(every[begun.sum(axis=1) <= k])


def counts(points: Sequence[Point], device: str) -> np.ndarray:
    """How many labelings there are, shape (points,)."""
    return np.array([float(exact_count(at)[0]) for at in points])


def exact_count(at: Point) -> tuple[Fraction, Fraction]:
    """The same as a fraction, twice: a lower and an upper end."""
    found = Fraction(len(labelings(int(at["n"]), int(at["k"]))))
    return found, found


def rademacher(points: Sequence[Point], device: str) -> np.ndarray:
    """The Rademacher complexity of one interval's labelings, as signs, over all 2^n signs of noise; shape (points,)."""
    return np.array([_rademacher(int(at["n"])) for at in points])


@cache
def _rademacher(n: int) -> float:
    noise = 2 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1) - 1
    return float((noise @ (2 * labelings(n, 1) - 1).T).max(axis=1).mean() / n)
