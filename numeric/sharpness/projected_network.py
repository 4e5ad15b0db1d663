"""The construction behind a random projection of its positions (Lintilhac & Shaikh 2026, Appendix B.2).

J has a block of independent N(0, 1/d) entries for the T+1 positions and a single 1 for the data channel; tokens become
Jᵀx and every weight is taken along. Then the data channel is exact, and all that the projection changes are the two
attention maps, which depend on J through the positions' Gram matrix G = J_pos J_posᵀ alone:

* layer 1: the logit of key j for query t is 2 log T Σ_b Σ_{a in S_b} G_ja G_bt;
* layer 2: the logit of key t is Σ_b G_tb (log c_b + 2 log T) G_oo, o the output position.

Neither depends on the input bits, so one draw of J is one pair of attention maps. Rows and keys count all T+1
positions, the output position last. R is the number of draws; every ``seed`` draws on the CPU, the same for all
devices. Derived here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.sharpness.mlp import Trapezoid, response
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target, TargetBatch

TRAPEZOIDS: tuple[Trapezoid, Trapezoid] = ("steep", "wide")

CHUNK = 2**21
"""Hidden units (draws x positions x inputs x units) held at once: 16 MiB of float64."""


class Attention(NamedTuple):
    """The attention maps of a projected network, for many draws of J."""

    first: Tensor  # layer 1 by query and key, (R, T+1, T+1)
    second: Tensor  # layer 2 of the output position by key, (R, T+1)


def gram(length: int, width: int, draws: int, seed: int, device: str) -> Tensor:
    """Gram matrices of the projected positions for R draws of J with d columns, (R, T+1, T+1); d times one is Wishart.

    Narrow projections are drawn entry by entry, wide ones through Bartlett's decomposition, whose cost does not depend
    on the width; both have exactly the same law.
    """
    generator = np.random.default_rng(seed)
    n = length + 1
    columns = min(n, width)
    factor = generator.standard_normal((draws, n, columns))
    if width > n:
        factor = np.tril(factor, -1)
        diagonal = np.arange(n)
        factor[:, diagonal, diagonal] = np.sqrt(generator.chisquare(width - diagonal, (draws, n)))
    root = torch.from_numpy(factor).to(device)
    return root @ root.mT / width


def relation(batch: TargetBatch) -> Tensor:
    """N[a, b] = 1 where key a lies in S_b, the component of row b, else 0, shape (B, T_max+1, T_max+1)."""
    size = batch.max_length + 1
    padded = torch.zeros(len(batch), size, size, dtype=torch.float64, device=batch.device)
    padded[:, :-1, : batch.max_sparsity] = batch.members.double().mT
    return padded


def first_logits(batch: TargetBatch, products: Tensor) -> Tensor:
    """Layer 1's logits over 2 log T by key and query, ideally N, shaped as the Gram matrices; one target serves all."""
    return products @ relation(batch) @ products


def second_weights(batch: TargetBatch) -> Tensor:
    """Logits of layer 2 for the output position without projection by key, log c_t + 2 log T, shape (B, T_max+1)."""
    ideal = torch.zeros(len(batch), batch.max_length + 1, dtype=torch.float64, device=batch.device)
    logits = batch.coefficients.log() + 2 * batch.length.double().log()[:, None]
    ideal[:, : batch.max_sparsity] = torch.where(batch.active, logits, 0.0)
    return ideal


def second_logits(batch: TargetBatch, products: Tensor) -> Tensor:
    """The logits of layer 2 for the output position by key, (B, T_max+1), from Gram matrices (B, T_max+1, T_max+1)."""
    return (products @ second_weights(batch)[..., None])[..., 0] * products[:, -1, -1:]


def projected_weights(target: Target, products: Tensor) -> Attention:
    """The attention maps that a projected network has on every input, from Gram matrices (R, T+1, T+1)."""
    batch = TargetBatch.stack([target], device=products.device)
    logits = 2 * math.log(target.length) * first_logits(batch, products)
    return Attention(torch.softmax(logits.mT, dim=-1), torch.softmax(second_logits(batch, products), dim=-1))


def projected_outputs(
    target: Target, attention: Attention, bits: Tensor, *, mlp: Trapezoid = "steep", chunk: int = CHUNK
) -> Tensor:
    """The outputs (R, N) of projected networks on 0/1 inputs (N, T), `chunk` hidden units at once or one draw."""
    degree = torch.tensor([target.degree], device=bits.device)
    keys = bits.double().mT
    held = keys.numel() * 4 * (target.degree + 1)
    some = max(1, chunk // held)
    outputs = []
    for first, second in zip(torch.split(attention.first, some), torch.split(attention.second, some), strict=True):
        averaged = first[..., :-1] @ keys
        parity = response(averaged[None], degree, mlp)[0]
        outputs.append(target.coefficient_sum * (second[:, None] @ parity)[:, 0])
    return torch.cat(outputs)


def worst_shifts(target: Target, attention: Attention) -> Tensor:
    """How far each component's averaged bit can move from its share of ones, over all inputs, shape (R, ω).

    With δ_j = A1[t, j] - 1[j in S_t]/D the shift on an input z is Σ δ_j z_j, so the worst one is the sum of the
    positive or of the negative δ_j.
    """
    batch = TargetBatch.stack([target], device=attention.first.device)
    ideal = relation(batch).mT / target.degree
    delta = (attention.first - ideal)[:, : target.sparsity, :-1]
    return torch.maximum(delta.clamp(min=0).sum(-1), (-delta).clamp(min=0).sum(-1))


def on_plateau(target: Target, attention: Attention) -> Tensor:
    """Which components stay within 1/(4D) of their grid point on every input, bool, shape (R, ω).

    Both trapezoids are flat there, so that the MLP returns exact parities.
    """
    return worst_shifts(target, attention) <= 1 / (4 * target.degree)


def plateau_share(target: Target, attention: Attention) -> Tensor:
    """The share of components that stay on their plateau on every input, shape (R,)."""
    return on_plateau(target, attention).double().mean(-1)


def second_distance(target: Target, attention: Attention) -> Tensor:
    """The total variation between layer 2's attention and its limit c_t/C, shape (R,).

    Where every component stays on its plateau, the output is a mean of parities and of numbers in [0, 1], so C times
    this distance bounds its error on every input.
    """
    ideal = torch.zeros_like(attention.second[0])
    ideal[: target.sparsity] = ideal.new_tensor(target.coefficients) / target.coefficient_sum
    return (attention.second - ideal).abs().sum(-1) / 2


def certainly_close(target: Target, attention: Attention, share: float) -> Tensor:
    """Whether all components stay on their plateaus and the error within a share of C, on every input; bool, (R,)."""
    return on_plateau(target, attention).all(-1) & (second_distance(target, attention) <= share)


def errors(target: Target, attention: Attention, bits: Tensor, *, mlp: Trapezoid = "steep") -> Tensor:
    """Absolute errors of projected networks on 0/1 inputs (N, T), over C, shape (R, N)."""
    wanted = evaluate(target, bits)
    return (projected_outputs(target, attention, bits, mlp=mlp) - wanted).abs() / target.coefficient_sum


def products_off(length: int, width: int, error: float, *, draws: int, seed: int, device: str) -> int:
    """In how many draws of J with d columns any of the products is off by more than an error."""
    products = gram(length, width, draws, seed, device)
    identity = torch.eye(length + 1, dtype=torch.float64, device=device)
    return int(((products - identity).abs() > error).flatten(1).any(-1).sum())


def far_off(target: Target, width: int, share: float, *, inputs: Tensor, draws: int, seed: int) -> int:
    """In how many draws of J with d columns the error exceeds a share of C on an input (N, T), for either trapezoid."""
    attention = projected_weights(target, gram(target.length, width, draws, seed, str(inputs.device)))
    steep, wide = (errors(target, attention, inputs, mlp=mlp).amax(-1) > share for mlp in TRAPEZOIDS)
    return int((steep & wide).sum())


def not_close(target: Target, width: int, share: float, *, draws: int, seed: int, device: str) -> int:
    """In how many draws of J with d columns `certainly_close` fails."""
    attention = projected_weights(target, gram(target.length, width, draws, seed, device))
    return int((~certainly_close(target, attention, share)).sum())
