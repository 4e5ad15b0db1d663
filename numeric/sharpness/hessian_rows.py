"""What the rows of the network hold at one input: the lengths that bounds on its Hessian are made of (Theorem 18)."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks, Channels
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.rows import CLOSE
from boundaudit.numeric.sharpness.target import TargetBatch


def kinks(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0) -> Tensor:
    """Whether a live unit of a row with weight, or of the output position, sits on its kink.

    Args:
        blocks: the weights of B networks.
        batch: the B targets.
        bits: one input for each, shape (B, T_max).
        scale: infinity restricts both softmaxes to their intended support; else it is not read.

    Returns:
        Booleans, shape (B,).
    """
    run = trace(blocks, batch, bits[:, None], scale=scale)
    channels = Channels(batch.max_length, "published")
    argument = run.averaged[:, 0] @ blocks.M + blocks.Gamma[:, None]
    counts = run.second[:, 0] > 0
    counts[:, channels.output] = True
    touched = (argument.abs() < CLOSE) & (blocks.F[:, None, :, channels.data] != 0) & counts[..., None]
    return touched.flatten(1).any(-1)


def row_sizes(blocks: Blocks, batch: TargetBatch, bits: Tensor, *, scale: float = 2.0) -> dict[str, Tensor]:
    """The lengths of which bounds on the four parts are made, the largest over the rows where nothing else is said.

    Args:
        blocks: the weights of B networks.
        batch: the B targets.
        bits: one input for each, shape (B, T_max).
        scale: infinity restricts both softmaxes to their intended support; else it is not read.

    Returns:
        Numbers of shape (B,) by the names of the symbols of `boundaudit.derivations.sharpness.hessian_parts`.
    """
    run = trace(blocks, batch, bits[:, None], scale=scale)
    channels = Channels(batch.max_length, "published")
    data, out = channels.data, channels.output
    tokens, hidden, stream = run.tokens[:, 0], run.hidden[:, 0], run.stream[:, 0]
    a, first, s = run.second[:, 0], run.first[:, 0], run.averaged[:, 0, :, data]
    real = torch.cat([batch.real_positions, torch.ones_like(batch.real_positions[:, :1])], 1)
    on, weights, g = (hidden > 0).double(), blocks.F[:, None, :, data], stream[..., data]
    gated = on * weights
    slope = gated.sum(-1)
    logits = (stream @ blocks.W2 @ stream[:, out, :, None])[..., 0]
    total = blocks.V2[:, data]
    # What a row sees on average, and how far its average of bits moves with W1.
    seen = first @ tokens
    keys = (first * (tokens[:, None, :, channels.bit] - s[..., None])) @ tokens

    def most(numbers: Tensor) -> Tensor:
        return torch.where(real, numbers, 0.0).amax(-1)

    def apart(rows: Tensor) -> Tensor:
        squared = (rows[:, :, None] - rows[:, None]).square().sum(-1)
        return torch.where(real[:, :, None] & real[:, None], squared, 0.0).amax((-1, -2))

    weighed = torch.where(a > 0, logits, torch.nan)
    spread = weighed.nan_to_num(nan=-torch.inf).amax(-1) - weighed.nan_to_num(nan=torch.inf).amin(-1)
    used = torch.cat([batch.active, batch.active.new_zeros(len(batch), a.shape[1] - batch.max_sparsity)], 1)
    idle = torch.where(used, 0.0, a)
    mean = (a * g).sum(-1, keepdim=True)
    return {
        "total_h": total,
        "keys_h": blocks.W2[:, :, out].square().sum(-1),
        "range_h": spread,
        "token_h": most(seen.square().sum(-1) + keys.square().sum(-1) * tokens.square().sum(-1)),
        "gates_h": most(gated.square().sum(-1)),
        "rise_h": apart(gated),
        "units_h": most(on.sum(-1)),
        "length_h": most(hidden.square().sum(-1)),
        "spread_h": apart(hidden),
        "stream_h": apart(stream),
        "output_h": stream[:, out].square().sum(-1),
        "swing_h": (a * (g - mean).relu()).sum(-1),
        "slope_h": (a * slope.abs()).sum(-1),
        "worth_h": total * (a * slope.abs()).sum(-1),
        "bend_h": total**2 * (a * slope**2).sum(-1),
        "idle_slope_h": (idle * slope.abs()).sum(-1),
        "idle_worth_h": total * (idle * slope.abs()).sum(-1),
        "idle_bend_h": total**2 * (idle * slope**2).sum(-1),
        "flank_h": slope[:, out].abs(),
        "leak_h": total * idle.sum(-1),
    }  # fmt: skip
