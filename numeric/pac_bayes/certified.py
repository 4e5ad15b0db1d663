"""PAC-Bayes values that are certain: upper ends in ball arithmetic (Arb).

A float stands for itself, exactly; every rounding is inside a ball. PyTorch is loaded with the first inverse.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from flint import arb, ctx

from boundaudit import InputError

BITS = 212
"""Four times float64's precision."""


def certified_kl(q: arb, p: arb) -> arb:
    """A ball around kl(q‖p) for p in (0, 1) and q in [0, 1], exact or balls themselves."""
    errors = q * (q / p).log() if q != 0 else arb(0)
    return errors + ((1 - q) * ((-q).log1p() - (-p).log1p()) if q != 1 else arb(0))


def certified_inverse(q: float, budget: float | arb) -> float:
    """A float that is certainly at least the largest p with kl(q‖p) ≤ budget, and next to it.

    The smallest float found whose relative entropy certainly exceeds the budget, a float that stands for itself or a
    ball; 1 where none below 1 does.

    Raises:
        InputError: for q outside [0, 1], or a budget that may be negative.
    """
    if not 0 <= q <= 1:
        raise InputError("q", "a number from 0 to 1", q, "correct q")
    ball = arb(budget)
    if not ball >= 0:
        raise InputError("budget", "a number that is at least 0", budget, "correct the budget")
    from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl

    if q == 1 or not ball.is_finite():
        return 1.0
    guess = float(inverse_binary_kl(q, max(0.0, float(ball.upper()))))
    with ctx.workprec(BITS):
        return _least(q, guess, lambda p: p > q and bool(certified_kl(arb(q), arb(p)) >= ball))


def certified_binomial(errors: int, samples: int, delta: float) -> float:
    """The test-set bound, certain: a float that is at least the largest p with P(Bin(n, p) ≤ k) ≥ δ, and next to it.

    The risk of one network, fixed before n independent samples on which it errs k times, is above it with probability
    at most δ (Clopper & Pearson 1934; Langford 2005). P(Bin(n, p) ≤ k) is the incomplete beta function
    I_{1-p}(n-k, k+1), here a ball. The smallest float found at which so few errors are certainly less likely than δ; 1
    where none below 1 is.

    Raises:
        InputError: for k outside 0 to n, n below 1, or a δ out of range.
    """
    if not 0 <= errors <= samples or samples < 1:
        raise InputError("errors", "a count from 0 to the number of samples", f"{errors} of {samples}", "count them")
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", delta, "correct delta")
    from scipy.special import betaincinv

    if errors == samples:
        return 1.0
    guess = float(betaincinv(errors + 1, samples - errors, 1 - delta))
    with ctx.workprec(BITS):
        tail = (samples - errors, errors + 1)
        return _least(0.0, guess, lambda p: bool((1 - arb(p)).beta_lower(*tail, regularized=True) <= arb(delta)))


def _least(start: float, guess: float, exceeds: Callable[[float], bool]) -> float:
    """The least float from a start to 1 that certainly exceeds, by doubling steps from a guess and halving them."""
    high, step = _number(guess), 1
    while high < _ONE and not exceeds(_float(high)):
        high, step = min(_ONE, high + step), 2 * step
    low, step = high - 1, 1
    while low > _number(start) and exceeds(_float(low)):
        high, low, step = low, max(_number(start), low - step), 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if exceeds(_float(middle)) else (middle, high)
    return _float(high)


def _number(value: float) -> int:
    """The place of a float that is at least 0 among all of them, in order."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def _float(number: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", number))[0])


_ONE = _number(1.0)


def upper_end(ball: arb) -> float:
    """The smallest float that is certainly at least a ball, finite or not."""
    end = float(ball.upper())
    return end if arb(end) >= ball else math.nextafter(end, math.inf)


def log_over(delta: float, count: int) -> arb:
    """A ball around ln(1/δ)/n, the budget of Chernoff's limit for a mean over n draws; δ is exact."""
    with ctx.workprec(BITS):
        return -arb(delta).log() / count
