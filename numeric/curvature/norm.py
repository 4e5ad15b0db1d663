"""The general entry: the operator norm of the Hessian of any module and loss."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from boundaudit import InputError
from boundaudit.numeric.curvature.lanczos import beyond, extremes, steps
from boundaudit.numeric.curvature.options import check
from boundaudit.numeric.curvature.problem import Loss, Problem, twice_differentiable
from boundaudit.numeric.curvature.products import slope
from boundaudit.numeric.curvature.record import HessianNorm


def hessian_norm(
    module: nn.Module, loss: Loss, inputs: Any, targets: Any, *, rel_error: float = 0.05, seed: int = 0,
    confidence: float = 0.95, memory: int = 2**30,
) -> HessianNorm:  # fmt: skip
    """Largest absolute eigenvalue of the Hessian of ``loss(module(inputs), targets)`` in all trainable parameters.

    Lanczos' method with full reorthogonalisation from a random start. Its value is a Rayleigh quotient, so the norm is
    never less; that it is hardly more holds with probability ``confidence`` over the start, for every Hessian. How many
    products this needs is known before the first one, so nothing is paid for stopping. All of it up to the rounding of
    the module's precision.

    Arguments are those of `hessian_trace`; ``rel_error`` is by how much the interval's upper end may exceed its lower
    one, relative to the lower, and ``seed`` that of the start, which is the same on every device.

    Raises:
        InputError: when module, loss or an option cannot be used; the message is one line.

    Example:
        >>> import torch
        >>> from torch import nn
        >>> model = nn.Linear(2, 1, bias=False)
        >>> inputs, targets = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.zeros(2, 1)
        >>> round(hessian_norm(model, nn.functional.mse_loss, inputs, targets).value, 5)
        4.0
    """
    check({"rel_error": rel_error, "confidence": confidence}, seed=(seed, 0), memory=(memory, 1))
    problem = Problem.checked(module, loss, inputs, targets, memory)
    # the width is at most twice the norm: (θ₁ - θₙ) ε / (1 - 2ε) stays below rel_error · norm
    products = steps(problem.size, rel_error / (2 * (1 + rel_error)), confidence)
    if (needed := 2 * products * problem.size * 4) > memory:
        raise InputError("memory", f"about {needed} bytes or more", memory, "raise it or rel_error")
    generator = torch.Generator().manual_seed(seed)
    precision = torch.promote_types(problem.leaves[0].dtype, torch.float32)
    start = torch.randn(problem.size, generator=generator, dtype=torch.float64).to(problem.device, precision)
    with twice_differentiable(module):
        smallest, largest, taken = extremes(slope(problem).times, start, products)
    value = max(-smallest, largest)
    share = 0.0 if taken < products else beyond(problem.size, products, confidence)
    reach = (largest - smallest) * share / (1 - 2 * share)
    return HessianNorm(
        value, (value, value + reach), confidence, smallest, largest, problem.size, taken, str(problem.device)
    )  # fmt: skip
