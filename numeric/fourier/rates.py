"""Exact error rates of the property tests, and the queries that a given rate takes."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from math import comb
from typing import Literal

from scipy.special import betaincinv

from boundaudit import InputError

Directions = Literal["disjoint", "positions", "xor", "modulo-two"]
"""Disjoint blocks, of many positions or of one; or random sets, for a sum of reals or for one of bits modulo two."""


@cache
def all_odd(size: int, blocks: int) -> Fraction:
    """How likely each of b disjoint blocks holds an odd number of k positions, each in one of b + 1 classes.

    The classes are the b blocks and what lies in none of them, all equally likely. This is how often the degree test
    with b blocks rejects a character of k positions in one trial: never for k < b, else at least `least_power`. It is
    k! [t^k] sinh(t)^b e^t / (b+1)^k, exactly.
    """
    terms = ((-1) ** j * comb(blocks, j) * (blocks + 1 - 2 * j) ** size for j in range(blocks + 1))
    return Fraction(sum(terms), 2**blocks * (blocks + 1) ** size)


def character_power(size: int, degree: int, length: int, directions: Directions = "disjoint") -> Fraction:
    """How often the degree test for D rejects a character of k ≥ 1 positions in one trial, by a sum of reals, exactly.

    `all_odd` for disjoint blocks, C(k, D+1)/C(T, D+1) for single positions, 2^-(D+1) for random sets; D is less than T.
    """
    blocks = degree + 1
    if directions == "disjoint":
        return all_odd(size, blocks)
    return Fraction(comb(size, blocks), comb(length, blocks)) if directions == "positions" else Fraction(1, 2**blocks)


def least_power(degree: int) -> Fraction:
    """How often the degree test for D rejects a character of D + 1 positions: (D+1)!/(D+2)^(D+1), others more often."""
    return all_odd(degree + 1, degree + 1)


def degree_power(degree: int, energy: float, spread: float) -> float:
    """How often the degree test for D rejects a function in one trial at the least.

    It is 4 energy (D+1)!/(D+2)^(D+1) / spread², the energy being the sum of squared weights above D, the spread the
    largest value less the smallest one.
    """
    return 4 * energy * float(least_power(degree)) / spread**2 if energy else 0.0


def trials_needed(power: float, delta: float) -> int:
    """How many independent trials, each rejecting with a probability, the power, reject at least once, but for δ.

    Raises:
        InputError: for a power outside (0, 1] or a δ outside (0, 1).
    """
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", delta, "correct delta")
    if not 0 < power <= 1:
        raise InputError("power", "a probability above 0", power, "a test without power needs endless trials")
    return 1 if power == 1 else math.ceil(math.log(delta) / math.log1p(-power))


def rate_interval(count: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Clopper and Pearson's interval for the rate of what happened so often in these trials."""
    tail = (1 - confidence) / 2
    low = float(betaincinv(count, trials - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, trials - count, 1 - tail)) if count < trials else 1.0
    return low, high
