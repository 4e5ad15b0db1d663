"""Draws of outputs: in the limit, exactly at any width by matrices of the tokens' size, and of all weight matrices."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.infinite_width.layer import LayerLaw
from boundaudit.numeric.infinite_width.one_output import Inputs

_HELD = 2**25
"""Weights that are held at once."""


class Draws(NamedTuple):
    """Independent draws of a layer: scores (draws, H, s, s), and outputs that share them (draws, coordinates, s)."""

    scores: Tensor
    outputs: Tensor


def limit_outputs(law: LayerLaw, draws: int, seed: int, *, coordinates: int = 1, device: str = "cpu") -> Draws:
    """Draws at infinite width, made on a device, of some coordinates of each output."""
    normal, root = _Normal(seed, device), law.root.to(device)
    scores = math.sqrt(law.score_variance) * root @ normal(draws, law.heads, law.tokens, law.tokens) @ root.mT
    return Draws(scores, _gaussian(law, scores.softmax(-1) @ root, normal, coordinates))


def exact_outputs(
    law: LayerLaw, width: int, draws: int, seed: int, *, inputs: Inputs, coordinates: int = 1, device: str = "cpu"
) -> Draws:  # fmt: skip
    """Draws at a finite width, from their exact law: s × s matrices and chi-squares (Bartlett's decomposition).

    Chi-squares are drawn on the CPU, the rest on the device.

    Raises:
        InputError: for a width below the number of tokens.
    """
    s = law.tokens
    if width < s:
        raise InputError("width", f"at least the number of tokens, {s}", width, "use a wider layer")
    normal, rng = _Normal(seed, device), np.random.default_rng(seed)

    def factor(*shape: int, degrees: int) -> Tensor:
        """F with F Fᵀ a Wishart matrix over its degrees of freedom."""
        lower = normal(*shape, s, s).tril(-1)
        squares = rng.chisquare(degrees - np.arange(s), (*shape, s))
        return (lower + torch.diag_embed(torch.from_numpy(squares).sqrt().to(device))) / math.sqrt(degrees)

    root = law.root.to(device)
    if inputs == "features":
        hidden = torch.from_numpy(rng.chisquare(width, (draws, 1, 1, 1)) / width).to(device)
        root = hidden.sqrt() * root @ factor(draws, 1, degrees=width)
    keys, values = (factor(draws, law.heads, degrees=width) for _ in range(2))
    scores = math.sqrt(law.score_variance) * root @ normal(draws, law.heads, s, s) @ keys.mT @ root.mT
    attended = scores.softmax(-1) @ root @ values
    return Draws(scores, _gaussian(law, attended, normal, coordinates))


def simulated_outputs(
    law: LayerLaw, width: int, draws: int, seed: int, *, inputs: Inputs, coordinates: int = 1, device: str = "cpu"
) -> Draws:  # fmt: skip
    """Draws at a finite width, by drawing every weight matrix and multiplying, on a device.

    Raises:
        InputError: for a width below the number of tokens, or more coordinates than there are.
    """
    if width < max(law.tokens, coordinates):
        raise InputError("width", f"at least {max(law.tokens, coordinates)}", width, "use a wider layer")
    normal = _Normal(seed, device)
    step = max(1, _HELD // (width * width * max(1, law.tokens)))
    parts = [
        _layer(law, width, min(step, draws - start), inputs, coordinates, normal) for start in range(0, draws, step)
    ]
    return Draws(torch.cat([part.scores for part in parts]), torch.cat([part.outputs for part in parts]))


def _layer(law: LayerLaw, width: int, draws: int, inputs: Inputs, coordinates: int, normal: _Normal) -> Draws:
    """Some draws of all weights, whose entries have variance 1/width."""
    s = law.tokens
    if inputs == "fixed":
        tokens = math.sqrt(width) * torch.eye(s, width, dtype=torch.float64, device=normal.device).expand(draws, -1, -1)
    else:
        maps = normal(draws, s, width, width) / math.sqrt(width)
        tokens = (maps @ normal(draws, 1, width, 1))[..., 0]
    tokens = law.root.to(normal.device) @ tokens
    scores, output = [], torch.zeros(draws, s, width, dtype=torch.float64, device=normal.device)
    for _ in range(law.heads):
        query, key, value = (tokens @ normal(draws, width, width) / math.sqrt(width) for _ in range(3))
        scores.append(math.sqrt(law.score_variance / width) * query @ key.mT)
        output += scores[-1].softmax(-1) @ value @ normal(draws, width, width) / math.sqrt(width)
    outputs = math.sqrt(law.output_variance / law.heads) * output[..., :coordinates].mT
    return Draws(torch.stack(scores, 1), outputs)


class _Normal:
    """Standard normal tensors of one seed."""

    def __init__(self, seed: int, device: str) -> None:
        self.device = device
        self._generator = torch.Generator(device).manual_seed(seed)

    def __call__(self, *shape: int) -> Tensor:
        return torch.randn(*shape, generator=self._generator, dtype=torch.float64, device=self.device)


def _gaussian(law: LayerLaw, attended: Tensor, normal: _Normal, coordinates: int) -> Tensor:
    """Coordinates that are independent given what is attended to, F of shape (draws, H, s, s): of covariance F Fᵀ."""
    draws, heads, s, _ = attended.shape
    outputs = (normal(draws, heads, coordinates, s) @ attended.mT).sum(1)
    return math.sqrt(law.output_variance / heads) * outputs
