"""What the entries return."""

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
        probes: Hessian products behind an estimate; 0 where none were taken.
        device: where it was computed.
        reason: one line: why this method, and what its cost was predicted to be.
    """

    value: float
    interval: tuple[float, float] | None
    method: Found
    by_parameter: dict[str, float]
    parameters: int
    probes: int
    device: str
    reason: str


@dataclass(frozen=True)
class HessianNorm:
    """The operator norm of a loss Hessian over the trainable parameters of a module.

    Attributes:
        value: the largest absolute Ritz value: up to rounding never more than the norm.
        interval: ``value``, and what the norm exceeds with probability at most 1 - ``confidence`` over the start.
        confidence: of the upper end.
        smallest: least Ritz value, no less than the least eigenvalue.
        largest: largest Ritz value, no more than the largest eigenvalue.
        parameters: how many trainable entries there are, tied ones counted once.
        products: Hessian products that were taken.
        device: where it was computed.
    """

    value: float
    interval: tuple[float, float]
    confidence: float
    smallest: float
    largest: float
    parameters: int
    products: int
    device: str


@dataclass(frozen=True)
class ParameterNorms:
    """Norms of the trainable parameters of a module.

    Attributes:
        squared: the squared Euclidean norm of all entries.
        by_parameter: each parameter's squared Frobenius norm; tied ones under their first name.
        parameters: how many trainable entries there are, tied ones counted once.
    """

    squared: float
    by_parameter: dict[str, float]
    parameters: int
