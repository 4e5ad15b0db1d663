"""Where rows of layer 1 sit on a kink of the MLP, in integer arithmetic.

An inactive row of the construction averages the input to n/(T+1), n = |z|, and the live units break at (4i+o)/(4D) for
even i and the offsets o of the trapezoid (Lintilhac & Shaikh 2026, Appendix B). The row sits on a kink iff 4Dn =
(4i+o)(T+1): there the finite network has no gradient. Active rows stray from k/D only as far as layer 1 leaks.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.sharpness.mlp import OFFSETS, Trapezoid, units

Whole = Any
"""An integer or a tensor of them."""

_INT64 = 2**63


def kink_weights(length: int, degree: int, mlp: Trapezoid) -> tuple[int, ...]:
    """The weights |z|, from 0 to T and rising, of the inputs that put the inactive rows on a kink of a live unit.

    The degree is from 1 to T, or T + 1 where the extension shifts a set of all positions.

    Raises:
        InputError: when the length, from 2 on, the degree or the trapezoid is none of these.
    """
    _check(length, mlp)
    if type(degree) is not int or not 1 <= degree <= length + 1:
        raise InputError("degree", f"an integer from 1 to {length + 1}", repr(degree), "give the degree of the MLP")
    weights = torch.arange(length + 1)
    hits = on_kink(torch.tensor(length), torch.tensor(degree), weights, mlp)
    return tuple(weights[hits].tolist())


def kinks(max_length: int, mlp: Trapezoid, *, device: torch.device | str = "cpu") -> Tensor:
    """Every case (T, D, |z|), T ≤ max_length, D ≤ T, of an inactive row on a kink of a live unit, int64, (K, 3).

    Raises:
        InputError: when the length, from 2 on, or the trapezoid is none.
    """
    _check(max_length, mlp)
    numbers = torch.arange(max_length + 1, device=device)
    length, degree, weight = numbers[2:, None, None], numbers[1:, None], numbers
    whole = (4 * degree * weight) % (length + 1) == 0
    inside = (degree <= length) & (weight <= length)
    cases = (whole & inside).nonzero() + torch.tensor([2, 1, 0], device=device)
    return cases[on_kink(cases[:, 0], cases[:, 1], cases[:, 2], mlp)]


def on_kink(length: Tensor, degree: Tensor, weight: Tensor, mlp: Trapezoid) -> Tensor:
    """Whether 4Dn = (4i+o)(T+1) for an even i from 0 to D and an offset o, by solving for i; int64, broadcast."""
    scaled = 4 * degree * weight
    place = scaled // (length + 1)
    points = [place - offset for offset in OFFSETS[mlp]]
    live = [(point % 8 == 0) & (point >= 0) & (point <= 4 * degree) for point in points]
    return (place * (length + 1) == scaled) & torch.stack(live).any(0)


def kink_counts(length: Tensor, degree: Tensor, mlp: Trapezoid) -> Tensor:
    """How many weights put the inactive rows on a kink, int64, for T and D of many sizes at once, all (B,)."""
    weight = torch.arange(int(length.max()) + 1, device=length.device)
    hits = on_kink(length[:, None], degree[:, None], weight, mlp) & (weight <= length[:, None])
    return hits.sum(-1)


def nearest_kink(s: Tensor, degree: Tensor, mlp: Trapezoid) -> Tensor:
    """The breakpoint of a live unit nearest to s, float64, (B,), from the biases of the MLPs of degrees (B,)."""
    _, bias, output = units(degree, mlp)
    distance = (s[:, None] + bias).abs().where(output != 0, torch.inf)
    return -bias.gather(1, distance.argmin(1, keepdim=True))[:, 0]


def plateau_violations(max_length: int, mlp: Trapezoid, *, scale: int = 2) -> tuple[Tensor, Tensor]:
    """The sizes at which layer 1 carries an active row over, or exactly onto, a kink for some input; λ a whole number.

    The violating and the touching pairs (T, D) with 2 <= T <= max_length and 1 <= D <= T, int64, each (K, 2).

    Raises:
        InputError: when an argument is none of these, or integers of 64 bits do not hold the numbers.
    """
    _check(max_length, mlp)
    _check_integers(max_length, scale)
    numbers = torch.arange(max_length + 1)
    length, degree = numbers[2:, None], numbers[1:]
    idle, shifts = plateau_shifts(length, degree, degree, mlp)
    total = degree * length**scale + idle
    excess = torch.stack([4 * shift - room * total for shift, room in shifts]).amax(0)
    inside = degree <= length
    return _pairs((excess > 0) & inside), _pairs((excess == 0) & inside)


def plateau_shifts(
    length: Whole, size: Whole, degree: Whole, mlp: Trapezoid, *, negative: bool = False
) -> tuple[Whole, list[tuple[Whole, Whole]]]:
    """How far layer 1 carries an active row from k/D at worst, and how far the next kink is; of integers or tensors.

    The row reads (k T^λ + r) / (D T^λ + o) with k ones inside its set, r outside and o for the rows that share the rest
    of its attention. The next kink is 1/(4D) away from even k, where g = 1, and 2/(4D) (steep) or 1/(4D) (wide) from
    odd k; a negative coefficient reads one grid step further. The shift falls with k and grows with r, so that the two
    smallest k with all others one and the two largest with none decide.

    Returns o, and for each of the four cases the shift times D (D T^λ + o) and the room in units of 1/(4D): the row
    lies on a kink where 4 · shift = room · (D T^λ + o), and beyond it where the left side is larger.
    """
    others = length - size
    idle = others + (size == degree)
    shifts = [(k, degree * others - k * idle) for k in (0, 1)] + [(k, k * idle) for k in (size - 1, size)]
    beyond_even = 3 - OFFSETS[mlp][3]
    return idle, [(shift, 1 + beyond_even * ((k + negative) % 2)) for k, shift in shifts]


def _pairs(chosen: Tensor) -> Tensor:
    """The pairs (T, D) of a table whose rows start at T = 2 and whose columns start at D = 1."""
    return chosen.nonzero() + torch.tensor([2, 1])


def _check(length: object, mlp: object) -> None:
    """Raise InputError unless the length is an integer of at least 2 and the trapezoid known."""
    if type(length) is not int or length < 2:
        raise InputError("length", "an integer of at least 2", repr(length), "give the number of input bits")
    if mlp not in OFFSETS:
        raise InputError("mlp", " or ".join(OFFSETS), repr(mlp), "name the trapezoid")


def _check_integers(length: int, scale: object) -> None:
    """Raise InputError unless λ is a positive integer for which every number here fits into 64 bits."""
    if type(scale) is not int or scale < 1:
        raise InputError("scale", "a positive integer", repr(scale), "the paper has 2")
    if 4 * length * (length**scale + length + 1) >= _INT64:
        raise InputError("scale", "numbers below 2^63", f"T = {length}, λ = {scale}", "lower the length or λ")
