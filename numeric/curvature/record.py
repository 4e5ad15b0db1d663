"""What `hessian_trace` returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Found = Literal["closed form", "exact", "estimate"]


@dataclass(frozen=True)
class HessianTrace:
    """The trace of a loss Hessian over the trainable parameters of a module.

    Example:
        >>> import torch
        >>> from boundaudit import hessian_trace
        >>> model, data = torch.nn.Linear(1, 1, bias=False).double(), torch.ones(4, 1).double()
        >>> found = hessian_trace(model, torch.nn.functional.mse_loss, data, data)
        >>> found.value, found.by_parameter, found.parameters
        (2.0, {'weight': 2.0}, 1)

    Attributes:
        value: the trace, or its estimate.
        interval: ends of the confidence interval of an estimate; None where the value is exact up to rounding.
        method: how it was found.
        by_parameter: each trainable parameter's share of ``value``; tied ones under their first name.
        parameters: how many trainable entries there are, tied ones counted once.
        probes: random directions behind an estimate; 0 where none were drawn.
        device: where it was computed.
    """

    value: float
    interval: tuple[float, float] | None
    method: Found
    by_parameter: dict[str, float]
    parameters: int
    probes: int
    device: str
