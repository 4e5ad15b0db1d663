"""The rows of the construction by kind: what layer 1 and the MLP make of a row that sees so many ones.

The attention weights of the construction do not depend on the bits (Lintilhac & Shaikh 2026, Appendix B). A row of a
component therefore depends on the ones k in its set and on the ones n in the whole input, every other row on n alone:
rows fall into D+2 kinds, k = 0…D and the unused one.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.sharpness.choices import IDEAL, Layout, check_scale
from boundaudit.numeric.sharpness.mlp import Trapezoid, Units, units
from boundaudit.numeric.sharpness.target import TargetBatch

CLOSE = 1e-13
"""A unit whose argument is this close to zero sits on its kink, up to rounding."""


class Kinds(NamedTuple):
    """Every kind of row, K = D_max + 2 of them, at W weights of the input each."""

    s: Tensor  # mean of the bits that the row sees, (B, W, K)
    hidden: Tensor  # the hidden units, (B, W, K, H)
    on: Tensor  # whether a unit is active, as 0 or 1, (B, W, K, H)
    g: Tensor  # output of the MLP, (B, W, K)
    slope: Tensor  # its derivative, (B, W, K)
    spread: Tensor  # Σ_j A_j² (z_j - s)² over the keys, A the row's attention, (B, W, K)
    skew: Tensor  # Σ_j A_j² (z_j - s), (B, W, K)
    kink: Tensor  # whether a live unit sits on its kink, bool, (B, W, K)


class Attention(NamedTuple):
    """Both softmaxes of the construction, which no bit changes."""

    member: Tensor  # weight of an active row on a position of its set, (B,)
    other: Tensor  # weight of an active row on any other position, (B,)
    uniform: Tensor  # weight of an unused row on any position, (B,)
    active: Tensor  # weight of layer 2 on each active row, zero beyond ω, (B, w)
    unused: Tensor  # weight of layer 2 on each unused row, (B,)
    logits: Tensor  # layer 2's logit of each active row, zero beyond ω, (B, w)


def check_layout(batch: TargetBatch, layout: Layout) -> None:
    """Raise InputError for the extended layout, a negative coefficient or sets of several sizes, not described here."""
    if layout == "extended" or bool((batch.coefficients < 0).any()) or bool((batch.room > 0).any()):
        got = f"{layout}, or a target that only the extension carries"
        raise InputError("layout", "published or separate, one set size, positive coefficients", got, "use autodiff")


def attention(batch: TargetBatch, scale: float) -> Attention:
    """The attention weights (Appendix B, Equations 3 to 8); at infinite scale ideal, with the logits of λ = 2."""
    check_scale(scale)
    length, degree = batch.length.double(), batch.degree.double()
    q = length.pow(-scale)
    first, second = degree + q * (length + 1 - degree), batch.absolute_sum + q * (length + 1 - batch.sparsity)
    power = 2.0 if scale == IDEAL else scale
    logits = torch.where(batch.active, batch.coefficients.log() + power * length.log()[:, None], 0.0)
    return Attention(1 / first, q / first, 1 / (length + 1), batch.coefficients / second[:, None], q / second, logits)


def kinds(
    batch: TargetBatch, weight: Tensor, *, mlp: Trapezoid = "steep", scale: float = 2.0, pruned: bool = False
) -> Kinds:
    """What every kind of row carries, k = 0…D_max, then the unused row, at numbers of ones (B, W), possible or not."""
    weights = attention(batch, scale)
    k = torch.arange(int(batch.degree.max()) + 1, device=batch.device).double()
    ones, length, degree = weight.double()[:, :, None], _tall(batch.length.double()), _tall(batch.degree.double())
    member, other, uniform = _tall(weights.member), _tall(weights.other), _tall(weights.uniform)
    s = torch.cat([member * k + other * (ones - k), uniform * ones], dim=-1)
    zeros = torch.cat(
        [member**2 * (degree - k) + other**2 * (length + 1 - degree - ones + k), uniform**2 * (length + 1 - ones)], -1
    )
    held = torch.cat([member**2 * k + other**2 * (ones - k), uniform**2 * ones], dim=-1)
    mlp_units: Units = units(batch.degree, mlp, pruned=pruned)
    argument = s[..., None] + mlp_units.bias[:, None, None]
    real = mlp_units.real[:, None, None]
    output = mlp_units.output[:, None, None]
    hidden, on = torch.where(real, argument.relu(), 0.0), ((argument > 0) & real).double()
    return Kinds(
        s, hidden, on, (hidden * output).sum(-1), (on * output).sum(-1),
        held * (1 - s) ** 2 + zeros * s**2, held * (1 - s) - zeros * s,
        ((argument.abs() < CLOSE) & (output != 0)).any(-1),
    )  # fmt: skip


def _tall(numbers: Tensor) -> Tensor:
    """One number for each target, broadcastable to (B, W, K)."""
    return numbers[:, None, None]
