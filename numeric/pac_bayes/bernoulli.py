"""The binary relative entropy kl(q‖p) and its inverse, vectorised and differentiable.

kl(q‖p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)) is between Bernoulli laws. Its inverse is the largest risk that a
relative-entropy bound leaves possible, sup{p : kl(q‖p) ≤ b}, with the derivatives

    ∂p/∂b = p (1-p)/(p-q)   and   ∂p/∂q = ∂p/∂b (ln(p/q) + ln((1-q)/(1-p))).

They end at 0, at infinity or nowhere on the border of the range; `inverse_binary_kl` says what is returned there.
"""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import ArrayLike
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.tensors import as_float64, every

_LEAST = torch.finfo(torch.float64).tiny
"""What divides in place of 0: its inverse is a float."""
_MOST = 1e300
"""Where the logarithm of such an inverse ends: some versions of PyTorch say that it is infinite from 1e307 on."""
_STEPS = 24
"""The most Newton steps from above: kl is convex in p, so each stays above the root; a dozen reach it."""

_FLAT, _STEEP = 2.0**-10, 2.0**26
"""The least and the largest ∂p/∂b: less is only where p > 1 - 2⁻¹⁰, more only where p - q < 2⁻²⁶ p (1-p)."""
_FAR = 2.0**-53
"""The least q/p in ln(p/q)."""
_LARGEST_LOG = 700.0
"""The largest ln((1-q)/(1-p)): its exponential is a float."""


def binary_kl(q: Tensor | ArrayLike, p: Tensor | ArrayLike) -> Tensor:
    """kl(q‖p), elementwise: float64, at least 0; infinite where p is 0 or 1 and q is not.

    Raises:
        InputError: for a value outside [0, 1].

    Example:
        >>> round(float(binary_kl(0.5, 0.25)), 6)
        0.143841
    """
    return _kl(*_pair(q, p, "p", 1.0))


def inverse_binary_kl(q: Tensor | ArrayLike, budget: Tensor | ArrayLike) -> Tensor:
    """The largest p in [q, 1] with kl(q‖p) ≤ budget, elementwise, float64.

    It is no upper end: it lies on either side of the exact inverse, within a relative error of 2⁻⁵⁰ (less than 5 · 2⁻⁵³
    on 10⁵ points against ball arithmetic). `certified_inverse` gives an end that is certain.

    Gradients flow to both arguments, of any order, and through `torch.func`. They are finite everywhere, and the exact
    ones but where those are of no use: ∂p/∂b is at least 2⁻¹⁰ (p near 1, where a bound says nothing and training on it
    would stand still) and at most 2²⁶ (p near q); in ∂p/∂q, which is infinite at q = 0, p/q counts as at most 2⁵³.
    Where p is q but for 2⁻²⁶ p (1-p), ∂p/∂q is its limit, 1.

    Raises:
        InputError: for q outside [0, 1] or a negative budget.

    Example:
        >>> round(float(inverse_binary_kl(0.25, binary_kl(0.25, 0.5))), 6)
        0.5
    """
    return _Inverse.apply(*_pair(q, budget, "budget", torch.inf))  # type: ignore[no-untyped-call,no-any-return]


def _pair(q: Tensor | ArrayLike, other: Tensor | ArrayLike, name: str, largest: float) -> tuple[Tensor, Tensor]:
    """Both arguments as float64 of one shape, on the device of the tensor among them."""
    device = next((value.device for value in (q, other) if isinstance(value, Tensor)), None)
    first, second = (as_float64(value, device) for value in (q, other))
    for field, value, high in (("q", first, 1.0), (name, second, largest)):
        if not every((value >= 0) & (value <= high)):
            raise InputError(field, f"numbers from 0 to {high:g}", "others", f"correct {field}")
    first, second = torch.broadcast_tensors(first, second)  # type: ignore[no-untyped-call]
    return first, second


def _kl(q: Tensor, p: Tensor) -> Tensor:
    """As q g((p-q)/q) + (1-q) g((q-p)/(1-q)) with g(x) = x - ln(1+x) ≥ 0, so that nothing cancels near p = q."""
    return (_share(q, p, p - q) + _share(1 - q, 1 - p, q - p)).clamp_min(0)


def _share(share: Tensor, other: Tensor, gap: Tensor) -> Tensor:
    """Share · g(gap/share), by the quotient's logarithm below 1/2, as 1 + gap/share then cancels."""
    least = share.clamp_min(_LEAST)
    quotient = torch.where(share > 0, other / least, 1)
    return gap - share * (torch.log1p((gap / least).clamp(-0.5, _MOST)) + torch.log(2 * quotient.clamp_max(0.5)))


class _Inverse(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(q: Tensor, budget: Tensor) -> Tensor:
        none = -torch.expm1(-budget)
        entropy = -torch.xlogy(q, q) - torch.xlogy(1 - q, 1 - q)
        above = -torch.expm1(-(budget + entropy) / (1 - q).clamp_min(_LEAST))
        p = torch.minimum(q + torch.sqrt(2 * q) * budget.sqrt() + 2 * budget, above)
        for _ in range(_STEPS):
            step = (_kl(q, p) - budget) * (p * (1 - p) / (p - q))
            before, p = p, torch.where(step > 0, p - step, p).maximum(q)
            if every(p == before):
                break
        return torch.where(q > 0, p, none)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs, output)
        ctx.save_for_forward(*inputs, output)

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, Tensor]:
        by_q, by_budget = _slopes(*ctx.saved_tensors)
        return upstream[0] * by_q, upstream[0] * by_budget

    @staticmethod
    def jvp(ctx: Any, *tangents: Tensor) -> Tensor:
        by_q, by_budget = _slopes(*ctx.saved_tensors)
        return tangents[0] * by_q + tangents[1] * by_budget


def _slopes(q: Tensor, budget: Tensor, p: Tensor) -> tuple[Tensor, Tensor]:
    """∂p/∂q and ∂p/∂b; 1-p by way of kl(q‖p) = b, as p itself may be 1 when rounded."""
    gap = p - q
    errors = torch.log1p(gap / q.maximum(_FAR * p).clamp_min(_LEAST))
    rest = ((budget + q * errors) / (1 - q).clamp_min(_LEAST)).clamp_max(_LARGEST_LOG)
    beyond = (1 - q) * torch.exp(-rest)
    over = torch.where(q > 0, p / gap.clamp_min(_LEAST), 1)
    by_budget = (beyond * over).clamp(_FLAT, _STEEP)
    return torch.where(gap * _STEEP > p * beyond, by_budget * (errors + rest), 1), by_budget
