"""The binary relative entropy kl(q‖p) and its inverse, vectorised and differentiable.

kl(q‖p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)) is between Bernoulli laws. Its inverse is the largest risk that a
relative-entropy bound leaves possible, sup{p : kl(q‖p) ≤ b}.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from boundaudit import InputError

_TINY = 1e-320
_STEPS = 24
"""Newton steps from above: kl is convex in p, so each stays above the root; a dozen reach it."""


def binary_kl(q: Tensor | float, p: Tensor | float) -> Tensor:
    """kl(q‖p), elementwise.

    Example:
        >>> round(float(binary_kl(0.5, 0.25)), 6)
        0.143841

    Args:
        q: first probability, any shape that broadcasts.
        p: second probability.

    Returns:
        float64, at least 0; infinite where p is 0 or 1 and q is not.

    Raises:
        InputError: for a value outside [0, 1].
    """
    return _kl(*_pair(q, p, "p", 1.0))


def inverse_binary_kl(q: Tensor | float, budget: Tensor | float) -> Tensor:
    """The largest p in [q, 1] with kl(q‖p) ≤ budget, elementwise: the upper end of a bracket of neighbouring floats.

    Gradients flow to both arguments. `certified_inverse` gives an end that is certain in ball arithmetic.

    Example:
        >>> round(float(inverse_binary_kl(0.25, binary_kl(0.25, 0.5))), 6)
        0.5

    Args:
        q: probability, any shape that broadcasts.
        budget: the bound on the relative entropy, at least 0.

    Returns:
        float64.

    Raises:
        InputError: for q outside [0, 1] or a negative budget.
    """
    return _Inverse.apply(*_pair(q, budget, "budget", torch.inf))  # type: ignore[no-untyped-call,no-any-return]


def _pair(q: Tensor | float, other: Tensor | float, name: str, largest: float) -> tuple[Tensor, Tensor]:
    """Both arguments as float64 of one shape."""
    first, second = torch.as_tensor(q, dtype=torch.float64), torch.as_tensor(other, dtype=torch.float64)
    for field, value, high in (("q", first, 1.0), (name, second, largest)):
        if not bool(((value >= 0) & (value <= high)).all()):
            raise InputError(field, f"numbers from 0 to {high:g}", "others", f"correct {field}")
    first, second = torch.broadcast_tensors(first, second)  # type: ignore[no-untyped-call]
    return first, second


def _kl(q: Tensor, p: Tensor) -> Tensor:
    """As q g((p-q)/q) + (1-q) g((q-p)/(1-q)) with g(x) = x - ln(1+x) ≥ 0, so that nothing cancels near p = q."""
    return (_share(q, p, p - q) + _share(1 - q, 1 - p, q - p)).clamp_min(0)


def _share(share: Tensor, other: Tensor, gap: Tensor) -> Tensor:
    """Share · g(gap/share), by the quotient's logarithm where the two are far apart, as 1 + gap/share then cancels."""
    near = gap.abs() <= share / 2
    ratio = torch.where(near, gap / share.clamp_min(_TINY), 0)
    far = torch.where(near | (share == 0), 0, other.log() - share.log())
    return gap - share * torch.where(near, torch.log1p(ratio), far)


class _Inverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, q: Tensor, budget: Tensor) -> Tensor:
        none = -torch.expm1(-budget)
        entropy = -torch.xlogy(q, q) - torch.xlogy(1 - q, 1 - q)
        above = -torch.expm1(-(budget + entropy) / (1 - q).clamp_min(_TINY))
        p = torch.minimum(q + torch.sqrt(2 * q * budget) + 2 * budget, above)
        for _ in range(_STEPS):
            step = (_kl(q, p) - budget) * p * (1 - p) / (p - q)
            p = torch.where(step > 0, p - step, p).maximum(q)
        found = torch.where(q > 0, p, none)
        ctx.save_for_backward(q, found)
        return found

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor]:
        q, p = ctx.saved_tensors
        by_budget = p * (1 - p) / (p - q)
        odds = torch.log(q) + torch.log1p(-p) - torch.log(p) - torch.log1p(-q)
        return upstream[0] * -by_budget * odds, upstream[0] * by_budget
