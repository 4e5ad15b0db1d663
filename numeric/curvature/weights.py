"""Norms of a module's parameters."""

from __future__ import annotations

import math

from torch import nn

from boundaudit.numeric.curvature.problem import trainable
from boundaudit.numeric.curvature.record import ParameterNorms


def parameter_norms(module: nn.Module) -> ParameterNorms:
    """Squared Frobenius norms of the parameters that require a gradient, in float64, and how many entries they have.

    Raises:
        InputError: when nothing is trainable or a parameter has no real entries.

    Example:
        >>> import torch
        >>> model = torch.nn.Linear(2, 1)
        >>> _ = torch.nn.init.constant_(model.weight, 3.0), torch.nn.init.zeros_(model.bias)
        >>> found = parameter_norms(model)
        >>> found.squared, found.by_parameter, found.parameters
        (18.0, {'weight': 18.0, 'bias': 0.0}, 3)
    """
    parameters = trainable(module)
    shares = {name: float(p.detach().double().square().sum()) for name, p in parameters.items()}
    return ParameterNorms(math.fsum(shares.values()), shares, sum(p.numel() for p in parameters.values()))
