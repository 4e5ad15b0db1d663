"""Numbers of any kind as float64 tensors, and conditions on them that hold everywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor


def as_float64(value: Tensor | ArrayLike, device: torch.device | None = None) -> Tensor:
    """A float64 tensor of what NumPy makes an array of, on a device, or of a tensor, through which gradients flow."""
    if isinstance(value, Tensor):
        return value.double()
    return torch.as_tensor(np.array(value, dtype=np.float64, order="C"), device=device)


def every(holds: Tensor) -> bool:
    """Whether all entries hold: also inside `torch.func.vmap`, which allows no plain control flow, of a whole batch."""
    return bool(_Every.apply(holds))  # type: ignore[no-untyped-call]


class _Every(torch.autograd.Function):
    @staticmethod
    def forward(holds: Tensor) -> Tensor:
        return holds.all()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.mark_non_differentiable(output)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None], holds: Tensor) -> tuple[Tensor, None]:
        return _Every.apply(holds), None  # type: ignore[no-untyped-call]
