"""What the calculators accept, and what they raise where no solution is found."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from boundaudit import InputError


class NoConvergence(InputError):
    """A fixed point that was not reached: no value is given."""

    def __init__(self, field: str, tolerance: float, residual: float, remedy: str) -> None:
        expected = f"a setting whose equations can be solved to {tolerance:.0e}"
        super().__init__(field, expected, f"a residual of {residual:.1e}", remedy)


def curve_of(alpha: float | Sequence[float] | Tensor) -> Tensor:
    """Sample ratios as float64, shape (k); InputError for one that is not positive and finite."""
    found: Tensor = torch.as_tensor(alpha, dtype=torch.float64)
    found = found[None] if found.dim() == 0 else found
    if found.dim() != 1 or not len(found) or not bool(((found > 0) & found.isfinite()).all()):
        raise InputError("alpha", "numbers above 0", found.tolist(), "give n/d² as a positive number")
    return found


def at_least_zero(field: str, value: float) -> float:
    """A noise or penalty as it is; InputError where it is negative or not finite."""
    if not (value >= 0 and math.isfinite(value)):
        raise InputError(field, "a number of at least 0", value, f"correct the {field}")
    return float(value)


def above_zero(field: str, value: float) -> float:
    """A temperature, exponent or scale as it is; InputError where it is not positive and finite."""
    if not (value > 0 and math.isfinite(value)):
        raise InputError(field, "a number above 0", value, f"correct the {field}")
    return float(value)


def token_count(tokens: int, least: int = 1) -> int:
    """The tokens T of a sequence; InputError where they are too few."""
    if tokens < least or tokens != int(tokens):
        raise InputError("tokens", f"an integer of at least {least}", tokens, "correct the number of tokens")
    return int(tokens)


def effective_penalty(decay: float, width_ratio: float) -> float:
    """λ~ = √κ λ on Tr S of a weight decay λ ≥ 0, as ‖W‖_F² = √(p d) Tr S; InputError for κ = p/d outside (0, 1]."""
    if not 0 < width_ratio <= 1:
        raise InputError("student-ratio", "a number above 0 and at most 1", width_ratio, "correct the ratio")
    return math.sqrt(width_ratio) * at_least_zero("penalty", decay)


def check_width(width_ratio: float, rank: float) -> None:
    """Refuse a student narrower than the rank it would learn, for which the equations do not hold.

    The rank is the largest ratio 1 - F_δ(ε) that is predicted.

    Raises:
        InputError: for κ = p/d outside (0, 1], or below the rank.
    """
    effective_penalty(0.0, width_ratio)
    if width_ratio < rank:
        expected = f"at least the predicted rank ratio {rank:.4f}"
        raise InputError("student-ratio", expected, width_ratio, "give a wider student or a larger penalty")
