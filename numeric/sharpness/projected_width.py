"""The width at which a projected network's error is small enough, by the median over draws of J."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.sharpness.projected_network import errors, gram, plateau_share, projected_weights
from boundaudit.numeric.sharpness.target import Target


class Median(NamedTuple):
    """The median of a network's error over draws of J, with a distribution-free 95 % interval."""

    width: int
    low: float
    value: float
    high: float


class Reached(NamedTuple):
    """The smallest width of a grid at which a median is small enough, and what its interval leaves open."""

    low: int | None  # the smallest at which the interval no longer excludes it
    width: int | None  # at which the median itself is; None where the grid ends before
    high: int | None  # at which the whole interval is; None where the grid ends before


def median_interval(samples: Tensor, width: int) -> Median:
    """The median and order statistics that hold it with 95 %, whatever the law; InputError for fewer than 6 values."""
    if len(samples) < 6:
        raise InputError("draws", "at least 6 for a 95 % interval", len(samples), "draw more")
    ordered = samples.sort().values
    count = len(ordered)
    # P(fewer than ``rank`` values lie below the median) is at most 2.5 %, and likewise above.
    rank, sequences = 0, 1
    while 40 * sequences < 2**count:
        rank += 1
        sequences += math.comb(count, rank)
    value = ordered[[(count - 1) // 2, count // 2]].mean()
    return Median(width, float(ordered[rank - 1]), float(value), float(ordered[count - rank]))


def median_errors(
    target: Target, widths: Sequence[int], *, bits: Tensor, draws: int, seed: int, worst: bool = True
) -> list[Median]:
    """Medians with intervals over draws of J, by width, of the worst error over C at (N, T), or root mean square."""
    found = []
    for width in widths:
        attention = projected_weights(target, gram(target.length, width, draws, seed + width, str(bits.device)))
        missed = errors(target, attention, bits)
        found.append(median_interval(missed.amax(-1) if worst else missed.square().mean(-1).sqrt(), width))
    return found


def median_shares(target: Target, widths: Sequence[int], *, draws: int, seed: int, device: str) -> list[Median]:
    """The median over draws of J of the share of components on their plateau, with its interval, at each width."""
    return [
        median_interval(
            plateau_share(target, projected_weights(target, gram(target.length, width, draws, seed + width, device))),
            width,
        )
        for width in widths
    ]


def width_reached(medians: Sequence[Median], share: float) -> Reached:
    """The smallest of rising widths at which the median error is within a share of C, and those its interval leaves."""

    def first(end: str) -> int | None:
        return next((median.width for median in medians if getattr(median, end) <= share), None)

    return Reached(first("low"), first("value"), first("high"))
