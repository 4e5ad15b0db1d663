"""Where the rows of the network rest on kinks (Theorem 18)."""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.sharpness.construction import Blocks, Channels
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.rows import CLOSE
from boundaudit.numeric.sharpness.target import TargetBatch


def kinks(blocks: Blocks, batch: TargetBatch, bits: Tensor) -> Tensor:
    """Whether a live unit of a row with weight, or of the output, sits on its kink, bool, (B,); bits (B, T_max)."""
    run = trace(blocks, batch, bits[:, None])
    channels = Channels(batch.max_length, "published")
    argument = run.averaged[:, 0] @ blocks.M + blocks.Gamma[:, None]
    counts = run.second[:, 0] > 0
    counts[:, channels.output] = True
    touched = (argument.abs() < CLOSE) & (blocks.F[:, None, :, channels.data] != 0) & counts[..., None]
    return touched.flatten(1).any(-1)
