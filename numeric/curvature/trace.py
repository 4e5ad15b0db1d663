"""The general entry: the Hessian trace of any module and loss."""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

from torch import nn

from boundaudit import InputError
from boundaudit.numeric.curvature.chain import closed_form
from boundaudit.numeric.curvature.estimate import estimate, interval
from boundaudit.numeric.curvature.exact import exact
from boundaudit.numeric.curvature.problem import Loss, Problem, twice_differentiable
from boundaudit.numeric.curvature.record import Found, HessianTrace

Method = Literal["auto", "exact", "estimate"]

EXACT_PARAMETERS = 4096
"""Trainable entries up to which ``method="auto"`` computes the trace exactly where no closed form applies."""


def hessian_trace(
    module: nn.Module,
    loss: Loss,
    inputs: Any,
    targets: Any,
    *,
    method: Method = "auto",
    probes: int = 100,
    seed: int = 0,
    confidence: float = 0.95,
    memory: int = 2**30,
) -> HessianTrace:
    """Trace of the Hessian of ``loss(module(inputs), targets)`` in all parameters that require a gradient.

    Three ways: a *closed form* for feed-forward chains (``nn.Sequential``, nested or not, of ``nn.Linear`` and
    layers without trainable parameters that act entry by entry) under a loss that is a sum over samples; whether
    layers and loss are so is tested on their derivatives at the point, never guessed from names. *Exact*: the
    Hessian's diagonal by automatic differentiation, for every module, one backward pass for each parameter entry, in
    batches. *Estimate*: Hutchinson's mean of vᵀHv over random signs v.

    Everything is computed on the device and in the precision of the module, sums in float64. Attention runs by
    PyTorch's elementary operations meanwhile, since its fused kernels have no second derivative. At a kink of a
    piecewise-linear activation the derivative is PyTorch's, as if the kink were not there. The module, its
    buffers, gradients and PyTorch's switches are left as they were.

    Args:
        module: any module, with dropout and batch norm in evaluation mode.
        loss: a scalar of the output and the targets, such as ``torch.nn.functional.cross_entropy``.
        inputs: what the module is called with; a tuple holds several arguments.
        targets: what the loss gets beside the output.
        method: "auto" takes the closed form if it applies, else "exact" for at most `EXACT_PARAMETERS` parameter
            entries, else "estimate". "exact" is always the automatic differentiation, a check of the closed form.
        probes: directions of an estimate, at least 2.
        seed: of these directions, which are the same on every device.
        confidence: of the interval around an estimate. The interval is Student's over probes: it assumes that the mean
            of the independent values vᵀHv is nearly normal, which holds for tens of probes unless a few entries of
            the Hessian outweigh all others.
        memory: bytes that working arrays may take, estimated from what the forward pass keeps for the backward pass.

    Returns:
        The trace, with an interval if it is an estimate, and each parameter's share.

    Raises:
        InputError: when module, loss or an option cannot be used; the message is one line.

    Example:
        >>> import torch
        >>> from torch import nn
        >>> model = nn.Linear(2, 1, bias=False)
        >>> inputs, targets = torch.tensor([[1.0, 2.0], [0.0, 1.0]]), torch.zeros(2, 1)
        >>> hessian_trace(model, nn.functional.mse_loss, inputs, targets).value
        6.0
    """
    _check_options(method, probes, seed, confidence, memory)
    problem = Problem.checked(module, loss, inputs, targets, memory)
    with twice_differentiable(module):
        if method == "auto" and (shares := closed_form(problem, seed)) is not None:
            return _record(problem, shares, "closed form")
        if method == "exact" or (method == "auto" and problem.size <= EXACT_PARAMETERS):
            return _record(problem, exact(problem), "exact")
        shares, values = estimate(problem, probes, seed)
    return _record(problem, shares, "estimate", interval(values, confidence), probes)


def _record(
    problem: Problem,
    shares: dict[str, float],
    method: Found,
    ends: tuple[float, float] | None = None,
    probes: int = 0,
) -> HessianTrace:
    return HessianTrace(
        math.fsum(shares.values()), ends, method, shares, problem.size, probes, str(problem.device)
    )  # fmt: skip


def _check_options(method: str, probes: int, seed: int, confidence: float, memory: int) -> None:
    if method not in get_args(Method):
        raise InputError("method", " or ".join(get_args(Method)), method, "choose one of these")
    for field, value, least in (("probes", probes, 2), ("seed", seed, 0), ("memory", memory, 1)):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise InputError(field, f"an integer of at least {least}", value, "pass such a number")
    if not isinstance(confidence, float) or not 0 < confidence < 1:
        raise InputError("confidence", "a number above 0 and below 1", confidence, "pass 0.95, say")
