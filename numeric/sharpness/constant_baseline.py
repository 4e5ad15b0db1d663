"""What a bound must stay below to say anything: the best constant predictor's risk, loss squared or clipped.

The parities of a target's components are linear in the input's bits: those of a basis of the components over GF(2) are
independent fair coins, and the others are sums of them. So the target's law takes 2^rank values at most, whatever the
length. A constant's clipped risk is a parabola between the points where a value enters or leaves the clip.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.target import Target

ATOMS = 2**20
"""Values that a law may take."""

GRAIN = 2.0**-44
"""Values that agree to this part of the largest one count as one."""


class Law(NamedTuple):
    """A distribution on finitely many numbers: values and probabilities, each of shape (..., n)."""

    values: Tensor
    probabilities: Tensor


class Constant(NamedTuple):
    """The best constant predictor and its risk, each of shape (...)."""

    value: Tensor
    risk: Tensor


def law(target: Target) -> Law:
    """The target's law on uniform inputs, its values rising and merged; InputError where there are too many of them."""
    masks = _in_basis(target)
    rank = max(masks).bit_length()
    if rank == target.sparsity:
        return _of_independent(target)
    _check_count(2**rank)
    coins = bit_strings(rank, 0, 2**rank).double()
    weight = bit_strings(rank, 0, 2**rank)[torch.tensor(masks)].double()
    even = 1 - (coins @ weight.T).remainder(2)
    coefficients = torch.tensor(target.coefficients, dtype=torch.float64)
    values = even @ coefficients
    return _merged(values, torch.full_like(values, 2.0**-rank), target.absolute_sum)


def best_constant(known: Law, clip: float = math.inf) -> Constant:
    """The constant a with the least E min((f - a)², clip), and that, exact up to rounding; laws of any batch shape."""
    order = known.values.argsort(-1)
    values, weights = known.values.gather(-1, order), known.probabilities.gather(-1, order)
    centre = (values * weights).sum(-1, keepdim=True)
    if math.isinf(clip):
        return Constant(centre[..., 0], ((values - centre).square() * weights).sum(-1))
    away = values - centre
    reach = math.sqrt(clip)
    ends = torch.cat([away - reach, away + reach], dim=-1).sort(-1).values
    low, high = ends[..., :-1].contiguous(), ends[..., 1:].contiguous()
    middle = (low + high) / 2
    first = torch.searchsorted((away + reach).contiguous(), middle)
    last = torch.searchsorted((away - reach).contiguous(), middle)
    mass, moment, square = (_between(weights * away**power, first, last) for power in range(3))
    a = torch.minimum(torch.maximum(moment / mass.clamp(min=GRAIN), low), high)
    risk, at = (square - 2 * a * moment + a**2 * mass + clip * (1 - mass)).min(-1, keepdim=True)
    return Constant((a.gather(-1, at) + centre)[..., 0], risk[..., 0])


def constant_risk(target: Target, clip: float = math.inf) -> float:
    """The risk of the best constant predictor on uniform inputs, min over a of E min((f - a)², clip).

    Without a clip it is the variance Σ c_t²/4.

    Raises:
        InputError: where the clip is not positive, or the clipped risk needs a law of too many values.
    """
    if not clip > 0:
        raise InputError("clip", "a number above 0", repr(clip), "give the largest loss")
    if math.isinf(clip):
        return math.fsum(c**2 for c in target.coefficients) / 4
    return float(best_constant(law(target), clip).risk)


def _in_basis(target: Target) -> list[int]:
    """Each component's parity as a sum of coins, a bit for each coin: elimination over GF(2)."""
    reduced: list[tuple[int, int]] = []
    masks = []
    for component in target.components:
        row, mask = sum(1 << position for position in component), 0
        for pivot, made_of in reduced:
            if (row ^ pivot) < row:
                row, mask = row ^ pivot, mask ^ made_of
        if row:
            coin = 1 << len(reduced)
            reduced.append((row, mask ^ coin))
            reduced.sort(reverse=True)
            mask = coin
        masks.append(mask)
    return masks


def _of_independent(target: Target) -> Law:
    """The law of Σ c_t times independent fair coins, one after the other."""
    values, weights = torch.zeros(1, dtype=torch.float64), torch.ones(1, dtype=torch.float64)
    for coefficient in target.coefficients:
        both = torch.cat([values, values + coefficient])
        values, weights = _merged(both, torch.cat([weights, weights]) / 2, target.absolute_sum)
        _check_count(len(values))
    return Law(values, weights)


def _merged(values: Tensor, weights: Tensor, size: float) -> Law:
    """Sorted values, each run whose neighbours are within `GRAIN` put together."""
    values, order = values.sort()
    weights = weights[order]
    where = torch.cat([torch.zeros(1, dtype=torch.long), (values.diff() > size * GRAIN).long().cumsum(0)])
    zeros = torch.zeros(int(where[-1]) + 1, dtype=torch.float64)
    total = zeros.index_add(0, where, weights)
    return Law(zeros.index_add(0, where, weights * values) / total, total)


def _between(terms: Tensor, first: Tensor, last: Tensor) -> Tensor:
    """Sums of terms number ``first`` to ``last - 1``."""
    sums = torch.cat([torch.zeros_like(terms[..., :1]), terms.cumsum(-1)], dim=-1)
    return sums.gather(-1, last) - sums.gather(-1, first)


def _check_count(count: int) -> None:
    """Raise InputError for a law of more than `ATOMS` values."""
    if count > ATOMS:
        expected = f"a law of at most {ATOMS} values"
        raise InputError("clip", expected, f"{count}", "leave the clip out: the risk is the variance")
