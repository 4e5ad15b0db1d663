"""Losses and their proximal maps: closed forms where there are, else by the loss's own derivative.

The score of a label y at a field ω with variance V is f = (prox(ω) - ω)/V, where prox(ω) minimises
ℓ(y, z) + (z - ω)²/(2V) over z.
"""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.generalized_linear.model import Function, Model

_MOST, _STEPS, _SMALL = 80, 12, 1e-13
_SEED, _TRIED, _AROUND, _ROUNDING = 7, 400, 41, 1e-7


def value(loss: str | Function, y: Tensor, z: Tensor) -> Tensor:
    """ℓ(y, z), elementwise."""
    if not isinstance(loss, str):
        return loss(y, z)
    if loss == "square":
        return (y - z) ** 2
    if loss == "absolute":
        return (y - z).abs()
    return torch.nn.functional.softplus(-y * z) if loss == "logistic" else (1 - y * z).clamp_min(0)


def proximal(loss: str | Function, y: Tensor, omega: Tensor, variance: Tensor) -> Tensor:
    """The z that minimises ℓ(y, z) + (z - ω)²/(2V), elementwise, for a known loss or a convex function, V > 0."""
    if loss == "square":
        return (omega + 2 * variance * y) / (1 + 2 * variance)
    if loss == "absolute":
        return omega + (y - omega).clamp(-variance, variance)
    if loss == "hinge":
        return omega + y * torch.minimum((1 - y * omega).clamp_min(0), variance.expand_as(omega))
    if loss == "logistic":
        return _newton(y, omega, variance)
    assert not isinstance(loss, str)
    return _searched(loss, y, omega, variance)


def _newton(y: Tensor, omega: Tensor, variance: Tensor) -> Tensor:
    """The logistic one: the shift s of a margin solves s = V σ(-m - s), between 0 and V."""
    margin = y * omega
    low, high = torch.zeros_like(margin), variance.expand_as(margin)
    shift = high * torch.sigmoid(-margin - high / 2)
    for _ in range(_STEPS):
        share = torch.sigmoid(-margin - shift)
        gap = shift - variance * share
        low, high = torch.where(gap < 0, shift, low), torch.where(gap < 0, high, shift)
        fresh = shift - gap / (1 + variance * share * (1 - share))
        shift = torch.where((fresh >= low) & (fresh <= high), fresh, (low + high) / 2)
    return omega + y * shift


def _slopes(loss: Function, y: Tensor, z: Tensor) -> tuple[Tensor, Tensor]:
    """ℓ' and ℓ'' of a user's function; a second derivative that torch does not know is zero."""
    with torch.enable_grad():
        place = z.detach().requires_grad_()
        (first,) = torch.autograd.grad(loss(y, place).sum(), place, create_graph=True)
        if not first.requires_grad:
            return first.detach(), torch.zeros_like(place)
        (second,) = torch.autograd.grad(first.sum(), place, allow_unused=True)
    return first.detach(), torch.zeros_like(z) if second is None else second


def _searched(loss: Function, y: Tensor, omega: Tensor, variance: Tensor) -> Tensor:
    """Where ℓ' + (z - ω)/V, which rises, is zero, between ω and ω - V ℓ'(ω): Newton's method, or halves."""
    z, variance = omega, variance.expand_as(omega)
    first, second = _slopes(loss, y, z)
    low, high = (pick(omega, omega - variance * first) for pick in (torch.minimum, torch.maximum))
    length, going = high - low, torch.ones_like(z, dtype=torch.bool)
    for _ in range(_MOST):
        gap, slope = first + (z - omega) / variance, second + 1 / variance
        low, high = torch.where(gap > 0, low, z), torch.where(gap > 0, z, high)
        fresh = z - gap / slope
        slow = (2 * gap.abs() > length * slope) | (fresh < low) | (fresh > high)
        fresh = torch.where(slow, (low + high) / 2, fresh)
        going = going & (length > _SMALL * (1 + z.abs()))
        if not bool(going.any()):
            break
        length, z = (fresh - z).abs(), torch.where(going, fresh, z)
        first, second = _slopes(loss, y, z)
    return z


def check_proximal(model: Model) -> None:
    """Hold the proximal map against the loss itself at random places: it must be where the sum is least.

    Raises:
        InputError: where it is not, as for a loss that is not convex.
    """
    generator = torch.Generator().manual_seed(_SEED)
    y, omega, scale = (3 * torch.randn(_TRIED, generator=generator, dtype=torch.float64) for _ in range(3))
    y, variance = y.sign() if model.channel in ("sign", "softmax") else y, scale.abs() + 0.1
    found = proximal(model.loss, y, omega, variance)
    reach = 2 * (found - omega).abs() + 1
    places = found + reach * torch.linspace(-1, 1, _AROUND, dtype=torch.float64)[:, None]

    def total(z: Tensor) -> Tensor:
        return value(model.loss, y.expand_as(z), z) + (z - omega) ** 2 / (2 * variance)

    least, here = total(places).amin(0), total(found[None])[0]
    if not bool((here <= least + _ROUNDING * (1 + least.abs())).all()):
        worst = float((here - least).max())
        raise InputError("loss", "a function convex in z", f"a lower value, by {worst:.2g}", "give a convex loss")
