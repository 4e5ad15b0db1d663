"""Theorem 9: the MLP that interpolates even parity on the grid {0, 1/D, ..., 1}.

Every grid point h_i = i/D owns four hidden units, a quadruple, whose breakpoints stand at h_i + o/(4D). Two sets of
offsets o fit the surviving text and both interpolate exactly on the grid (Lintilhac & Shaikh 2026, Appendix B.4, two
readings):

* steep: -2, -1, +1, +2 with output weights 4D m(h_i) (+, -, -, +);
* wide:  -3, -1, +1, +3 with output weights 2D m(h_i) (+, -, -, +),

where m(h_i) is 1 for even i and 0 for odd i, so that odd quadruples are dead. The pruned MLP leaves them out: the same
function from 4(⌊D/2⌋ + 1) units. Degrees are int64, (B,).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.choices import Trapezoid as Trapezoid

OFFSETS: dict[Trapezoid, tuple[int, int, int, int]] = {"steep": (-2, -1, 1, 2), "wide": (-3, -1, 1, 3)}
SIGNS = (1, -1, -1, 1)


class Units(NamedTuple):
    """The hidden units of a batch of MLPs, padded to those of D_max."""

    real: Tensor  # whether a unit exists for this degree and is not padding, bool, (B, H)
    bias: Tensor  # Gamma, (B, H)
    output: Tensor  # the output weights (the data column of F), (B, H)


def units(degree: Tensor, mlp: Trapezoid, *, pruned: bool = False) -> Units:
    """Hidden units, 4(D_max + 1), pruned 4(⌊D_max/2⌋ + 1); unit 4i + o belongs to grid point i/D, pruned to 2i/D."""
    grid = torch.arange(0, int(degree.max()) + 1, 2 if pruned else 1, device=degree.device)
    d = degree[:, None, None].double()
    offsets = torch.tensor(OFFSETS[mlp], dtype=torch.float64, device=degree.device)
    real = (grid <= degree[:, None])[:, :, None].expand(-1, -1, 4)
    even = (grid % 2 == 0)[:, None]
    # Reach of the flanks: an offset of 2 rises at slope 4D, one of 3 at slope 2D.
    slope = 4 * d / (offsets[3] - offsets[2])
    signs = torch.tensor(SIGNS, dtype=torch.float64, device=degree.device)
    bias = torch.where(real, -(4 * grid[:, None] + offsets) / (4 * d), 0.0)
    output = torch.where(real & even, slope * signs, 0.0)
    return Units(real.flatten(1), bias.flatten(1), output.flatten(1))


def response(s: Tensor, degree: Tensor, mlp: Trapezoid) -> Tensor:
    """The MLP's scalar output g(s) = sum_j F_j relu(s + Gamma_j), in the shape of s, float64, (B, ...)."""
    _, bias, output = units(degree, mlp)
    flat = s.flatten(1)
    hidden = torch.relu(flat[:, :, None] + bias[:, None, :])
    return (hidden @ output[:, :, None]).reshape(s.shape)


def breakpoints(degree: int, mlp: Trapezoid) -> Tensor:
    """Where g may change its slope: the breakpoints of the live units, rising, float64, shape (4(⌊D/2⌋ + 1),)."""
    _, bias, output = units(torch.tensor([degree]), mlp)
    return (-bias[output != 0]).sort().values


def slopes(degree: int, mlp: Trapezoid) -> Tensor:
    """The slope of g on each piece from left to right, (4(⌊D/2⌋ + 1) + 1,), from differences over the whole piece.

    g is affine between neighbouring breakpoints, so these differences are its slopes up to rounding; the first and last
    piece reach one unit beyond the breakpoints.
    """
    inner = breakpoints(degree, mlp)
    ends = torch.cat([inner[:1] - 1, inner, inner[-1:] + 1])
    values = response(ends[None], torch.tensor([degree]), mlp)[0]
    return values.diff() / ends.diff()


def unit_counts(degree: Tensor, mlp: Trapezoid) -> tuple[Tensor, Tensor]:
    """How many units act on the output and how many are dead (output weight zero), int64, each (B,)."""
    real, _, output = units(degree, mlp)
    live = (output != 0).sum(-1)
    return live, real.sum(-1) - live
